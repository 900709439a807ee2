/* Products of full vectors between devices in an order that the ranks share (sl_device_vectors). */
#ifndef SEMLA_DIST_ORDERED_PRODUCTS_H
#define SEMLA_DIST_ORDERED_PRODUCTS_H

#include "blocks.h"

/*
 * *sums: this rank's part of a product, a new vector in the local context; on failure NULL. grid->order is not SL_ORDER_NONE.
 *
 * local      the product of this rank's blocks
 * over_rows  it sums over the rows of the matrix
 * from, to   the blocks of the vector, and of the result
 * done       out, the same on every rank: false: there is no such order, and nothing was multiplied
 * status     of this rank so far
 *
 * Collective. A failure may be this rank's alone.
 */
sl_status sl_product_in_order(sl_vector **sums, bool *done, sl_grid *grid, sl_call *local,
                              bool over_rows, const sl_local_blocks *from,
                              const sl_local_blocks *to, sl_status status);

#endif
