/* The kernels of dependencies (as kernels.h): see dependencies.c. */
#ifndef SEMLA_CUDA_DEPENDENCIES_KERNELS_H
#define SEMLA_CUDA_DEPENDENCIES_KERNELS_H

#include "cuda/runtime/kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The level of a pair that its search has not reached. */
#define DEPENDENCY_UNREACHED UINT32_MAX

/* Rows of the graph. */
typedef struct {
    const void *start; /* n + 1 offsets, of 32 bits if dependency_params.narrow, else of 64 */
    const uint32_t *index;
} dependency_rows;

/* Counters of the device. Zeroed by the host before a launch. */
typedef struct {
    /* By level modulo 3: pairs of the level, the sum of the lengths of their rows, and whether a
     * number of paths of the level before is too large to go on without exponents. */
    unsigned long long edges[3];
    uint32_t pairs[3], large[3];
    uint32_t begin; /* the level's first pair in `order` */
    uint32_t level; /* the level that the next launch begins with */
} dependency_state;

/*
 * A batch of searches. The pair of vertex v and search s has the number (v << shift) + s, which is
 * less than 2^32. The number of shortest paths of a pair is paths * 2^exponent, paths >= 1.
 */
typedef struct {
    uint64_t n;              /* vertices that the kernels traverse */
    unsigned shift;          /* a vertex has 1 << shift pairs, at most 32 */
    uint32_t searches;       /* bit s: search s exists */
    unsigned group;          /* lanes that read a short row together: 4, 8, 16 or 32 */
    bool narrow;             /* offsets of 32 bits */
    bool mirrored;           /* in and out are the same rows */
    dependency_rows out, in; /* successors and predecessors of each vertex */
    const uint32_t *old_id;  /* [n]: the caller's vertex; NULL: ids are the caller's */
    const uint32_t *new_id;  /* CUDA_NO_VERTEX: the caller's vertex has no edges; NULL likewise */
    uint32_t *level;         /* by pair */
    double *paths;           /* by pair; once the level is summed, the dependency */
    int32_t *exponent;       /* by pair, at least 0; NULL: all are 0 */
    double *flow;            /* by pair: (1 + dependency) / paths, without the exponent */
    uint32_t *order;         /* the pairs of the levels that are listed, level by level */
    uint32_t *begin;         /* [n + 1]: where a level that is listed begins, and ends */
    dependency_state *state;
} dependency_params;

/* ---- levels with few edges: dependency_lists.cu ---- */

/*
 * Continues all searches from `level`, whose `count` pairs are listed from order[begin] on: counts
 * the paths to these pairs, lists the pairs of the next level, and so on. Ends after `levels` levels,
 * or before a level without pairs or with more than `limit` edges, or where exponents are needed.
 * p->state then has the number of that level and, at the number modulo 3, its size.
 */
cudaError_t sl_cuda_dependencies_count_listed(const dependency_params *p, uint32_t level,
                                              uint32_t begin, uint32_t count, uint32_t levels,
                                              uint64_t limit);

/* Sums the dependencies of the listed levels `from`, from - 1, ..., `to`, which is at least 1. */
cudaError_t sl_cuda_dependencies_sum_listed(const dependency_params *p, uint32_t from, uint32_t to);

/* ---- levels with many edges: dependency_passes.cu ---- */

/* Long rows, which a block reads together. */
typedef struct {
    uint32_t *vertex; /* in any order */
    uint32_t count;
} dependency_long_rows;

/*
 * Finds the pairs of `level` and counts the paths to them. Masks have a word per vertex and a bit
 * per search: `frontier` the pairs of the level before; `visited` all pairs before, to which the
 * new ones are added; `found` receives the new ones. Sets state->large[0] where exponents are
 * needed.
 */
cudaError_t sl_cuda_dependencies_count_pass(const dependency_params *p,
                                            const dependency_long_rows *long_rows, uint32_t level,
                                            const uint32_t *frontier, uint32_t *visited,
                                            uint32_t *found);

/* Sums the dependencies of the pairs in the mask `own` over their successors in the mask
 * `successors`; NULL: there are none. */
cudaError_t sl_cuda_dependencies_sum_pass(const dependency_params *p,
                                          const dependency_long_rows *long_rows,
                                          const uint32_t *own, const uint32_t *successors);

/* ---- between them: dependency_pairs.cu ---- */

/* Level 0: the pairs of `count` sources (device, the caller's ids) are reached and listed; their
 * number is added to state->pairs[0], their edges to edges[0]. All levels are unreached before. */
cudaError_t sl_cuda_dependencies_begin(const dependency_params *p, const uint64_t *sources,
                                       unsigned count);

/* mask: the pairs whose level is `first` to `last`. */
cudaError_t sl_cuda_dependencies_mask(const dependency_params *p, uint32_t first, uint32_t last,
                                      uint32_t *mask);

/* Adds the number of the pairs in a mask to state->pairs[0], their edges to edges[0]. */
cudaError_t sl_cuda_dependencies_measure(const dependency_params *p, const uint32_t *mask);

/* Lists the pairs in a mask from order[begin] on. state->begin is `begin` before and their end
 * afterwards. */
cudaError_t sl_cuda_dependencies_list(const dependency_params *p, const uint32_t *mask);

/* Lists the vertices with long rows, and adds their number to *count (device). `vertex`: room for
 * all. */
cudaError_t sl_cuda_dependencies_list_long_rows(const dependency_params *p,
                                                const dependency_rows *rows, uint32_t *vertex,
                                                uint32_t *count);

/* Adds the dependencies of each vertex, in the order of the searches, to sums, of the caller's
 * vertices. */
cudaError_t sl_cuda_dependencies_add(const dependency_params *p, double *sums);

#ifdef __cplusplus
}
#endif
#endif
