/* Passes over bitmaps: what a persistent search begins and ends with, and the frontier from
 * one form to the other. */
#ifndef SEMLA_CUDA_SEARCH_PASSES_CUH
#define SEMLA_CUDA_SEARCH_PASSES_CUH

#include "search.cuh"

/* Nothing is visited; bits past the last vertex are set, so that nobody looks for those. */
__device__ inline void clear(const cuda_persistent &s)
{
    uint32_t words = s.words, n = s.graph.n;
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        uint32_t none = 32 * w + 32 <= n ? 0 : 32 * w >= n ? ~0u : ~0u << n % 32;
        s.visited[w] = none;
        s.before[w] = none;
    }
    if (first_thread() < 3)
        s.tally[first_thread()] = cuda_tally{};
}

/* pi is visited, q is the frontier: a word of the caller's to a thread. vertices and edges
 * count what of pi there is here, seen all of it as ENTRY_BITS says. */
template <typename Offset> __device__ inline void begin(const cuda_persistent &s, cuda_tally *tally)
{
    const cuda_adjacency &g = s.graph;
    const uint32_t words = (g.callers + 31) / 32;
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
            uint32_t p = g.place ? g.place[v] : v;
            if (p == CUDA_NOWHERE)
                continue;
            atomicOr(s.visited + p / 32, 1u << p % 32);
            if (s.from)
                s.from[p] = CUDA_NOWHERE; /* which finish() leaves alone */
            if (s.depth)
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
            uint32_t v = 32 * w + __ffs(left) - 1, p = g.place ? g.place[v] : v;
            if (p == CUDA_NOWHERE)
                continue;
            sum += degree_of<Offset>(g, p);
            s.queue[at] = p;
            s.ends[at++] = sum;
        }
    }
    add_tally(tally, vertices, edges, entries);
}

/* frontier = visited and not before, which is what the last step found. */
template <typename Offset>
__device__ inline void derive(const cuda_persistent &s, uint32_t *frontier, cuda_tally *tally)
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
__device__ inline void list(const cuda_persistent &s, const uint32_t *frontier, uint32_t words,
                            count_t tail, cuda_tally *tally)
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

/* CUDA_NOWHERE is the parent of what was not visited. */
__device__ inline void mark(const cuda_persistent &s)
{
    for (uint64_t w = first_thread(); s.from && w < s.words; w += all_threads())
        for (uint32_t left = ~__ldcg(s.visited + w); left; left &= left - 1)
            s.from[32 * w + __ffs(left) - 1] = CUDA_NOWHERE;
}

/*
 * What was found becomes entries of the caller's vectors: FINISH_WORDS words of its bitmaps to
 * a warp. Values are written wherever pi had none, whole sectors at a time: where there is no
 * entry nobody reads them. vertices: new entries of level.
 */
__device__ inline void finish(const cuda_persistent &s, cuda_tally *tally)
{
    const cuda_adjacency &g = s.graph;
    const uint32_t words = (g.callers + 31) / 32, lane = threadIdx.x % 32;
    const uint64_t all = all_threads() / 32 * FINISH_WORDS;
    count_t levels = 0;
    for (uint64_t first = first_thread() / 32 * FINISH_WORDS; first < words; first += all) {
        uint32_t place[FINISH_WORDS], parent[FINISH_WORDS], mine = 0;
        const uint32_t held =
            lane < FINISH_WORDS && first + lane < words ? s.pi[first + lane] : ~0u;
#pragma unroll
        for (int j = 0; j < FINISH_WORDS; j++) {
            uint64_t v = 32 * (first + j) + lane;
            place[j] = v >= g.callers ? CUDA_NOWHERE : g.place ? __ldcs(g.place + v) : (uint32_t)v;
        }
        if (s.from)
#pragma unroll
            for (int j = 0; j < FINISH_WORDS; j++)
                parent[j] = place[j] != CUDA_NOWHERE ? __ldcg(s.from + place[j]) : CUDA_NOWHERE;
        else
#pragma unroll
            for (int j = 0; j < FINISH_WORDS; j++)
                parent[j] =
                    place[j] != CUDA_NOWHERE && bit_now(s.visited, place[j]) ? 0 : CUDA_NOWHERE;
        if (s.from && g.label)
#pragma unroll
            for (int j = 0; j < FINISH_WORDS; j++)
                if (parent[j] != CUDA_NOWHERE)
                    parent[j] = __ldg(g.label + parent[j]);
#pragma unroll
        for (int j = 0; j < FINISH_WORDS; j++) {
            uint64_t v = 32 * (first + j) + lane;
            bool has = __shfl_sync(full_warp, held, j) >> lane & 1;
            uint32_t found = __ballot_sync(full_warp, !has && parent[j] != CUDA_NOWHERE);
            if (!found)
                continue;
            mine = lane == j ? found : mine;
            if (!has && v < g.callers) {
                if (s.parent)
                    __stcs(s.parent + v, (long long)parent[j]);
                if (s.truth)
                    s.truth[v] = 1;
            }
            if (s.depth && found >> lane & 1)
                s.level[v] = __ldcg(s.depth + place[j]);
        }
        if (mine) { /* a word of the bitmaps to a lane */
            s.pi[first + lane] = held | mine;
            if (s.depth) {
                uint32_t old = s.level_bits[first + lane];
                s.level_bits[first + lane] = old | mine;
                levels += __popc(mine & ~old);
            }
        }
    }
    add_tally(tally, levels, 0, 0);
}

#endif
