/*
 * Direction-optimising breadth-first search over several devices. Each device has all edges into
 * its own vertices, so that both a push and a pull level update own vertices only and need one
 * thing from the other devices: the frontier, as a bitmap for a pull, as a list for a push. Nothing
 * else is exchanged, as in the expand phase of Bisson, Bernaschi, Mastrostefano ("Parallel
 * distributed breadth first search on the Kepler architecture", 2014) on a grid of one column,
 * where there is nothing to fold. Parents stay with their owners.
 *
 * Devices that can access each other's memory run one cooperative launch each (direct access, as in
 * section 5.2 of Mitsuishi et al. 2016): kernels store the frontier into the other devices' memory,
 * a line at a time, and the step counts that follow are a barrier of all devices, one per level.
 * Otherwise a launch ends with each level, the host exchanges step counts and frontiers, and the
 * next launch continues.
 *
 * Launch: as many blocks of BFS_THREADS threads as fit on the device. Shared memory:
 * group_block_state and what pull and push need. Every block executes the same sequence of passes
 * and derives the same decisions from the same counts.
 */
#include "cuda/search/row/group_levels.cuh"

/* ---- decisions ------------------------------------------------------------------------------ */

__device__ static void record_level(const group_bfs_params &s, group_block_state *t,
                                    count_t frontier, count_t seen)
{
    bfs_state *now = &t->block.now;
    if (first_thread() == 0)
        s.own.work.levels[now->recorded] =
            bfs_level{frontier, seen, device_clock() - t->group.level_start, now->pulling};
    now->recorded++;
}

/* Adds up the ranks' step counts and records the level that has ended. Executed by one thread per
 * block. */
__device__ static void add_counts(const group_bfs_params &s, group_block_state *t)
{
    bfs_state *now = &t->block.now;
    count_t sum[COUNT_PARTS] = {}, most = 0;
    for (uint32_t q = 0; q < s.size; q++) {
        for (int k = 0; k < COUNT_PARTS; k++)
            sum[k] += t->counts[q].count[k];
        count_t found = t->counts[q].count[COUNT_VERTICES];
        most = found > most ? found : most;
    }
    if (now->level > 0) {
        record_level(s, t, now->frontier + (now->level == 1 ? sum[COUNT_ISOLATED] : 0),
                     sum[COUNT_EXAMINED]);
        now->unvisited = saturating_sub(now->unvisited, sum[COUNT_VERTICES]);
        now->unvisited_edges = saturating_sub(now->unvisited_edges, sum[COUNT_EDGES]);
    } else {
        now->unvisited = saturating_sub(now->unvisited, sum[COUNT_SETTLED]);
        now->unvisited_edges = saturating_sub(now->unvisited_edges, sum[COUNT_SETTLED_EDGES]);
        if (sum[COUNT_VERTICES] == 0 && sum[COUNT_ISOLATED] > 0 && s.own.options.max_levels > 0) {
            now->level++; /* a level that finds nothing */
            record_level(s, t, sum[COUNT_ISOLATED], 0);
        }
    }
    now->last_frontier = now->frontier;
    now->last_edges = now->frontier_edges;
    now->frontier = sum[COUNT_VERTICES];
    now->frontier_edges = sum[COUNT_EDGES];
    t->group.max_found = (unsigned)most;
}

/* Whether the next level pulls, by the cost model that all engines share. Frontiers of more than
 * CUDA_SEARCHED_VERTICES vertices are too long for the counts of a push and are pulled. */
__device__ static bool next_level_pulls(const group_bfs_params &s, const bfs_state &now)
{
    if (now.frontier > CUDA_SEARCHED_VERTICES)
        return true;
    if (s.own.options.direction)
        return s.own.options.direction == 2;
    const sl_level_counts counts = {
        (double)s.vertices,         (double)s.edges,        (double)now.frontier,
        (double)now.frontier_edges, (double)now.unvisited,  (double)now.unvisited_edges,
        (double)now.last_frontier,  (double)now.last_edges, now.pulling != 0};
    return sl_next_level_pulls(&counts, &s.own.options.policy);
}

