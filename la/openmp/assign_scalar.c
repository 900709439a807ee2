/*
 * w<mask> = scalar at all indices of a vector, under the pattern of a mask: how searches write
 * levels. The vectors are read and written as bitmaps, in O(size) time without branches;
 * SuiteSparse assigns where both have few entries.
 */
#include <string.h>

#include "products.h"

enum {
    LEAST_SIZE = 1 << 12,
    LEAST_SHARE = 32 /* of the indices have entries, in w or in the mask */
};

bool sl_openmp_assigns_scalar(const sl_call *call)
{
    return !call->out->is_matrix && !call->rows && call->mask && !call->accum &&
           (call->flags & SL_STRUCTURE);
}

/* Writes the scalar, as a value of type T, where `allowed` is 1. */
#define WRITE(T)                                                                                   \
    do {                                                                                           \
        T *values = w->values, one;                                                                \
        memcpy(&one, value, sizeof one);                                                           \
        for (uint64_t k = 0; k < size; k++)                                                        \
            values[k] = (mask[k] ^ flip) ? one : values[k];                                        \
    } while (0)

static void write_values(sl_bitmap *w, const int8_t *mask, int8_t flip, size_t bytes,
                         const void *value)
{
    const uint64_t size = w->size;
    if (bytes == 1)
        WRITE(uint8_t);
    else if (bytes == 2)
        WRITE(uint16_t);
    else if (bytes == 4)
        WRITE(uint32_t);
    else
        WRITE(uint64_t);
}

/* The entries of w: those that the mask allows, and, without SL_REPLACE, those it had. */
static void write_pattern(sl_bitmap *w, const int8_t *mask, int8_t flip, bool replace)
{
    const uint64_t size = w->size;
    const int8_t kept = replace ? 0 : 1;
    int8_t *present = w->present;
    uint64_t count = 0;
    for (uint64_t k = 0; k < size; k++) {
        present[k] = (int8_t)((present[k] & kept) | (mask[k] ^ flip));
        count += (uint64_t)present[k];
    }
    w->nvals = count;
}

/* Whether the vectors have entries enough. */
static sl_status examine(bool *dense, const sl_call *call)
{
    uint64_t entries, more;
    sl_status status = sl_openmp_entries(&entries, call->out);
    if (status == SL_OK)
        status = sl_openmp_entries(&more, call->mask);
    const uint64_t size = call->out->nrows;
    *dense = status == SL_OK && size >= LEAST_SIZE &&
             (entries >= size / LEAST_SHARE || more >= size / LEAST_SHARE);
    return status;
}

static sl_status open_vector(sl_bitmap *arrays, const sl_object *object)
{
    return sl_store_host.open(arrays, object, sl_handle(object, &sl_store_host));
}

static sl_status close_vector(sl_bitmap *arrays, const sl_object *object)
{
    return sl_store_host.close(arrays, object, sl_handle(object, &sl_store_host));
}

sl_status sl_openmp_assign_scalar(sl_call *call)
{
    const bool own = call->mask == call->out; /* w is its own mask */
    sl_bitmap w, mask;
    bool dense;
    sl_status status = examine(&dense, call);
    if (status == SL_OK && !dense)
        return sl_openmp_hand_over(call, "few entries");
    if (status == SL_OK)
        status = open_vector(&w, call->out);
    if (status != SL_OK)
        return status;
    if (!own)
        status = open_vector(&mask, call->mask);
    if (status == SL_OK) {
        const sl_scalar value = sl_scalar_cast(call->scalar, call->out->type);
        const int8_t flip = call->flags & SL_COMPLEMENT ? 1 : 0;
        const int8_t *present = own ? w.present : mask.present;
        write_values(&w, present, flip, sl_type_size(call->out->type), &value.as);
        write_pattern(&w, present, flip, call->flags & SL_REPLACE);
        if (!own)
            status = close_vector(&mask, call->mask);
    }
    const sl_status closed = close_vector(&w, call->out);
    return status == SL_OK ? closed : status;
}
