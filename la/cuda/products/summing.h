/* What is added up in sums over rows, and how. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_SUMMING_H
#define SEMLA_CUDA_SUMMING_H

#include <semla/semirings.h>

/* What is summed: values of the vector, or their products with the values of the entries: usual ones are by times for
 * PLUS, and by plus for MIN and MAX; other ones, for MIN and MAX alone, by times, min or max. */
typedef enum { SUM_VALUES, SUM_USUAL_PRODUCTS, SUM_OTHER_PRODUCTS } cuda_summed_terms;
typedef struct {
    sl_type type; /* of 4 or 8 bytes, and not of the user */
    int add;      /* SL_BINARY_PLUS, SL_BINARY_MIN or SL_BINARY_MAX */
    cuda_summed_terms multiplies;
    int multiply; /* the operator, if it does */
} cuda_sum_operators;

#endif
