/*
 * The least predecessors of better values, for min_plus: an edge (u, v) is tight if from(u) + length
 * = to(v), and v takes the least u with from(u) < to(v), or with from(u) <= to(v).
 *
 * By rows: each warp examines TILE entries in their order, so that rows of any length are divided evenly. It
 * searches the first and the last row of its tile once, and each lane the row of its entry between
 * them. Tight entries are few: columns take their least row by atomics.
 *
 * Over columns that are sorted by length (where every edge has a mirror edge, these are the rows), a column ends at the
 * first length that is too long for its value, so that few entries are examined; the edges of early rows
 * (early_rows.cuh) are examined by row.
 *
 * Flat edges (length 0, or rounded) are tight between equal values and may form cycles. Vertices that only flat
 * edges lead to are searched level by level: by pulls, as they are few and the flat edges are the
 * first ones of a sorted column, or, on one device, over all levels in one cooperative launch.
 */
#include <cooperative_groups.h>

#include "cuda/data/order_kernels.h"
#include "cuda/operations/algebra.cuh"
#include "cuda/paths/early_rows.cuh"
#include "cuda/paths/predecessors_kernels.h"

enum { TILE = 1024 };

__global__ static void begin(uint32_t *best, uint64_t n, uint64_t source)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        best[v] = v == source ? (uint32_t)v : NO_PREDECESSOR;
}

cudaError_t sl_cuda_predecessors_begin(uint32_t *best, uint64_t n, uint64_t source)
{
    return launch(n, begin, best, n, source);
}

/* ---- by rows -------------------------------------------------------------------------------------- */

/* Whether a tight entry from value x counts. */
template <typename T> __device__ static bool counts(const cuda_predecessors &p, T x, T value)
{
    return x < value || (p.equal_too && x == value);
}

/* Whether row or column k has a value. */
template <typename T>
__device__ static bool has_value(const uint32_t *bits, const void *values, uint32_t k)
{
    return bits ? bit_of(bits, k) : ((const T *)values)[k] < no_distance<T>();
}

template <typename T, typename W>
__global__ static void find_by_rows(const __grid_constant__ cuda_predecessors p)
{
    const W *lengths = (const W *)p.lengths;
    const T *from = (const T *)p.from, *to = (const T *)p.to;
    const uint64_t tiles = (p.nnz + TILE - 1) / TILE;
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t tile = first_thread() / 32; tile < tiles; tile += all_threads() / 32) {
        const uint64_t first = tile * TILE;
        const uint64_t end = first + TILE < p.nnz ? first + TILE : p.nnz;
        uint64_t low = row_of(p.start + 1, 0, p.nrows, first);
        const uint64_t high = row_of(p.start + 1, low, p.nrows, end - 1);
        for (uint64_t e = first + lane; e < end; e += 32) {
            const uint32_t v = p.index[e];
            low = row_of(p.start + 1, low, high, e);
            if (!has_value<T>(p.from_bits, from, (uint32_t)low) || !has_value<T>(p.to_bits, to, v))
                continue;
            const T x = from[low], value = to[v];
            const T sum = (T)(x + (lengths ? (T)lengths[e] : (T)1));
            if (sum == value && counts(p, x, value))
                atomicMin(&p.best[v], (uint32_t)low);
        }
    }
}

cudaError_t sl_cuda_predecessors_by_rows(const cuda_predecessors *p)
{
#define CALL(T, W)  launch(p->nnz, find_by_rows<T, W>, *p)
#define CALL_OWN(T) CALL(T, T)
    if (p->narrow)
        WITH_LENGTHS(p->type, true, CALL);
    WITH_TYPE(p->type, CALL_OWN);
#undef CALL_OWN
#undef CALL
}

/* ---- over sorted columns -------------------------------------------------------------------------- */

template <typename T> __device__ static T value_of_row(const cuda_predecessors &p, uint64_t u)
{
    return has_value<T>(p.from_bits, p.from, (uint32_t)u) ? ((const T *)p.from)[u]
                                                          : no_distance<T>();
}

