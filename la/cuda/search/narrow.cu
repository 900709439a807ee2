/*
 * Steps of push by one thread-block cluster, on graphs of short rows: while the frontier is
 * small it stays in the blocks' shared memory, a vertex to a thread, and a step costs one
 * barrier of the cluster (one block runs narrow levels by itself in Luo, Wong, Hwu, "An
 * Effective GPU Implementation of Breadth-First Search", DAC 2010). Before compute
 * capability 9.0 there are no clusters, and it is one block.
 */
#include <cooperative_groups.h>

#include "search.cuh"

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
/* What a cluster of one block has. */
struct the_cluster {
    __device__ unsigned num_blocks() const
    {
        return 1;
    }
    __device__ unsigned block_rank() const
    {
        return 0;
    }
    __device__ void sync() const
    {
        __syncthreads();
    }
    template <typename T> __device__ T *map_shared_rank(T *own, unsigned) const
    {
        return own;
    }
};
__device__ static the_cluster cluster_of_blocks()
{
    return the_cluster();
}
#else
__device__ static cooperative_groups::cluster_group cluster_of_blocks()
{
    return cooperative_groups::this_cluster();
}
#endif

/* A block's part of the frontier and of what is found, in turns. */
struct narrow_block {
    uint32_t vertex[2][NARROW_LIST];
    unsigned found[2];                   /* vertices that this block has found, */
    unsigned edges[2];                   /* looking at so many */
    uint4 counts[2][NARROW_CLUSTER / 4]; /* found by each block of the cluster */
    unsigned sums[2][NARROW_CLUSTER];    /* likewise edges; the first block's */
    cuda_standing now;                   /* at the launch's beginning */
};

__device__ static unsigned *counts_of(narrow_block *b, unsigned turn)
{
    return &b->counts[turn][0].x;
}

/* Up to four neighbours of u. What does not fit into the block's list goes into the queue. */
__device__ static void offer(const cuda_persistent &s, narrow_block *b, unsigned into, uint32_t u,
                             const uint32_t v[4], uint32_t step)
{
    uint32_t old[4];
#pragma unroll
    for (int k = 0; k < 4; k++)
        old[k] = v[k] == CUDA_NOWHERE ? ~0u : atomicOr(s.visited + v[k] / 32, 1u << v[k] % 32);
#pragma unroll
    for (int k = 0; k < 4; k++) {
        if (old[k] >> v[k] % 32 & 1)
            continue;
        asm volatile("prefetch.global.L2 [%0];" ::"l"(s.graph.four + v[k])); /* for the next step */
        if (s.from)
            s.from[v[k]] = u;
        if (s.depth)
            s.depth[v[k]] = step;
        unsigned at = atomicAdd(&b->found[into], 1u);
        if (at < NARROW_LIST)
            b->vertex[into][at] = v[k];
        else
            s.queue[atomicAdd(&s.standing->tail, 1ull)] = v[k];
    }
}

/* One vertex's row. Returns its length. */
__device__ static unsigned visit(const cuda_persistent &s, narrow_block *b, unsigned into,
                                 uint32_t u, uint32_t step)
{
    const uint4 row = __ldg(s.graph.four + u);
    const bool more = row.w != CUDA_NOWHERE && row.w & NARROW_MORE;
    uint32_t v[4] = {row.x, row.y, row.z, more ? row.w & ~NARROW_MORE : row.w};
    unsigned length = (v[0] != CUDA_NOWHERE) + (v[1] != CUDA_NOWHERE) + (v[2] != CUDA_NOWHERE) +
                      (v[3] != CUDA_NOWHERE);
    offer(s, b, into, u, v, step);
    if (!more)
        return length;
    const uint64_t *start = (const uint64_t *)s.graph.start;
    uint64_t begin = start[u], end = start[u + 1];
    for (uint64_t e = begin + 4; e < end; e += 4) {
#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] = e + k < end ? s.graph.index[e + k] : CUDA_NOWHERE;
        offer(s, b, into, u, v, step);
    }
    return (unsigned)(end - begin);
}

/* Of `all` in equal shares, what begins with that of block `rank`. */
__device__ static unsigned share(unsigned all, unsigned rank, unsigned size)
{
    return (unsigned)((count_t)all * rank / size);
}

