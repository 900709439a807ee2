/* Parameters, state and launch function of delta_stepping.cu. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_DELTA_STEPPING_KERNELS_H
#define SEMLA_CUDA_DELTA_STEPPING_KERNELS_H

#include "cuda/paths/relax_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The far pile: vertices with a value beyond the current limit. */
typedef struct {
    unsigned long long count;
    unsigned long long
        best; /* the best value among them, or a better one that left: an inverted key
                 (ordered_key.cuh), so that the best value is the greatest number */
} far_pile;

typedef struct {
    unsigned long long improved[2]; /* lengths of the list `improved`, by turns */
    far_pile far[3]; /* the pile that is read, the one that is filled, and one that is cleared */
} delta_stepping_state;

/* Scratch in device memory. */
typedef struct {
    double delta;       /* width of a bucket, in units of the values */
    uint32_t *improved; /* n: vertices with a new or better value */
    uint32_t *far[2];   /* n each: the far pile, by turns; may have vertices that left it */
    uint32_t *far_bits; /* bitmap of the vertices in the far pile: 0 before and after */
    delta_stepping_state *state; /* 0 before */
    bool by_length, narrow; /* min_plus over rows sorted by length (lengths.h) of 32 or 64 bits */
} delta_stepping_params;

/*
 * Runs a whole closure over min_plus or max_plus from frontier[0], where no product is better than
 * the value that it extends. Without levels, targets, bounds and a log.
 */
cudaError_t sl_cuda_delta_stepping_launch(const relax_params *x, const delta_stepping_params *b);

#ifdef __cplusplus
}
#endif
#endif
