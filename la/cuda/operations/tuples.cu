/* Generates tuples, one thread per tuple, as keys of entries or to be counted. */
#include <cub/device/device_select.cuh>

#include "cuda/operations/reserve.cuh"
#include "cuda/operations/tuple_kernels.h"
#include "cuda/runtime/common.cuh"

static constexpr uint64_t no_key = ~(uint64_t)0;

__device__ static uint32_t number_of(const cuda_numbering &numbers, uint64_t v)
{
    if (v < numbers.begin || v >= numbers.end)
        return UINT32_MAX;
    v -= numbers.begin;
    return numbers.new_id ? __ldg(numbers.new_id + v) : (uint32_t)v;
}

__device__ static uint64_t key_of(const cuda_row_range &s, uint64_t row, uint64_t col)
{
    const uint32_t r = number_of(s.rows, row);
    if (r < s.first || r >= s.last)
        return no_key;
    const uint32_t c = number_of(s.cols, col);
    return c == UINT32_MAX ? no_key : (uint64_t)(r - s.first) << s.bits | c;
}

/* The keys of tuple k and of its mirror image. */
__device__ static void keys_of(uint64_t key[2], const sl_edge_generator &source,
                               const cuda_row_range &s, uint64_t k)
{
    uint64_t row, col;
    key[0] = key[1] = no_key;
    sl_generate_edge(&source, k, &row, &col);
    bool loop = row == col;
    if (loop && source.no_loops)
        return;
    key[0] = key_of(s, row, col);
    if (source.mirrored && !loop)
        key[1] = key_of(s, col, row);
}

__global__ static void __launch_bounds__(CUDA_THREADS)
    collect_keys(uint64_t *keys, uint64_t room, unsigned long long *count,
                 const __grid_constant__ sl_edge_generator source, cuda_row_range s)
{
    const uint64_t tile = (uint64_t)CUDA_THREADS * TUPLES_AT_ONCE;
    for (uint64_t first = blockIdx.x * tile; first < source.count; first += gridDim.x * tile) {
        uint64_t key[2 * TUPLES_AT_ONCE];
        unsigned own = 0;
#pragma unroll
        for (int i = 0; i < TUPLES_AT_ONCE; i++) {
            uint64_t k = first + (uint64_t)i * CUDA_THREADS + threadIdx.x;
            key[2 * i] = key[2 * i + 1] = no_key;
            if (k < source.count)
                keys_of(key + 2 * i, source, s, k);
            own += (key[2 * i] != no_key) + (key[2 * i + 1] != no_key);
        }
        count_t at = block_reserve(count, own);
        if (at + own > room)
            continue;
#pragma unroll
        for (int i = 0; i < 2 * TUPLES_AT_ONCE; i++)
            if (key[i] != no_key)
                keys[at++] = key[i];
    }
}

cudaError_t sl_cuda_generate_keys(uint64_t *keys, uint64_t room, unsigned long long *count,
                                  const sl_edge_generator *source, const cuda_row_range *stretch)
{
    uint64_t threads = (source->count + TUPLES_AT_ONCE - 1) / TUPLES_AT_ONCE;
    return launch(threads, collect_keys, keys, room, count, *source, *stretch);
}

/* Weights are not negative, so their order is that of their bits as integers, for both types. */
__device__ static void lower_weight(count_t *values, const cuda_numbered_rows &a, uint64_t row,
                                    uint64_t col, count_t weight)
{
    const uint32_t r = number_of(a.rows, row), c = number_of(a.cols, col);
    if (r == UINT32_MAX || c == UINT32_MAX)
        return;
    uint64_t low = a.start[r], high = a.start[r + 1];
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (a.index[middle] < c)
            low = middle + 1;
        else
            high = middle;
    }
    atomicMin(values + low, weight);
}

/* One thread per edge finds those of its entries that are wanted by binary search in their rows. */
__global__ static void least_weights(count_t *values, const cuda_numbered_rows a,
                                     const __grid_constant__ sl_edge_generator source)
{
    for (uint64_t k = first_thread(); k < source.count; k += all_threads()) {
        uint64_t row, col;
        sl_generate_edge(&source, k, &row, &col);
        if (row == col && source.no_loops)
            continue;
        const count_t weight =
            source.weights.integers
                ? (count_t)sl_edge_integer_weight(&source.weights, k)
                : (count_t)__double_as_longlong(sl_edge_real_weight(&source.weights, k));
        lower_weight(values, a, row, col, weight);
        if (source.mirrored && row != col)
            lower_weight(values, a, col, row, weight);
    }
}

cudaError_t sl_cuda_least_weights(void *values, const cuda_numbered_rows *rows,
                                  const sl_edge_generator *source)
{
    return launch(source->count, least_weights, (count_t *)values, *rows, *source);
}

__global__ static void number_range(uint32_t *new_id, uint32_t first, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        new_id[k] = first + (uint32_t)k;
}

cudaError_t sl_cuda_number_range(uint32_t *new_id, uint32_t first, uint64_t count)
{
    return launch(count, number_range, new_id, first, count);
}

cudaError_t sl_cuda_unique_keys(void *scratch, size_t *bytes, uint64_t *to, const uint64_t *from,
                                unsigned long long *kept, uint64_t count)
{
    return cub::DeviceSelect::Unique(scratch, *bytes, from, to, kept, (int64_t)count,
                                     cuda_stream());
}

__global__ static void starts_of_keys(uint64_t *start, uint32_t rows, uint64_t base,
                                      const uint64_t *keys, uint64_t count, unsigned bits)
{
    for (uint64_t r = first_thread(); r <= rows; r += all_threads()) {
        uint64_t low = 0, high = count;
        while (low < high) {
            uint64_t middle = low + (high - low) / 2;
            if (keys[middle] >> bits < r)
                low = middle + 1;
            else
                high = middle;
        }
        start[r] = base + low;
    }
}

cudaError_t sl_cuda_starts_of_keys(uint64_t *start, uint32_t rows, uint64_t base,
                                   const uint64_t *keys, uint64_t count, unsigned bits)
{
    return launch((uint64_t)rows + 1, starts_of_keys, start, rows, base, keys, count, bits);
}

__device__ static void set_bit(uint32_t *bits, uint64_t v)
{
    uint32_t bit = 1u << v % 32;
    if (!(__ldcg(bits + v / 32) & bit))
        atomicOr(bits + v / 32, bit);
}

__global__ static void count_ends(long long *ends, uint32_t *ending, uint32_t *joining,
                                  const __grid_constant__ sl_edge_generator source)
{
    for (uint64_t k = first_thread(); k < source.count; k += all_threads()) {
        uint64_t end[2];
        sl_generate_edge(&source, k, &end[0], &end[1]);
        for (int i = 0; i < 2; i++) {
            atomicAdd((count_t *)ends + end[i], (count_t)1);
            set_bit(ending, end[i]);
            if (end[0] != end[1])
                set_bit(joining, end[i]);
        }
    }
}

cudaError_t sl_cuda_count_ends(long long *ends, uint32_t *ending, uint32_t *joining,
                               const sl_edge_generator *source)
{
    return launch(source->count, count_ends, ends, ending, joining, *source);
}
