/* Kernels over slices of matrices (rows, columns, diagonals) and single entries. Slices: one
 * warp per word of the vector's bitmap, one lane per element, each with a binary search. */
#include "cuda/data/order.cuh"
#include "cuda/operations/entries.cuh"
#include "cuda/operations/entry_kernels.h"

/* Position of entry (row, col), or CUDA_NO_PARTNER. */
__device__ static uint64_t place_of(const uint64_t *start, const uint32_t *index, uint64_t row,
                                    uint32_t col)
{
    uint64_t stop = start[row + 1], at = first_at(index, start[row], stop, col);
    return at < stop && index[at] == col ? at : CUDA_NO_PARTNER;
}

/* One warp per word of the vector. */
template <typename V>
__global__ static void slice_of(uint32_t *bits, V *to, cuda_slice slice, uint64_t n,
                                cuda_matrix_rows from, V one)
{
    const V *values = (const V *)from.values;
    unsigned lane = threadIdx.x % 32;
    for (uint64_t w = first_thread() / 32; w < (n + 31) / 32; w += all_threads() / 32) {
        uint64_t i = 32 * w + lane, at = CUDA_NO_PARTNER;
        if (i < n)
            at = place_of(from.start, from.index, slice.row + i * slice.row_step,
                          (uint32_t)(slice.col + i * slice.col_step));
        if (at != CUDA_NO_PARTNER)
            to[i] = values ? values[at] : one;
        uint32_t word = __ballot_sync(full_warp, at != CUDA_NO_PARTNER);
        if (lane == 0)
            bits[w] = word;
    }
}

cudaError_t sl_cuda_slice_of(uint32_t *bits, void *to, cuda_slice slice, uint64_t n,
                             const cuda_matrix_rows *from, const void *one)
{
#define CALL(V) launch(n, slice_of<V>, bits, (V *)to, slice, n, *from, scalar_as<V>(one))
    WITH_SIZE(from->size, CALL);
#undef CALL
}

__global__ static void slice_keys(uint64_t *key, cuda_slice slice, const uint64_t *element,
                                  unsigned shift, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        key[k] = (slice.row + element[k] * slice.row_step) << shift |
                 (slice.col + element[k] * slice.col_step);
}

cudaError_t sl_cuda_slice_keys(uint64_t *key, cuda_slice slice, const uint64_t *element,
                               unsigned shift, uint64_t count)
{
    return launch(count, slice_keys, key, slice, element, shift, count);
}

template <typename V>
__global__ static void find(cuda_entry *found, cuda_matrix_rows from, V one, uint64_t row,
                            uint32_t col)
{
    uint64_t at = place_of(from.start, from.index, row, col);
    found->present = at != CUDA_NO_PARTNER;
    found->value = found->present && from.values ? ((const V *)from.values)[at] : one;
}

cudaError_t sl_cuda_find(cuda_entry *found, const cuda_matrix_rows *from, const void *one,
                         uint64_t row, uint32_t col)
{
#define CALL(V) launch_blocks({1, 1}, find<V>, found, *from, scalar_as<V>(one), row, col)
    WITH_SIZE(from->size, CALL);
#undef CALL
}

template <typename V>
__global__ static void find_in_vector(cuda_entry *found, const uint32_t *bits, const V *values,
                                      uint64_t v, cuda_order_view order)
{
    v = place_of_id(order, v);
    found->present = !bits || bit_of(bits, (uint32_t)v);
    found->value = found->present ? values[v] : 0;
}

cudaError_t sl_cuda_find_in_vector(cuda_entry *found, const uint32_t *bits, const void *values,
                                   size_t size, uint64_t v, const cuda_order_view *order)
{
#define CALL(V) launch_blocks({1, 1}, find_in_vector<V>, found, bits, (const V *)values, v, *order)
    WITH_SIZE(size, CALL);
#undef CALL
}

template <typename V>
__global__ static void put(uint32_t *bits, V *values, uint64_t v, bool present, V value,
                           cuda_order_view order)
{
    v = place_of_id(order, v);
    uint32_t bit = (uint32_t)1 << (v % 32);
    if (present) {
        bits[v / 32] |= bit;
        values[v] = value;
    } else {
        bits[v / 32] &= ~bit;
    }
}

cudaError_t sl_cuda_set_entry(cuda_order_arrays vector, uint64_t v, bool present, const void *value,
                              size_t size, const cuda_order_view *order)
{
#define CALL(V)                                                                                    \
    launch_blocks({1, 1}, put<V>, vector.bits, (V *)vector.values, v, present,                     \
                  scalar_as<V>(value), *order)
    WITH_SIZE(size, CALL);
#undef CALL
}
