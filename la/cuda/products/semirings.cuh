/*
 * The semirings of products as types. One kernel per type looks its operators up at run time;
 * the semirings of PRECOMPILED_PRODUCTS have kernels of their own. Others are compiled when they
 * are needed (jit.h).
 */
#ifndef SEMLA_CUDA_SEMIRINGS_CUH
#define SEMLA_CUDA_SEMIRINGS_CUH

#include "cuda/operations/reduction.cuh"
#include "cuda/products/precompiled.h"
#include "cuda/products/product_kernels.h"

/* The additive operator: a code of the table (-1: looked up in the product), or an operator
 * type. */
template <int CODE> struct table_sum {
    static constexpr bool any = CODE == SL_BINARY_ANY;
    __device__ static int code(const cuda_product &p)
    {
        return CODE < 0 ? p.add : CODE;
    }
};
template <typename Op> struct operator_sum {
    static constexpr bool any = false;
    __device__ static sum_by<Op> code(const cuda_product &)
    {
        return {};
    }
};

template <typename Sum, typename Times> struct ring_of {
    using T = typename Times::Z;
    using X = typename Times::X;
    using Y = typename Times::Y;
    static constexpr bool any = Sum::any;
    static constexpr bool positional = Times::positional;
    static constexpr uint32_t no_row = 0; /* for products that at_row completes */

    __device__ static auto add_code(const cuda_product &p)
    {
        return Sum::code(p);
    }

    template <typename V> __device__ static V value(const void *values, uint64_t k)
    {
        return values ? ((const V *)values)[k] : V(1);
    }
    /* The product of entry e of the matrix and entry k of the other operand. */
    __device__ static T of_entries(const cuda_product &p, uint64_t e, uint64_t k)
    {
        if constexpr (std::is_same_v<X, Y>) {
            X a = value<X>(p.values, e), u = value<X>(p.u_values, k);
            return p.matrix_first ? Times::of(p.multiply, a, u) : Times::of(p.multiply, u, a);
        } else {
            return p.matrix_first
                       ? Times::of(p.multiply, value<X>(p.values, e), value<Y>(p.u_values, k))
                       : Times::of(p.multiply, value<X>(p.u_values, k), value<Y>(p.values, e));
        }
    }
    __device__ static T multiply(const cuda_product &p, uint64_t e, uint32_t outer, uint32_t inner)
    {
        if constexpr (positional)
            return (T)(p.position == CUDA_OUTER ? outer : p.position == CUDA_INNER ? inner : 0);
        else
            return of_entries(p, e, inner);
    }
    /* Completes a product, computed before the row was known, for an entry of that row. */
    __device__ static T at_row(const cuda_product &p, T product, uint32_t row)
    {
        return positional && p.position == CUDA_OUTER ? (T)row : product;
    }
    __device__ static bool ends(const cuda_product &p, const maybe<T> &sum)
    {
        if (any || p.any)
            return sum.is;
        if (!p.ends || !sum.is)
            return false;
        T terminal;
        memcpy(&terminal, &p.terminal, sizeof terminal);
        return sum.value == terminal;
    }
};

template <typename T, cuda_kind KIND, int ADD, int MULTIPLY>
using ring = ring_of<table_sum<ADD>, table_binary<T, KIND, MULTIPLY>>;
/* Looks its operators up at run time. */
template <typename T> using table_ring = ring<T, CUDA_VALUES, -1, -1>;

#ifndef __CUDACC_RTC__

/* Return LAUNCH(R), a cudaError_t, with the semiring type of the product p. */
#define RING_AHEAD(T, KIND, ADD, MULTIPLY)                                                         \
    if (is_ring<T>(p, KIND, ADD, MULTIPLY)) {                                                      \
        using R = ring<T, KIND, ADD, MULTIPLY>;                                                    \
        return LAUNCH(R);                                                                          \
    }
#define RING_OF_TYPE(T) LAUNCH(table_ring<T>)
#define RING_OF_POSITIONS                                                                          \
    if (p->kind == CUDA_POSITION && p->type == SL_INT32) {                                         \
        using R = ring<int32_t, CUDA_POSITION, -1, -1>;                                            \
        return LAUNCH(R);                                                                          \
    }                                                                                              \
    if (p->kind == CUDA_POSITION) {                                                                \
        using R = ring<int64_t, CUDA_POSITION, -1, -1>;                                            \
        return LAUNCH(R);                                                                          \
    }
#define WITH_RING                                                                                  \
    PRECOMPILED_PRODUCTS(RING_AHEAD)                                                               \
    RING_OF_POSITIONS                                                                              \
    WITH_TYPE(p->type, RING_OF_TYPE)

template <typename T> constexpr int code_of = -1;
#define X(NAME, name, T, ...) template <> constexpr int code_of<T> = SL_##NAME;
SL_TYPES_ALL(X, )
#undef X

template <typename T> inline bool is_ring(const cuda_product *p, cuda_kind kind, int add, int mul)
{
    return p->kind == kind && p->type == code_of<T> && p->add == add &&
           (mul < 0 || p->multiply == mul);
}

#endif
#endif
