/* Passes over bitmaps: initialisation of a search, targets, and conversion of the frontier between
 * bitmap and list. Each pass is executed by the whole grid and ends with a grid_barrier. */
#ifndef SEMLA_CUDA_BFS_PASSES_CUH
#define SEMLA_CUDA_BFS_PASSES_CUH

#include "cuda/search/device/bfs_device.cuh"

/* Initialises depth and pulled for a search that chooses parents afterwards (parents.cu). */
__device__ inline void clear_depths(const bfs_params &s, uint32_t source)
{
    const uint32_t n = s.graph.n;
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        s.work.depth[v] = v == source ? 0 : CUDA_NO_VERTEX;
    for (uint64_t w = first_thread(); w <= n / 32; w += all_threads())
        s.work.pulled[w] = 0;
}

/* Clears bitmaps and counts. If there is a source, it is visited. Bits beyond the last vertex are
 * set in `visited`, so that no pull looks for parents of them. */
__device__ inline void clear_bitmaps(const bfs_params &s)
{
    const uint32_t words = s.work.words, n = s.graph.n;
    const uint32_t source = s.options.from_source && s.options.source != CUDA_NO_VERTEX
                                ? root_of(s.graph, new_id_of(s.graph, s.options.source))
                                : CUDA_NO_VERTEX;
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        uint32_t none = 32 * w + 32 <= n ? 0 : 32 * w >= n ? ~0u : ~0u << n % 32;
        s.work.visited[w] =
            source != CUDA_NO_VERTEX && w == source / 32 ? none | 1u << source % 32 : none;
        s.work.prev_visited[w] = none;
        if (s.work.parent_is_first)
            s.work.parent_is_first[w] = 0;
        if (s.work.targets)
            s.work.targets[w] = 0;
    }
    if (s.options.choice != CUDA_ANY)
        clear_depths(s, source);
    if (first_thread() < COUNT_SETS - 1)
        s.work.counts[first_thread()] = bfs_counts{};
    if (first_thread() == 0 && s.work.ticket) {
        s.work.counts[COUNT_SETS - 1] = bfs_counts{};
        *s.work.ticket = 0;
    }
}

/* Puts the source, or the root of its pruned tree at level `depth`, into the queue. By one thread
 * of each block; returns its degree, or 0 if it has no edges. */
template <typename Offset>
__device__ inline count_t enqueue_source(const bfs_params &s, uint32_t depth)
{
    const uint32_t source = root_of(s.graph, new_id_of(s.graph, s.options.source));
    if (source == CUDA_NO_VERTEX)
        return 0;
    const count_t edges = degree_of<Offset>(s.graph, source);
    if (blockIdx.x != 0)
        return edges;
    if (s.work.parent)
        s.work.parent[source] = source;
    if (s.work.depth)
        s.work.depth[source] = depth;
    s.work.queue[0] = source;
    s.work.ends[0] = edges;
    return edges;
}

/*
 * Converts the caller's bitmaps to reordered ids: pi becomes visited, the frontier goes into the
 * queue, the rest of pi into prev_visited. One word per thread. Counts: vertices and edges of pi as
 * far as they are in the reordered graph; `examined`: all entries of pi.
 */
template <typename Offset>
__device__ inline void read_caller_bitmaps(const bfs_params &s, bfs_counts *counts)
{
    const cuda_graph &g = s.graph;
    const uint32_t words = (g.old_n + 31) / 32;
    count_t vertices = 0, edges = 0, entries = 0;
    for (uint64_t first = first_thread() / 32 * 32; first < words; first += all_threads()) {
        uint64_t w = first + threadIdx.x % 32;
        uint32_t visited = w < words ? s.result.pi[w] : 0;
        uint32_t frontier = w < words ? s.options.frontier[w] : 0;
        entries += __popc(visited);
        if (!__any_sync(full_warp, visited))
            continue;
        count_t degrees = 0, at, sum;
        unsigned count = 0;
        for (uint32_t left = visited; left; left &= left - 1) {
            uint32_t bit = left & (0 - left), v = 32 * w + __ffs(left) - 1;
            uint32_t p = g.new_id ? g.new_id[v] : v;
            if (p == CUDA_NO_VERTEX)
                continue;
            atomicOr(s.work.visited + p / 32, 1u << p % 32);
            if (s.work.parent)
                s.work.parent[p] = CUDA_NO_VERTEX; /* results.cu leaves its entry alone */
            if (s.work.depth && (s.options.choice == CUDA_ANY || frontier & bit))
                s.work.depth[p] = 0;
            vertices++;
            edges += degree_of<Offset>(g, p);
            if (frontier & bit) {
                count++;
                degrees += degree_of<Offset>(g, p);
            } else {
                atomicOr(s.work.prev_visited + p / 32, 1u << p % 32);
            }
        }
        reserve(counts, count, degrees, &at, &sum);
        for (uint32_t left = visited & frontier; left; left &= left - 1) {
            uint32_t v = 32 * w + __ffs(left) - 1, p = g.new_id ? g.new_id[v] : v;
            if (p == CUDA_NO_VERTEX)
                continue;
            sum += degree_of<Offset>(g, p);
            s.work.queue[at] = p;
            s.work.ends[at++] = sum;
        }
    }
    add_to_counts(counts, vertices, edges, entries);
}

