/*
 * Push: along the rows of the frontier, shared by edges and not by vertices (Bisson,
 * Bernaschi, Mastrostefano, "Parallel Distributed Breadth First Search on the Kepler
 * Architecture", 2016): the lengths of the rows are summed up, each block takes
 * tiles of so many edges, and each thread finds its edge's row by a binary search.
 */
#include <cub/device/device_scan.cuh>

#include "common.cuh"

__global__ static void row_lengths(cuda_search s, uint64_t *to, uint64_t head, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = row_length(s, s.queue[head + k]);
}

template <cuda_choice CHOICE>
__global__ static void __launch_bounds__(CUDA_THREADS)
    push(cuda_search s, uint64_t head, uint64_t count, uint64_t edges, long long number,
         const uint64_t *ends)
{
    __shared__ uint64_t first_row, last_row;
    uint32_t *found = s.queue + head + count;
    unsigned lane = threadIdx.x % 32;
    count_t found_edges = 0, targets = 0;
    for (uint64_t tile = (uint64_t)blockIdx.x * PUSH_TILE; tile < edges;
         tile += (uint64_t)gridDim.x * PUSH_TILE) {
        uint64_t stop = tile + PUSH_TILE < edges ? tile + PUSH_TILE : edges;
        if (threadIdx.x == 0)
            first_row = row_of(ends, 0, count, tile);
        if (threadIdx.x == 32)
            last_row = row_of(ends, 0, count, stop - 1);
        __syncthreads();
        for (uint64_t from = tile; from < stop; from += CUDA_THREADS) {
            uint64_t e = from + threadIdx.x;
            uint32_t v = 0;
            bool won = false;
            if (e < stop) {
                uint64_t k = row_of(ends, first_row, last_row, e);
                uint32_t u = s.queue[head + k];
                v = s.index[s.start[u] + e - (k ? ends[k - 1] : 0)];
                won = claim<CHOICE>(s, v, u, number);
            }
            unsigned winners = __ballot_sync(full_warp, won);
            if (!winners)
                continue;
            count_t at = 0;
            if (lane == 0)
                at = atomicAdd(&s.counts->vertices, (count_t)__popc(winners));
            at = __shfl_sync(full_warp, at, 0);
            if (won) {
                found[at + __popc(winners & ((1u << lane) - 1))] = v;
                found_edges += row_length(s, v);
                targets += s.targets && bit_of(s.targets, v);
            }
        }
        __syncthreads(); /* before the rows of the next tile are noted */
    }
    add_counts(s.counts, 0, found_edges, 0, targets);
}

/* With min or max, which leave the bits of what a step finds for afterwards. */
__global__ static void settle(cuda_search s, const uint32_t *found)
{
    uint64_t count = s.counts->vertices;
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        atomicOr(s.visited + found[k] / 32, (uint32_t)1 << (found[k] % 32));
}

cudaError_t sl_cuda_push_scratch(size_t *bytes, uint64_t most)
{
    uint64_t *none = nullptr;
    *bytes = 0;
    return cub::DeviceScan::InclusiveSum(nullptr, *bytes, none, none, most);
}

cudaError_t sl_cuda_push(const cuda_search *s, uint64_t head, uint64_t count, uint64_t edges,
                         long long number, uint64_t *scan, void *scratch, size_t scratch_bytes,
                         cudaStream_t stream)
{
    if (count == 0 || edges == 0)
        return cudaSuccess;
    row_lengths<<<grid_for(s, count), CUDA_THREADS, 0, stream>>>(*s, scan, head, count);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cub::DeviceScan::InclusiveSum(scratch, scratch_bytes, scan, scan, count, stream);
    if (error != cudaSuccess)
        return error;
    uint64_t tiles = (edges + PUSH_TILE - 1) / PUSH_TILE;
    unsigned blocks = grid_for(s, tiles * CUDA_THREADS);
#define LAUNCH(CHOICE)                                                                             \
    push<CHOICE><<<blocks, CUDA_THREADS, 0, stream>>>(*s, head, count, edges, number, scan)
    WITH_CHOICE(s->choice, LAUNCH);
#undef LAUNCH
    error = cudaGetLastError();
    if (error != cudaSuccess || s->choice == CUDA_ANY)
        return error;
    settle<<<grid_for(s, edges), CUDA_THREADS, 0, stream>>>(*s, s->queue + head + count);
    return cudaGetLastError();
}
