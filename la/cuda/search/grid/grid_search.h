/* The table by which the grid engine runs two-dimensional searches. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_GRID_SEARCH_H
#define SEMLA_CUDA_GRID_SEARCH_H

#include <semla/device_grid.h>

extern const sl_device_grid_search sl_cuda_device_grid_search;

#endif
