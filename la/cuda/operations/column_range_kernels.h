/* Kernels of select by columns (as matrix_kernels.h). */
#ifndef SEMLA_CUDA_COLUMN_RANGE_KERNELS_H
#define SEMLA_CUDA_COLUMN_RANGE_KERNELS_H

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Row i keeps its columns below limit + i, or if `last` those from there on; without `diagonal` the
 * limit is the same for all rows. Its absolute value is at most 2^34. */
typedef struct {
    uint64_t nrows;
    const uint64_t *start;
    const uint32_t *index;
    int64_t limit;
    bool diagonal, last;
} cuda_column_range;

/* length[i]: the number of columns that row i keeps. */
cudaError_t sl_cuda_range_lengths(uint64_t *length, const cuda_column_range *r);
/* Copies these entries to rows that begin at to_start. size: bytes of a value. values NULL: none. */
cudaError_t sl_cuda_copy_range(uint32_t *to_index, void *to_values, const uint64_t *to_start,
                               uint64_t nnz, const cuda_column_range *r, const void *values,
                               size_t size);

#ifdef __cplusplus
}
#endif
#endif
