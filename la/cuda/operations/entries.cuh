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

/* The sum of the terms before term e, from inclusive sums. */
__device__ inline uint64_t before(const uint64_t *ends, uint64_t e)
{
    return e ? ends[e - 1] : 0;
}

/* By all lanes of the warp that has word w of the bits (FOR_EACH_WORD): whether the lane's entry is kept. */
__device__ inline void keep_entry(const cuda_kept &kept, uint64_t w, bool keep)
{
    const unsigned word = __ballot_sync(full_warp, keep);
    if (threadIdx.x % 32 == 0) {
        kept.bits[w] = word;
        kept.ends[w] = (uint64_t)__popc(word);
    }
}

__device__ inline bool is_kept(const cuda_kept &kept, uint64_t e)
{
    return kept.bits[e / 32] >> e % 32 & 1;
}

/* Number of kept entries before entry e. */
__device__ inline uint64_t kept_before(const cuda_kept &kept, uint64_t e)
{
    const uint64_t w = e / 32;
    const uint32_t below = e % 32 ? kept.bits[w] & (UINT32_C(0xffffffff) >> (32 - e % 32)) : 0;
    return before(kept.ends, w) + (uint64_t)__popc(below);
}

#endif
