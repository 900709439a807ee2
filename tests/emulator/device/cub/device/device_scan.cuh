/* Prefix sums. */
#ifndef SEMLA_EMULATOR_DEVICE_SCAN_CUH
#define SEMLA_EMULATOR_DEVICE_SCAN_CUH

#include "device_radix_sort.cuh"

namespace cuda::std
{
template <typename T> struct plus {
    T operator()(const T &a, const T &b) const
    {
        return a + b;
    }
};
} // namespace cuda::std

namespace cub
{

struct DeviceScan {
    template <typename FROM, typename TO, typename F, typename N>
    static cudaError_t InclusiveScan(void *scratch, size_t &bytes, FROM from, TO to, F combine,
                                     N count, cudaStream_t stream = nullptr)
    {
        EMULATOR_SCRATCH(scratch, bytes)
        emulator::enqueue(stream, [=] {
            std::remove_reference_t<decltype(*to)> sum = 0;
            for (size_t k = 0; k < (size_t)count; k++)
                to[k] = sum = k ? combine(sum, from[k]) : from[k];
        });
        return cudaSuccess;
    }
    template <typename FROM, typename TO, typename N>
    static cudaError_t InclusiveSum(void *scratch, size_t &bytes, FROM from, TO to, N count,
                                    cudaStream_t stream = nullptr)
    {
        typedef std::remove_reference_t<decltype(*to)> T;
        return InclusiveScan(scratch, bytes, from, to, ::cuda::std::plus<T>(), count, stream);
    }
    template <typename FROM, typename TO, typename N>
    static cudaError_t ExclusiveSum(void *scratch, size_t &bytes, FROM from, TO to, N count,
                                    cudaStream_t stream = nullptr)
    {
        EMULATOR_SCRATCH(scratch, bytes)
        emulator::enqueue(stream, [=] {
            std::remove_reference_t<decltype(*to)> sum = 0;
            for (size_t k = 0; k < (size_t)count; k++) {
                const auto x = from[k]; /* which may be to[k] */
                to[k] = sum;
                sum += x;
            }
        });
        return cudaSuccess;
    }
};

} // namespace cub

#endif
