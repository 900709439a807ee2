/* The beginning of a search by several devices, and its push and pull levels. */
#ifndef SEMLA_CUDA_GROUP_LEVELS_CUH
#define SEMLA_CUDA_GROUP_LEVELS_CUH

#include "group_receive.cuh"
#include "pull.cuh"
#include "push.cuh"

/* ---- the beginning -------------------------------------------------------------------------- */

/* Marks the vertices of pi as visited and those of q as the frontier. Each thread takes words of
 * the caller's bitmaps. Counts: vertices and edges of pi, in `examined` entries of pi and, in
 * `listed`, vertices and edges of q. */
template <typename Offset>
__device__ inline void mark_sources(const group_bfs_params &s, bfs_counts *counts)
{
    const bfs_params &own = s.own;
    const cuda_graph &g = own.graph;
    const Offset *in = (const Offset *)g.in_start;
    const uint32_t words = (g.old_n + 31) / 32;
    count_t vertices = 0, edges = 0, entries = 0;
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        uint32_t settled = own.result.pi[w], starts_here = own.options.frontier[w];
        entries += __popc(settled);
        for (uint32_t left = settled; left; left &= left - 1) {
            uint32_t p = g.new_id[32 * w + __ffs(left) - 1];
            if (p == CUDA_NO_VERTEX)
                continue;
            atomicOr(own.work.visited + p / 32, 1u << p % 32);
            if (own.work.parent)
                own.work.parent[p] = CUDA_NO_VERTEX;
            vertices++;
            edges += in[p + 1] - in[p];
        }
        for (uint32_t left = starts_here; left; left &= left - 1) {
            uint32_t u = s.source_ids[32 * w + __ffs(left) - 1];
            if (u == CUDA_NO_VERTEX) {
                atomicAdd(&s.state->own_counts.count[COUNT_ISOLATED], 1ull);
                continue;
            }
            uint32_t p = u / GROUP_LINE / s.size * GROUP_LINE + u % GROUP_LINE;
            atomicOr(own.work.next_frontier + p / 32, 1u << p % 32);
            count_t degree = p < g.n ? in[p + 1] - in[p] : 0;
            atomicAdd(&counts->listed, ((count_t)1 << LIST_EDGE_BITS) + degree);
        }
    }
    add_to_counts(counts, vertices, edges, entries);
}

template <typename Offset>
__device__ inline bfs_counts *begin_search(const group_bfs_params &s, group_block_state *t)
{
    clear_bitmaps(s.own);
    for (uint64_t w = first_thread(); w < s.own.work.words; w += all_threads())
        s.own.work.next_frontier[w] = 0;
    bfs_counts *counts = grid_barrier(s.own, &t->block);
    mark_sources<Offset>(s, counts);
    counts = grid_barrier(s.own, &t->block);
    if (threadIdx.x == 0) {
        const bfs_counts &last = t->block.last;
        t->block.now.entries = last.examined;
        t->group.level_start = device_clock();
        t->block.now.unvisited = s.vertices;
        t->block.now.unvisited_edges = s.edges;
        t->group.own_counts.count[COUNT_VERTICES] = listed_vertices(last);
        t->group.own_counts.count[COUNT_EDGES] = listed_edges(last);
        t->group.own_counts.count[COUNT_SETTLED] = last.vertices;
        t->group.own_counts.count[COUNT_SETTLED_EDGES] = last.edges;
        t->group.own_counts.count[COUNT_ISOLATED] =
            __ldcg(&s.state->own_counts.count[COUNT_ISOLATED]);
    }
    return counts;
}

/* ---- steps ---------------------------------------------------------------------------------- */

template <typename Offset, bool SLOTTED>
__device__ inline bfs_counts *pull_level(const group_bfs_params &s, group_block_state *t,
                                         bfs_counts *counts)
{
    pull<Offset, SLOTTED>(s.own, &t->block, frontier_bitmap(s, t), s.own.work.next_frontier,
                          counts);
    counts = grid_barrier(s.own, &t->block);
    if (threadIdx.x == 0)
        t->group.own_counts.count[COUNT_EXAMINED] = t->block.last.examined;
    return counts;
}

