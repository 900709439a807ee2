/* Keys of values for a radix sort (as kernels.h). */
#ifndef SEMLA_CUDA_VECTOR_SORT_KERNELS_H
#define SEMLA_CUDA_VECTOR_SORT_KERNELS_H

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* key[k] is a number that orders values[k] among the values of its type, in as many bits as the type
 * has; falling if `descending`. 0.0 and -0.0 have the same key. */
cudaError_t sl_cuda_value_keys(uint64_t *key, const void *values, sl_type type, bool descending,
                               uint64_t count);

#ifdef __cplusplus
}
#endif
#endif
