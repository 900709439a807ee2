/* Private to the kernels of products: adding to a sum that others add to too. */
#ifndef SEMLA_CUDA_OFFER_CUH
#define SEMLA_CUDA_OFFER_CUH

#include "rings.cuh"

/* *at = code(*at, z), by whoever else is at it too. */
template <typename T, typename Code> __device__ inline void combine(T *at, T z, Code code)
{
    if constexpr (sizeof(T) >= 4) {
        if (is_plus(code)) {
            if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, uint64_t>)
                atomicAdd((count_t *)at, (count_t)z);
            else
                atomicAdd(at, z);
            return;
        }
    }
    using W = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
    constexpr unsigned per_word = sizeof(W) / sizeof(T);
    uintptr_t address = (uintptr_t)at;
    W *word = (W *)(address / sizeof(W) * sizeof(W));
    unsigned place = (unsigned)(address % sizeof(W)) / sizeof(T);
    W seen = __ldcg(word);
    for (;;) {
        T parts[per_word];
        memcpy(parts, &seen, sizeof seen);
        parts[place] = binary(code, parts[place], z);
        W wanted;
        memcpy(&wanted, parts, sizeof wanted);
        if (wanted == seen)
            return; /* nothing to gain */
        W before = atomicCAS(word, seen, wanted);
        if (before == seen)
            return;
        seen = before;
    }
}

/* Adds a term to the sum at `outer`, as others may meanwhile. */
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
