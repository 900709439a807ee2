/* Private to the kernels: the place of a vertex in an order. */
#ifndef SEMLA_CUDA_ORDER_CUH
#define SEMLA_CUDA_ORDER_CUH

#include "cuda/data/order_kernels.h"
#include "cuda/runtime/common.cuh"

/* The place of the caller's vertex u. */
__device__ inline uint32_t place_of(const cuda_order_view &order, uint32_t u)
{
    const uint32_t v = __ldg(order.new_id + u);
    if (v != CUDA_NO_VERTEX)
        return v;
    const uint2 word = __ldg(order.numbered + u / 32);
    return order.n + u - (word.y + __popc(word.x & (((uint32_t)1 << (u % 32)) - 1)));
}

/* The place of the caller's index v in an order; order.new_id NULL: in the caller's. */
__device__ inline uint64_t place_of_id(const cuda_order_view &order, uint64_t v)
{
    return order.new_id ? place_of(order, (uint32_t)v) : v;
}

#endif
