/* Tuning constants that several folders use, for compute capability 9.0; the sizes are valid on all
 * devices. Other constants are in a header beside the code that they tune:
 * products/product_tuning.h, data/frontier_tuning.h, search/device/bfs_tuning.h, fixpoint/fixpoint_tuning.h,
 * paths/paths_tuning.h, reorder/reorder_tuning.h, search/row/multi_gpu_tuning.h,
 * search/grid/grid_tuning.h. */
#ifndef SEMLA_CUDA_TUNING_H
#define SEMLA_CUDA_TUNING_H

enum {
    /* Threads per block, and blocks per multiprocessor, of most kernels. */
    CUDA_THREADS = 256,
    CUDA_BLOCKS_PER_SM = 8,

    /* Push: edges of a frontier that a block takes at once. */
    PUSH_TILE = 2048,

    /* Pull: in-edges that a thread examines by itself before its warp helps, and of these at once.
     */
    PULL_PER_THREAD = 16,
    PULL_BATCH = 4,

    /* Bytes that stay free when the columns of a reordered graph, or keys, take all free memory,
     * and when a generated graph does. */
    RESERVE_MIN_BYTES = 64 << 20,
    GENERATE_FREE_BYTES = 32 << 20,

    /* Generated graphs: tuples per thread at once; keys sorted at once, at most and at least. */
    TUPLES_AT_ONCE = 4,
    GENERATE_MAX_KEYS = (1u << 31) - 1,
    GENERATE_MIN_KEYS = 1 << 16,

    /* Entries that a thread loads at once where vectors are full. */
    FULL_BATCH = 4,

    /* Blocks of a reduction; one block reduces their results. */
    CUDA_REDUCE_BLOCKS = 512,

    /* Words of a mask that a warp of the write loads at once. */
    WRITE_WORDS = 8,

    /* Single entries of a bitmap set or removed on the device before the host takes over. */
    MAX_SINGLE_WRITES = 64,

    /* Entries of the largest region to which the device assigns a scalar. */
    MAX_CONSTANT_BLOCK = 1 << 28,

    /* Values of one key that a single thread combines. */
    JOIN_PER_THREAD = 64,

    /* Kernels are compiled for a semiring when its products have processed 2^JIT_WORK entries:
     * looking operators up costs 6 ps per entry, so it has then cost as much as a compilation. */
    JIT_WORK = 36,

    /* A vector is stored as a list if fewer than 1 / LIST_SHARE of its entries are present. */
    LIST_SHARE = 32,

    /* Vector size from which on operations on lists avoid bitmaps: a pass over a bitmap then takes
     * longer than the waits that lists need. */
    LIST_OPERATIONS_MIN_SIZE = 1 << 24
};

#endif
