/*
 * Random numbers with random access: number k of a stream is a function of the stream's key and of k
 * alone, so that threads, devices and processes draw any part of a stream independently. For
 * generators, samples and tests of algorithms; not for cryptography. Compiled by the C compiler and
 * by CUDA.
 */
#ifndef SEMLA_RANDOM_H
#define SEMLA_RANDOM_H

#include <stdint.h>

#ifdef __CUDACC__
#define SL_HOST_DEVICE __host__ __device__
#else
#define SL_HOST_DEVICE
#endif

/*
 * Random number `position` of the stream `key`: splitmix64 with random access (Steele, Lea, Flood,
 * "Fast splittable pseudorandom number generators", OOPSLA 2014).
 */
SL_HOST_DEVICE static inline uint64_t sl_random(uint64_t key, uint64_t position)
{
    uint64_t z = key + (position + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* The key of stream `number` of a seed. */
SL_HOST_DEVICE static inline uint64_t sl_random_stream(uint64_t seed, uint64_t number)
{
    return sl_random(sl_random(seed, 0), number);
}

/*
 * Maps a random number to 0 .. n - 1 by its high bits (Lemire, "Fast random integer generation in
 * an interval", TOMACS 29(1), 2019, without the rejection step: the bias is below n / 2^64).
 */
SL_HOST_DEVICE static inline uint64_t sl_random_below(uint64_t random, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)random * n) >> 64);
}

#endif
