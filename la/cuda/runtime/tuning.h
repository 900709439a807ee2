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
    STATE_LEVELS = 16, /* of which the host is told without asking */
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
     * still takes, and a grid; words of visited bits, and rests of rows, that are kept in the second
     * cache. */
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

    /* Over several devices: what it costs a rank to look up a row of a push's frontier, in edges. */
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

    /* Bytes that are left free besides, where columns of a layout or keys take what there is. */
    RESERVE_LEAST = 64 << 20,
    COLLECT_LEAVE = 32 << 20,

    /* Where columns lie in the host's memory too: of those on the device so many percent are of
     * hubs. From 25 to 50 it made little difference, 10 and 100 cost a third. */
    HUB_COLUMNS_PERCENT = 40,

    /* Of a model: tuples that a thread makes at once; entries that are sorted at once, of which
     * the keys lie there twice, are so many where there is room, and at least. */
    TUPLES_AT_ONCE = 4,
    COLLECT_MOST = (1u << 31) - 1,
    COLLECT_LEAST = 1 << 16,

    /* Blocks of a reduction, whose sums one block adds. */
    CUDA_REDUCE_BLOCKS = 512,

    /* Words of a mask that a warp looks at before it goes through what they let through. */
    WRITE_WORDS = 4,

    /* A product is a push if that looks at less than this share of the matrix. */
    PUSH_SHARE = 8,

    /* Entries of a row that a thread takes by itself; from how many on a row is done
     * in pieces of so many by whole blocks; rows and entries of a block's tile, and how
     * many of those a thread has under way at once, blocks to a multiprocessor. */
    ROW_ALONE = 8,
    ROW_LONG = 2048,
    LONG_PIECE = 8192,
    ROW_TILE = 2048,
    ROW_BATCH = 8,
    TILE_BLOCKS = 4,

    /* Entries of a vector that are set or removed in new_id before the host takes over. */
    SINGLES_MOST = 64,

    /* Entries of a block of one value that is written out. */
    BLOCK_MOST = 1 << 28,

    /* Values of one key that a thread joins before its warp does. */
    JOIN_ALONE = 64,

    /* A semiring gets kernels of its own when its products have gone through 2^this entries:
     * looking its operators up has cost 6 ps for each by then, as much as compiling does. */
    JIT_WORK = 36,

    /* A list of entries is used where it is shorter than this share of the vector. */
    LIST_SHARE = 32,

    /* From this size on operations on lists alone go by lists: passes over bitmaps take
     * longer than the waits in between. */
    LISTS_FROM = 1 << 24,

    /* Surveys whose counts are made at a time. */
    SURVEYS = 64,
    /* How often a survey is looked for before the stream is waited for. */
    SURVEY_LOOKS = 1 << 14,

    /* A row of a product of matrices: whose it is by its number of products (block with
     * a small and with a large hash table, many blocks), and by the entries of the result
     * where these are summed. A bitmap of the columns serves up to so many of them, and is
     * used from a product in so many columns on. */
    FEW_THREADS = 64,
    HASH_FEW = 512,
    HASH_MANY = 4096,
    GIANT_ROW = 1 << 17,
    GIANT_TILE = 4096,
    SUMS_FEW = 384,
    SUMS_MANY = 1536,
    BITMAP_COLUMNS = 1 << 18,
    BITMAP_SHARE = 32,
    SPGEMM_BLOCKS_PER_SM = 32,

    /* A pattern is found once where there is room for so many columns (or for an eighth of
     * what memory is free), one for each product; else counted first and found again. The
     * bitmaps of giant rows take as much. */
    SPGEMM_ROOM = 1 << 28,

    /* Entries of a matrix from which on cuSPARSE multiplies it with a full vector. */
    LIBRARY_LEAST = 1 << 14,
    /* Columns of a full matrix from which on it multiplies with that, and products: up to 16
     * the own kernels are as fast or faster. */
    SPMM_LIBRARY_COLUMNS = 17,
    SPMM_LIBRARY_LEAST = 1 << 14,

    /* Products from which on it multiplies sparse matrices, if no row of the result has more than
     * so many: longer ones the own kernels sum faster. Of rows that are half a warp's, more. */
    SPGEMM_LIBRARY_LEAST = 1 << 21,
    SPGEMM_LIBRARY_LEAST_HALF = 1 << 23,
    SPGEMM_LIBRARY_ROW = 64,
    SPGEMM_LIBRARY_ROOM = 64 << 20, /* bytes that it may always have */

    /* With a full B: entries of a row of A that a warp takes by itself. */
    SPMM_PIECE = 128,

    /* Under a mask: what looking an entry up costs in a dot product, in products. */
    DOT_COST = 2,

    /* Edges whose indices pass through one staging buffer on the way to the device. */
    STAGING_EDGES = 1 << 23
};

#endif
