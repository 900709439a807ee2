/* Tuning constants, for compute capability 9.0; the sizes are valid on all devices. Those of
 * products are in products/product_tuning.h. */
#ifndef SEMLA_CUDA_TUNING_H
#define SEMLA_CUDA_TUNING_H

enum {
    /* Threads per block, and blocks per multiprocessor, of most kernels. */
    CUDA_THREADS = 256,
    CUDA_BLOCKS_PER_SM = 8,

    /* Push: edges of a frontier that a block takes at once. */
    PUSH_TILE = 2048,

    /* Pull: in-edges that a thread looks at by itself before its warp helps. */
    PULL_PER_THREAD = 16,
    PULL_BATCH = 4, /* of these, at once */

    /* Steps of advance and closure, so many of a launch that are logged: threads of a block,
     * blocks to a multiprocessor; edges that a block takes at once, rows of up to so many by a
     * thread each. */
    RELAX_STEPS = 1024,
    RELAX_THREADS = 512,
    RELAX_BLOCKS_PER_SM = 2,
    RELAX_TILE = 2048,
    RELAX_ALONE = RELAX_TILE / RELAX_THREADS,
    /* Of a closure in the order of its values those are taken together that are no further
     * apart than so many mean lengths of an edge, divided by the cube of the degree: a step of few
     * vertices costs as much as one of many, where the host, which divides by the degree, saves. */
    DELTA_SCALE = 2048,
    /* One step prepares pi along its edges if they are less than this share of n. */
    RELAX_PREPARE_SHARE = 8,

    /* The search in one launch: threads of a block, of which a multiprocessor should hold so
     * many; steps that one launch records. */
    BFS_THREADS = 512,
    SEARCH_BLOCKS = 2,
    BFS_LEVELS = 1024,
    /* First neighbours that a layout has in arrays of their own. */
    SLOTS = 4,
    /* Words of hubs' bits that a block keeps: of so many words one, within bounds. */
    HUB_SHARE = 128,
    FEWEST_HUB_WORDS = 2048,
    HUB_WORDS = 8192,
    /* Edges that a lane of a push has under way; edges of a push up to which what it finds
     * is listed. */
    PUSH_AT_ONCE = 4,
    LIST_EDGES = 1 << 17,
    /* What an edge of a pull costs, as it is estimated, if one of a push costs 100: the
     * order by degrees finds parents much sooner than chance. */
    PULL_WEIGHT = 20,
    /* Of four words with at most so many vertices missing a pull does not look at the first
     * neighbours together: vertices of several such words share a warp. */
    PULL_SPARSE = 16,
    /* Its end: threads of a block, blocks to a multiprocessor, vertices that a lane has under
     * way (in fours), words of a chunk at most. */
    RESULT_THREADS = 256,
    RESULT_BLOCKS_PER_SM = 4,
    RESULT_ROWS = 4,
    RESULT_CHUNK = 28,
    /* How often a search's end is looked for before the stream is waited for. */
    SEARCH_LOOKS = 1 << 20,

    /* Narrow steps: threads of a block; blocks of a cluster, and of the device at most; vertices
     * that a block has room for, and for the rows of; those of a frontier per block that a cluster
     * still takes, and a grid; words of visited bits, and rests of rows, that are kept in the
     * second cache. */
    SMALL_THREADS = 512,
    SMALL_CLUSTER = 16,
    SMALL_BLOCKS = 160,
    SMALL_LIST = 2560,
    SMALL_ROWS = 512,
    SMALL_TOGETHER = 128,
    SMALL_PER_BLOCK = 512,
    SMALL_WORDS = 1 << 21,
    ELL4_OVERFLOW_ROWS = 1 << 17,
    /* A graph of short rows: edges of a vertex on average, and at most. */
    SMALL_PER_VERTEX = 8,
    SMALL_LANES_PER_VERTEX = 64,

    /* Over several devices: what it costs a rank to look up a row of a push's frontier, in edges.
     */
    GROUP_ROW_COST = 4,
    /* Where devices write to each other a list is at most so small a share of what bits are, as
     * these are written faster; elsewhere it may be as long. */
    GROUP_LIST_SHARE = 8,
    /* Bytes of a block for other data than finds. */
    GROUP_BUFFER_BYTES = 64 << 20,

    /* Differences: bytes of a message that a block goes through to find where groups begin, and
     * how many of these another block brings at once to put them together. */
    VLQ_TILE = 4096,
    VLQ_TILES_AT_ONCE = 64,

    /* A layout: edges that are sorted at once; how high trees are that are taken out. */
    REORDER_SEGMENT = 1 << 27,
    PRUNE_ROUNDS = 32,

    /* Bytes that stay free when the columns of a reordered graph, or keys, take all free memory. */
    RESERVE_MIN_BYTES = 64 << 20,
    GENERATE_LEAVE = 32 << 20,

    /* Where columns lie in the host's memory too: of those on the device so many percent are of
     * hubs. From 25 to 50 it made little difference, 10 and 100 cost a third. */
    HUB_COLUMNS_PERCENT = 40,

    /* Generated graphs: tuples per thread at once; keys sorted at once, at most and at least. */
    TUPLES_AT_ONCE = 4,
    GENERATE_MAX_KEYS = (1u << 31) - 1,
    GENERATE_MIN_KEYS = 1 << 16,

    /* Blocks of a reduction; one block reduces their results. */
    CUDA_REDUCE_BLOCKS = 512,

    /* Words of a mask that a warp of the write loads at once. */
    WRITE_WORDS = 4,

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
    LIST_OPERATIONS_MIN_SIZE = 1 << 24,

    /* Frontier counts allocated at a time. */
    FRONTIER_COUNTS_PER_BLOCK = 64,
    /* How often a frontier count is polled before the stream is waited for. */
    FRONTIER_COUNTS_POLLS = 1 << 14,

    /* Indices per staging buffer when a matrix is uploaded. */
    STAGING_EDGES = 1 << 23
};

#endif
