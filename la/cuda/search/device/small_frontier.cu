/*
 * Push levels with a small frontier, for graphs of short rows, whose searches have thousands of
 * such levels. One launch runs many levels. Each block keeps its part of the frontier and the rows
 * of these vertices in shared memory (a single block runs all levels of a small frontier in Luo,
 * Wong, Hwu, "An Effective GPU Implementation of Breadth-First Search", DAC 2010), and a level
 * costs one exchange of counts between the blocks instead of grid-wide barriers.
 *
 * Launch: the smallest frontiers by one cluster of up to SMALL_CLUSTER blocks, which exchange
 * counts through distributed shared memory; larger ones by a cooperative grid of one block per
 * multiprocessor, which exchange them through device memory (block_groups.cuh). SMALL_THREADS
 * threads a block; shared memory: small_block. The rows of visited vertices are copied to shared
 * memory while the counts are exchanged (small_frontier_visit.cuh).
 *
 * Neither prev_visited nor the bitmaps of frontiers are maintained: at its end the kernel puts the
 * frontier into the queue, and the search kernel restores the rest (resume_from_queue).
 * Cost of a level: O(frontier edges / threads), at least about 4 us on an H200.
 */
#include "cuda/search/device/small_frontier_visit.cuh"

/* A block's view of the frontier. */
struct small_part {
    unsigned next;             /* which of the two lists receives the next frontier */
    unsigned own, before, all; /* frontier vertices of this block, of lower ranks, of all blocks */
    unsigned largest;          /* frontier vertices of the block that has most */
    bool met;                  /* targets_wanted targets are visited */
};

/* ---- distribution of the frontier over blocks ----------------------------------------------- */

/* The first of the vertices of block `rank`, if `all` are divided equally. */
__device__ static unsigned first_of(unsigned all, unsigned rank, unsigned size)
{
    return (unsigned)((count_t)all * rank / size);
}

/* Copies the block's equal part of the frontier in queue[head ..) to list `list`; returns its size.
 */
template <typename Group>
__device__ static unsigned load_part(const bfs_params &s, const Group &group, small_block *b,
                                     unsigned list, count_t head, unsigned all)
{
    const unsigned first = first_of(all, group.rank, group.size);
    const unsigned own = first_of(all, group.rank + 1, group.size) - first;
    for (unsigned k = threadIdx.x; k < own; k += blockDim.x)
        put(s, b, list, k, __ldcg(s.work.queue + head + first + k), CUDA_NO_VERTEX);
    await_copies();
    return own;
}

/* Redistributes the frontier equally, through the queue. */
template <typename Group>
__device__ static void redistribute(const bfs_params &s, const Group &group, small_block *b,
                                    small_part *p)
{
    for (unsigned k = threadIdx.x; k < p->own; k += blockDim.x)
        s.work.queue[p->before + k] = b->vertex[p->next][k];
    group.sync();
    p->own = load_part(s, group, b, !p->next, 0, p->all);
    if (threadIdx.x == 0)
        b->found[p->next] = 0;
    group.sync(); /* before a block appends to the queue again */
}

/* Marks `bytes` from `at` on as to be kept in L2. By all threads. */
__device__ static void keep_in_l2(const void *at, count_t bytes, unsigned first, unsigned all)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    enum { SECTOR = 32 };
    for (count_t k = first; k < bytes / SECTOR; k += all)
        asm volatile("prefetch.global.L2::evict_last [%0];" ::"l"((const char *)at + k * SECTOR));
#endif
}

/* Keeps the visited bitmap and the overflow rows in L2 if they are small: they are read at random.
 */
__device__ static void keep_random_reads(const bfs_params &s, unsigned first, unsigned all)
{
    if (s.work.words <= SMALL_WORDS)
        keep_in_l2(s.work.visited, (count_t)s.work.words * sizeof *s.work.visited, first, all);
    if (s.graph.overflow_rows <= ELL4_OVERFLOW_ROWS)
        keep_in_l2(s.graph.ell4 + s.graph.n, (count_t)s.graph.overflow_rows * sizeof *s.graph.ell4,
                   first, all);
}

/* Loads the state and the frontier from the queue. The queue is then empty; vertices that do not
 * fit into a block's list will go there. */
