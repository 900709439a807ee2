/*
 * Closures of several frontiers: parents from levels, and the rows of the results. The caller's vertices
 * are counted and written in tiles of CLOSURE_TILE, by a block each: a warp takes every eighth search,
 * and its lanes 32 vertices at a time, so that entries are written together.
 */
#include "cuda/fixpoint/closures.cuh"
#include "cuda/fixpoint/fixpoint_tuning.h"
#include "cuda/reorder/graph_view.h"

/* ---- parents ------------------------------------------------------------------------ */

/* The parents of vertex v by searches lane and lane + 32, from the columns begin, begin + step, ... of
 * its row. By all lanes of a warp. CUDA_ANY: ends when all are found. */
template <cuda_choice choice>
__device__ static void find_parents(const closure_params &p, const uint32_t *level,
                                    const bool *wanted, uint64_t begin, uint64_t end, unsigned step,
                                    uint32_t *parent)
{
    const unsigned lane = threadIdx.x % 32;
    bool found[2] = {!wanted[0], !wanted[1]};
    for (uint64_t e = begin; e < end; e += step) {
        const uint32_t u = p.in.index[e], id = p.old_id ? p.old_id[u] : u;
#pragma unroll
        for (int half = 0; half < 2; half++) {
            if (!wanted[half] || (choice == CUDA_ANY && found[half]))
                continue;
            if (p.level[(uint64_t)u * p.stride + lane + 32 * half] + 1 != level[half])
                continue;
            if (!found[half] || (choice == CUDA_MIN ? id < parent[half] : id > parent[half]))
                parent[half] = id;
            found[half] = true;
        }
        if (choice == CUDA_ANY && __all_sync(full_warp, found[0] && found[1]))
            return;
    }
}

/* A warp's part of the choice for vertex v; `part` of `parts` warps share its row. */
template <cuda_choice choice>
__device__ static void choose_of_row(const closure_params &p, uint64_t v, unsigned part,
                                     unsigned parts)
{
    const unsigned lane = threadIdx.x % 32;
    const closure_row row = row_at(p, p.in, v);
    const uint32_t none = choice == CUDA_MAX ? 0 : UINT32_MAX;
    uint32_t level[2], parent[2] = {none, none};
    bool wanted[2];
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const unsigned s = lane + 32 * half;
        level[half] = s < p.searches ? p.level[v * p.stride + s] : CLOSURE_UNREACHED;
        wanted[half] = level[half] != CLOSURE_UNREACHED && level[half] != 0;
    }
    if (!__any_sync(full_warp, wanted[0] || wanted[1]))
        return;
    find_parents<choice>(p, level, wanted, row.begin + part, row.end, parts, parent);
#pragma unroll
    for (int half = 0; half < 2; half++) {
        uint32_t *to = p.parent + v * p.stride + lane + 32 * half;
        if (!wanted[half])
            continue;
        if (parts == 1)
            *to = parent[half];
        else if (choice == CUDA_MAX)
            atomicMax(to, parent[half]);
        else
            atomicMin(to, parent[half]);
    }
}

/* The first blocks take a long row each, whose parents are initialised by `reset_parents`; the warps of
 * the others a vertex each. */
template <cuda_choice choice>
__global__ static void __launch_bounds__(PASS_THREADS)
    choose_parents(const __grid_constant__ closure_params p, const uint32_t *long_rows,
                   uint32_t long_count)
{
    constexpr unsigned warps = PASS_THREADS / 32;
    if (blockIdx.x < long_count) {
        choose_of_row<choice>(p, long_rows[blockIdx.x], threadIdx.x / 32, warps);
        return;
    }
    const uint64_t v = (uint64_t)(blockIdx.x - long_count) * warps + threadIdx.x / 32;
    if (v >= p.n)
        return;
    const closure_row row = row_at(p, p.in, v);
    if (row.end - row.begin <= p.long_row)
        choose_of_row<choice>(p, v, 0, 1);
}

/* A block of 64 threads per long row: parents that every other replaces. */
__global__ static void reset_parents(const __grid_constant__ closure_params p,
                                     const uint32_t *long_rows, uint32_t none)
{
    const uint64_t at = (uint64_t)long_rows[blockIdx.x] * p.stride + threadIdx.x;
    if (threadIdx.x < p.searches && p.level[at] != 0)
        p.parent[at] = none;
}

/* ---- rows ---------------------------------------------------------------------------- */

/* The searches that have reached a vertex of the caller; *id: its number, or CUDA_NO_VERTEX. */
__device__ static closure_word reached_of(const closure_params &p, uint64_t own, uint32_t *id)
{
    if (own >= p.old_n)
        return 0;
    *id = p.new_id ? p.new_id[own] : (uint32_t)own;
    return *id == CUDA_NO_VERTEX ? p.own[own] : p.seen[*id];
}

