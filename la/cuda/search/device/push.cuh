/*
 * Top-down level over a listed frontier. Every warp takes an equal number of consecutive edges
 * (Bisson, Bernaschi, Mastrostefano, 2016): it finds the row of its first edge by a search in the
 * prefix sum of degrees, holds 32 rows at a time, one per lane, and its lanes take
 * PUSH_EDGES_PER_LANE edges each at once. The visited bit of a neighbour is tested before it is set
 * by an atomic, whose result decides which of several lanes becomes the parent.
 */
#ifndef SEMLA_CUDA_PUSH_CUH
#define SEMLA_CUDA_PUSH_CUH

#include "cuda/search/device/bfs_device.cuh"

/* The first of `count` rows that ends above e: a 33-ary search by the whole warp. */
__device__ inline count_t row_by_warp(const uint64_t *ends, count_t count, count_t e)
{
    unsigned lane = threadIdx.x % 32;
    count_t low = 0, high = count;
    while (low < high) {
        count_t stride = (high - low + 31) / 32, probe = low + (lane + 1) * stride - 1;
        bool below = probe < high && __ldcg(ends + probe) <= e;
        count_t passed = __popc(__ballot_sync(full_warp, below));
        low += passed * stride;
        high = low + stride - 1 < high ? low + stride - 1 : high;
    }
    return low;
}

/* 32 rows that a warp works on, one per lane. Edges are numbered from the first edge of the warp.
 */
template <typename Offset> struct warp_rows {
    uint32_t vertex;
    uint32_t end; /* capped at 2^32 - 1 */
    Offset base;  /* edge e of the row is index[base + e] */
};

template <typename Offset>
__device__ inline warp_rows<Offset> load_rows(const bfs_params &s, count_t row, count_t count,
                                              count_t first)
{
    warp_rows<Offset> rows = {0, UINT32_MAX, 0};
    count_t k = row + threadIdx.x % 32;
    if (k < count) {
        count_t end = __ldcg(s.work.ends + k);
        rows.vertex = __ldcg(s.work.queue + k);
        rows.end = end - first < UINT32_MAX ? (uint32_t)(end - first) : UINT32_MAX;
        rows.base = __ldg(starts<Offset>(s.graph) + rows.vertex + 1) - (Offset)(end - first);
    }
    return rows;
}

/* The lane that holds the row of edge e. Ends ascend from lane to lane. */
__device__ inline unsigned lane_of(uint32_t end, uint32_t e)
{
    unsigned row = 0;
    for (unsigned step = 16; step; step /= 2)
        if (__shfl_sync(full_warp, end, row + step - 1) <= e)
            row += step;
    return row;
}

/* Appends the vertices that the warp visited (bits of `won` of each lane) to the queue. */
template <typename Offset>
__device__ inline void enqueue(const bfs_params &s, bfs_counts *counts, count_t tail,
                               const uint32_t *v, unsigned won)
{
    Offset degree[PUSH_EDGES_PER_LANE];
    count_t degrees = 0, at, sum;
    if (!__any_sync(full_warp, won))
        return;
#pragma unroll
    for (int i = 0; i < PUSH_EDGES_PER_LANE; i++) {
        degree[i] = won >> i & 1 ? degree_of<Offset>(s.graph, v[i]) : 0;
        degrees += degree[i];
    }
    reserve(counts, __popc(won), degrees, &at, &sum);
#pragma unroll
    for (int i = 0; i < PUSH_EDGES_PER_LANE; i++)
        if (won >> i & 1) {
            sum += degree[i];
            s.work.queue[tail + at] = v[i];
            s.work.ends[tail + at++] = sum;
        }
}

/* Adds the listed frontier to prev_visited. */
__device__ inline void mark_prev_visited(const bfs_params &s, const bfs_state &now)
{
    for (count_t k = now.head + first_thread(); k < now.tail; k += all_threads()) {
        uint32_t u = __ldcg(s.work.queue + k);
        atomicOr(s.work.prev_visited + u / 32, 1u << u % 32);
    }
}

