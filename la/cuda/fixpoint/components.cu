/*
 * Components of an undirected graph by Afforest (Sutton, Ben-Nun, Barak, "Optimizing Parallel Graph
 * Connectivity Computation via Subgraph Sampling", IPDPS 2018), with hooking by compare-and-swap
 * (Jaiganesh, Burtscher, "A High-Performance Connected Components Implementation for GPUs", HPDC
 * 2018).
 *
 * The vertices form trees, in which a parent has a lesser index than its child; an edge joins two
 * trees by making one root the child of a vertex of the other tree. First only the first two edges
 * of each vertex are used. Most vertices are then in one tree, which a sample finds. They need no
 * further edges: an edge that leaves the tree is used from its other end.
 *
 * Seven launches, of one thread per vertex, without a wait. In the kernels that join trees the parent
 * of a root is set by compare-and-swap, and that of another vertex is replaced by an ancestor. So a
 * parent that was read earlier, or from a stale line of the L1 cache, is an ancestor still, and a
 * comparison with an outdated root fails and is repeated.
 */
#include "cuda/fixpoint/components_kernels.h"
#include "cuda/fixpoint/fixpoint_tuning.h"
#include "cuda/runtime/common.cuh"

/* The root of v's tree, or a vertex that was the root when it was read. Each vertex on the way
 * becomes a child of its grandparent. */
__device__ static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    uint32_t p = parent[v], g;
    while ((g = parent[p]) != p) {
        parent[v] = g;
        v = p;
        p = g;
    }
    return p;
}

/* Joins the trees of two vertices. */
__device__ static void join(uint32_t *parent, uint32_t u, uint32_t v)
{
    uint32_t a = root_of(parent, u), b = root_of(parent, v);
    while (a != b) {
        const uint32_t high = a > b ? a : b, low = a > b ? b : a;
        const uint32_t seen = atomicCAS(parent + high, high, low);
        if (seen == high)
            return;
        a = root_of(parent, seen); /* high is no root any more */
        b = low;
    }
}

/* Every vertex becomes the child of its first neighbour, if that is less: it is the least. */
__global__ static void begin(cuda_forest f)
{
    for (uint64_t v = first_thread(); v < f.n; v += all_threads()) {
        const uint64_t e = f.start[v];
        const uint32_t first = e < f.start[v + 1] ? f.index[e] : (uint32_t)v;
        f.parent[v] = first < v ? first : (uint32_t)v;
    }
}

/* Makes every vertex the child of its root. A thread changes only the vertex that it visits, and the
 * roots do not change. The threads proceed in the order of the vertices, so that the parents, which
 * are less, mostly are children of roots already. */
__global__ static void flatten(cuda_forest f)
{
    volatile uint32_t *parent = f.parent;
    for (uint64_t v = first_thread(); v < f.n; v += all_threads()) {
        uint32_t root = parent[v], p;
        while ((p = parent[root]) != root)
            root = p;
        parent[v] = root;
    }
}

/* Joins along the first edges of each vertex. */
__global__ static void join_first(cuda_forest f)
{
    for (uint64_t v = first_thread(); v < f.n; v += all_threads()) {
        const uint64_t begin = f.start[v], end = f.start[v + 1];
        for (uint64_t e = begin; e < end && e < begin + COMPONENTS_SAMPLED_EDGES; e++)
            join(f.parent, (uint32_t)v, f.index[e]);
    }
}

/* One block of COMPONENTS_SAMPLES threads: each has one vertex of the sample and counts the others
 * with the same root. */
__global__ static void find_giant(cuda_forest f)
{
    __shared__ uint32_t roots[COMPONENTS_SAMPLES];
    __shared__ unsigned long long most;
    const uint32_t root = f.parent[(threadIdx.x * 0x9e3779b97f4a7c15ull >> 11) % f.n];
    unsigned long long count = 0;
    roots[threadIdx.x] = root;
    if (threadIdx.x == 0)
        most = 0;
    __syncthreads();
    for (unsigned k = 0; k < COMPONENTS_SAMPLES; k++)
        count += roots[k] == root;
    atomicMax(&most, count << 32 | root);
    __syncthreads();
    if (threadIdx.x == 0)
        *f.giant = (uint32_t)most;
}

/* Joins along the other edges of the vertices outside the giant tree. A thread takes a short row
 * alone; the warp takes long rows together, one after the other. */
__global__ static void join_others(cuda_forest f)
{
    const uint32_t giant = *f.giant;
    const unsigned lane = threadIdx.x % 32;
    for (uint64_t base = first_thread() - lane; base < f.n; base += all_threads()) {
        const uint64_t v = base + lane;
        uint64_t begin = 0, end = 0;
        if (v < f.n && f.parent[v] != giant) {
            begin = f.start[v] + COMPONENTS_SAMPLED_EDGES;
            end = f.start[v + 1];
        }
        const bool long_row = begin < end && end - begin > COMPONENTS_SHORT_ROW;
        for (uint64_t e = begin; e < end && !long_row; e++)
            join(f.parent, (uint32_t)v, f.index[e]);
        for (unsigned rest = __ballot_sync(full_warp, long_row); rest; rest &= rest - 1) {
            const int k = __ffs(rest) - 1;
            const uint64_t to = __shfl_sync(full_warp, end, k);
            for (uint64_t e = __shfl_sync(full_warp, begin, k) + lane; e < to; e += 32)
                join(f.parent, (uint32_t)(base + k), f.index[e]);
        }
    }
}

cudaError_t sl_cuda_find_components(const cuda_forest *f)
{
    LAUNCH_TRY(launch(f->n, begin, *f));
    LAUNCH_TRY(launch(f->n, flatten, *f));
    LAUNCH_TRY(launch(f->n, join_first, *f));
    LAUNCH_TRY(launch(f->n, flatten, *f));
    LAUNCH_TRY(launch_blocks({1, COMPONENTS_SAMPLES}, find_giant, *f));
    LAUNCH_TRY(launch(f->n, join_others, *f));
    return launch(f->n, flatten, *f);
}
