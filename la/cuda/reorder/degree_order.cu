/*
 * Kernels of orders by falling degree (degree_order.c). Launches have one thread per vertex or entry, up to
 * CUDA_BLOCKS_PER_SM blocks of CUDA_THREADS threads per multiprocessor, and stride over the rest.
 */
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/runtime/common.cuh"

__global__ static void row_degrees(uint32_t *degree, const uint64_t *start, uint32_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        degree[v] = (uint32_t)(start[v + 1] - start[v]);
}

cudaError_t sl_cuda_row_degrees(uint32_t *degree, const uint64_t *start, uint32_t n)
{
    return launch(n, row_degrees, degree, start, n);
}

__global__ static void count_columns(uint32_t *degree, const uint32_t *index, uint64_t nnz)
{
    for (uint64_t e = first_thread(); e < nnz; e += all_threads())
        atomicAdd(degree + __ldcs(index + e), 1u);
}

cudaError_t sl_cuda_count_columns(uint32_t *degree, const uint32_t *index, uint64_t nnz)
{
    return launch(nnz, count_columns, degree, index, nnz);
}

/* One block of ELL_SLOTS + 2 threads. Thread k <= ELL_SLOTS finds by binary search how many of the
 * falling degrees are greater than k; the last thread copies the greatest degree. */
__global__ static void count_degrees(uint32_t *count_above, const uint32_t *degree, uint32_t n)
{
    uint32_t k = threadIdx.x, low = 0, high = n;
    if (k == ELL_SLOTS + 1)
        count_above[k] = n ? degree[0] : 0;
    if (k > ELL_SLOTS)
        return;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (degree[middle] > k)
            low = middle + 1;
        else
            high = middle;
    }
    count_above[k] = low;
}

cudaError_t sl_cuda_count_degrees(uint32_t *count_above, const uint32_t *degree, uint32_t n)
{
    return launch_blocks({1, ELL_SLOTS + 2}, count_degrees, count_above, degree, n);
}

__global__ static void degrees_of(uint32_t *degree, const uint32_t *old_id, const uint64_t *start,
                                  uint32_t n)
{
    for (uint64_t k = first_thread(); k < n; k += all_threads()) {
        const uint64_t v = old_id[k];
        degree[k] = v == CUDA_NO_VERTEX ? 0 : (uint32_t)(start[v + 1] - start[v]);
    }
}

cudaError_t sl_cuda_degrees_of(uint32_t *degree, const uint32_t *old_id, const uint64_t *start,
                               uint32_t n)
{
    return launch(n, degrees_of, degree, old_id, start, n);
}

__global__ static void invert_order(uint32_t *place, const uint32_t *old, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        place[old[k]] = (uint32_t)k;
}

cudaError_t sl_cuda_invert_order(uint32_t *place, const uint32_t *old, uint64_t count)
{
    return launch(count, invert_order, place, old, count);
}

__global__ static void word_degrees(uint32_t *word_degree, const uint64_t *start, uint32_t n)
{
    for (uint64_t k = 32 * first_thread(); k < n; k += 32 * all_threads())
        word_degree[k / 32] = (uint32_t)(start[k + 1] - start[k]);
}

cudaError_t sl_cuda_word_degrees(uint32_t *word_degree, const uint64_t *start, uint32_t n)
{
    return launch(((uint64_t)n + 31) / 32, word_degrees, word_degree, start, n);
}
