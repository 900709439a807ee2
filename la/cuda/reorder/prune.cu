/* Kernels that remove the trees outside the 2-core, one round of leaves per launch (prune.c). */
#include "cuda/reorder/prune_kernels.h"
#include "cuda/runtime/common.cuh"

/*
 * Appends the v of every lane that `offers` one to the queue. All lanes of the warp must call it.
 */
__device__ static void enqueue(const cuda_pruning &p, bool offers, uint32_t v)
{
    const unsigned lane = threadIdx.x % 32, votes = __ballot_sync(full_warp, offers);
    uint32_t at = 0;
    if (lane == 0 && votes)
        at = atomicAdd(p.tail, (uint32_t)__popc(votes));
    at = __shfl_sync(full_warp, at, 0);
    if (offers)
        p.queue[at + __popc(votes & ((1u << lane) - 1))] = v;
}

/* One thread per vertex, in groups of a warp. */
__global__ static void prune_begin(cuda_pruning p)
{
    for (uint64_t base = first_thread() / 32 * 32; base < p.n; base += all_threads()) {
        const uint64_t v = base + threadIdx.x % 32;
        if (v < p.n)
            p.tree_parent[v] = CUDA_NO_VERTEX;
        enqueue(p, v < p.n && p.degree[v] == 1, (uint32_t)v);
    }
}

cudaError_t sl_cuda_prune_begin(const cuda_pruning *p)
{
    return launch(p->n, prune_begin, *p);
}

/* The only neighbour that v has left, found by a warp; v itself if v has a loop. */
__device__ static uint32_t last_neighbour(const cuda_pruning &p, uint32_t v)
{
    const uint64_t end = p.start[v + (uint64_t)1];
    for (uint64_t first = p.start[v]; first < end; first += 32) {
        const uint64_t e = first + threadIdx.x % 32;
        const uint32_t w = e < end ? p.index[e] : v;
        const unsigned left =
            __ballot_sync(full_warp, e < end && __ldcg(p.tree_parent + w) == CUDA_NO_VERTEX);
        if (left)
            return __shfl_sync(full_warp, w, __ffs(left) - 1);
    }
    return v;
}

/*
 * Each warp takes one queued vertex v and finds its last neighbour w. Lane 0 removes v, unless w
 * has no neighbour but v: of two vertices that have only each other neither is removed, so that a
 * component that is a tree keeps an edge and every remaining row has an entry. A vertex with a loop
 * stays, because a loop is a cycle.
 *
 * Two warps with the vertices of such a pair both decrement the other's degree to 0 and restore it,
 * in any order; neither is removed.
 */
__global__ static void prune_round(cuda_pruning p, uint32_t head, uint32_t tail)
{
    for (uint64_t k = head + first_thread() / 32; k < tail; k += all_threads() / 32) {
        const uint32_t v = p.queue[k], w = last_neighbour(p, v);
        if (threadIdx.x % 32 != 0 || w == v)
            continue;
        const uint32_t before = atomicSub(p.degree + w, 1u);
        if (before == 1) {
            atomicAdd(p.degree + w, 1u);
            continue;
        }
        p.tree_parent[v] = w;
        p.degree[v] = 0;
        if (before == 2)
            p.queue[atomicAdd(p.tail, 1u)] = w;
    }
}

cudaError_t sl_cuda_prune_round(const cuda_pruning *p, uint32_t head, uint32_t tail)
{
    return launch((uint64_t)(tail - head) * 32, prune_round, *p, head, tail);
}

/* One thread per vertex goes up from a removed vertex to the root of its tree, at most PRUNE_ROUNDS
 * edges. */
__global__ static void tree_new_ids(uint32_t *new_id, uint32_t *count, const uint32_t *tree_parent,
                                    uint32_t n)
{
    count_t own = 0;
    for (uint64_t v = first_thread(); v < n; v += all_threads()) {
        uint32_t root = tree_parent[v], far = 0;
        if (root == CUDA_NO_VERTEX)
            continue;
        for (uint32_t u = tree_parent[root]; u != CUDA_NO_VERTEX; u = tree_parent[u]) {
            root = u;
            far = CUDA_DEEP_IN_TREE;
        }
        new_id[v] = CUDA_IN_TREE | far | new_id[root];
        own++;
    }
    own = warp_sum(own);
    if (threadIdx.x % 32 == 0 && own)
        atomicAdd(count, (uint32_t)own);
}

cudaError_t sl_cuda_tree_new_ids(uint32_t *new_id, uint32_t *count, const uint32_t *tree_parent,
                                 uint32_t n)
{
    return launch(n, tree_new_ids, new_id, count, tree_parent, n);
}
