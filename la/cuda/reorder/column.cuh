/* Private to the kernels: the columns of a graph, which may lie in three stretches. */
#ifndef SEMLA_CUDA_COLUMN_CUH
#define SEMLA_CUDA_COLUMN_CUH

#include "common.cuh"
#include "layout_kernels.h"

/* Where edge e's end is, of out-edges or, in a layout the same, of in-edges. */
template <typename Offset>
__device__ inline const uint32_t *column(const cuda_graph &g, const uint32_t *index, Offset e)
{
    if (sizeof(Offset) > sizeof(uint32_t) && e >= g.split)
        index = e < g.resume ? g.far : g.after;
    return index + e;
}

#endif
