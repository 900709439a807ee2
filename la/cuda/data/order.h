/* Private to the CUDA engine: orders of the vertices of a graph, in which vectors may be. */
#ifndef SEMLA_CUDA_ORDER_H
#define SEMLA_CUDA_ORDER_H

#include <stdatomic.h>

#include "cuda/data/order_kernels.h"
#include "cuda/runtime/device.h"

/* So many moves of a whole vector are made before they are compared with what products examined. */
enum { CUDA_FREE_MOVES = 8 };

/*
 * The order of a reordered graph's vertices: by falling degree. It belongs to that graph and to the vectors that are
 * in this order, so a vector outlives the matrix.
 */
typedef struct cuda_degree_order {
    atomic_uint owners;
    uint32_t n, all; /* vertices with edges, and all, once both arrays are filled */
    uint32_t *old_id, *new_id;
    uint2 *numbered;
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