__global__ static void __launch_bounds__(CLOSURE_TILE)
    count_tiles(const __grid_constant__ closure_params p, uint64_t *counts, uint64_t tiles)
{
    __shared__ unsigned sums[64];
    uint32_t id;
    const unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 64)
        sums[threadIdx.x] = 0;
    __syncthreads();
    const closure_word reached =
        reached_of(p, (uint64_t)blockIdx.x * CLOSURE_TILE + threadIdx.x, &id);
    for (unsigned s = 0; s < p.searches; s++) {
        const unsigned in = __ballot_sync(full_warp, reached >> s & 1);
        if (lane == s % 32 && in)
            atomicAdd(&sums[s], __popc(in));
    }
    __syncthreads();
    if (threadIdx.x < p.searches)
        counts[threadIdx.x * tiles + blockIdx.x] = sums[threadIdx.x];
}

__global__ static void __launch_bounds__(CLOSURE_TILE)
    write_tiles(const __grid_constant__ closure_params p, const uint64_t *ends, uint64_t tiles,
                uint32_t *index, cuda_integers levels, cuda_integers parents)
{
    constexpr unsigned warps = CLOSURE_TILE / 32;
    __shared__ closure_word reached[CLOSURE_TILE];
    __shared__ uint32_t id[CLOSURE_TILE];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const uint64_t first = (uint64_t)blockIdx.x * CLOSURE_TILE;
    reached[threadIdx.x] = reached_of(p, first + threadIdx.x, &id[threadIdx.x]);
    __syncthreads();
    for (unsigned s = warp; s < p.searches; s += warps) {
        const uint64_t tile = s * tiles + blockIdx.x;
        uint64_t at = tile ? ends[tile - 1] : 0;
        for (unsigned k = lane; k < CLOSURE_TILE; k += 32) {
            const bool in = reached[k] >> s & 1;
            const unsigned all = __ballot_sync(full_warp, in);
            const uint64_t to = at + __popc(all & ((1u << lane) - 1));
            at += __popc(all);
            if (!in)
                continue;
            const bool numbered = id[k] != CUDA_NO_VERTEX;
            const uint64_t from = (uint64_t)id[k] * p.stride + s;
            __stcs(index + to, (uint32_t)(first + k));
            if (levels.values)
                put_integer(levels, to, numbered ? p.level[from] : 0);
            if (parents.values)
                put_integer(parents, to, numbered ? p.parent[from] : (uint32_t)(first + k));
        }
    }
}

__global__ static void write_starts(uint64_t *start, uint64_t base, const uint64_t *ends,
                                    uint64_t tiles)
{
    const unsigned s = threadIdx.x;
    start[s] = base + (s ? ends[s * tiles - 1] : 0);
}

/* ---- launches ------------------------------------------------------------------------ */

cudaError_t sl_cuda_closures_parents(const closure_params *p, cuda_choice choice,
                                     const uint32_t *long_rows, uint32_t long_count)
{
    constexpr unsigned warps = PASS_THREADS / 32;
    const unsigned blocks = long_count + (unsigned)((p->n + warps - 1) / warps);
    if (long_count)
        LAUNCH_TRY(launch_blocks({long_count, 64}, reset_parents, *p, long_rows,
                                 choice == CUDA_MAX ? 0 : UINT32_MAX));
#define LAUNCH(CHOICE)                                                                             \
    launch_blocks({blocks, PASS_THREADS}, choose_parents<CHOICE>, *p, long_rows, long_count)
    WITH_CHOICE(choice, LAUNCH);
#undef LAUNCH
}

cudaError_t sl_cuda_closures_count(const closure_params *p, uint64_t *counts, uint64_t tiles)
{
    return launch_blocks({(unsigned)tiles, CLOSURE_TILE}, count_tiles, *p, counts, tiles);
}

cudaError_t sl_cuda_closures_write(const closure_params *p, const uint64_t *ends, uint64_t tiles,
                                   uint32_t *index, cuda_integers levels, cuda_integers parents)
{
    return launch_blocks({(unsigned)tiles, CLOSURE_TILE}, write_tiles, *p, ends, tiles, index,
                         levels, parents);
}

cudaError_t sl_cuda_closures_starts(uint64_t *start, uint64_t base, const uint64_t *ends,
                                    uint64_t tiles, unsigned searches)
{
    return launch_blocks({1, searches + 1}, write_starts, start, base, ends, tiles);
}
