/* assign and extract: checks, then dispatch. */
#include "check.h"

/* The length of an index list: SL_ALL stands for the whole dimension. */
static uint64_t length(const uint64_t *list, uint64_t count, uint64_t dimension)
{
    return list ? count : dimension;
}

/* Checks the lists of an assign against the output, and the input against them. */
static sl_status assign(sl_call *call, bool transposed)
{
    SL_TRY(sl_check_list(call, "row", call->rows, call->nrows, call->out->nrows));
    SL_TRY(sl_check_list(call, "column", call->cols, call->ncols, call->out->ncols));
    call->nrows = length(call->rows, call->nrows, call->out->nrows);
    call->ncols = length(call->cols, call->ncols, call->out->ncols);
    if (call->a) {
        SL_TRY(sl_check_length(call, "the input's number of rows",
                               transposed ? call->a->ncols : call->a->nrows, call->nrows));
        SL_TRY(sl_check_length(call, "the input's number of columns",
                               transposed ? call->a->nrows : call->a->ncols, call->ncols));
    }
    return sl_dispatch(call);
}

static sl_status assign_scalar(sl_call *call)
{
    SL_CHECK_CALL(call, call->out);
    if (sl_type_size(call->scalar.type) == 0)
        return sl_fail(call->ctx, SL_INVALID, "assign_scalar: the scalar has no type");
    return assign(call, false);
}

sl_status sl_vector_assign(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                           const sl_vector *u, const uint64_t *indices, uint64_t count,
                           sl_descriptor desc)
{
    sl_call call = {.op = SL_OP_ASSIGN,
                    .out = OF_V(w),
                    .mask = OF_V(mask),
                    .accum = accum,
                    .a = OF_V(u),
                    .rows = indices,
                    .nrows = count,
                    .flags = sl_descriptor_flags(desc)};
    SL_CHECK_CALL(&call, w, u);
    return assign(&call, false);
}

sl_status sl_vector_assign_scalar(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                  sl_scalar value, const uint64_t *indices, uint64_t count,
                                  sl_descriptor desc)
{
    sl_call call = {.op = SL_OP_ASSIGN_SCALAR,
                    .out = OF_V(w),
                    .mask = OF_V(mask),
                    .accum = accum,
                    .scalar = value,
                    .rows = indices,
                    .nrows = count,
                    .flags = sl_descriptor_flags(desc)};
    return assign_scalar(&call);
}

sl_status sl_matrix_assign(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                           const sl_matrix *A, const uint64_t *rows, uint64_t nrows,
                           const uint64_t *cols, uint64_t ncols, sl_descriptor desc)
{
    sl_call call = {.op = SL_OP_ASSIGN,
                    .out = OF_M(C),
                    .mask = OF_M(mask),
                    .accum = accum,
                    .a = OF_M(A),
                    .rows = rows,
                    .nrows = nrows,
                    .cols = cols,
                    .ncols = ncols,
                    .flags = sl_descriptor_flags(desc)};
    SL_CHECK_CALL(&call, C, A);
    return assign(&call, call.flags & SL_TRANSPOSE_A);
}

sl_status sl_matrix_assign_scalar(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                                  sl_scalar value, const uint64_t *rows, uint64_t nrows,
                                  const uint64_t *cols, uint64_t ncols, sl_descriptor desc)
{
    sl_call call = {.op = SL_OP_ASSIGN_SCALAR,
                    .out = OF_M(C),
                    .mask = OF_M(mask),
                    .accum = accum,
                    .scalar = value,
                    .rows = rows,
                    .nrows = nrows,
                    .cols = cols,
                    .ncols = ncols,
                    .flags = sl_descriptor_flags(desc)};
    return assign_scalar(&call);
}

/* Checks the lists of an extract against the input, and the output against them. */
static sl_status extract(sl_call *call)
{
    SL_CHECK_CALL(call, call->out, call->a);
    bool t = call->a->is_matrix && (call->flags & SL_TRANSPOSE_A);
    uint64_t height = t ? call->a->ncols : call->a->nrows;
    uint64_t width = t ? call->a->nrows : call->a->ncols;
    SL_TRY(sl_check_list(call, "row", call->rows, call->nrows, height));
    SL_TRY(sl_check_list(call, "column", call->cols, call->ncols, width));
    call->nrows = length(call->rows, call->nrows, height);
    call->ncols = length(call->cols, call->ncols, width);
    SL_TRY(sl_check_length(call, "the output's number of rows", call->out->nrows, call->nrows));
    if (call->op == SL_OP_EXTRACT_COLUMN)
        SL_TRY(sl_check_index(call->ctx, "extract: column", call->col, width));
    else
        SL_TRY(
            sl_check_length(call, "the output's number of columns", call->out->ncols, call->ncols));
    return sl_dispatch(call);
}

sl_status sl_vector_extract(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                            const sl_vector *u, const uint64_t *indices, uint64_t count,
                            sl_descriptor desc)
{
    sl_call call = {.op = SL_OP_EXTRACT,
                    .out = OF_V(w),
                    .mask = OF_V(mask),
                    .accum = accum,
                    .a = OF_V(u),
                    .rows = indices,
                    .nrows = count,
                    .flags = sl_descriptor_flags(desc)};
    return extract(&call);
}

sl_status sl_matrix_extract(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                            const sl_matrix *A, const uint64_t *rows, uint64_t nrows,
                            const uint64_t *cols, uint64_t ncols, sl_descriptor desc)
{
    sl_call call = {.op = SL_OP_EXTRACT,
                    .out = OF_M(C),
                    .mask = OF_M(mask),
                    .accum = accum,
                    .a = OF_M(A),
                    .rows = rows,
                    .nrows = nrows,
                    .cols = cols,
                    .ncols = ncols,
                    .flags = sl_descriptor_flags(desc)};
    return extract(&call);
}

sl_status sl_matrix_extract_column(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                   const sl_matrix *A, const uint64_t *rows, uint64_t nrows,
                                   uint64_t col, sl_descriptor desc)
{
    sl_call call = {.op = SL_OP_EXTRACT_COLUMN,
                    .out = OF_V(w),
                    .mask = OF_V(mask),
                    .accum = accum,
                    .a = OF_M(A),
                    .rows = rows,
                    .nrows = nrows,
                    .col = col,
                    .flags = sl_descriptor_flags(desc)};
    return extract(&call);
}
