/*
 * Replaces, for NVRTC, the headers of the C and C++ libraries, of CUDA and of semla: the few
 * declarations that kernels use. cmake/OptionalCuda.cmake lists the headers that this file
 * replaces.
 */
#ifndef SEMLA_CUDA_FREESTANDING_H
#define SEMLA_CUDA_FREESTANDING_H

typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned long uintptr_t;

#define INT8_MIN   (-128)
#define INT8_MAX   127
#define INT16_MIN  (-32768)
#define INT16_MAX  32767
#define INT32_MIN  (-2147483647 - 1)
#define INT32_MAX  2147483647
#define INT64_MIN  (-9223372036854775807L - 1)
#define INT64_MAX  9223372036854775807L
#define UINT8_MAX  255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615UL

#define INFINITY __int_as_float(0x7f800000)
#define NAN      __int_as_float(0x7fffffff)

namespace std
{
template <typename A, typename B> constexpr bool is_same_v = false;
template <typename A> constexpr bool is_same_v<A, A> = true;
template <typename T>
constexpr bool is_floating_point_v = is_same_v<T, float> || is_same_v<T, double>;
template <bool C, typename A, typename B> struct conditional {
    using type = A;
};
template <typename A, typename B> struct conditional<false, A, B> {
    using type = B;
};
template <bool C, typename A, typename B> using conditional_t = typename conditional<C, A, B>::type;
} // namespace std

/* The codes of <semla/semirings.h>. */
#include <semla/table.h>

typedef enum {
#define X(NAME, ...) SL_##NAME,
    SL_TYPES_ALL(X, )
#undef X
} sl_type;

#define X(NAME, ...) SL_UNARY_##NAME,
typedef enum { SL_UNARY_OPS(X) SL_UNARY_FUNCTIONS(X) } sl_unary_code;
#undef X

#define X(NAME, ...) SL_BINARY_##NAME,
typedef enum {
    SL_BINARY_OPS(X) SL_BINARY_OPS_BOOL(X) SL_COMPARISONS(X) SL_POSITIONAL_OPS(X)
        SL_BINARY_FUNCTIONS(X)
} sl_binary_code;
#undef X

#define X(NAME, ...) SL_INDEX_##NAME,
typedef enum { SL_INDEX_OPS_POSITION(X) SL_INDEX_OPS_VALUE(X) } sl_index_code;
#undef X

#endif
