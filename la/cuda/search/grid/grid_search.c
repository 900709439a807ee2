/* The table by which the grid engine runs two-dimensional searches (sl_device_grid_search). */
#include "cuda/search/grid/grid_search.h"

#include "cuda/search/grid/grid_part.h"

const sl_device_grid_search sl_cuda_device_grid_search = {.make_part = sl_cuda_grid_part_create,
                                                          .release_part = sl_cuda_grid_part_free,
                                                          .describe_part =
                                                              sl_cuda_grid_part_describe,
                                                          .search = sl_cuda_grid_part_search,
                                                          .release_grid = sl_cuda_grid_links_close};
