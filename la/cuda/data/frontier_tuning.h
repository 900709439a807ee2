/* Tuning constants of frontier lists, for compute capability 9.0; the sizes are valid on
 * all devices. */
#ifndef SEMLA_CUDA_FRONTIER_TUNING_H
#define SEMLA_CUDA_FRONTIER_TUNING_H

enum {
    /* Kernels that walk the edges of a frontier list: threads of a block; blocks per
     * multiprocessor; edges that a block takes at once. Rows of up to FRONTIER_SHORT_ROW edges are
     * walked by one thread each if the frontier has no longer row. */
    FRONTIER_THREADS = 512,
    FRONTIER_BLOCKS_PER_SM = 2,
    FRONTIER_TILE = 2048,
    FRONTIER_SHORT_ROW = FRONTIER_TILE / FRONTIER_THREADS,

    /* Frontier counts allocated at a time. */
    FRONTIER_COUNTS_PER_BLOCK = 64,
    /* Bitmaps with less than one bit in so many are listed by one thread per word. Of others with at least
     * FRONTIER_SAMPLED indices a part is counted before they are listed: one in FRONTIER_SAMPLE blocks of bits. */
    FRONTIER_SPARSE = 256,
    FRONTIER_SAMPLED = 1 << 20,
    FRONTIER_SAMPLE = 16
};

#endif
