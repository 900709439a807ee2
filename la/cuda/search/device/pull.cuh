/*
 * Bottom-up level. Each warp takes four 32-bit words of the visited bitmap, that is 128 vertices.
 *   1. For every unvisited vertex, test its first neighbour (ELL slot 0) against the frontier.
 * Groups with few unvisited vertices skip this step and go to 2 at once.
 *   2. Queue the vertices that are still without a parent in shared memory. When 32 are queued, one
 *      per lane, load and test slots 1 to 3 together.
 *   3. Vertices with more neighbours than slots scan the rest of their row, first alone, then with
 *      the whole warp per row.
 * Hub bits (the first words of the frontier bitmap, where high-degree vertices are) are read from
 * shared memory; all other bits from L2. Each vertex has one writer. Only the words of queued
 * vertices, which several lanes may share, and of parent_is_first are updated by atomics.
 */
#ifndef SEMLA_CUDA_PULL_CUH
#define SEMLA_CUDA_PULL_CUH

#include "cuda/search/device/bfs_device.cuh"

/* Flag of a queued vertex: its first neighbour has been tested and is not in the frontier. */
#define TRIED ((uint32_t)1 << 31)

/* Copies the first words of the frontier bitmap, where the hubs are, to shared memory. */
__device__ inline void load_hubs(const bfs_params &s, block_state *b, const uint32_t *frontier)
{
    for (uint32_t w = threadIdx.x; w < s.options.hub_words; w += blockDim.x)
        b->hubs[w] = __ldcg(frontier + w);
    if (threadIdx.x == 0)
        b->hub_limit = 32 * s.options.hub_words;
    __syncthreads();
}

__device__ inline bool in_frontier(const block_state *b, const uint32_t *frontier, uint32_t u)
{
    uint32_t word = u < b->hub_limit ? b->hubs[u / 32] : __ldcg(frontier + u / 32);
    return word >> u % 32 & 1;
}

/* Each lane searches its row index[begin .. end) for a parent: PULL_PER_THREAD edges by itself,
 * four at a time, then the warp scans the remaining long rows together, one after the other. */
template <typename Offset>
__device__ inline bool pull_row(const bfs_params &s, const block_state *b, const uint32_t *frontier,
                                Offset begin, Offset end, uint32_t *parent, unsigned *examined)
{
    const uint32_t *index = s.graph.in_index;
    const unsigned lane = threadIdx.x % 32;
    bool hit = false;
    for (int k = 0; k < PULL_PER_THREAD && !hit && begin < end; k += 4) {
        uint32_t u[4];
#pragma unroll
        for (int i = 0; i < 4; i++)
            u[i] = begin + i < end ? __ldg(column<Offset>(s.graph, index, begin + i)) : UINT32_MAX;
#pragma unroll
        for (int i = 3; i >= 0; i--)
            if (u[i] != UINT32_MAX && in_frontier(b, frontier, u[i])) {
                hit = true;
                *parent = u[i];
            }
        *examined += end - begin < 4 ? end - begin : 4;
        begin = end - begin < 4 ? end : begin + 4;
    }
    for (unsigned rest = __ballot_sync(full_warp, !hit && begin < end); rest; rest &= rest - 1) {
        int helped = __ffs(rest) - 1;
        Offset from = __shfl_sync(full_warp, begin, helped);
        Offset to = __shfl_sync(full_warp, end, helped);
        while (from < to) {
            unsigned now = to - from < 32 ? (unsigned)(to - from) : 32;
            uint32_t u = lane < now ? __ldg(column<Offset>(s.graph, index, from + lane)) : 0;
            unsigned hits = __ballot_sync(full_warp, lane < now && in_frontier(b, frontier, u));
            u = __shfl_sync(full_warp, u, hits ? __ffs(hits) - 1 : 0);
            if (lane == helped) {
                *examined += now;
                hit = hits != 0;
                *parent = u;
            }
            if (hits)
                break;
            from += now;
        }
    }
    return hit;
}

