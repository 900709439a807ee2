/*
 * Direction-optimising breadth-first search (Beamer, Asanovic, Patterson, SC 2012) as one
 * persistent cooperative launch. Every block executes the same sequence of passes with a grid-wide
 * barrier after each; all blocks derive the next direction from the same counters, so no
 * communication is needed to agree on it.
 *
 * State (bfs_state and bfs_workspace, in device memory)
 *   visited       bitmap, bit v is set once v has a parent
 *   prev_visited  bitmap, visited as it was before the current level
 *   frontier      a list in the queue with a prefix sum of the vertices' degrees, with which push
 * splits the edges evenly; or a bitmap; or, after a push of many edges, implicitly the bitmap
 * visited & ~prev_visited, from which a pass derives the bitmap
 *
 * Launch: BFS_BLOCKS_PER_SM blocks of BFS_THREADS threads per multiprocessor; shared memory: the
 * bits of hubs and each warp's queue of a pull (block_state). Cost: O(edges examined) plus one to
 * three barriers (about 1 us each on an H200) per level.
 */
#include "cuda/search/device/bfs_passes.cuh"
#include "cuda/search/device/pull.cuh"
#include "cuda/search/device/push.cuh"

/* Whether the next level pulls. Executed by one thread per block; every block reads the same
 * counts. */
__device__ static bool next_level_pulls(const bfs_params &s, const bfs_state &now)
{
    if (s.options.direction)
        return s.options.direction == 2;
    const sl_level_counts counts = {
        (double)s.graph.n,          (double)s.graph.edges,  (double)now.frontier,
        (double)now.frontier_edges, (double)now.unvisited,  (double)now.unvisited_edges,
        (double)now.last_frontier,  (double)now.last_edges, now.pulling != 0};
    return sl_next_level_pulls(&counts, &s.options.policy);
}

/* Updates the state after a level that visited so many vertices with so many edges. */
__device__ static void end_level(bfs_state *now, count_t vertices, count_t edges)
{
    now->level++;
    now->recorded++;
    now->entries += vertices;
    now->unvisited = saturating_sub(now->unvisited, vertices);
    now->unvisited_edges = saturating_sub(now->unvisited_edges, edges);
    now->last_frontier = now->frontier;
    now->last_edges = now->frontier_edges;
    now->frontier = vertices;
    now->frontier_edges = edges;
}

/* The frontier's bitmap, and the one of the next level. */
__device__ static uint32_t *frontier_bitmap(const bfs_params &s, const bfs_state &now)
{
    return now.bitmaps_swapped ? s.work.next_frontier : s.work.frontier;
}

__device__ static uint32_t *next_bitmap(const bfs_params &s, const bfs_state &now)
{
    return now.bitmaps_swapped ? s.work.frontier : s.work.next_frontier;
}

template <typename Offset, bool ELL>
__device__ static bfs_counts *pull_level(const bfs_params &s, block_state *b, bfs_counts *counts)
{
    uint32_t *frontier = frontier_bitmap(s, b->now), *next = next_bitmap(s, b->now);
    if (b->now.listed) {
        derive_frontier<Offset>(s, frontier, counts);
        counts = grid_barrier(s, b);
    }
    pull<Offset, ELL>(s, b, frontier, next, counts);
    counts = grid_barrier(s, b);
    if (threadIdx.x == 0) {
        if (b->now.listed)
            b->now.head = b->now.tail;
        b->now.listed = 0;
        b->now.bitmaps_swapped ^= 1;
        end_level(&b->now, b->last.vertices, b->last.edges);
    }
    return counts;
}

/* Up to LIST_EDGES_MAX edges, push appends the vertices it visits to the queue; beyond that the
 * atomics of the queue would cost more than a pass that derives the next frontier's bitmap. */
