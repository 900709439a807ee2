/*
 * The order of the vertices that a process of a grid owns, which its columns and its rows are if the pattern is
 * symmetric; and where the rows of a block are if those of each process are in its own order.
 */
#include "cuda/grid_vectors/shared_order.h"
#include "cuda/grid_vectors/vector_parcel_kernels.h"
#include "cuda/reorder/degree_order.h"

sl_status sl_cuda_find_own_order(cuda_sum_order *order, cuda_degree_order **of_columns,
                                 bool has_rows, const cuda_summed *of, sl_context *ctx)
{
    cuda_degree_order **made = has_rows      ? &order->row_order
                               : *of_columns ? of_columns
                                             : &order->column_order;
    CUDA_TRY(sl_cuda_share_own_order(ctx, of->A, made));
    order->own_order = sl_cuda_own_order(*made);
    order->rows.row_id = order->row_order->old_id;
    if (order->column_order)
        order->rows.column_id = order->column_order->old_id;
    sl_cuda_drop_unused_orders(of->M);
    CUDA_TRY(sl_cuda_add_new_ids(ctx, order->own_order));
    return sl_cuda_number_order(ctx, order->own_order);
}

/* begin[m]: the first row of process m's block. */
static uint64_t *begins_of(const cuda_line_exchange *e)
{
    uint64_t *begin = sl_malloc((e->members + 1) * sizeof *begin);
    for (uint32_t m = 0; begin && m <= e->members; m++)
        begin[m] = sl_local_blocks_begin(e->x->blocks, m);
    return begin;
}

/* (*place)[r]: the place of row r in the own order, for the rows of this process. */
static sl_status place_own(uint32_t **place, const cuda_line_exchange *e, cuda_scratch *s,
                           const cuda_sum_order *order)
{
    const cuda_order_view own = cuda_view_of_order(order->own_order);
    CUDA_TRY(sl_cuda_scratch_take(s, place, order->rows.all_rows * sizeof **place));
    return cuda_launched(s, "kernel places_of",
                         sl_cuda_places_of(*place + e->first, NULL, &own, e->length));
}

/* Adds the first row of each process's block to the places of its rows. */
static sl_status shift_places(uint32_t *place, const cuda_line_exchange *e, const uint64_t *begin)
{
    for (uint32_t m = 0; m < e->members; m++)
        CUDA_TRY(
            sl_cuda_status(e->x->ctx, "kernel shift_indices",
                           sl_cuda_shift_indices(place + begin[m], place + begin[m],
                                                 (uint32_t)begin[m], begin[m + 1] - begin[m])));
    return SL_OK;
}

sl_status sl_cuda_share_places(uint32_t **place, const cuda_sum_order *order,
                               const sl_vector_exchange *x, cuda_scratch *s, sl_status status)
{
    cuda_line_exchange e = cuda_line_exchange_of(x);
    uint64_t *begin = begins_of(&e);
    if (status == SL_OK)
        status = begin ? place_own(place, &e, s, order) : cuda_no_host_memory(x->ctx);
    status = cuda_grid_agree(x->grid, status);
    if (status == SL_OK)
        status =
            sl_cuda_grid_gather(&e.links, x->grid, x->ctx, x->line, *place, sizeof **place, begin);
    if (status == SL_OK)
        status = shift_places(*place, &e, begin);
    sl_free(begin);
    return status;
}
