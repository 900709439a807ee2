/*
 * A direction-optimising breadth-first search (Beamer, Asanovic, Patterson, SC 2012) in one
 * launch of as many blocks as the device holds: all blocks go through the same passes with a
 * barrier of the grid after each, and decide alike by the counts that the passes left.
 *
 * `visited` has all that was found, `before` what has been in a frontier. A frontier is
 * listed, with sums of degrees by which a push is shared, or bits; after a push of many
 * edges it is the difference of the two bitmaps.
 */
#include "search_passes.cuh"
#include "search_pull.cuh"
#include "search_push.cuh"

/*
 * Kolganov's change_state (2018, figure 3), `looked` being the edges that the last step looked
 * at: while frontiers grow, from push to pull when these are many, and not back; when they
 * shrink, by the frontier's vertices.
 */
__device__ static bool kolganov_pulls(const bfs_params &s, const bfs_state &now)
{
    const double n = s.graph.n, factor = (double)s.graph.edges / n / 2;
    const double rest = (n - (double)now.count) * factor + n, looked = (double)now.former_edges;
    if (now.count > now.former)
        return now.pulling || looked >= rest / s.policy.alpha;
    return (double)now.count >= rest / (factor * s.policy.beta);
}

/* Pull? Asked of one thread of each block, all of which see the same counts. */
__device__ static bool pulls(const bfs_params &s, const bfs_state &now)
{
    if (s.direction)
        return s.direction == 2;
    double push = (double)now.edges, most = (double)now.missing_edges;
    if (s.policy.alpha > 0)
        return kolganov_pulls(s, now);
    double share = push / (double)s.graph.edges, missing = (double)now.missing;
    double pull = share > 0 && missing / share < most ? missing / share : most;
    return s.policy.weight * (pull + missing + s.graph.n / 64) < push;
}

/* What a step has found. */
__device__ static void account(bfs_state *now, count_t vertices, count_t edges)
{
    if (now->recorded < STATE_LEVELS)
        now->few[now->recorded] = (unsigned)vertices;
    now->steps++;
    now->recorded++;
    now->entries += vertices;
    now->missing = less(now->missing, vertices);
    now->missing_edges = less(now->missing_edges, edges);
    now->former = now->count;
    now->former_edges = now->edges;
    now->count = vertices;
    now->edges = edges;
}

template <typename Offset, bool SLOTTED>
__device__ static bfs_counts *pull_step(const bfs_params &s, block_state *b, bfs_counts *tally)
{
    uint32_t *frontier = b->now.swapped ? s.found : s.frontier;
    uint32_t *found = b->now.swapped ? s.frontier : s.found;
    if (b->now.listed) {
        derive<Offset>(s, frontier, tally);
        tally = turn(s, b);
    }
    pull<Offset, SLOTTED>(s, b, frontier, found, tally);
    tally = turn(s, b);
    if (threadIdx.x == 0) {
        if (b->now.listed)
            b->now.head = b->now.tail;
        b->now.listed = 0;
        b->now.swapped ^= 1;
        account(&b->now, b->last.vertices, b->last.edges);
    }
    return tally;
}

template <typename Offset>
__device__ static bfs_counts *push_step(const bfs_params &s, block_state *b, bfs_counts *tally)
{
    uint32_t *frontier = b->now.swapped ? s.found : s.frontier;
    if (!b->now.listed) {
        list<Offset>(s, frontier, s.words, b->now.tail, tally);
        tally = turn(s, b);
        if (threadIdx.x == 0) {
            b->now.listed = 1;
            b->now.head = b->now.tail;
            b->now.tail += listed_vertices(b->last);
            b->now.edges = b->step.edges = listed_edges(b->last);
        }
        __syncthreads();
    }
    pass_listed(s, b->now);
    if (b->now.edges <= LIST_EDGES) {
        push<Offset, true>(s, b->now, tally);
        tally = turn(s, b);
        if (threadIdx.x == 0) {
            b->now.head = b->now.tail;
            b->now.tail += listed_vertices(b->last);
            account(&b->now, listed_vertices(b->last), listed_edges(b->last));
        }
    } else {
        push<Offset, false>(s, b->now, tally);
        tally = turn(s, b);
        derive<Offset>(s, frontier, tally);
        tally = turn(s, b);
        if (threadIdx.x == 0) {
            b->now.head = b->now.tail;
            b->now.listed = 0;
            account(&b->now, b->last.vertices, b->last.edges);
        }
    }
    return tally;
}

template <typename Offset>
__device__ static bfs_counts *start_fresh(const bfs_params &s, block_state *b)
{
    clear(s);
    if (threadIdx.x == 0) {
        bfs_state *now = &b->now;
        now->steps = height_of(s.graph, s.source);
        now->edges = begin_fresh<Offset>(s, (uint32_t)now->steps);
        now->stop = BFS_DONE;
        now->entries = now->tail = now->listed = 1;
        now->count = now->edges > 0;
        now->missing = less(s.graph.n, 1);
        now->missing_edges = less(s.graph.edges, now->edges);
    }
    return turn(s, b);
}

/* The first frontier; q outside pi is for another way of searching. */
template <typename Offset>
__device__ static bfs_counts *start(const bfs_params &s, block_state *b)
{
    clear(s);
    bfs_counts *tally = turn(s, b);
    begin<Offset>(s, tally);
    tally = turn(s, b);
    if (threadIdx.x == 0) {
        bfs_state *now = &b->now;
        now->stop = b->last.seen >> ENTRY_BITS ? BFS_OUTSIDE : BFS_DONE;
        now->entries = b->last.seen;
        now->listed = 1;
        now->tail = now->count = listed_vertices(b->last);
        now->edges = listed_edges(b->last);
        now->missing = s.graph.n - b->last.vertices;
        now->missing_edges = less(s.graph.edges, b->last.edges);
    }
    return tally;
}

