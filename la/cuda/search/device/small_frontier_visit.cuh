/*
 * How a block of the small-frontier kernel visits the neighbours of its part of the frontier. Four
 * lanes share a vertex, whose first four neighbours (an ELL4 row) are in shared memory. A lane that
 * visits a vertex starts the copy of its row, which arrives while the counts are exchanged.
 */
#ifndef SEMLA_CUDA_SMALL_FRONTIER_VISIT_CUH
#define SEMLA_CUDA_SMALL_FRONTIER_VISIT_CUH

#include "cuda/search/device/block_groups.cuh"

/* Shared memory of a block: its parts of the frontier and of the next frontier, which change roles.
 */
struct small_block {
    uint32_t vertex[2][SMALL_LIST];
    uint4 row[2][SMALL_ROWS];     /* ELL4 rows of the first vertices */
    uint32_t from[2][SMALL_ROWS]; /* their parents, or CUDA_NO_VERTEX: not known */
    small_counts counts;
    unsigned found[2]; /* vertices in each list, and SMALL_MET */
    unsigned edges[2]; /* examined in even and odd levels */
    count_t all_edges; /* examined in all */
    bfs_state now;
};

/* Starts the copy of a row to shared memory; it is there after await_copies() and a barrier. */
__device__ inline void fetch_row(uint4 *to, const uint4 *from)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile(
        "cp.async.cg.shared.global [%0], [%1], 16;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(from)
        : "memory");
#else
    *to = __ldg(from);
#endif
}

__device__ inline void prefetch(const void *at)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

/* Frontiers of such graphs often advance to neighbouring ids: prefetches the next cache line of
 * rows when v is at the end of one. */
__device__ inline void prefetch_next_rows(const cuda_graph &g, uint32_t v)
{
    enum { ROWS_PER_LINE = 128 / sizeof(uint4) };
    if (v % ROWS_PER_LINE == 0 && v + ROWS_PER_LINE < g.n)
        prefetch(g.ell4 + v + ROWS_PER_LINE);
    if (v % ROWS_PER_LINE == ROWS_PER_LINE - 1 && v > ROWS_PER_LINE)
        prefetch(g.ell4 + v - ROWS_PER_LINE);
}

/* Stores v, visited from u, as entry `at` of a list and starts the copy of its row. */
__device__ inline void put(const bfs_params &s, small_block *b, unsigned list, unsigned at,
                           uint32_t v, uint32_t u)
{
    b->vertex[list][at] = v;
    if (at < SMALL_ROWS) {
        b->from[list][at] = u;
        fetch_row(&b->row[list][at], s.graph.ell4 + v);
    } else {
        prefetch(s.graph.ell4 + v);
    }
}

/* Counts a visited target. The block that visits the last wanted one sets the flag in its count. */
__device__ inline void count_target(const bfs_params &s, small_block *b, unsigned next)
{
    if (atomicAdd(&s.work.state->targets_met, 1ull) + 1 == s.options.targets_wanted)
        atomicAdd(&b->found[next], SMALL_MET);
}

/* Visits v from u. It becomes entry `at` of the block's list, or goes to the queue if the list is
 * full. */
__device__ inline void visit_vertex(const bfs_params &s, small_block *b, unsigned next, unsigned at,
                                    uint32_t v, uint32_t u, uint32_t depth)
{
    if (at < SMALL_LIST)
        put(s, b, next, at, v, u);
    else
        s.work.queue[atomicAdd(&s.work.state->tail, 1ull)] = v;
    prefetch_next_rows(s.graph, v);
    if (s.work.parent)
        s.work.parent[v] = u;
    if (s.work.depth)
        s.work.depth[v] = depth;
    if (s.work.targets && bit_of(s.work.targets, v))
        count_target(s, b, next);
}

