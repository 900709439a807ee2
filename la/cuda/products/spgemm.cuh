/* Device functions of matrix products: iteration over the products of a row, and hash tables of
 * columns. */
#ifndef SEMLA_CUDA_SPGEMM_CUH
#define SEMLA_CUDA_SPGEMM_CUH

#include "cuda/products/spgemm_kernels.h"
#include "cuda/runtime/common.cuh"

static constexpr uint32_t no_column = UINT32_MAX; /* there are fewer columns */

__device__ inline uint64_t products_before(const cuda_factors &f, uint64_t e)
{
    return e ? f.ends[e - 1] : 0;
}

/* Number of products of the rows before this one. */
__device__ inline uint64_t first_product(const cuda_factors &f, uint64_t row)
{
    return products_before(f, f.a_start[row]);
}

/* take(e, g) for the products first + me, first + me + step, ... below last, all of one row:
 * entry e of A, entry g of B. A thread searches for e only when it has left the previous entry's
 * range. */
template <typename F>
__device__ inline void each_product(const cuda_factors &f, uint64_t row, uint64_t first,
                                    uint64_t last, unsigned me, unsigned step, F take)
{
    uint64_t e = f.a_start[row], stop = f.a_start[row + 1], end = 0, offset = 0;
    for (uint64_t at = first + me; at < last; at += step) {
        if (at >= end) {
            e = row_of(f.ends, e, stop, at);
            end = f.ends[e];
            offset = f.b_start[f.a_index[e]] - products_before(f, e);
        }
        take(e, offset + at);
    }
}

/* First slot of a column in a table of 2^k slots (multiplicative hashing). */
__device__ inline unsigned slot_of(uint32_t column, unsigned slots)
{
    return (unsigned)(((uint64_t)(column * 0x9e3779b1u) * slots) >> 32);
}

/* The least power of two not below x > 0. */
__device__ inline unsigned power_above(unsigned x)
{
    return x <= 1 ? 1 : 1u << (32 - __clz((int)(x - 1)));
}

/* Inserts a column into a table in shared memory, if it is not in it. */
__device__ inline void insert(uint32_t *keys, unsigned slots, uint32_t column)
{
    unsigned slot = slot_of(column, slots);
    for (;;) {
        uint32_t key = atomicCAS(keys + slot, no_column, column);
        if (key == no_column || key == column)
            return;
        slot = (slot + 1) & (slots - 1);
    }
}

/* The slot of a column in a table that is not modified now, or `slots`. The table is not full. */
__device__ inline unsigned look_up(const uint32_t *keys, unsigned slots, uint32_t column)
{
    unsigned slot = slot_of(column, slots);
    for (; keys[slot] != no_column; slot = (slot + 1) & (slots - 1))
        if (keys[slot] == column)
            return slot;
    return slots;
}

/* The giant row of a tile of products, and the number of the tile in the row. */
__device__ inline uint64_t giant_of(const cuda_giants &g, uint64_t tile, uint64_t *number)
{
    uint64_t k = row_of(g.ends, g.first, g.first + g.count, tile);
    *number = tile - (k ? g.ends[k - 1] : 0);
    return k;
}
__device__ inline uint64_t tiles_before(const cuda_giants &g, uint64_t k)
{
    return k ? g.ends[k - 1] : 0;
}

#ifndef __CUDACC_RTC__
static inline unsigned spgemm_blocks(uint64_t count)
{
    const uint64_t most = (uint64_t)cuda_processors() * SPGEMM_BLOCKS_PER_SM;
    return (unsigned)(count < 1 ? 1 : count < most ? count : most);
}
#endif

#endif
