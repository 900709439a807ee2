/* What the passes of the search kernel share: state of a block, counters, barriers, the queue. */
#ifndef SEMLA_CUDA_BFS_DEVICE_CUH
#define SEMLA_CUDA_BFS_DEVICE_CUH

#include <cooperative_groups.h>

#include "cuda/reorder/columns.cuh"
#include "cuda/reorder/pruned_trees.cuh"
#include "cuda/runtime/common.cuh"
#include "cuda/search/device/bfs_kernels.h"

enum {
    WARPS = BFS_THREADS / 32,
    GROUP = 128, /* vertices of four bitmap words, which a warp of a pull takes at once */
    /* work.counts: three that passes use in turn (one is read, one added to, one cleared), one of
     * parents.cu and one of results.cu. */
    COUNT_SETS = 5,
    /* The length of a list and the sum of its degrees grow by one atomic, so that both have the
     * same order: the sum has the lower bits. */
    LIST_EDGE_BITS = CUDA_LIST_EDGE_BITS
};

/* Shared memory of a block. */
struct block_state {
    bfs_state now;
    bfs_level log;                       /* of the level under way; nanoseconds: its start */
    bfs_counts last;                     /* of the last pass */
    uint32_t hubs[HUB_WORDS_MAX];        /* first words of the frontier bitmap, in a pull */
    uint32_t hub_limit;                  /* vertices below have their bits in hubs */
    uint32_t waiting[WARPS][GROUP + 31]; /* per warp of a pull: vertices still without a parent */
};

/* The device's clock in nanoseconds. */
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

/* Edges of the vertices `bits` of bitmap word w; an upper bound in a reordered graph, where degrees
 * fall: each vertex counts with the degree of the word's first. */
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

/* Four words of a bitmap that another pass wrote. */
__device__ inline uint4 load_group(const uint32_t *bits, uint32_t group)
{
    return __ldcg((const uint4 *)bits + group);
}

/* The reordered id of the caller's vertex v, or CUDA_NO_VERTEX. */
__device__ inline uint32_t new_id_of(const cuda_graph &g, uint32_t v)
{
    return g.new_id ? __ldg(g.new_id + v) : v;
}

/* Records that v is visited in this level from u. */
__device__ inline void set_parent(const bfs_params &s, uint32_t v, uint32_t u, const bfs_state &now)
{
    if (s.work.parent)
        s.work.parent[v] = u;
    if (s.work.depth)
        s.work.depth[v] = (uint32_t)now.level + 1;
}

/* The same for a parent u that is v's first neighbour, which parent_is_first records if present. */
__device__ inline void set_first_parent(const bfs_params &s, uint32_t v, uint32_t u,
                                        const bfs_state &now)
{
    if (s.work.parent && !s.work.parent_is_first)
        s.work.parent[v] = u;
    if (s.work.depth)
        s.work.depth[v] = (uint32_t)now.level + 1;
}

/* Stores the state for the next launch and reports it to the host. By one thread, after everything
 * that the host will read has been written. */
__device__ inline void report_state(const bfs_params &s, const bfs_state &now)
{
    *s.work.state = now;
    *s.result.state = now;
    __threadfence_system();
    *(volatile unsigned long long *)&s.result.state->stamp = s.result.stamp;
}

/* Adds the sums over the block to the counts of this pass. All threads of the block take part. */
__device__ inline void add_to_counts(bfs_counts *counts, count_t vertices, count_t edges,
                                     count_t examined)
{
    __shared__ count_t sums[3];
    __syncthreads();
    if (threadIdx.x < 3)
        sums[threadIdx.x] = 0;
    __syncthreads();
    count_t own[3] = {vertices, edges, examined};
#pragma unroll
    for (int k = 0; k < 3; k++) {
        count_t sum = warp_sum(own[k]);
        if (threadIdx.x % 32 == 0 && sum)
            atomicAdd(&sums[k], sum);
    }
    __syncthreads();
    if (threadIdx.x < 3 && sums[threadIdx.x])
        atomicAdd(&counts->vertices + threadIdx.x, sums[threadIdx.x]);
}

/* Reserves room in the queue for `count` vertices of each lane, with the sum of their degrees. *at
 * is the lane's first position, *sum the prefix sum of degrees before it. One atomic per warp. */
__device__ inline void reserve(bfs_counts *counts, unsigned count, count_t degrees, count_t *at,
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
        base = atomicAdd(&counts->listed, all);
    base = __shfl_sync(full_warp, base, 31) + all - own;
    *at = base >> LIST_EDGE_BITS;
    *sum = base & mask;
}

/* a - b, or 0 if b is larger. */
__device__ inline count_t saturating_sub(count_t a, count_t b)
{
    return b < a ? a - b : 0;
}

/* Ends a pass: a barrier of the whole grid. Then b->last has the counts of that pass. Returns the
 * counts that the next pass adds to. */
__device__ inline bfs_counts *grid_barrier(const bfs_params &s, block_state *b)
{
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0) {
        const bfs_counts *counts = s.work.counts + b->now.pass++ % 3;
        b->last = bfs_counts{__ldcg(&counts->listed), __ldcg(&counts->vertices),
                             __ldcg(&counts->edges), __ldcg(&counts->examined)};
        if (blockIdx.x == 0)
            s.work.counts[(b->now.pass + 1) % 3] = bfs_counts{};
    }
    __syncthreads();
    return s.work.counts + b->now.pass % 3;
}

__device__ inline count_t listed_vertices(const bfs_counts &counts)
{
    return counts.listed >> LIST_EDGE_BITS;
}

__device__ inline count_t listed_edges(const bfs_counts &counts)
{
    return counts.listed & (((count_t)1 << LIST_EDGE_BITS) - 1);
}

#endif
