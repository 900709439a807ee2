/*
 * Kernels that divide the rows of a new order into segments and write their edges as keys
 * (renumber_rows.c).
 */
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/runtime/common.cuh"

/* One thread: binary search in the row offsets. */
__global__ static void rows_within(uint32_t *last, const uint64_t *start, uint32_t first,
                                   uint32_t n, uint64_t most)
{
    uint32_t low = first, high = n; /* start[low] - start[first] <= most */
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if (start[middle] - start[first] <= most)
            low = middle;
        else
            high = middle - 1;
    }
    *last = low;
}

cudaError_t sl_cuda_rows_within(uint32_t *last, const uint64_t *start, uint32_t first, uint32_t n,
                                uint64_t most)
{
    return launch_blocks({1, 1}, rows_within, last, start, first, n, most);
}

/* A block takes tiles of PUSH_TILE edges of rows [first, last) in the new order. Two threads look
 * up the first and the last row of a tile, which bounds the binary search by which each thread
 * finds the row of its edges. Shared memory: these two rows. */
__global__ static void __launch_bounds__(CUDA_THREADS)
    renumber_rows(uint64_t *keys, cuda_rows_to_renumber r, uint32_t first, uint32_t last,
                  uint64_t edges)
{
    __shared__ uint64_t first_row, last_row;
    const uint64_t *ends = r.start + 1;
    uint64_t base = r.start[first];
    for (uint64_t tile = (uint64_t)blockIdx.x * PUSH_TILE; tile < edges;
         tile += (uint64_t)gridDim.x * PUSH_TILE) {
        uint64_t stop = tile + PUSH_TILE < edges ? tile + PUSH_TILE : edges;
        if (threadIdx.x == 0)
            first_row = row_of(ends, first, last, base + tile);
        if (threadIdx.x == 32)
            last_row = row_of(ends, first, last, base + stop - 1);
        __syncthreads();
        for (uint64_t e = tile + threadIdx.x; e < stop; e += CUDA_THREADS) {
            uint64_t row = row_of(ends, first_row, last_row, base + e);
            const uint64_t from = r.from_start[r.old_id[row]] + (base + e - r.start[row]);
            uint32_t p = r.new_id[r.from_index[from]];
            if (r.items)
                r.items[e] = (uint32_t)from;
            keys[e] = r.pruned && p & CUDA_IN_TREE ? ~(uint64_t)0 : (row - first) << r.bits | p;
        }
        __syncthreads(); /* the next tile overwrites first_row and last_row */
    }
}

cudaError_t sl_cuda_renumber_rows(uint64_t *keys, const cuda_rows_to_renumber *r, uint32_t first,
                                  uint32_t last, uint64_t edges)
{
    uint64_t tiles = (edges + PUSH_TILE - 1) / PUSH_TILE;
    return launch(tiles * CUDA_THREADS, renumber_rows, keys, *r, first, last, edges);
}
