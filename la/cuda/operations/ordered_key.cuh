/* Doubles as unsigned integers of the same order, so that integer atomics can take their maximum.
 */
#ifndef SEMLA_CUDA_ORDERED_KEY_CUH
#define SEMLA_CUDA_ORDERED_KEY_CUH

#include "cuda/runtime/common.cuh"

/* A key that ascends as x does. 0 is below the keys of all numbers. */
__device__ static inline count_t ordered_key(double x)
{
    const count_t bits = (count_t)__double_as_longlong(x), sign = (count_t)1 << 63;
    return bits & sign ? ~bits : bits | sign;
}

/* The number that has this key. */
__host__ __device__ static inline double value_of_key(count_t key)
{
    const count_t sign = (count_t)1 << 63, bits = key & sign ? key & ~sign : ~key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
