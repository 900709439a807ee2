/* Sums over warps and blocks by any monoid, without an identity. A code is that of a table
 * operator, or a sum_by. */
#ifndef SEMLA_CUDA_REDUCTION_CUH
#define SEMLA_CUDA_REDUCTION_CUH

#include "cuda/operations/algebra.cuh"

template <typename T, typename Code>
__device__ inline void include(maybe<T> &sum, maybe<T> x, Code code)
{
    if (x.is) {
        sum.value = sum.is ? binary(code, sum.value, x.value) : x.value;
        sum.is = true;
    }
}

template <typename T> __device__ inline maybe<T> shuffle_down(maybe<T> x, int offset)
{
    bool is = __shfl_down_sync(full_warp, (int)x.is, offset);
    if constexpr (sizeof(T) < 4) /* shuffles need at least 4 bytes */
        return {(T)__shfl_down_sync(full_warp, (int)x.value, offset), is};
    else
        return {__shfl_down_sync(full_warp, x.value, offset), is};
}

/* The sum over the warp, in lane 0. */
template <typename T, typename Code> __device__ inline maybe<T> sum_of_warp(maybe<T> own, Code code)
{
    for (int offset = 16; offset > 0; offset /= 2)
        include(own, shuffle_down(own, offset), code);
    return own;
}

/* Lane 0's value, for all lanes. */
template <typename T> __device__ inline maybe<T> first_of_warp(maybe<T> x)
{
    bool is = __shfl_sync(full_warp, (int)x.is, 0);
    if constexpr (sizeof(T) < 4)
        return {(T)__shfl_sync(full_warp, (int)x.value, 0), is};
    else
        return {__shfl_sync(full_warp, x.value, 0), is};
}

/* The sum over the block, in thread 0. All threads of the block must call it. Shared memory: one
 * value per warp. */
template <typename T, typename Code>
__device__ inline maybe<T> sum_of_block(maybe<T> own, Code code)
{
    __shared__ maybe<T> sums[CUDA_THREADS / 32];
    own = sum_of_warp(own, code);
    __syncthreads(); /* the results of the previous call have been read */
    if (threadIdx.x % 32 == 0)
        sums[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 1; k < CUDA_THREADS / 32; k++)
            include(own, sums[k], code);
    return own;
}

#endif
