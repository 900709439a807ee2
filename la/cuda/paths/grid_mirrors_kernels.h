/* Launch functions of grid_mirrors.cu: what a block says about the mirror edges of all.
 * Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_GRID_MIRRORS_KERNELS_H
#define SEMLA_CUDA_GRID_MIRRORS_KERNELS_H

#include <semla/distribution.h>

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A block of the matrix; pointers are to device memory. */
typedef struct {
    sl_local_blocks rows, cols; /* which vertices its rows and columns are */
    uint64_t nrows, nnz;
    const uint64_t *start;
    const uint32_t *index;
    const void *values; /* of `size` bytes each, or NULL: all are the same */
    size_t size;
} grid_block_edges;

/* *sum, 0 before: the hashes of all edges (u, v) with u < v and their values, less those of the mirror images of the
 * edges with u > v. The sums of all processes add up to 0 if each edge has a mirror edge of the same value, and if not,
 * with a probability of 2^-64. O(entries log(rows)). */
cudaError_t sl_cuda_grid_mirror_sum(const grid_block_edges *A, unsigned long long *sum);

#ifdef __cplusplus
}
#endif
#endif
