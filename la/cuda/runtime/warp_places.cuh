/* Prefix sums over a warp, places of a list for its lanes, and lists of the set bits of its words. */
#ifndef SEMLA_CUDA_WARP_PLACES_CUH
#define SEMLA_CUDA_WARP_PLACES_CUH

#include "cuda/runtime/common.cuh"

/* The sum of `own` over this lane and those before it. By all threads of the warp. */
__device__ inline count_t warp_sum_up_to(count_t own)
{
    const unsigned lane = threadIdx.x % 32;
    count_t sum = own;
    for (unsigned offset = 1; offset < 32; offset *= 2) {
        const count_t other = __shfl_up_sync(full_warp, sum, offset);
        sum += lane >= offset ? other : 0;
    }
    return sum;
}

/* Takes places from a counter for `own` items of each lane; the first place of this lane. By all threads
 * of the warp, of which one adds to the counter. */
__device__ inline count_t places_of_warp(unsigned long long *counter, count_t own)
{
    const count_t upto = warp_sum_up_to(own);
    count_t base = 0;
    if (threadIdx.x % 32 == 31 && upto)
        base = atomicAdd(counter, upto);
    return __shfl_sync(full_warp, base, 31) + upto - own;
}

/* Set bits of the words of a warp, in shared memory. */
struct warp_bits {
    uint16_t place[32 * 32];
};

/* Lists the set bits of a word of each lane, in ascending order: 32 times the lane and the bit. Returns their number.
 * By all threads of the warp, which have read the list of before. */
__device__ inline unsigned list_warp_bits(warp_bits &bits, uint32_t word)
{
    const unsigned lane = threadIdx.x % 32, own = __popc(word);
    const unsigned upto = (unsigned)warp_sum_up_to(own);
    unsigned at = upto - own;
    __syncwarp();
    for (uint32_t left = word; left; left &= left - 1)
        bits.place[at++] = (uint16_t)(32 * lane + __ffs(left) - 1);
    __syncwarp();
    return __shfl_sync(full_warp, upto, 31);
}

#endif
