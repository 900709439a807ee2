/*
 * w<mask> = t for whole vectors, under the pattern of a mask.
 *
 * Where t is a list, the mask has arrays of its size, and w keeps nothing: each entry of t is kept if the mask allows
 * its index, in O(entries of t) time, where SuiteSparse reads all of the mask. Where t and w have arrays and the mask
 * is a list, its entries alone are written. Where t and the mask have many entries, w, t and the mask are read and
 * written as arrays, on all threads (masked_write.c). SuiteSparse assigns otherwise.
 */
#include <string.h>

#include "openmp/products.h"

enum {
    LEAST_SIZE = 1 << 12,
    LEAST_SHARE = 32 /* of the indices have entries in t */
};

bool sl_openmp_assigns_vector(const sl_call *call)
{
    return !call->out->is_matrix && !call->rows.items && call->mask && !call->accum &&
           (call->flags & SL_STRUCTURE) && call->a->type == call->out->type;
}

/* ---- t is a list ------------------------------------------------------------------------------ */

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

static sl_status assign_list(sl_call *call)
{
    sl_arrays list;
    sl_bitmap mask;
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

/* ---- t has many entries ----------------------------------------------------------------------- */

/* Opens w, t and the mask, each object once: two of them may be the same. */
static sl_status open_all(sl_bitmap *w, sl_bitmap *t, sl_bitmap *mask, const sl_call *call)
{
    sl_status status = sl_openmp_open(w, call->out);
    if (status == SL_OK && call->a != call->out)
        status = sl_openmp_open(t, call->a);
    if (status == SL_OK && call->mask != call->out && call->mask != call->a)
        status = sl_openmp_open(mask, call->mask);
    return status;
}

static sl_status close_open(sl_bitmap *arrays, const sl_object *object, sl_status before)
{
    const sl_status status = arrays->present ? sl_openmp_close(arrays, object) : SL_OK;
    return before == SL_OK ? status : before;
}

/* The entries of the mask, a list. */
static sl_status assign_listed(sl_call *call)
{
    sl_bitmap w = {0}, t = {0};
    uint64_t *indices, count;
    sl_status status = sl_openmp_copy_indices(&indices, &count, call->mask);
    if (status == SL_OK)
        status = sl_openmp_open(&w, call->out);
    if (status == SL_OK && call->a != call->out)
        status = sl_openmp_open(&t, call->a);
    if (status == SL_OK) {
        const sl_bitmap *from = call->a == call->out ? &w : &t;
        const masked_write m = {.w = &w,
                                .present = from->present,
                                .values = from->values,
                                .size = sl_type_size(call->out->type)};
        sl_openmp_write_at(&m, indices, count);
    }
    sl_free(indices);
    status = close_open(&t, call->a, status);
    return close_open(&w, call->out, status);
}

static sl_status assign_arrays(sl_call *call)
{
    sl_bitmap w = {0}, t = {0}, mask = {0};
    sl_status status = open_all(&w, &t, &mask, call);
    if (status == SL_OK) {
        const sl_bitmap *from = call->a == call->out ? &w : &t;
        const sl_bitmap *by = call->mask == call->out ? &w : call->mask == call->a ? from : &mask;
        const masked_write m = {.w = &w,
                                .mask = by->present,
                                .complement = call->flags & SL_COMPLEMENT,
                                .replace = call->flags & SL_REPLACE,
                                .present = from->present,
                                .values = from->values,
                                .size = sl_type_size(call->out->type)};
        sl_openmp_masked_write(&m, sl_openmp_threads_for(call->ctx, w.size));
    }
    status = close_open(&mask, call->mask, status);
    status = close_open(&t, call->a, status);
    return close_open(&w, call->out, status);
}

/* ---- the operation ---------------------------------------------------------------------------- */

sl_status sl_openmp_assign_vector(sl_call *call)
{
    uint64_t entries;
    if (sl_openmp_is_list(call->a)) {
        if (!(call->flags & SL_REPLACE))
            return sl_openmp_hand_over(call, "the input is a list, and the output keeps entries");
        return sl_openmp_is_list(call->mask) ? sl_openmp_hand_over(call, "the mask is a list")
                                             : assign_list(call);
    }
    if (sl_openmp_is_list(call->mask) && !(call->flags & SL_COMPLEMENT))
        return sl_openmp_is_list(call->out) || call->flags & SL_REPLACE
                   ? sl_openmp_hand_over(call, "the mask is a list")
                   : assign_listed(call);
    const uint64_t size = call->out->nrows;
    const sl_status status = sl_openmp_entries(&entries, call->a);
    if (status != SL_OK)
        return status;
    return size >= LEAST_SIZE && entries >= size / LEAST_SHARE
               ? assign_arrays(call)
               : sl_openmp_hand_over(call, "few entries");
}
