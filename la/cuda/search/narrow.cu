/*
 * Steps of push by one thread-block cluster, on graphs of short rows: while the frontier is
 * small it stays in the blocks' shared memory, a vertex to a thread, and a step costs one
 * exchange of counts between the blocks (one block runs narrow levels by itself in Luo, Wong, Hwu,
 * "An Effective GPU Implementation of Breadth-First Search", DAC 2010). Before compute
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

/* What a block has found in a step, looking at so many edges. */
struct __align__(8) narrow_count
{
    unsigned vertices, edges;
};

/* A block's part of the frontier and of what is found, in turns. */
struct narrow_block {
    uint32_t vertex[2][NARROW_LIST];
    narrow_count found[2];
    narrow_count of[2][NARROW_CLUSTER]; /* what each block of the cluster has found */
    uint64_t came[2];                   /* barriers that wait for those */
    cuda_standing now;                  /* at the launch's beginning */
};

/* ---- the exchange of counts ------------------------------------------------------------ */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
/*
 * Each count is stored in the other block and noted by a barrier there that all its threads wait
 * for. A barrier of the cluster would have each thread wait first for what it has written
 * to the device's memory, which nobody reads before the launch ends. Two buffers are enough:
 * who has all counts of a step knows that everyone has those of the step before.
 */
__device__ static unsigned shared_address(const void *at)
{
    return (unsigned)__cvta_generic_to_shared(at);
}

__device__ static void prepare_exchange(narrow_block *b)
{
    for (int k = 0; k < 2; k++)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(shared_address(&b->came[k])));
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

template <typename Cluster>
__device__ static void exchange(const Cluster &cluster, narrow_block *b, unsigned into,
                                unsigned step)
{
    const unsigned size = cluster.num_blocks(), t = threadIdx.x, turn = step % 2;
    const unsigned came = shared_address(&b->came[turn]);
    __syncthreads();
    if (t == 0)
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(came),
                     "r"((unsigned)sizeof(narrow_count) * size)
                     : "memory");
    if (t < size) {
        const count_t count = *(const count_t *)&b->found[into];
        unsigned to, barrier;
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                     : "=r"(to)
                     : "r"(shared_address(&b->of[turn][cluster.block_rank()])), "r"(t));
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(barrier) : "r"(came), "r"(t));
        asm volatile(
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to),
            "l"(count), "r"(barrier)
            : "memory");
    }
    __syncwarp(); /* the first thread, which empties the count next, after all that read it */
    unsigned done = 0;
    while (!done)
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done)
                     : "r"(came), "r"(step / 2 % 2)
                     : "memory");
}
#else
__device__ static void prepare_exchange(narrow_block *)
{
}

template <typename Cluster>
__device__ static void exchange(const Cluster &cluster, narrow_block *b, unsigned into,
                                unsigned step)
{
    const unsigned t = threadIdx.x;
    __syncthreads();
    if (t < cluster.num_blocks())
        *cluster.map_shared_rank(&b->of[step % 2][cluster.block_rank()], t) = b->found[into];
    cluster.sync();
}
#endif

/* ---- steps ------------------------------------------------------------------------------- */

/* Neighbours of u. What does not fit into the block's list goes into the queue. */
template <int COUNT>
__device__ static void offer(const cuda_persistent &s, narrow_block *b, unsigned into, uint32_t u,
                             const uint32_t (&v)[COUNT], uint32_t step)
{
    uint32_t old[COUNT];
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        old[k] = v[k] == CUDA_NOWHERE ? ~0u : atomicOr(s.visited + v[k] / 32, 1u << v[k] % 32);
#pragma unroll
    for (int k = 0; k < COUNT; k++) {
        if (old[k] >> v[k] % 32 & 1)
            continue;
        asm volatile("prefetch.global.L2 [%0];" ::"l"(s.graph.four + v[k])); /* for the next step */
        if (s.from)
            s.from[v[k]] = u;
        if (s.depth)
            s.depth[v[k]] = step;
        unsigned at = atomicAdd(&b->found[into].vertices, 1u);
        if (at < NARROW_LIST)
            b->vertex[into][at] = v[k];
        else
            s.queue[atomicAdd(&s.standing->tail, 1ull)] = v[k];
    }
}

/* The number of the four with the rest of a row, or CUDA_NOWHERE: the row ends there. */
__device__ static uint32_t rest_of(const uint4 &row)
{
    return row.w != CUDA_NOWHERE && row.w & NARROW_MORE ? row.w & ~NARROW_MORE : CUDA_NOWHERE;
}

/* One vertex's row. Returns its length. */
__device__ static unsigned visit(const cuda_persistent &s, narrow_block *b, unsigned into,
                                 uint32_t u, uint32_t step)
{
    const uint4 none = {CUDA_NOWHERE, CUDA_NOWHERE, CUDA_NOWHERE, CUDA_NOWHERE};
    uint4 row = __ldg(s.graph.four + u);
    uint32_t rest = rest_of(row);
    uint4 more = rest != CUDA_NOWHERE ? __ldg(s.graph.four + rest) : none;
    const uint32_t first[7] = {row.x,
                               row.y,
                               row.z,
                               rest != CUDA_NOWHERE ? more.x : row.w,
                               more.y,
                               more.z,
                               rest_of(more) != CUDA_NOWHERE ? CUDA_NOWHERE : more.w};
    unsigned length = 0;
#pragma unroll
    for (int k = 0; k < 7; k++)
        length += first[k] != CUDA_NOWHERE;
    offer(s, b, into, u, first, step);
    for (rest = rest_of(more); rest != CUDA_NOWHERE; rest = rest_of(row)) {
        row = __ldg(s.graph.four + rest);
        const uint32_t v[4] = {row.x, row.y, row.z,
                               rest_of(row) != CUDA_NOWHERE ? CUDA_NOWHERE : row.w};
        length += (v[0] != CUDA_NOWHERE) + (v[1] != CUDA_NOWHERE) + (v[2] != CUDA_NOWHERE) +
                  (v[3] != CUDA_NOWHERE);
        offer(s, b, into, u, v, step);
    }
    return length;
}

