/* The range of an array of values, and of a matrix's values. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_VALUE_RANGE_H
#define SEMLA_CUDA_VALUE_RANGE_H

#include "cuda/data/device_matrix.h"

/* If there are no values, `least` and `greatest` are NaN. With NaN among the values `sum` is NaN. */
typedef struct {
    double least, greatest;
    double sum; /* of the absolute values */
} cuda_value_range;

/* Of n values of a built-in type; with `bits`, of those whose bit is set. One pass, and a wait. */
sl_status sl_cuda_find_range(sl_context *ctx, cuda_value_range *range, const uint32_t *bits,
                             const void *values, sl_type type, uint64_t n);
/* Of the values of M, which are of this type; kept with M. */
sl_status sl_cuda_range_of_matrix(sl_context *ctx, cuda_value_range *range, cuda_matrix *M,
                                  sl_type type);

#endif
