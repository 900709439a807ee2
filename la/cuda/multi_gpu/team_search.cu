/*
 * A direction-optimising breadth-first search over several devices. Each has all edges into its
 * own vertices, so that both ways of a step look at own targets alone and need one thing of the
 * others: the frontier, as bits for a pull, as a list for a push. It is the only thing that travels
 * (the expand of Bisson, Bernaschi, Mastrostefano 2014, on a grid of one column, where there is
 * nothing to fold: dist/search/team.c makes one of any grid); parents stay with their owners.
 *
 * Between devices that reach each other's memory it is one launch on each (direct access as
 * in Mitsuishi et al. 2016, 5.2): finds are written into the others' memory, a line
 * at a time, and a letter of each tells the others that they are there: ranks meet once in a step.
 * Else a launch ends with each step, the host carries letters and finds, and the next one goes on;
 * of finds that are copied between devices while it begins (5.3 there) it waits for each rank's
 * where it needs them.
 */
#include "team_exchange.cuh"
#include "team_steps.cuh"

/* ---- decisions --------------------------------------------------------------------------------
 */

__device__ static void record_step(const group_bfs_params &s, team_state *t, count_t frontier,
                                   count_t seen)
{
    bfs_state *now = &t->b.now;
    if (first_thread() == 0)
        s.own.work.levels[now->recorded] =
            bfs_level{frontier, seen, device_clock() - t->t.began, now->pulling};
    now->recorded++;
}

/* What everybody found. The step under way is over. */
__device__ static void account(const group_bfs_params &s, team_state *t)
{
    bfs_state *now = &t->b.now;
    count_t sum[COUNT_PARTS] = {}, most = 0;
    for (uint32_t q = 0; q < s.size; q++) {
        for (int k = 0; k < COUNT_PARTS; k++)
            sum[k] += t->of[q].part[k];
        count_t found = t->of[q].part[COUNT_VERTICES];
        most = found > most ? found : most;
    }
    if (now->level > 0) {
        record_step(s, t, now->frontier + (now->level == 1 ? sum[COUNT_ISOLATED] : 0),
                    sum[COUNT_EXAMINED]);
        now->unvisited = saturating_sub(now->unvisited, sum[COUNT_VERTICES]);
        now->unvisited_edges = saturating_sub(now->unvisited_edges, sum[COUNT_EDGES]);
    } else {
        now->unvisited = saturating_sub(now->unvisited, sum[COUNT_SETTLED]);
        now->unvisited_edges = saturating_sub(now->unvisited_edges, sum[COUNT_SETTLED_EDGES]);
        if (sum[COUNT_VERTICES] == 0 && sum[COUNT_ISOLATED] > 0 && s.own.options.max_levels > 0) {
            now->level++; /* which finds nothing */
            record_step(s, t, sum[COUNT_ISOLATED], 0);
        }
    }
    now->last_frontier = now->frontier;
    now->last_edges = now->frontier_edges;
    now->frontier = sum[COUNT_VERTICES];
    now->frontier_edges = sum[COUNT_EDGES];
    now->stop = sum[COUNT_OUTSIDE] ? BFS_OUTSIDE : BFS_CONTINUES;
    t->t.most = (unsigned)most;
}

/* Frontiers of more than CUDA_SEARCHED_VERTICES vertices are too long for the counts of a push. */
__device__ static bool pulls(const group_bfs_params &s, const bfs_state &now)
{
    if (now.frontier > CUDA_SEARCHED_VERTICES)
        return true;
    if (s.own.options.direction)
        return s.own.options.direction == 2;
    const sl_level_counts counts = {(double)s.vertices,
                                    (double)s.edges,
                                    (double)now.frontier,
                                    (double)now.frontier_edges,
                                    (double)now.unvisited,
                                    (double)now.unvisited_edges,
                                    (double)now.last_frontier,
                                    (double)now.last_edges,
                                    now.pulling != 0};
    return sl_next_level_pulls(&counts, &s.own.options.policy);
}

__device__ static void decide(const group_bfs_params &s, team_state *t)
{
    bfs_state *now = &t->b.now;
    if (now->stop == BFS_OUTSIDE)
        return;
    now->pulling = pulls(s, *now);
    now->stop = now->frontier == 0 || now->level >= s.own.options.max_levels ? BFS_DONE
                : now->recorded == BFS_LEVELS             ? BFS_LOG_FULL
                                                            : BFS_CONTINUES;
    t->t.began = device_clock();
}

