/* Vectors brought into an order of vertices, and out of it. */
#include "cuda/data/device_vector.h"

/* Copies the entries of v, whose values are in its arrays, to the arrays `to`. order: the order to copy to, or NULL. */
static sl_status move(const sl_object *object, const cuda_vector *v, const cuda_degree_order *order,
                      const cuda_bitmap *to)
{
    const cuda_order_view view = cuda_view_of_order(order ? order : v->order);
    const cuda_order_arrays arrays = {to->bits, to->values}, from = {v->bits, v->values};
    const size_t size = sl_type_size(object->type);
    if (cuda_is_list(v))
        return sl_cuda_scatter_entries(object, v, &view, to);
    if (order && to->bits)
        CUDA_TRY(sl_cuda_zero(object->ctx, to->bits, cuda_words(object->nrows) * sizeof *to->bits));
    return order ? sl_cuda_status(object->ctx, "kernel into_order",
                                  sl_cuda_into_order(arrays, from, &view, size))
                 : sl_cuda_status(object->ctx, "kernel out_of_order",
                                  sl_cuda_out_of_order(arrays, from, &view, size));
}

/* Replaces the arrays of v by copies in that order; v is in the caller's order, or `order` is NULL. */
static sl_status change_order(const sl_object *object, cuda_vector *v, cuda_degree_order *order)
{
    const size_t bytes = object->nrows * sl_type_size(object->type);
    const bool full = v->full;
    const uint64_t nvals = v->nvals;
    cuda_bitmap made = {NULL, NULL};
    sl_status status =
        full ? sl_cuda_alloc(object->ctx, &made.values, bytes)
             : sl_cuda_new_bitmap(object->ctx, &made, object->nrows, sl_type_size(object->type));
    if (status == SL_OK)
        status = move(object, v, order, &made);
    if (!cuda_is_list(v))
        atomic_fetch_add(&(order ? order : v->order)->moved, object->nrows);
    if (status != SL_OK) {
        sl_cuda_free_bitmap(&made);
        return status;
    }
    sl_cuda_become_bitmap(v, made, nvals);
    v->full = full;
    sl_cuda_set_order(v, order);
    return SL_OK;
}

/* True if the order of v does not matter: all entries are present with one value, or there is no entry. */
static bool has_no_order(const cuda_vector *v)
{
    return (v->full && v->same) || v->nvals == 0;
}

sl_status sl_cuda_bring_into_order(const sl_object *object, cuda_vector *v,
                                   cuda_degree_order *order)
{
    if (v->in_order || v->order == order || (cuda_is_list(v) && (!order || v->nvals == 0)))
        return SL_OK;
    CUDA_TRY(sl_cuda_finish_writes(object->ctx, v));
    if (has_no_order(v)) {
        sl_cuda_drop_frontier_list(v);
        sl_cuda_free(v->found);
        v->found = NULL;
        sl_cuda_set_order(v, order);
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_write_values(object, v));
    if (v->order)
        CUDA_TRY(change_order(object, v, NULL));
    return order ? change_order(object, v, order) : SL_OK;
}
