/* Device functions that combine a value with one that other threads change at the same time. */
#ifndef SEMLA_CUDA_ATOMIC_COMBINE_CUH
#define SEMLA_CUDA_ATOMIC_COMBINE_CUH

#include "cuda/operations/algebra.cuh"

/* *at = join(*at) by compare-and-swap, repeated until no other thread has interfered or the
 * value would not change. look: loads the word that contains *at. */
template <typename T, typename Look, typename Join>
__device__ inline void change(T *at, Look look, Join join)
{
    using W = std::conditional_t<sizeof(T) == 8, unsigned long long, unsigned>;
    constexpr unsigned per_word = sizeof(W) / sizeof(T);
    uintptr_t address = (uintptr_t)at;
    W *word = (W *)(address / sizeof(W) * sizeof(W));
    unsigned part = (unsigned)(address % sizeof(W)) / sizeof(T);
    W seen = look(word);
    for (;;) {
        T parts[per_word];
        memcpy(parts, &seen, sizeof seen);
        parts[part] = join(parts[part]);
        W wanted;
        memcpy(&wanted, parts, sizeof wanted);
        if (wanted == seen)
            return;
        W before = atomicCAS(word, seen, wanted);
        if (before == seen)
            return;
        seen = before;
    }
}

/* Sums by plus, for which the device has an instruction. */
template <typename T, typename Code> __device__ inline bool adds(T *at, T z, Code code)
{
    if constexpr (sizeof(T) >= 4) {
        if (is_plus(code)) {
            if constexpr (std::is_same_v<T, int64_t> || std::is_same_v<T, uint64_t>)
                atomicAdd((count_t *)at, (count_t)z);
            else
                atomicAdd(at, z);
            return true;
        }
    }
    return false;
}

/* *at = code(*at, z). */
template <typename T, typename Code> __device__ inline void combine(T *at, T z, Code code)
{
    if (!adds(at, z, code))
        change(
            at, [](auto *word) { return __ldcg(word); },
            [=](T before) { return binary(code, before, z); });
}

/* The same in shared memory; for `any`, whichever term is written stays. */
template <typename T, typename Code>
__device__ inline void combine_shared(T *at, T z, Code code, bool any)
{
    if (!adds(at, z, code))
        change(
            at, [](auto *word) { return atomicOr(word, decltype (*word + 0)(0)); },
            [=](T before) { return any ? z : binary(code, before, z); });
}

#endif
