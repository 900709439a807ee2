/* Access to the columns of a graph that may be stored in three segments (column_storage.h). */
#ifndef SEMLA_CUDA_COLUMNS_CUH
#define SEMLA_CUDA_COLUMNS_CUH

#include "cuda/reorder/graph_view.h"
#include "cuda/runtime/common.cuh"

/* The address of column e. `index` is g.index or g.in_index, which in a reordered graph are the
 * same array. Where they differ, as in a partition (search/row/), only g.index may have segments. */
template <typename Offset>
__device__ inline const uint32_t *column(const cuda_graph &g, const uint32_t *index, Offset e)
{
    if (sizeof(Offset) > sizeof(uint32_t) && e >= g.host_begin && index == g.index)
        index = e < g.host_end ? g.host_index : g.tail_index;
    return index + e;
}

#endif
