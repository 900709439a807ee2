/* Kernels of the order of a matrix's columns (as kernels.h). */
#ifndef SEMLA_CUDA_COLUMN_ORDER_KERNELS_H
#define SEMLA_CUDA_COLUMN_ORDER_KERNELS_H

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* to[e] = place[index[e]]. */
cudaError_t sl_cuda_place_columns(uint32_t *to, const uint32_t *index, const uint32_t *place,
                                  uint64_t nnz);
/* to[k] = from[old[k]], for values of `size` bytes. */
cudaError_t sl_cuda_order_values(void *to, const void *from, const uint32_t *old, size_t size,
                                 uint64_t count);

#ifdef __cplusplus
}
#endif
#endif
