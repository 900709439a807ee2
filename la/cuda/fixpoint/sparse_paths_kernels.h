/* Parameters, state and launch function of sparse_paths.cu. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_SPARSE_PATHS_KERNELS_H
#define SEMLA_CUDA_SPARSE_PATHS_KERNELS_H

#include "delta_stepping_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Counters in device memory; all 0 before. */
typedef struct {
    unsigned long long near[3]; /* vertices of the frontier read, of the next, and of one cleared */
    far_pile far[3];            /* the pile read, the next, and one that is cleared */
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

/* Computes pi. */
cudaError_t sl_cuda_sparse_paths(const sparse_paths_params *b, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
