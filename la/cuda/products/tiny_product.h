/* Products of tiny matrices in one launch. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_TINY_PRODUCT_H
#define SEMLA_CUDA_TINY_PRODUCT_H

#include "cuda/products/product_tuning.h"
#include "cuda/products/spgemm_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows, columns and values of A B, whose sizes and inner size are at most TINY_SIDE, over a built-in
 * semiring of one type. start: nrows + 1; index and values (NULL: not wanted): room for all
 * elements. c_start, c_index, c_values and f.ends of *s are not read. */
cudaError_t sl_cuda_tiny_product(const cuda_sums *s, uint64_t *start, uint32_t *index,
                                 void *values);

#ifdef __cplusplus
}
#endif
#endif
