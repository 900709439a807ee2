/*
 * The table by which the grid engine runs searches on the devices of all its processes
 * (sl_device_group_search).
 */
#include "cuda/search/row/group_search.h"

#include "cuda/search/row/partition.h"

const sl_device_group_search sl_cuda_device_group_search = {
    .max_ranks = GROUP_MAX_RANKS,
    .max_checking_ranks = GROUP_MAX_MEMBERS,
    .set_local_rank = sl_cuda_set_local_rank,
    .can_regenerate = sl_cuda_partition_can_regenerate,
    .make_part = sl_cuda_partition_create,
    .release_part = sl_cuda_partition_free,
    .describe_part = sl_cuda_partition_describe,
    .search = sl_cuda_partition_search,
    .check_tree = sl_cuda_group_check_tree};
