/*
 * w<mask> = scalar at all indices of a vector, under the pattern of a mask: how searches write
 * levels. The vectors are read and written as bitmaps, in O(size) time; if the mask
 * is a list and the other entries remain, its entries alone are written. SuiteSparse assigns where both
 * vectors have few entries.
 */
#include <string.h>

#include "openmp/products.h"

enum {
    LEAST_SIZE = 1 << 12,
    LEAST_SHARE = 32 /* of the indices have entries, in w or in the mask */
};

bool sl_openmp_assigns_scalar(const sl_call *call)
{
    return !call->out->is_matrix && !call->rows.items && call->mask && !call->accum &&
           (call->flags & SL_STRUCTURE);
}

/* Whether the vectors have entries enough. */
static sl_status examine(bool *dense, const sl_call *call)
{
    uint64_t entries, more = 0;
    sl_status status = sl_openmp_entries(&entries, call->out);
    if (status == SL_OK)
        status = sl_openmp_entries(&more, call->mask);
    const uint64_t size = call->out->nrows;
    *dense = status == SL_OK && size >= LEAST_SIZE &&
             (entries >= size / LEAST_SHARE || more >= size / LEAST_SHARE);
    return status;
}

/* ---- the mask is a list: its entries alone are written ---------------------------------------- */

/* Whether the entries of w change only where the mask, a list, has some. */
static bool is_listed(const sl_call *call)
{
    return !(call->flags & (SL_COMPLEMENT | SL_REPLACE)) && call->mask != call->out &&
           sl_openmp_is_list(call->mask);
}

static sl_status assign_listed(sl_call *call)
{
    const sl_scalar value = sl_scalar_cast(call->scalar, call->out->type);
    uint64_t *indices, count;
    sl_bitmap w;
    sl_status status = sl_openmp_copy_indices(&indices, &count, call->mask);
    if (status == SL_OK)
        status = sl_openmp_open(&w, call->out);
    if (status == SL_OK) {
        const masked_write m = {
            .w = &w, .scalar = true, .values = &value.as, .size = sl_type_size(call->out->type)};
        sl_openmp_write_at(&m, indices, count);
        status = sl_openmp_close(&w, call->out);
    }
    sl_free(indices);
    return status;
}

/* ---- the operation ---------------------------------------------------------------------------- */

sl_status sl_openmp_assign_scalar(sl_call *call)
{
    const bool own = call->mask == call->out; /* w is its own mask */
    sl_bitmap w, mask;
    bool dense;
    sl_status status = examine(&dense, call);
    if (status == SL_OK && !dense)
        return sl_openmp_hand_over(call, "few entries");
    if (status == SL_OK && is_listed(call))
        return assign_listed(call);
    if (status == SL_OK)
        status = sl_openmp_open(&w, call->out);
    if (status != SL_OK)
        return status;
    if (!own)
        status = sl_openmp_open(&mask, call->mask);
    if (status == SL_OK) {
        const sl_scalar value = sl_scalar_cast(call->scalar, call->out->type);
        const masked_write m = {.w = &w,
                                .mask = own ? w.present : mask.present,
                                .complement = call->flags & SL_COMPLEMENT,
                                .replace = call->flags & SL_REPLACE,
                                .scalar = true,
                                .values = &value.as,
                                .size = sl_type_size(call->out->type)};
        sl_openmp_masked_write(&m, sl_openmp_threads_for(call->ctx, w.size));
        if (!own)
            status = sl_openmp_close(&mask, call->mask);
    }
    const sl_status closed = sl_openmp_close(&w, call->out);
    return status == SL_OK ? closed : status;
}