/* Of `all` in equal shares, what begins with that of block `rank`. */
__device__ static unsigned share(unsigned all, unsigned rank, unsigned size)
{
    return (unsigned)((count_t)all * rank / size);
}

/* Vertex k of all that the blocks hold together. */
template <typename Cluster>
__device__ static uint32_t vertex_of(const Cluster &cluster, narrow_block *b, unsigned from,
                                     unsigned turn, unsigned k)
{
    unsigned rank = 0;
    while (k >= b->of[turn][rank].vertices)
        k -= b->of[turn][rank++].vertices;
    return *cluster.map_shared_rank(&b->vertex[from][k], rank);
}

/* Equal shares of the frontier, where one block has come to have much more than others.
 * Returns this block's. */
template <typename Cluster>
__device__ static unsigned balance(const Cluster &cluster, narrow_block *b, unsigned from,
                                   unsigned turn, unsigned all)
{
    const unsigned size = cluster.num_blocks(), rank = cluster.block_rank(), t = threadIdx.x;
    const unsigned first = share(all, rank, size), last = share(all, rank + 1, size);
    cluster.sync(); /* the lists are written */
    for (unsigned k = first + t; k < last; k += blockDim.x)
        b->vertex[!from][k - first] = vertex_of(cluster, b, from, turn, k);
    if (t == 0)
        b->found[from] = narrow_count{};
    cluster.sync();
    return last - first;
}

/* The frontier from the queue; it is then empty, for what does not fit here. Returns how many
 * there are, and of those this block's. */
template <typename Cluster>
__device__ static unsigned begin(const cuda_persistent &s, const Cluster &cluster, narrow_block *b,
                                 unsigned *own)
{
    const unsigned size = cluster.num_blocks(), rank = cluster.block_rank(), t = threadIdx.x;
    if (t == 0) {
        b->now = *s.standing;
        prepare_exchange(b);
    }
    if (t < 2) {
        b->found[t] = narrow_count{};
        for (int k = 0; k < NARROW_CLUSTER; k++) /* clusters may be smaller */
            b->of[t][k] = narrow_count{};
    }
    __syncthreads();
    const unsigned all = (unsigned)(b->now.tail - b->now.head);
    const unsigned first = share(all, rank, size), last = share(all, rank + 1, size);
    for (unsigned k = first + t; k < last; k += blockDim.x)
        b->vertex[0][k - first] = __ldcg(s.queue + b->now.head + k);
    *own = last - first;
    cluster.sync();
    if (rank == 0 && t == 0)
        s.standing->tail = 0;
    cluster.sync();
    return all;
}

/* The frontier into the queue, and where the search stands. */
template <typename Cluster>
__device__ static void end(const cuda_persistent &s, const Cluster &cluster, narrow_block *b,
                           unsigned from, unsigned own, unsigned all, unsigned steps, count_t began)
{
    cuda_standing *now = &b->now;
    for (unsigned k = threadIdx.x; k < own && k < NARROW_LIST; k += blockDim.x)
        s.queue[atomicAdd(&s.standing->tail, 1ull)] = b->vertex[from][k];
    cluster.sync();
    if (cluster.block_rank() != 0 || threadIdx.x != 0)
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
                               unsigned step, unsigned frontier, unsigned found, count_t started)
{
    cuda_standing *now = &b->now;
    count_t edges = 0;
    for (unsigned k = 0; k < NARROW_CLUSTER; k++)
        edges += b->of[turn][k].edges;
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
    unsigned own, from = 0, all = begin(s, cluster, b, &own), most = 0;
    const count_t left = s.most - b->now.steps;
    const unsigned bound = left < SEARCH_STEPS ? (unsigned)left : SEARCH_STEPS;
    const bool keeps_account =
        rank == 0 && t == NARROW_THREADS - 1; /* of a warp with little to do */
    unsigned step = 0;
    for (; all > 0 && all <= s.narrow_most && most <= NARROW_LIST && step < bound; step++) {
        const unsigned into = !from, turn = step % 2, before = all;
        unsigned length = 0;
        if (t == 0) /* of the next step, which nobody looks at now */
            b->found[from] = narrow_count{};
        for (unsigned k = t; k < own; k += blockDim.x)
            length += visit(s, b, into, b->vertex[from][k], (uint32_t)b->now.steps + step + 1);
        for (unsigned offset = 16; offset > 0; offset /= 2)
            length += __shfl_down_sync(full_warp, length, offset);
        if (t % 32 == 0 && length)
            atomicAdd(&b->found[into].edges, length);
        exchange(cluster, b, into, step);
        all = most = 0;
#pragma unroll
        for (int k = 0; k < NARROW_CLUSTER; k++) {
            unsigned found = b->of[turn][k].vertices;
            all += found;
            most = max(most, found);
        }
        own = b->of[turn][rank].vertices;
        if (keeps_account) {
            account(s, b, turn, step, before, all, started);
            started = device_clock();
        }
        from = into;
        if (most > NARROW_THREADS / 2 && most <= NARROW_LIST && most > 2 * (all / size) &&
            all <= s.narrow_most) {
            own = balance(cluster, b, from, turn, all);
            from = !from;
            most = 0;
        }
    }
    cluster.sync(); /* all have read the counts */
    end(s, cluster, b, from, own, all, step, began);
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
