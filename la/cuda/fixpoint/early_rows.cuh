/*
 * Early rows, for pulls over columns that are sorted by length (lengths.h). A column ends, for a pull, at
 * the first length that exceeds its value together with the least value of all rows. The few rows
 * between the source and the first vertex of high degree would make that value small, so it is taken over
 * rows of at least EARLY_LONG_ROW edges; rows whose values are less are early: their edges are pushed.
 */
#ifndef SEMLA_CUDA_EARLY_ROWS_CUH
#define SEMLA_CUDA_EARLY_ROWS_CUH

#include "lengths.cuh"

/* *least, no_distance before: the least value of rows of at least EARLY_LONG_ROW edges. value(u): that of row u, or
 * no_distance if it has none or is shorter; called once for each row. By all threads of the grid. */
template <typename T, typename VALUE>
__device__ inline void find_least(T *least, uint64_t rows, VALUE value)
{
    T own = no_distance<T>();
    for (uint64_t u = first_thread(); u < rows; u += all_threads()) {
        const T x = value(u);
        own = x < own ? x : own;
    }
    own = least_of_warp(own);
    if (threadIdx.x % 32 == 0 && own < value_now(least))
        take_extreme(least, own, true);
}

/* Calls visit(e, u, x) for the edges e of the early rows u, of value x. Each lane examines a row; the warp then
 * walks the early ones, one edge per lane. */
template <typename T, typename VALUE, typename VISIT>
__device__ inline void walk_early_rows(T least, const uint64_t *start, uint64_t rows, VALUE value,
                                       VISIT visit)
{
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t first = first_thread() - lane; first < rows; first += all_threads()) {
        const uint64_t u = first + lane;
        const T x = u < rows ? value(u) : no_distance<T>();
        unsigned early = __ballot_sync(full_warp, x < least);
        for (; early; early &= early - 1) {
            const int of = __ffs(early) - 1;
            const T from = __shfl_sync(full_warp, x, of);
            const uint64_t row = first + of;
            for (uint64_t e = start[row] + lane; e < start[row + 1]; e += 32)
                visit(e, row, from);
        }
    }
}

/* The least sum over entries at to end - 1 of a row or column that is sorted by length, or `best`, for each lane.
 * better(e, sum): the sum over entry e if that is less, else `sum`. It ends where a length and `least` exceed the sum. Each
 * lane looks at the first PULL_PER_THREAD entries of its own, then the warp at the rest of the longer ones. By all threads
 * of the warp; a lane without a row passes at = end. */
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

#endif
