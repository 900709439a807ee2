/* Device functions for kernels over the entries of matrices. */
#ifndef SEMLA_CUDA_ENTRIES_CUH
#define SEMLA_CUDA_ENTRIES_CUH

#include "cuda/operations/algebra.cuh"
#include "cuda/operations/matrix_kernels.h"

/* The first index in [low, high) of a sorted array at which the item is not less than x. */
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

/* Number of kept entries before entry e. */
__device__ inline uint64_t before(const uint64_t *ends, uint64_t e)
{
    return e ? ends[e - 1] : 0;
}

#endif
