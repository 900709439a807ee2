/* The beginning of a search by several devices, and its push and pull levels. */
#ifndef SEMLA_CUDA_GROUP_LEVELS_CUH
#define SEMLA_CUDA_GROUP_LEVELS_CUH

#include "cuda/search/device/pull.cuh"
#include "cuda/search/device/push.cuh"
#include "cuda/search/row/group_receive.cuh"

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
            if (p >= g.n)
                continue;
            atomicOr(own.work.visited + p / 32, 1u << p % 32);
            atomicOr(own.work.prev_visited + p / 32, 1u << p % 32);
            if (own.work.parent)
                own.work.parent[p] = CUDA_NO_VERTEX;
            vertices++;
            edges += in[p + 1] - in[p];
        }
        for (uint32_t left = starts_here; left; left &= left - 1) {
            uint32_t p = g.new_id[32 * w + __ffs(left) - 1];
            if (p == CUDA_NO_VERTEX) {
                atomicAdd(&s.state->own_counts.count[COUNT_ISOLATED], 1ull);
                continue;
            }
            atomicOr(own.work.next_frontier + p / 32, 1u << p % 32);
            count_t degree = p < g.n ? in[p + 1] - in[p] : 0;
            atomicAdd(&counts->listed, ((count_t)1 << LIST_EDGE_BITS) + degree);
        }
    }
    add_to_counts(counts, vertices, edges, entries);
}

/* What the ranks tell each other before the first level. By one thread per block. */
__device__ inline void note_beginning(const group_bfs_params &s, group_block_state *t,
                                      count_t entries, const step_counts &own)
{
    t->block.now.entries = entries;
    t->block.now.unvisited = s.vertices;
    t->block.now.unvisited_edges = s.edges;
    t->group.own_counts = own;
    t->group.level_start = device_clock();
}

/* Initialises a search from the caller's bitmaps. */
template <typename Offset>
__device__ inline bfs_counts *begin_from_bitmaps(const group_bfs_params &s, group_block_state *t)
{
    clear_bitmaps(s.own);
    for (uint64_t w = first_thread(); w < s.own.work.words; w += all_threads())
        s.own.work.next_frontier[w] = 0;
    bfs_counts *counts = grid_barrier(s.own, &t->block);
    mark_sources<Offset>(s, counts);
    counts = grid_barrier(s.own, &t->block);
    const bfs_counts &last = t->block.last;
    if (threadIdx.x == 0)
        note_beginning(
            s, t, last.examined,
            step_counts{{listed_vertices(last), listed_edges(last), 0, last.vertices, last.edges,
                         __ldcg(&s.state->own_counts.count[COUNT_ISOLATED])}});
    return counts;
}

