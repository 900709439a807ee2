/* Sorts of segments. */
#ifndef SEMLA_EMULATOR_DEVICE_SEGMENTED_SORT_CUH
#define SEMLA_EMULATOR_DEVICE_SEGMENTED_SORT_CUH

#include "device_radix_sort.cuh"

namespace cub
{

struct DeviceSegmentedSort {
    template <typename K, typename V, typename BEGIN, typename END>
    static cudaError_t StableSortPairs(void *scratch, size_t &bytes, const K *key, K *sorted_key,
                                       const V *value, V *sorted_value, int64_t, int64_t segments,
                                       BEGIN begin, END end, cudaStream_t stream = nullptr)
    {
        EMULATOR_SCRATCH(scratch, bytes)
        emulator::enqueue(stream, [=] {
            for (int64_t s = 0; s < segments; s++)
                DeviceRadixSort::sort(key + begin[s], sorted_key + begin[s], value + begin[s],
                                      sorted_value + begin[s], end[s] - begin[s], 0,
                                      8 * (int)sizeof(K), false);
        });
        return cudaSuccess;
    }
};

} // namespace cub

#endif
