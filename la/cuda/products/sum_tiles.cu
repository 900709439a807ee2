/*
 * Sums of chunks of columns from shared memory (sum_tiles.h).
 *
 * One block of SUM_TILE_THREADS threads per multiprocessor. A block has a range of slices, of one
 * tile or of several: for each tile it copies the values to shared memory and divides the slices among
 * its warps. The steps of a warp's slices are consecutive: it loads SUM_TILE_STEPS or SUM_TILE_WIDE_STEPS of them,
 * whichever slices they are of, before it sums those that it has, and writes the sums of a slice after its last step.
 * Values of entries, if there are any, are loaded with the steps.
 */
#include "cuda/products/sum_tiles.h"
#include "cuda/products/summing.cuh"
#include "cuda/runtime/common.cuh"

/* The steps that a warp loads at once. */
template <typename T, bool multiplies>
static constexpr int steps = multiplies && sizeof(T) == 8 ? SUM_TILE_WIDE_STEPS : SUM_TILE_STEPS;
static constexpr unsigned warps = SUM_TILE_THREADS / 32;

/* The first tile that ends after a slice. */
__device__ static uint32_t tile_of(const cuda_sum_tiles_view &t, uint32_t slice)
{
    return (uint32_t)row_of(t.tile_slice + 1, 0, t.tiles - 1, slice);
}

__device__ static uint32_t first_step(const cuda_sum_tiles_view &t, uint32_t slice)
{
    return slice ? t.slice_end[slice - 1] : 0;
}

/* The first slice of low ... high before which there is work of at least `wanted`: a step costs 1, and a slice
 * another one. The lanes of a warp try 32 at a time. */
__device__ static uint32_t slice_at(const cuda_sum_tiles_view &t, uint64_t wanted, uint32_t low,
                                    uint32_t high)
{
    const uint32_t lane = threadIdx.x % 32;
    while (low < high) {
        const uint32_t each = (high - low + 31) / 32;
        const uint32_t left = high - low, mine = lane * each;
        const uint32_t at = low + (mine < left ? mine : left);
        const bool before = at < high && (uint64_t)first_step(t, at) + at < wanted;
        const uint32_t count = __popc(__ballot_sync(full_warp, before));
        if (count == 0)
            return low;
        const uint32_t last = low + (count - 1) * each; /* is before it */
        low = last + 1;
        high = count < 32 && last + each < high ? last + each : high;
    }
    return low;
}

/* The values of the entries of a lane's step. */
template <typename T> struct alignas(2 * sizeof(T)) two_values {
    T even, odd;
};

/* What a warp loads at once: steps, their values, and which of them end a slice. */
template <typename T, bool multiplies> struct step_group {
    uint32_t pair[steps<T, multiplies>];
    two_values<T> value[multiplies ? steps<T, multiplies> : 1];
    unsigned ends;
};

/* Steps `at` to at + steps - 1, those from `end` on empty. */
template <typename T, bool multiplies>
__device__ static void load_steps(step_group<T, multiplies> *to, const cuda_sum_tiles_view &t,
                                  uint32_t at, uint32_t end, unsigned lane)
{
    constexpr int at_once = steps<T, multiplies>;
    const uint32_t *from = t.column + (uint64_t)at * 32 + lane;
    to->ends = 0;
    if (at < end) {
        const uint64_t bits = (uint64_t)t.ends[at / 32 + 1] << 32 | t.ends[at / 32];
        const uint32_t count = end - at < at_once ? end - at : at_once;
        to->ends = (unsigned)(bits >> at % 32) & ((1u << count) - 1);
    }
#pragma unroll
    for (int j = 0; j < at_once; j++)
        to->pair[j] = at + j < end ? __ldcs(from + 32 * j) : t.tile_columns * 0x10001u;
    if (!multiplies)
        return;
    const two_values<T> *value = (const two_values<T> *)t.value + (uint64_t)at * 32 + lane;
#pragma unroll
    for (int j = 0; j < at_once; j++)
        to->value[multiplies ? j : 0] = at + j < end ? value[32 * j] : two_values<T>{0, 0};
}

/* What an entry in a column of the tile adds. Usual products with the padding's value, the sum of nothing, are that; of
 * others the padding is tested. */
