/* Tuning constants of products, for compute capability 9.0; the sizes are valid on all devices. */
#ifndef SEMLA_CUDA_PRODUCT_TUNING_H
#define SEMLA_CUDA_PRODUCT_TUNING_H

enum {
    /* Pulls over a pattern before the matrix is reordered for them: together they take about as long as that. */
    PATTERN_PULLS_BEFORE_ORDER = 64,
    /* A product is a push if it examines less than 1 / PUSH_SHARE of the matrix. */
    PUSH_SHARE = 8,
    /* Edges that an edge of a push for the least or the greatest id counts as, because the terms of a vertex compete by
     * atomics. A pull is then also estimated from a frontier of so many edges. */
    COMPETING_EDGE = 2,
    /* A push over a pattern of at most so many vertices does the writes that wait for its vector. */
    PUSH_WRITES = 4096,

    /* Pull by rows: entries per row for one thread. Longer rows than ROW_LONG are divided into
     * pieces of LONG_PIECE entries for whole blocks. The longest row is found for matrices of so many entries, at the
     * first pull. */
    ROW_PER_THREAD = 8,
    ROW_FACTS_MIN_ENTRIES = 1 << 20,
    ROW_LONG = 1024,
    LONG_PIECE = 8192,
    /* Pull by tiles: rows plus entries of a tile, entries per thread at once, blocks per multiprocessor, also for
     * values of 8 bytes. */
    ROW_TILE = 2048,
    ROW_BATCH = 4,
    TILE_BLOCKS = 6,
    TILE_BLOCKS_OF_8 = 5,

    /* Rows and columns of a matrix are put in orders of their own for sums of full vectors over tiles if it
     * has so many entries, and so many for each column. The entries of a mask are counted, to learn whether
     * it allows most rows, if the matrix has MASK_COUNTED_ENTRIES or more. */
    SUM_ORDER_MIN_ENTRIES = 1 << 20,
    SUM_ORDER_MIN_READS = 4,
    MASK_COUNTED_ENTRIES = 1 << 26,

    /* Sums over tiles (sum_tiles.h), chunks: threads of the only block of a multiprocessor; columns of a tile, at most,
     * whose fp64 values fill its shared memory; columns of a chunk, at most 255; steps that a warp loads at once, and
     * with values of entries of 8 bytes, of which the registers hold no more; the cost of copying a tile, in steps. Row
     * blocks: threads of a block, blocks per multiprocessor, sums that a thread copies at once. Bytes of shared memory
     * for other purposes. The most pieces in which tiles are made for lack of memory. Tiles are used if there are
     * at most SUM_CHUNKS_PERCENT chunks for 100 columns, or if the values have more than SUM_CACHED_BYTES, as
     * fp64, of which the L2 cache holds few. Less scratch than SUM_ASSUMED_BYTES is assumed to be free. */
    SUM_TILE_THREADS = 1024,
    SUM_TILE_COLUMNS = 28 << 10,
    SUM_CHUNK = 128,
    SUM_TILE_STEPS = 4,
    SUM_TILE_WIDE_STEPS = 2,
    SUM_COPY_STEPS = 1500,
    SUM_BLOCK_THREADS = 512,
    SUM_BLOCKS_PER_SM = 2,
    SUM_STAGED_AT_ONCE = 13,
    SUM_STATIC_BYTES = 2048,
    SUM_PIECES = 32,
    SUM_CHUNKS_PERCENT = 75,
    SUM_CACHED_BYTES = 64 << 20,
    SUM_ASSUMED_BYTES = 1 << 30,

    /* The rows of a first factor are multiplied as vectors if there are at most ROWS_MOST, if they have one entry for
     * each ROWS_LEAST_SHARE places or more, and if the second factor has ROWS_LEAST_ENTRIES or more. */
    ROWS_MOST = 8,
    ROWS_LEAST_SHARE = 16,
    ROWS_LEAST_ENTRIES = 1 << 22,

    /* Rows and columns of matrices whose product takes one launch of one block: a warp has as many
     * lanes, and a block as many warps. */
    TINY_SIDE = 32,

