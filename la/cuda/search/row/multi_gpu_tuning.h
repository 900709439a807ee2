/* Tuning constants of searches by device groups, for compute capability 9.0; the sizes are valid on
 * all devices. */
#ifndef SEMLA_CUDA_MULTI_GPU_TUNING_H
#define SEMLA_CUDA_MULTI_GPU_TUNING_H

enum {
    /* Cost of looking up a row of a push's frontier, which every rank does, in edges. */
    GROUP_ROW_COST = 4,
    /* Devices that write to each other's memory send a list of at most 1 / GROUP_LIST_SHARE of the
     * bitmap's words, because a bitmap is written faster; elsewhere a list may be as long as the
     * bitmap. */
    GROUP_LIST_SHARE = 8
};

#endif
