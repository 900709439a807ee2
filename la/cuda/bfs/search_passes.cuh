/* Passes over bitmaps: what a persistent search begins with, and the frontier from one form
 * to the other. */
#ifndef SEMLA_CUDA_SEARCH_PASSES_CUH
#define SEMLA_CUDA_SEARCH_PASSES_CUH

#include "search.cuh"

/* What a choice of parents looks at afterwards: no step has found anything, and none has pulled. */
__device__ inline void clear_depths(const bfs_params &s, uint32_t source)
{
    const uint32_t n = s.graph.n;
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        s.depth[v] = v == source ? 0 : CUDA_NO_VERTEX;
    for (uint64_t w = first_thread(); w <= n / 32; w += all_threads())
        s.pulled[w] = 0;
}

/* Nothing is visited but a fresh search's source; bits past the last vertex are set, so that
 * nobody looks for those. */
__device__ inline void clear(const bfs_params &s)
{
    const uint32_t words = s.words, n = s.graph.n;
    const uint32_t source = s.fresh ? root_of(s.graph, place_of(s.graph, s.source)) : CUDA_NO_VERTEX;
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        uint32_t none = 32 * w + 32 <= n ? 0 : 32 * w >= n ? ~0u : ~0u << n % 32;
        s.visited[w] = source != CUDA_NO_VERTEX && w == source / 32 ? none | 1u << source % 32 : none;
        s.before[w] = none;
        if (s.by_first)
            s.by_first[w] = 0;
        if (s.aims)
            s.aims[w] = 0;
    }
    if (s.choice != CUDA_ANY)
        clear_depths(s, source);
    if (first_thread() < TALLIES - 1)
        s.tally[first_thread()] = bfs_counts{};
    if (first_thread() == 0 && s.ticket) {
        s.tally[TALLIES - 1] = bfs_counts{};
        *s.ticket = 0;
    }
}

/* The frontier of a fresh search, by a thread of each block; returns its edges. From a vertex of a
 * tree it is the root, `steps` from there. */
template <typename Offset>
__device__ inline count_t begin_fresh(const bfs_params &s, uint32_t steps)
{
    const uint32_t source = root_of(s.graph, place_of(s.graph, s.source));
    if (source == CUDA_NO_VERTEX)
        return 0;
    const count_t edges = degree_of<Offset>(s.graph, source);
    if (blockIdx.x != 0)
        return edges;
    if (s.from)
        s.from[source] = source;
    if (s.depth)
        s.depth[source] = steps;
    s.queue[0] = source;
    s.ends[0] = edges;
    return edges;
}

/* pi is visited, q is the frontier: a word of the caller's to a thread. vertices and edges
 * count what of pi there is here, seen all of it as ENTRY_BITS says. */
template <typename Offset> __device__ inline void begin(const bfs_params &s, bfs_counts *tally)
{
    const cuda_graph &g = s.graph;
    const uint32_t words = (g.old_n + 31) / 32;
    count_t vertices = 0, edges = 0, entries = 0;
    for (uint64_t first = first_thread() / 32 * 32; first < words; first += all_threads()) {
        uint64_t w = first + threadIdx.x % 32;
        uint32_t settled = w < words ? s.pi[w] : 0, starts_here = w < words ? s.q[w] : 0;
        entries += __popc(settled) + ((count_t)__popc(starts_here & ~settled) << ENTRY_BITS);
        if (!__any_sync(full_warp, settled))
            continue;
        count_t degrees = 0, at, sum;
        unsigned count = 0;
        for (uint32_t left = settled; left; left &= left - 1) {
            uint32_t bit = left & (0 - left), v = 32 * w + __ffs(left) - 1;
            uint32_t p = g.new_id ? g.new_id[v] : v;
            if (p == CUDA_NO_VERTEX)
                continue;
            atomicOr(s.visited + p / 32, 1u << p % 32);
            if (s.from)
                s.from[p] = CUDA_NO_VERTEX; /* which finish() leaves alone */
            if (s.depth && (s.choice == CUDA_ANY || starts_here & bit))
                s.depth[p] = 0; /* no step found it */
            vertices++;
            edges += degree_of<Offset>(g, p);
            if (starts_here & bit) {
                count++;
                degrees += degree_of<Offset>(g, p);
            } else {
                atomicOr(s.before + p / 32, 1u << p % 32);
            }
        }
        reserve(tally, count, degrees, &at, &sum);
        for (uint32_t left = settled & starts_here; left; left &= left - 1) {
            uint32_t v = 32 * w + __ffs(left) - 1, p = g.new_id ? g.new_id[v] : v;
            if (p == CUDA_NO_VERTEX)
                continue;
            sum += degree_of<Offset>(g, p);
            s.queue[at] = p;
            s.ends[at++] = sum;
        }
    }
    add_tally(tally, vertices, edges, entries);
}

