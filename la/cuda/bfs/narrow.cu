/*
 * Steps of push on graphs of short rows: while the frontier is small it stays in the blocks'
 * shared memory with its rows, a neighbour to a thread, and a step costs one exchange of counts
 * between the blocks (one block runs narrow levels by itself in Luo, Wong, Hwu, "An Effective GPU
 * Implementation of Breadth-First Search", DAC 2010). The narrowest are a cluster's, whose
 * blocks reach each other soonest; of more vertices each multiprocessor takes some, as what one
 * can have under way is the bound. The rows of what a step found arrive while counts are
 * exchanged.
 */
#include "narrow_visit.cuh"

/* Where a block is. */
struct narrow_place {
    unsigned into;             /* which list what is found goes into */
    unsigned own, before, all; /* vertices: of this block, of those before it, of all */
    unsigned most;             /* of one block */
    bool met;                  /* as many targets as end the search */
};

/* ---- shares ------------------------------------------------------------------------------ */

/* Of `all` in equal shares, what begins with that of block `rank`. */
__device__ static unsigned share(unsigned all, unsigned rank, unsigned size)
{
    return (unsigned)((count_t)all * rank / size);
}

/* The block's share of a frontier in the queue. */
template <typename Team>
__device__ static unsigned take_share(const bfs_params &s, const Team &team, narrow_block *b,
                                      unsigned list, count_t head, unsigned all)
{
    const unsigned first = share(all, team.rank, team.size);
    const unsigned own = share(all, team.rank + 1, team.size) - first;
    for (unsigned k = threadIdx.x; k < own; k += blockDim.x)
        put(s, b, list, k, __ldcg(s.queue + head + first + k), CUDA_NO_VERTEX);
    await_copies();
    return own;
}

/* Equal shares of the frontier, where one block has come to have much more than others. */
template <typename Team>
__device__ static void balance(const bfs_params &s, const Team &team, narrow_block *b,
                               narrow_place *p)
{
    for (unsigned k = threadIdx.x; k < p->own; k += blockDim.x)
        s.queue[p->before + k] = b->vertex[p->into][k];
    team.sync();
    p->own = take_share(s, team, b, !p->into, 0, p->all);
    if (threadIdx.x == 0)
        b->found[p->into] = 0;
    team.sync(); /* before anything is put into the queue */
}

/* What is read without notice stays in the second cache, if it is not too much: visited bits, and
 * rests of rows. Bytes from `at` on, by all threads. */
__device__ static void keep(const void *at, count_t bytes, unsigned first, unsigned all)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    enum { SECTOR = 32 };
    for (count_t k = first; k < bytes / SECTOR; k += all)
        asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"((const char *)at + k * SECTOR));
#endif
}

__device__ static void keep_few(const bfs_params &s, unsigned first, unsigned all)
{
    if (s.words <= SMALL_WORDS)
        keep(s.visited, (count_t)s.words * sizeof *s.visited, first, all);
    if (s.graph.overflow_rows <= ELL4_OVERFLOW_ROWS)
        keep(s.graph.ell4 + s.graph.n, (count_t)s.graph.overflow_rows * sizeof *s.graph.ell4, first, all);
}

/* The frontier from the queue; it is then empty, for what does not fit here. */
template <typename Team>
__device__ static narrow_place begin(const bfs_params &s, const Team &team, narrow_block *b)
{
    const unsigned t = threadIdx.x, first = team.rank * blockDim.x + t;
    narrow_place p = {1, 0, 0, 0, 0, false};
    if (t == 0) {
        b->now = *s.standing;
        b->all_edges = 0;
    }
    if (t < 2)
        b->found[t] = b->edges[t] = 0;
    for (unsigned k = first; k < BFS_LEVELS; k += team.size * blockDim.x)
        s.steps[k] = bfs_level{};
    keep_few(s, first, team.size * blockDim.x);
    __syncthreads();
    p.all = (unsigned)(b->now.tail - b->now.head);
    p.own = take_share(s, team, b, 0, b->now.head, p.all);
    if (first < 4)
        s.tally[first] = bfs_counts{};
    team.sync();
    if (first == 0)
        s.standing->tail = 0;
    team.sync();
    return p;
}

