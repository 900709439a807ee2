/* Tuning constants of breadth-first searches, for compute capability 9.0; the sizes are valid on
 * all devices. */
#ifndef SEMLA_CUDA_BFS_TUNING_H
#define SEMLA_CUDA_BFS_TUNING_H

enum {
    /* The search kernel: threads of a block; blocks that a multiprocessor should hold; levels that
     * one launch logs. */
    BFS_THREADS = 512,
    BFS_BLOCKS_PER_SM = 2,
    BFS_LEVELS = 1024,
    /* How often the end of a launch is polled before the stream is waited for. */
    BFS_POLLS = 1 << 20,

    /* Words of hub bits that a block keeps in shared memory: 1 / HUB_SHARE of the bitmap, within
     * bounds. */
    HUB_SHARE = 128,
    HUB_WORDS_MIN = 2048,
    HUB_WORDS_MAX = 8192,

    /* Push: edges that a lane has in flight; most edges of a level that lists its new vertices. */
    PUSH_EDGES_PER_LANE = 4,
    LIST_EDGES_MAX = 1 << 17,
    /* Pull: estimated cost of an edge, in percent of the cost of an edge of a push: in the order of
     * degrees, parents are found much sooner than by chance. */
    PULL_WEIGHT = 20,
    /* Pull: four bitmap words with at most this many unvisited vertices skip the pass over the
     * first neighbours; vertices of several such words share a warp. */
    PULL_SPARSE_VERTICES = 16,

    /* Results: threads of a block; blocks per multiprocessor; vertices that a lane has in flight,
     * in fours; most words of a chunk. */
    RESULT_THREADS = 256,
    RESULT_BLOCKS_PER_SM = 4,
    RESULT_ROWS = 4,
    RESULT_CHUNK = 28,

    /* The small-frontier kernel: threads of a block; blocks of a cluster, and most blocks of the
     * device. */
    SMALL_THREADS = 512,
    SMALL_CLUSTER = 16,
    SMALL_BLOCKS = 160,
    /* Vertices, and ELL4 rows, that a block has room for in shared memory. */
    SMALL_LIST = 2560,
    SMALL_ROWS = 512,
    /* Largest frontier, in vertices per block, of a cluster and of the whole device. */
    SMALL_TOGETHER = 128,
    SMALL_PER_BLOCK = 512,
    /* Words of visited bits, and overflow rows, that are kept in the L2 cache. */
    SMALL_WORDS = 1 << 21,
    ELL4_OVERFLOW_ROWS = 1 << 17
};

#endif
