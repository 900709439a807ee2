/* The pinned host memory of a search by a device group. */
#ifndef SEMLA_CUDA_GROUP_PINNED_H
#define SEMLA_CUDA_GROUP_PINNED_H

#include "cuda/runtime/device.h"
#include "cuda/search/row/group_bfs_kernels.h"

typedef struct {
    bfs_pinned search;
    group_bfs_state state; /* copied by the kernel when a launch ends */
} group_pinned;

/* Only for the thread that holds sl_cuda_lock. */
static inline group_pinned *cuda_group_pinned(void)
{
    _Static_assert(sizeof(group_pinned) <= CUDA_SEARCH_RESULT_BYTES, "results of a search");
    return sl_cuda_device()->search_results;
}

#endif