/* Initialises a search from one vertex, which one rank has. It is sent in the same pass. */
template <typename Offset>
__device__ inline bfs_counts *begin_from_source(const group_bfs_params &s, group_block_state *t)
{
    const bfs_params &own = s.own;
    const Offset *in = (const Offset *)own.graph.in_start;
    const uint32_t none = CUDA_NO_VERTEX, source = own.options.source;
    const uint32_t p = source != none ? own.graph.new_id[source] : none;
    const uint32_t settled = p < own.graph.n ? p : none;
    clear_bitmaps(own);
    for (uint64_t w = first_thread(); w < own.work.words; w += all_threads())
        own.work.next_frontier[w] = w == p / 32 ? 1u << p % 32 : 0;
    if (first_thread() == 0 && settled != none) { /* write_source writes its entries */
        if (own.work.parent)
            own.work.parent[settled] = none;
        if (own.work.depth)
            own.work.depth[settled] = 0;
    }
    const bool listed = s.list_max > 0;
    if (first_thread() == 0 && listed && p != none)
        write_entries(s, t, p / 32, 1u << p % 32, 0);
    if (threadIdx.x == 0) {
        const count_t edges = settled != none ? in[settled + 1] - in[settled] : 0;
        note_beginning(s, t, source != none,
                       step_counts{{p != none, p != none ? edges : 0, 0, settled != none, edges,
                                    source != none && p == none}});
        t->sent = listed;
    }
    return end_send_pass(s, t);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Ends a level that visited so many vertices with so many edges. By one thread per block. */
__device__ inline void note_found(group_block_state *t, count_t vertices, count_t edges)
{
    t->block.now.level++;
    t->block.now.entries += vertices;
    t->group.own_counts.count[COUNT_VERTICES] = vertices;
    t->group.own_counts.count[COUNT_EDGES] = edges;
}

template <typename Offset, bool SLOTTED>
__device__ inline bfs_counts *pull_level(const group_bfs_params &s, group_block_state *t,
                                         bfs_counts *counts)
{
    const bfs_counts &last = t->block.last;
    pull<Offset, SLOTTED>(s.own, &t->block, frontier_bitmap(s, t), s.own.work.next_frontier,
                          counts);
    counts = grid_barrier(s.own, &t->block);
    if (threadIdx.x == 0) {
        t->group.own_counts.count[COUNT_EXAMINED] = last.examined;
        note_found(t, last.vertices, last.edges);
    }
    return counts;
}

/* Ends the pass that has filled the queue. */
__device__ inline bfs_counts *take_queue(const group_bfs_params &s, group_block_state *t)
{
    bfs_counts *counts = grid_barrier(s.own, &t->block);
    if (threadIdx.x == 0) {
        t->block.now.head = 0;
        t->block.now.tail = listed_vertices(t->block.last);
        t->block.now.frontier_edges = listed_edges(t->block.last);
        t->group.own_counts.count[COUNT_EXAMINED] += t->block.now.frontier_edges;
    }
    __syncthreads();
    return counts;
}

/* Fills the queue with the frontier. */
template <typename Offset>
__device__ inline bfs_counts *queue_frontier(const group_bfs_params &s, group_block_state *t,
                                             bfs_counts *counts)
{
    if (lists(s, t) == s.size) {
        queue_lists<Offset>(s, t, counts);
    } else {
        for (uint64_t g = first_thread(); g < s.own.work.words / 4; g += all_threads())
            ((uint4 *)s.own.work.prev_visited)[g] = load_group(s.own.work.visited, g);
        list_bitmap<Offset>(s.own, frontier_bitmap(s, t), s.memory.bitmap_words, 0, counts);
    }
    return take_queue(s, t);
}

/* A push level. Where kernels write to the other ranks' blocks, the vertices that it visits are sent
 * at once as a list, if its edges are few enough; else a pass derives their bitmap afterwards. */
template <typename Offset>
__device__ inline bfs_counts *push_level(const group_bfs_params &s, group_block_state *t,
                                         bfs_counts *counts)
{
    const bfs_counts &last = t->block.last;
    if (threadIdx.x == 0)
        t->group.own_counts.count[COUNT_EXAMINED] = 0;
    counts = queue_frontier<Offset>(s, t, counts);
    if (threadIdx.x == 0)
        t->sent = s.direct && t->block.now.frontier_edges <= s.list_max;
    __syncthreads();
    if (t->sent) {
        push<Offset>(s.own, t->block.now, [&](const uint32_t *v, unsigned won) {
            send_found<Offset>(s, t, counts, v, won);
        });
        counts = end_send_pass(s, t);
        if (threadIdx.x == 0)
            note_found(t, listed_vertices(last), listed_edges(last));
        return counts;
    }
    push<Offset>(s.own, t->block.now, not_listed());
    counts = grid_barrier(s.own, &t->block);
    derive_frontier<Offset>(s.own, s.own.work.next_frontier, counts);
    counts = grid_barrier(s.own, &t->block);
    if (threadIdx.x == 0)
        note_found(t, last.vertices, last.edges);
    return counts;
}

template <typename Offset, bool SLOTTED>
__device__ inline bfs_counts *level(const group_bfs_params &s, group_block_state *t,
                                    bfs_counts *counts)
{
    if (threadIdx.x == 0)
        t->sent = 0;
    return t->block.now.pulling ? pull_level<Offset, SLOTTED>(s, t, counts)
                                : push_level<Offset>(s, t, counts);
}

#endif
