/* Functions on bits, numbers of the same bits in another type, and minima of mixed types. */
#ifndef SEMLA_EMULATOR_NUMBERS_H
#define SEMLA_EMULATOR_NUMBERS_H

#include <cmath>
#include <cstdint>
#include <cstring>

namespace emulator
{
template <typename TO, typename FROM> TO same_bits(FROM x)
{
    static_assert(sizeof(TO) == sizeof(FROM), "types of one size");
    TO y;
    memcpy(&y, &x, sizeof y);
    return y;
}
} // namespace emulator

static inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
static inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}
static inline int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
static inline int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}
static inline int __clzll(long long x)
{
    return x ? __builtin_clzll((unsigned long long)x) : 64;
}

static inline long long __double_as_longlong(double x)
{
    return emulator::same_bits<long long>(x);
}
static inline double __longlong_as_double(long long x)
{
    return emulator::same_bits<double>(x);
}
static inline int __float_as_int(float x)
{
    return emulator::same_bits<int>(x);
}
static inline float __int_as_float(int x)
{
    return emulator::same_bits<float>(x);
}
static inline unsigned __float_as_uint(float x)
{
    return emulator::same_bits<unsigned>(x);
}
static inline float __uint_as_float(unsigned x)
{
    return emulator::same_bits<float>(x);
}
static inline double __hiloint2double(int high, int low)
{
    return emulator::same_bits<double>((uint64_t)(uint32_t)high << 32 | (uint32_t)low);
}
static inline int __double2loint(double x)
{
    return (int)(uint32_t)emulator::same_bits<uint64_t>(x);
}
static inline int __double2hiint(double x)
{
    return (int)(emulator::same_bits<uint64_t>(x) >> 32);
}
static inline size_t __cvta_generic_to_shared(const void *at)
{
    return (size_t)at;
}

template <typename A, typename B> std::common_type_t<A, B> min(A a, B b)
{
    typedef std::common_type_t<A, B> T;
    return (T)a < (T)b ? (T)a : (T)b;
}
template <typename A, typename B> std::common_type_t<A, B> max(A a, B b)
{
    typedef std::common_type_t<A, B> T;
    return (T)a > (T)b ? (T)a : (T)b;
}

#endif
