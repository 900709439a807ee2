/* Entries as keys: sorting, finding equal ones, joining their values, rows of them. */
#include <cub/device/device_radix_sort.cuh>

#include "entries.cuh"
#include "entry_kernels.h"
#include "sums.cuh"

__global__ static void make_keys(uint64_t *key, const uint64_t *rows, const uint64_t *cols,
                                 unsigned shift, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        key[k] = cols ? rows[k] << shift | cols[k] : rows[k];
}

cudaError_t sl_cuda_keys(uint64_t *key, const uint64_t *rows, const uint64_t *cols, unsigned shift,
                         uint64_t count, unsigned multiprocessors, cudaStream_t stream)
{
    make_keys<<<blocks_for(count, multiprocessors), CUDA_THREADS, 0, stream>>>(key, rows, cols,
                                                                               shift, count);
    return cudaGetLastError();
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

cudaError_t sl_cuda_order(cuda_order *order, const uint64_t *key, uint64_t count,
                          unsigned multiprocessors, cudaStream_t stream)
{
    count_order<<<blocks_for(count, multiprocessors), CUDA_THREADS, 0, stream>>>(order, key, count);
    return cudaGetLastError();
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

static cudaError_t sort_pairs(void *scratch, size_t *bytes, const uint64_t *key, uint64_t *sorted,
                              const uint64_t *from, uint64_t *place, uint64_t count, int bits,
                              cudaStream_t stream)
{
    return cub::DeviceRadixSort::SortPairs(scratch, *bytes, key, sorted, from, place, count, 0,
                                           bits, stream);
}

/* The scratch: the numbers of the keys, then CUB's. */
cudaError_t sl_cuda_sort_scratch(size_t *bytes, uint64_t count, int bits)
{
    size_t sort = 0;
    cudaError_t error =
        sort_pairs(nullptr, &sort, nullptr, nullptr, nullptr, nullptr, count, bits, nullptr);
    *bytes = aligned(count * sizeof(uint64_t)) + sort;
    return error;
}

cudaError_t sl_cuda_sort(uint64_t *sorted, uint64_t *place, const uint64_t *key, uint64_t count,
                         int bits, void *scratch, size_t scratch_bytes, unsigned multiprocessors,
                         cudaStream_t stream)
{
    uint64_t *numbers = (uint64_t *)scratch;
    size_t before = aligned(count * sizeof *numbers), rest = scratch_bytes - before;
    number<<<blocks_for(count, multiprocessors), CUDA_THREADS, 0, stream>>>(numbers, count);
    return sort_pairs((char *)scratch + before, &rest, key, sorted, numbers, place, count, bits,
                      stream);
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
                             uint64_t count, uint64_t nrows, unsigned multiprocessors,
                             cudaStream_t stream)
{
    key_rows<<<blocks_for(count > nrows ? count : nrows + 1, multiprocessors), CUDA_THREADS, 0,
               stream>>>(start, index, key, shift, count, nrows);
    return cudaGetLastError();
}

__global__ static void gather_keys(uint64_t *to, const uint64_t *from, const uint64_t *place,
                                   uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = from[place[k]];
}

cudaError_t sl_cuda_gather_keys(uint64_t *to, const uint64_t *from, const uint64_t *place,
                                uint64_t count, unsigned multiprocessors, cudaStream_t stream)
{
    gather_keys<<<blocks_for(count, multiprocessors), CUDA_THREADS, 0, stream>>>(to, from, place,
                                                                                 count);
    return cudaGetLastError();
}

/* ---- joining equal keys ---------------------------------------------------------------- */

__global__ static void heads(uint64_t *to, const uint64_t *key, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = k == 0 || key[k] != key[k - 1];
}

cudaError_t sl_cuda_heads(uint64_t *to, const uint64_t *key, uint64_t count,
                          unsigned multiprocessors, cudaStream_t stream)
{
    heads<<<blocks_for(count, multiprocessors), CUDA_THREADS, 0, stream>>>(to, key, count);
    return cudaGetLastError();
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

template <typename T> __device__ static T joined(int code, T x, T y)
{
    if constexpr (is_bool<T>)
        if (code >= SL_BINARY_EQ && code <= SL_BINARY_GE)
            return compare(code, x, y);
    return binary(code, x, y);
}

/* In order, one after the other. */
template <typename T>
__device__ static T fold(const T *values, uint64_t from, uint64_t end, int code)
{
    T sum = values[from];
    while (++from < end)
        sum = joined(code, sum, values[from]);
    return sum;
}

/* A stretch to each lane, and then each lane's with the next one's, for lane 0. */
template <typename T>
__device__ static T fold_by_warp(const T *values, uint64_t from, uint64_t end, int code)
{
    uint64_t lane = threadIdx.x % 32, share = (end - from + 31) / 32;
    uint64_t own = from + lane * share, stop = own + share < end ? own + share : end;
    maybe<T> sum = {T(0), own < stop};
    if (sum.is)
        sum.value = fold(values, own, stop, code);
    for (int offset = 1; offset < 32; offset *= 2) {
        maybe<T> other = shuffle_down(sum, offset);
        if (other.is && lane + offset < 32)
            sum.value = joined(code, sum.value, other.value);
    }
    return sum.value;
}

/* A key to a thread; what has many values is its whole warp's if the order is free. */
template <typename T> __global__ static void join(cuda_join_keys j)
{
    const T *values = (const T *)j.values;
    T *to = (T *)j.to_values;
    unsigned lane = threadIdx.x % 32;
    for (uint64_t base = first_thread() - lane; base < j.heads; base += all_threads()) {
        uint64_t k = base + lane;
        bool mine = k < j.heads;
        uint64_t from = mine ? j.first[k] : 0, end = mine ? j.first[k + 1] : 0;
        bool much = j.associates && end - from > JOIN_ALONE;
        if (mine && !much)
            to[k] = fold(values, from, end, j.code);
        for (unsigned rest = __ballot_sync(full_warp, much); rest; rest &= rest - 1) {
            int whose = __ffs(rest) - 1;
            T sum = fold_by_warp(values, __shfl_sync(full_warp, from, whose),
                                 __shfl_sync(full_warp, end, whose), j.code);
            if (lane == 0)
                to[base + whose] = sum;
        }
    }
}

cudaError_t sl_cuda_join(const cuda_join_keys *j, sl_type type, unsigned multiprocessors,
                         cudaStream_t stream)
{
    list_heads<<<blocks_for(j->count, multiprocessors), CUDA_THREADS, 0, stream>>>(*j);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    unsigned blocks = blocks_for(j->heads, multiprocessors);
#define CALL(T) join<T><<<blocks, CUDA_THREADS, 0, stream>>>(*j)
    WITH_TYPE(type, CALL)
#undef CALL
    return cudaGetLastError();
}
