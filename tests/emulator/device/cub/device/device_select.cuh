/* The first of each run of equal values. */
#ifndef SEMLA_EMULATOR_DEVICE_SELECT_CUH
#define SEMLA_EMULATOR_DEVICE_SELECT_CUH

#include "device_radix_sort.cuh"

namespace cub
{

struct DeviceSelect {
    template <typename FROM, typename TO, typename COUNT, typename N>
    static cudaError_t Unique(void *scratch, size_t &bytes, FROM from, TO to, COUNT selected,
                              N count, cudaStream_t stream = nullptr)
    {
        EMULATOR_SCRATCH(scratch, bytes)
        emulator::enqueue(stream, [=] {
            size_t kept = 0;
            for (size_t k = 0; k < (size_t)count; k++)
                if (k == 0 || from[k] != from[k - 1])
                    to[kept++] = from[k];
            *selected = kept;
        });
        return cudaSuccess;
    }
};

} // namespace cub

#endif