/* The frontier that narrow steps left in the queue becomes bits. */
template <typename Offset>
__device__ static bfs_counts *widen(const bfs_params &s, block_state *b, bfs_counts *tally)
{
    for (uint64_t w = first_thread(); w < s.words; w += all_threads())
        s.before[w] = __ldcg(s.visited + w);
    turn(s, b);
    for (uint64_t k = first_thread(); k < b->now.tail; k += all_threads()) {
        uint32_t v = __ldcg(s.queue + k);
        atomicAnd(s.before + v / 32, ~(1u << v % 32));
    }
    tally = turn(s, b);
    derive<Offset>(s, b->now.swapped ? s.found : s.frontier, tally);
    tally = turn(s, b);
    if (threadIdx.x == 0) {
        b->now.narrowed = b->now.listed = 0;
        b->now.head = b->now.tail = 0;
        b->now.count = b->last.vertices;
        b->now.edges = b->last.edges;
    }
    return tally;
}

/* The next step is one of those that are done apart. */
__device__ static bool narrows(const bfs_params &s, const bfs_state &now)
{
    return s.graph.ell4 && now.listed && !now.pulling && now.count <= s.small_frontier_max / 4;
}

/* How many targets are met, after all others of a step's passes. */
__device__ static bfs_counts *look_at_targets(const bfs_params &s, block_state *b,
                                              bfs_counts *tally)
{
    count_met(s, tally);
    tally = turn(s, b);
    if (threadIdx.x == 0)
        b->now.met = b->now.apart + b->last.vertices;
    return tally;
}

__device__ static bfs_counts *start_targets(const bfs_params &s, block_state *b,
                                            bfs_counts *tally)
{
    aim(s, tally);
    tally = turn(s, b);
    if (threadIdx.x == 0)
        b->now.apart = b->last.vertices;
    return look_at_targets(s, b, tally);
}

/* Decides about the next step; false: there is none in this launch. */
__device__ static bool goes_on(const bfs_params &s, block_state *b)
{
    bfs_state *now = &b->now;
    __syncthreads();
    if (threadIdx.x == 0) {
        now->pulling = pulls(s, *now);
        now->stop = now->stop == BFS_OUTSIDE                 ? BFS_OUTSIDE
                    : now->count == 0 || now->steps >= s.most ? BFS_DONE
                    : s.aims && now->met >= s.goal            ? BFS_DONE
                    : now->recorded == s.at_once              ? BFS_LOG_FULL
                    : now->pulling && !s.graph.in_start       ? BFS_NEEDS_IN_EDGES
                    : narrows(s, *now)                        ? BFS_SMALL_FRONTIER
                                                              : BFS_CONTINUES;
        b->step = bfs_level{now->count, now->edges, device_clock(), now->pulling};
    }
    __syncthreads();
    return now->stop == BFS_CONTINUES;
}

template <typename Offset, bool SLOTTED>
__global__ static void __launch_bounds__(BFS_THREADS, SEARCH_BLOCKS)
    search(const __grid_constant__ bfs_params s)
{
    __shared__ block_state b;
    bfs_counts *tally;
    if (threadIdx.x == 0) {
        b.began = device_clock();
        b.now = s.resumes ? *s.standing : bfs_state{};
        b.now.recorded = 0;
    }
    __syncthreads();
    tally = s.resumes ? s.tally + b.now.pass % 3
            : s.fresh ? start_fresh<Offset>(s, &b)
                      : start<Offset>(s, &b);
    __syncthreads();
    if (s.aims && !s.resumes)
        tally = start_targets(s, &b, tally);
    if (b.now.narrowed && b.now.count > 0)
        tally = widen<Offset>(s, &b, tally);
    while (goes_on(s, &b)) {
        tally = b.now.pulling ? pull_step<Offset, SLOTTED>(s, &b, tally)
                              : push_step<Offset>(s, &b, tally);
        if (first_thread() == 0) {
            b.step.edges = b.step.pulled ? b.last.seen : b.step.edges;
            b.step.nanoseconds = device_clock() - b.step.nanoseconds;
            s.steps[b.now.recorded - 1] = b.step;
            if (s.pulled && b.step.pulled)
                s.pulled[(b.now.steps - 1) / 32] |= 1u << (b.now.steps - 1) % 32;
        }
        if (s.aims)
            tally = look_at_targets(s, &b, tally);
    }
    if (first_thread() == 0) {
        b.now.searched += device_clock() - b.began;
        if (b.now.stop == BFS_DONE && (s.parent.values || s.truth)) /* finish.cu reports */
            *s.standing = b.now;
        else
            report(s, b.now);
    }
}

typedef void (*search_kernel)(bfs_params);

static search_kernel kernel_for(const cuda_graph *g)
{
    if (g->slot[0])
        return g->wide ? search<uint64_t, true> : search<uint32_t, true>;
    return g->wide ? search<uint64_t, false> : search<uint32_t, false>;
}

cudaError_t sl_cuda_bfs_blocks(unsigned *blocks, const cuda_graph *graph,
                                  unsigned multiprocessors)
{
    int each = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel_for(graph), BFS_THREADS, 0);
    *blocks = multiprocessors * (unsigned)each;
    return error;
}

cudaError_t sl_cuda_bfs_launch(const bfs_params *s, unsigned blocks,
                                      cudaStream_t stream)
{
    void *arguments[] = {(void *)s};
    return cudaLaunchCooperativeKernel(kernel_for(&s->graph), dim3(blocks), dim3(BFS_THREADS),
                                       arguments, 0, stream);
}
