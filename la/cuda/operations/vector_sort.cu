/* Keys of values for a radix sort, one thread per value. */
#include "cuda/operations/algebra.cuh"
#include "cuda/operations/vector_kernels.h"

/* Unsigned integers of the same order. */
template <typename T> __device__ static uint64_t key_of(T x)
{
    constexpr int bits = 8 * sizeof(T);
    if constexpr (std::is_floating_point<T>::value) {
        using whole = std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>;
        constexpr whole sign = (whole)1 << (bits - 1);
        const T zero_or_x = x == 0 ? (T)0 : x;
        whole raw;
        memcpy(&raw, &zero_or_x, sizeof raw);
        return raw & sign ? (whole)~raw : (whole)(raw | sign);
    } else if constexpr (std::is_signed<T>::value) {
        using whole = std::make_unsigned_t<T>;
        return (whole)((whole)x ^ (whole)1 << (bits - 1));
    } else {
        return (uint64_t)x;
    }
}

template <typename T>
__global__ static void value_keys(uint64_t *key, const T *values, uint64_t flipped, uint64_t count)
{
    for (uint64_t k = first_thread(); k < count; k += all_threads())
        key[k] = key_of(values[k]) ^ flipped;
}

cudaError_t sl_cuda_value_keys(uint64_t *key, const void *values, sl_type type, bool descending,
                               uint64_t count)
{
#define CALL(T)                                                                                    \
    launch(count, value_keys<T>, key, (const T *)values,                                           \
           descending ? ~(uint64_t)0 >> (64 - 8 * sizeof(T)) : 0, count)
    WITH_TYPE(type, CALL);
#undef CALL
}
