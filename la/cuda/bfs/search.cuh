/* Private to the persistent search: what its passes have in common. */
#ifndef SEMLA_CUDA_SEARCH_CUH
#define SEMLA_CUDA_SEARCH_CUH

#include <cooperative_groups.h>

#include "columns.cuh"
#include "common.cuh"
#include "search_kernels.h"
#include "pruned_trees.cuh"

enum {
    WARPS = BFS_THREADS / 32,
    GROUP = 128, /* vertices of four words */
    TALLIES = 5, /* three of passes in turn, of the choice of parents, and of the end */
    /* A list's length and the sum of its degrees grow by one atomic, so that both are in one
     * order: the sum has the lower bits. */
    LIST_EDGE_BITS = CUDA_LIST_EDGE_BITS,
    /* Of what begin() counts: entries of pi have the lower bits, those of q that are none
     * of them stand above. */
    ENTRY_BITS = 33
};

/* A block's copy of where the search stands, and scratch of its warps. */
struct block_state {
    bfs_state now;
    bfs_level step; /* under way */
    count_t began;         /* the launch */
    bfs_counts last;       /* of the pass before */
    uint32_t hubs[HUB_WORDS];
    uint32_t hub_limit;                  /* vertices below have their bits in hubs */
    uint32_t waiting[WARPS][GROUP + 31]; /* of a pull: vertices without a parent yet */
};

/* In nanoseconds. */
__device__ inline count_t device_clock()
{
    count_t now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

template <typename Offset> __device__ inline const Offset *starts(const cuda_graph &g)
{
    return (const Offset *)g.start;
}

template <typename Offset> __device__ inline Offset degree_of(const cuda_graph &g, uint32_t v)
{
    return __ldg(starts<Offset>(g) + v + 1) - __ldg(starts<Offset>(g) + v);
}

/* The edges of the vertices `bits` of word w; in a layout as if all had the first's degree. */
template <typename Offset>
__device__ inline count_t edges_of(const cuda_graph &g, uint32_t w, uint32_t bits)
{
    if (!bits)
        return 0;
    if (g.word_degree)
        return (count_t)__ldg(g.word_degree + w) * __popc(bits);
    count_t edges = 0;
    for (; bits; bits &= bits - 1)
        edges += degree_of<Offset>(g, 32 * w + __ffs(bits) - 1);
    return edges;
}

/* Bits that another pass wrote, of four words. */
__device__ inline uint4 four(const uint32_t *bits, uint32_t group)
{
    return __ldcg((const uint4 *)bits + group);
}

/* Where a vertex of the caller's is. */
__device__ inline uint32_t place_of(const cuda_graph &g, uint32_t v)
{
    return g.new_id ? __ldg(g.new_id + v) : v;
}

/* v is found; its parent is u. */
__device__ inline void record(const bfs_params &s, uint32_t v, uint32_t u,
                              const bfs_state &now)
{
    if (s.from)
        s.from[v] = u;
    if (s.depth)
        s.depth[v] = (uint32_t)now.steps + 1;
}

/* The same, if it is noted elsewhere that u is the first neighbour. */
__device__ inline void record_first(const bfs_params &s, uint32_t v, uint32_t u,
                                    const bfs_state &now)
{
    if (s.from && !s.by_first)
        s.from[v] = u;
    if (s.depth)
        s.depth[v] = (uint32_t)now.steps + 1;
}

/* The end of a launch, by one thread: all has been written that the host is told of. */
__device__ inline void report(const bfs_params &s, const bfs_state &now)
{
    *s.standing = now;
    *s.result = now;
    __threadfence_system();
    *(volatile unsigned long long *)&s.result->stamp = s.stamp;
}

/* Adds the block's sums to the counts of this pass; all its threads take part. */
__device__ inline void add_tally(bfs_counts *tally, count_t vertices, count_t edges, count_t seen)
{
    __shared__ count_t sums[3];
    __syncthreads();
    if (threadIdx.x < 3)
        sums[threadIdx.x] = 0;
    __syncthreads();
    count_t own[3] = {vertices, edges, seen};
#pragma unroll
    for (int k = 0; k < 3; k++) {
        count_t sum = warp_sum(own[k]);
        if (threadIdx.x % 32 == 0 && sum)
            atomicAdd(&sums[k], sum);
    }
    __syncthreads();
    if (threadIdx.x < 3 && sums[threadIdx.x])
        atomicAdd(&tally->vertices + threadIdx.x, sums[threadIdx.x]);
}

/* Makes room in the queue for a lane's `count` vertices with `degrees`; the lane's first
 * new_id and the sum of the degrees before it. */
__device__ inline void reserve(bfs_counts *tally, unsigned count, count_t degrees, count_t *at,
                               count_t *sum)
{
    const count_t mask = ((count_t)1 << LIST_EDGE_BITS) - 1;
    unsigned lane = threadIdx.x % 32;
    count_t own = (count_t)count << LIST_EDGE_BITS | degrees, all = own;
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        count_t other = __shfl_up_sync(full_warp, all, offset);
        all += lane >= offset ? other : 0;
    }
    count_t base = 0;
    if (lane == 31 && all)
        base = atomicAdd(&tally->listed, all);
    base = __shfl_sync(full_warp, base, 31) + all - own;
    *at = base >> LIST_EDGE_BITS;
    *sum = base & mask;
}

__device__ inline count_t less(count_t a, count_t b)
{
    return b < a ? a - b : 0;
}

/* A barrier of the grid. Afterwards b->last are the counts of the pass before it, and the
 * next pass counts into what is returned. */
__device__ inline bfs_counts *turn(const bfs_params &s, block_state *b)
{
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0) {
        const bfs_counts *tally = s.tally + b->now.pass++ % 3;
        b->last = bfs_counts{__ldcg(&tally->listed), __ldcg(&tally->vertices),
                             __ldcg(&tally->edges), __ldcg(&tally->seen)};
        if (blockIdx.x == 0)
            s.tally[(b->now.pass + 1) % 3] = bfs_counts{};
    }
    __syncthreads();
    return s.tally + b->now.pass % 3;
}

__device__ inline count_t listed_vertices(const bfs_counts &tally)
{
    return tally.listed >> LIST_EDGE_BITS;
}

__device__ inline count_t listed_edges(const bfs_counts &tally)
{
    return tally.listed & (((count_t)1 << LIST_EDGE_BITS) - 1);
}

#endif
