/* assign and extract: checks, then dispatch. */
#include "la/core/check.h"

/* Checks the lists of rows and columns, and counts them. */
static sl_status check_lists(sl_call *call, uint64_t height, uint64_t width)
{
    SL_TRY(sl_check_indices(call, "row", &call->rows, height));
    return sl_check_indices(call, "column", &call->cols, width);
}

static sl_status count_entries(uint64_t *count, const sl_object *object)
{
    return object->is_matrix ? sl_matrix_nvals(count, (const sl_matrix *)object)
                             : sl_vector_nvals(count, (const sl_vector *)object);
}

/*
 * Fails if the result has more entries than memory can hold. Not an assign to the whole output
 * without mask and accumulator, of which SuiteSparse stores one value if all are equal. With a mask
 * that is not complemented there are at most as many entries as the mask has.
 */
static sl_status check_room(const sl_call *call)
{
    const sl_object *out = call->out, *mask = call->mask;
    const bool complement = call->flags & SL_COMPLEMENT;
    const bool whole = call->rows.count == out->nrows && call->cols.count == out->ncols;
    uint64_t entries, masked = 0;
    if (__builtin_mul_overflow(call->rows.count, call->cols.count, &entries))
        entries = UINT64_MAX;
    if (entries <= SL_FEW_ENTRIES || !mask != !complement || (whole && !mask && !call->accum))
        return SL_OK;
    if (call->a)
        SL_TRY(count_entries(&entries, call->a));
    if (mask)
        SL_TRY(count_entries(&masked, mask));
    entries = masked < entries ? entries - masked : 0;
    return entries > SL_FEW_ENTRIES ? sl_check_room(call, entries) : SL_OK;
}

/* Checks the lists of an assign against the output, and the input against them. */
static sl_status assign(sl_call *call, bool transposed)
{
    SL_TRY(check_lists(call, call->out->nrows, call->out->ncols));
    if (call->a) {
        SL_TRY(sl_check_length(call, "the input's number of rows",
                               transposed ? call->a->ncols : call->a->nrows, call->rows.count));
        SL_TRY(sl_check_length(call, "the input's number of columns",
                               transposed ? call->a->nrows : call->a->ncols, call->cols.count));
    }
    SL_TRY(check_room(call));
    return sl_dispatch(call);
}

static sl_status assign_scalar(sl_call *call)
{
    SL_CHECK_CALL(call, call->out);
    SL_TRY(sl_check_scalar(call, "the scalar", &call->scalar));
    return assign(call, false);
}

sl_status sl_vector_assign(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                           const sl_vector *u, const uint64_t *indices, uint64_t count,
                           sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_ASSIGN, OF_V(w), OF_V(mask), accum, desc);
    call.a = OF_V(u);
    call.rows = (sl_index_list){.items = indices, .count = count};
    SL_CHECK_CALL(&call, w, u);
    return assign(&call, false);
}

sl_status sl_vector_assign_scalar(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                  sl_scalar value, const uint64_t *indices, uint64_t count,
                                  sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_ASSIGN_SCALAR, OF_V(w), OF_V(mask), accum, desc);
    call.scalar = value;
    call.rows = (sl_index_list){.items = indices, .count = count};
    return assign_scalar(&call);
}

sl_status sl_matrix_assign(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                           const sl_matrix *A, const uint64_t *rows, uint64_t nrows,
                           const uint64_t *cols, uint64_t ncols, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_ASSIGN, OF_M(C), OF_M(mask), accum, desc);
    call.a = OF_M(A);
    call.rows = (sl_index_list){.items = rows, .count = nrows};
    call.cols = (sl_index_list){.items = cols, .count = ncols};
    SL_CHECK_CALL(&call, C, A);
    return assign(&call, call.flags & SL_TRANSPOSE_A);
}

