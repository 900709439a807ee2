/*
 * Sums of chunks of columns from shared memory (sum_tiles.h).
 *
 * One block of SUM_TILE_THREADS threads per multiprocessor. A block has a range of slices, of one
 * tile or of several: for each it copies the tile's values to shared memory, and its warps take
 * slices in turn. A warp loads the next SUM_TILE_STEPS steps before it sums those that it has.
 */
#include "common.cuh"
#include "sum_tiles.h"

static constexpr int steps = SUM_TILE_STEPS;
static constexpr unsigned warps = SUM_TILE_THREADS / 32;

/* The first tile that ends after a slice. */
__device__ static uint32_t tile_of(const cuda_sum_tiles_view &t, uint32_t slice)
{
    uint32_t low = 0, high = t.tiles - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (t.tile_slice[middle + 1] > slice)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Steps k to k + steps - 1 of a slice of `width` steps, padded. */
__device__ static void load_steps(uint32_t (&pair)[steps], const cuda_sum_tiles_view &t,
                                  uint32_t begin, uint32_t width, uint32_t k, unsigned lane)
{
    const uint32_t *from = t.column + ((uint64_t)begin + k) * 32 + lane;
#pragma unroll
    for (int j = 0; j < steps; j++)
        pair[j] = k + j < width ? __ldcs(from + 32 * j) : t.tile_columns * 0x10001u;
}

/* The slices first, first + warps, ... below end, at most 32 of them. */
template <typename T>
__device__ static void sum_group(const cuda_sum_tiles_view &t, const T *value, T *partial,
                                 uint32_t first, uint32_t end)
{
    const unsigned lane = threadIdx.x % 32;
    const uint32_t left = (end - first + warps - 1) / warps, count = left < 32 ? left : 32;
    const uint32_t mine = first + (lane < count ? lane : 0) * warps;
    const uint32_t my_begin = mine ? t.slice_end[mine - 1] : 0;
    const uint32_t my_width = t.slice_end[mine] - my_begin;
    uint32_t begin = __shfl_sync(full_warp, my_begin, 0);
    uint32_t width = __shfl_sync(full_warp, my_width, 0);
    uint32_t pair[steps], next[steps];
    T even = 0, odd = 0;
    load_steps(pair, t, begin, width, 0, lane);
    for (uint32_t i = 0, k = 0; i < count;) {
        const bool ends = k + steps >= width;
        const uint32_t following = i + 1 < count ? i + 1 : i;
        const uint32_t next_begin = ends ? __shfl_sync(full_warp, my_begin, following) : begin;
        const uint32_t next_width = ends ? __shfl_sync(full_warp, my_width, following) : width;
        const uint32_t next_k = ends ? 0 : k + steps;
        load_steps(next, t, next_begin, next_width, next_k, lane);
#pragma unroll
        for (int j = 0; j < steps; j++) {
            even += value[pair[j] & 0xffff];
            odd += value[pair[j] >> 16];
        }
        if (ends) {
            partial[(uint64_t)(first + i * warps) * 32 + lane] = even + odd;
            even = odd = 0;
            i++;
        }
        begin = next_begin;
        width = next_width;
        k = next_k;
#pragma unroll
        for (int j = 0; j < steps; j++)
            pair[j] = next[j];
    }
}

/* Copies `count` values to shared memory. */
template <typename T> __device__ static void copy_tile(T *to, const T *from, uint64_t count)
{
    constexpr int batch = 8;
    T value[batch];
    for (uint32_t first = threadIdx.x; first < count; first += batch * SUM_TILE_THREADS) {
#pragma unroll
        for (int k = 0; k < batch; k++)
            if (first + k * SUM_TILE_THREADS < count)
                value[k] = from[first + k * SUM_TILE_THREADS];
#pragma unroll
        for (int k = 0; k < batch; k++)
            if (first + k * SUM_TILE_THREADS < count)
                to[first + k * SUM_TILE_THREADS] = value[k];
    }
}

template <typename T>
__global__ static void __launch_bounds__(SUM_TILE_THREADS, 1)
    sum_chunks(cuda_sum_tiles_view t, const T *values, uint32_t n, T *partial)
{
    extern __shared__ unsigned long long memory[];
    T *value = (T *)memory;
    const uint32_t last = t.block_slice[blockIdx.x + 1];
    if (threadIdx.x == 0)
        value[t.tile_columns] = 0;
    for (uint32_t slice = t.block_slice[blockIdx.x]; slice < last;) {
        const uint32_t tile = tile_of(t, slice);
        const uint32_t tile_end = t.tile_slice[tile + 1], end = tile_end < last ? tile_end : last;
        const uint64_t base = (uint64_t)tile * t.tile_columns;
        __syncthreads(); /* the values of the last tile have been read */
        copy_tile(value, values + base, n - base < t.tile_columns ? n - base : t.tile_columns);
        __syncthreads();
        for (uint32_t first = slice + threadIdx.x / 32; first < end; first += 32 * warps)
            sum_group(t, value, partial, first, end);
        slice = end;
    }
}

/* ---- launches ------------------------------------------------------------------- */

template <typename T>
static cudaError_t launch_chunks(const cuda_sum_tiles_view &t, const T *values, uint32_t n,
                                 T *partial, cudaStream_t stream)
{
    const size_t bytes = (t.tile_columns + 1) * sizeof(T);
    cudaError_t error = cudaFuncSetAttribute(
        sum_chunks<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error != cudaSuccess)
        return error;
    sum_chunks<T><<<t.blocks, SUM_TILE_THREADS, bytes, stream>>>(t, values, n, partial);
    return cudaGetLastError();
}

cudaError_t sl_cuda_sum_chunks(const cuda_sum_tiles_view *tiles, bool fp64, const void *values,
                               uint32_t n, void *partial, cudaStream_t stream)
{
    return fp64 ? launch_chunks(*tiles, (const double *)values, n, (double *)partial, stream)
                : launch_chunks(*tiles, (const float *)values, n, (float *)partial, stream);
}