template <typename Offset>
__device__ static bfs_counts *push_level(const bfs_params &s, block_state *b, bfs_counts *counts)
{
    uint32_t *frontier = frontier_bitmap(s, b->now);
    if (!b->now.listed) {
        list_bitmap<Offset>(s, frontier, s.work.words, b->now.tail, counts);
        counts = grid_barrier(s, b);
        if (threadIdx.x == 0) {
            b->now.listed = 1;
            b->now.head = b->now.tail;
            b->now.tail += listed_vertices(b->last);
            b->now.frontier_edges = b->log.edges = listed_edges(b->last);
        }
        __syncthreads();
    }
    mark_prev_visited(s, b->now);
    if (b->now.frontier_edges <= LIST_EDGES_MAX) {
        push<Offset>(s, b->now, [&](const uint32_t *v, unsigned won) {
            enqueue<Offset>(s, counts, b->now.tail, v, won);
        });
        counts = grid_barrier(s, b);
        if (threadIdx.x == 0) {
            b->now.head = b->now.tail;
            b->now.tail += listed_vertices(b->last);
            end_level(&b->now, listed_vertices(b->last), listed_edges(b->last));
        }
    } else {
        push<Offset>(s, b->now, not_listed());
        counts = grid_barrier(s, b);
        derive_frontier<Offset>(s, frontier, counts);
        counts = grid_barrier(s, b);
        if (threadIdx.x == 0) {
            b->now.head = b->now.tail;
            b->now.listed = 0;
            end_level(&b->now, b->last.vertices, b->last.edges);
        }
    }
    return counts;
}

/* Initialises a search from one vertex. A source in a pruned tree starts at the tree's root, and
 * `level` at its distance from there. */
template <typename Offset>
__device__ static bfs_counts *start_from_source(const bfs_params &s, block_state *b)
{
    clear_bitmaps(s);
    if (threadIdx.x == 0) {
        bfs_state *now = &b->now;
        now->level = height_of(s.graph, s.options.source);
        now->frontier_edges = enqueue_source<Offset>(s, (uint32_t)now->level);
        now->entries = now->tail = now->listed = 1;
        now->frontier = now->frontier_edges > 0;
        now->unvisited = saturating_sub(s.graph.n, 1);
        now->unvisited_edges = saturating_sub(s.graph.edges, now->frontier_edges);
    }
    return grid_barrier(s, b);
}

/* Initialises a search from the caller's bitmaps; sl_closure has checked that the frontier is
 * within pi. */
template <typename Offset>
__device__ static bfs_counts *start_from_bitmap(const bfs_params &s, block_state *b)
{
    clear_bitmaps(s);
    bfs_counts *counts = grid_barrier(s, b);
    read_caller_bitmaps<Offset>(s, counts);
    counts = grid_barrier(s, b);
    if (threadIdx.x == 0) {
        bfs_state *now = &b->now;
        now->entries = b->last.examined;
        now->listed = 1;
        now->tail = now->frontier = listed_vertices(b->last);
        now->frontier_edges = listed_edges(b->last);
        now->unvisited = s.graph.n - b->last.vertices;
        now->unvisited_edges = saturating_sub(s.graph.edges, b->last.edges);
    }
    return counts;
}

/* Takes over from the small-frontier kernel, which maintains neither prev_visited nor bitmaps: sets
 * both from the frontier that it left in the queue. */
template <typename Offset>
__device__ static bfs_counts *resume_from_queue(const bfs_params &s, block_state *b,
                                                bfs_counts *counts)
{
    for (uint64_t w = first_thread(); w < s.work.words; w += all_threads())
        s.work.prev_visited[w] = __ldcg(s.work.visited + w);
    grid_barrier(s, b);
    for (uint64_t k = first_thread(); k < b->now.tail; k += all_threads()) {
        uint32_t v = __ldcg(s.work.queue + k);
        atomicAnd(s.work.prev_visited + v / 32, ~(1u << v % 32));
    }
    counts = grid_barrier(s, b);
    derive_frontier<Offset>(s, frontier_bitmap(s, b->now), counts);
    counts = grid_barrier(s, b);
    if (threadIdx.x == 0) {
        b->now.queue_only = b->now.listed = 0;
        b->now.head = b->now.tail = 0;
        b->now.frontier = b->last.vertices;
        b->now.frontier_edges = b->last.edges;
    }
    return counts;
}

/* Whether the small-frontier kernel does the next level. */
__device__ static bool frontier_is_small(const bfs_params &s, const bfs_state &now)
{
    return s.graph.ell4 && now.listed && !now.pulling &&
           now.frontier <= s.options.small_frontier_max / 4;
}