    /* Matrix products, pattern: products of a row up to which a block of FEW_THREADS with a small
     * hash table, a block with a large one, or (above GIANT_ROW) many blocks process it. A tile has
     * GIANT_TILE products; in matrix products of less than GIANT_MANY_PRODUCTS, GIANT_SMALL_TILE. */
    FEW_THREADS = 64,
    HASH_FEW = 512,
    HASH_MANY = 4096,
    GIANT_ROW = 1 << 17,
    GIANT_TILE = 4096,
    GIANT_SMALL_TILE = 1024,
    GIANT_MANY_PRODUCTS = 1 << 20,
    GIANT_WORDS = 1024, /* of a bitmap of its columns, that a block processes */
    /* Many blocks also process rows with a large table or a bitmap if there are at most GIANT_FEW_ROWS of them, whose
     * bitmaps have at most GIANT_FEW_WORDS words in all. */
    GIANT_FEW_ROWS = 64,
    GIANT_FEW_WORDS = 1 << 22,
    /* Values: entries of a row of the result for a block with a small or a large table of sums. */
    SUMS_FEW = 384,
    SUMS_MANY = 1536,
    /* A bitmap of all columns replaces the hash table for up to BITMAP_COLUMNS columns and rows
     * with more than 1 / BITMAP_SHARE of them as products. */
    BITMAP_COLUMNS = 1 << 18,
    BITMAP_SHARE = 32,
    SPGEMM_BLOCKS_PER_SM = 32,

    /* The pattern is found in one pass if there is memory for so many columns (or an eighth of the
     * free memory), one per product; else it is counted first. Bitmaps of giant rows take as much.
     */
    SPGEMM_ROOM = 1 << 28,

    /* Entries of a matrix from which on cuSPARSE multiplies it by a full vector. */
    CUSPARSE_SPMV_MIN_ENTRIES = 1 << 14,
    /* Columns of a full matrix, and products, from which on cuSPARSE multiplies by it. Up to 16
     * columns the engine's kernels are as fast or faster. */
    CUSPARSE_SPMM_MIN_COLUMNS = 17,
    CUSPARSE_SPMM_MIN_PRODUCTS = 1 << 14,
    /* Products from which on cuSPARSE multiplies sparse matrices (more if rows fit in half a warp),
     * products per row up to which it does, and bytes of work space that it may always take. */
    CUSPARSE_SPGEMM_MIN_PRODUCTS = 1 << 21,
    CUSPARSE_SPGEMM_MIN_PRODUCTS_HALF = 1 << 23,
    CUSPARSE_SPGEMM_MAX_ROW = 64,
    CUSPARSE_SPGEMM_MIN_BYTES = 64 << 20,

    /* With a full B: entries of a row of A per warp. */
    SPMM_PIECE = 128,

    /* Counts of common columns (pair_counts.cu): entries of the mask per piece; columns of a row of
     * A for a warp's table, and for a block's; the entries of a row of the mask times the columns of
     * A's row that a thread counts; columns of rows of B of which a warp reads four at a time. B's
     * row is searched if it is PAIR_SEARCH times longer than A's. A bitmap may have PAIR_WORDS words
     * for each entry of the mask. A launch tests at most 2^PAIR_LAUNCH columns, which takes less
     * than a second. */
    PAIR_PIECE = 1024,
    PAIR_FEW = 64,
    PAIR_MANY = 2048,
    PAIR_THREAD_WORK = 32,
    PAIR_SHORT = 16,
    PAIR_SEARCH = 16,
    PAIR_WORDS = 8,
    PAIR_LAUNCH = 37,

    /* To examine an entry in a dot product takes the time of DOT_COST products. Dot products that examine up to
     * DOTS_FEW entries take less time than the launches of a product row by row. */
    DOT_COST = 2,
    DOTS_FEW = 1 << 16,
    /* Entries that counts of common columns examine in the time of a product. */
    PAIR_GAIN = 4
};

#endif
