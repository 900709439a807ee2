/*
 * The least and the greatest of an array of values, and the sum of their absolute values. Threads
 * stride over the values; a warp combines its lanes' results by shuffles and adds them to the total
 * with one atomic each.
 */
#include "cuda/operations/algebra.cuh"
#include "cuda/operations/ordered_key.cuh"
#include "cuda/operations/value_range_kernels.h"

template <typename T>
__global__ static void value_range(cuda_range_keys *range, const uint32_t *bits, const T *values,
                                   uint64_t n)
{
    count_t least = 0, greatest = 0;
    double sum = 0;
    for (uint64_t k = first_thread(); k < n; k += all_threads()) {
        if (bits && !bit_of(bits, (uint32_t)k))
            continue;
        const double value = (double)values[k];
        const count_t key = ordered_key(value);
        least = ~key > least ? ~key : least;
        greatest = key > greatest ? key : greatest;
        sum += fabs(value);
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        const count_t low = __shfl_xor_sync(full_warp, least, offset);
        const count_t high = __shfl_xor_sync(full_warp, greatest, offset);
        least = low > least ? low : least;
        greatest = high > greatest ? high : greatest;
        sum += __shfl_xor_sync(full_warp, sum, offset);
    }
    if (threadIdx.x % 32 != 0 || greatest == 0)
        return;
    atomicMax(&range->least, least);
    atomicMax(&range->greatest, greatest);
    atomicAdd(&range->sum, sum);
}

cudaError_t sl_cuda_find_value_range(cuda_range_keys *range, const uint32_t *bits,
                                     const void *values, sl_type type, uint64_t n)
{
#define CALL(T) launch(n, value_range<T>, range, bits, (const T *)values, n)
    WITH_TYPE(type, CALL);
#undef CALL
}

double sl_cuda_range_least(const cuda_range_keys *range)
{
    return range->greatest ? value_of_key(~range->least) : NAN;
}

double sl_cuda_range_greatest(const cuda_range_keys *range)
{
    return range->greatest ? value_of_key(range->greatest) : NAN;
}
