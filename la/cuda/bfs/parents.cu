/*
 * The least or greatest parents, chosen when a search is over: which of them a vertex has does not
 * change what is found, so the search leaves only the step that found each. A parent stands one
 * step before. Each step's are looked for in the way that the step went: along the rows of its
 * frontier, or, where it pulled, along the columns of what it found. These ascend in the caller's
 * numbers, so that the first parent there is the least and, from the other end, the greatest.
 */
#include "search_push.cuh"

/* The caller's number of v. */
__device__ static uint32_t number_of(const bfs_params &s, uint32_t v)
{
    return s.graph.old_id ? __ldg(s.graph.old_id + v) : v;
}

/* Of two parents the lower key wins; there is none above those of vertices. */
__device__ static uint32_t key_of(const bfs_params &s, uint32_t u)
{
    const uint32_t number = number_of(s, u);
    return s.choice == CUDA_MAX ? ~number - 1 : number;
}

__device__ static long long parent_of(const bfs_params &s, uint32_t key)
{
    return s.choice == CUDA_MAX ? ~(key + 1) : key;
}

/* The step after so many was a pull. */
__device__ static bool pulled_after(const bfs_params &s, uint32_t steps)
{
    return s.pulled[steps / 32] >> steps % 32 & 1;
}

/* ---- what has to be looked at ------------------------------------------------------------- */

/* v's depth; put into the order that is looked at from here on, as Depth, where new_id tells which
 * that is. CUDA_NO_VERTEX is the greatest Depth there. */
template <typename Depth>
__device__ static uint32_t take_depth(const bfs_params &s, const uint32_t *new_id, uint32_t v)
{
    if (!new_id)
        return s.depth[v];
    const uint32_t p = __ldcs(new_id + v), depth = p == CUDA_NO_VERTEX ? CUDA_NO_VERTEX : s.depth[p];
    ((Depth *)s.own_depth)[v] = (Depth)depth;
    return depth;
}

/* The frontiers of all pushes into the queue; who was found by a push has no parent yet, and a
 * fresh search's source has itself. */
template <typename Offset, typename Depth>
__device__ static void list_pushes(const bfs_params &s, const uint32_t *new_id,
                                   bfs_counts *tally)
{
    const uint32_t n = s.graph.n;
    const count_t steps = s.standing->steps;
    for (uint64_t first = first_thread() / 32 * 32; first < n; first += all_threads()) {
        const uint64_t v = first + threadIdx.x % 32;
        const uint32_t depth = v < n ? take_depth<Depth>(s, new_id, v) : CUDA_NO_VERTEX;
        if (depth != CUDA_NO_VERTEX && depth > 0 && !pulled_after(s, depth - 1))
            put_integer(s.parent, number_of(s, v), -1);
        if (depth == 0 && s.fresh)
            put_integer(s.parent, number_of(s, v), s.source);
        const bool pushes = depth < steps && !pulled_after(s, depth);
        const Offset degree = pushes ? degree_of<Offset>(s.graph, v) : 0;
        count_t at, sum;
        if (!__any_sync(full_warp, degree > 0))
            continue;
        reserve(tally, degree > 0, degree, &at, &sum);
        if (degree > 0) {
            s.queue[at] = v;
            s.ends[at] = sum + degree;
        }
    }
}

/* ---- pushes ------------------------------------------------------------------------------- */

/* A parent only moves one way: whoever reads an old one and is no better need not compete. */
template <typename Signed, typename Unsigned>
__device__ static void compete(cuda_choice choice, Signed *at, Signed number)
{
    const Signed old = __ldcg(at);
    if (choice == CUDA_MIN && (Unsigned)number < (Unsigned)old)
        atomicMin((Unsigned *)at, (Unsigned)number); /* -1 is the greatest without a sign */
    if (choice == CUDA_MAX && number > old)
        atomicMax(at, number);
}

__device__ static void offer(const bfs_params &s, uint32_t u, uint32_t v)
{
    const uint32_t at = number_of(s, v);
    const long long number = parent_of(s, key_of(s, u));
    if (s.parent.narrow)
        compete<int, unsigned>(s.choice, (int *)s.parent.values + at, (int)number);
    else
        compete<long long, count_t>(s.choice, (long long *)s.parent.values + at, number);
}

