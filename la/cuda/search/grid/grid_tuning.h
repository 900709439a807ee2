/* Tuning constants of two-dimensional searches, for compute capability 9.0; the sizes are valid on
 * all devices. */
#ifndef SEMLA_CUDA_GRID_TUNING_H
#define SEMLA_CUDA_GRID_TUNING_H

enum {
    /* Words of the caller's bitmap whose results a block of threads writes, and the blocks that a multiprocessor
     * should hold. */
    GRID_RESULT_WORDS = 64,
    GRID_RESULT_BLOCKS_PER_SM = 6,
    /* Sets of other processes that a launch reads: the devices of a host. */
    GRID_SETS = 8
};

#endif
