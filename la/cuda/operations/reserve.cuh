/* Reserves consecutive places in a list for all threads of a block, with one atomic per block. */
#ifndef SEMLA_CUDA_RESERVE_CUH
#define SEMLA_CUDA_RESERVE_CUH

#include "cuda/runtime/common.cuh"

/* The first of `own` places for each thread. All threads of the block must call it. Shared
 * memory: one number per warp and the block's base. */
__device__ inline count_t block_reserve(unsigned long long *count, unsigned own)
{
    __shared__ unsigned before[CUDA_THREADS / 32];
    __shared__ count_t base;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned sum = own;
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        unsigned other = __shfl_up_sync(full_warp, sum, offset);
        sum += lane >= offset ? other : 0;
    }
    if (lane == 31)
        before[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned all = 0;
        for (unsigned w = 0; w < CUDA_THREADS / 32; w++) {
            unsigned one = before[w];
            before[w] = all;
            all += one;
        }
        base = all ? atomicAdd(count, (count_t)all) : 0;
    }
    __syncthreads();
    count_t at = base + before[warp] + sum - own;
    __syncthreads(); /* before the next call overwrites them */
    return at;
}

#endif
