/*
 * Kernels for the degree order of a graph's vertices. Launches have one thread per vertex, up to
 * CUDA_BLOCKS_PER_SM blocks of CUDA_THREADS threads per multiprocessor, and stride over the rest.
 */
#include "cuda/reorder/reorder_kernels.h"
#include "cuda/runtime/common.cuh"

__global__ static void row_degrees(uint32_t *degree, uint32_t *vertex, const uint64_t *start,
                                   uint32_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads()) {
        degree[v] = (uint32_t)(start[v + 1] - start[v]);
        vertex[v] = (uint32_t)v;
    }
}

cudaError_t sl_cuda_row_degrees(uint32_t *degree, uint32_t *vertex, const uint64_t *start,
                                uint32_t n)
{
    return launch(n, row_degrees, degree, vertex, start, n);
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

__global__ static void set_new_ids(uint32_t *new_id, uint32_t *word_degree, const uint32_t *old_id,
                                   const uint32_t *degree, uint32_t n)
{
    for (uint64_t k = first_thread(); k < n; k += all_threads()) {
        new_id[old_id[k]] = (uint32_t)k;
        if (k % 32 == 0)
            word_degree[k / 32] = degree[k];
    }
}

cudaError_t sl_cuda_set_new_ids(uint32_t *new_id, uint32_t *word_degree, const uint32_t *old_id,
                                const uint32_t *degree, uint32_t n)
{
    return launch(n, set_new_ids, new_id, word_degree, old_id, degree, n);
}
