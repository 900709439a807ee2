/* Launch size of kernels with threads that stride over their work. */
#ifndef SEMLA_CUDA_GRID_STRIDE_CUH
#define SEMLA_CUDA_GRID_STRIDE_CUH

#include "common.cuh"

/* Blocks of CUDA_THREADS threads for so many threads' work, at most CUDA_BLOCKS_PER_SM for each
 * multiprocessor. */
static inline unsigned grid_on(unsigned multiprocessors, uint64_t threads)
{
    return grid_of(threads, multiprocessors * CUDA_BLOCKS_PER_SM);
}

#endif
