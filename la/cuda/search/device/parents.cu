/*
 * Chooses the least or greatest parents after a search. Which parent a vertex has does not change
 * the levels, so the search records only each vertex's depth, and a parent is any in-neighbour
 * whose depth is one less. Candidates are enumerated in the direction of each level: along the rows
 * of its frontier for a push (all candidates compete by atomics), along the columns of the visited
 * vertices for a pull. If the columns ascend in the caller's ids, the first candidate is the least
 * or, from the other end, the greatest.
 *
 * One cooperative launch of BFS_THREADS threads a block. Cost: O(edges of the pushed frontiers +
 * in-edges of the pulled vertices up to the first candidate).
 */
#include "cuda/search/device/push.cuh"

/* The caller's id of v. */
__device__ static uint32_t old_id_of(const bfs_params &s, uint32_t v)
{
    return s.graph.old_id ? __ldg(s.graph.old_id + v) : v;
}

/* Of two parents the one with the lower key wins; CUDA_NO_VERTEX is above all keys. */
__device__ static uint32_t key_of(const bfs_params &s, uint32_t u)
{
    const uint32_t number = old_id_of(s, u);
    return s.options.choice == CUDA_MAX ? ~number - 1 : number;
}

__device__ static long long parent_of(const bfs_params &s, uint32_t key)
{
    return s.options.choice == CUDA_MAX ? ~(key + 1) : key;
}

/* Whether the level that follows depth `depth` was a pull. */
__device__ static bool pulled_after(const bfs_params &s, uint32_t depth)
{
    return s.work.pulled[depth / 32] >> depth % 32 & 1;
}

/* ---- depths and the list of pushed vertices ------------------------------------------------ */

/* Returns v's depth. If `rows` has other ids than the search, new_id maps them, and the depth is
 * also stored as Depth in caller_depth, where CUDA_NO_VERTEX becomes the greatest Depth. */
template <typename Depth>
__device__ static uint32_t take_depth(const bfs_params &s, const uint32_t *new_id, uint32_t v)
{
    if (!new_id)
        return s.work.depth[v];
    const uint32_t p = __ldcs(new_id + v),
                   depth = p == CUDA_NO_VERTEX ? CUDA_NO_VERTEX : s.work.depth[p];
    ((Depth *)s.work.caller_depth)[v] = (Depth)depth;
    return depth;
}

/* Lists the vertices of all pushed frontiers in the queue. Vertices visited by a push get parent
 * -1, which every candidate beats; the source of a search from one vertex gets itself. */
template <typename Offset, typename Depth>
__device__ static void list_pushes(const bfs_params &s, const uint32_t *new_id, bfs_counts *counts)
{
    const uint32_t n = s.graph.n;
    const count_t steps = s.work.state->level;
    for (uint64_t first = first_thread() / 32 * 32; first < n; first += all_threads()) {
        const uint64_t v = first + threadIdx.x % 32;
        const uint32_t depth = v < n ? take_depth<Depth>(s, new_id, v) : CUDA_NO_VERTEX;
        if (depth != CUDA_NO_VERTEX && depth > 0 && !pulled_after(s, depth - 1))
            put_integer(s.result.parent, old_id_of(s, v), -1);
        if (depth == 0 && s.options.from_source)
            put_integer(s.result.parent, old_id_of(s, v), s.options.source);
        const bool pushes = depth < steps && !pulled_after(s, depth);
        const Offset degree = pushes ? degree_of<Offset>(s.graph, v) : 0;
        count_t at, sum;
        if (!__any_sync(full_warp, degree > 0))
            continue;
        reserve(counts, degree > 0, degree, &at, &sum);
        if (degree > 0) {
            s.work.queue[at] = v;
            s.work.ends[at] = sum + degree;
        }
    }
}

/* ---- pushes ------------------------------------------------------------------------------- */

/* Parents change in one direction only, so a candidate that does not beat the value read before,
 * however old, need not compete. */
template <typename Signed, typename Unsigned>
__device__ static void compete(cuda_choice choice, Signed *at, Signed candidate)
{
    const Signed old = __ldcg(at);
    if (choice == CUDA_MIN && (Unsigned)candidate < (Unsigned)old)
        atomicMin((Unsigned *)at, (Unsigned)candidate); /* -1 is the greatest as unsigned */
    if (choice == CUDA_MAX && candidate > old)
        atomicMax(at, candidate);
}

