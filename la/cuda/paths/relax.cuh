/* Device functions of relaxations: what relaxing an edge does. Used by relax.cu and
 * delta_stepping.cu. */
#ifndef SEMLA_CUDA_RELAX_CUH
#define SEMLA_CUDA_RELAX_CUH

#include "cuda/data/frontier.cuh"
#include "cuda/paths/relax_kernels.h"
#include "cuda/products/atomics.cuh"

/* The value of entries that pi lacks, so that the addition returns the other term. */
template <typename T> __device__ inline T unset_value(const relax_params &x)
{
    T neutral;
    memcpy(&neutral, &x.p.neutral, sizeof neutral);
    return neutral;
}

/* ---- one edge ------------------------------------------------------------------- */

template <typename T> __device__ inline T value_now(const T *at)
{
    if constexpr (std::is_same_v<T, bool>)
        return *(const volatile bool *)at;
    else
        return __ldcg(at);
}

/* *at = the least (or greatest) of *at and z by one instruction, for numbers of 4 or 8 bytes, none of them NaN.
 * Floating-point numbers without a sign bit have the order of their bits as signed integers, in
 * which all numbers with a sign bit are less. Those have the reverse order of their bits as
 * unsigned integers, in which all others are less. */
template <typename T> __device__ inline void take_extreme(T *at, T z, bool least)
{
    using large = std::conditional_t<is_float<T> || std::is_signed_v<T>, long long, count_t>;
    using small = std::conditional_t<is_float<T> || std::is_signed_v<T>, int, unsigned>;
    using A = std::conditional_t<sizeof(T) == 4, small, large>;
    using U = std::make_unsigned_t<A>;
    A bits;
    memcpy(&bits, &z, sizeof bits);
    bool reversed = false;
    if constexpr (is_float<T>)
        reversed = bits < 0;
    if (reversed && least)
        atomicMax((U *)at, (U)bits);
    else if (reversed)
        atomicMin((U *)at, (U)bits);
    else if (least)
        atomicMin((A *)at, bits);
    else
        atomicMax((A *)at, bits);
}

/* *at = add(*at, z), atomically: by one instruction for the least or greatest of numbers of 4 or 8 bytes, by
 * compare-and-swap for other operators and types and for NaN. */
template <typename T> __device__ inline void improve_value(T *at, T z, int code)
{
    if constexpr (sizeof(T) >= 4) {
        const bool extreme = code == SL_BINARY_MIN || code == SL_BINARY_MAX;
        bool number = true;
        if constexpr (is_float<T>) {
            const T old = value_now(at);
            number = old == old && z == z;
        }
        if (extreme && number) {
            take_extreme(at, z, code == SL_BINARY_MIN);
            return;
        }
    }
    combine(at, z, code);
}

/* Whether z would change entry v of a vector. An entry that it lacks changes whatever z is. */
template <typename R>
__device__ inline bool improves(const relax_params &x, const typename R::T *values,
                                const uint32_t *bits, uint32_t v, typename R::T z)
{
    using T = typename R::T;
    T old = value_now(values + v);
    if (!(binary(R::add_code(x.p), old, z) == old))
        return true;
    return old == unset_value<T>(x) && !bit_now(bits, v);
}

/* The same for pi. */
template <typename R>
__device__ inline bool improves(const relax_params &x, uint32_t v, typename R::T z)
{
    return improves<R>(x, (const typename R::T *)x.p.t_values, x.p.bits, v, z);
}

/*
 * Relaxes edge e, from the frontier's vertex number `inner` to v = index[e]. If that gives v a new
 * or better value, v is queued, by the first thread that sets its bit. Benign race: improves() may
 * read a value that another thread is about to improve; the atomic update decides, and v may be
 * queued without need.
 */
template <typename R>
__device__ inline void relax_edge(const relax_params &x, found_queue &found, uint64_t e,
                                  uint32_t inner)
{
    using T = typename R::T;
    uint32_t v = x.p.index[e];
    T *at = (T *)x.p.t_values + v;
    if (x.settles && bit_now(x.p.bits, v))
        return;
    if (R::any || x.p.any) {
        if (!first_to_set(x.next_bits, v))
            return;
        *at = R::multiply(x.p, e, v, inner);
    } else {
        T z = R::multiply(x.p, e, v, inner);
        if (!x.settles && !improves<R>(x, v, z))
            return;
        improve_value(at, z, R::add_code(x.p));
        if (!first_to_set(x.next_bits, v))
            return;
    }
    found_one(found, v);
}

/* ---- lists of improved vertices ----------------------------------------------------------- */

/* Appends the vertices that the block collected to a list. */
__device__ inline void flush_improved(found_queue &found, uint32_t *list, count_t *count)
{
    __syncthreads();
    const unsigned all = found.count;
    if (all > 0 && threadIdx.x == 0)
        found.base = atomicAdd(count, (count_t)all);
    __syncthreads();
    for (unsigned k = threadIdx.x; k < all; k += FRONTIER_THREADS)
        list[found.base + k] = found.vertex[k];
    __syncthreads();
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
}

/* Appends the v of each lane with `is` to a list; one atomic addition per warp. */
__device__ inline void append(uint32_t *list, count_t *count, bool is, uint32_t v)
{
    const unsigned votes = __ballot_sync(full_warp, is), lane = threadIdx.x % 32;
    count_t at = 0;
    if (!votes)
        return;
    if (lane == 0)
        at = atomicAdd(count, (count_t)__popc(votes));
    at = __shfl_sync(full_warp, at, 0) + __popc(votes & ((1u << lane) - 1));
    if (is)
        list[at] = v;
}

/* Clears v's bit of the list of improved vertices and makes v an entry of pi. True if it was none
 * before. Relaxations that improve v later list it again. */
__device__ inline bool mark_present(const relax_params &x, uint32_t v)
{
    const uint32_t bit = 1u << v % 32;
    atomicAnd(x.next_bits + v / 32, ~bit);
    return !bit_now(x.p.bits, v) && !(atomicOr(x.p.bits + v / 32, bit) & bit);
}

/* ---- iterations ----------------------------------------------------------------------------- */

template <typename VISIT, typename DONE>
__device__ inline void walk_frontier(const relax_params &x, unsigned turn, frontier_size size,
                                     VISIT visit, DONE done)
{
    walk(x.frontier[turn], x.p.start, size, __ldcg(&x.state->tall[turn]), visit, done);
}

/* Sets the values that pi lacks to unset_value: all of them, or, for one iteration with few edges,
 * those at the edges' ends. */
template <typename R>
__device__ inline void init_unset_values(const relax_params &x, unsigned turn, frontier_size size)
{
    using T = typename R::T;
    /*
     * Atomics on values of less than 4 bytes work on whole words, and read the neighbours' values.
     */
    constexpr uint64_t neighbours = sizeof(T) < 4 ? 4 / sizeof(T) : 1;
    uint64_t n = (x.n + neighbours - 1) / neighbours * neighbours;
    if (neighbours > 1 || x.init_all_values || size.edges > x.n / RELAX_INIT_SHARE)
        for (uint64_t v = first_thread(); v < n; v += all_threads()) {
            if (!bit_now(x.p.bits, (uint32_t)v))
                ((T *)x.p.t_values)[v] = unset_value<T>(x);
        }
    else
        walk_frontier(
            x, turn, size,
            [&](uint64_t e, uint32_t) {
                uint32_t v = x.p.index[e];
                if (!bit_now(x.p.bits, v))
                    ((T *)x.p.t_values)[v] = unset_value<T>(x);
            },
            [] {});
}

#endif
