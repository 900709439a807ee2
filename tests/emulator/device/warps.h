/* Warp functions. The values of the lanes in the mask meet, and each lane gets a function of all of them. */
#ifndef SEMLA_EMULATOR_WARPS_H
#define SEMLA_EMULATOR_WARPS_H

#include <cstdint>
#include <cstring>

namespace emulator
{

/* What lane `lane` gets from the values and arguments of `lanes`. */
typedef uint64_t (*meeting)(const uint64_t *values, const int *arguments, unsigned lanes,
                            unsigned lane);
uint64_t meet(unsigned mask, uint64_t value, int argument, meeting function);

/* What a lane reads from one that does not take part: undefined in CUDA, so nothing that looks right. */
static const uint64_t undefined_value = 0xdeadbeefdeadbeef;

template <typename T> uint64_t bits_of(T x)
{
    static_assert(sizeof(T) <= 8, "values of warp functions have at most 64 bits");
    uint64_t bits = 0;
    memcpy(&bits, &x, sizeof x);
    return bits;
}
template <typename T> T from_bits(uint64_t bits)
{
    T x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

inline uint64_t value_of(const uint64_t *values, unsigned lanes, int from)
{
    return from >= 0 && from < 32 && (lanes >> from & 1) ? values[from] : undefined_value;
}

/* FOLD(values, x): combines the values of all lanes by the statement. */
#define EMULATOR_FOLD(first, statement)                                                            \
    [](const uint64_t *values, const int *, unsigned lanes, unsigned) {                            \
        uint64_t sum = first;                                                                      \
        for (int k = 0; k < 32; k++)                                                               \
            if (lanes >> k & 1)                                                                    \
                statement;                                                                         \
        return sum;                                                                                \
    }

/* The lane from which a shuffle reads; width: lanes of a group. */
enum shuffle { BY_INDEX, BY_XOR, UP, DOWN };

template <shuffle KIND>
uint64_t shuffled(const uint64_t *values, const int *arguments, unsigned lanes, unsigned lane)
{
    const int own = (int)lane, width = arguments[lane] >> 16, by = arguments[lane] & 0xffff;
    const int first = own & ~(width - 1), last = own | (width - 1);
    int from = KIND == BY_INDEX ? first | (by & (width - 1))
               : KIND == BY_XOR ? own ^ by
               : KIND == UP     ? own - by
                                : own + by;
    if (from < first || from > last)
        from = own;
    return value_of(values, lanes, from);
}
template <shuffle KIND, typename T> T shuffle_sync(unsigned mask, T x, int by, int width)
{
    return from_bits<T>(meet(mask, bits_of(x), (by & 0xffff) | width << 16, shuffled<KIND>));
}

} // namespace emulator

template <typename T> T __shfl_sync(unsigned mask, T x, int from, int width = 32)
{
    return emulator::shuffle_sync<emulator::BY_INDEX>(mask, x, from, width);
}
template <typename T> T __shfl_xor_sync(unsigned mask, T x, int with, int width = 32)
{
    return emulator::shuffle_sync<emulator::BY_XOR>(mask, x, with, width);
}
template <typename T> T __shfl_up_sync(unsigned mask, T x, unsigned by, int width = 32)
{
    return emulator::shuffle_sync<emulator::UP>(mask, x, (int)by, width);
}
template <typename T> T __shfl_down_sync(unsigned mask, T x, unsigned by, int width = 32)
{
    return emulator::shuffle_sync<emulator::DOWN>(mask, x, (int)by, width);
}

static inline void __syncwarp(unsigned mask = 0xffffffff)
{
    emulator::meet(mask, 0, 0, EMULATOR_FOLD(0, (void)values));
}
static inline unsigned __ballot_sync(unsigned mask, int yes)
{
    return (unsigned)emulator::meet(mask, yes != 0, 0, EMULATOR_FOLD(0, sum |= values[k] << k));
}
static inline int __any_sync(unsigned mask, int yes)
{
    return __ballot_sync(mask, yes) != 0;
}
static inline int __all_sync(unsigned mask, int yes)
{
    return __ballot_sync(mask, !yes) == 0;
}
static inline unsigned __reduce_add_sync(unsigned mask, unsigned x)
{
    return (unsigned)emulator::meet(mask, x, 0, EMULATOR_FOLD(0, sum += values[k]));
}
static inline unsigned __reduce_or_sync(unsigned mask, unsigned x)
{
    return (unsigned)emulator::meet(mask, x, 0, EMULATOR_FOLD(0, sum |= values[k]));
}
static inline unsigned __reduce_max_sync(unsigned mask, unsigned x)
{
    return (unsigned)emulator::meet(mask, x, 0,
                                    EMULATOR_FOLD(0, sum = values[k] > sum ? values[k] : sum));
}
static inline unsigned __reduce_min_sync(unsigned mask, unsigned x)
{
    return (unsigned)emulator::meet(
        mask, x, 0, EMULATOR_FOLD(UINT64_MAX, sum = values[k] < sum ? values[k] : sum));
}
/* Lanes run one by one: each is alone. */
static inline unsigned __activemask()
{
    return 1u << emulator::lane();
}

#endif
