#include "cuda/search/searches.h"

#include "cuda/generate/generated_block.h"
#include "cuda/search/grid/grid_part.h"
#include "cuda/search/row/partition.h"

static bool can_regenerate(const sl_object *block)
{
    const cuda_matrix *A = cuda_matrix_of(block);
    return A && cuda_generated_of(A);
}

const sl_device_searches sl_cuda_device_searches = {
    .max_ranks = GROUP_MAX_RANKS,
    .max_checking_ranks = GROUP_MAX_MEMBERS,
    .one_dimension = {.make_part = sl_cuda_partition_create,
                      .release_part = sl_cuda_partition_free,
                      .describe_part = sl_cuda_partition_describe,
                      .search = sl_cuda_partition_search,
                      .multiplies = sl_cuda_partition_multiplies,
                      .multiply = sl_cuda_partition_multiply},
    .two_dimensions = {.make_part = sl_cuda_grid_part_create,
                       .release_part = sl_cuda_grid_part_free,
                       .describe_part = sl_cuda_grid_part_describe,
                       .search = sl_cuda_grid_part_search},
    .set_local_rank = sl_cuda_set_local_rank,
    .can_regenerate = can_regenerate,
    .check_tree = sl_cuda_group_check_tree,
    .release_grid = sl_cuda_grid_links_close};