/* ---- accounts ---------------------------------------------------------------------------- */

/* Sums over a warp, for all its lanes. */
__device__ static unsigned sum_of_warp(unsigned x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(full_warp, x);
#else
    for (int offset = 16; offset > 0; offset /= 2)
        x += __shfl_xor_sync(full_warp, x, offset);
    return x;
#endif
}

__device__ static unsigned most_of_warp(unsigned x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_max_sync(full_warp, x);
#else
    for (int offset = 16; offset > 0; offset /= 2)
        x = max(x, __shfl_xor_sync(full_warp, x, offset));
    return x;
#endif
}

/* What all have found, from the counts that came. */
template <typename Team>
__device__ static void add_up(const Team &team, const narrow_counts &counts, unsigned turn,
                              narrow_place *p)
{
    unsigned all = 0, before = 0, most = 0;
    for (unsigned k = threadIdx.x % 32; k < team.size; k += 32) {
        const unsigned number = counts.of[turn][k], found = number & ~SMALL_MET;
        all += number; /* of which one at most has that bit */
        before += k < team.rank ? found : 0;
        most = max(most, found);
    }
    all = sum_of_warp(all);
    p->met = all & SMALL_MET;
    p->all = all & ~SMALL_MET;
    p->before = sum_of_warp(before);
    p->most = most_of_warp(most);
    p->own = counts.of[turn][team.rank] & ~SMALL_MET;
}

/* What a step has found, for the end and for the log. */
__device__ static void account(const bfs_params &s, bfs_state *now, unsigned step,
                               unsigned frontier, unsigned found, count_t *started)
{
    const count_t ended = device_clock();
    s.steps[step].frontier = frontier;
    s.steps[step].nanoseconds = ended - *started;
    *started = ended;
    if (step < STATE_LEVELS)
        now->few[step] = found;
    now->entries += found;
    now->missing = less(now->missing, found);
}

/* The block's edges of a step into the log, by one thread when all have added theirs. */
__device__ static void log_edges(const bfs_params &s, narrow_block *b, unsigned step)
{
    const unsigned edges = b->edges[step % 2];
    b->edges[step % 2] = 0;
    b->all_edges += edges;
    if (edges)
        atomicAdd(&s.steps[step].edges, (unsigned long long)edges);
}

/* A thread's edges of this step to the block's, while counts are on their way. */
__device__ static void add_edges(const bfs_params &s, narrow_block *b, unsigned step,
                                 unsigned edges)
{
    const unsigned sum = sum_of_warp(edges);
    if (threadIdx.x % 32 == 0 && sum)
        atomicAdd(&b->edges[step % 2], sum);
    if (threadIdx.x == SMALL_THREADS - 1 && step > 0)
        log_edges(s, b, step - 1);
}

/* The frontier into the queue, and where the search stands. */
template <typename Team>
__device__ static void end(const bfs_params &s, const Team &team, narrow_block *b,
                           const narrow_place &p, unsigned steps, count_t began)
{
    bfs_state *now = &b->now;
    for (unsigned k = threadIdx.x; k < p.own && k < SMALL_LIST; k += blockDim.x)
        s.queue[atomicAdd(&s.standing->tail, 1ull)] = b->vertex[!p.into][k];
    if (threadIdx.x == 0 && steps > 0) {
        log_edges(s, b, steps - 1);
        atomicAdd(&s.tally->seen, b->all_edges);
    }
    team.sync();
    if (team.rank != 0 || threadIdx.x != 0)
        return;
    now->missing_edges = less(now->missing_edges, __ldcg(&s.tally->seen));
    s.tally->seen = 0;
    now->steps += steps;
    now->recorded = steps;
    now->count = p.all;
    now->head = 0;
    now->tail = p.all;
    now->narrowed = 1;
    now->met = __ldcg(&s.standing->met);
    now->stop = p.all == 0 || p.met || now->steps >= s.most ? BFS_DONE
                : steps == BFS_LEVELS                     ? BFS_LOG_FULL
                                                            : BFS_CONTINUES;
    now->searched += device_clock() - began;
    report(s, *now);
}

