/* Delta-stepping for closures over min_plus and max_plus. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_DELTA_STEPPING_H
#define SEMLA_CUDA_DELTA_STEPPING_H

#include "cuda/paths/lengths.h"
#include "cuda/paths/relaxation.h"

/*
 * *applies: whether the closure can be computed by delta-stepping: min_plus over values that are
 * not negative, or max_plus over values that are not positive, in a type that holds all sums.
 * *delta: the width of a bucket, proportional to the mean weight over a power of the mean degree
 * (Davidson et al. 2014). The range of the matrix's values is computed at first use and kept with
 * the matrix.
 */
sl_status sl_cuda_delta_stepping_applies(cuda_relaxation *r, bool *applies, double *delta);
/* Runs the closure from the first frontier. lengths: the rows that r reads if they are sorted by
 * length, or NULL. */
sl_status sl_cuda_delta_stepping(cuda_relaxation *r, double delta, const cuda_lengths *lengths);

#endif
