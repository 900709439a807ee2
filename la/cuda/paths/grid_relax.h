/* The table by which the grid engine runs closures that relax. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_GRID_RELAX_H
#define SEMLA_CUDA_GRID_RELAX_H

#include <semla/device_relaxations.h>

extern const sl_device_relaxations sl_cuda_device_relaxations;

#endif
