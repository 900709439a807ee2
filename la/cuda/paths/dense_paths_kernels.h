/* Parameters, state and launch functions of dense_paths.cu. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_DENSE_PATHS_KERNELS_H
#define SEMLA_CUDA_DENSE_PATHS_KERNELS_H

#include "cuda/paths/relax_kernels.h"
#include "cuda/paths/row_pieces.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counters in device memory; all 0 before. */
typedef struct {
    unsigned long long pieces[3];   /* packed counts of the lists of row pieces: see relax_state */
    unsigned long long nearest[3];  /* by bucket: the least sum beyond the limit of an edge of a
                                      * settled vertex, an inverted key (ordered_key.cuh); 0: none */
    unsigned long long improved[2]; /* lengths of the list `improved`, by turns */
    unsigned long long settled, settled_edges; /* vertices within the limit, and their edges */
    cuda_early_vertices early;                 /* of the list `settled` */
    unsigned complete; /* all vertices that the source reaches are settled */
} dense_paths_state;

/* Shortest paths over rows sorted by length, in which every edge has a mirror edge. Pointers are to
 * device memory. */
typedef struct {
    relax_params
        x; /* p.bits, p.t_values: pi; p.start, p.index, p.values: the rows; next_bits is 0 before */
    bool narrow; /* lengths of 32 bits */
    uint64_t source;
    double delta;         /* the width of a bucket */
    row_pieces pieces[2]; /* n each, by turns; with their vertices: */
    uint32_t *vertex[2];
    uint32_t *improved; /* n */
    uint32_t *settled;  /* n: vertices within the limit, in the order in which they were added */
    uint32_t *settled_bits; /* the same as a bitmap; 0 before */
    uint64_t *cursor;       /* n: the first edge of a settled vertex that is beyond the limit */
    dense_paths_state *state;
} dense_paths_params;

/* Sets the distances of the vertices within some limit, and no others. pi has the source alone. */
cudaError_t sl_cuda_dense_paths_push(const dense_paths_params *b);

/* Relaxes all edges of the early vertices. */
cudaError_t sl_cuda_dense_paths_push_early(const dense_paths_params *b);

/* Gives every other vertex the least sum over its edges from vertices with a distance, and sets its
 * bit in `changed`, a bitmap that is written as a whole, if that is less than before. */
cudaError_t sl_cuda_dense_paths_pull(const dense_paths_params *b, uint32_t *changed);

#ifdef __cplusplus
}
#endif
#endif
