/*
 * Orders of the rows and of the columns of a matrix, for sums of a full vector over tiles (sum_tiles.h):
 * rows by falling length, columns by falling number of entries. A matrix that has a reordered graph needs
 * none. Private to the CUDA engine.
 */
#ifndef SEMLA_CUDA_SUM_ORDER_H
#define SEMLA_CUDA_SUM_ORDER_H

#include "cuda/data/device_matrix.h"
#include "cuda/data/order.h"
#include "cuda/operations/vector_result.h"
#include "cuda/products/neighbour_sums.h"

/* Kept with a matrix. Owns the arrays to which `rows` refers. */
typedef struct cuda_sum_order {
    cuda_sum_rows rows;           /* start and index are NULL: tiles and slots have all columns */
    cuda_degree_order *row_order; /* of the matrix's rows, co-owned */
    cuda_degree_order *column_order; /* of the columns; NULL: column_id is there */
    uint32_t
        *column_id; /* the columns in the order that sl_cuda_make_sum_order was given; or NULL */
    uint32_t *present, *slot[ELL_SLOTS];
    void *slot_value[ELL_SLOTS]; /* NULL: the values of the entries are not there, or all are 1 */
    sl_type type;                /* of the values, if rows.value_size > 0 */
    cuda_row_classes *classes;
    struct cuda_sum_tiles *tiles; /* with slices */
    uint64_t bytes;               /* that the arrays above take, without the orders and the tiles */
    uint32_t
        *row_place; /* by row: its number among the rows with entries (grid_vectors/); or NULL */
    /* Of a block of a grid: the order of the vertices that the process owns, co-owned (grid_vectors/); or NULL. */
    cuda_degree_order *own_order;
    cuda_derived *derived; /* from this order, by other folders */
} cuda_sum_order;

/* What is summed: the rows of a matrix whose entries are on the device. */
typedef struct {
    uint64_t rows, columns;
    const sl_object
        *matrix; /* whose rows, or rows of whose transpose, they are; NULL: of a block of a grid */
    bool valued; /* products with the values, in this type */
    sl_type type;
    sl_type stored; /* of the values in the matrix */
} cuda_summed_rows;

/* The order of M, or NULL. */
cuda_sum_order *sl_cuda_kept_sum_order(const cuda_matrix *M);
/* The order of the process's vectors, if they are to be brought into it; else NULL. */
static inline cuda_degree_order *cuda_wanted_own_order(const cuda_sum_order *order)
{
    return order->own_order && cuda_order_pays(order->own_order) ? order->own_order : NULL;
}
/* Whether an order has what such sums read: the values of the entries in their type, or the pattern alone. */
static inline bool cuda_order_serves(const cuda_sum_order *order, const cuda_summed_rows *what)
{
    return order && (!what->valued || (order->rows.value_size && order->type == what->type));
}

/*
 * *order: the order of M, or NULL. It is made for the second call, if M is large enough, tiles pay, and there is
 * memory for it: the entries are sorted, REORDER_SEGMENT at a time, with 4 bytes of scratch for each entry and 24 for
 * each of a segment, and then the tiles are made. With the word `tiles` of SEMLA_TRAVERSAL it is made for the first
 * call, whatever the size; with `notiles` never.
 *
 * what->valued  the sums are of products with the values of M. An order without them is replaced by one that has
 *               them. It takes more scratch: 8 bytes for each entry of a segment, and a value for each entry; another
 *               one for each entry of a segment if they are stored in another type
 * Errors: SL_NO_MEMORY, SL_ENGINE_FAULT, SL_INVALID (SEMLA_TRAVERSAL). Waits for the device.
 *
 * sl_cuda_wants_sum_order: *wanted: whether the next call would make the order.
 * sl_cuda_make_sum_order: makes it, in place of the one that M has; M has none afterwards if tiles
 * do not pay. column_id: `count` columns in their order, all that have entries in M and maybe
 * others, which belong to the order afterwards, also on failure; or NULL.
 * An order that processes share is not replaced by sl_cuda_find_sum_order: the others would have to know.
 */
sl_status sl_cuda_find_sum_order(sl_call *call, const cuda_sum_order **order, cuda_matrix *M,
                                 const cuda_summed_rows *what);
sl_status sl_cuda_wants_sum_order(sl_context *ctx, bool *wanted, const cuda_matrix *M,
                                  const cuda_summed_rows *what);
sl_status sl_cuda_make_sum_order(sl_call *call, cuda_matrix *M, const cuda_summed_rows *what,
                                 uint32_t *column_id, uint64_t count);

#endif
