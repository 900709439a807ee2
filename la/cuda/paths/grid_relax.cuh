/* Device functions of the kernels of a grid's relaxing closures: messages, and improvements of own vertices. */
#ifndef SEMLA_CUDA_GRID_RELAX_CUH
#define SEMLA_CUDA_GRID_RELAX_CUH

#include "cuda/operations/ordered_key.cuh"
#include "cuda/paths/grid_relax_kernels.h"
#include "cuda/paths/relax.cuh"
#include "cuda/runtime/warp_places.cuh"

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

/* ---- the frontier -------------------------------------------------------------------------------- */

/* In shared memory, of each warp. */
struct take_scratch {
    warp_bits waiting;
    uint32_t stops[32];
};

/* Moves the waiting vertices whose values are within the limit to the message at `middle`; counts
 * them, and the targets, in *counts. One warp per 32 words of the bitmap, whose vertices it lists,
 * so that its lanes read and write neighbours; the vertices within the limit move to the front of
 * the list. By all threads of the grid. */
template <typename T>
__device__ inline void take_waiting(const relax_params &x, grid_relax_counts *counts,
                                    const T *values, double limit, char *middle,
                                    take_scratch &scratch)
{
    warp_bits &waiting = scratch.waiting;
    uint32_t *const stops = scratch.stops;
    const uint64_t words = (x.n + 31) / 32;
    const unsigned lane = threadIdx.x % 32;
    count_t nearest = 0, targets = 0;
    for (uint64_t first = first_thread() - lane; first < words; first += all_threads()) {
        const uint64_t w = first + lane;
        const uint32_t word = w < words ? x.next_bits[w] : 0;
        if (w < words && x.targets)
            targets += __popc(x.targets[w] & x.p.bits[w]);
        if (!__any_sync(full_warp, word != 0))
            continue;
        stops[lane] = 0;
        const unsigned count = list_warp_bits(waiting, word);
        unsigned near = 0;
        for (unsigned begin = 0; begin < count; begin += 32) {
            const unsigned place = begin + lane < count ? waiting.place[begin + lane] : 0;
            bool is_near = false;
            if (begin + lane < count) {
                const double value = (double)values[32 * first + place];
                is_near = !(value > limit); /* true for NaN */
                if (!is_near)
                    nearest = max(nearest, (count_t)~ordered_key(value));
            }
            const unsigned votes = __ballot_sync(full_warp, is_near);
            __syncwarp(); /* all have read their places */
            if (is_near) {
                waiting.place[near + __popc(votes & ((1u << lane) - 1))] = (uint16_t)place;
                atomicOr(&stops[place / 32], 1u << place % 32);
            }
            near += __popc(votes);
            __syncwarp();
        }
        if (near == 0)
            continue;
        if (stops[lane])
            x.next_bits[w] = word & ~stops[lane];
        count_t base = 0;
        if (lane == 0)
            base = atomicAdd(&counts->taken, (count_t)near);
        base = __shfl_sync(full_warp, base, 0);
        for (unsigned k = lane; k < near; k += 32) {
            const uint32_t v = (uint32_t)(32 * first) + waiting.place[k];
            put(middle, base + k, v, values[v]);
        }
    }
    for (int offset = 16; offset > 0; offset /= 2) {
        const count_t other = __shfl_xor_sync(full_warp, nearest, offset);
        nearest = other > nearest ? other : nearest;
    }
    targets = warp_sum(targets);
    if (lane == 0 && nearest)
        atomicMax(&counts->nearest, nearest);
    if (lane == 0 && targets)
        atomicAdd(&counts->targets, targets);
}

#endif
