/*
 * Kernels of gather and scatter by an index vector. One thread per index; in a gather one warp per
 * word of the result's bitmap, which needs no atomics. A scatter changes values and bits by atomics:
 * several threads may have the same index, and different indices share a word of the bitmap.
 */
#include "cuda/operations/atomic_combine.cuh"
#include "cuda/operations/vector_kernels.h"

/* Index k; negative ones become greater than every size. */
__device__ static uint64_t index_at(const cuda_index_vector &indices, uint64_t k)
{
    switch (indices.type) {
#define X(NAME, name, T, ...)                                                                      \
    case SL_##NAME:                                                                                \
        return (uint64_t)((const T *)indices.values)[k];
        SL_TYPES_NUM(X, )
#undef X
    default:
        return UINT64_MAX;
    }
}

__device__ static bool present(const uint32_t *bits, uint64_t k)
{
    return !bits || (bits[k / 32] >> (k % 32) & 1);
}

__global__ static void first_outside(unsigned long long *first, cuda_index_vector indices,
                                     uint64_t bound)
{
    for (uint64_t k = first_thread(); k < indices.n; k += all_threads())
        if (present(indices.bits, k) && index_at(indices, k) >= bound)
            atomicMin(first, (unsigned long long)k);
}

cudaError_t sl_cuda_first_outside(unsigned long long *first, const cuda_index_vector *indices,
                                  uint64_t bound)
{
    return launch(indices->n, first_outside, first, *indices, bound);
}

template <typename T>
__global__ static void gather(uint32_t *to_bits, T *to, const uint32_t *bits, const T *from,
                              cuda_index_vector indices)
{
    FOR_EACH_WORD(indices.n)
    {
        bool has = v < indices.n && present(indices.bits, v);
        uint64_t u = has ? index_at(indices, v) : 0;
        has = has && present(bits, u);
        if (has)
            to[v] = from[u];
        uint32_t word = __ballot_sync(full_warp, has);
        if (lane == 0 && to_bits)
            to_bits[w] = word;
    }
}

cudaError_t sl_cuda_gather_by_vector(uint32_t *to_bits, void *to, const uint32_t *bits,
                                     const void *from, size_t size,
                                     const cuda_index_vector *indices)
{
#define CALL(T) launch(indices->n, gather<T>, to_bits, (T *)to, bits, (const T *)from, *indices)
    WITH_SIZE(size, CALL);
#undef CALL
}

template <typename T> __global__ static void scatter(cuda_scatter s, cuda_index_vector indices)
{
    const T *from = (const T *)s.from;
    for (uint64_t k = first_thread(); k < indices.n; k += all_threads()) {
        if (!present(indices.bits, k))
            continue;
        uint64_t u = index_at(indices, k);
        uint32_t bit = (uint32_t)1 << (u % 32);
        if (s.given && !bit_now(s.given, (uint32_t)u))
            atomicOr(s.given + u / 32, bit);
        if (!present(s.bits, k))
            continue;
        if (s.code == SL_BINARY_ANY)
            ((T *)s.to)[u] = from[k];
        else
            combine((T *)s.to + u, from[k], s.code);
        if (s.to_bits && !bit_now(s.to_bits, (uint32_t)u))
            atomicOr(s.to_bits + u / 32, bit);
    }
}

cudaError_t sl_cuda_scatter_by_vector(const cuda_scatter *s, const cuda_index_vector *indices)
{
#define CALL(T) launch(indices->n, scatter<T>, *s, *indices)
    WITH_TYPE(s->type, CALL);
#undef CALL
}
