/* Kernels of the order of a matrix's columns: one thread per entry or per column. */
#include "cuda/products/column_order_kernels.h"
#include "cuda/runtime/common.cuh"

__global__ static void count_columns(uint32_t *degree, const uint32_t *index, uint64_t nnz)
{
    for (uint64_t e = first_thread(); e < nnz; e += all_threads())
        atomicAdd(degree + __ldcs(index + e), 1u);
}

cudaError_t sl_cuda_count_columns(uint32_t *degree, const uint32_t *index, uint64_t nnz)
{
    return launch(nnz, count_columns, degree, index, nnz);
}

__global__ static void number_columns(uint32_t *numbers, count_t *used, const uint32_t *degree,
                                      uint64_t columns)
{
    count_t count = 0;
    for (uint64_t c = first_thread(); c < columns; c += all_threads()) {
        numbers[c] = (uint32_t)c;
        count += degree[c] > 0;
    }
    count = warp_sum(count);
    if (threadIdx.x % 32 == 0 && count)
        atomicAdd(used, count);
}

cudaError_t sl_cuda_number_columns(uint32_t *numbers, unsigned long long *used,
                                   const uint32_t *degree, uint64_t columns)
{
    return launch(columns, number_columns, numbers, used, degree, columns);
}

__global__ static void invert_order(uint32_t *place, const uint32_t *old, uint64_t columns)
{
    for (uint64_t k = first_thread(); k < columns; k += all_threads())
        place[old[k]] = (uint32_t)k;
}

cudaError_t sl_cuda_invert_order(uint32_t *place, const uint32_t *old, uint64_t columns)
{
    return launch(columns, invert_order, place, old, columns);
}

__global__ static void place_columns(uint32_t *to, const uint32_t *index, const uint32_t *place,
                                     uint64_t nnz)
{
    for (uint64_t e = first_thread(); e < nnz; e += all_threads())
        to[e] = place[__ldcs(index + e)];
}

cudaError_t sl_cuda_place_columns(uint32_t *to, const uint32_t *index, const uint32_t *place,
                                  uint64_t nnz)
{
    return launch(nnz, place_columns, to, index, place, nnz);
}

template <typename T>
__global__ static void order_values(T *to, const T *from, const uint32_t *old, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = from[old[k]];
}

cudaError_t sl_cuda_order_values(void *to, const void *from, const uint32_t *old, size_t size,
                                 uint64_t count)
{
#define CALL(T) launch(count, order_values<T>, (T *)to, (const T *)from, old, count)
    WITH_SIZE(size, CALL);
#undef CALL
}
