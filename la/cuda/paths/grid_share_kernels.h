/* Launch functions of grid_share.cu. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_GRID_SHARE_KERNELS_H
#define SEMLA_CUDA_GRID_SHARE_KERNELS_H

#include <semla/semirings.h>

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets the bits of a bitmap of `count` bits in another one, from place `first` on. */
cudaError_t sl_cuda_grid_place_bits(uint32_t *to, uint64_t first, const uint32_t *bits,
                                    uint64_t count);

/* *least becomes at most *value, both of the type of sums. */
cudaError_t sl_cuda_grid_lower(void *least, const void *value, sl_type type);

#ifdef __cplusplus
}
#endif
#endif