/* Each active lane searches the slots and the row of its queued vertex for a parent. All lanes of
 * the warp take part. */
template <typename Offset, bool ELL>
__device__ inline bool pull_vertex(const bfs_params &s, const block_state *b,
                                   const uint32_t *frontier, bool active, uint32_t queued,
                                   uint32_t *parent, unsigned *examined)
{
    const bool tried = queued & TRIED;
    const uint32_t v = queued & ~TRIED;
    const cuda_graph &g = s.graph;
    const Offset *start = (const Offset *)g.in_start;
    bool hit = false;
    if (ELL) {
        uint32_t u[ELL_SLOTS];
#pragma unroll
        for (int k = 0; k < ELL_SLOTS; k++)
            u[k] =
                active && (k || !tried) && v < g.slot_count[k] ? __ldg(g.slot[k] + v) : UINT32_MAX;
#pragma unroll
        for (int k = ELL_SLOTS - 1; k >= 0; k--) {
            *examined += u[k] != UINT32_MAX;
            if (u[k] != UINT32_MAX && in_frontier(b, frontier, u[k])) {
                hit = true;
                *parent = u[k];
            }
        }
        active = active && !hit && v < g.slot_count[ELL_SLOTS];
    }
    if (!__any_sync(full_warp, active))
        return hit;
    Offset begin = active ? __ldg(start + v) + (ELL ? ELL_SLOTS : 0) : 0;
    Offset end = active ? __ldg(start + v + 1) : 0;
    return pull_row<Offset>(s, b, frontier, begin, end, parent, examined) || hit;
}

/* The bitmaps of a level's frontier and of the next one. */
struct pull_frontiers {
    const uint32_t *now;
    uint32_t *next;
};

/* Up to 32 queued vertices, one per lane. */
struct pull_queue {
    const uint32_t *waiting;
    unsigned count;
};

/* Searches parents for queued vertices. Their words of the next frontier have been written. */
template <typename Offset, bool ELL>
__device__ __forceinline__ void
search_queued(const bfs_params &s, const block_state *b, pull_frontiers frontiers, pull_queue queue,
              unsigned *vertices, count_t *edges, unsigned *examined)
{
    const unsigned lane = threadIdx.x % 32;
    __syncwarp();
    const uint32_t queued = lane < queue.count ? queue.waiting[lane] : 0, v = queued & ~TRIED;
    uint32_t parent = 0;
    if (pull_vertex<Offset, ELL>(s, b, frontiers.now, lane < queue.count, queued, &parent,
                                 examined)) {
        uint32_t bit = 1u << v % 32;
        set_parent(s, v, parent, b->now);
        atomicOr(frontiers.next + v / 32, bit);
        atomicOr(s.work.visited + v / 32, bit);
        ++*vertices;
        *edges += edges_of<Offset>(s.graph, v / 32, bit);
    }
    __syncwarp();
}

/* Appends all unvisited vertices of four words to the queue, slot 0 untested; returns its new
 * length. */
__device__ inline unsigned queue_unvisited(const uint32_t visited[4], uint32_t base,
                                           uint32_t *waiting, unsigned total)
{
    const uint32_t lane = threadIdx.x % 32;
#pragma unroll
    for (int j = 0; j < 4; j++) {
        if (!(visited[j] >> lane & 1))
            waiting[total + __popc(~visited[j] & ((1u << lane) - 1))] = base + 32 * j;
        total += __popc(~visited[j]);
    }
    return total;
}

/* One level. `next` receives the bitmap of the vertices visited in it; all of its words are
 * written. */
