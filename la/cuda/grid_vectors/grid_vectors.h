/* The table by which the grid engine exchanges vectors between devices. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_GRID_VECTORS_H
#define SEMLA_CUDA_GRID_VECTORS_H

#include <semla/device_vectors.h>

extern const sl_device_vectors sl_cuda_device_vectors;

#endif
