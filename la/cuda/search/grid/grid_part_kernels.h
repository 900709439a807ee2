/* Launch functions, as kernels.h, of grid_part.cu: passes that build a part (grid_part.h). */
#ifndef SEMLA_CUDA_GRID_PART_KERNELS_H
#define SEMLA_CUDA_GRID_PART_KERNELS_H

#include "cuda/search/row/partition_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* length[v] = start[v + 1] - start[v], at most `most`. */
cudaError_t sl_cuda_grid_row_lengths(uint32_t *length, const uint64_t *start, uint64_t n,
                                     uint32_t most);
/* count[v] = min(count[v], most). */
cudaError_t sl_cuda_grid_limit(uint32_t *count, uint64_t n, uint32_t most);
/* id[order[k]] = k. */
cudaError_t sl_cuda_grid_invert(uint32_t *id, const uint32_t *order, uint64_t n);
/* mean[w]: the mean, rounded up, of degree[order[k]] for the ids k of bitmap word w, below n. */
cudaError_t sl_cuda_grid_word_degrees(uint32_t *mean, const uint32_t *degree, const uint32_t *order,
                                      uint64_t n);
/* row[k]: the local row of the source slot[k], or CUDA_NO_VERTEX. */
cudaError_t sl_cuda_grid_first_rows(uint32_t *row, const uint32_t *slot,
                                    const uint32_t *row_of_source, uint64_t n);
/* to[k] = from[at[k]]. */
cudaError_t sl_cuda_grid_collect(uint32_t *to, const uint32_t *from, const uint32_t *at,
                                 uint64_t n);
/* Replaces ids of a block by those of sources, in block `part` of `parts`, or of targets, by adding
 * `first`. CUDA_NO_VERTEX stays. */
cudaError_t sl_cuda_grid_source_ids(uint32_t *id, uint64_t n, uint32_t part, uint32_t parts);
cudaError_t sl_cuda_grid_target_ids(uint32_t *id, uint64_t n, uint32_t first);
/* to[id[v]] = count[v] for all v that have an id. */
cudaError_t sl_cuda_grid_scatter(uint32_t *to, const uint32_t *count, const uint32_t *id,
                                 uint64_t n);
/* bits: the rows without entries. n is a multiple of 32. */
cudaError_t sl_cuda_grid_empty_rows(uint32_t *bits, const uint64_t *start, uint64_t n);

/* slot[k][v]: neighbour k of row v, CUDA_NO_VERTEX if it has fewer; word_degree[w]: the length of row
 * 32 w. n is a multiple of 32. */
cudaError_t sl_cuda_grid_fill_slots(uint32_t *const slot[ELL_SLOTS], uint32_t *word_degree,
                                    const uint64_t *start, const uint32_t *index, uint64_t n);

#ifdef __cplusplus
}
#endif
#endif
