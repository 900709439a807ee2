/* Private to the CUDA engine: orders of the rows or of the columns of a matrix, in which vectors may be. */
#ifndef SEMLA_CUDA_ORDER_H
#define SEMLA_CUDA_ORDER_H

#include <stdatomic.h>

#include "cuda/data/order_kernels.h"
#include "cuda/runtime/device.h"

/* So many moves of a whole vector are made before they are compared with what products examined. */
enum { CUDA_FREE_MOVES = 8 };

/*
 * The rows of a matrix, or its columns, by falling degree: the number of their entries. Rows of equal degree keep the
 * caller's order. If the pattern is symmetric, the order of the rows is that of the columns, too. It belongs to the
 * matrix, to all data derived from the matrix in this order, and to the vectors that are in it, so a vector outlives
 * the matrix. Made by reorder/degree_order.c.
 */
typedef struct cuda_degree_order {
    atomic_uint owners;
    uint32_t n, all;  /* rows with entries, and all */
    uint32_t *old_id; /* [all] the row at each place */
    uint32_t *new_id; /* [all] the place of each row; CUDA_NO_VERTEX: it has no entries. Or NULL */
    uint2 *numbered;  /* see cuda_order_view; or NULL */
    uint32_t count_above[ELL_SLOTS + 2]; /* see sl_cuda_count_degrees */
    /* Vertices whose entries were moved into the order or out of it, and vertices and edges that products in it
     * examined. */
    atomic_uint_fast64_t moved, examined;
} cuda_degree_order;

/* An order without arrays, with one owner. */
sl_status sl_cuda_new_order(sl_context *ctx, cuda_degree_order **made);
/* One more owner; NULL stays NULL. */
cuda_degree_order *sl_cuda_own_order(cuda_degree_order *order);
/* Drops one owner, and frees the order with its last one. NULL is allowed. */
void sl_cuda_drop_order(cuda_degree_order *order);
/* The device bytes of its arrays. */
uint64_t sl_cuda_order_bytes(const cuda_degree_order *order);

/* Whether products in this order have saved more than its moves cost, as far as can be told: a loop in which other
 * operations want the caller's order again and again leaves it. */
static inline bool cuda_order_pays(const cuda_degree_order *order)
{
    return atomic_load(&order->moved) <=
           CUDA_FREE_MOVES * (uint64_t)order->all + atomic_load(&order->examined);
}

static inline cuda_order_view cuda_view_of_order(const cuda_degree_order *order)
{
    return (cuda_order_view){order->n, order->all, order->old_id, order->new_id, order->numbered};
}

#endif