/* Converts the targets to reordered ids. Counts those without an edge that are in pi already. */
__device__ inline void map_targets(const bfs_params &s, bfs_counts *counts)
{
    const cuda_graph &g = s.graph;
    const uint32_t words = (g.old_n + 31) / 32;
    count_t isolated = 0;
    for (uint64_t w = first_thread(); w < words; w += all_threads())
        for (uint32_t left = s.options.targets[w]; left; left &= left - 1) {
            const uint32_t v = 32 * w + __ffs(left) - 1, p = new_id_of(g, v);
            if (p != CUDA_NO_VERTEX)
                atomicOr(s.work.targets + p / 32, 1u << p % 32);
            else
                isolated +=
                    s.options.from_source ? v == s.options.source : s.result.pi[w] >> v % 32 & 1;
        }
    add_to_counts(counts, isolated, 0, 0);
}

__device__ inline void count_visited_targets(const bfs_params &s, bfs_counts *counts)
{
    count_t met = 0;
    for (uint64_t w = first_thread(); w < s.work.words; w += all_threads())
        if (const uint32_t targets = __ldcg(s.work.targets + w))
            met += __popc(targets & __ldcg(s.work.visited + w));
    add_to_counts(counts, met, 0, 0);
}

/* frontier = visited & ~prev_visited: the vertices of the last level. */
template <typename Offset>
__device__ inline void derive_frontier(const bfs_params &s, uint32_t *frontier, bfs_counts *counts)
{
    const uint32_t groups = s.work.words / 4;
    count_t vertices = 0, edges = 0;
    for (uint64_t group = first_thread(); group < groups; group += all_threads()) {
        uint4 visited = load_group(s.work.visited, group);
        uint4 prev = load_group(s.work.prev_visited, group);
        uint4 fresh = {visited.x & ~prev.x, visited.y & ~prev.y, visited.z & ~prev.z,
                       visited.w & ~prev.w};
        ((uint4 *)frontier)[group] = fresh;
        vertices += __popc(fresh.x) + __popc(fresh.y) + __popc(fresh.z) + __popc(fresh.w);
        edges += edges_of<Offset>(s.graph, 4 * group, fresh.x) +
                 edges_of<Offset>(s.graph, 4 * group + 1, fresh.y) +
                 edges_of<Offset>(s.graph, 4 * group + 2, fresh.z) +
                 edges_of<Offset>(s.graph, 4 * group + 3, fresh.w);
    }
    add_to_counts(counts, vertices, edges, 0);
}

/* Appends the vertices of a bitmap of `words` words to the queue from `tail` on, with the prefix
 * sum of their degrees. */
template <typename Offset>
__device__ inline void list_bitmap(const bfs_params &s, const uint32_t *bitmap, uint32_t words,
                                   count_t tail, bfs_counts *counts)
{
    for (uint64_t first = first_thread() / 32 * 32; first < words; first += all_threads()) {
        uint64_t w = first + threadIdx.x % 32;
        uint32_t bits = w < words ? __ldcg(bitmap + w) : 0;
        if (!__any_sync(full_warp, bits))
            continue;
        count_t degrees = 0, at, sum;
        for (uint32_t left = bits; left; left &= left - 1)
            degrees += degree_of<Offset>(s.graph, 32 * w + __ffs(left) - 1);
        reserve(counts, __popc(bits), degrees, &at, &sum);
        for (uint32_t left = bits; left; left &= left - 1) {
            uint32_t v = 32 * w + __ffs(left) - 1;
            sum += degree_of<Offset>(s.graph, v);
            s.work.queue[tail + at] = v;
            s.work.ends[tail + at++] = sum;
        }
    }
}

#endif
