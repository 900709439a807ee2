/* Tuning constants of closures of several frontiers, components and dependencies, for compute
 * capability 9.0; the sizes are valid on all devices. */
#ifndef SEMLA_CUDA_FIXPOINT_TUNING_H
#define SEMLA_CUDA_FIXPOINT_TUNING_H

enum {
    /* Components: edges of each vertex that are used before the giant tree is known; vertices of the
     * sample that finds it, the threads of a block; the longest row that one thread takes alone. */
    COMPONENTS_SAMPLED_EDGES = 2,
    COMPONENTS_SAMPLES = 1024,
    COMPONENTS_SHORT_ROW = 32,
    /* Dependencies: levels are listed if they have at most one of LISTED_SHARE edges of the graph, or
     * LISTED_EDGES; threads of a block, and blocks per multiprocessor; edges of a row for each of the
     * lanes that read it, from which on the block does; levels of one launch. */
    LISTED_SHARE = 8,
    LISTED_EDGES = 1 << 20,
    LISTED_THREADS = 512,
    LISTED_BLOCKS_PER_SM = 2,
    LISTED_LONG_ROW = 16,
    LISTED_LEVELS = 1024,
    /* Other levels: threads of a block; the longest row that one warp takes. */
    PASS_THREADS = 512,
    PASS_LONG_ROW = 512,
    /* Closures of several frontiers: levels are pushed if they have at most one of PUSHED_SHARE edges of
     * the graph, or LISTED_EDGES, and no row with more than PUSHED_LONG_ROW edges for each of the lanes
     * that read it, which is also the longest row that one warp pulls; edges of the longest row that
     * one lane pulls alone. */
    PUSHED_SHARE = 16,
    PUSHED_LONG_ROW = 64,
    PULLED_BY_LANE = 16
};

#endif