/* Vertex k of all that the blocks hold together. */
template <typename Cluster>
__device__ static uint32_t vertex_of(const Cluster &cluster, narrow_block *b, unsigned from,
                                     unsigned k)
{
    unsigned rank = 0;
    while (k >= counts_of(b, from)[rank])
        k -= counts_of(b, from)[rank++];
    return *cluster.map_shared_rank(&b->vertex[from][k], rank);
}

/* Equal shares of the frontier, where one block has come to have much more than others. */
template <typename Cluster>
__device__ static void balance(const Cluster &cluster, narrow_block *b, unsigned from, unsigned all)
{
    const unsigned size = cluster.num_blocks(), rank = cluster.block_rank(), t = threadIdx.x;
    unsigned first = share(all, rank, size), last = share(all, rank + 1, size);
    for (unsigned k = first + t; k < last; k += blockDim.x)
        b->vertex[!from][k - first] = vertex_of(cluster, b, from, k);
    if (t < size)
        counts_of(b, !from)[t] = share(all, t + 1, size) - share(all, t, size);
    if (t == 0) {
        b->found[from] = 0;
        b->edges[from] = 0;
    }
    cluster.sync();
}

/* The frontier from the queue; it is then empty, for what does not fit here. */
template <typename Cluster>
__device__ static unsigned begin(const cuda_persistent &s, const Cluster &cluster, narrow_block *b)
{
    const unsigned size = cluster.num_blocks(), rank = cluster.block_rank(), t = threadIdx.x;
    if (t == 0)
        b->now = *s.standing;
    if (t < 2) {
        b->found[t] = 0;
        b->edges[t] = 0;
        for (int k = 0; k < NARROW_CLUSTER / 4; k++) /* clusters may be smaller */
            b->counts[t][k] = uint4{};
    }
    __syncthreads();
    const unsigned all = (unsigned)(b->now.tail - b->now.head);
    const unsigned first = share(all, rank, size), last = share(all, rank + 1, size);
    for (unsigned k = first + t; k < last; k += blockDim.x)
        b->vertex[0][k - first] = __ldcg(s.queue + b->now.head + k);
    if (t < size)
        counts_of(b, 0)[t] = share(all, t + 1, size) - share(all, t, size);
    cluster.sync();
    if (rank == 0 && t == 0)
        s.standing->tail = 0;
    cluster.sync();
    return all;
}

/* The frontier into the queue, and where the search stands. */
template <typename Cluster>
__device__ static void end(const cuda_persistent &s, const Cluster &cluster, narrow_block *b,
                           unsigned from, unsigned all, unsigned steps, count_t began)
{
    const unsigned rank = cluster.block_rank(), own = counts_of(b, from)[rank];
    cuda_standing *now = &b->now;
    for (unsigned k = threadIdx.x; k < own && k < NARROW_LIST; k += blockDim.x)
        s.queue[atomicAdd(&s.standing->tail, 1ull)] = b->vertex[from][k];
    cluster.sync();
    if (rank != 0 || threadIdx.x != 0)
        return;
    now->steps += steps;
    now->recorded = steps;
    now->count = all;
    now->head = 0;
    now->tail = all;
    now->narrowed = 1;
    now->stop = all == 0 || now->steps >= s.most ? CUDA_SEARCHED
                : steps == SEARCH_STEPS          ? CUDA_STEPS_RECORDED
                                                 : CUDA_GOES_ON;
    now->searched += device_clock() - began;
    report(s, *now);
}

/* What a step has found, for the end and for the log. */
__device__ static void account(const cuda_persistent &s, narrow_block *b, unsigned turn,
                               unsigned size, unsigned step, unsigned frontier, unsigned found,
                               count_t started)
{
    cuda_standing *now = &b->now;
    count_t edges = 0;
    for (unsigned k = 0; k < size; k++)
        edges += b->sums[turn][k];
    s.steps[step] = cuda_search_step{frontier, edges, device_clock() - started, 0};
    if (step < STANDING_STEPS)
        now->few[step] = found;
    now->entries += found;
    now->missing -= found < now->missing ? found : now->missing;
    now->missing_edges -= edges < now->missing_edges ? edges : now->missing_edges;
}

