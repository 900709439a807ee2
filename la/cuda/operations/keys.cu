/* Kernels over keys of entries, one thread per key: sorting, duplicates, row starts. */
#include <cub/device/device_radix_sort.cuh>

#include "cuda/operations/entries.cuh"
#include "cuda/operations/entry_kernels.h"

__global__ static void make_keys(uint64_t *key, const uint64_t *rows, const uint64_t *cols,
                                 unsigned shift, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        key[k] = cols ? rows[k] << shift | cols[k] : rows[k];
}

cudaError_t sl_cuda_keys(uint64_t *key, const uint64_t *rows, const uint64_t *cols, unsigned shift,
                         uint64_t count)
{
    return launch(count, make_keys, key, rows, cols, shift, count);
}

__global__ static void count_order(cuda_order *order, const uint64_t *key, uint64_t count)
{
    count_t below = 0, equal = 0;
    for (uint64_t k = first_thread() + 1; k < count; k += all_threads()) {
        below += key[k] < key[k - 1];
        equal += key[k] == key[k - 1];
    }
    below = warp_sum(below);
    equal = warp_sum(equal);
    if (threadIdx.x % 32 != 0)
        return;
    if (below)
        atomicAdd(&order->below, below);
    if (equal)
        atomicAdd(&order->equal, equal);
}

cudaError_t sl_cuda_order(cuda_order *order, const uint64_t *key, uint64_t count)
{
    return launch(count, count_order, order, key, count);
}

/* ---- sorting ---------------------------------------------------------------------- */

__global__ static void number(uint64_t *to, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = k;
}

static size_t aligned(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

/* Scratch: the numbers of the keys, then CUB's scratch. */
cudaError_t sl_cuda_sort_scratch(size_t *bytes, uint64_t count, int bits)
{
    size_t sort = 0;
    uint64_t *none = nullptr;
    cudaError_t error =
        cub::DeviceRadixSort::SortPairs(nullptr, sort, none, none, none, none, count, 0, bits);
    *bytes = aligned(count * sizeof(uint64_t)) + sort;
    return error;
}

cudaError_t sl_cuda_sort(uint64_t *sorted, uint64_t *origin, const uint64_t *key, uint64_t count,
                         int bits, void *scratch, size_t scratch_bytes)
{
    uint64_t *numbers = (uint64_t *)scratch;
    size_t before = aligned(count * sizeof *numbers), rest = scratch_bytes - before;
    LAUNCH_TRY(launch(count, number, numbers, count));
    return cub::DeviceRadixSort::SortPairs((char *)scratch + before, rest, key, sorted, numbers,
                                           origin, count, 0, bits, cuda_stream());
}

__global__ static void key_rows(uint64_t *start, uint32_t *index, const uint64_t *key,
                                unsigned shift, uint64_t count, uint64_t nrows)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        index[k] = (uint32_t)(key[k] & (((uint64_t)1 << shift) - 1));
    for (uint64_t row = first_thread(); row <= nrows; row += all_threads())
        start[row] = row < nrows ? first_at(key, 0, count, row << shift) : count;
}

cudaError_t sl_cuda_key_rows(uint64_t *start, uint32_t *index, const uint64_t *key, unsigned shift,
                             uint64_t count, uint64_t nrows)
{
    return launch(count > nrows ? count : nrows + 1, key_rows, start, index, key, shift, count,
                  nrows);
}

__global__ static void gather_keys(uint64_t *to, const uint64_t *from, const uint64_t *origin,
                                   uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = from[origin[k]];
}

cudaError_t sl_cuda_gather_keys(uint64_t *to, const uint64_t *from, const uint64_t *origin,
                                uint64_t count)
{
    return launch(count, gather_keys, to, from, origin, count);
}

/* ---- equal keys ---------------------------------------------------------------- */

__global__ static void heads(uint64_t *to, const uint64_t *key, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = k == 0 || key[k] != key[k - 1];
}

cudaError_t sl_cuda_heads(uint64_t *to, const uint64_t *key, uint64_t count)
{
    return launch(count, heads, to, key, count);
}

__global__ static void list_heads(cuda_join_keys j)
{
    for (uint64_t k = first_thread(); k < j.count; k += all_threads()) {
        uint64_t number = j.ends[k] - 1;
        if (before(j.ends, k) != j.ends[k]) {
            j.first[number] = k;
            j.to_key[number] = j.key[k];
        }
    }
    if (first_thread() == 0)
        j.first[j.heads] = j.count;
}

cudaError_t sl_cuda_list_heads(const cuda_join_keys *j)
{
    return launch(j->count, list_heads, *j);
}
