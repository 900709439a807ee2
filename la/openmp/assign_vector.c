/*
 * w<mask> = t for whole vectors, where w keeps nothing and the mask is a pattern: t is a list of
 * entries, the mask arrays of its size. Each entry of t is kept if the mask allows its index:
 * O(entries of t) time, where SuiteSparse reads all of the mask.
 */
#include <string.h>

#include "openmp/products.h"

bool sl_openmp_assigns_vector(const sl_call *call)
{
    const unsigned needs = SL_REPLACE | SL_STRUCTURE;
    return !call->out->is_matrix && !call->rows && call->mask && !call->accum &&
           (call->flags & needs) == needs && call->a->type == call->out->type;
}

/* Why SuiteSparse assigns, or NULL. */
static const char *examine(const sl_call *call)
{
    const sl_object *const t = call->a, *const mask = call->mask;
    if (!sl_store_host.is_list(t, sl_handle(t, &sl_store_host)))
        return "the input is not a list";
    return sl_store_host.is_list(mask, sl_handle(mask, &sl_store_host)) ? "the mask is a list"
                                                                        : NULL;
}

/* Removes the entries that the mask does not allow. */
static void filter(sl_arrays *list, const int8_t *mask, bool complement, size_t size)
{
    char *values = list->iso ? NULL : list->values;
    uint64_t kept = 0;
    for (uint64_t k = 0; k < list->nvals; k++) {
        list->rows[kept] = list->rows[k];
        if (values)
            memmove(values + kept * size, values + k * size, size);
        kept += (mask[list->rows[k]] != 0) != complement;
    }
    list->nvals = kept;
}

sl_status sl_openmp_assign_vector(sl_call *call)
{
    const char *reason = examine(call);
    sl_arrays list;
    sl_bitmap mask;
    if (reason)
        return sl_openmp_hand_over(call, reason);
    sl_status status = sl_openmp_copy_list(&list, call->a);
    if (status == SL_OK)
        status = sl_openmp_open(&mask, call->mask);
    if (status == SL_OK) {
        filter(&list, mask.present, call->flags & SL_COMPLEMENT, sl_type_size(list.type));
        status = sl_openmp_close(&mask, call->mask);
    }
    if (status == SL_OK)
        status = sl_openmp_take_list(call->out, &list);
    sl_arrays_free(&list);
    return status;
}