sl_status sl_matrix_assign_scalar(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                                  sl_scalar value, const uint64_t *rows, uint64_t nrows,
                                  const uint64_t *cols, uint64_t ncols, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_ASSIGN_SCALAR, OF_M(C), OF_M(mask), accum, desc);
    call.scalar = value;
    call.rows = (sl_index_list){.items = rows, .count = nrows};
    call.cols = (sl_index_list){.items = cols, .count = ncols};
    return assign_scalar(&call);
}

/* Dispatches an assign to one row or column, after checking that the vector has the length of the
 * list. */
static sl_status assign_line(sl_call *call, uint64_t count)
{
    SL_TRY(sl_check_length(call, "the input's size", call->a->nrows, count));
    return sl_dispatch(call);
}

sl_status sl_matrix_assign_row(sl_matrix *C, const sl_vector *mask, sl_binary_op accum,
                               const sl_vector *u, uint64_t row, const uint64_t *cols,
                               uint64_t ncols, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_ASSIGN_ROW, OF_M(C), OF_V(mask), accum, desc);
    call.a = OF_V(u);
    call.row = row;
    call.cols = (sl_index_list){.items = cols, .count = ncols};
    SL_CHECK_CALL(&call, C, u);
    SL_TRY(sl_check_index(call.ctx, "assign_row: row", row, call.out->nrows));
    SL_TRY(sl_check_indices(&call, "column", &call.cols, call.out->ncols));
    return assign_line(&call, call.cols.count);
}

sl_status sl_matrix_assign_column(sl_matrix *C, const sl_vector *mask, sl_binary_op accum,
                                  const sl_vector *u, const uint64_t *rows, uint64_t nrows,
                                  uint64_t col, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_ASSIGN_COLUMN, OF_M(C), OF_V(mask), accum, desc);
    call.a = OF_V(u);
    call.col = col;
    call.rows = (sl_index_list){.items = rows, .count = nrows};
    SL_CHECK_CALL(&call, C, u);
    SL_TRY(sl_check_index(call.ctx, "assign_column: column", col, call.out->ncols));
    SL_TRY(sl_check_indices(&call, "row", &call.rows, call.out->nrows));
    return assign_line(&call, call.rows.count);
}

/* Checks the lists of an extract against the input, and the output against them. */
static sl_status extract(sl_call *call)
{
    SL_CHECK_CALL(call, call->out, call->a);
    bool t = call->a->is_matrix && (call->flags & SL_TRANSPOSE_A);
    uint64_t height = t ? call->a->ncols : call->a->nrows;
    uint64_t width = t ? call->a->nrows : call->a->ncols;
    SL_TRY(check_lists(call, height, width));
    SL_TRY(
        sl_check_length(call, "the output's number of rows", call->out->nrows, call->rows.count));
    if (call->op == SL_OP_EXTRACT_COLUMN)
        SL_TRY(sl_check_index(call->ctx, "extract: column", call->col, width));
    else
        SL_TRY(sl_check_length(call, "the output's number of columns", call->out->ncols,
                               call->cols.count));
    return sl_dispatch(call);
}

sl_status sl_vector_extract(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                            const sl_vector *u, const uint64_t *indices, uint64_t count,
                            sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_EXTRACT, OF_V(w), OF_V(mask), accum, desc);
    call.a = OF_V(u);
    call.rows = (sl_index_list){.items = indices, .count = count};
    return extract(&call);
}

sl_status sl_matrix_extract(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                            const sl_matrix *A, const uint64_t *rows, uint64_t nrows,
                            const uint64_t *cols, uint64_t ncols, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_EXTRACT, OF_M(C), OF_M(mask), accum, desc);
    call.a = OF_M(A);
    call.rows = (sl_index_list){.items = rows, .count = nrows};
    call.cols = (sl_index_list){.items = cols, .count = ncols};
    return extract(&call);
}

sl_status sl_matrix_extract_column(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                   const sl_matrix *A, const uint64_t *rows, uint64_t nrows,
                                   uint64_t col, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_EXTRACT_COLUMN, OF_V(w), OF_V(mask), accum, desc);
    call.a = OF_M(A);
    call.rows = (sl_index_list){.items = rows, .count = nrows};
    call.col = col;
    return extract(&call);
}
