/* Sums over tiles of products with a vector that lacks entries. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_MISSING_ENTRIES_H
#define SEMLA_CUDA_MISSING_ENTRIES_H

#include "cuda/products/matrix_vector.h"
#include "cuda/products/neighbour_sums.h"

/* Whether the vector has so many entries that tiles pay. With few entries the search for the rows that have a result
 * takes longer than the product by rows. */
bool sl_cuda_has_many_entries(const sl_object *vector);
/* *yes: whether the products of M's values with what stands for a missing entry (summing.cuh) add nothing, as far as
 * these values tell. They are of the type `stored`, and their range is kept with M. */
sl_status sl_cuda_lets_entries_be_missing(bool *yes, sl_context *ctx, const cuda_product *p,
                                          cuda_matrix *M, sl_type stored);
/* What a vector that lacks entries allows. */
typedef struct {
    bool fits;  /* products with a missing entry add nothing; if not, a value is far from 0 */
    bool tells; /* the sums tell which rows have entries (sl_cuda_keep_sums) */
} cuda_partial_vector;

/* With sums->u_bits, before sl_cuda_neighbour_sums: brings the vector into the order of the columns. Waits where the
 * answer depends on the vector's values. M: as above. */
sl_status sl_cuda_order_partial_vector(cuda_partial_vector *u, cuda_scratch *s,
                                       cuda_neighbour_sums *sums, const cuda_product *p,
                                       cuda_matrix *M, sl_type stored);

#endif
