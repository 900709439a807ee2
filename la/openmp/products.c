/* What the products that the engine computes itself share. */
#include "openmp/products.h"

#include <string.h>

extern const sl_engine sl_engine_suitesparse;

sl_status sl_openmp_hand_over(sl_call *call, const char *reason)
{
    call->outcome.note = reason;
    return sl_engine_suitesparse.run[call->op](call);
}

sl_status sl_openmp_entries(uint64_t *count, const sl_object *object)
{
    sl_call call = {.op = SL_OP_NVALS, .ctx = object->ctx, .a = (sl_object *)object};
    const sl_status status = sl_engine_suitesparse.run[SL_OP_NVALS](&call);
    *count = call.count;
    return status;
}

sl_status sl_openmp_is_pattern(bool *pattern, const sl_object *A)
{
    sl_call call = {.op = SL_OP_IS_PATTERN, .ctx = A->ctx, .a = (sl_object *)A};
    const sl_status status = sl_engine_suitesparse.run[SL_OP_IS_PATTERN](&call);
    *pattern = status == SL_OK && call.scalar.as.bool_;
    return status;
}

sl_status sl_openmp_close(sl_bitmap *arrays, const sl_object *vector)
{
    return sl_store_host.close(arrays, vector, sl_handle(vector, &sl_store_host));
}

sl_status sl_openmp_copy_list(sl_arrays *arrays, const sl_object *vector)
{
    *arrays = (sl_arrays){.format = SL_FORMAT_LIST};
    sl_call call = {
        .op = SL_OP_COPY_OUT, .ctx = vector->ctx, .a = (sl_object *)vector, .arrays = arrays};
    return sl_engine_suitesparse.run[SL_OP_COPY_OUT](&call);
}

/* Writes the entries of a list to arrays. Each thread is the first to touch what it writes. */
static void scatter_list(sl_bitmap *arrays, const sl_arrays *list, const void *one, int threads)
{
    enum { PIECE = 1 << 16 };
    const size_t size = sl_type_size(list->type);
    int8_t *const present = arrays->present;
    char *const values = arrays->values;
    const char *from = list->values ? list->values : one;
    const size_t step = list->values && !list->iso ? size : 0;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#pragma omp for
        for (uint64_t first = 0; first < arrays->size; first += PIECE)
            memset(present + first, 0, arrays->size - first < PIECE ? arrays->size - first : PIECE);
#pragma omp for
        for (uint64_t k = 0; k < list->nvals; k++) {
            present[list->rows[k]] = 1;
            sl_openmp_copy_value(values + list->rows[k] * size, from + k * step, size);
        }
    }
    arrays->nvals = list->nvals;
}

/* New arrays with the entries of a list, which stays until they are closed. SuiteSparse would set all values, on one
 * thread. */
static sl_status open_list(sl_bitmap *arrays, const sl_object *vector)
{
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), vector->type);
    sl_arrays list;
    *arrays = (sl_bitmap){.size = vector->nrows};
    sl_status status = sl_openmp_copy_list(&list, vector);
    if (status != SL_OK)
        return status;
    arrays->present = sl_malloc(vector->nrows + 1);
    arrays->values = sl_malloc((vector->nrows + 1) * sl_type_size(vector->type));
    if (arrays->present && arrays->values) {
        scatter_list(arrays, &list, &one.as, sl_openmp_threads_for(vector->ctx, vector->nrows));
    } else {
        sl_free(arrays->present);
        sl_free(arrays->values);
        *arrays = (sl_bitmap){0};
        status =
            sl_fail(vector->ctx, SL_NO_MEMORY,
                    "out of memory: the arrays of a vector of %zu elements", (size_t)vector->nrows);
    }
    sl_arrays_free(&list);
    return status;
}

sl_status sl_openmp_open(sl_bitmap *arrays, const sl_object *vector)
{
    return sl_openmp_is_list(vector)
               ? open_list(arrays, vector)
               : sl_store_host.open(arrays, vector, sl_handle(vector, &sl_store_host));
}

/* allowed[v] = value for the entries v of a mask: all of them, or those that are true. */
static sl_status mark_entries(int8_t *allowed, int8_t value, const sl_object *mask, bool structural)
{
    if (sl_openmp_is_list(mask)) {
        sl_arrays list;
        const sl_status status = sl_openmp_copy_list(&list, mask);
        const bool *values = structural ? NULL : list.values; /* NULL: all are true */
        for (uint64_t k = 0; status == SL_OK && k < list.nvals; k++)
            if (!values || values[list.iso ? 0 : k])
                allowed[list.rows[k]] = value;
        sl_arrays_free(&list);
        return status;
    }
    sl_bitmap arrays;
    const sl_status status = sl_openmp_open(&arrays, mask);
    if (status != SL_OK)
        return status;
    const bool *values = arrays.values;
    for (uint64_t v = 0; v < arrays.size; v++)
        if (arrays.present[v] && (structural || values[v]))
            allowed[v] = value;
    return sl_openmp_close(&arrays, mask);
}

sl_status sl_openmp_allowed(int8_t **allowed, const sl_call *call)
{
    const int8_t value = !(call->flags & SL_COMPLEMENT);
    const bool structural = call->flags & SL_STRUCTURE;
    const uint64_t n = call->out->nrows;
    uint64_t entries = n;
    *allowed = NULL;
    sl_status status = call->mask ? sl_openmp_entries(&entries, call->mask) : SL_OK;
    if (status != SL_OK || !call->mask || (structural && entries == n && value))
        return status;
    int8_t *made = sl_malloc(n + 1);
    if (!made)
        return sl_fail(call->ctx, SL_NO_MEMORY, "%s: out of memory", sl_operation_name(call->op));
    memset(made, !value, n);
    status = entries > 0 ? mark_entries(made, value, call->mask, structural) : SL_OK;
    if (status == SL_OK)
        *allowed = made;
    else
        sl_free(made);
    return status;
}

/* The vector keeps its contents if memory is short: the entries become the contents of a new handle. */
sl_status sl_openmp_take_list(sl_object *vector, sl_arrays *arrays)
{
    void *made;
    sl_object taken = *vector;
    sl_call call = {.op = SL_OP_TAKE, .ctx = vector->ctx, .out = &taken, .arrays = arrays};
    sl_status status = sl_store_host.create(&made, vector);
    if (status != SL_OK)
        return status;
    taken.held[sl_store_host.slot] = made;
    if (arrays->nvals > 0)
        status = sl_engine_suitesparse.run[SL_OP_TAKE](&call);
    if (status != SL_OK) {
        sl_store_host.release(vector, made);
        return status;
    }
    if (arrays->nvals > 0)
        *arrays = (sl_arrays){0};
    sl_store_host.release(vector, sl_handle(vector, &sl_store_host));
    vector->held[sl_store_host.slot] = made;
    return SL_OK;
}

bool sl_openmp_suits_rows(const sl_object *A, uint64_t entries)
{
    enum { MOST_ROWS = 16, LEAST_POSITIONS = 4 }; /* for each entry */
    return A->nrows / MOST_ROWS <= entries && A->ncols > 0 &&
           entries / A->ncols <= A->nrows / LEAST_POSITIONS;
}

int sl_openmp_threads_for(const sl_context *ctx, uint64_t edges)
{
    const uint64_t useful = 1 + edges / SL_SERIAL_EDGES;
    const int allowed = sl_context_threads(ctx);
    return useful < (uint64_t)allowed ? (int)useful : allowed;
}
