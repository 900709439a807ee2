/* Private to the kernels: what passes over the entries of matrices have in common. */
#ifndef SEMLA_CUDA_ENTRIES_CUH
#define SEMLA_CUDA_ENTRIES_CUH

#include "algebra.cuh"
#include "matrix_kernels.h"

static inline unsigned blocks_for(uint64_t n, unsigned multiprocessors)
{
    return grid_of(n, multiprocessors * CUDA_BLOCKS_PER_SM);
}

/* The first of a sorted array's [low, high) that is x or above. */
template <typename T>
__device__ inline uint64_t first_at(const T *sorted, uint64_t low, uint64_t high, T x)
{
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (sorted[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* How many are kept before entry e. */
__device__ inline uint64_t before(const uint64_t *ends, uint64_t e)
{
    return e ? ends[e - 1] : 0;
}

#endif
