/*
 * The table by which the grid engine runs searches on the devices of all its processes
 * (sl_device_group_search).
 */
#include "group_search.h"

#include "partition.h"

static uint64_t vertices(const void *partition)
{
    return ((const cuda_partition *)partition)->all_vertices;
}

const sl_device_group_search sl_cuda_device_group_search = {.most = GROUP_MAX_RANKS,
                                                            .seat = sl_cuda_set_local_rank,
                                                            .remembers =
                                                                sl_cuda_partition_can_regenerate,
                                                            .make = sl_cuda_partition_create,
                                                            .release = sl_cuda_partition_free,
                                                            .vertices = vertices,
                                                            .search = sl_cuda_partition_search,
                                                            .check_tree = sl_cuda_group_check_tree,
                                                            .leave = sl_cuda_group_close};
