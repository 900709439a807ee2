/*
 * Sums of rows from the sums of their chunks (sum_tiles.h).
 *
 * A block of SUM_BLOCK_THREADS threads takes row blocks in turn: it copies the sums of the chunks to shared
 * memory, each to its slot, where those of a row are neighbours, and adds them up with as many lanes per
 * row as there are threads. The last row of a row block, if it does not fit, is summed by the whole block
 * from memory. Rows in slots follow.
 */
#include "cuda/products/neighbour_sums.cuh"
#include "cuda/products/product_tuning.h"
#include "cuda/runtime/async_copies.cuh"

/* Copies the sums of the chunks `begin` to end - 1 to their slots. */
template <typename T>
__device__ static void stage(T *staged, const T *partial, const cuda_sum_tiles_view &t,
                             uint32_t begin, uint32_t end)
{
    constexpr int batch = SUM_STAGED_AT_ONCE;
    uint32_t from[batch];
    uint16_t to[batch];
    for (uint32_t first = begin + threadIdx.x; first < end; first += batch * SUM_BLOCK_THREADS) {
#pragma unroll
        for (int k = 0; k < batch; k++)
            if (first + k * SUM_BLOCK_THREADS < end) {
                from[k] = __ldcs(t.source + first + k * SUM_BLOCK_THREADS);
                to[k] = __ldcs(t.slot + first + k * SUM_BLOCK_THREADS);
            }
#pragma unroll
        for (int k = 0; k < batch; k++)
            if (first + k * SUM_BLOCK_THREADS < end)
                begin_copy(staged + to[k], partial + from[k]);
    }
    await_copies();
}

/* The rows first ... last - 1, whose chunks are staged; `begin` is the first chunk. */
template <typename S, typename T>
__device__ static void sum_staged(const cuda_neighbour_sums &p, const cuda_sum_tiles_view &t,
                                  const T *staged, uint32_t begin, uint32_t first, uint32_t last)
{
    const S add(p.by.add);
    uint32_t lanes = 1;
    while (lanes < 32 && 2 * lanes * (last - first) <= SUM_BLOCK_THREADS)
        lanes *= 2;
    const uint32_t at_once = SUM_BLOCK_THREADS / lanes, lane = threadIdx.x % lanes;
    for (uint32_t base = first; base < last; base += at_once) {
        const uint32_t row = base + threadIdx.x / lanes;
        const bool mine = row < last;
        const uint32_t end = mine ? t.row_chunk[row + 1] - begin : 0;
        T sum = add.none();
        for (uint32_t k = mine ? t.row_chunk[row] - begin + lane : 0; k < end; k += lanes)
            sum = add.of(sum, staged[k]);
        sum = sum_of_lanes(add, sum, (int)lanes);
        if (mine && lane == 0)
            put<S>(p, row, sum);
    }
}

/* A row whose chunks are not staged; `sums` is shared memory. */
template <typename S, typename T>
__device__ static void sum_row(const cuda_neighbour_sums &p, const cuda_sum_tiles_view &t,
                               const T *partial, T *sums, uint32_t row)
{
    const S add(p.by.add);
    T sum = add.none();
    for (uint32_t k = t.row_chunk[row] + threadIdx.x; k < t.row_chunk[row + 1];
         k += SUM_BLOCK_THREADS)
        sum = add.of(sum, partial[t.source[k]]);
    sum = sum_of_block(add, sum, sums);
    if (threadIdx.x == 0)
        put<S>(p, row, sum);
}

template <typename S, int how>
__global__ static void __launch_bounds__(SUM_BLOCK_THREADS,
                                         fitting_blocks(SUM_BLOCKS_PER_SM, SUM_BLOCK_THREADS))
    sum_row_blocks(cuda_neighbour_sums p, cuda_sum_tiles_view t, const typename S::type *values,
                   const typename S::type *partial)
{
    using T = typename S::type;
    extern __shared__ unsigned long long memory[];
    T *staged = (T *)memory;
    for (uint32_t b = blockIdx.x; b < t.row_blocks; b += gridDim.x) {
        const uint32_t first = t.row_block[b], end = t.row_block[b + 1];
        if (first == end) /* amid the chunks of one row */
            continue;
        const uint32_t begin = t.row_chunk[first];
        const bool fits = t.row_chunk[end] - begin <= t.staged;
        const uint32_t last = fits ? end : end - 1;
        __syncthreads(); /* the sums of the last row block have been read */
        stage(staged, partial, t, begin, t.row_chunk[last]);
        __syncthreads();
        sum_staged<S>(p, t, staged, begin, first, last);
        if (!fits) {
            __syncthreads();
            sum_row<S>(p, t, partial, staged, last);
        }
    }
    sum_slots<S, how>(p, values);
}

/* ---- launches ------------------------------------------------------------------- */

template <typename S, int how> static cudaError_t sum(const cuda_neighbour_sums &p)
{
    using T = typename S::type;
    const cuda_sum_tiles_view &t = *p.tiles;
    const T *values = (const T *)p.ordered;
    T *partial = (T *)p.partial;
    cudaError_t error = sl_cuda_sum_chunks(&t, &p.by, values, p.of.columns, partial);
    if (error != cudaSuccess)
        return error;
    const size_t bytes = t.staged * sizeof(T);
    error = cudaFuncSetAttribute(sum_row_blocks<S, how>,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error != cudaSuccess)
        return error;
    return launch_blocks({cuda_processors() * SUM_BLOCKS_PER_SM, SUM_BLOCK_THREADS, bytes},
                         sum_row_blocks<S, how>, p, t, values, partial);
}

cudaError_t sl_cuda_sum_over_tiles(const cuda_neighbour_sums *p)
{
#define CALL_FOR(S, how) sum<S, how>(*p)
#define CALL(S)          WITH_PRODUCTS(S, p->by.multiplies, CALL_FOR)
    WITH_SUM(p->by.type, p->by.add, CALL);
#undef CALL
#undef CALL_FOR
}
