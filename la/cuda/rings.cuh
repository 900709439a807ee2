/*
 * The semirings of products. One kernel per type looks its operators up while it
 * runs; those of AHEAD are compiled for their semiring: the table of what is.
 */
#ifndef SEMLA_CUDA_RINGS_CUH
#define SEMLA_CUDA_RINGS_CUH

#include "product_kernels.h"
#include "sums.cuh"

/* X(type, what products are, monoid, multiplicative operator); of positions the
 * operator is looked up, as it costs nothing. */
#define AHEAD(X)                                                                                   \
    X(float, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_TIMES)                                         \
    X(double, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_TIMES)                                        \
    X(float, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_SECOND)                                        \
    X(double, CUDA_VALUES, SL_BINARY_PLUS, SL_BINARY_SECOND)                                       \
    X(float, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                           \
    X(double, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                          \
    X(int32_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                         \
    X(int64_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_PLUS)                                         \
    X(int64_t, CUDA_VALUES, SL_BINARY_MIN, SL_BINARY_FIRST)                                        \
    X(bool, CUDA_VALUES, SL_BINARY_ANY, SL_BINARY_PAIR)                                            \
    X(bool, CUDA_VALUES, SL_BINARY_LOR, SL_BINARY_LAND)                                            \
    X(int64_t, CUDA_POSITION, SL_BINARY_ANY, -1)                                                   \
    X(int64_t, CUDA_POSITION, SL_BINARY_MIN, -1)

/* -1: looked up in the product. */
template <typename T_, cuda_kind KIND, int ADD, int MULTIPLY> struct ring {
    using T = T_;
    static constexpr bool any = ADD == SL_BINARY_ANY;
    static constexpr uint32_t no_row = 0; /* where at_row tells it later */

    __device__ static int add_code(const cuda_product &p) { return ADD < 0 ? p.add : ADD; }
    __device__ static T multiply(const cuda_product &p, uint64_t e, uint32_t outer, uint32_t inner)
    {
        if constexpr (KIND == CUDA_POSITION) {
            return p.position == CUDA_OUTER ? outer : p.position == CUDA_INNER ? inner : 0;
        } else {
            int code = MULTIPLY < 0 ? p.multiply : MULTIPLY;
            T a = p.values ? ((const T *)p.values)[e] : T(1);
            T u = p.u_values ? ((const T *)p.u_values)[inner] : T(1);
            return p.matrix_first ? binary(code, a, u) : binary(code, u, a);
        }
    }
    /* The product of an entry of that row, made before the row was known. */
    __device__ static T at_row(const cuda_product &p, T product, uint32_t row)
    {
        return KIND == CUDA_POSITION && p.position == CUDA_OUTER ? (T)row : product;
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

/* LAUNCH(R) with the ring of the product p, which returns. */
#define RING_AHEAD(T, KIND, ADD, MULTIPLY)                                                         \
    if (is_ring<T>(p, KIND, ADD, MULTIPLY)) {                                                      \
        using R = ring<T, KIND, ADD, MULTIPLY>;                                                    \
        LAUNCH(R);                                                                                 \
    }
#define RING_OF_TYPE(T)                                                                            \
    {                                                                                              \
        using R = ring<T, CUDA_VALUES, -1, -1>;                                                    \
        LAUNCH(R);                                                                                 \
    }
#define WITH_RING                                                                                  \
    AHEAD(RING_AHEAD)                                                                              \
    if (p->kind == CUDA_POSITION) {                                                                \
        using R = ring<int64_t, CUDA_POSITION, -1, -1>;                                            \
        LAUNCH(R);                                                                                 \
    }                                                                                              \
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
