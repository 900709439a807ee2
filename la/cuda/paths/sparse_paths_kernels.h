/* Parameters, state and launch functions of sparse_paths.cu. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_SPARSE_PATHS_KERNELS_H
#define SEMLA_CUDA_SPARSE_PATHS_KERNELS_H

#include "cuda/paths/relax_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* State in device memory, from launch to launch; all 0 before. */
typedef struct {
    unsigned long long near[3]; /* lengths of the list that is read, of the next, and of one cleared
                                 */
    unsigned long long far[3];  /* the same of the far lists */
    unsigned long long limit;   /* the limit, in the type of the sums */
    unsigned long long best;    /* of the far vertices: see sparse_report */
    unsigned pass, pile;        /* numbers of iterations and of far lists */
    unsigned done;              /* the distances are final */
    unsigned long long reports[2][3][SPARSE_BLOCKS]; /* of blocks, in even and odd iterations */
} sparse_paths_state;

/* Shortest paths over rows sorted by length, all of them short. Pointers are to device memory. */
typedef struct {
    relax_params x; /* p.bits, p.t_values: pi, which has the source alone; p.start, p.index,
                               p.values: the rows */
    bool narrow;    /* lengths of 32 bits */
    uint64_t source;
    double delta;           /* the width of a bucket */
    uint32_t *near[2];      /* n each: the frontiers, by turns */
    uint32_t *far[2];       /* n each: vertices beyond the limit, by turns; some are out of date */
    uint32_t *near_bits[2]; /* bitmaps of the frontiers; 0 before */
    uint32_t *far_bits;     /* bitmap of the far list; 0 before */
    sparse_paths_state *state;
} sparse_paths_params;

/* Sets the values and the state before the first launch. */
cudaError_t sl_cuda_sparse_paths_begin(const sparse_paths_params *b);

/* Computes distances, until they are final (state->done) or the frontier has grown and shrunk. */
cudaError_t sl_cuda_sparse_paths(const sparse_paths_params *b);

/* Sets pi's bitmap. */
cudaError_t sl_cuda_sparse_paths_end(const sparse_paths_params *b);

#ifdef __cplusplus
}
#endif
#endif
