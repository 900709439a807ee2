/*
 * Products by push: the rows of the vector's entries are scattered to the result by atomics. Blocks
 * divide the edges, not the rows (Bisson, Bernaschi, Mastrostefano 2016): each takes PUSH_TILE
 * edges and finds their rows by binary search.
 */
#include "cuda/products/atomics.cuh"

template <typename R>
__global__ static void __launch_bounds__(CUDA_THREADS)
    push_rows(cuda_product p, const uint32_t *list, uint64_t count, uint64_t edges,
              const uint64_t *ends)
{
    __shared__ uint64_t first_row, last_row;
    for (uint64_t tile = (uint64_t)blockIdx.x * PUSH_TILE; tile < edges;
         tile += (uint64_t)gridDim.x * PUSH_TILE) {
        uint64_t stop = tile + PUSH_TILE < edges ? tile + PUSH_TILE : edges;
        if (threadIdx.x == 0)
            first_row = row_of(ends, 0, count, tile);
        if (threadIdx.x == 32)
            last_row = row_of(ends, 0, count, stop - 1);
        __syncthreads();
        for (uint64_t at = tile + threadIdx.x; at < stop; at += CUDA_THREADS) {
            uint64_t k = row_of(ends, first_row, last_row, at);
            uint32_t inner = list[k];
            uint64_t e = p.start[inner] + at - (k ? ends[k - 1] : 0);
            uint32_t outer = p.index[e];
            if (!p.allowed || bit_of(p.allowed, outer))
                offer<R>(p, outer, R::multiply(p, e, outer, inner));
        }
        __syncthreads(); /* before the rows of the next tile overwrite shared memory */
    }
}

#ifndef __CUDACC_RTC__ /* launches */

static cudaError_t
push_by(const cuda_product *p,
        void (*rows)(cuda_product, const uint32_t *, uint64_t, uint64_t, const uint64_t *),
        const uint32_t *list, uint64_t count, uint64_t edges, const uint64_t *ends)
{
    uint64_t tiles = (edges + PUSH_TILE - 1) / PUSH_TILE;
    return launch_made({blocks_for(tiles * CUDA_THREADS)}, p->made.kernel[0], rows, *p, list, count,
                       edges, ends);
}

cudaError_t sl_cuda_product_push(const cuda_product *p, const uint32_t *list, uint64_t count,
                                 uint64_t edges, const uint64_t *ends)
{
    if (p->made.kernel[0])
        return push_by(p, nullptr, list, count, edges, ends);
#define LAUNCH(R) push_by(p, push_rows<R>, list, count, edges, ends)
    WITH_RING;
#undef LAUNCH
}

#endif
