/* Kernels that bring vectors into an order and out of it: one thread per vertex of the caller's order. */
#include "cuda/data/order.cuh"

template <typename T>
__global__ static void into_order(uint32_t *to_bits, T *to, const uint32_t *bits, const T *from,
                                  cuda_order_view order)
{
    for (uint64_t u = first_thread(); u < order.all; u += all_threads()) {
        if (bits && !bit_of(bits, (uint32_t)u))
            continue;
        const uint32_t place = place_of(order, (uint32_t)u);
        to[place] = from[u];
        if (to_bits)
            atomicOr(to_bits + place / 32, (uint32_t)1 << (place % 32));
    }
}

cudaError_t sl_cuda_into_order(cuda_order_arrays to, cuda_order_arrays from,
                               const cuda_order_view *order, size_t size)
{
#define CALL(T)                                                                                    \
    launch(order->all, into_order<T>, to.bits, (T *)to.values, from.bits, (const T *)from.values,  \
           *order)
    WITH_SIZE(size, CALL);
#undef CALL
}

enum { ORDER_WORDS = 4 }; /* of a bitmap that a warp takes at once */

/* All loads of a step come before the next, which depends on them. Values without an entry are written, too: memory
 * would have to be read to write parts of a sector. */
template <typename T>
__global__ static void out_of_order(uint32_t *to_bits, T *to, const uint32_t *bits, const T *from,
                                    cuda_order_view order)
{
    const unsigned lane = threadIdx.x % 32;
    const uint64_t words = (order.all + (uint64_t)31) / 32;
    for (uint64_t w = first_thread() / 32 * ORDER_WORDS; w < words;
         w += all_threads() / 32 * ORDER_WORDS) {
        uint32_t place[ORDER_WORDS];
        bool is[ORDER_WORDS];
        T x[ORDER_WORDS];
#pragma unroll
        for (int k = 0; k < ORDER_WORDS; k++) {
            const uint64_t v = 32 * (w + k) + lane;
            is[k] = v < order.all;
            place[k] = is[k] ? place_of(order, (uint32_t)v) : 0;
        }
#pragma unroll
        for (int k = 0; k < ORDER_WORDS; k++)
            is[k] = is[k] && (!bits || bit_of(bits, place[k]));
#pragma unroll
        for (int k = 0; k < ORDER_WORDS; k++)
            x[k] = is[k] ? __ldg(from + place[k]) : 0;
#pragma unroll
        for (int k = 0; k < ORDER_WORDS; k++) {
            const uint64_t v = 32 * (w + k) + lane;
            const uint32_t word = __ballot_sync(full_warp, is[k]);
            if (word && v < order.all)
                to[v] = x[k];
            if (to_bits && lane == 0 && w + k < words)
                to_bits[w + k] = word;
        }
    }
}

cudaError_t sl_cuda_out_of_order(cuda_order_arrays to, cuda_order_arrays from,
                                 const cuda_order_view *order, size_t size)
{
#define CALL(T)                                                                                    \
    launch(order->all / ORDER_WORDS, out_of_order<T>, to.bits, (T *)to.values, from.bits,          \
           (const T *)from.values, *order)
    WITH_SIZE(size, CALL);
#undef CALL
}

__global__ static void places_of(uint32_t *to, const uint32_t *from, cuda_order_view order,
                                 uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = place_of(order, from ? from[k] : (uint32_t)k);
}

cudaError_t sl_cuda_places_of(uint32_t *to, const uint32_t *from, const cuda_order_view *order,
                              uint64_t count)
{
    return launch(count, places_of, to, from, *order, count);
}

__global__ static void fill_indices(cuda_integers to, uint64_t n, uint64_t first,
                                    cuda_order_view order)
{
    for (uint64_t v = first_thread(); v < n; v += all_threads())
        put_integer(to, place_of_id(order, v), (long long)(first + v));
}

cudaError_t sl_cuda_fill_indices(cuda_integers to, uint64_t n, int64_t first,
                                 const cuda_order_view *order)
{
    return launch(n, fill_indices, to, n, (uint64_t)first, *order);
}

template <typename T>
__global__ static void order_values(T *to, const T *from, const uint32_t *old, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        to[k] = from[old[k]];
}

cudaError_t sl_cuda_order_values(void *to, const void *from, const uint32_t *old, size_t size,
                                 uint64_t count)
{
#define CALL(T) launch(count, order_values<T>, (T *)to, (const T *)from, old, count)
    WITH_SIZE(size, CALL);
#undef CALL
}
