/* Device functions that all codecs use. */
#ifndef SEMLA_CUDA_CODEC_CUH
#define SEMLA_CUDA_CODEC_CUH

#include "codec_kernels.h"
#include "grid_stride.cuh"

/* Mask of the lanes below this one. */
__device__ inline unsigned lanes_before()
{
    return (1u << threadIdx.x % 32) - 1;
}

/* The sum over a warp, valid in lane 0. By shuffles, because compute capability 7.5 has no
 * instruction for it. */
template <typename T> __device__ inline T sum_of_warp(T mine)
{
    for (int away = 16; away > 0; away /= 2)
        mine += __shfl_down_sync(full_warp, mine, away);
    return mine;
}

/* The inclusive prefix sum over a warp. */
template <typename T> __device__ inline T sum_up_to(T mine)
{
    for (unsigned away = 1; away < 32; away *= 2) {
        T other = __shfl_up_sync(full_warp, mine, away);
        mine += threadIdx.x % 32 >= away ? other : 0;
    }
    return mine;
}

/* Writes a decoded id, number k of its message; ids beyond the limit set *failed. */
__device__ inline void put_id(const cuda_decode_target &to, const cuda_payload &payload, uint64_t k,
                              count_t id)
{
    if (id >= payload.limit)
        *payload.failed = 1;
    else if (to.list)
        to.list[k] = (uint32_t)id;
    else
        atomicOr(to.bits + id / 32, 1u << id % 32);
}

#endif
