/* The end of a search by several devices, as passes of its own launch: there is no order of the
 * caller's here but this device's vertices, and most of the time passes elsewhere. */
#ifndef SEMLA_CUDA_TEAM_END_CUH
#define SEMLA_CUDA_TEAM_END_CUH

#include "search.cuh"

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
                if (s.parent.values)
                    put_integer(s.parent, v, parent[j]);
                if (s.truth)
                    s.truth[v] = 1;
            }
            if (s.depth && found >> lane & 1)
                put_integer(s.level, v, __ldcg(s.depth + place[j]));
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
