/*
 * Pull: over the columns of what is missing, a word of the visited bitmap to a warp
 * and a vertex to a thread, each leaving at its first in-edge from the frontier. A
 * vertex that has not found one soon has its warp's help. In-edges ascend: the first
 * is the least parent and, from the other end, the greatest.
 */
#include "common.cuh"

template <cuda_choice CHOICE>
__global__ static void __launch_bounds__(CUDA_THREADS)
    pull(cuda_search s, const uint32_t *frontier, uint32_t *found, long long number)
{
    unsigned lane = threadIdx.x % 32;
    count_t vertices = 0, edges = 0, seen = 0, targets = 0;
    for (uint64_t w = first_thread() / 32; w < s.words; w += all_threads() / 32) {
        uint32_t visited = s.visited[w], v = (uint32_t)(32 * w) + lane, parent = 0;
        bool missing = v < s.n && !(visited >> lane & 1), hit = false;
        uint64_t begin = missing ? s.in_start[v] : 0;
        uint64_t end = missing ? s.in_start[v + (uint64_t)1] : 0;

        for (int k = 0; k < PULL_ALONE && !hit && begin < end; k++) {
            parent = CHOICE == CUDA_MAX ? s.in_index[--end] : s.in_index[begin++];
            hit = bit_of(frontier, parent);
            seen++;
        }
        for (unsigned rest = __ballot_sync(full_warp, !hit && begin < end); rest;
             rest &= rest - 1) {
            int helped = __ffs(rest) - 1;
            uint64_t from = __shfl_sync(full_warp, begin, helped);
            uint64_t to = __shfl_sync(full_warp, end, helped);
            while (from < to) {
                unsigned now = to - from < 32 ? (unsigned)(to - from) : 32, hits;
                uint32_t u = 0;
                if (lane < now)
                    u = s.in_index[CHOICE == CUDA_MAX ? to - 1 - lane : from + lane];
                hits = __ballot_sync(full_warp, lane < now && bit_of(frontier, u));
                u = __shfl_sync(full_warp, u, hits ? __ffs(hits) - 1 : 0);
                if (lane == helped) {
                    seen += now;
                    hit = hits != 0;
                    parent = u;
                }
                if (hits)
                    break;
                if (CHOICE == CUDA_MAX)
                    to -= now;
                else
                    from += now;
            }
        }
        if (hit) {
            if (s.parent)
                s.parent[v] = parent;
            note(s, v, number);
            edges += row_length(s, v);
        }
        uint32_t hits = __ballot_sync(full_warp, hit);
        if (lane == 0) {
            found[w] = hits;
            if (hits)
                s.visited[w] = visited | hits;
            vertices += __popc(hits);
            if (s.targets)
                targets += __popc(hits & s.targets[w]);
        }
    }
    add_counts(s.counts, vertices, edges, seen, targets);
}

cudaError_t sl_cuda_pull(const cuda_search *s, const uint32_t *frontier, uint32_t *found,
                         long long number, cudaStream_t stream)
{
    unsigned blocks = grid_for(s, 32 * (uint64_t)s->words);
#define LAUNCH(CHOICE)                                                                             \
    pull<CHOICE><<<blocks, CUDA_THREADS, 0, stream>>>(*s, frontier, found, number)
    WITH_CHOICE(s->choice, LAUNCH);
#undef LAUNCH
    return cudaGetLastError();
}
