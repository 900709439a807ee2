/* Launch function of mirrors.cu. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_MIRROR_KERNELS_H
#define SEMLA_CUDA_MIRROR_KERNELS_H

#include <semla/distribution.h>

#include "cuda/operations/matrix_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* *sum, 0 before: the sum of the hashes of all entries (u, v) with u < v and their values, less the sum of the hashes
 * of the mirror entries of all others (MSet-Add-Hash, Clarke et al. 2003). It is 0 if each entry has a mirror entry of
 * the same value, and otherwise with a probability of 2^-64, as `key` is random. Values of type fp32 or fp64 are
 * compared as numbers, others by their 1, 2, 4 or 8 bytes. rows, cols: which vertices the rows and columns of a grid's
 * block are; the sums of all blocks, with one key, are added. NULL: A is the whole matrix. O(entries). */
cudaError_t sl_cuda_mirror_sum(const cuda_matrix_rows *A, sl_type type, const sl_local_blocks *rows,
                               const sl_local_blocks *cols, uint64_t key, unsigned long long *sum);

#ifdef __cplusplus
}
#endif
#endif
