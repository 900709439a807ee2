/* Tuning constants of relaxing closures of a grid, for compute capability 9.0; the sizes are valid on
 * all devices. */
#ifndef SEMLA_CUDA_GRID_RELAX_TUNING_H
#define SEMLA_CUDA_GRID_RELAX_TUNING_H

enum {
    /* Shortest paths: the width of a bucket is this times the mean length, divided by the square of the
     * mean degree. A round costs several exchanges, so that buckets are wider than on one device. */
    GRID_RELAX_WIDTH = 128,
    /* The same over sorted lengths (grid_paths.cu), from this mean degree on: the pull begins when at most
     * one of GRID_PATHS_SHARE edges belongs to rows that have not arrived, on every process. */
    GRID_PATHS_DEGREE = 8,
    GRID_PATHS_SHARE = 8,
    /* If rows are mirrored, vertices of at most GRID_PATHS_SHORT edges are deferred from the round
     * on in which more than one of GRID_PATHS_DEFER edges of the process belongs to rows that have
     * arrived. */
    GRID_PATHS_SHORT = 8,
    GRID_PATHS_DEFER = 1024,
    /* If rows are mirrored, buckets have a GRID_PATHS_NARROW-th of the width: fewer vertices arrive twice. */
    GRID_PATHS_NARROW = 4,
    /* Grids of several rows use whole rows up to this number of processes: each sends candidates to all others. */
    GRID_PATHS_PROCESSES = 16,
    /* The next bucket begins before a bucket has ended if at most one of GRID_PATHS_TAIL vertices
     * of its largest round is left: such a round takes as long as its exchanges. */
    GRID_PATHS_TAIL = 64,
    /* Blocks per multiprocessor: of the kernels that find parts of rows, and of the push. */
    GRID_PATHS_BLOCKS_PER_SM = 3,
    GRID_PATHS_PUSHES_PER_SM = 4,
    /* Messages that one launch reads. */
    GRID_RELAX_MESSAGES = 8
};

#endif