__device__ static void decide(const group_bfs_params &s, group_block_state *t)
{
    bfs_state *now = &t->block.now;
    now->pulling = next_level_pulls(s, *now);
    now->stop = now->frontier == 0 || now->level >= s.own.options.max_levels ? BFS_DONE
                : now->recorded == BFS_LEVELS                                ? BFS_LOG_FULL
                                                                             : BFS_CONTINUES;
    t->group.level_start = device_clock();
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/*
 * Copies a struct word by word, one word per thread: it does not fit into one thread's registers.
 */
template <typename T> __device__ static void copy_words(T *to, const T *from)
{
    static_assert(sizeof *to % sizeof(count_t) == 0, "it is whole words");
    for (unsigned k = threadIdx.x; k < sizeof *to / sizeof(count_t); k += blockDim.x)
        ((count_t *)to)[k] = ((const count_t *)from)[k];
}

/* Writes the state for the next launch and for the host. */
__device__ static void end_launch(const group_bfs_params &s, group_block_state *t,
                                  group_bfs_stage stage)
{
    __syncthreads();
    if (blockIdx.x != 0)
        return;
    copy_words(&t->group.bfs, &t->block.now);
    if (threadIdx.x == 0) {
        const bool lost = *(volatile group_bfs_stage *)&s.state->stage == GROUP_TIMED_OUT;
        t->group.stage = lost ? GROUP_TIMED_OUT : stage;
    }
    __syncthreads();
    copy_words(s.state, &t->group);
    copy_words(s.result, &t->group);
}

/* Adds the bytes that this rank receives in the coming level. */
__device__ static void count_bytes(const group_bfs_params &s, group_block_state *t)
{
    for (uint32_t q = 0; threadIdx.x == 0 && q < s.size; q++) {
        const bool list = is_list(s, t, q);
        if (q != s.rank)
            t->group.bytes[list] +=
                sizeof(uint32_t) * (list ? t->counts[q].count[COUNT_VERTICES] : s.own.work.words);
    }
}

__device__ static void count_time(group_block_state *t, count_t since)
{
    if (threadIdx.x == 0)
        t->group.exchange_ns += device_clock() - since;
    __syncthreads();
}

template <typename Offset, bool SLOTTED>
__global__ static void __launch_bounds__(BFS_THREADS, BFS_BLOCKS_PER_SM)
    group_bfs(const __grid_constant__ group_bfs_params s)
{
    __shared__ group_block_state t;
    copy_words(&t.group, s.state);
    __syncthreads();
    copy_words(&t.block.now, &t.group.bfs);
    __syncthreads();
    if (threadIdx.x == 0)
        t.block.now.recorded = t.sent = t.lost = 0;
    load_counts(s, &t,
                s.state->round + 1); /* for launches that begin with an exchange by the host */
    cooperative_groups::this_grid().sync(); /* before a block that ends writes the state again */
    group_bfs_stage stage = t.group.stage;
    bfs_counts *counts = s.own.work.counts + t.block.now.pass % 3;
    bool come = stage != GROUP_BEGINS; /* the host has exchanged data before this launch */
    if (stage == GROUP_BEGINS) {
        counts = s.own.options.from_source ? begin_from_source<Offset>(s, &t)
                                           : begin_from_bitmaps<Offset>(s, &t);
        counts = send(s, &t, counts);
    }
    for (;;) {
        count_t since = device_clock();
        if (stage != GROUP_DECIDES) {
            if (!s.direct && !come)
                return end_launch(s, &t, GROUP_EXCHANGES);
            if (!device_barrier(s, &t))
                return end_launch(s, &t, GROUP_TIMED_OUT);
            if (threadIdx.x == 0)
                add_counts(s, &t);
            count_time(&t, since);
        }
        if (threadIdx.x == 0)
            decide(s, &t);
        __syncthreads();
        if (t.block.now.stop != BFS_CONTINUES)
            break;
        count_bytes(s, &t);
        counts = level<Offset, SLOTTED>(s, &t, counts);
        since = device_clock();
        counts = send(s, &t, counts);
        count_time(&t, since);
        come = false;
        stage = GROUP_EXCHANGES;
    }
    end_launch(s, &t, GROUP_DECIDES);
}

/* The kernel for the graph's offsets, with or without slots. */
typedef void (*group_kernel)(group_bfs_params);

static group_kernel kernel_for(const cuda_graph *g)
{
    if (g->slot[0])
        return g->wide ? group_bfs<uint64_t, true> : group_bfs<uint32_t, true>;
    return g->wide ? group_bfs<uint64_t, false> : group_bfs<uint32_t, false>;
}

cudaError_t sl_cuda_group_bfs_blocks(unsigned *blocks, const cuda_graph *graph)
{
    int each = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel_for(graph), BFS_THREADS, 0);
    *blocks = cuda_processors() * (unsigned)each;
    return error;
}

cudaError_t sl_cuda_group_bfs_launch(const group_bfs_params *s, unsigned blocks)
{
    return launch_cooperative({blocks, BFS_THREADS}, kernel_for(&s->own.graph), *s);
}