template <typename Group>
__device__ static small_part load_frontier(const bfs_params &s, const Group &group, small_block *b)
{
    const unsigned t = threadIdx.x, first = group.rank * blockDim.x + t;
    small_part p = {1, 0, 0, 0, 0, false};
    if (t == 0) {
        b->now = *s.work.state;
        b->all_edges = 0;
    }
    if (t < 2)
        b->found[t] = b->edges[t] = 0;
    for (unsigned k = first; k < BFS_LEVELS; k += group.size * blockDim.x)
        s.work.levels[k] = bfs_level{};
    keep_random_reads(s, first, group.size * blockDim.x);
    __syncthreads();
    p.all = (unsigned)(b->now.tail - b->now.head);
    p.own = load_part(s, group, b, 0, b->now.head, p.all);
    if (first < 4)
        s.work.counts[first] = bfs_counts{};
    group.sync();
    if (first == 0)
        s.work.state->tail = 0;
    group.sync();
    return p;
}

/* ---- counts and log ------------------------------------------------------------------------- */

/* The maximum over a warp, in all lanes. */
__device__ static unsigned max_of_warp(unsigned x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_max_sync(full_warp, x);
#else
    for (int offset = 16; offset > 0; offset /= 2)
        x = max(x, __shfl_xor_sync(full_warp, x, offset));
    return x;
#endif
}

/* Computes the part from the counts of all blocks. */
template <typename Group>
__device__ static void read_counts(const Group &group, const small_counts &counts, unsigned parity,
                                   small_part *p)
{
    unsigned all = 0, before = 0, largest = 0;
    for (unsigned k = threadIdx.x % 32; k < group.size; k += 32) {
        const unsigned number = counts.of[parity][k], found = number & ~SMALL_MET;
        all += number; /* at most one has the bit SMALL_MET */
        before += k < group.rank ? found : 0;
        largest = max(largest, found);
    }
    all = sum_of_warp(all);
    p->met = all & SMALL_MET;
    p->all = all & ~SMALL_MET;
    p->before = sum_of_warp(before);
    p->largest = max_of_warp(largest);
    p->own = counts.of[parity][group.rank] & ~SMALL_MET;
}

/* Logs a level and updates the state; the next frontier has so many vertices. */
__device__ static void end_level(const bfs_params &s, bfs_state *now, unsigned level,
                                 unsigned frontier, unsigned found, count_t *started)
{
    const count_t ended = device_clock();
    s.work.levels[level].frontier = frontier;
    s.work.levels[level].nanoseconds = ended - *started;
    *started = ended;
    now->entries += found;
    now->unvisited = saturating_sub(now->unvisited, found);
}

/* Adds the block's examined edges of a level to the log. By one thread, after all have added
 * theirs. */
__device__ static void log_edges(const bfs_params &s, small_block *b, unsigned level)
{
    const unsigned edges = b->edges[level % 2];
    b->edges[level % 2] = 0;
    b->all_edges += edges;
    if (edges)
        atomicAdd(&s.work.levels[level].edges, (unsigned long long)edges);
}

/* Adds the thread's examined edges of a level to the block's, while the counts are exchanged. */
__device__ static void add_edges(const bfs_params &s, small_block *b, unsigned level,
                                 unsigned edges)
{
    const unsigned sum = sum_of_warp(edges);
    if (threadIdx.x % 32 == 0 && sum)
        atomicAdd(&b->edges[level % 2], sum);
    if (threadIdx.x == SMALL_THREADS - 1 && level > 0)
        log_edges(s, b, level - 1);
}

/* Appends the frontier to the queue and reports the state. */
template <typename Group>
__device__ static void leave(const bfs_params &s, const Group &group, small_block *b,
                             const small_part &p, unsigned levels)
{
    bfs_state *now = &b->now;
    for (unsigned k = threadIdx.x; k < p.own && k < SMALL_LIST; k += blockDim.x)
        s.work.queue[atomicAdd(&s.work.state->tail, 1ull)] = b->vertex[!p.next][k];
    if (threadIdx.x == 0 && levels > 0) {
        log_edges(s, b, levels - 1);
        atomicAdd(&s.work.counts->examined, b->all_edges);
    }
    group.sync();
    if (group.rank != 0 || threadIdx.x != 0)
        return;
    now->unvisited_edges = saturating_sub(now->unvisited_edges, __ldcg(&s.work.counts->examined));
    s.work.counts->examined = 0;
    now->level += levels;
    now->recorded = levels;
    now->frontier = p.all;
    now->head = 0;
    now->tail = p.all;
    now->queue_only = 1;
    now->targets_met = __ldcg(&s.work.state->targets_met);
    now->stop = p.all == 0 || p.met || now->level >= s.options.max_levels ? BFS_DONE
                : levels == BFS_LEVELS                                    ? BFS_LOG_FULL
                                                                          : BFS_CONTINUES;
    report_state(s, *now);
}

