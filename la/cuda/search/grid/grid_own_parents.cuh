/* What is recorded of the parents of own vertices (own_parents in grid_bfs_kernels.h). */
#ifndef SEMLA_CUDA_GRID_OWN_PARENTS_CUH
#define SEMLA_CUDA_GRID_OWN_PARENTS_CUH

#include "cuda/search/grid/grid_bfs_kernels.h"

/* The words of own_parents for word w of own ids. */
__device__ inline uint32_t *parents_of(const grid_bfs &s, uint64_t w)
{
    return s.own_parents + w * (1 + s.column_bits);
}

/* The column that reached an own id. */
__device__ inline uint32_t column_of(const grid_bfs &s, uint32_t id)
{
    uint32_t column = 0;
    for (unsigned b = 0; b < s.column_bits; b++)
        column |= (parents_of(s, id / 32)[1 + b] >> id % 32 & 1) << b;
    return column;
}

#endif
