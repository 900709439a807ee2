/* Tuning constants of reordered graphs, for compute capability 9.0; the sizes are valid on
 * all devices. */
#ifndef SEMLA_CUDA_REORDER_TUNING_H
#define SEMLA_CUDA_REORDER_TUNING_H

enum {
    /* A graph of short rows, for the small-frontier kernel: most edges of a vertex on average, and
     * of any vertex. */
    SMALL_PER_VERTEX = 8,
    SMALL_LANES_PER_VERTEX = 64,
    /* Edges that are sorted at once: at most, and where memory is short. */
    REORDER_SEGMENT = 1 << 27,
    REORDER_LEAST_SEGMENT = 1 << 20,
    /* Height of the tallest tree that is pruned. */
    PRUNE_ROUNDS = 32,
    /* Columns in pinned host memory: the percentage of the columns on the device that belong to
     * hubs. From 25 to 50 it made little difference; 10 and 100 cost a third. */
    HUB_COLUMNS_PERCENT = 40
};

#endif
