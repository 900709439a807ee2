/* Tuning constants of relaxing closures and of components, for compute capability 9.0; the sizes are
 * valid on all devices. */
#ifndef SEMLA_CUDA_FIXPOINT_TUNING_H
#define SEMLA_CUDA_FIXPOINT_TUNING_H

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
    /* Dense graphs (dense_paths.cu): the least mean degree; the width of a bucket in typical
     * lengths, and that of delta-stepping after the pull; the pull begins when at most one of
     * DENSE_SHARE edges belongs to vertices that are not settled, or after DENSE_BUCKETS buckets. */
    DENSE_DEGREE = 8,
    DENSE_WIDTH = 1,
    DENSE_REST_WIDTH = 16,
    DENSE_SHARE = 16,
    DENSE_BUCKETS = 64,
    /* Components: edges of each vertex that are used before the giant tree is known; vertices of the
     * sample that finds it, the threads of a block; the longest row that one thread takes alone. */
    COMPONENTS_SAMPLED_EDGES = 2,
    COMPONENTS_SAMPLES = 1024,
    COMPONENTS_SHORT_ROW = 32
};

#endif
