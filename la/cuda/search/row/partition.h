/*
 * A partition: one rank's part of a graph that a device group searches. It has all edges into the
 * vertices that the rank owns. Private to the CUDA engine.
 *
 * Two kinds of ids, both by falling in-degree so that hubs come first:
 *
 *     target id   0 ... targets - 1       own vertices with in-edges; rows of the in-edges
 *     source id   0 ... size * ids_per_rank - 1    all vertices with edges, of all ranks; columns
 * of the in-edges, rows of the out-edges
 *
 * Vertex k of rank r (its target id, if it has in-edges) has the source id
 *
 *     (k / GROUP_LINE * size + r) * GROUP_LINE + k % GROUP_LINE
 *
 *     source ids   | rank 0: 0-1023 | rank 1: 0-1023 | ... | rank 0: 1024-2047 | rank 1: ...
 *
 * so that lines of GROUP_LINE ids of all ranks alternate, and the hubs of all ranks are the first
 * words of a frontier's bitmap.
 */
#ifndef SEMLA_CUDA_PARTITION_H
#define SEMLA_CUDA_PARTITION_H

#include "cuda/links/links.h"
#include "cuda/reorder/reordered_graph.h"
#include "cuda/runtime/arena.h"
#include "cuda/search/row/group_bfs_kernels.h"

typedef struct {
    const sl_device_grid *row; /* all processes; borrowed */
    cuda_grid_links *links;    /* of them; borrowed */
    /* In-edges by target id, with source ids as columns; its old_id is per source id. */
    cuda_reordered_graph *reordered;
    /* Out-edges by source id, with target ids as columns: start, index, and pinned if the device has
     * too little memory (column_storage.h). */
    cuda_reordered_graph *out;
    uint32_t *source_ids; /* device, own_n: per own vertex, or CUDA_NO_VERTEX */
    uint32_t own_n;       /* vertices that this rank owns */
    uint32_t targets;
    uint32_t ids_per_rank; /* source ids of each rank, a multiple of GROUP_LINE */
    uint64_t edges;        /* of this rank */
    unsigned long long all_vertices, all_edges; /* of all ranks: targets, edges */
    group_memory memory;
    cuda_arena workspace; /* of searches */
} cuda_partition;

/* The members of sl_device_group_search (la/engine). All but can_regenerate and free are collective
 * and return the same status on every rank. */
sl_status sl_cuda_partition_create(void **partition, sl_object *edges, bool temporary,
                                   const sl_device_grid *row, const uint64_t *begin);
bool sl_cuda_partition_can_regenerate(const sl_object *edges);
void sl_cuda_partition_free(void *partition);
void sl_cuda_partition_describe(sl_placement *placement, const void *partition);

sl_status sl_cuda_partition_search(void *partition, sl_call *call, sl_device_group_report *report);

#endif
