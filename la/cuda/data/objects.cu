/* Kernels that bring arrays of the host into the form of the device's objects. */
#include "common.cuh"

enum { MOST_BLOCKS = 4096 };

template <typename TO, typename FROM>
__global__ static void convert(TO *to, const FROM *from, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = (TO)from[k];
}

cudaError_t sl_cuda_narrow(uint32_t *to, const uint64_t *from, uint64_t count, cudaStream_t stream)
{
    convert<<<grid_of(count, MOST_BLOCKS), CUDA_THREADS, 0, stream>>>(to, from, count);
    return cudaGetLastError();
}

cudaError_t sl_cuda_widen(uint64_t *to, const uint32_t *from, uint64_t count, cudaStream_t stream)
{
    convert<<<grid_of(count, MOST_BLOCKS), CUDA_THREADS, 0, stream>>>(to, from, count);
    return cudaGetLastError();
}

template <typename T>
__global__ static void scatter(uint32_t *bits, T *values, const uint32_t *index, const T *from,
                               T value, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads()) {
        uint64_t v = index[k];
        values[v] = from ? from[k] : value;
        atomicOr(bits + v / 32, (uint32_t)1 << (v % 32));
    }
}

template <typename T> static T value_of(const void *value)
{
    T x;
    memcpy(&x, value, sizeof x);
    return x;
}

cudaError_t sl_cuda_scatter(uint32_t *bits, void *values, const uint32_t *index, const void *from,
                            const void *value, uint64_t count, size_t size, cudaStream_t stream)
{
#define SCATTER(T)                                                                                 \
    scatter<<<grid_of(count, MOST_BLOCKS), CUDA_THREADS, 0, stream>>>(                             \
        bits, (T *)values, index, (const T *)from, value_of<T>(value), count)
    WITH_SIZE(size, SCATTER)
#undef SCATTER
    return cudaGetLastError();
}

__global__ static void scatter_few(uint32_t *bits, char *values, cuda_host_list few, unsigned count,
                                   unsigned size)
{
    if (threadIdx.x >= count)
        return;
    uint64_t v = few.index[threadIdx.x];
    memcpy(values + v * size, &few.value[threadIdx.x], size);
    atomicOr(bits + v / 32, (uint32_t)1 << (v % 32));
}

cudaError_t sl_cuda_scatter_few(uint32_t *bits, void *values, const cuda_host_list *few, uint64_t count,
                                size_t size, cudaStream_t stream)
{
    scatter_few<<<1, CUDA_HOST_LIST_MAX, 0, stream>>>(bits, (char *)values, *few, (unsigned)count,
                                            (unsigned)size);
    return cudaGetLastError();
}

__global__ static void list_few(uint64_t *start, uint32_t *index, char *values, cuda_host_list few,
                                unsigned count, unsigned size)
{
    if (threadIdx.x < 2)
        start[threadIdx.x] = threadIdx.x * count;
    if (threadIdx.x >= count)
        return;
    index[threadIdx.x] = (uint32_t)few.index[threadIdx.x];
    memcpy(values + threadIdx.x * size, &few.value[threadIdx.x], size);
}

cudaError_t sl_cuda_list_few(uint64_t *start, uint32_t *index, void *values, const cuda_host_list *few,
                             uint64_t count, size_t size, cudaStream_t stream)
{
    list_few<<<1, CUDA_HOST_LIST_MAX, 0, stream>>>(start, index, (char *)values, *few, (unsigned)count,
                                         (unsigned)size);
    return cudaGetLastError();
}