template <typename T> __global__ static void begin_least(T *least)
{
    *least = no_distance<T>();
}

template <typename T>
__global__ static void find_least_row(const __grid_constant__ cuda_predecessors p, T *least)
{
    find_least(least, p.nrows, [&](uint64_t u) {
        return p.start[u + 1] - p.start[u] < EARLY_LONG_ROW ? no_distance<T>()
                                                            : value_of_row<T>(p, u);
    });
}

/* The name of row number u. */
__device__ static uint32_t name_of(const cuda_predecessors &p, uint32_t u)
{
    return p.old_id ? p.old_id[u] : u;
}

template <typename T, typename W>
__global__ static void push_early(const __grid_constant__ cuda_predecessors p)
{
    const T *to = (const T *)p.to;
    const W *lengths = (const W *)p.lengths;
    const auto visit = [&](uint64_t e, uint64_t u, T x) {
        const uint32_t v = p.index[e];
        if (!has_value<T>(p.to_bits, to, v) || (T)(x + (T)lengths[e]) != to[v] ||
            !counts(p, x, to[v]))
            return;
        atomicMin(&p.best[v], name_of(p, p.first_row + (uint32_t)u));
        if (p.marks)
            first_to_set(p.marks, v);
    };
    if (p.early_list)
        walk_listed_rows(
            p.early_list, *p.early_count, p.start,
            [&](uint64_t u) { return value_of_row<T>(p, u); }, visit);
    else
        walk_early_rows(
            *(const T *)p.least, p.start, p.nrows,
            [&](uint64_t u) { return value_of_row<T>(p, u); }, visit);
}

/* The row of entry e of a column with this value if that is tight and less than `best`; else `best`. */
template <typename T, typename W>
__device__ static uint32_t tight_row(const cuda_predecessors &p, uint64_t e, T value, uint32_t best)
{
    const uint32_t u = p.col_index[e];
    if ((!p.old_id && u >= best) || !has_value<T>(p.from_bits, p.from, u))
        return best;
    const T x = ((const T *)p.from)[u];
    const bool tight = (T)(x + (T)((const W *)p.col_lengths)[e]) == value && counts(p, x, value);
    return tight ? min(best, name_of(p, u)) : best;
}

/* One warp per 32 columns, by turns: each lane looks at the first PULL_PER_THREAD entries of its column,
 * then the warp at the rest of the longer ones. */
template <typename T, typename W>
__global__ static void pull(const __grid_constant__ cuda_predecessors p)
{
    const W *const length = (const W *)p.col_lengths;
    const T least = *(const T *)p.least;
    if (!(least < no_distance<T>())) /* all rows are early */
        return;
    FOR_EACH_WORD(p.ncols)
    {
        const bool there = v < p.ncols && has_value<T>(p.to_bits, p.to, (uint32_t)v);
        const T value = there ? ((const T *)p.to)[v] : T(0);
        uint32_t best = there ? p.best[v] : 0;
        uint64_t at = there ? p.col_start[v] : 0;
        const uint64_t end = there ? p.col_start[v + 1] : 0;
        const uint64_t own_end = end - at < PULL_PER_THREAD ? end : at + PULL_PER_THREAD;
        while (at < own_end && least + (T)length[at] <= value)
            best = tight_row<T, W>(p, at++, value, best);
        unsigned left = __ballot_sync(full_warp, at == own_end && at < end);
        for (; left; left &= left - 1) {
            const int of = __ffs(left) - 1;
            const uint64_t from = __shfl_sync(full_warp, at, of);
            const uint64_t stop = __shfl_sync(full_warp, end, of);
            const T to = __shfl_sync(full_warp, value, of);
            uint32_t found = __shfl_sync(full_warp, best, of);
            for (uint64_t base = from; base < stop; base += 32) {
                const uint64_t e = base + lane;
                const bool near = e < stop && least + (T)length[e] <= to;
                if (!__any_sync(full_warp, near))
                    break;
                found = near ? tight_row<T, W>(p, e, to, found) : found;
            }
            found = least_of_warp(found);
            if (lane == (uint64_t)of)
                best = found;
        }
        if (there)
            p.best[v] = best;
    }
}

