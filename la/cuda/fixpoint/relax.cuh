/* Private to the closures that are no searches: what an edge of a frontier does. */
#ifndef SEMLA_CUDA_RELAX_CUH
#define SEMLA_CUDA_RELAX_CUH

#include "frontier.cuh"
#include "atomics.cuh"
#include "relax_kernels.h"

/* The start of what a pi without an entry holds: any sum with it is the other term. Of
 * floats that is NaN, which min and max pass over, as a NaN may be all there is. */
template <typename T> __device__ inline T nothing(const cuda_relax &x)
{
    if constexpr (is_float<T>)
        return (T)NAN;
    T identity;
    memcpy(&identity, &x.p.identity, sizeof identity);
    return identity;
}

/* ---- one edge ------------------------------------------------------------------- */

template <typename T> __device__ inline T value_now(const T *at)
{
    if constexpr (std::is_same_v<T, bool>)
        return *(const volatile bool *)at;
    else
        return __ldcg(at);
}

/* *at = code(*at, z): integers have their atomics. */
template <typename T> __device__ inline void better(T *at, T z, int code)
{
    if constexpr (sizeof(T) >= 4 && !is_float<T>) {
        using small = std::conditional_t<std::is_signed_v<T>, int, unsigned>;
        using large = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
        using A = std::conditional_t<sizeof(T) == 4, small, large>;
        if (code == SL_BINARY_MIN)
            atomicMin((A *)at, (A)z);
        else if (code == SL_BINARY_MAX)
            atomicMax((A *)at, (A)z);
        if (code == SL_BINARY_MIN || code == SL_BINARY_MAX)
            return;
    }
    combine(at, z, code);
}

/* Would z change what pi has of v? An entry that is not there yet is news whatever it is. */
template <typename R>
__device__ inline bool is_news(const cuda_relax &x, uint32_t v, typename R::T z)
{
    using T = typename R::T;
    T old = value_now((const T *)x.p.t_values + v);
    if (!(binary(R::add_code(x.p), old, z) == old))
        return true;
    return old == nothing<T>(x) && !bit_now(x.p.bits, v);
}

template <typename R>
__device__ inline void offer_news(const cuda_relax &x, found_queue &found, uint64_t e,
                                  uint32_t inner)
{
    using T = typename R::T;
    uint32_t v = x.p.index[e];
    T *at = (T *)x.p.t_values + v;
    if (x.settles && bit_now(x.p.bits, v))
        return;
    if (R::any || x.p.any) {
        if (!first_to_set(x.fresh, v))
            return;
        *at = R::multiply(x.p, e, v, inner);
    } else {
        T z = R::multiply(x.p, e, v, inner);
        if (!x.settles && !is_news<R>(x, v, z))
            return;
        better(at, z, R::add_code(x.p));
        if (!first_to_set(x.fresh, v))
            return;
    }
    found_one(found, v);
}

/* ---- the steps ----------------------------------------------------------------------- */

template <typename VISIT, typename DONE>
__device__ inline void walk_frontier(const cuda_relax &x, unsigned turn, frontier_size size,
                                     VISIT visit, DONE done)
{
    walk(x.frontier[turn], x.p.start, size, __ldcg(&x.state->tall[turn]), visit, done);
}

/* Values that pi lacks: all, or for one step of few edges those at their ends. */
template <typename R>
__device__ inline void prepare(const cuda_relax &x, unsigned turn, frontier_size size)
{
    using T = typename R::T;
    /* Small values are exchanged with their neighbours, by whole words. */
    constexpr uint64_t neighbours = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
    uint64_t n = (x.n + neighbours - 1) / neighbours * neighbours;
    if (neighbours > 1 || x.prepares_all || size.edges > x.n / RELAX_PREPARE_SHARE)
        for (uint64_t v = first_thread(); v < n; v += all_threads()) {
            if (!bit_now(x.p.bits, (uint32_t)v))
                ((T *)x.p.t_values)[v] = nothing<T>(x);
        }
    else
        walk_frontier(
            x, turn, size,
            [&](uint64_t e, uint32_t) {
                uint32_t v = x.p.index[e];
                if (!bit_now(x.p.bits, v))
                    ((T *)x.p.t_values)[v] = nothing<T>(x);
            },
            [] {});
}

#endif
