/* The kernels that take a graph's hanging trees out, leaf by leaf. */
#include "common.cuh"
#include "prune_kernels.h"

static unsigned grid_on(unsigned multiprocessors, uint64_t threads)
{
    return grid_of(threads, multiprocessors * CUDA_BLOCKS_PER_SM);
}

/* All lanes take part; those with `offers` put their v into the queue. */
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

__global__ static void prune_begin(cuda_pruning p)
{
    for (uint64_t base = first_thread() / 32 * 32; base < p.n; base += all_threads()) {
        const uint64_t v = base + threadIdx.x % 32;
        if (v < p.n)
            p.tree_parent[v] = CUDA_NO_VERTEX;
        enqueue(p, v < p.n && p.degree[v] == 1, (uint32_t)v);
    }
}

cudaError_t sl_cuda_prune_begin(const cuda_pruning *p, unsigned multiprocessors,
                                cudaStream_t stream)
{
    prune_begin<<<grid_on(multiprocessors, p->n), CUDA_THREADS, 0, stream>>>(*p);
    return cudaGetLastError();
}

/* The one neighbour that v has left, found by a warp together; v itself, if it has a loop. */
__device__ static uint32_t last_neighbour(const cuda_pruning &p, uint32_t v)
{
    const uint64_t end = p.start[v + (uint64_t)1];
    for (uint64_t first = p.start[v]; first < end; first += 32) {
        const uint64_t e = first + threadIdx.x % 32;
        const uint32_t w = e < end ? p.index[e] : v;
        const unsigned left = __ballot_sync(full_warp, e < end && __ldcg(p.tree_parent + w) == CUDA_NO_VERTEX);
        if (left)
            return __shfl_sync(full_warp, w, __ffs(left) - 1);
    }
    return v;
}

/* A vertex to a warp. Of two that have only each other neither goes: a component that is a tree
 * keeps an edge, and every row that is left has an entry. A loop is a cycle. */
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

cudaError_t sl_cuda_prune_round(const cuda_pruning *p, uint32_t head, uint32_t tail,
                                unsigned multiprocessors, cudaStream_t stream)
{
    const unsigned blocks = grid_on(multiprocessors, (uint64_t)(tail - head) * 32);
    prune_round<<<blocks, CUDA_THREADS, 0, stream>>>(*p, head, tail);
    return cudaGetLastError();
}

__global__ static void place_trees(uint32_t *new_id, uint32_t *count, const uint32_t *tree_parent, uint32_t n)
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

cudaError_t sl_cuda_place_trees(uint32_t *new_id, uint32_t *count, const uint32_t *tree_parent, uint32_t n,
                                unsigned multiprocessors, cudaStream_t stream)
{
    place_trees<<<grid_on(multiprocessors, n), CUDA_THREADS, 0, stream>>>(new_id, count, tree_parent, n);
    return cudaGetLastError();
}