/* ---- the kernel -------------------------------------------------------------------------- */

/* Steps whose frontiers have more than `least` and up to `most` vertices. */
template <typename Team>
__global__ static void __launch_bounds__(SMALL_THREADS, 1)
    narrow(const __grid_constant__ bfs_params s, unsigned least, unsigned most)
{
    __shared__ narrow_block b;
    const Team team(&b.counts, s.posts);
    const count_t began = device_clock();
    count_t started = began;
    narrow_place p = begin(s, team, &b);
    const count_t left = s.most - b.now.steps;
    const unsigned bound = left < BFS_LEVELS ? (unsigned)left : BFS_LEVELS;
    const uint32_t depth = (uint32_t)b.now.steps + 1;
    const bool keeps_account =
        team.rank == 0 && threadIdx.x == SMALL_THREADS - 1; /* of a warp with little to do */
    unsigned step = 0, former = 0;
    for (; p.all > least && p.all <= most && p.most <= SMALL_LIST && !p.met && step < bound;
         step++) {
        const unsigned frontier = p.all;
        if (threadIdx.x == 0) /* of the next step, which nobody looks at now */
            b.found[!p.into] = 0;
        const unsigned edges = visit_all(s, &b, p.into, p.own, depth + step);
        team.announce(&b.found[p.into], step);
        add_edges(s, &b, step, edges);
        if (keeps_account && step > 0)
            account(s, &b.now, step - 1, former, frontier, &started);
        former = frontier;
        team.await(step);
        add_up(team, b.counts, step % 2, &p);
        if (p.most > SMALL_THREADS / 4 && p.most <= SMALL_LIST && p.all <= most &&
            p.most * team.size > 2 * p.all)
            balance(s, team, &b, &p);
        else
            p.into ^= 1;
    }
    if (keeps_account && step > 0)
        account(s, &b.now, step - 1, former, p.all, &started);
    team.sync(); /* all have read the counts */
    end(s, team, &b, p, step, began);
}

/* ---- launches ----------------------------------------------------------------------- */

/* How large a cluster may be: one block where the code is not for 9.0 or later. */
cudaError_t sl_cuda_small_frontier_blocks(unsigned *blocks)
{
    cudaFuncAttributes code;
    cudaError_t error = cudaFuncGetAttributes(&code, narrow<cluster_team>);
    *blocks = 1;
    if (error != cudaSuccess || code.ptxVersion < 90)
        return error;
    error = cudaFuncSetAttribute(narrow<cluster_team>,
                                 cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (error != cudaSuccess)
        return error;
    int most = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = SMALL_CLUSTER;
    config.blockDim = SMALL_THREADS;
    error = cudaOccupancyMaxPotentialClusterSize(&most, narrow<cluster_team>, &config);
    *blocks = most < SMALL_CLUSTER ? (unsigned)most : SMALL_CLUSTER;
    return error;
}

unsigned sl_cuda_small_frontier_grid(unsigned multiprocessors)
{
    return multiprocessors < SMALL_BLOCKS ? multiprocessors : SMALL_BLOCKS;
}

cudaError_t sl_cuda_small_frontier_launch(const bfs_params *s, uint64_t frontier, unsigned cluster,
                                 unsigned multiprocessors, cudaStream_t stream)
{
    const unsigned together = cluster * SMALL_TOGETHER;
    const bool narrowest = frontier <= together / 2;
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = {};
    config.gridDim = narrowest ? cluster : sl_cuda_small_frontier_grid(multiprocessors);
    config.blockDim = SMALL_THREADS;
    config.stream = stream;
    config.attrs = &attribute;
    if (narrowest) {
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {cluster, 1, 1};
        config.numAttrs = cluster > 1;
        return cudaLaunchKernelEx(&config, narrow<cluster_team>, *s, 0u, together);
    }
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, narrow<grid_team>, *s, together / 4, s->small_frontier_max);
}