__device__ static void offer(const bfs_params &s, uint32_t u, uint32_t v)
{
    const uint32_t at = old_id_of(s, v);
    const long long number = parent_of(s, key_of(s, u));
    if (s.result.parent.int32)
        compete<int, unsigned>(s.options.choice, (int *)s.result.parent.values + at, (int)number);
    else
        compete<long long, count_t>(s.options.choice, (long long *)s.result.parent.values + at,
                                    number);
}

/* Examines the edges of all listed vertices, an equal number of consecutive edges per warp. */
template <typename Offset, typename Depth>
__device__ static void push_parents(const bfs_params &s, const Depth *depths,
                                    const bfs_counts &listed)
{
    const unsigned lane = threadIdx.x % 32;
    const count_t count = listed_vertices(listed), edges = listed_edges(listed);
    const count_t warps = all_threads() / 32, share = ((edges + warps - 1) / warps + 31) / 32 * 32;
    const count_t first = first_thread() / 32 * share;
    if (first >= edges)
        return;
    const uint32_t stop = (uint32_t)(first + share < edges ? share : edges - first);
    count_t row = row_by_warp(s.work.ends, count, first);
    warp_rows<Offset> rows = load_rows<Offset>(s, row, count, first);
    uint32_t depth = depths[rows.vertex];
    for (uint32_t e = 0; e < stop;) {
        const uint32_t last = __shfl_sync(full_warp, rows.end, 31);
        if (last <= e) { /* these rows are done */
            row += 32;
            rows = load_rows<Offset>(s, row, count, first);
            depth = depths[rows.vertex];
            continue;
        }
        const uint32_t until = last < stop ? last : stop;
        uint32_t u[PUSH_EDGES_PER_LANE], v[PUSH_EDGES_PER_LANE], of[PUSH_EDGES_PER_LANE],
            to[PUSH_EDGES_PER_LANE];
#pragma unroll
        for (int i = 0; i < PUSH_EDGES_PER_LANE; i++) {
            const uint32_t x = e + 32 * i + lane;
            const unsigned at = lane_of(rows.end, x < until ? x : until - 1);
            const Offset base = __shfl_sync(full_warp, rows.base, at);
            u[i] = __shfl_sync(full_warp, rows.vertex, at);
            of[i] = __shfl_sync(full_warp, depth, at);
            v[i] = x < until ? __ldg(column<Offset>(s.graph, s.graph.index, base + x))
                             : CUDA_NO_VERTEX;
        }
#pragma unroll
        for (int i = 0; i < PUSH_EDGES_PER_LANE; i++)
            to[i] = v[i] != CUDA_NO_VERTEX ? depths[v[i]] : CUDA_NO_VERTEX;
#pragma unroll
        for (int i = 0; i < PUSH_EDGES_PER_LANE; i++)
            if (to[i] == of[i] + 1)
                offer(s, u[i], v[i]);
        e = until - e < 32 * PUSH_EDGES_PER_LANE ? until : e + 32 * PUSH_EDGES_PER_LANE;
    }
}

/* ---- pulls -------------------------------------------------------------------------------- */

/* The k-th in-neighbour of a row, counted from the end where the best parents are. */
template <typename Offset>
__device__ static uint32_t in_edge(const bfs_params &s, Offset begin, Offset end, Offset k)
{
    const Offset e = s.options.choice == CUDA_MAX ? end - 1 - k : begin + k;
    return __ldg(column<Offset>(s.graph, s.graph.in_index, e));
}

/* The lowest key of the in-neighbours of depth `depth` in a row; CUDA_NO_VERTEX for an empty row.
 * Each lane examines PULL_PER_THREAD edges of its row; the warp then examines the rest of long rows
 * together. */
