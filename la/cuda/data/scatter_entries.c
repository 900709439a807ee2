/* The entries of lists, written to bitmaps in any order. */
#include "cuda/data/device_vector.h"

/* Writes the entries of a list on the device to a bitmap without entries. */
static sl_status scatter_list(cuda_arena *arena, const sl_object *object, const cuda_vector *v,
                              const cuda_order_view *order, const cuda_bitmap *to)
{
    sl_context *ctx = object->ctx;
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), object->type);
    uint32_t *place = v->list->index;
    if (order->new_id) {
        CUDA_TRY(sl_cuda_arena_take(ctx, arena, &place, v->nvals * sizeof *place));
        CUDA_TRY(sl_cuda_status(ctx, "kernel places_of",
                                sl_cuda_places_of(place, v->list->index, order, v->nvals)));
    }
    return sl_cuda_status(ctx, "kernel scatter",
                          sl_cuda_scatter(to->bits, to->values, place, v->list->values, &one.as,
                                          v->nvals, sl_type_size(object->type)));
}

sl_status sl_cuda_scatter_entries(const sl_object *object, const cuda_vector *v,
                                  const cuda_order_view *order, const cuda_bitmap *to)
{
    const uint64_t words = cuda_words(object->nrows);
    cuda_arena arena = {0};
    if (cuda_is_host_list(v))
        return sl_cuda_status(object->ctx, "kernel scatter_host_list",
                              sl_cuda_scatter_host_list(to->bits, words, to->values, &v->host_list,
                                                        v->nvals, sl_type_size(object->type),
                                                        order));
    CUDA_TRY(sl_cuda_zero(object->ctx, to->bits, words * sizeof *to->bits));
    const sl_status status = v->nvals ? scatter_list(&arena, object, v, order, to) : SL_OK;
    sl_cuda_arena_release(&arena);
    return status;
}
