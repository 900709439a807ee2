/* Tuning constants of relaxing closures of one device, for compute capability 9.0; the sizes are
 * valid on all devices. */
#ifndef SEMLA_CUDA_PATHS_TUNING_H
#define SEMLA_CUDA_PATHS_TUNING_H

enum {
    /* Iterations that one launch logs. */
    RELAX_ITERATIONS = 1024,
    /* A single iteration initialises the values that pi lacks along its edges if the edges are
     * fewer than n / RELAX_INIT_SHARE, otherwise all of them. */
    RELAX_INIT_SHARE = 8,
    /* Delta-stepping: delta is DELTA_SCALE times the mean value of an edge, divided by the cube of
     * the mean degree. The host divides by the degree only, because an iteration with few vertices
     * costs the GPU as much as one with many. */
    DELTA_SCALE = 2048,
    /* Shortest paths: delta is this times the typical length of an edge, divided by the square of
     * the mean degree: for uniform lengths the same as above. */
    TYPICAL_SCALE = 1024,
    /* Dense graphs (dense_paths.cu): the least mean degree; edges of a process from which on buckets have
     * half the width, as relaxing fewer edges then counts more than fewer buckets; the width of the
     * buckets of delta-stepping after the pull, in typical lengths; the pull begins when at most one of
     * DENSE_SHARE edges belongs to vertices that are not settled, or after DENSE_BUCKETS buckets;
     * pulls; edges of the early vertices (cuda_early_vertices), at most. */
    DENSE_DEGREE = 8,
    DENSE_MANY_EDGES = 1 << 27,
    DENSE_REST_WIDTH = 16,
    DENSE_SHARE = 16,
    DENSE_BUCKETS = 64,
    DENSE_PULLS = 3,
    DENSE_EARLY = 1 << 13,
    /* Edges from which on dense graphs are searched in the order of degrees (grid_alone.c), whose
     * rounds have more barriers. */
    ALONE_MIN_EDGES = 1 << 27,
    /* Graphs of short rows (sparse_paths.cu): edges of the longest row; the width of a bucket in
     * typical lengths; threads of a block; blocks of the cluster, and most blocks of the device;
     * vertices of a frontier, and far vertices, that a block has room for in shared memory;
     * vertices of a frontier per block up to which the cluster keeps it. */
    SPARSE_ROW = 64,
    SPARSE_WIDTH = 25,
    SPARSE_THREADS = 512,
    SPARSE_CLUSTER = 16,
    SPARSE_BLOCKS = 160,
    SPARSE_LIST = 3072,
    SPARSE_FAR = 2048,
    SPARSE_MOST = 2048,
    /* Pulls over sorted columns: edges from which on a row is not early (early_rows.cuh). */
    EARLY_LONG_ROW = 64
};

#endif