/* The targets' bits in this order. Counts those that have no new_id and are in pi. */
__device__ inline void aim(const bfs_params &s, bfs_counts *tally)
{
    const cuda_graph &g = s.graph;
    const uint32_t words = (g.old_n + 31) / 32;
    count_t apart = 0;
    for (uint64_t w = first_thread(); w < words; w += all_threads())
        for (uint32_t left = s.targets[w]; left; left &= left - 1) {
            const uint32_t v = 32 * w + __ffs(left) - 1, p = place_of(g, v);
            if (p != CUDA_NO_VERTEX)
                atomicOr(s.aims + p / 32, 1u << p % 32);
            else
                apart += s.fresh ? v == s.source : s.pi[w] >> v % 32 & 1;
        }
    add_tally(tally, apart, 0, 0);
}

/* Counts the targets that are visited. */
__device__ inline void count_met(const bfs_params &s, bfs_counts *tally)
{
    count_t met = 0;
    for (uint64_t w = first_thread(); w < s.words; w += all_threads())
        if (const uint32_t aims = __ldcg(s.aims + w))
            met += __popc(aims & __ldcg(s.visited + w));
    add_tally(tally, met, 0, 0);
}

/* frontier = visited and not before, which is what the last step found. */
template <typename Offset>
__device__ inline void derive(const bfs_params &s, uint32_t *frontier, bfs_counts *tally)
{
    const uint32_t groups = s.words / 4;
    count_t vertices = 0, edges = 0;
    for (uint64_t group = first_thread(); group < groups; group += all_threads()) {
        uint4 visited = four(s.visited, group), before = four(s.before, group);
        uint4 fresh = {visited.x & ~before.x, visited.y & ~before.y, visited.z & ~before.z,
                       visited.w & ~before.w};
        ((uint4 *)frontier)[group] = fresh;
        vertices += __popc(fresh.x) + __popc(fresh.y) + __popc(fresh.z) + __popc(fresh.w);
        edges += edges_of<Offset>(s.graph, 4 * group, fresh.x) +
                 edges_of<Offset>(s.graph, 4 * group + 1, fresh.y) +
                 edges_of<Offset>(s.graph, 4 * group + 2, fresh.z) +
                 edges_of<Offset>(s.graph, 4 * group + 3, fresh.w);
    }
    add_tally(tally, vertices, edges, 0);
}

/* The frontier's bits, so many words of them, into the queue from `tail` on. */
template <typename Offset>
__device__ inline void list(const bfs_params &s, const uint32_t *frontier, uint32_t words,
                            count_t tail, bfs_counts *tally)
{
    for (uint64_t first = first_thread() / 32 * 32; first < words; first += all_threads()) {
        uint64_t w = first + threadIdx.x % 32;
        uint32_t bits = w < words ? __ldcg(frontier + w) : 0;
        if (!__any_sync(full_warp, bits))
            continue;
        count_t degrees = 0, at, sum;
        for (uint32_t left = bits; left; left &= left - 1)
            degrees += degree_of<Offset>(s.graph, 32 * w + __ffs(left) - 1);
        reserve(tally, __popc(bits), degrees, &at, &sum);
        for (uint32_t left = bits; left; left &= left - 1) {
            uint32_t v = 32 * w + __ffs(left) - 1;
            sum += degree_of<Offset>(s.graph, v);
            s.queue[tail + at] = v;
            s.ends[tail + at++] = sum;
        }
    }
}

#endif
