/* Products of full vectors between devices in an order that the ranks share (sl_device_vectors). */
#ifndef SEMLA_DIST_ORDERED_PRODUCTS_H
#define SEMLA_DIST_ORDERED_PRODUCTS_H

#include "dist/grid/blocks.h"

typedef struct {
    sl_grid *grid;
    sl_call *local;                   /* the product of this rank's blocks */
    bool over_rows;                   /* it sums over the rows of the matrix */
    const sl_local_blocks *from, *to; /* the blocks of the vector, and of the result */
    bool shared;    /* the ranks share an order; else it is made, if they want one */
    bool symmetric; /* the pattern of the matrix is known to be */
} sl_ordered_product;

/*
 * *sums: this rank's part of the product, a new vector in the local context; on failure NULL.
 * *done is the same on every rank: false: there is no such order, and nothing was multiplied.
 * Collective. A failure may be this rank's alone. status: of this rank so far.
 */
sl_status sl_product_in_order(sl_vector **sums, bool *done, const sl_ordered_product *product,
                              sl_status status);

#endif
