/*
 * Private to narrow.cu: what a block does with its part of a frontier. Four lanes share a vertex,
 * whose row is in shared memory; who finds a vertex sends for its row, which arrives while counts
 * are exchanged.
 */
#ifndef SEMLA_CUDA_NARROW_VISIT_CUH
#define SEMLA_CUDA_NARROW_VISIT_CUH

#include "narrow.cuh"

/* A block's part of the frontier and of what is found, in turns. */
struct narrow_block {
    uint32_t vertex[2][SMALL_LIST];
    uint4 row[2][SMALL_ROWS];     /* of the first of these, */
    uint32_t from[2][SMALL_ROWS]; /* and the neighbour that each was found from, or CUDA_NO_VERTEX */
    narrow_counts counts;
    unsigned found[2];
    unsigned edges[2]; /* looked at in a step, in turns, */
    count_t all_edges; /* and in all */
    bfs_state now; /* at the launch's beginning */
};

/* A row is on its way to shared memory: there after await_copies() and a barrier. */
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

/* A frontier often moves on by neighbouring numbers: where it comes into a line of the second cache
 * the next is sent for. */
__device__ inline void look_ahead(const cuda_graph &g, uint32_t v)
{
    enum { OF_A_LINE = 128 / sizeof(uint4) };
    if (v % OF_A_LINE == 0 && v + OF_A_LINE < g.n)
        prefetch(g.ell4 + v + OF_A_LINE);
    if (v % OF_A_LINE == OF_A_LINE - 1 && v > OF_A_LINE)
        prefetch(g.ell4 + v - OF_A_LINE);
}

/* v, found from u, stands at new_id `at` of a list. */
__device__ inline void put(const bfs_params &s, narrow_block *b, unsigned list, unsigned at,
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

/* A target is found. Who finds the last that is wanted tells with the block's number. */
__device__ inline void meet(const bfs_params &s, narrow_block *b, unsigned into)
{
    if (atomicAdd(&s.standing->met, 1ull) + 1 == s.goal)
        atomicAdd(&b->found[into], SMALL_MET);
}

/* v is found, as number `at` of the block's list; what has no new_id there goes into the queue. */
__device__ inline void enter(const bfs_params &s, narrow_block *b, unsigned into, unsigned at,
                             uint32_t v, uint32_t u, uint32_t depth)
{
    if (at < SMALL_LIST)
        put(s, b, into, at, v, u);
    else
        s.queue[atomicAdd(&s.standing->tail, 1ull)] = v;
    look_ahead(s.graph, v);
    if (s.from)
        s.from[v] = u;
    if (s.depth)
        s.depth[v] = depth;
    if (s.aims && bit_of(s.aims, v))
        meet(s, b, into);
}

/* Those lanes' v that are fresh are found from their u. */
__device__ inline void enter_fresh(const bfs_params &s, narrow_block *b, unsigned into,
                                   bool fresh, uint32_t v, uint32_t u, uint32_t depth)
{
    const unsigned all = __ballot_sync(full_warp, fresh), lane = threadIdx.x % 32;
    if (!all)
        return;
    unsigned at = 0;
    if (lane == 0)
        at = atomicAdd(&b->found[into], (unsigned)__popc(all)) & ~SMALL_MET;
    at = __shfl_sync(full_warp, at, 0) + __popc(all & ((1u << lane) - 1));
    if (fresh)
        enter(s, b, into, at, v, u, depth);
}

/* The word of v's bits before v's became 1. */
__device__ inline uint32_t mark(const bfs_params &s, uint32_t v)
{
    return v == CUDA_NO_VERTEX ? ~0u : atomicOr(s.visited + v / 32, 1u << v % 32);
}

/* A lane's word of a row, of which four lanes have one: the neighbour there, and for all ell4 the
 * number of the four words that go on, or CUDA_NO_VERTEX. */
__device__ inline uint32_t neighbour(uint32_t word, uint32_t *rest)
{
    const unsigned lane = threadIdx.x % 32;
    const bool more = lane % 4 == 3 && word != CUDA_NO_VERTEX && word & ELL4_OVERFLOW;
    *rest = __shfl_sync(full_warp, more ? word & ~ELL4_OVERFLOW : CUDA_NO_VERTEX, lane | 3);
    return more ? CUDA_NO_VERTEX : word;
}

/* A lane's word of ell4. */
__device__ inline uint32_t word_of(const bfs_params &s, uint32_t ell4)
{
    const uint32_t *words = (const uint32_t *)(s.graph.ell4 + ell4);
    return ell4 == CUDA_NO_VERTEX ? CUDA_NO_VERTEX : __ldg(words + threadIdx.x % 4);
}

/* A lane's part of rows, from its word of the first ell4 on. What u was found from is visited. Two
 * fours are under way at once. Returns how many neighbours there are. */
__device__ inline unsigned visit(const bfs_params &s, narrow_block *b, unsigned into,
                                 uint32_t word, uint32_t u, uint32_t from, uint32_t depth)
{
    unsigned edges = 0;
    uint32_t rest;
    do {
        uint32_t v = neighbour(word, &rest), w = CUDA_NO_VERTEX, before_w = ~0u;
        const bool longer = __any_sync(full_warp, rest != CUDA_NO_VERTEX);
        word = word_of(s, rest);
        edges += v != CUDA_NO_VERTEX;
        v = v == from ? CUDA_NO_VERTEX : v;
        const uint32_t before_v = mark(s, v);
        if (longer) {
            w = neighbour(word, &rest);
            word = word_of(s, rest);
            edges += w != CUDA_NO_VERTEX;
            before_w = mark(s, w);
        }
        enter_fresh(s, b, into, ~before_v >> v % 32 & 1, v, u, depth);
        if (longer)
            enter_fresh(s, b, into, ~before_w >> w % 32 & 1, w, u, depth);
    } while (__any_sync(full_warp, rest != CUDA_NO_VERTEX));
    return edges;
}

/* The rows of the block's `own` vertices, a neighbour to a thread. */
__device__ inline unsigned visit_all(const bfs_params &s, narrow_block *b, unsigned into,
                                     unsigned own, uint32_t depth)
{
    const unsigned lane = threadIdx.x % 32, list = !into;
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
        edges += visit(s, b, into, word, u, from, depth);
    }
    return edges;
}

#endif
