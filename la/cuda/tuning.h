/* What was tuned, on a device of compute capability 9.0; sizes that are safe on all. */
#ifndef SEMLA_CUDA_TUNING_H
#define SEMLA_CUDA_TUNING_H

enum {
    /* Threads of a block, and blocks per multiprocessor that a pass is spread over. */
    CUDA_THREADS = 256,
    CUDA_BLOCKS_PER_SM = 8,

    /* Push: edges of a frontier that a block takes at once. */
    PUSH_TILE = 2048,

    /* Pull: in-edges that a thread looks at by itself before its warp helps. */
    PULL_ALONE = 16,

    /* Levels that one block runs by itself: a frontier up to this many vertices and
     * edges, so many levels in one launch, vertices with few edges by a thread each. */
    SMALL_THREADS = 1024,
    SMALL_FRONTIER = 4096,
    SMALL_EDGES = 16384,
    SMALL_LEVELS = 1024,
    SMALL_ALONE = 8,

    /* Edges whose indices pass through one staging buffer on the way to the device. */
    STAGING_EDGES = 1 << 23
};

#endif
