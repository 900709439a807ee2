/* Kernels of the order of a matrix's columns: one thread per entry or per column. */
#include "cuda/products/column_order_kernels.h"
#include "cuda/runtime/common.cuh"

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
