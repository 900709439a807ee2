/* The table by which the grid engine runs searches on the devices of all its processes. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_SEARCHES_H
#define SEMLA_CUDA_SEARCHES_H

#include <semla/device_grid.h>

extern const sl_device_searches sl_cuda_device_searches;

#endif
