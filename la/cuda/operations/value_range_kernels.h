/* The kernel that finds the range of values. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_VALUE_RANGE_KERNELS_H
#define SEMLA_CUDA_VALUE_RANGE_KERNELS_H

#include <semla/semirings.h>

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The least and the greatest value, as keys (ordered_key.cuh), and the sum of their absolute values; all 0 before. */
typedef struct {
    unsigned long long least, greatest;
    double sum;
} cuda_range_keys;

/* The range of n values; with `bits`, of those whose bit is set. */
cudaError_t sl_cuda_find_value_range(cuda_range_keys *range, const uint32_t *bits,
                                     const void *values, sl_type type, uint64_t n);
double sl_cuda_range_least(const cuda_range_keys *range); /* NaN: there are no values */
double sl_cuda_range_greatest(const cuda_range_keys *range);

#ifdef __cplusplus
}
#endif
#endif
