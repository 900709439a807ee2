/* The memory of orders. */
#include "cuda/data/order.h"

sl_status sl_cuda_new_order(sl_context *ctx, cuda_degree_order **made)
{
    *made = sl_calloc(1, sizeof **made);
    if (!*made)
        return cuda_no_host_memory(ctx);
    atomic_init(&(*made)->owners, 1);
    return SL_OK;
}

cuda_degree_order *sl_cuda_own_order(cuda_degree_order *order)
{
    if (order)
        atomic_fetch_add(&order->owners, 1);
    return order;
}

void sl_cuda_drop_order(cuda_degree_order *order)
{
    if (!order || atomic_fetch_sub(&order->owners, 1) > 1)
        return;
    sl_cuda_free(order->old_id);
    sl_cuda_free(order->new_id);
    sl_cuda_free(order->numbered);
    sl_free(order);
}

uint64_t sl_cuda_order_bytes(const cuda_degree_order *order)
{
    const uint64_t arrays = 1 + (order->new_id != NULL);
    return arrays * order->all * sizeof *order->old_id +
           (order->numbered ? cuda_words(order->all) * sizeof *order->numbered : 0);
}