/* For options.by_rows: each warp takes as many rows. Returns the number of its edges; *first is the
 * first of them. */
__device__ inline count_t rows_of_warp(const bfs_params &s, const bfs_state &now, count_t *first)
{
    const count_t count = now.tail - now.head, warps = all_threads() / 32;
    const count_t warp = first_thread() / 32;
    const count_t from = count * warp / warps, to = count * (warp + 1) / warps;
    *first = from > 0 ? __ldcg(s.work.ends + now.head + from - 1) : 0;
    return (to > 0 ? __ldcg(s.work.ends + now.head + to - 1) : 0) - *first;
}

/* Leaves the vertices that a push visits to derive_frontier. */
struct not_listed {
    __device__ void operator()(const uint32_t *, unsigned) const
    {
    }
};

/*
 * Examines the edges of queue[head .. tail). Visited vertices are marked in `visited`. Each warp
 * passes those that it visited to list(v, won): bit i of a lane's `won` is set for its vertex v[i].
 */
template <typename Offset, typename List>
__device__ __forceinline__ void push(const bfs_params &s, const bfs_state &now, List list)
{
    const unsigned lane = threadIdx.x % 32;
    const count_t count = now.tail - now.head, warps = all_threads() / 32;
    count_t share = ((now.frontier_edges + warps - 1) / warps + 31) / 32 * 32;
    count_t first = first_thread() / 32 * share;
    if (s.options.by_rows && now.frontier_edges < UINT32_MAX)
        share = rows_of_warp(s, now, &first);
    if (first >= now.frontier_edges)
        return;
    const uint32_t stop =
        (uint32_t)(first + share < now.frontier_edges ? share : now.frontier_edges - first);
    count_t row = row_by_warp(s.work.ends + now.head, count, first) + now.head;
    warp_rows<Offset> rows = load_rows<Offset>(s, row, now.tail, first);
    uint32_t last = __shfl_sync(full_warp, rows.end, 31);
    for (uint32_t e = 0; e < stop;) {
        if (last <= e) { /* these rows are done */
            row += 32;
            rows = load_rows<Offset>(s, row, now.tail, first);
            last = __shfl_sync(full_warp, rows.end, 31);
            continue;
        }
        uint32_t until = last < stop ? last : stop;
        unsigned first_row = __popc(__ballot_sync(full_warp, rows.end <= e));
        bool one_row = __shfl_sync(full_warp, rows.end, first_row) >= e + 32 * PUSH_EDGES_PER_LANE;
        uint32_t u[PUSH_EDGES_PER_LANE], v[PUSH_EDGES_PER_LANE], seen[PUSH_EDGES_PER_LANE];
#pragma unroll
        for (int i = 0; i < PUSH_EDGES_PER_LANE; i++) {
            uint32_t x = e + 32 * i + lane;
            unsigned at = one_row ? first_row : lane_of(rows.end, x < until ? x : until - 1);
            u[i] = __shfl_sync(full_warp, rows.vertex, at);
            Offset base = __shfl_sync(full_warp, rows.base, at);
            v[i] = x < until ? __ldg(column<Offset>(s.graph, s.graph.index, base + x)) : UINT32_MAX;
        }
#pragma unroll
        for (int i = 0; i < PUSH_EDGES_PER_LANE; i++)
            seen[i] = v[i] == UINT32_MAX ? ~0u : __ldcg(s.work.visited + v[i] / 32);
        unsigned won = 0;
#pragma unroll
        for (int i = 0; i < PUSH_EDGES_PER_LANE; i++) {
            uint32_t bit = 1u << v[i] % 32;
            if (!(seen[i] & bit) && !(atomicOr(s.work.visited + v[i] / 32, bit) & bit)) {
                won |= 1u << i;
                set_parent(s, v[i], u[i], now);
            }
        }
        list(v, won);
        e = until - e < 32 * PUSH_EDGES_PER_LANE ? until : e + 32 * PUSH_EDGES_PER_LANE;
    }
}

#endif
