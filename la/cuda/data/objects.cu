/* Kernels that convert arrays of the host and lists of entries to objects: one thread per element.
 */
#include "cuda/data/object_kernels.h"
#include "cuda/data/order.cuh"
#include "cuda/runtime/common.cuh"

enum { MOST_BLOCKS = 4096 };

template <typename TO, typename FROM>
__global__ static void convert(TO *to, const FROM *from, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = (TO)from[k];
}

cudaError_t sl_cuda_to_32_bits(uint32_t *to, const uint64_t *from, uint64_t count)
{
    return launch_blocks({grid_of(count, MOST_BLOCKS)}, convert<uint32_t, uint64_t>, to, from,
                         count);
}

cudaError_t sl_cuda_widen(uint64_t *to, const uint32_t *from, uint64_t count)
{
    return launch_blocks({grid_of(count, MOST_BLOCKS)}, convert<uint64_t, uint32_t>, to, from,
                         count);
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
                            const void *value, uint64_t count, size_t size)
{
#define SCATTER(T)                                                                                 \
    launch_blocks({grid_of(count, MOST_BLOCKS)}, scatter<T>, bits, (T *)values, index,             \
                  (const T *)from, value_of<T>(value), count)
    WITH_SIZE(size, SCATTER);
#undef SCATTER
}

/* A thread per word of the bitmap; each block looks the places up. */
__global__ static void scatter_host_list(uint32_t *bits, uint64_t words, char *values,
                                         cuda_host_list entries, unsigned count, unsigned size,
                                         cuda_order_view order)
{
    __shared__ uint64_t place[CUDA_HOST_LIST_MAX];
    if (threadIdx.x < count) {
        const uint64_t v = place[threadIdx.x] = place_of_id(order, entries.index[threadIdx.x]);
        if (blockIdx.x == 0)
            memcpy(values + v * size, &entries.value[threadIdx.x], size);
    }
    __syncthreads();
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        uint32_t word = 0;
        for (unsigned k = 0; k < count; k++)
            word |= place[k] / 32 == w ? (uint32_t)1 << (place[k] % 32) : 0;
        bits[w] = word;
    }
}

cudaError_t sl_cuda_scatter_host_list(uint32_t *bits, uint64_t words, void *values,
                                      const cuda_host_list *entries, uint64_t count, size_t size,
                                      const cuda_order_view *order)
{
    return launch(words, scatter_host_list, bits, words, (char *)values, *entries, (unsigned)count,
                  (unsigned)size, *order);
}

__global__ static void write_host_list(uint64_t *start, uint32_t *index, char *values,
                                       cuda_host_list entries, unsigned count, unsigned size)
{
    if (threadIdx.x < 2)
        start[threadIdx.x] = threadIdx.x * count;
    if (threadIdx.x >= count)
        return;
    index[threadIdx.x] = (uint32_t)entries.index[threadIdx.x];
    memcpy(values + threadIdx.x * size, &entries.value[threadIdx.x], size);
}

cudaError_t sl_cuda_write_host_list(uint64_t *start, uint32_t *index, void *values,
                                    const cuda_host_list *entries, uint64_t count, size_t size)
{
    return launch_blocks({1, CUDA_HOST_LIST_MAX}, write_host_list, start, index, (char *)values,
                         *entries, (unsigned)count, (unsigned)size);
}

template <typename T> __global__ static void fill(T *to, T value, uint64_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        to[v] = value;
}

cudaError_t sl_cuda_fill(void *to, const void *value, size_t size, uint64_t n)
{
#define CALL(T) launch(n, fill<T>, (T *)to, value_of<T>(value), n)
    WITH_SIZE(size, CALL);
#undef CALL
}

template <typename T>
__global__ static void copy_entries(T *to, const T *from, const uint32_t *bits, uint64_t n)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        if (bit_of(bits, (uint32_t)v))
            to[v] = from[v];
}

cudaError_t sl_cuda_copy_entries(void *to, const void *from, const uint32_t *bits, size_t size,
                                 uint64_t n)
{
#define CALL(T) launch(n, copy_entries<T>, (T *)to, (const T *)from, bits, n)
    WITH_SIZE(size, CALL);
#undef CALL
}
