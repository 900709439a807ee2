/* Orders by falling degree: how they are made, and the orders that are kept with a matrix, once for everything that is
 * derived from it. Private to the CUDA engine. */
#ifndef SEMLA_CUDA_DEGREE_ORDER_H
#define SEMLA_CUDA_DEGREE_ORDER_H

#include "cuda/data/device_matrix.h"
#include "cuda/data/order.h"

/*
 * *made: the numbers 0 to n - 1 by falling degree, numbers of equal degree ascending. It has one owner, and no new_id.
 *
 * degree, sorted  device, n; sorted, the degrees in the order, is an output and may be NULL
 * Errors: SL_NO_MEMORY, SL_ENGINE_FAULT; then *made is NULL.
 * Waits for the device. O(n).
 */
sl_status sl_cuda_order_by_degree(cuda_degree_order **made, sl_context *ctx, const uint32_t *degree,
                                  uint32_t n, uint32_t *sorted);
/* Sets new_id unless it is there. */
sl_status sl_cuda_add_new_ids(sl_context *ctx, cuda_degree_order *order);
/* Sets `numbered`, unless it is there, of an order that has new_id: then vectors can be brought into it. O(n). */
sl_status sl_cuda_number_order(sl_context *ctx, cuda_degree_order *order);
/* start[k]: the entries of the first k rows in the order, k <= rows. from_start: where the matrix's own rows begin. */
sl_status sl_cuda_start_rows(sl_context *ctx, uint64_t *start, const cuda_degree_order *order,
                             const uint64_t *from_start, uint32_t rows);

/* degree: device, n: the entries of each of A's n rows, or columns. */
sl_status sl_cuda_find_degrees(sl_context *ctx, uint32_t *degree, const cuda_matrix *A, uint64_t n,
                               bool of_columns);

/* The order of A's n rows, or of its n columns, made at first use and kept with A until that changes. The caller
 * becomes another owner. If the pattern is symmetric, ask for that of the rows. */
sl_status sl_cuda_find_order(cuda_degree_order **order, sl_context *ctx, cuda_matrix *A, uint64_t n,
                             bool of_columns);
/* Keeps with A the order of its rows, which a matrix of the same rows has. */
sl_status sl_cuda_keep_row_order(sl_context *ctx, cuda_matrix *A, cuda_degree_order *order);
/* One order of the vertices that a process of a grid owns for searches, sums and products, if the pattern of the whole
 * matrix is symmetric: *order becomes the one that is kept with the process's block, which keeps *order if it has none.
 * Both are equal: the vertices by falling degree. The caller owns *order before and afterwards, also on failure. */
sl_status sl_cuda_share_own_order(sl_context *ctx, cuda_matrix *block, cuda_degree_order **order);
/* Drops the orders of which A is the only owner. */
void sl_cuda_drop_unused_orders(cuda_matrix *A);

#endif
