/*
 * vxm and mxv by the parts of a search by GPUs in one dimension (dist/search/device_search.h): a product over a pattern
 * is one of its levels. Each rank has all edges into its vertices, so that the vector alone travels. For dist/.
 */
#ifndef SEMLA_DIST_PART_PRODUCTS_H
#define SEMLA_DIST_PART_PRODUCTS_H

#include "dist/grid/blocks.h"

/* One product on a grid. */
typedef struct {
    sl_grid *grid;
    const sl_call *call;
    sl_call local; /* of this rank's blocks of the matrix and the vector, in the local context */
    sl_matrix *matrix;
    bool over_rows; /* it sums over the rows of the matrix */
} sl_part_product;

/* Whether this rank's part was made and does the product. Not collective. */
bool sl_part_multiplies(const sl_part_product *product);
/* *sums: this rank's part of the result, under the mask; NULL on failure, which may be of this rank alone. To be called
 * if sl_part_multiplies is true on all ranks. Collective. */
sl_status sl_multiply_parts(sl_vector **sums, const sl_part_product *product);
/* Makes the parts once there have been so many products that this pays. products: an estimate for the rank that has the
 * most of them, the same on every rank. A lack of memory is no failure. Collective; the ranks agree. */
sl_status sl_prepare_parts(const sl_part_product *product, uint64_t products);

#endif
