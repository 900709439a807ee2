/* Atomic operations, memory fences, and loads and stores with cache hints. */
#ifndef SEMLA_EMULATOR_ATOMICS_H
#define SEMLA_EMULATOR_ATOMICS_H

#include <cstdint>
#include <cstring>

namespace emulator
{

template <typename T> struct as_is {
    typedef T type;
};

template <typename T, typename F> T update(T *at, F next)
{
    typedef std::conditional_t<sizeof(T) == 8, uint64_t,
                               std::conditional_t<sizeof(T) == 4, uint32_t, uint16_t>>
        word;
    word before = __atomic_load_n((word *)at, __ATOMIC_RELAXED), after;
    T x;
    do {
        memcpy(&x, &before, sizeof x);
        const T y = next(x);
        memcpy(&after, &y, sizeof y);
    } while (!__atomic_compare_exchange_n((word *)at, &before, after, false, __ATOMIC_SEQ_CST,
                                          __ATOMIC_SEQ_CST));
    return x;
}

} // namespace emulator

#define EMULATOR_ATOMIC(name, after)                                                               \
    template <typename T> T name(T *at, typename emulator::as_is<T>::type x)                       \
    {                                                                                              \
        return emulator::update(at, [&](T before) { return (T)(after); });                         \
    }
EMULATOR_ATOMIC(atomicAdd, before + x)
EMULATOR_ATOMIC(atomicSub, before - x)
EMULATOR_ATOMIC(atomicMin, x < before ? x : before)
EMULATOR_ATOMIC(atomicMax, x > before ? x : before)
EMULATOR_ATOMIC(atomicOr, before | x)
EMULATOR_ATOMIC(atomicAnd, before &x)
EMULATOR_ATOMIC(atomicXor, before ^ x)
EMULATOR_ATOMIC(atomicInc, before >= x ? 0 : before + 1)
EMULATOR_ATOMIC(atomicExch, ((void)before, x))
template <typename T>
T atomicCAS(T *at, typename emulator::as_is<T>::type expected, typename emulator::as_is<T>::type x)
{
    return emulator::update(at, [&](T before) { return before == expected ? x : before; });
}

static inline void __threadfence()
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
static inline void __threadfence_block()
{
    __threadfence();
}
static inline void __threadfence_system()
{
    __threadfence();
}

template <typename T> T __ldg(const T *at)
{
    return *at;
}
template <typename T> T __ldcs(const T *at)
{
    return *at;
}
/* Others may write the value at the same time. */
template <typename T> T __ldcg(const T *at)
{
    __asm__ volatile("" ::: "memory");
    return *at;
}
template <typename T, typename X> void __stcs(T *at, X x)
{
    *at = (T)x;
}
template <typename T, typename X> void __stcg(T *at, X x)
{
    *at = (T)x;
}

#endif
