/*
 * A step along the rows of a listed frontier, shared by edges: each warp takes an equal
 * stretch of them (Bisson, Bernaschi, Mastrostefano 2016), whatever rows that is of.
 */
#ifndef SEMLA_CUDA_SEARCH_PUSH_CUH
#define SEMLA_CUDA_SEARCH_PUSH_CUH

#include "search.cuh"

/* The first of `count` rows whose end is above e, found by a warp together. */
__device__ inline count_t row_by_warp(const uint64_t *ends, count_t count, count_t e)
{
    unsigned lane = threadIdx.x % 32;
    count_t low = 0, high = count;
    while (low < high) {
        count_t stride = (high - low + 31) / 32, probe = low + (lane + 1) * stride - 1;
        bool before = probe < high && __ldcg(ends + probe) <= e;
        count_t passed = __popc(__ballot_sync(full_warp, before));
        low += passed * stride;
        high = low + stride - 1 < high ? low + stride - 1 : high;
    }
    return low;
}

/* Rows that a warp has at hand, one to a lane. Numbers of edges count from the stretch's
 * first. */
template <typename Offset> struct rows_at_hand {
    uint32_t vertex;
    uint32_t end; /* capped at 2^32 - 1 */
    Offset base;  /* edge e of the row is index[base + e] */
};

template <typename Offset>
__device__ inline rows_at_hand<Offset> take_rows(const bfs_params &s, count_t row,
                                                 count_t count, count_t first)
{
    rows_at_hand<Offset> rows = {0, UINT32_MAX, 0};
    count_t k = row + threadIdx.x % 32;
    if (k < count) {
        count_t end = __ldcg(s.ends + k);
        rows.vertex = __ldcg(s.queue + k);
        rows.end = end - first < UINT32_MAX ? (uint32_t)(end - first) : UINT32_MAX;
        rows.base = __ldg(starts<Offset>(s.graph) + rows.vertex + 1) - (Offset)(end - first);
    }
    return rows;
}

/* The lane whose row edge e is in. Ends ascend from lane to lane. */
__device__ inline unsigned lane_of(uint32_t end, uint32_t e)
{
    unsigned row = 0;
    for (unsigned step = 16; step; step /= 2)
        if (__shfl_sync(full_warp, end, row + step - 1) <= e)
            row += step;
    return row;
}

/* Puts a warp's finds into the queue behind the frontier. */
template <typename Offset>
__device__ inline void enqueue(const bfs_params &s, bfs_counts *tally, count_t tail,
                               const uint32_t *v, unsigned won)
{
    Offset degree[PUSH_AT_ONCE];
    count_t degrees = 0, at, sum;
    if (!__any_sync(full_warp, won))
        return;
#pragma unroll
    for (int i = 0; i < PUSH_AT_ONCE; i++) {
        degree[i] = won >> i & 1 ? degree_of<Offset>(s.graph, v[i]) : 0;
        degrees += degree[i];
    }
    reserve(tally, __popc(won), degrees, &at, &sum);
#pragma unroll
    for (int i = 0; i < PUSH_AT_ONCE; i++)
        if (won >> i & 1) {
            sum += degree[i];
            s.queue[tail + at] = v[i];
            s.ends[tail + at++] = sum;
        }
}

/* What is in the frontier is no find of the step. */
__device__ inline void pass_listed(const bfs_params &s, const bfs_state &now)
{
    for (count_t k = now.head + first_thread(); k < now.tail; k += all_threads()) {
        uint32_t u = __ldcg(s.queue + k);
        atomicOr(s.before + u / 32, 1u << u % 32);
    }
}

/* A warp's share if each takes as many rows: its edges, and the first of them. */
__device__ inline count_t take_share_of_rows(const bfs_params &s, const bfs_state &now,
                                             count_t *first)
{
    const count_t count = now.tail - now.head, warps = all_threads() / 32;
    const count_t warp = first_thread() / 32;
    const count_t from = count * warp / warps, to = count * (warp + 1) / warps;
    *first = from > 0 ? __ldcg(s.ends + now.head + from - 1) : 0;
    return (to > 0 ? __ldcg(s.ends + now.head + to - 1) : 0) - *first;
}

/*
 * The edges of queue[head .. tail). What is found is marked in visited, and listed from
 * `tail` on if LISTED; else it is what is visited and was not before.
 */
template <typename Offset, bool LISTED>
__device__ __forceinline__ void push(const bfs_params &s, const bfs_state &now,
                                     bfs_counts *tally)
{
    const unsigned lane = threadIdx.x % 32;
    const count_t count = now.tail - now.head, warps = all_threads() / 32;
    count_t share = ((now.edges + warps - 1) / warps + 31) / 32 * 32;
    count_t first = first_thread() / 32 * share;
    if (s.by_rows && now.edges < UINT32_MAX)
        share = take_share_of_rows(s, now, &first);
    if (first >= now.edges)
        return;
    const uint32_t stop = (uint32_t)(first + share < now.edges ? share : now.edges - first);
    count_t row = row_by_warp(s.ends + now.head, count, first) + now.head;
    rows_at_hand<Offset> rows = take_rows<Offset>(s, row, now.tail, first);
    uint32_t last = __shfl_sync(full_warp, rows.end, 31);
    for (uint32_t e = 0; e < stop;) {
        if (last <= e) { /* all rows at hand are done with */
            row += 32;
            rows = take_rows<Offset>(s, row, now.tail, first);
            last = __shfl_sync(full_warp, rows.end, 31);
            continue;
        }
        uint32_t until = last < stop ? last : stop;
        unsigned first_row = __popc(__ballot_sync(full_warp, rows.end <= e));
        bool one_row = __shfl_sync(full_warp, rows.end, first_row) >= e + 32 * PUSH_AT_ONCE;
        uint32_t u[PUSH_AT_ONCE], v[PUSH_AT_ONCE], seen[PUSH_AT_ONCE];
#pragma unroll
        for (int i = 0; i < PUSH_AT_ONCE; i++) {
            uint32_t x = e + 32 * i + lane;
            unsigned at = one_row ? first_row : lane_of(rows.end, x < until ? x : until - 1);
            u[i] = __shfl_sync(full_warp, rows.vertex, at);
            Offset base = __shfl_sync(full_warp, rows.base, at);
            v[i] = x < until ? __ldg(column<Offset>(s.graph, s.graph.index, base + x)) : UINT32_MAX;
        }
#pragma unroll
        for (int i = 0; i < PUSH_AT_ONCE; i++)
            seen[i] = v[i] == UINT32_MAX ? ~0u : __ldcg(s.visited + v[i] / 32);
        unsigned won = 0;
#pragma unroll
        for (int i = 0; i < PUSH_AT_ONCE; i++) {
            uint32_t bit = 1u << v[i] % 32;
            if (!(seen[i] & bit) && !(atomicOr(s.visited + v[i] / 32, bit) & bit)) {
                won |= 1u << i;
                record(s, v[i], u[i], now);
            }
        }
        if (LISTED)
            enqueue<Offset>(s, tally, now.tail, v, won);
        e = until - e < 32 * PUSH_AT_ONCE ? until : e + 32 * PUSH_AT_ONCE;
    }
}

#endif