template <int how, typename S, typename T>
__device__ static T term(const cuda_sum_tiles_view &t, S add, int multiply, const T *value,
                         uint32_t column, T of)
{
    const T x = value[column];
    if (how == SUM_VALUES || (how == SUM_OTHER_PRODUCTS && column == t.tile_columns))
        return x;
    return factors_product<how>(add, multiply, x, of);
}

/* The slices first ... last - 1 of a tile. */
template <int how, typename S, typename T>
__device__ static void sum_slices(const cuda_sum_tiles_view &t, S add, int multiply, const T *value,
                                  T *partial, uint32_t first, uint32_t last)
{
    constexpr bool multiplies = how != SUM_VALUES;
    constexpr int at_once = steps<T, multiplies>;
    const unsigned lane = threadIdx.x % 32;
    const uint32_t end = first_step(t, last);
    T *sum = partial + (uint64_t)first * 32 + lane;
    step_group<T, multiplies> now, next;
    T even = add.none(), odd = add.none();
    uint32_t at = first_step(t, first);
    load_steps(&now, t, at, end, lane);
    for (; at < end; at += at_once) {
        load_steps(&next, t, at + at_once, end, lane);
#pragma unroll
        for (int j = 0; j < at_once; j++) {
            const two_values<T> &of = now.value[multiplies ? j : 0];
            const uint32_t first = now.pair[j] & 0xffff, second = now.pair[j] >> 16;
            even = add.of(even, term<how>(t, add, multiply, value, first, of.even));
            odd = add.of(odd, term<how>(t, add, multiply, value, second, of.odd));
            if (now.ends >> j & 1) {
                *sum = add.of(even, odd);
                sum += 32;
                even = odd = add.none();
            }
        }
        now = next;
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

template <typename S, int how>
__global__ static void __launch_bounds__(SUM_TILE_THREADS, 1)
    sum_chunks(cuda_sum_tiles_view t, int add, int multiply, const typename S::type *values,
               uint32_t n, typename S::type *partial)
{
    using T = typename S::type;
    extern __shared__ unsigned long long memory[];
    __shared__ uint32_t begins[warps + 1];
    T *value = (T *)memory;
    const unsigned warp = threadIdx.x / 32;
    const uint32_t last = t.block_slice[blockIdx.x + 1];
    if (threadIdx.x == 0)
        value[t.tile_columns] = S(add).none();
    for (uint32_t slice = t.block_slice[blockIdx.x]; slice < last;) {
        const uint32_t tile = tile_of(t, slice);
        const uint32_t tile_end = t.tile_slice[tile + 1], end = tile_end < last ? tile_end : last;
        const uint64_t base = (uint64_t)tile * t.tile_columns;
        const uint64_t before = (uint64_t)first_step(t, slice) + slice;
        const uint64_t work = (uint64_t)first_step(t, end) + end - before;
        __syncthreads(); /* the values of the last tile have been read */
        const uint32_t begin = slice_at(t, before + work * warp / warps, slice, end);
        if (threadIdx.x % 32 == 0)
            begins[warp] = begin;
        if (threadIdx.x == 0)
            begins[warps] = end;
        copy_tile(value, values + base, n - base < t.tile_columns ? n - base : t.tile_columns);
        __syncthreads();
        if (begin < begins[warp + 1])
            sum_slices<how>(t, S(add), multiply, value, partial, begin, begins[warp + 1]);
        slice = end;
    }
}

/* ---- launches ------------------------------------------------------------------- */

template <typename S, int how>
static cudaError_t launch_chunks(const cuda_sum_tiles_view &t, const cuda_sum_operators &by,
                                 const void *values, uint32_t n, void *partial)
{
    using T = typename S::type;
    const size_t bytes = (t.tile_columns + 1) * sizeof(T);
    cudaError_t error = cudaFuncSetAttribute(
        sum_chunks<S, how>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (error != cudaSuccess)
        return error;
    return launch_blocks({t.blocks, SUM_TILE_THREADS, bytes}, sum_chunks<S, how>, t, by.add,
                         by.multiply, (const T *)values, n, (T *)partial);
}

cudaError_t sl_cuda_sum_chunks(const cuda_sum_tiles_view *tiles, const cuda_sum_operators *by,
                               const void *values, uint32_t n, void *partial)
{
#define CALL_FOR(S, how) launch_chunks<S, how>(*tiles, *by, values, n, partial)
#define CALL(S)          WITH_PRODUCTS(S, by->multiplies, CALL_FOR)
    WITH_SUM(by->type, by->add, CALL);
#undef CALL
#undef CALL_FOR
}
