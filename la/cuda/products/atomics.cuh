/* Adds a term to a sum of a product to which other threads add at the same time. */
#ifndef SEMLA_CUDA_ATOMICS_CUH
#define SEMLA_CUDA_ATOMICS_CUH

#include "cuda/operations/atomic_combine.cuh"
#include "cuda/products/semirings.cuh"

/* Adds a term to the sum at `outer`, concurrently with other threads. */
template <typename R>
__device__ inline void offer(const cuda_product &p, uint32_t outer, typename R::T z)
{
    uint32_t *word = p.bits + outer / 32, bit = (uint32_t)1 << (outer % 32);
    typename R::T *t = (typename R::T *)p.t_values + outer;
    bool there = bit_now(p.bits, outer);
    if (R::any || p.any) {
        if (!there && !(atomicOr(word, bit) & bit))
            *t = z;
        return;
    }
    combine(t, z, R::add_code(p));
    if (!there)
        atomicOr(word, bit);
}

#endif