template <typename Offset, bool SORTED, typename Depth>
__device__ static uint32_t best_parent(const bfs_params &s, const Depth *depths, Offset begin,
                                       Offset end, uint32_t depth)
{
    const unsigned lane = threadIdx.x % 32;
    const Offset length = end - begin;
    uint32_t best = CUDA_NO_VERTEX;
    Offset k = 0;
    for (; k < PULL_PER_THREAD && k < length && !(SORTED && best != CUDA_NO_VERTEX);
         k += PULL_BATCH) {
        uint32_t u[PULL_BATCH], of[PULL_BATCH];
#pragma unroll
        for (int i = 0; i < PULL_BATCH; i++)
            u[i] = k + i < length ? in_edge<Offset>(s, begin, end, k + i) : CUDA_NO_VERTEX;
#pragma unroll
        for (int i = 0; i < PULL_BATCH; i++)
            of[i] = u[i] != CUDA_NO_VERTEX ? depths[u[i]] : CUDA_NO_VERTEX;
#pragma unroll
        for (int i = 0; i < PULL_BATCH; i++)
            if (of[i] == depth)
                best = min(best, key_of(s, u[i]));
    }
    const bool unfinished = k < length && !(SORTED && best != CUDA_NO_VERTEX);
    for (unsigned rest = __ballot_sync(full_warp, unfinished); rest; rest &= rest - 1) {
        const int helped = __ffs(rest) - 1;
        const Offset from = __shfl_sync(full_warp, begin, helped);
        const Offset to = __shfl_sync(full_warp, end, helped);
        const uint32_t wanted = __shfl_sync(full_warp, depth, helped);
        uint32_t own = CUDA_NO_VERTEX;
        for (Offset at = PULL_PER_THREAD; at < to - from; at += 32 * PULL_BATCH) {
            uint32_t u[PULL_BATCH];
#pragma unroll
            for (int i = 0; i < PULL_BATCH; i++) {
                const Offset x = at + 32 * i + lane;
                u[i] = x < to - from ? in_edge<Offset>(s, from, to, x) : CUDA_NO_VERTEX;
            }
#pragma unroll
            for (int i = 0; i < PULL_BATCH; i++)
                if (u[i] != CUDA_NO_VERTEX && depths[u[i]] == wanted)
                    own = min(own, key_of(s, u[i]));
            if (SORTED && __any_sync(full_warp, own != CUDA_NO_VERTEX))
                break;
        }
        for (int offset = 16; offset > 0; offset /= 2)
            own = min(own, __shfl_xor_sync(full_warp, own, offset));
        if (lane == helped)
            best = min(best, own);
    }
    return best;
}

/* Chooses the parents of the vertices visited by pulls, a vertex per lane. */
template <typename Offset, bool SORTED, typename Depth>
__device__ static void pull_parents(const bfs_params &s, const Depth *depths)
{
    const Offset *start = (const Offset *)s.graph.in_start;
    const uint32_t n = s.graph.n;
    for (uint64_t first = first_thread() / 32 * 32; first < n; first += all_threads()) {
        const uint64_t v = first + threadIdx.x % 32;
        const Depth none = (Depth)CUDA_NO_VERTEX, depth = v < n ? depths[v] : none;
        const bool wanted = depth != none && depth > 0 && pulled_after(s, depth - 1u);
        if (!__any_sync(full_warp, wanted))
            continue;
        const Offset begin = wanted ? start[v] : 0, end = wanted ? start[v + 1] : 0;
        const uint32_t best = best_parent<Offset, SORTED>(s, depths, begin, end, depth - 1u);
        if (wanted)
            put_integer(s.result.parent, old_id_of(s, v), parent_of(s, best));
    }
}

/* ---- launches ----------------------------------------------------------------------------- */

template <typename Offset, bool SORTED, typename Depth>
__device__ static void choose(const bfs_params &s, const uint32_t *new_id, const Depth *depths)
{
    bfs_counts *counts = s.work.counts + COUNT_SETS - 2;
    list_pushes<Offset, Depth>(s, new_id, counts);
    cooperative_groups::this_grid().sync();
    push_parents<Offset>(s, depths, bfs_counts{__ldcg(&counts->listed)});
    pull_parents<Offset, SORTED>(s, depths);
}

/* s.graph has the edges to examine, s.work the search's results; new_id maps the ids of s.graph to
 * those of the search, or is NULL if they are the same. SORTED: columns ascend in the caller's ids.
 */
template <typename Offset, bool SORTED>
__global__ static void __launch_bounds__(BFS_THREADS, BFS_BLOCKS_PER_SM)
    parents(const __grid_constant__ bfs_params s, const uint32_t *new_id)
{
    if (s.work.state->stop != BFS_DONE)
        return;
    if (SORTED && new_id &&
        s.work.state->level < UINT8_MAX) /* bytes: more of them fit into caches */
        choose<Offset, SORTED>(s, new_id, (const uint8_t *)s.work.caller_depth);
    else
        choose<Offset, SORTED>(s, new_id, new_id ? s.work.caller_depth : s.work.depth);
}

cudaError_t sl_cuda_choose_parents(const bfs_params *s, const cuda_graph *rows)
{
    bfs_params chosen = *s;
    chosen.graph = *rows;
    const auto kernel = !rows->old_id ? parents<uint64_t, true>
                        : rows->wide  ? parents<uint64_t, false>
                                      : parents<uint32_t, false>;
    return launch_resident({BFS_THREADS}, kernel, chosen, rows->old_id ? nullptr : s->graph.new_id);
}