template <typename T> static cudaError_t find_least(const cuda_predecessors *p, T *least)
{
    LAUNCH_TRY(launch_blocks({1, 1}, begin_least<T>, least));
    return launch(p->nrows, find_least_row<T>, *p, least);
}

cudaError_t sl_cuda_predecessors_find_least(const cuda_predecessors *p, void *least)
{
#define CALL(T) find_least(p, (T *)least)
    WITH_SUM_TYPE(p->type, CALL);
#undef CALL
}

cudaError_t sl_cuda_predecessors_push_early(const cuda_predecessors *p)
{
    const unsigned blocks = p->early_list ? cuda_processors() : blocks_for(p->nrows);
#define CALL(T, W) launch_blocks({blocks}, push_early<T, W>, *p)
    WITH_LENGTHS(p->type, p->narrow, CALL);
#undef CALL
}

cudaError_t sl_cuda_predecessors_pull(const cuda_predecessors *p)
{
#define CALL(T, W) launch(p->ncols, pull<T, W>, *p)
    WITH_LENGTHS(p->type, p->narrow, CALL);
#undef CALL
}

/* ---- flat edges ----------------------------------------------------------------------------------- */

template <typename T>
__global__ static void find_missing(const __grid_constant__ cuda_predecessors p, uint64_t n,
                                    uint32_t *missing, uint32_t *found, count_t *number)
{
    count_t own = 0;
    FOR_EACH_WORD(n)
    {
        const bool lacks = v < p.ncols && p.best[v] == NO_PREDECESSOR &&
                           name_of(p, p.first_row + (uint32_t)v) != p.source;
        const bool there =
            v < p.ncols && (lacks || found) && has_value<T>(p.to_bits, p.to, (uint32_t)v);
        const unsigned word = __ballot_sync(full_warp, lacks && there),
                       others = __ballot_sync(full_warp, !lacks && there);
        if (lane == 0) {
            missing[w] = word;
            if (found)
                found[w] = others;
            own += __popc(word);
        }
    }
    add_block_sum(number, own);
}

cudaError_t sl_cuda_predecessors_missing(const cuda_predecessors *p, uint64_t n, uint32_t *missing,
                                         uint32_t *found, unsigned long long *number)
{
#define CALL(T) launch(n, find_missing<T>, *p, n, missing, found, (count_t *)number)
    WITH_SUM_TYPE(p->type, CALL);
#undef CALL
}

/* The least predecessor of column v, or NO_PREDECESSOR. By all threads of the warp. */
template <typename T, typename W>
__device__ static uint32_t flat_predecessor(const cuda_predecessors &p, const uint32_t *missing,
                                            uint64_t v)
{
    const T value = ((const T *)p.to)[v];
    const uint64_t stop = p.col_start[v + 1];
    uint32_t best = NO_PREDECESSOR;
    for (uint64_t base = p.col_start[v]; base < stop; base += 32) {
        const uint64_t e = base + threadIdx.x % 32;
        const bool is_flat = e < stop && value + (T)((const W *)p.col_lengths)[e] == value;
        if (!__any_sync(full_warp, is_flat))
            break;
        const uint32_t u = is_flat ? p.col_index[e] : 0;
        if (is_flat && ((const T *)p.from)[u] == value && !bit_of(missing, u))
            best = min(best, name_of(p, u));
    }
    return least_of_warp(best);
}

/* One warp per 32 columns, of which few are missing. */
template <typename T, typename W>
__global__ static void pull_flat(const __grid_constant__ cuda_predecessors p,
                                 const uint32_t *missing, uint32_t *found)
{
    FOR_EACH_WORD(p.ncols)
    {
        const bool is_missing = v < p.ncols && bit_of(missing, p.first_row + (uint32_t)v);
        unsigned left = __ballot_sync(full_warp, is_missing), done = 0;
        for (; left; left &= left - 1) {
            const unsigned place = __ffs(left) - 1;
            const uint64_t of = 32 * w + place;
            const uint32_t best = flat_predecessor<T, W>(p, missing, of);
            if (v == of)
                p.best[v] = best;
            done |= best != NO_PREDECESSOR ? 1u << place : 0;
        }
        if (found && lane == 0)
            found[w] = done;
    }
}

