/*
 * One step along in-edges: a word of what is missing to a warp, a vertex to a thread,
 * which leaves at its first in-edge from the frontier; the rest of a long column is its
 * warp's. pi and delta are written in the same pass.
 */
#include "common.cuh"
#include "relax_kernels.h"

/* The k-th in-edge of a column, from the end that the choice wants. */
__device__ static uint32_t in_edge(const cuda_pull_step &s, uint64_t begin, uint64_t end,
                                   uint64_t k)
{
    return __ldg(s.index + (s.choice == CUDA_MAX ? end - 1 - k : begin + k));
}

/* By the vertex's whole warp, from in-edge k on: where there is a hit is told to all. */
__device__ static bool look_together(const cuda_pull_step &s, uint64_t begin, uint64_t end,
                                     uint64_t k, uint32_t *parent, count_t *seen)
{
    unsigned lane = threadIdx.x % 32;
    for (; begin + k < end; k += 32) {
        bool is = begin + k + lane < end;
        uint32_t u = is ? in_edge(s, begin, end, k + lane) : 0;
        unsigned hits = __ballot_sync(full_warp, is && bit_of(s.frontier, u));
        *seen += lane == 0 ? min(end - begin - k, (uint64_t)32) : 0;
        if (hits) {
            *parent = __shfl_sync(full_warp, u, __ffs(hits) - 1);
            return true;
        }
    }
    return false;
}

__device__ static void store(const cuda_pull_step &s, void *to, uint64_t v, uint32_t parent)
{
    if (s.parents)
        ((long long *)to)[v] = parent;
    else
        memcpy((char *)to + v * s.size, &s.one, s.size);
}

__global__ static void __launch_bounds__(CUDA_THREADS) advance_pull(cuda_pull_step s)
{
    unsigned lane = threadIdx.x % 32;
    uint64_t words = (s.n + 31) / 32;
    count_t vertices = 0, seen = 0;
    for (uint64_t w = first_thread() / 32; w < words; w += all_threads() / 32) {
        uint64_t v = 32 * w + lane;
        uint32_t settled = s.bits[w], parent = 0;
        bool missing = v < s.n && !(settled >> lane & 1), hit = false;
        uint64_t begin = missing ? s.start[v] : 0, end = missing ? s.start[v + 1] : 0, k = 0;
        for (; k < PULL_ALONE && !hit && begin + k < end; k++) {
            parent = in_edge(s, begin, end, k);
            hit = bit_of(s.frontier, parent);
            seen++;
        }
        for (unsigned rest = __ballot_sync(full_warp, !hit && begin + k < end); rest;
             rest &= rest - 1) {
            int helped = __ffs(rest) - 1;
            uint32_t u = 0;
            bool found = look_together(s, __shfl_sync(full_warp, begin, helped),
                                       __shfl_sync(full_warp, end, helped), PULL_ALONE, &u, &seen);
            if (lane == helped && found) {
                hit = true;
                parent = u;
            }
        }
        if (hit) {
            store(s, s.values, v, parent);
            store(s, s.news, v, parent);
        }
        uint32_t hits = __ballot_sync(full_warp, hit);
        if (lane == 0) {
            s.found[w] = hits;
            if (hits)
                s.bits[w] = settled | hits;
            vertices += __popc(hits);
        }
    }
    add_counts(s.counts, vertices, 0, seen, 0);
}

cudaError_t sl_cuda_advance_pull(const cuda_pull_step *s, cudaStream_t stream)
{
    unsigned blocks = grid_of(s->n, s->multiprocessors * CUDA_BLOCKS_PER_SM);
    advance_pull<<<blocks, CUDA_THREADS, 0, stream>>>(*s);
    return cudaGetLastError();
}