/* Visits v from u in the lanes for which v is fresh. One atomic per warp reserves their entries. */
__device__ inline void visit_fresh(const bfs_params &s, small_block *b, unsigned next, bool fresh,
                                   uint32_t v, uint32_t u, uint32_t depth)
{
    const unsigned all = __ballot_sync(full_warp, fresh), lane = threadIdx.x % 32;
    if (!all)
        return;
    unsigned at = 0;
    if (lane == 0)
        at = atomicAdd(&b->found[next], (unsigned)__popc(all)) & ~SMALL_MET;
    at = __shfl_sync(full_warp, at, 0) + __popc(all & ((1u << lane) - 1));
    if (fresh)
        visit_vertex(s, b, next, at, v, u, depth);
}

/* Sets v's visited bit; returns the word as it was before. */
__device__ inline uint32_t mark(const bfs_params &s, uint32_t v)
{
    return v == CUDA_NO_VERTEX ? ~0u : atomicOr(s.work.visited + v / 32, 1u << v % 32);
}

/* The neighbour in a lane's word of an ELL4 row, which four lanes share, or CUDA_NO_VERTEX. *rest
 * is the row that continues it, for all four lanes, or CUDA_NO_VERTEX. */
__device__ inline uint32_t neighbour(uint32_t word, uint32_t *rest)
{
    const unsigned lane = threadIdx.x % 32;
    const bool more = lane % 4 == 3 && word != CUDA_NO_VERTEX && word & ELL4_OVERFLOW;
    *rest = __shfl_sync(full_warp, more ? word & ~ELL4_OVERFLOW : CUDA_NO_VERTEX, lane | 3);
    return more ? CUDA_NO_VERTEX : word;
}

/* A lane's word of ELL4 row `ell4`. */
__device__ inline uint32_t word_of(const bfs_params &s, uint32_t ell4)
{
    const uint32_t *words = (const uint32_t *)(s.graph.ell4 + ell4);
    return ell4 == CUDA_NO_VERTEX ? CUDA_NO_VERTEX : __ldg(words + threadIdx.x % 4);
}

/* Visits a lane's part of u's neighbours, starting with its word of the first ELL4 row. u's parent
 * `from` is known to be visited. Two rows are processed at once. Returns the number of neighbours.
 */
__device__ inline unsigned visit(const bfs_params &s, small_block *b, unsigned next, uint32_t word,
                                 uint32_t u, uint32_t from, uint32_t depth)
{
    unsigned edges = 0;
    uint32_t rest;
    do {
        uint32_t v = neighbour(word, &rest), w = CUDA_NO_VERTEX, word_w = ~0u;
        const bool longer = __any_sync(full_warp, rest != CUDA_NO_VERTEX);
        word = word_of(s, rest);
        edges += v != CUDA_NO_VERTEX;
        v = v == from ? CUDA_NO_VERTEX : v;
        const uint32_t word_v = mark(s, v);
        if (longer) {
            w = neighbour(word, &rest);
            word = word_of(s, rest);
            edges += w != CUDA_NO_VERTEX;
            word_w = mark(s, w);
        }
        visit_fresh(s, b, next, ~word_v >> v % 32 & 1, v, u, depth);
        if (longer)
            visit_fresh(s, b, next, ~word_w >> w % 32 & 1, w, u, depth);
    } while (__any_sync(full_warp, rest != CUDA_NO_VERTEX));
    return edges;
}

/* Visits the neighbours of the block's `own` vertices, one neighbour per thread. Returns their
 * number. */
__device__ inline unsigned visit_all(const bfs_params &s, small_block *b, unsigned next,
                                     unsigned own, uint32_t depth)
{
    const unsigned lane = threadIdx.x % 32, list = !next;
    unsigned edges = 0;
    for (unsigned first = threadIdx.x - lane; first < 4 * own; first += blockDim.x) {
        const unsigned k = first + lane, at = k / 4;
        uint32_t word = CUDA_NO_VERTEX, from = CUDA_NO_VERTEX, u = CUDA_NO_VERTEX;
        if (at < own) {
            u = b->vertex[list][at];
            if (at < SMALL_ROWS) {
                word = ((const uint32_t *)b->row[list])[k];
                from = b->from[list][at];
            } else {
                word = word_of(s, u);
            }
        }
        edges += visit(s, b, next, word, u, from, depth);
    }
    return edges;
}

#endif
