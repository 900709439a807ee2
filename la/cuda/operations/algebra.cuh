/*
 * The table of operators as device code. An operator is a code that a switch selects by. All
 * threads take the same branch, and if the code is a constant the switch disappears, so few kernels
 * serve all operators, and some are compiled for one operator.
 * Kernels take an operator as a type with the types X, Y and Z of x, y and z and a function `of`.
 * The types of the table are at the end; program.c writes those of user-defined operators.
 */
#ifndef SEMLA_CUDA_ALGEBRA_CUH
#define SEMLA_CUDA_ALGEBRA_CUH

#include <semla/semirings.h>

#include <type_traits>

#include "cuda/operations/exact.cuh"
#include "cuda/operations/vector_kernels.h"
#include "cuda/runtime/common.cuh"

#define SL_FUNCTION __device__ inline
#include <semla/functions.h>

/* Returns CALL(T), a cudaError_t, for the type with a code. */
#define TYPE_CASE(NAME, name, T, CLASS, lo, hi, CALL)                                              \
    case SL_##NAME:                                                                                \
        return CALL(T);
#define WITH_TYPE(type, CALL)                                                                      \
    switch (type) {                                                                                \
        SL_TYPES_ALL(TYPE_CASE, CALL)                                                              \
    default:                                                                                       \
        return cudaErrorInvalidValue;                                                              \
    }

template <typename T> constexpr bool is_bool = std::is_same_v<T, bool>;
template <typename T> constexpr bool is_float = std::is_floating_point_v<T>;

template <typename T> struct limits;
#define X(NAME, name, T, CLASS, lo, hi, ...)                                                       \
    template <> struct limits<T> {                                                                 \
        __device__ static T least()                                                                \
        {                                                                                          \
            return lo;                                                                             \
        }                                                                                          \
        __device__ static T greatest()                                                             \
        {                                                                                          \
            return hi;                                                                             \
        }                                                                                          \
    };
SL_TYPES_ALL(X, )
#undef X

/* The table's expressions use x, y, T_MIN and T_MAX; each type class has its own expression. */
#define EXPRESSION(integer, floating, boolean)                                                     \
    if constexpr (is_bool<T>)                                                                      \
        return (T)(boolean);                                                                       \
    else if constexpr (is_float<T>)                                                                \
        return (T)(floating);                                                                      \
    else                                                                                           \
        return (T)(integer);
#define LIMITS                                                                                     \
    const T T_MIN = limits<T>::least(), T_MAX = limits<T>::greatest();                             \
    (void)T_MIN, (void)T_MAX

template <typename T> __device__ inline T unary(int code, T x)
{
    LIMITS;
    switch (code) {
#define X(NAME, name, integer, floating, boolean)                                                  \
    case SL_UNARY_##NAME:                                                                          \
        EXPRESSION(integer, floating, boolean)
        SL_UNARY_OPS(X)
#undef X
    }
    return x;
}

/* Operators with a result of the operands' type; includes comparisons of bool. */
template <typename T> __device__ inline T binary(int code, T x, T y)
{
    LIMITS;
    switch (code) {
#define X(NAME, name, integer, floating, boolean, ...)                                             \
    case SL_BINARY_##NAME:                                                                         \
        EXPRESSION(integer, floating, boolean)
        SL_BINARY_OPS(X)
        SL_BINARY_OPS_BOOL(X)
#undef X
#define X(NAME, name, expression, ...)                                                             \
    case SL_BINARY_##NAME:                                                                         \
        if constexpr (is_bool<T>)                                                                  \
            return expression;                                                                     \
        break;
        SL_COMPARISONS(X)
#undef X
    }
    return x;
}

/* A code that the compiler knows. */
template <int CODE> struct constant_code {
    __device__ constexpr operator int() const
    {
        return CODE;
    }
};

/* Call f with the operator's code as a constant, so that one switch serves all that f computes; with codes of other
 * operators as they are. */
