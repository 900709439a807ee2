/* Tuning constants of two-dimensional searches, for compute capability 9.0; the sizes are valid on
 * all devices. */
#ifndef SEMLA_CUDA_GRID_TUNING_H
#define SEMLA_CUDA_GRID_TUNING_H

enum {
    /* Bytes of a block's bitmap up to which it is sent between devices of a host whatever its
     * contents are: 2 us of a link, against 5 kernels. */
    GRID_BITMAP_BYTES = 1 << 20
};

#endif
