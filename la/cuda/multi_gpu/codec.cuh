/* Private to the kernels: what codecs have in common. */
#ifndef SEMLA_CUDA_CODEC_CUH
#define SEMLA_CUDA_CODEC_CUH

#include "codec_kernels.h"
#include "common.cuh"

static inline unsigned codec_grid(unsigned multiprocessors, uint64_t threads)
{
    return grid_of(threads, multiprocessors * CUDA_BLOCKS_PER_SM);
}

__device__ inline unsigned lanes_before()
{
    return (1u << threadIdx.x % 32) - 1;
}

/* Of all lanes, for the first; compute capability 7.5 has no instruction for it. */
template <typename T> __device__ inline T sum_of_warp(T mine)
{
    for (int away = 16; away > 0; away /= 2)
        mine += __shfl_down_sync(full_warp, mine, away);
    return mine;
}

/* Of the lanes up to this one. */
template <typename T> __device__ inline T sum_up_to(T mine)
{
    for (unsigned away = 1; away < 32; away *= 2) {
        T other = __shfl_up_sync(full_warp, mine, away);
        mine += threadIdx.x % 32 >= away ? other : 0;
    }
    return mine;
}

/* An id that was read, as number k of its message. */
__device__ inline void put_id(const cuda_ids &to, const cuda_coded &coded, uint64_t k, count_t id)
{
    if (id >= coded.limit)
        *coded.failed = 1;
    else if (to.list)
        to.list[k] = (uint32_t)id;
    else
        atomicOr(to.bits + id / 32, 1u << id % 32);
}

#endif
