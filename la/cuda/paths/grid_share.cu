/* What the processes of a grid row tell each other about their vertices. */
#include "cuda/paths/grid_block_kernels.h"
#include "cuda/paths/lengths.cuh"

/* Bits behind the last one are 0. */
__global__ static void place_bits(uint32_t *to, uint64_t first, const uint32_t *bits,
                                  uint64_t count)
{
    for (uint64_t w = first_thread(); w < (count + 31) / 32; w += all_threads()) {
        const uint64_t at = first + 32 * w;
        const uint64_t both = (uint64_t)bits[w] << at % 32;
        if ((uint32_t)both)
            atomicOr(to + at / 32, (uint32_t)both);
        if (both >> 32)
            atomicOr(to + at / 32 + 1, (uint32_t)(both >> 32));
    }
}

cudaError_t sl_cuda_grid_place_bits(uint32_t *to, uint64_t first, const uint32_t *bits,
                                    uint64_t count)
{
    return launch((count + 31) / 32, place_bits, to, first, bits, count);
}

template <typename T> __global__ static void lower(T *least, const T *value)
{
    take_extreme(least, *value, true);
}

cudaError_t sl_cuda_grid_lower(void *least, const void *value, sl_type type)
{
#define CALL(T) launch_blocks({1, 1}, lower<T>, (T *)least, (const T *)value)
    WITH_SUM_TYPE(type, CALL);
#undef CALL
}
