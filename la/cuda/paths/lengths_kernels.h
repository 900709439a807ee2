/* Launch functions of lengths.cu. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_LENGTHS_KERNELS_H
#define SEMLA_CUDA_LENGTHS_KERNELS_H

#include <semla/semirings.h>

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A matrix, or some rows of it, with the lengths in the type of the sums (int32, int64, fp32 or fp64); values NULL:
 * every length is 1. */
typedef struct {
    uint64_t rows, nnz;
    const uint64_t *start; /* begins with `from` */
    uint64_t from; /* index and values, and keys and results, are those from this entry on */
    const uint32_t *index;
    const void *values;
    sl_type type;
} cuda_length_rows;

/* *wide is set to 1 if some length is not the same number in 32 bits (uint32 or fp32). */
cudaError_t sl_cuda_lengths_check(const cuda_length_rows *A, unsigned *wide);

/* *longest, 0 before: the length of the longest row. */
cudaError_t sl_cuda_lengths_longest(const cuda_length_rows *A, unsigned long long *longest);

/* Writes `count` lengths of edges spread over the matrix, as fp64. */
cudaError_t sl_cuda_lengths_sample(const cuda_length_rows *A, double *sample, unsigned count);

/* keys: the nnz lengths in 32 (narrow) or 64 bits, which as unsigned integers have the same order.
 */
cudaError_t sl_cuda_lengths_keys(const cuda_length_rows *A, bool narrow, void *keys);

/* Sorts every row by its keys; equal keys keep their order. scratch NULL: only sets *bytes to the
 * scratch needed. */
cudaError_t sl_cuda_lengths_sort(void *scratch, size_t *bytes, const cuda_length_rows *A,
                                 bool narrow, const void *keys, void *length, uint32_t *index);

#ifdef __cplusplus
}
#endif
#endif
