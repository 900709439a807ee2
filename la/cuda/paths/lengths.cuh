/* Device functions of shortest paths over rows sorted by length (lengths.h). */
#ifndef SEMLA_CUDA_LENGTHS_CUH
#define SEMLA_CUDA_LENGTHS_CUH

#include "cuda/paths/relax.cuh"

/* min_plus over lengths that are stored in another type than the sums (lengths.h). */
template <typename Sum, typename Length> struct length_ring {
    using T = Sum;
    static constexpr bool any = false;

    __device__ static constexpr int add_code(const cuda_product &)
    {
        return SL_BINARY_MIN;
    }
    __device__ static T multiply(const cuda_product &p, uint64_t e, uint32_t, uint32_t inner)
    {
        return ((const T *)p.u_values)[inner] + (T)((const Length *)p.values)[e];
    }
};

/* Greater than every distance. */
template <typename T> __device__ inline T no_distance()
{
    if constexpr (is_float<T>)
        return (T)INFINITY;
    else
        return limits<T>::greatest();
}

/* A distance that no vertex is below, other than the early ones. */
template <typename T> __device__ inline T least_distance(const cuda_early_vertices &early)
{
    T least;
    memcpy(&least, &early.least, sizeof least);
    return least;
}

/* The rows and the distances: T is the type of sums, W of lengths. */
template <typename T, typename W> struct length_rows {
    const uint64_t *start;
    const uint32_t *index;
    const W *length;
    const T *d;
    const uint32_t *bits;

    __device__ explicit length_rows(const relax_params &x)
        : start(x.p.start), index(x.p.index), length((const W *)x.p.values),
          d((const T *)x.p.t_values), bits(x.p.bits)
    {
    }
    /* Whether the edge from distance `from` over length number e is tight for distance `to`. */
    __device__ bool tight(T from, uint64_t e, T to) const
    {
        return from + (T)length[e] == to;
    }
};

/* The first edge from `at` on, before `end`, whose sum exceeds the limit. Searches in steps of
 * doubling size, as it is often near. */
template <typename T, typename W>
__device__ inline uint64_t first_beyond(const W *length, T from, T limit, uint64_t at, uint64_t end)
{
    uint64_t step = 1, high = end;
    while (at < end) {
        const uint64_t probe = at + step - 1 < end ? at + step - 1 : end - 1;
        if (from + (T)length[probe] > limit) {
            high = probe;
            break;
        }
        at = probe + 1;
        step *= 2;
    }
    while (at < high) {
        const uint64_t middle = at + (high - at) / 2;
        if (from + (T)length[middle] > limit)
            high = middle;
        else
            at = middle + 1;
    }
    return at;
}

/* The maximum over the warp is noted in *nearest. By all threads of the warp. */
__device__ inline void note_nearest(count_t *nearest, count_t key)
{
    for (int offset = 16; offset > 0; offset /= 2)
        key = max(key, __shfl_xor_sync(full_warp, key, offset));
    if (threadIdx.x % 32 == 0 && key > __ldcg(nearest))
        atomicMax(nearest, key);
}

template <typename T> __device__ inline T least_of_warp(T x)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        const T other = __shfl_xor_sync(full_warp, x, offset);
        x = other < x ? other : x;
    }
    return x;
}

/* For each lane, the least sum over entries `at` to `end` - 1 of a row or column that is sorted by
 * length, or `best` if that is less. better(e, sum): the sum over entry e or `sum`, whichever is
 * less. Entries whose length and `least` exceed the sum so far, and those after them, are not read.
 * Each lane looks at the first PULL_PER_THREAD entries of its own row, then the warp at the rest of
 * the longer rows. By all threads of the warp; a lane without a row passes at = end. */
template <typename T, typename W, typename BETTER>
__device__ inline T least_sum(const W *length, uint64_t at, uint64_t end, T least, T best,
                              BETTER better)
{
    const unsigned lane = threadIdx.x % 32;
    const uint64_t own_end = end - at < PULL_PER_THREAD ? end : at + PULL_PER_THREAD;
    while (at < own_end && least + (T)length[at] < best)
        best = better(at++, best);
    unsigned left = __ballot_sync(full_warp, at == own_end && at < end);
    for (; left; left &= left - 1) {
        const int of = __ffs(left) - 1;
        const uint64_t from = __shfl_sync(full_warp, at, of);
        const uint64_t stop = __shfl_sync(full_warp, end, of);
        T found = __shfl_sync(full_warp, best, of);
        for (uint64_t base = from; base < stop; base += 32) {
            const uint64_t e = base + lane;
            const bool near = e < stop && least + (T)length[e] < found;
            if (!__any_sync(full_warp, near))
                break;
            found = least_of_warp(near ? better(e, found) : found);
        }
        if (lane == (unsigned)of)
            best = found;
    }
    return best;
}

/* Returns CALL(T), a cudaError_t, for the type of the sums. */
#define WITH_SUM_TYPE(type, CALL)                                                                  \
    switch (type) {                                                                                \
    case SL_INT32:                                                                                 \
        return CALL(int32_t);                                                                      \
    case SL_INT64:                                                                                 \
        return CALL(int64_t);                                                                      \
    case SL_FP32:                                                                                  \
        return CALL(float);                                                                        \
    case SL_FP64:                                                                                  \
        return CALL(double);                                                                       \
    default:                                                                                       \
        return cudaErrorInvalidValue;                                                              \
    }

/* Returns CALL(T, W), a cudaError_t, for the types of the sums and of the lengths. */
#define WITH_LENGTHS(type, narrow, CALL)                                                           \
    switch (type) {                                                                                \
    case SL_INT32:                                                                                 \
        return CALL(int32_t, uint32_t);                                                            \
    case SL_FP32:                                                                                  \
        return CALL(float, float);                                                                 \
    case SL_INT64:                                                                                 \
        return narrow ? CALL(int64_t, uint32_t) : CALL(int64_t, int64_t);                          \
    case SL_FP64:                                                                                  \
        return narrow ? CALL(double, float) : CALL(double, double);                                \
    default:                                                                                       \
        return cudaErrorInvalidValue;                                                              \
    }

#endif
