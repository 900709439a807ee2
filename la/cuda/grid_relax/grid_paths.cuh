/* Device functions of shortest paths of a grid over sorted lengths: the state of a row, limits, candidates. */
#ifndef SEMLA_CUDA_GRID_PATHS_CUH
#define SEMLA_CUDA_GRID_PATHS_CUH

#include "grid_paths_kernels.h"
#include "grid_relax.cuh"
#include "lengths.cuh"

/* A row of the block, in one sector of memory, as rows are read and written at random. */
template <typename T> struct __align__(GRID_PATHS_ROW) paths_row
{
    T value, next;          /* its value; the sum over the next edge; no_distance: there is none */
    uint64_t start;         /* its first edge */
    uint32_t edges, cursor; /* how many it has, and how many of them have been relaxed */
};

template <typename T> __device__ inline paths_row<T> *rows_of(const grid_paths &g)
{
    static_assert(sizeof(paths_row<T>) == GRID_PATHS_ROW, "the host allocates as many bytes");
    return (paths_row<T> *)g.rows;
}

/* The limit in the type of the sums. */
template <typename T> __device__ inline T limit_of(const grid_paths &g)
{
    return g.limit < (double)no_distance<T>() ? (T)g.limit : no_distance<T>();
}

/* The value of column v, if it is an own vertex, else the candidate for it. */
template <typename T> __device__ inline T *value_at(const grid_paths &g, uint32_t v)
{
    const uint64_t own = v - g.own_begin;
    return own < g.own.n ? (T *)g.own.p.t_values + own : (T *)g.block.p.t_values + v;
}

/* Benign race: the value may be improved between the comparison and the atomic minimum, which
 * decides. */
template <typename T> __device__ inline void relax(const grid_paths &g, uint32_t v, T z)
{
    T *const to = value_at<T>(g, v);
    if (!(z < value_now(to)) || (g.defers && bit_of(g.short_bits, v)))
        return;
    take_extreme(to, z, true);
    const uint64_t own = v - g.own_begin;
    if (own < g.own.n)
        note_own(g.own, (uint32_t)own, 0);
    else
        first_to_set(g.block.next_bits, v);
}

#endif