template <typename Offset, bool ELL>
__device__ __forceinline__ void pull(const bfs_params &s, block_state *b, const uint32_t *frontier,
                                     uint32_t *next, bfs_counts *counts)
{
    const unsigned lane = threadIdx.x % 32;
    const uint32_t groups = s.work.words / 4, warps = all_threads() / 32;
    uint32_t *waiting = b->waiting[threadIdx.x / 32];
    unsigned total = 0; /* queued vertices */
    unsigned vertices = 0, examined = 0;
    count_t edges = 0;
    load_hubs(s, b, frontier);
    uint4 words = {}; /* the visited words of the warp's next 32 groups, one group per lane */
    unsigned open = 0,
             lacks = 0; /* groups with unvisited vertices; their number in the lane's group */
    uint32_t first = first_thread() / 32;
    while (true) {
        while (!open && first < groups) {
            const uint32_t group = first + lane * warps;
            const bool there = group < groups;
            words = there ? load_group(s.work.visited, group) : uint4{~0u, ~0u, ~0u, ~0u};
            const bool full = (words.x & words.y & words.z & words.w) == ~0u;
            if (there)
                ((uint4 *)s.work.prev_visited)[group] = words;
            if (there && full)
                ((uint4 *)next)[group] = uint4{};
            lacks = GROUP - __popc(words.x) - __popc(words.y) - __popc(words.z) - __popc(words.w);
            open = __ballot_sync(full_warp, !full);
            first += 32 * warps;
        }
        if (!open)
            break;
        const int owner = __ffs(open) - 1;
        const uint32_t group = first - (32 - owner) * warps;
        const uint32_t visited[4] = {
            __shfl_sync(full_warp, words.x, owner), __shfl_sync(full_warp, words.y, owner),
            __shfl_sync(full_warp, words.z, owner), __shfl_sync(full_warp, words.w, owner)};
        const uint32_t base = GROUP * group + lane;
        open &= open - 1;
        if (ELL && __shfl_sync(full_warp, lacks, owner) <= PULL_SPARSE_VERTICES) {
            total = queue_unvisited(visited, base, waiting, total);
            if (lane < 4)
                next[4 * group + lane] = 0;
            for (; total >= 32; total -= 32)
                search_queued<Offset, ELL>(s, b, {frontier, next}, {waiting + total - 32, 32},
                                           &vertices, &edges, &examined);
            continue;
        }
        uint32_t u[4], own = 0, had = 0;
        const bool by_word = s.graph.word_degree;
#pragma unroll
        for (int j = 0; j < 4; j++)
            u[j] = ELL && !(visited[j] >> lane & 1) ? __ldg(s.graph.slot[0] + base + 32 * j)
                                                    : UINT32_MAX;
#pragma unroll
        for (int j = 0; j < 4; j++) {
            uint32_t v = base + 32 * j;
            bool missing = !(visited[j] >> lane & 1);
            bool hit = ELL && missing && in_frontier(b, frontier, u[j]);
            examined += ELL && missing;
            if (hit)
                set_first_parent(s, v, u[j], b->now);
            if (hit && !by_word)
                edges += degree_of<Offset>(s.graph, v);
            uint32_t hits = __ballot_sync(full_warp, hit);
            own = lane == j ? hits : own;
            had = lane == j ? visited[j] : had;
            bool queued = missing && !hit && (!ELL || v < s.graph.slot_count[1]);
            uint32_t wait = __ballot_sync(full_warp, queued);
            if (queued)
                waiting[total + __popc(wait & ((1u << lane) - 1))] = v | TRIED;
            total += __popc(wait);
        }
        if (lane < 4) {
            uint32_t w = 4 * group + lane;
            next[w] = own;
            vertices += __popc(own);
            edges += by_word ? edges_of<Offset>(s.graph, w, own) : 0;
            if (own)
                s.work.visited[w] = had | own;
            if (own && s.work.parent_is_first)
                atomicOr(s.work.parent_is_first + w, own); /* no result: the warp does not wait */
        }
        for (; total >= 32; total -= 32)
            search_queued<Offset, ELL>(s, b, {frontier, next}, {waiting + total - 32, 32},
                                       &vertices, &edges, &examined);
    }
    if (total)
        search_queued<Offset, ELL>(s, b, {frontier, next}, {waiting, total}, &vertices, &edges,
                                   &examined);
    add_to_counts(counts, vertices, edges, examined);
}

#endif
