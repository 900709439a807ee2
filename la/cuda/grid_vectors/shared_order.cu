/* Kernels of shared orders: one thread per index, or per word. */
#include "cuda/grid_vectors/shared_order_kernels.h"
#include "cuda/products/summing.cuh"
#include "cuda/runtime/common.cuh"

__global__ static void add_member_counts(uint32_t *to, const uint32_t *from, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] += from[k];
}

cudaError_t sl_cuda_add_counts(uint32_t *to, const uint32_t *from, uint64_t count)
{
    return launch(count, add_member_counts, to, from, count);
}

/* The bits set before bit `v`. */
__device__ static uint64_t bits_before(const uint32_t *bits, const uint64_t *ends, uint64_t v)
{
    const uint32_t word = bits[v / 32];
    return ends[v / 32] - __popc(word >> (v % 32));
}

__global__ static void find_places(uint32_t *place, const uint32_t *index, uint64_t count,
                                   const uint32_t *bits, const uint64_t *ends, uint64_t length)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads()) {
        const uint64_t v = index[k];
        const bool inside = v < length;
        place[k] = (uint32_t)(inside   ? bits_before(bits, ends, v)
                              : length ? ends[(length - 1) / 32]
                                       : 0);
    }
}

cudaError_t sl_cuda_find_places(uint32_t *place, const uint32_t *index, uint64_t count,
                                const uint32_t *bits, const uint64_t *ends, uint64_t length)
{
    return launch(count, find_places, place, index, count, bits, ends, length);
}

__global__ static void unite_bits(uint32_t *any, const uint32_t *bits, uint32_t bitmaps,
                                  uint64_t words)
{
    for (uint64_t w = first_thread(); w < words; w += all_threads()) {
        uint32_t all = 0;
        for (uint32_t m = 0; m < bitmaps; m++)
            all |= bits[m * words + w];
        any[w] = all;
    }
}

cudaError_t sl_cuda_unite_bits(uint32_t *any, const uint32_t *bits, uint32_t bitmaps,
                               uint64_t words)
{
    return launch(words, unite_bits, any, bits, bitmaps, words);
}

template <typename S>
__global__ static void add_summands(typename S::type *to, int op,
                                    const __grid_constant__ cuda_summands s, uint64_t length)
{
    using T = typename S::type;
    const S add(op);
    for (uint64_t v = first_thread(); v < length; v += all_threads()) {
        T sum = 0;
        bool any = false;
        for (uint32_t m = 0; m < s.count; m++) {
            const uint32_t *bits = s.bits + m * s.words;
            if (!(bits[v / 32] >> (v % 32) & 1))
                continue;
            const T value =
                __ldcs((const T *)s.part[m] + bits_before(bits, s.ends + m * s.words, v));
            sum = any ? add.of(sum, value) : value;
            any = true;
        }
        __stcs(to + v, sum);
    }
}

cudaError_t sl_cuda_add_summands(void *to, sl_type type, int add, const cuda_summands *summands,
                                 uint64_t length)
{
#define CALL(S) launch(length, add_summands<S>, (typename S::type *)to, add, *summands, length)
    WITH_SUM(type, add, CALL);
#undef CALL
}