template <typename F> __device__ inline void with_unary(int code, F f)
{
    switch (code) {
#define X(NAME, ...)                                                                               \
    case SL_UNARY_##NAME:                                                                          \
        return f(constant_code<SL_UNARY_##NAME>());
        SL_UNARY_OPS(X)
#undef X
    default:
        return f(code);
    }
}
template <typename F> __device__ inline void with_binary(int code, F f)
{
    switch (code) {
#define X(NAME, ...)                                                                               \
    case SL_BINARY_##NAME:                                                                         \
        return f(constant_code<SL_BINARY_##NAME>());
        SL_BINARY_OPS(X)
#undef X
    default:
        return f(code);
    }
}

template <typename T> __device__ inline bool compare(int code, T x, T y)
{
    switch (code) {
#define X(NAME, name, expression, ...)                                                             \
    case SL_BINARY_##NAME:                                                                         \
        return expression;
        SL_COMPARISONS(X)
#undef X
    }
    return false;
}

/* Index operators on positions; those of type bool give 0 or 1. */
__device__ inline int64_t indexed(int code, int64_t i, int64_t j, int64_t k)
{
    switch (code) {
#define X(NAME, name, expression, RESULT)                                                          \
    case SL_INDEX_##NAME:                                                                          \
        return (int64_t)(expression);
        SL_INDEX_OPS_POSITION(X)
#undef X
    }
    return 0;
}

/* Index operators that compare a value with the thunk. */
template <typename T> __device__ inline bool indexed_value(int code, T x, T y)
{
    switch (code) {
#define X(NAME, name, expression, ...)                                                             \
    case SL_INDEX_##NAME:                                                                          \
        return expression;
        SL_INDEX_OPS_VALUE(X)
#undef X
    }
    return false;
}

/* As sl_scalar_cast: floating point to integer truncates and saturates, NaN becomes 0. */
template <typename To, typename From> __device__ inline To cast(From x)
{
    if constexpr (is_bool<To>) {
        return x != 0;
    } else if constexpr (is_float<From> && !is_float<To>) {
        double wide = x;
        if (wide != wide)
            return 0;
        if (wide <= (double)limits<To>::least())
            return limits<To>::least();
        return wide >= (double)limits<To>::greatest() ? limits<To>::greatest() : (To)wide;
    } else {
        return (To)x;
    }
}

/* A value that may be missing, for sums without an identity. */
template <typename T> struct maybe {
    T value;
    bool is;
};

/* ---- operators as types ------------------------------------------------------- */

template <typename T> struct table_unary {
    using X = T;
    using Z = T;
    __device__ static Z of(int code, X x)
    {
        return unary(code, x);
    }
};

/* CODE: code of the operator; -1: the kernel gets it as an argument. */
template <typename T, cuda_kind KIND, int CODE = -1> struct table_binary {
    using X = T;
    using Y = T;
    using Z = std::conditional_t<KIND == CUDA_COMPARISON, bool, T>;
    static constexpr bool positional = KIND == CUDA_POSITION;
    __device__ static Z of(int code, X x, Y y)
    {
        if constexpr (KIND == CUDA_COMPARISON)
            return compare(CODE < 0 ? code : CODE, x, y);
        else
            return binary(CODE < 0 ? code : CODE, x, y);
    }
};

/* Functions of the table, of which kernels are compiled at run time for one code. */
template <typename T, int CODE> struct function_unary : exact_functions {
    using X = T;
    static constexpr bool tests = CODE >= SL_UNARY_ISINF && CODE <= SL_UNARY_ISFINITE;
    using Z = std::conditional_t<tests, bool, T>;
    __device__ static Z of(int, X x)
    {
#define X(NAME, name, TYPES, RESULT, expression)                                                   \
    if constexpr (CODE == SL_UNARY_##NAME)                                                         \
        return (Z)(expression);                                                                    \
    else
        SL_UNARY_FUNCTIONS(X)
#undef X
        return Z(x);
    }
};
template <typename T, int CODE> struct function_binary : exact_functions {
    using X = T;
    using Y = T;
    using Z = T;
    static constexpr bool positional = false;
    __device__ static Z of(int, X x, Y y)
    {
        LIMITS;
#define X(NAME, name, TYPES, integer, floating, boolean, ...)                                      \
    if constexpr (CODE == SL_BINARY_##NAME) {                                                      \
        EXPRESSION(integer, floating, boolean)                                                     \
    } else
        SL_BINARY_FUNCTIONS(X)
#undef X
        return x;
    }
};

/* Index operators on positions, with results of type Z, and on values. */
template <typename Z_> struct table_position {
    using X = bool; /* unused */
    using Y = int64_t;
    using Z = Z_;
    __device__ static Z of(int code, X, int64_t i, int64_t j, Y thunk)
    {
        return (Z)indexed(code, i, j, thunk);
    }
};
template <typename T> struct table_value {
    using X = T;
    using Y = T;
    using Z = bool;
    __device__ static Z of(int code, X x, int64_t, int64_t, Y thunk)
    {
        return indexed_value(code, x, thunk);
    }
};

/* Replaces a code: the sum by an operator that has no code. */
template <typename Op> struct sum_by {
};
template <typename Op, typename T> __device__ inline T binary(sum_by<Op>, T x, T y)
{
    return Op::of(0, x, y);
}
template <typename Op, typename F> __device__ inline void with_binary(sum_by<Op> code, F f)
{
    f(code);
}

/* True if device atomicAdd computes the operator. */
__device__ inline bool is_plus(int code)
{
    return code == SL_BINARY_PLUS;
}
template <typename Op> __device__ inline bool is_plus(sum_by<Op>)
{
    return false;
}

#ifndef __CUDACC_RTC__
/* The value of type T that 8 bytes begin with. */
template <typename T> inline T scalar_as(const void *bytes)
{
    T value;
    memcpy(&value, bytes, sizeof value);
    return value;
}
#endif

#endif