/* The edges of all that is listed: an equal stretch to each warp. */
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
    count_t row = row_by_warp(s.ends, count, first);
    rows_at_hand<Offset> rows = take_rows<Offset>(s, row, count, first);
    uint32_t depth = depths[rows.vertex];
    for (uint32_t e = 0; e < stop;) {
        const uint32_t last = __shfl_sync(full_warp, rows.end, 31);
        if (last <= e) { /* all rows at hand are done with */
            row += 32;
            rows = take_rows<Offset>(s, row, count, first);
            depth = depths[rows.vertex];
            continue;
        }
        const uint32_t until = last < stop ? last : stop;
        uint32_t u[PUSH_AT_ONCE], v[PUSH_AT_ONCE], of[PUSH_AT_ONCE], to[PUSH_AT_ONCE];
#pragma unroll
        for (int i = 0; i < PUSH_AT_ONCE; i++) {
            const uint32_t x = e + 32 * i + lane;
            const unsigned at = lane_of(rows.end, x < until ? x : until - 1);
            const Offset base = __shfl_sync(full_warp, rows.base, at);
            u[i] = __shfl_sync(full_warp, rows.vertex, at);
            of[i] = __shfl_sync(full_warp, depth, at);
            v[i] =
                x < until ? __ldg(column<Offset>(s.graph, s.graph.index, base + x)) : CUDA_NO_VERTEX;
        }
#pragma unroll
        for (int i = 0; i < PUSH_AT_ONCE; i++)
            to[i] = v[i] != CUDA_NO_VERTEX ? depths[v[i]] : CUDA_NO_VERTEX;
#pragma unroll
        for (int i = 0; i < PUSH_AT_ONCE; i++)
            if (to[i] == of[i] + 1)
                offer(s, u[i], v[i]);
        e = until - e < 32 * PUSH_AT_ONCE ? until : e + 32 * PUSH_AT_ONCE;
    }
}

/* ---- pulls -------------------------------------------------------------------------------- */

/* The end of in-edge number k of a row, from the side where the best parents are. */
template <typename Offset>
__device__ static uint32_t in_edge(const bfs_params &s, Offset begin, Offset end, Offset k)
{
    const Offset e = s.choice == CUDA_MAX ? end - 1 - k : begin + k;
    return __ldg(column<Offset>(s.graph, s.graph.in_index, e));
}

/* The lowest key of those of `depth` among a row's in-edges; CUDA_NO_VERTEX for an empty row. Of a
 * long row each lane asks for the help of its warp, in turn. */
template <typename Offset, bool SORTED, typename Depth>
__device__ static uint32_t best_parent(const bfs_params &s, const Depth *depths, Offset begin,
                                       Offset end, uint32_t depth)
{
    const unsigned lane = threadIdx.x % 32;
    const Offset length = end - begin;
    uint32_t best = CUDA_NO_VERTEX;
    Offset k = 0;
    for (; k < PULL_PER_THREAD && k < length && !(SORTED && best != CUDA_NO_VERTEX); k += PULL_BATCH) {
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
    const bool asks = k < length && !(SORTED && best != CUDA_NO_VERTEX);
    for (unsigned rest = __ballot_sync(full_warp, asks); rest; rest &= rest - 1) {
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

/* A vertex that a pull found to a lane. */
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
            put_integer(s.parent, number_of(s, v), parent_of(s, best));
    }
}

/* ---- launches ----------------------------------------------------------------------------- */

template <typename Offset, bool SORTED, typename Depth>
__device__ static void choose(const bfs_params &s, const uint32_t *new_id, const Depth *depths)
{
    bfs_counts *tally = s.tally + TALLIES - 2;
    list_pushes<Offset, Depth>(s, new_id, tally);
    cooperative_groups::this_grid().sync();
    push_parents<Offset>(s, depths, bfs_counts{__ldcg(&tally->listed)});
    pull_parents<Offset, SORTED>(s, depths);
}

/* The search but for its graph, which are the edges to be looked at; new_id: the search's vertices
 * of those, where they are others. SORTED: columns ascend in the caller's numbers. */
template <typename Offset, bool SORTED>
__global__ static void __launch_bounds__(BFS_THREADS, SEARCH_BLOCKS)
    parents(const __grid_constant__ bfs_params s, const uint32_t *new_id)
{
    if (s.standing->stop != BFS_DONE)
        return;
    if (SORTED && new_id && s.standing->steps < UINT8_MAX) /* which caches hold more of */
        choose<Offset, SORTED>(s, new_id, (const uint8_t *)s.own_depth);
    else
        choose<Offset, SORTED>(s, new_id, new_id ? s.own_depth : s.depth);
}

template <typename Offset, bool SORTED>
static cudaError_t launch(const bfs_params *s, const uint32_t *new_id, unsigned multiprocessors,
                          cudaStream_t stream)
{
    void (*const kernel)(bfs_params, const uint32_t *) = parents<Offset, SORTED>;
    void *arguments[] = {(void *)s, (void *)&new_id};
    int each = 0;
    cudaError_t error =
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, BFS_THREADS, 0);
    return error != cudaSuccess
               ? error
               : cudaLaunchCooperativeKernel(kernel, dim3((unsigned)each * multiprocessors),
                                             dim3(BFS_THREADS), arguments, 0, stream);
}

cudaError_t sl_cuda_choose_parents(const bfs_params *s, const cuda_graph *rows,
                                   unsigned multiprocessors, cudaStream_t stream)
{
    bfs_params chosen = *s;
    chosen.graph = *rows;
    if (!rows->old_id)
        return launch<uint64_t, true>(&chosen, s->graph.new_id, multiprocessors, stream);
    return rows->wide ? launch<uint64_t, false>(&chosen, nullptr, multiprocessors, stream)
                      : launch<uint32_t, false>(&chosen, nullptr, multiprocessors, stream);
}
