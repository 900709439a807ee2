/* Parts of the group search interface that are not in partition.h. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_GROUP_SEARCH_H
#define SEMLA_CUDA_GROUP_SEARCH_H

#include "cuda/runtime/device.h"

/*
 * SL_OP_CHECK_TREE by a group: call->a has this rank's parents, of the vertices begin[rank] to
 * begin[rank + 1] - 1; each rank checks its share of the tuples. Collective; all ranks return one
 * status.
 */
sl_status sl_cuda_group_check_tree(const sl_device_grid *row, sl_call *call, const uint64_t *begin);

extern const sl_device_group_search sl_cuda_device_group_search;

#endif
