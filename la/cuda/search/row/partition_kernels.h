/*
 * Launch functions, as kernels.h, of partition.cu: passes that build one rank's partition of a graph
 * (partition_build.c).
 */
#ifndef SEMLA_CUDA_PARTITION_KERNELS_H
#define SEMLA_CUDA_PARTITION_KERNELS_H

#include "cuda/reorder/graph_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Ids that are consecutive on one rank: 1,024 bits, a line of the frontier's bitmap. Lines of all
 * ranks alternate, so that the hubs of all ranks have the lowest source ids. */
enum { GROUP_LINE = 1024 };

/* bits: the rows that have entries. All n bits are written. */
cudaError_t sl_cuda_group_nonempty_rows(uint32_t *bits, const uint64_t *start, uint64_t n);

/* bits[w] = all[w] | all[words + w] | ... over `ranks` arrays. */
cudaError_t sl_cuda_or_bits(uint32_t *bits, const uint32_t *all, uint64_t words, uint32_t ranks);

/* Adds to degree[v] the number of entries in column v. */
cudaError_t sl_cuda_group_count_in_degrees(uint32_t *degree, const uint32_t *index,
                                           uint64_t entries);

/*
 * key[v] = in-degree + 1 for an own vertex v with in- or out-edges, 0 for one without edges;
 * vertex[v] = v. has_out_edges: bitmap over all vertices, where v is bit first + v; NULL: the graph
 * is undirected, and vertices with in-edges have out-edges.
 */
cudaError_t sl_cuda_group_degree_keys(uint32_t *key, uint32_t *vertex, const uint32_t *degree,
                                      const uint32_t *has_out_edges, uint64_t first, uint32_t n);

/* degree[k] = key[k] - 1. */
cudaError_t sl_cuda_group_degrees(uint32_t *degree, const uint32_t *key, uint32_t n);

/* source_id[order[k]] = the source id of vertex k of this rank (see partition.h). */
cudaError_t sl_cuda_group_source_ids(uint32_t *source_id, const uint32_t *order, uint32_t n,
                                     uint32_t rank, uint32_t size);

/* old_id[source_id[v]] = v for every vertex v that has a source id. */
cudaError_t sl_cuda_group_old_ids(uint32_t *old_id, const uint32_t *source_id, uint64_t n);

/* Entries in rows, to be transposed. */
typedef struct {
    const uint64_t *start; /* rows + 1 */
    const uint32_t *index;
    uint64_t rows, entries;
    const uint32_t *row_id, *column_id; /* new ids of rows and columns; NULL: ids do not change */
} cuda_transpose_source;

/* Appends the keys (column - first) << bits | row of all entries with first <= column < last (new
 * ids) to keys, from keys[*count] on; at most `room` keys are written. */
cudaError_t sl_cuda_group_transpose_keys(uint64_t *keys, unsigned long long *count, uint64_t room,
                                         const cuda_transpose_source *source, uint32_t first,
                                         uint32_t last, unsigned bits);

#ifdef __cplusplus
}
#endif
#endif
