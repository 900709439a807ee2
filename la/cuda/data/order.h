/* Private to the CUDA engine: orders of the vertices of a graph, in which vectors may be. */
#ifndef SEMLA_CUDA_ORDER_H
#define SEMLA_CUDA_ORDER_H

#include <stdatomic.h>

#include "cuda/data/order_kernels.h"
#include "cuda/runtime/device.h"

/*
 * The order of a reordered graph's vertices: by falling degree. It belongs to that graph and to the vectors that are
 * in this order, so a vector outlives the matrix.
 */
typedef struct cuda_degree_order {
    atomic_uint owners;
    uint32_t n, all; /* vertices with edges, and all, once both arrays are filled */
    uint32_t *old_id, *new_id;
    uint2 *numbered;
} cuda_degree_order;

/* An order without arrays, with one owner. */
sl_status sl_cuda_new_order(sl_context *ctx, cuda_degree_order **made);
/* One more owner; NULL stays NULL. */
cuda_degree_order *sl_cuda_own_order(cuda_degree_order *order);
/* Drops one owner, and frees the order with its last one. NULL is allowed. */
void sl_cuda_drop_order(cuda_degree_order *order);

static inline cuda_order_view cuda_view_of_order(const cuda_degree_order *order)
{
    return (cuda_order_view){order->n, order->all, order->old_id, order->new_id, order->numbered};
}

#endif
