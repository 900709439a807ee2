/* What adds up in sums of a full vector's values: plus, min or max, in a type of 4 or 8 bytes. */
#ifndef SEMLA_CUDA_SUMMING_CUH
#define SEMLA_CUDA_SUMMING_CUH

#include "cuda/operations/algebra.cuh"
#include "cuda/products/summing.h"

/* What adds up, and the sum of nothing. */
template <typename T> struct plus_sum {
    using type = T;
    static constexpr bool is_extreme = false;
    __device__ explicit plus_sum(int)
    {
    }
    __device__ T none() const
    {
        return 0;
    }
    __device__ T of(T x, T y) const
    {
        return x + y;
    }
    __device__ T product(T x, T y) const
    {
        return x * y;
    }
    __device__ T missing(int) const
    {
        return 0;
    }
    __device__ bool is_far(T, bool) const
    {
        return false;
    }
    __device__ bool is_nothing(T, bool) const
    {
        return false;
    }
};

/* The least or the greatest. Each of them and NaN is the other number, so that NaN is the sum of nothing. */
template <typename T> struct extreme {
    using type = T;
    static constexpr bool is_extreme = true;
    const bool least;
    __device__ explicit extreme(int add) : least(add == SL_BINARY_MIN)
    {
    }
    __device__ T none() const
    {
        if constexpr (is_float<T>)
            return (T)NAN;
        else
            return worst();
    }
    __device__ T of(T x, T y) const
    {
        return least ? binary<T>(SL_BINARY_MIN, x, y) : binary<T>(SL_BINARY_MAX, x, y);
    }
    __device__ T product(T x, T y) const
    {
        return binary<T>(SL_BINARY_PLUS, x, y);
    }
    /* What a missing factor is read as: its products are worse than all others (missing_entries.c says when). Sums
     * do not overflow, if no factor is far. */
    __device__ T missing(int multiply) const
    {
        if (multiply == SL_BINARY_MIN || multiply == SL_BINARY_MAX)
            return worst();
        if constexpr (is_float<T>)
            return (T)NAN;
        else
            return worst() / 2;
    }
    __device__ T worst() const
    {
        return least ? limits<T>::greatest() : limits<T>::least();
    }
    /* Whether a value of the vector may lead to sums that missing entries lead to, too. multiplied: by plus. */
    __device__ bool is_far(T x, bool multiplied) const
    {
        if constexpr (is_float<T>)
            return isnan(x);
        else
            return multiplied ? x > limits<T>::greatest() / 8 || x < limits<T>::least() / 8
                              : x == worst();
    }
    /* Whether a sum is of missing entries alone, if no value is far. */
    __device__ bool is_nothing(T sum, bool multiplied) const
    {
        if constexpr (is_float<T>)
            return isnan(sum);
        else if (!multiplied)
            return sum == worst();
        else
            return least ? sum > limits<T>::greatest() / 4 : sum < limits<T>::least() / 4;
    }
};

/* The product of two factors. how: cuda_summed_terms; code: the operator of other products. */
template <int how, typename S, typename T>
__device__ inline T factors_product(S add, int code, T x, T y)
{
    if (how == SUM_USUAL_PRODUCTS)
        return add.product(x, y);
    switch (code) {
    case SL_BINARY_TIMES:
        return binary<T>(SL_BINARY_TIMES, x, y);
    case SL_BINARY_MIN:
        return binary<T>(SL_BINARY_MIN, x, y);
    default:
        return binary<T>(SL_BINARY_MAX, x, y);
    }
}

/* Returns CALL(S, how) with what adds up and what multiplies; other products are added up by MIN and MAX alone. */
#define WITH_PRODUCTS(S, multiplies, CALL)                                                         \
    ((multiplies) == SUM_VALUES ? CALL(S, SUM_VALUES)                                              \
     : (multiplies) == SUM_USUAL_PRODUCTS                                                          \
         ? CALL(S, SUM_USUAL_PRODUCTS)                                                             \
         : CALL(S, S::is_extreme ? SUM_OTHER_PRODUCTS : SUM_VALUES))

/* Returns CALL(S) with what adds up in a type. Sums and products of unsigned integers have the bits of those of signed
 * ones. */
#define WITH_SUM(type, add, CALL)                                                                  \
    switch (type) {                                                                                \
    case SL_INT32:                                                                                 \
        return (add) == SL_BINARY_PLUS ? CALL(plus_sum<uint32_t>) : CALL(extreme<int32_t>);        \
    case SL_UINT32:                                                                                \
        return (add) == SL_BINARY_PLUS ? CALL(plus_sum<uint32_t>) : CALL(extreme<uint32_t>);       \
    case SL_INT64:                                                                                 \
        return (add) == SL_BINARY_PLUS ? CALL(plus_sum<uint64_t>) : CALL(extreme<int64_t>);        \
    case SL_UINT64:                                                                                \
        return (add) == SL_BINARY_PLUS ? CALL(plus_sum<uint64_t>) : CALL(extreme<uint64_t>);       \
    case SL_FP32:                                                                                  \
        return (add) == SL_BINARY_PLUS ? CALL(plus_sum<float>) : CALL(extreme<float>);             \
    default:                                                                                       \
        return (add) == SL_BINARY_PLUS ? CALL(plus_sum<double>) : CALL(extreme<double>);           \
    }

#endif
