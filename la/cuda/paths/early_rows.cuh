/*
 * Early rows, for pulls over columns that are sorted by length (lengths.h). A column ends, for a pull, at
 * the first length that exceeds its value together with the least value of all rows. The few rows
 * between the source and the first vertex of high degree would make that value small, so it is taken over
 * rows of at least EARLY_LONG_ROW edges; rows whose values are less are early: their edges are pushed.
 */
#ifndef SEMLA_CUDA_EARLY_ROWS_CUH
#define SEMLA_CUDA_EARLY_ROWS_CUH

#include "cuda/paths/lengths.cuh"

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

/* Calls visit(e, u, x) for the edges e of the listed rows u, of value x. One warp per row, by turns. */
template <typename VALUE, typename VISIT>
__device__ inline void walk_listed_rows(const uint32_t *list, count_t count, const uint64_t *start,
                                        VALUE value, VISIT visit)
{
    for (count_t k = first_thread() / 32; k < count; k += all_threads() / 32) {
        const uint64_t u = list[k];
        const auto x = value(u);
        for (uint64_t e = start[u] + threadIdx.x % 32; e < start[u + 1]; e += 32)
            visit(e, u, x);
    }
}

#endif
