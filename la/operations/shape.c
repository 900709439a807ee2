/* Diagonals and resize: checks, then dispatch. */
#include "la/core/check.h"

/* |k|, also for INT64_MIN. */
static uint64_t distance(int64_t k)
{
    return k < 0 ? 0 - (uint64_t)k : (uint64_t)k;
}

sl_status sl_matrix_diag(sl_matrix **C, const sl_vector *v, int64_t k)
{
    if (C)
        *C = NULL;
    sl_call call = {.op = SL_OP_DIAG, .a = OF_V(v), .settings.offset = k};
    SL_CHECK_CALL(&call, C, v);
    uint64_t side = call.a->nrows + distance(k);
    SL_TRY(sl_matrix_new(C, call.ctx, call.a->type, side, side));
    call.out = OF_M(*C);
    sl_status status = sl_dispatch(&call);
    if (status != SL_OK) {
        sl_matrix_free(*C);
        *C = NULL;
    }
    return status;
}

/* The length of diagonal k of an m x n matrix; 0 if it lies outside. */
static uint64_t diagonal_length(uint64_t m, uint64_t n, int64_t k)
{
    uint64_t *shortened = k < 0 ? &m : &n;
    *shortened = distance(k) < *shortened ? *shortened - distance(k) : 0;
    return m < n ? m : n;
}

sl_status sl_vector_diag(sl_vector **v, const sl_matrix *A, int64_t k)
{
    if (v)
        *v = NULL;
    sl_call call = {.op = SL_OP_DIAG, .a = OF_M(A), .settings.offset = k};
    SL_CHECK_CALL(&call, v, A);
    uint64_t length = diagonal_length(call.a->nrows, call.a->ncols, k);
    SL_TRY(sl_vector_new(v, call.ctx, call.a->type, length));
    call.out = OF_V(*v);
    sl_status status = length ? sl_dispatch(&call) : SL_OK;
    if (status != SL_OK) {
        sl_vector_free(*v);
        *v = NULL;
    }
    return status;
}

/* After a failure a store may have either shape, so the object is emptied. */
static sl_status resize(sl_object *object, uint64_t nrows, uint64_t ncols)
{
    if (!object)
        return SL_INVALID;
    sl_status status = sl_examine_size(object->ctx, nrows, ncols);
    SL_TRY(sl_agree_arguments(object->ctx, status, "resize", "nrows %llu\nncols %llu\n",
                              (unsigned long long)nrows, (unsigned long long)ncols));
    sl_call call = {.op = SL_OP_RESIZE,
                    .ctx = object->ctx,
                    .out = object,
                    .rows.count = nrows,
                    .cols.count = ncols};
    sl_call count = {.op = SL_OP_NVALS, .ctx = object->ctx, .a = object};
    if (sl_object_has_contents(object))
        status = sl_dispatch(&count);
    /* SuiteSparse 7.4 may write outside the arrays of an object without entries. */
    if (status == SL_OK && count.count > 0)
        status = sl_dispatch(&call);
    if (status != SL_OK || count.count == 0)
        sl_object_empty(object);
    if (status != SL_OK)
        return status;
    object->nrows = nrows;
    object->ncols = ncols;
    return SL_OK;
}

sl_status sl_matrix_resize(sl_matrix *A, uint64_t nrows, uint64_t ncols)
{
    SL_TRY(resize(OF_M(A), nrows, ncols));
    A->ids = NULL;
    return SL_OK;
}

sl_status sl_vector_resize(sl_vector *v, uint64_t size)
{
    return resize(OF_V(v), size, 1);
}
