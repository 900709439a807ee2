/* Device functions of the kernels of a grid's relaxing closures: messages. */
#ifndef SEMLA_CUDA_GRID_RELAX_CUH
#define SEMLA_CUDA_GRID_RELAX_CUH

#include "grid_relax_kernels.h"
#include "ordered_key.cuh"
#include "relax.cuh"

__device__ inline count_t length_of(const grid_relax_message &m)
{
    return m.count_at ? *m.count_at : m.count;
}

__device__ inline uint32_t id_of(const grid_relax_message &m, count_t k)
{
    return ((const uint32_t *)m.middle)[-1 - (int64_t)k] + (uint32_t)m.begin;
}

template <typename T> __device__ inline T value_of(const grid_relax_message &m, count_t k)
{
    return ((const T *)m.middle)[k];
}

/* Writes vertex number k of a message. */
template <typename T> __device__ inline void put(char *middle, count_t k, uint32_t id, T value)
{
    ((uint32_t *)middle)[-1 - (int64_t)k] = id;
    ((T *)middle)[k] = value;
}

/* Takes places from a counter for `own` items of each lane; the first place of this lane. By all threads
 * of the warp, of which one adds to the counter. */
__device__ inline count_t places_of_warp(unsigned long long *counter, count_t own)
{
    const unsigned lane = threadIdx.x % 32;
    count_t upto = own, base = 0;
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        const count_t other = __shfl_up_sync(full_warp, upto, offset);
        upto += lane >= offset ? other : 0;
    }
    if (lane == 31 && upto)
        base = atomicAdd(counter, upto);
    return __shfl_sync(full_warp, base, 31) + upto - own;
}

#endif