/* ---- the kernel -------------------------------------------------------------------------- */

/* Runs levels while the frontier has more than `least` and at most `most` vertices. */
template <typename Group>
__global__ static void __launch_bounds__(SMALL_THREADS, 1)
    small_frontier(const __grid_constant__ bfs_params s, unsigned least, unsigned most)
{
    __shared__ small_block b;
    const Group group(&b.counts, s.work.mailbox);
    count_t started = device_clock();
    small_part p = load_frontier(s, group, &b);
    const count_t left = s.options.max_levels - b.now.level;
    const unsigned bound = left < BFS_LEVELS ? (unsigned)left : BFS_LEVELS;
    const uint32_t depth = (uint32_t)b.now.level + 1;
    const bool logs =
        group.rank == 0 && threadIdx.x == SMALL_THREADS - 1; /* its warp has least to do */
    unsigned level = 0, last = 0;
    for (; p.all > least && p.all <= most && p.largest <= SMALL_LIST && !p.met && level < bound;
         level++) {
        const unsigned frontier = p.all;
        if (threadIdx.x == 0) /* of the next level; not in use now */
            b.found[!p.next] = 0;
        const unsigned edges = visit_all(s, &b, p.next, p.own, depth + level);
        group.announce(&b.found[p.next], level);
        add_edges(s, &b, level, edges);
        if (logs && level > 0)
            end_level(s, &b.now, level - 1, last, frontier, &started);
        last = frontier;
        group.await(level);
        read_counts(group, b.counts, level % 2, &p);
        if (p.largest > SMALL_THREADS / 4 && p.largest <= SMALL_LIST && p.all <= most &&
            p.largest * group.size > 2 * p.all)
            redistribute(s, group, &b, &p);
        else
            p.next ^= 1;
    }
    if (logs && level > 0)
        end_level(s, &b.now, level - 1, last, p.all, &started);
    group.sync(); /* all blocks have read the counts */
    leave(s, group, &b, p, level);
}

/* ---- launches ----------------------------------------------------------------------- */

/* The largest cluster that the device supports; 1 before compute capability 9.0. */
cudaError_t sl_cuda_small_frontier_blocks(unsigned *blocks)
{
    cudaFuncAttributes code;
    cudaError_t error = cudaFuncGetAttributes(&code, small_frontier<cluster_group>);
    *blocks = 1;
    if (error != cudaSuccess || code.ptxVersion < 90)
        return error;
    error = cudaFuncSetAttribute(small_frontier<cluster_group>,
                                 cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    if (error != cudaSuccess)
        return error;
    int most = 0;
    cudaLaunchConfig_t config = {};
    config.gridDim = SMALL_CLUSTER;
    config.blockDim = SMALL_THREADS;
    error = cudaOccupancyMaxPotentialClusterSize(&most, small_frontier<cluster_group>, &config);
    *blocks = most < SMALL_CLUSTER ? (unsigned)most : SMALL_CLUSTER;
    return error;
}

unsigned sl_cuda_small_frontier_grid(void)
{
    return cuda_processors() < SMALL_BLOCKS ? cuda_processors() : SMALL_BLOCKS;
}

cudaError_t sl_cuda_small_frontier_launch(const bfs_params *s, uint64_t frontier, unsigned cluster)
{
    const unsigned together = cluster * SMALL_TOGETHER;
    const bool one_cluster = frontier <= together / 2;
    cudaLaunchAttribute attribute;
    cudaLaunchConfig_t config = {};
    config.gridDim = one_cluster ? cluster : sl_cuda_small_frontier_grid();
    config.blockDim = SMALL_THREADS;
    config.stream = cuda_stream();
    config.attrs = &attribute;
    if (one_cluster) {
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {cluster, 1, 1};
        config.numAttrs = cluster > 1;
        return cudaLaunchKernelEx(&config, small_frontier<cluster_group>, *s, 0u, together);
    }
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, small_frontier<grid_group>, *s, together / 4,
                              s->options.small_frontier_max);
}
