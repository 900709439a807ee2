/*
 * The end of a search: what it found, in its own order, becomes entries of the caller's vectors,
 * in a pass over the caller's vertices. Most parents are first neighbours, whose numbers stand
 * in the caller's order in the layout: of those one bit is looked up, and no parent.
 */
#include "frontier.cuh"
#include "search.cuh"

/* FINISH_WORDS words of the caller's bitmaps to a warp, a vertex of each to a lane. */
struct finish_piece {
    uint32_t place[FINISH_WORDS];
    uint32_t parent[FINISH_WORDS]; /* the caller's numbers, CUDA_NOWHERE where none was found */
};

/* Where the vertices are, and their first neighbours in place of their parents. */
__device__ static void take_piece(const cuda_persistent &s, uint64_t first, finish_piece *p)
{
    const cuda_adjacency &g = s.graph;
    const uint32_t words = (g.callers + 31) / 32, lane = threadIdx.x % 32;
    uint2 kept = {};
    if (g.kept && lane < FINISH_WORDS && first + lane < words)
        kept = __ldcs(g.kept + first + lane);
#pragma unroll
    for (int j = 0; j < FINISH_WORDS; j++) {
        const uint64_t v = 32 * (first + j) + lane;
        const uint32_t bits = __shfl_sync(full_warp, kept.x, j);
        const uint32_t at = __shfl_sync(full_warp, kept.y, j) + __popc(bits & ((1u << lane) - 1));
        p->parent[j] = CUDA_NOWHERE;
        if (!g.kept) {
            p->place[j] = v < g.callers ? (uint32_t)v : CUDA_NOWHERE;
        } else if (bits >> lane & 1) {
            p->place[j] = __ldcs(g.kept_place + at);
            if (s.by_first)
                p->parent[j] = __ldcs(g.kept_first + at);
        } else {
            p->place[j] = CUDA_NOWHERE;
        }
    }
}

/* A bit that another pass wrote; here it stays in the first cache. */
__device__ static bool bit_after(const uint32_t *bits, uint32_t v)
{
    return bits[v / 32] >> v % 32 & 1;
}

/* Who was found, and by whom, if it was not by the first neighbour. */
__device__ static void look_up_piece(const cuda_persistent &s, finish_piece *p)
{
    bool other[FINISH_WORDS];
#pragma unroll
    for (int j = 0; j < FINISH_WORDS; j++) {
        const uint32_t v = p->place[j];
        bool found = v != CUDA_NOWHERE && bit_after(s.visited, v);
        other[j] = found && s.from && !(s.by_first && bit_after(s.by_first, v));
        if (!found)
            p->parent[j] = CUDA_NOWHERE;
        else if (!s.from)
            p->parent[j] = 0;
    }
#pragma unroll
    for (int j = 0; j < FINISH_WORDS; j++)
        if (other[j])
            p->parent[j] = s.from[p->place[j]];
    if (s.graph.label)
#pragma unroll
        for (int j = 0; j < FINISH_WORDS; j++)
            if (other[j] && p->parent[j] != CUDA_NOWHERE)
                p->parent[j] = __ldg(s.graph.label + p->parent[j]);
}

/* What was found becomes entries of the caller's vectors. Values are written wherever pi had
 * none, whole sectors at a time: where there is no entry nobody reads them. Returns the lane's
 * count of new entries of level. */
__device__ static unsigned write_piece(const cuda_persistent &s, uint64_t first,
                                       const finish_piece &p)
{
    const cuda_adjacency &g = s.graph;
    const uint32_t words = (g.callers + 31) / 32, lane = threadIdx.x % 32;
    const bool mine = lane < FINISH_WORDS && first + lane < words; /* a word of the bitmaps */
    const uint32_t held = s.fresh ? 0 : mine ? s.pi[first + lane] : ~0u;
    uint32_t fresh = 0;
#pragma unroll
    for (int j = 0; j < FINISH_WORDS; j++) {
        const uint64_t v = 32 * (first + j) + lane;
        bool has = __shfl_sync(full_warp, held, j) >> lane & 1;
        uint32_t found = __ballot_sync(full_warp, !has && p.parent[j] != CUDA_NOWHERE);
        if (!found)
            continue;
        fresh = lane == j ? found : fresh;
        if (!has && v < g.callers) {
            if (s.parent)
                __stcs(s.parent + v, (long long)p.parent[j]);
            if (s.truth)
                s.truth[v] = 1;
        }
        if (s.depth && found >> lane & 1)
            s.level[v] = s.depth[p.place[j]];
    }
    if (!mine || !(fresh || s.fresh))
        return 0;
    s.pi[first + lane] = held | fresh;
    if (!s.depth)
        return 0;
    const uint32_t old = s.fresh ? 0 : s.level_bits[first + lane];
    s.level_bits[first + lane] = old | fresh;
    return __popc(fresh & ~old);
}

/* A fresh search's source that has no place, as it has no edge. By one thread, when all others
 * have written. */
__device__ static void enter_source(const cuda_persistent &s)
{
    const uint32_t v = s.source;
    if (place_of(s.graph, v) != CUDA_NOWHERE)
        return;
    atomicOr(s.pi + v / 32, 1u << v % 32);
    if (s.parent)
        s.parent[v] = v;
    if (s.truth)
        s.truth[v] = 1;
    if (s.depth) {
        atomicOr(s.level_bits + v / 32, 1u << v % 32);
        s.level[v] = 0;
    }
}

__global__ static void __launch_bounds__(FINISH_THREADS, FINISH_BLOCKS_PER_SM)
    finish(const __grid_constant__ cuda_persistent s)
{
    if (s.standing->stop != CUDA_SEARCHED)
        return; /* which has been reported */
    const count_t began = device_clock();
    const uint32_t words = (s.graph.callers + 31) / 32;
    const uint64_t all = all_threads() / 32 * FINISH_WORDS;
    cuda_tally *tally = s.tally + TALLIES - 1;
    count_t levels = 0;
    for (uint64_t first = first_thread() / 32 * FINISH_WORDS; first < words; first += all) {
        finish_piece p;
        take_piece(s, first, &p);
        look_up_piece(s, &p);
        levels += write_piece(s, first, p);
    }
    if (s.depth && !s.fresh)
        add_tally(tally, levels, 0, 0);
    if (!is_last_block(s.ticket) || threadIdx.x != 0)
        return;
    if (s.fresh)
        enter_source(s);
    cuda_standing now = *s.standing;
    now.new_levels = __ldcg(&tally->vertices);
    now.finished = device_clock() - began;
    report(s, now);
}

cudaError_t sl_cuda_finish_search(const cuda_persistent *s, unsigned multiprocessors,
                                  cudaStream_t stream)
{
    const uint64_t threads = (s->graph.callers + FINISH_WORDS - 1) / FINISH_WORDS;
    const uint64_t blocks = (threads + FINISH_THREADS - 1) / FINISH_THREADS;
    const uint64_t most = (uint64_t)multiprocessors * FINISH_BLOCKS_PER_SM;
    finish<<<(unsigned)(blocks < most ? blocks : most), FINISH_THREADS, 0, stream>>>(*s);
    return cudaGetLastError();
}