/* Counts the targets that are visited, after all other passes of a level. */
__device__ static bfs_counts *check_targets(const bfs_params &s, block_state *b, bfs_counts *counts)
{
    count_visited_targets(s, counts);
    counts = grid_barrier(s, b);
    if (threadIdx.x == 0)
        b->now.targets_met = b->now.targets_isolated + b->last.vertices;
    return counts;
}

__device__ static bfs_counts *start_targets(const bfs_params &s, block_state *b, bfs_counts *counts)
{
    map_targets(s, counts);
    counts = grid_barrier(s, b);
    if (threadIdx.x == 0)
        b->now.targets_isolated = b->last.vertices;
    return check_targets(s, b, counts);
}

/* Decides how the search goes on; false: this launch ends. */
__device__ static bool continues(const bfs_params &s, block_state *b)
{
    bfs_state *now = &b->now;
    __syncthreads();
    if (threadIdx.x == 0) {
        now->pulling = next_level_pulls(s, *now);
        now->stop = now->frontier == 0 || now->level >= s.options.max_levels         ? BFS_DONE
                    : s.work.targets && now->targets_met >= s.options.targets_wanted ? BFS_DONE
                    : now->recorded == s.options.levels_per_launch                   ? BFS_LOG_FULL
                    : now->pulling && !s.graph.in_start ? BFS_NEEDS_IN_EDGES
                    : frontier_is_small(s, *now)        ? BFS_SMALL_FRONTIER
                                                        : BFS_CONTINUES;
        b->log = bfs_level{now->frontier, now->frontier_edges, device_clock(), now->pulling};
    }
    __syncthreads();
    return now->stop == BFS_CONTINUES;
}

/* Writes the log entry of the level that has ended. */
__device__ static void log_level(const bfs_params &s, block_state *b)
{
    const bfs_state &now = b->now;
    b->log.nanoseconds = device_clock() - b->log.nanoseconds;
    b->log.edges = b->log.pulled ? b->last.examined : b->log.edges;
    s.work.levels[now.recorded - 1] = b->log;
    if (s.work.pulled && b->log.pulled)
        s.work.pulled[(now.level - 1) / 32] |= 1u << (now.level - 1) % 32;
}

template <typename Offset, bool ELL>
__global__ static void __launch_bounds__(BFS_THREADS, BFS_BLOCKS_PER_SM)
    search(const __grid_constant__ bfs_params s)
{
    __shared__ block_state b;
    bfs_counts *counts;
    if (threadIdx.x == 0) {
        b.now = s.options.resumes ? *s.work.state : bfs_state{};
        b.now.recorded = 0;
    }
    __syncthreads();
    counts = s.options.resumes       ? s.work.counts + b.now.pass % 3
             : s.options.from_source ? start_from_source<Offset>(s, &b)
                                     : start_from_bitmap<Offset>(s, &b);
    __syncthreads();
    if (s.work.targets && !s.options.resumes)
        counts = start_targets(s, &b, counts);
    if (b.now.queue_only && b.now.frontier > 0)
        counts = resume_from_queue<Offset>(s, &b, counts);
    while (continues(s, &b)) {
        counts = b.now.pulling ? pull_level<Offset, ELL>(s, &b, counts)
                               : push_level<Offset>(s, &b, counts);
        if (first_thread() == 0)
            log_level(s, &b);
        if (s.work.targets)
            counts = check_targets(s, &b, counts);
    }
    if (first_thread() == 0) {
        if (b.now.stop == BFS_DONE && (s.result.parent.values || s.result.reached))
            *s.work.state = b.now; /* results.cu reports to the host */
        else
            report_state(s, b.now);
    }
}

typedef void (*search_kernel)(bfs_params);

static search_kernel kernel_for(const cuda_graph *g)
{
    if (g->slot[0])
        return g->wide ? search<uint64_t, true> : search<uint32_t, true>;
    return g->wide ? search<uint64_t, false> : search<uint32_t, false>;
}

cudaError_t sl_cuda_bfs_blocks(unsigned *blocks, const cuda_graph *graph)
{
    int each = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel_for(graph), BFS_THREADS, 0);
    *blocks = cuda_processors() * (unsigned)each;
    return error;
}

cudaError_t sl_cuda_bfs_launch(const bfs_params *s, unsigned blocks)
{
    return launch_cooperative({blocks, BFS_THREADS}, kernel_for(&s->graph), *s);
}