cudaError_t sl_cuda_predecessors_pull_flat(const cuda_predecessors *p, const uint32_t *missing,
                                           uint32_t *found)
{
#define CALL(T, W) launch(p->ncols, pull_flat<T, W>, *p, missing, found)
    WITH_LENGTHS(p->type, p->narrow, CALL);
#undef CALL
}

/* A level: candidates are collected while best does not change, then they become final, between
 * barriers of the grid. One thread per edge, then one per vertex. */
template <typename T, typename W>
__global__ static void __launch_bounds__(FRONTIER_THREADS, FRONTIER_BLOCKS_PER_SM)
    push_flat(const __grid_constant__ relax_params x, uint32_t *best, uint32_t *candidate)
{
    __shared__ found_queue found;
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    const length_rows<T, W> rows(x);
    relax_state *state = x.state;
    unsigned turn = 0;
    if (threadIdx.x == 0)
        found.count = 0;
    __syncthreads();
    for (;; turn ^= 1) {
        const frontier_size size = unpack(__ldcg(&state->next[turn]), x.edge_bits);
        if (size.vertices == 0)
            break;
        walk_frontier(
            x, turn, size,
            [&](uint64_t e, uint32_t u) {
                const uint32_t v = rows.index[e];
                const T to = rows.d[v];
                if (__ldcg(best + v) != NO_PREDECESSOR || rows.d[u] != to ||
                    !rows.tight(rows.d[u], e, to))
                    return;
                atomicMin(candidate + v, u);
                if (first_to_set(x.next_bits, v))
                    found_one(found, v);
            },
            [&] {
                flush(found, x.frontier[turn ^ 1], x.p.start,
                      {x.edge_bits, &state->next[turn ^ 1], &state->tall[turn ^ 1]});
            });
        grid.sync();
        const frontier_size next = unpack(__ldcg(&state->next[turn ^ 1]), x.edge_bits);
        for (count_t k = first_thread(); k < next.vertices; k += all_threads()) {
            const uint32_t v = x.frontier[turn ^ 1].list[k];
            best[v] = __ldcg(candidate + v);
        }
        if (first_thread() == 0) {
            state->next[turn] = 0;
            state->tall[turn] = 0;
        }
        grid.sync();
    }
}

cudaError_t sl_cuda_predecessors_push_flat(const cuda_predecessors *p, const relax_params *x,
                                           uint32_t *candidate)
{
#define CALL(T, W) launch_resident({FRONTIER_THREADS}, push_flat<T, W>, *x, p->best, candidate)
    WITH_LENGTHS(p->type, p->narrow, CALL);
#undef CALL
}

/* ---- vectors ------------------------------------------------------------------------------------ */

__global__ static void take(const __grid_constant__ cuda_predecessors p, cuda_integers values,
                            uint32_t *bits, const uint32_t *new_id, uint64_t n)
{
    FOR_EACH_WORD(n)
    {
        const uint64_t place = v < n ? (new_id ? new_id[v] : v) : CUDA_NO_VERTEX;
        uint32_t row = place != CUDA_NO_VERTEX ? p.best[place] : NO_PREDECESSOR;
        row = v == p.source ? (uint32_t)v : row;
        const unsigned word = __ballot_sync(full_warp, row != NO_PREDECESSOR);
        if (v < n)
            put_integer(values, v, (long long)row);
        if (lane == 0)
            bits[w] = word;
    }
}

cudaError_t sl_cuda_predecessors_take(const cuda_predecessors *p, cuda_integers values,
                                      uint32_t *bits, const uint32_t *new_id, uint64_t n)
{
    return launch(n, take, *p, values, bits, new_id, n);
}
