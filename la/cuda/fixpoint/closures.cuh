/* Device functions of closures of several frontiers (closures.c). */
#ifndef SEMLA_CUDA_CLOSURES_CUH
#define SEMLA_CUDA_CLOSURES_CUH

#include "cuda/fixpoint/closures_kernels.h"
#include "cuda/runtime/common.cuh"

/* Columns [begin, end) of a row. */
struct closure_row {
    uint64_t begin, end;
};

__device__ inline closure_row row_at(const closure_params &p, const closure_rows &rows, uint64_t v)
{
    if (p.narrow) {
        const uint32_t *start = (const uint32_t *)rows.start + v;
        return {start[0], start[1]};
    }
    const uint64_t *start = (const uint64_t *)rows.start + v;
    return {start[0], start[1]};
}

__device__ inline closure_word or_of_warp(closure_word x)
{
    for (int offset = 16; offset > 0; offset /= 2)
        x |= __shfl_xor_sync(full_warp, x, offset);
    return x;
}

/* What a thread adds to the size of a level. */
struct level_part {
    count_t edges;
    closure_word live;
    unsigned members;
    bool long_row;

    __device__ void add(const closure_params &p, uint64_t v, closure_word searches)
    {
        const closure_row row = row_at(p, p.out, v);
        edges += row.end - row.begin;
        live |= searches;
        members++;
        long_row |= row.end - row.begin > p.long_row;
    }
};

/* Adds the parts of a warp to the size of a level. By all lanes. */
__device__ inline void add_parts(closure_level *size, const level_part &part)
{
    const unsigned members = (unsigned)warp_sum(part.members);
    const count_t edges = warp_sum(part.edges);
    const closure_word live = or_of_warp(part.live);
    const bool long_row = __any_sync(full_warp, part.long_row);
    if (threadIdx.x % 32 == 0 && members) {
        atomicAdd(&size->members, members);
        atomicAdd(&size->edges, edges);
        atomicOr(&size->live, live);
        if (long_row)
            size->long_rows = 1;
    }
}

#endif
