/*
 * A partition: one rank's part of a graph that a device group searches, as its kernels read it. It has all edges into
 * the vertices that the rank owns: the ranks are a grid of one column (part.h). Private to the CUDA engine.
 *
 *     target id   0 ... part->own_targets - 1    own vertices with in-edges; rows of the in-edges
 *     source id   0 ... part->sources - 1        all vertices with edges, of all ranks; columns of the in-edges, rows
 *                                                of the out-edges
 */
#ifndef SEMLA_CUDA_PARTITION_H
#define SEMLA_CUDA_PARTITION_H

#include "cuda/search/part/part.h"
#include "cuda/search/row/group_bfs_kernels.h"

typedef struct {
    cuda_part *part;
    const sl_device_grid *row; /* all processes; borrowed */
    cuda_graph view;
    uint64_t vertices; /* of the matrix */
    bool symmetric;    /* the matrix is */
    cuda_matrix edges; /* for products: the number of edges, without arrays */
    /* Offsets of 32 bits by target and by source; NULL where that is not enough, and the view has the part's own. */
    uint32_t *in_start, *out_start;
    group_memory memory;
} cuda_partition;

/* Members of sl_device_searches (la/engine). */
sl_status sl_cuda_partition_create(void **partition, const sl_device_part_request *request);
void sl_cuda_partition_free(void *partition);
void sl_cuda_partition_describe(sl_placement *placement, const void *partition);
sl_status sl_cuda_partition_search(void *partition, sl_call *call, sl_device_search_report *report);
bool sl_cuda_partition_multiplies(const void *partition, const sl_call *call);
sl_status sl_cuda_partition_multiply(void *partition, sl_call *call, sl_status status);
sl_status sl_cuda_group_check_tree(const sl_device_grid *row, sl_call *call, const uint64_t *begin);

#endif