__global__ static void __launch_bounds__(NARROW_THREADS, 1)
    narrow(const __grid_constant__ cuda_persistent s)
{
    extern __shared__ uint4 shared[];
    narrow_block *b = (narrow_block *)shared;
    const auto cluster = cluster_of_blocks();
    const unsigned size = cluster.num_blocks(), rank = cluster.block_rank(), t = threadIdx.x;
    const count_t began = device_clock();
    count_t started = began;
    unsigned from = 0, all = begin(s, cluster, b), most = 0;
    const count_t left = s.most - b->now.steps;
    const unsigned bound = left < SEARCH_STEPS ? (unsigned)left : SEARCH_STEPS;
    const bool keeps_account =
        rank == 0 && t == NARROW_THREADS - 1; /* of a warp with little to do */
    unsigned step = 0;
    for (; all > 0 && all <= s.narrow_most && most <= NARROW_LIST && step < bound; step++) {
        const unsigned into = !from, own = counts_of(b, from)[rank], before = all;
        unsigned length = 0;
        if (t == 0) { /* of the next step, which nobody looks at now */
            b->found[from] = 0;
            b->edges[from] = 0;
        }
        for (unsigned k = t; k < own; k += blockDim.x)
            length += visit(s, b, into, b->vertex[from][k], (uint32_t)b->now.steps + step + 1);
        for (unsigned offset = 16; offset > 0; offset /= 2)
            length += __shfl_down_sync(full_warp, length, offset);
        if (t % 32 == 0 && length)
            atomicAdd(&b->edges[into], length);
        __syncthreads();
        if (t < size)
            *cluster.map_shared_rank(counts_of(b, into) + rank, t) = b->found[into];
        if (t == NARROW_CLUSTER)
            *cluster.map_shared_rank(&b->sums[into][rank], 0) = b->edges[into];
        cluster.sync();
        all = most = 0;
#pragma unroll
        for (int k = 0; k < NARROW_CLUSTER / 4; k++) {
            uint4 counts = b->counts[into][k];
            all += counts.x + counts.y + counts.z + counts.w;
            most = max(most, max(max(counts.x, counts.y), max(counts.z, counts.w)));
        }
        if (keeps_account) {
            account(s, b, into, size, step, before, all, started);
            started = device_clock();
        }
        from = into;
        if (most > NARROW_THREADS / 2 && most > 2 * (all / size) && all <= s.narrow_most) {
            balance(cluster, b, from, all);
            from = !from;
            most = 0;
        }
    }
    cluster.sync(); /* all have read the counts */
    end(s, cluster, b, from, all, step, began);
}

/* ---- launches ----------------------------------------------------------------------- */

/* How large a cluster may be: one block where the code is not for 9.0 or later. */
cudaError_t sl_cuda_narrow_blocks(unsigned *blocks)
{
    cudaFuncAttributes code;
    cudaError_t error = cudaFuncSetAttribute(narrow, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             sizeof(narrow_block));
    if (error == cudaSuccess)
        error = cudaFuncGetAttributes(&code, narrow);
    *blocks = 1;
    if (error != cudaSuccess || code.ptxVersion < 90)
        return error;
    error = cudaFuncSetAttribute(narrow, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (error != cudaSuccess)
        return error;
    int most = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = NARROW_CLUSTER;
    config.blockDim = NARROW_THREADS;
    config.dynamicSmemBytes = sizeof(narrow_block);
    error = cudaOccupancyMaxPotentialClusterSize(&most, narrow, &config);
    *blocks = most < NARROW_CLUSTER ? (unsigned)most : NARROW_CLUSTER;
    return error;
}

cudaError_t sl_cuda_narrow_steps(const cuda_persistent *s, unsigned blocks, cudaStream_t stream)
{
    cudaLaunchAttribute cluster;
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {blocks, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = NARROW_THREADS;
    config.dynamicSmemBytes = sizeof(narrow_block);
    config.stream = stream;
    config.attrs = &cluster;
    config.numAttrs = blocks > 1;
    return cudaLaunchKernelEx(&config, narrow, *s);
}
