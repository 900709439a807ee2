/*
 * What the processes of a grid know of the orders (products/sum_order.h) of each other's blocks of
 * a matrix. Private to the CUDA engine.
 *
 * Columns: the processes among which the vector is divided have the same order of columns, in which
 * the columns of the first process's block come first, then the second's, ... So a vector in
 * that order consists of one message of each process.
 *
 * Rows: each process knows which of its rows have entries in the block of each process that adds to
 * the sums of those rows. The sums of a block's rows with entries, by ascending row, consist of one
 * message to each process, without indices.
 *
 * Own order: if the pattern of the whole matrix is symmetric, a process's columns and its rows are the same vertices.
 * Then its vectors may be in the order of its columns (data/order.h), and its rows ascend by their places in that
 * order.
 */
#ifndef SEMLA_CUDA_SHARED_ORDER_H
#define SEMLA_CUDA_SHARED_ORDER_H

#include <semla/engine.h>

#include "cuda/grid_vectors/line_exchange.h"
#include "cuda/products/reordered_products.h"
#include "cuda/products/sum_order.h"

/* Owns its arrays, in host memory if not said otherwise. */
typedef struct cuda_shared_order {
    uint64_t *
        column_begin; /* where the columns of each process begin, then their end; NULL: the vector has one process */

    /* All NULL or 0 if the sums have one process. */
    uint32_t sum_processes;
    uint64_t *row_begin; /* where the rows with entries of each process begin, then their end */
    uint64_t longest;    /* the most rows in one message, on all processes */
    /* For each process: the bitmap of this process's rows that have entries there, and the
     * inclusive sums of the bits in its words; one bitmap after the other, of `words` words
     * each. */
    uint64_t words;
    uint32_t *bits;   /* device */
    uint64_t *ends;   /* device */
    uint32_t *any;    /* device: the bitmap of the rows that have entries in one of the blocks */
    uint64_t entries; /* its bits */
    uint64_t bytes;   /* size of the device arrays and the order's row_place */
} cuda_shared_order;

extern const cuda_derived_kind sl_cuda_shared_kind;

/* What is shared of an order, or NULL. */
static inline cuda_shared_order *cuda_shared_of(const cuda_sum_order *order)
{
    return cuda_find_derived(order->derived, &sl_cuda_shared_kind);
}

/* The functions of sl_device_vectors. */
sl_order_state sl_cuda_order_state(const sl_call *product);
sl_status sl_cuda_share_order(bool *shared, const sl_vector_exchange *values,
                              const sl_vector_exchange *sums, bool symmetric, sl_call *product,
                              sl_status status);

/* Columns in the order that processes share, and the order of this process's columns; both NULL on failure. */
typedef struct {
    uint32_t *column_id; /* device; for sl_cuda_make_sum_order */
    cuda_degree_order *own;
} cuda_shared_columns;

/* Steps of sl_cuda_share_order. *made, and shared->column_begin. M has `columns` columns. Collective over all
 * processes. */
sl_status sl_cuda_share_columns(cuda_shared_columns *made, cuda_shared_order *shared,
                                const sl_vector_exchange *x, cuda_scratch *s, const cuda_matrix *M,
                                uint64_t columns, sl_status status);
/* Sets order->own_order: the order of this process's columns (*of_columns; NULL: M has all their entries), or of its
 * rows, if has_rows: M has all entries of these. Where the process's block keeps an equal order already, that takes its
 * place. Not collective. */
sl_status sl_cuda_find_own_order(cuda_sum_order *order, cuda_degree_order **of_columns,
                                 bool has_rows, const cuda_summed *of, sl_context *ctx);
/* *place, in scratch: where each of M's rows is if the rows of each process are in its own order. Collective over all
 * processes; they agree on the failure of another. */
sl_status sl_cuda_share_places(uint32_t **place, const cuda_sum_order *order,
                               const sl_vector_exchange *x, cuda_scratch *s, sl_status status);
/* The members of *shared on rows, and order->row_place. The rows ascend by their places in the own orders, if there are
 * such; else as the caller's. Collective over all processes. */
sl_status sl_cuda_share_rows(cuda_shared_order *shared, const sl_vector_exchange *x,
                             cuda_scratch *s, cuda_sum_order *order, sl_status status);

#endif
