/* Device functions of the kernels of a grid's relaxing closures: messages, and improvements of own vertices. */
#ifndef SEMLA_CUDA_GRID_RELAX_CUH
#define SEMLA_CUDA_GRID_RELAX_CUH

#include "grid_relax_kernels.h"
#include "ordered_key.cuh"
#include "relax.cuh"
#include "warp_places.cuh"

__device__ inline count_t length_of(const grid_relax_message &m)
{
    return m.count_at ? *m.count_at : m.count;
}

__device__ inline uint32_t id_of(const grid_relax_message &m, count_t k)
{
    return ((const uint32_t *)m.middle)[-1 - (int64_t)k] + (uint32_t)m.begin;
}

template <typename T> __device__ inline T value_of(const grid_relax_message &m, count_t k)
{
    return ((const T *)m.middle)[k];
}

/* Writes vertex number k of a message. */
template <typename T> __device__ inline void put(char *middle, count_t k, uint32_t id, T value)
{
    ((uint32_t *)middle)[-1 - (int64_t)k] = id;
    ((T *)middle)[k] = value;
}

/* Own vertex v has been improved: it waits, and has an entry and the level `number`. */
__device__ inline void note_own(const relax_params &own, uint32_t v, long long number)
{
    if (!first_to_set(own.next_bits, v))
        return;
    first_to_set(own.p.bits, v);
    if (own.level.values) {
        put_integer(own.level, v, number);
        first_to_set(own.level_bits, v);
    }
}

#endif
