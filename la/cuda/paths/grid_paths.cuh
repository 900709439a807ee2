/* Device functions of shortest paths of a grid over sorted lengths: the state of a row, limits, candidates. */
#ifndef SEMLA_CUDA_GRID_PATHS_CUH
#define SEMLA_CUDA_GRID_PATHS_CUH

#include "cuda/operations/ordered_key.cuh"
#include "cuda/paths/grid_paths_kernels.h"
#include "cuda/paths/grid_relax.cuh"
#include "cuda/paths/lengths.cuh"
#include "cuda/paths/row_pieces.cuh"

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
template <typename T> __device__ inline T limit_of(double limit)
{
    return limit < (double)no_distance<T>() ? (T)limit : no_distance<T>();
}

/* The value of column v, if it is an own vertex, else the candidate for it. */
template <typename T> __device__ inline T *value_at(const grid_paths &g, uint32_t v)
{
    const uint64_t own = v - g.own_begin;
    return own < g.own.n ? (T *)g.own.p.t_values + own : (T *)g.block.p.t_values + v;
}

/* `defers`: vertices of few edges get no value. Benign race: the value may be improved between the
 * comparison and the atomic minimum, which decides. */
template <typename T>
__device__ inline void relax(const grid_paths &g, uint32_t v, T z, bool defers)
{
    T *const to = value_at<T>(g, v);
    if (!(z < value_now(to)) || (defers && bit_of(g.short_bits, v)))
        return;
    take_extreme(to, z, true);
    const uint64_t own = v - g.own_begin;
    if (own < g.own.n)
        note_own(g.own, (uint32_t)own, 0);
    else
        first_to_set(g.block.next_bits, v);
}

/* ---- pieces of rows ------------------------------------------------------------------------------ */

/* The piece of row u that is within the limit and has not been relaxed. Writes the row. *nearest:
 * at least the sum over its next edge, an inverted key. */
template <typename T, typename W>
__device__ inline row_piece cut_row(const grid_paths &g, uint32_t u, paths_row<T> row, T limit,
                                    count_t *nearest)
{
    const W *const length = (const W *)g.block.p.values;
    const uint64_t begin = row.start + row.cursor, stop = row.start + row.edges;
    const uint64_t cut =
        limit == no_distance<T>() ? stop : first_beyond(length, row.value, limit, begin, stop);
    const bool was_open = row.next < no_distance<T>();
    row.next = cut < stop ? (T)(row.value + (T)length[cut]) : no_distance<T>();
    const bool is_open = row.next < no_distance<T>(); /* lengths may be infinite */
    row.cursor = (uint32_t)(cut - row.start);
    rows_of<T>(g)[u] = row;
    if (is_open)
        *nearest = max(*nearest, (count_t)~ordered_key((double)row.next));
    if (is_open != was_open)
        atomicXor(g.open_bits + u / 32, 1u << u % 32);
    return {begin, cut - begin};
}

/* Appends a piece for each lane, with its row's value, to the list that *packed counts. By all threads of the warp. */
template <typename T>
__device__ inline void append(const grid_paths &g, count_t *packed, row_piece piece, T value)
{
    append_pieces(g.pieces, g.block.edge_bits, packed, piece,
                  [&](count_t at) { ((T *)g.block.frontier_values)[at] = value; });
}

/* The rows of a message arrive: their edges within the limit become pieces. *nearest: at least the
 * least sum over their other edges, an inverted key; *edges: of rows that have not arrived before.
 * Warps take 32 vertices in turn, one per lane. */
template <typename T, typename W>
__device__ inline void arrive_from(const grid_paths &g, count_t *packed,
                                   const grid_relax_message &from, T limit, count_t *nearest,
                                   count_t *edges)
{
    const unsigned lane = threadIdx.x % 32;
    const count_t count = length_of(from);
    for (count_t first = first_thread() - lane; first < count; first += all_threads()) {
        const count_t k = first + lane;
        row_piece piece = {0, 0};
        T value = no_distance<T>();
        if (k < count) {
            const uint32_t u = id_of(from, k);
            paths_row<T> row = rows_of<T>(g)[u];
            *edges += row.value == no_distance<T>() ? row.edges : 0;
            row.value = value = value_of<T>(from, k);
            row.cursor = 0;
            piece = cut_row<T, W>(g, u, row, limit, nearest);
        }
        append(g, packed, piece, value);
    }
}

/* Appends the pieces of queued rows, one per thread, as long as there is a row for each thread; of `all` rows
 * at the end. By all threads of the block. */
template <typename T, typename W>
__device__ inline void continue_queued(const grid_paths &g, count_t *packed, found_queue &found,
                                       bool all, T limit, count_t *nearest)
{
    __syncthreads();
    unsigned left = found.count;
    while (left >= (all ? 1 : FRONTIER_THREADS)) {
        const unsigned now = min(left, (unsigned)FRONTIER_THREADS);
        row_piece piece = {0, 0};
        T value = no_distance<T>();
        left -= now;
        if (threadIdx.x < now) {
            const uint32_t u = found.vertex[left + threadIdx.x];
            const paths_row<T> row = rows_of<T>(g)[u];
            value = row.value;
            piece = cut_row<T, W>(g, u, row, limit, nearest);
        }
        append(g, packed, piece, value);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        found.count = left;
    __syncthreads();
}

/* The edges of open rows that are within the limit now become pieces. Blocks look at
 * FRONTIER_THREADS rows in turn, one per thread, and queue those with a next sum within the limit,
 * until there is one for each thread. Rows that have arrived with this limit have none. */
template <typename T, typename W>
__device__ inline void continue_open(const grid_paths &g, count_t *packed, found_queue &found,
                                     T limit, count_t *nearest)
{
    for (uint64_t first = (uint64_t)blockIdx.x * FRONTIER_THREADS; first < g.block.p.rows;
         first += (uint64_t)gridDim.x * FRONTIER_THREADS) {
        const uint64_t u = first + threadIdx.x;
        const T next = u < g.block.p.rows && bit_now(g.open_bits, (uint32_t)u)
                           ? rows_of<T>(g)[u].next
                           : no_distance<T>();
        if (next < no_distance<T>() && next > limit)
            *nearest = max(*nearest, (count_t)~ordered_key((double)next));
        else if (next < no_distance<T>())
            found_one(found, (uint32_t)u);
        continue_queued<T, W>(g, packed, found, false, limit, nearest);
    }
    continue_queued<T, W>(g, packed, found, true, limit, nearest);
}

/* Relaxes the edges of the pieces. */
template <typename T, typename W>
__device__ inline void push_pieces(const grid_paths &g, frontier_size size, bool defers)
{
    const T *const values = (const T *)g.block.frontier_values;
    const W *const length = (const W *)g.block.p.values;
    walk_pieces(
        g.pieces, size,
        [&](uint64_t e, uint64_t k) {
            relax<T>(g, g.block.p.index[e], values[k] + (T)length[e], defers);
        },
        [] {});
}

#endif