/* ---- the whole ----------------------------------------------------------------------------------
 */

/* By a word to a thread, as so much does not fit into one's registers. */
template <typename T> __device__ static void copy_words(T *to, const T *from)
{
    static_assert(sizeof *to % sizeof(count_t) == 0, "it is whole words");
    for (unsigned k = threadIdx.x; k < sizeof *to / sizeof(count_t); k += blockDim.x)
        ((count_t *)to)[k] = ((const count_t *)from)[k];
}

__device__ static void leave(const group_bfs_params &s, team_state *t, group_bfs_stage stage)
{
    __syncthreads();
    if (blockIdx.x != 0)
        return;
    copy_words(&t->t.now, &t->b.now);
    if (threadIdx.x == 0) {
        const bool lost = *(volatile group_bfs_stage *)&s.standing->stage == GROUP_TIMED_OUT;
        t->t.stage = lost ? GROUP_TIMED_OUT : stage;
    }
    __syncthreads();
    copy_words(s.standing, &t->t);
    copy_words(s.result, &t->t);
}

__device__ static void note_bytes(const group_bfs_params &s, team_state *t)
{
    for (uint32_t q = 0; threadIdx.x == 0 && !s.coded && q < s.size; q++) {
        const bool list = is_list(s, t, q);
        if (q != s.rank)
            t->t.bytes[list] +=
                sizeof(uint32_t) * (list ? t->of[q].part[COUNT_VERTICES] : s.own.work.words);
    }
}

__device__ static void note_time(team_state *t, count_t since)
{
    if (threadIdx.x == 0)
        t->t.exchanging += device_clock() - since;
    __syncthreads();
}

template <typename Offset, bool SLOTTED>
__global__ static void __launch_bounds__(BFS_THREADS, SEARCH_BLOCKS)
    team_search(const __grid_constant__ group_bfs_params s)
{
    __shared__ team_state t;
    copy_words(&t.t, s.standing);
    __syncthreads();
    copy_words(&t.b.now, &t.t.now);
    __syncthreads();
    if (threadIdx.x == 0)
        t.b.now.recorded = t.sent = t.lost = 0;
    take_letter(s, &t, s.standing->round + 1); /* for a launch that has none to wait for */
    cooperative_groups::this_grid().sync();    /* before a block that leaves writes them anew */
    group_bfs_stage stage = t.t.stage;
    bfs_counts *tally = s.own.work.counts + t.b.now.pass % 3;
    bool come = stage != GROUP_BEGINS; /* what the host was to bring */
    if (stage == GROUP_BEGINS) {
        tally = start<Offset>(s, &t);
        tally = send(s, &t, tally);
    }
    for (;;) {
        count_t since = device_clock();
        if (stage != GROUP_DECIDES) {
            if (!s.direct && !come)
                return leave(s, &t, GROUP_EXCHANGES);
            if (!meet(s, &t))
                return leave(s, &t, GROUP_TIMED_OUT);
            if (threadIdx.x == 0)
                account(s, &t);
            note_time(&t, since);
        }
        if (threadIdx.x == 0)
            decide(s, &t);
        __syncthreads();
        if (t.b.now.stop != BFS_CONTINUES)
            break;
        note_bytes(s, &t);
        tally = step<Offset, SLOTTED>(s, &t, tally);
        since = device_clock();
        tally = send(s, &t, tally);
        note_time(&t, since);
        come = false;
        stage = GROUP_EXCHANGES;
    }
    leave(s, &t, GROUP_DECIDES);
}

typedef void (*team_kernel)(group_bfs_params);

static team_kernel kernel_for(const cuda_graph *g)
{
    if (g->slot[0])
        return g->wide ? team_search<uint64_t, true> : team_search<uint32_t, true>;
    return g->wide ? team_search<uint64_t, false> : team_search<uint32_t, false>;
}

cudaError_t sl_cuda_group_bfs_blocks(unsigned *blocks, const cuda_graph *graph,
                                unsigned multiprocessors)
{
    int each = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel_for(graph), BFS_THREADS, 0);
    *blocks = multiprocessors * (unsigned)each;
    return error;
}

cudaError_t sl_cuda_group_bfs_launch(const group_bfs_params *s, unsigned blocks, cudaStream_t stream)
{
    void *arguments[] = {(void *)s};
    return cudaLaunchCooperativeKernel(kernel_for(&s->own.graph), dim3(blocks),
                                       dim3(BFS_THREADS), arguments, 0, stream);
}