/* Pushes from the queued vertices. */
template <typename Offset>
__device__ inline bfs_counts *push_queue(const group_bfs_params &s, group_block_state *t)
{
    bfs_counts *counts = grid_barrier(s.own, &t->block);
    if (threadIdx.x == 0) {
        t->block.now.head = 0;
        t->block.now.tail = listed_vertices(t->block.last);
        t->block.now.frontier_edges = listed_edges(t->block.last);
        t->group.own_counts.count[COUNT_EXAMINED] += t->block.now.frontier_edges;
    }
    __syncthreads();
    push<Offset, false>(s.own, t->block.now, counts);
    return grid_barrier(s.own, &t->block);
}

/* Derives the level's new vertices from visited & ~prev_visited and sends them as a list in the
 * same pass. Where the host exchanges data, the bitmap is written too. */
template <typename Offset>
__device__ inline void derive_and_send(const group_bfs_params &s, const group_block_state *t,
                                       bfs_counts *counts)
{
    const uint32_t words = s.own.work.words;
    count_t vertices = 0, edges = 0;
    for (uint64_t first = first_thread() / 32 * 32; first < words; first += all_threads()) {
        uint64_t w = first + threadIdx.x % 32;
        uint32_t bits =
            w < words ? __ldcg(s.own.work.visited + w) & ~__ldcg(s.own.work.prev_visited + w) : 0;
        count_t at, sum;
        if (!s.direct && w < words)
            s.own.work.next_frontier[w] = bits;
        if (!__any_sync(full_warp, bits))
            continue;
        reserve(counts, __popc(bits), 0, &at, &sum);
        write_entries(s, t, w, bits, at);
        vertices += __popc(bits);
        edges += edges_of<Offset>(s.own.graph, w, bits);
    }
    add_to_counts(counts, vertices, edges, 0);
}

/* A push level. If all ranks sent lists that are still in flight, this rank's own list is pushed
 * first, while the others are copied. */
template <typename Offset>
__device__ inline bfs_counts *push_level(const group_bfs_params &s, group_block_state *t,
                                         bfs_counts *counts)
{
    const bool listed = lists(s, t) == s.size, apart = listed && s.copies_in_flight && s.size > 1;
    for (uint64_t g = first_thread(); g < s.own.work.words / 4; g += all_threads())
        ((uint4 *)s.own.work.prev_visited)[g] = load_group(s.own.work.visited, g);
    if (threadIdx.x == 0)
        t->group.own_counts.count[COUNT_EXAMINED] = 0;
    if (apart) {
        queue_lists<Offset>(s, t, 0, 1, counts);
        counts = push_queue<Offset>(s, t);
    }
    if (listed)
        queue_lists<Offset>(s, t, apart, s.size, counts);
    else
        list_bitmap<Offset>(s.own, frontier_bitmap(s, t), s.memory.bitmap_words, 0, counts);
    counts = push_queue<Offset>(s, t);
    if (threadIdx.x == 0)
        t->sent = !s.encoded && t->group.own_counts.count[COUNT_EXAMINED] <= s.list_max;
    __syncthreads();
    if (t->sent)
        derive_and_send<Offset>(s, t, counts);
    else
        derive_frontier<Offset>(s.own, s.own.work.next_frontier, counts);
    return end_send_pass(s, t);
}

template <typename Offset, bool SLOTTED>
__device__ inline bfs_counts *level(const group_bfs_params &s, group_block_state *t,
                                    bfs_counts *counts)
{
    if (threadIdx.x == 0)
        t->sent = 0;
    counts = t->block.now.pulling ? pull_level<Offset, SLOTTED>(s, t, counts)
                                  : push_level<Offset>(s, t, counts);
    if (threadIdx.x == 0) {
        t->block.now.level++;
        t->block.now.entries += t->block.last.vertices;
        t->group.own_counts.count[COUNT_VERTICES] = t->block.last.vertices;
        t->group.own_counts.count[COUNT_EDGES] = t->block.last.edges;
    }
    return counts;
}

#endif
