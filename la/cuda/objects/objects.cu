/* Kernels that bring arrays of the host into the form of the device's objects. */
#include "common.cuh"

enum { MOST_BLOCKS = 4096 };

__global__ static void narrow(uint32_t *to, const uint64_t *from, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = (uint32_t)from[k];
}

cudaError_t sl_cuda_narrow(uint32_t *to, const uint64_t *from, uint64_t count, cudaStream_t stream)
{
    narrow<<<grid_of(count, MOST_BLOCKS), CUDA_THREADS, 0, stream>>>(to, from, count);
    return cudaGetLastError();
}

template <typename T>
__global__ static void scatter(uint32_t *bits, T *values, const uint64_t *index, const T *from,
                               uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads()) {
        uint64_t v = index[k];
        values[v] = from[k];
        atomicOr(bits + v / 32, (uint32_t)1 << (v % 32));
    }
}

cudaError_t sl_cuda_scatter(uint32_t *bits, void *values, const uint64_t *index, const void *from,
                            uint64_t count, size_t size, cudaStream_t stream)
{
#define SCATTER(T)                                                                                 \
    scatter<<<grid_of(count, MOST_BLOCKS), CUDA_THREADS, 0, stream>>>(bits, (T *)values, index,    \
                                                                      (const T *)from, count)
    WITH_SIZE(size, SCATTER)
#undef SCATTER
    return cudaGetLastError();
}

__global__ static void scatter_few(uint32_t *bits, char *values, cuda_few few, unsigned count,
                                   unsigned size)
{
    if (threadIdx.x >= count)
        return;
    uint64_t v = few.index[threadIdx.x];
    memcpy(values + v * size, &few.value[threadIdx.x], size);
    atomicOr(bits + v / 32, (uint32_t)1 << (v % 32));
}

cudaError_t sl_cuda_scatter_few(uint32_t *bits, void *values, const cuda_few *few, uint64_t count,
                                size_t size, cudaStream_t stream)
{
    scatter_few<<<1, CUDA_FEW, 0, stream>>>(bits, (char *)values, *few, (unsigned)count,
                                            (unsigned)size);
    return cudaGetLastError();
}
