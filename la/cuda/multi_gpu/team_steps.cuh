/* Private to team_search.cu: where a search by several devices begins, and its steps. */
#ifndef SEMLA_CUDA_TEAM_STEPS_CUH
#define SEMLA_CUDA_TEAM_STEPS_CUH

#include "pull.cuh"
#include "push.cuh"
#include "team_exchange.cuh"

/* ---- the beginning ----------------------------------------------------------------------------
 */

/* pi is visited; q is what was found last. Tallies as begin()'s, of q those of `listed`. */
template <typename Offset>
__device__ inline void begin_part(const group_bfs_params &s, bfs_counts *tally)
{
    const bfs_params &own = s.own;
    const cuda_graph &g = own.graph;
    const Offset *in = (const Offset *)g.in_start;
    const uint32_t words = (g.callers + 31) / 32;
    count_t vertices = 0, edges = 0, entries = 0;
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        uint32_t settled = own.result.pi[w], starts_here = own.options.frontier[w];
        entries += __popc(settled) + ((count_t)__popc(starts_here & ~settled) << ENTRY_BITS);
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
            uint32_t u = s.id[32 * w + __ffs(left) - 1];
            if (u == CUDA_NO_VERTEX) {
                atomicAdd(&s.standing->own.part[COUNT_ISOLATED], 1ull);
                continue;
            }
            uint32_t p = u / GROUP_LINE / s.size * GROUP_LINE + u % GROUP_LINE;
            atomicOr(own.work.next_frontier + p / 32, 1u << p % 32);
            count_t degree = p < g.n ? in[p + 1] - in[p] : 0;
            atomicAdd(&tally->listed, ((count_t)1 << LIST_EDGE_BITS) + degree);
        }
    }
    add_to_counts(tally, vertices, edges, entries);
}

template <typename Offset>
__device__ inline bfs_counts *start(const group_bfs_params &s, team_state *t)
{
    clear_bitmaps(s.own);
    for (uint64_t w = first_thread(); w < s.own.work.words; w += all_threads())
        s.own.work.next_frontier[w] = 0;
    bfs_counts *tally = grid_barrier(s.own, &t->b);
    begin_part<Offset>(s, tally);
    tally = grid_barrier(s.own, &t->b);
    if (threadIdx.x == 0) {
        const count_t entries = ((count_t)1 << ENTRY_BITS) - 1;
        const bfs_counts &last = t->b.last;
        t->b.now.entries = last.examined & entries;
        t->t.began = device_clock();
        t->b.now.unvisited = s.vertices;
        t->b.now.unvisited_edges = s.edges;
        t->t.own.part[COUNT_VERTICES] = listed_vertices(last);
        t->t.own.part[COUNT_EDGES] = listed_edges(last);
        t->t.own.part[COUNT_SETTLED] = last.vertices;
        t->t.own.part[COUNT_SETTLED_EDGES] = last.edges;
        t->t.own.part[COUNT_OUTSIDE] = last.examined >> ENTRY_BITS;
        t->t.own.part[COUNT_ISOLATED] = __ldcg(&s.standing->own.part[COUNT_ISOLATED]);
    }
    return tally;
}

/* ---- steps ---------------------------------------------------------------------------------- */

template <typename Offset, bool SLOTTED>
__device__ inline bfs_counts *pull_step(const group_bfs_params &s, team_state *t, bfs_counts *tally)
{
    pull<Offset, SLOTTED>(s.own, &t->b, frontier_of(s, t), s.own.work.next_frontier, tally);
    tally = grid_barrier(s.own, &t->b);
    if (threadIdx.x == 0)
        t->t.own.part[COUNT_EXAMINED] = t->b.last.examined;
    return tally;
}

/* What has been queued is pushed from. */
template <typename Offset>
__device__ inline bfs_counts *push_queue(const group_bfs_params &s, team_state *t)
{
    bfs_counts *tally = grid_barrier(s.own, &t->b);
    if (threadIdx.x == 0) {
        t->b.now.head = 0;
        t->b.now.tail = listed_vertices(t->b.last);
        t->b.now.frontier_edges = listed_edges(t->b.last);
        t->t.own.part[COUNT_EXAMINED] += t->b.now.frontier_edges;
    }
    __syncthreads();
    push<Offset, false>(s.own, t->b.now, tally);
    return grid_barrier(s.own, &t->b);
}

/* What a push of few edges has found: it goes out as it is, and where the host carries data as
 * bits too. */
template <typename Offset>
__device__ inline void derive_and_post(const group_bfs_params &s, const team_state *t,
                                       bfs_counts *tally)
{
    const uint32_t words = s.own.work.words;
    count_t vertices = 0, edges = 0;
    for (uint64_t first = first_thread() / 32 * 32; first < words; first += all_threads()) {
        uint64_t w = first + threadIdx.x % 32;
        uint32_t bits = w < words ? __ldcg(s.own.work.visited + w) & ~__ldcg(s.own.work.prev_visited + w) : 0;
        count_t at, sum;
        if (!s.direct && w < words)
            s.own.work.next_frontier[w] = bits;
        if (!__any_sync(full_warp, bits))
            continue;
        reserve(tally, __popc(bits), 0, &at, &sum);
        post(s, t, w, bits, at);
        vertices += __popc(bits);
        edges += edges_of<Offset>(s.own.graph, w, bits);
    }
    add_to_counts(tally, vertices, edges, 0);
}

/* Of lists that are on their way the own one first: the others are copied meanwhile. */
template <typename Offset>
__device__ inline bfs_counts *push_step(const group_bfs_params &s, team_state *t, bfs_counts *tally)
{
    const bool listed = lists(s, t) == s.size, apart = listed && s.arriving && s.size > 1;
    for (uint64_t g = first_thread(); g < s.own.work.words / 4; g += all_threads())
        ((uint4 *)s.own.work.prev_visited)[g] = load_group(s.own.work.visited, g);
    if (threadIdx.x == 0)
        t->t.own.part[COUNT_EXAMINED] = 0;
    if (apart) {
        queue_listed<Offset>(s, t, 0, 1, tally);
        tally = push_queue<Offset>(s, t);
    }
    if (listed)
        queue_listed<Offset>(s, t, apart, s.size, tally);
    else
        list_bitmap<Offset>(s.own, frontier_of(s, t), s.block.words, 0, tally);
    tally = push_queue<Offset>(s, t);
    if (threadIdx.x == 0)
        t->sent = !s.coded && t->t.own.part[COUNT_EXAMINED] <= s.most_listed;
    __syncthreads();
    if (t->sent)
        derive_and_post<Offset>(s, t, tally);
    else
        derive_frontier<Offset>(s.own, s.own.work.next_frontier, tally);
    return turn_sent(s, t);
}

template <typename Offset, bool SLOTTED>
__device__ inline bfs_counts *step(const group_bfs_params &s, team_state *t, bfs_counts *tally)
{
    if (threadIdx.x == 0)
        t->sent = 0;
    tally =
        t->b.now.pulling ? pull_step<Offset, SLOTTED>(s, t, tally) : push_step<Offset>(s, t, tally);
    if (threadIdx.x == 0) {
        t->b.now.level++;
        t->b.now.entries += t->b.last.vertices;
        t->t.own.part[COUNT_VERTICES] = t->b.last.vertices;
        t->t.own.part[COUNT_EDGES] = t->b.last.edges;
    }
    return tally;
}

#endif
