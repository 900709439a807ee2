/*
 * Rows, columns and diagonals. A line is taken out of the matrix as a vector; what an
 * operation does to it is then one on vectors, and it is put back if it was written.
 */
#include "keys.h"
#include "operations.h"

/* A line of a matrix as a vector of its own. */
typedef struct {
    cuda_line line;
    sl_object object;
    cuda_vector *v;
} line_vector;

/* Element i of `length` is where the line says. */
static sl_status take_out(line_vector *l, sl_context *ctx, const sl_object *matrix, cuda_line line,
                          uint64_t length)
{
    const cuda_matrix *A = cuda_matrix_of(matrix);
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), matrix->type);
    *l = (line_vector){.line = line,
                       .object = {.ctx = ctx, .type = matrix->type, .nrows = length, .ncols = 1}};
    CUDA_TRY(sl_cuda_new_vector(&l->v, &l->object));
    l->object.held[sl_store_cuda.slot] = l->v;
    l->v->nvals = CUDA_UNKNOWN;
    return sl_cuda_status(ctx, "kernel line_of",
                          sl_cuda_line_of(l->v->bits, l->v->values, line, length, A->start,
                                          A->index, A->values, sl_type_size(matrix->type), &one.as,
                                          cuda_processors(), cuda_stream()));
}

/* The vector's entries as a matrix of the output's shape that has them on a line. */
static sl_status put_on_line(cuda_scratch *s, cuda_rows *T, const sl_object *vector, cuda_line line)
{
    const sl_object *out = s->call->out;
    cuda_vector *v = cuda_vector_of(vector);
    uint64_t *element;
    void *values;
    cuda_keys k;
    CUDA_TRY(sl_cuda_count_entries(vector, v));
    CUDA_TRY(sl_cuda_list_entries(&s->arena, &element, &values, vector, v));
    CUDA_TRY(sl_cuda_new_keys(s, &k, v->nvals, out->nrows, out->ncols));
    CUDA_TRY(cuda_launched(s, "kernel line_keys",
                           sl_cuda_line_keys(k.key, line, element, k.shift, k.count,
                                             cuda_processors(), cuda_stream())));
    return sl_cuda_rows_of_keys(s, T, &k, out->nrows, values, vector->type);
}

/* ---- extract and assign ---------------------------------------------------------------- */

sl_status sl_cuda_extract_column(sl_call *call)
{
    bool row = call->flags & SL_TRANSPOSE_A;
    cuda_line line = row ? (cuda_line){.row = call->col, .col_step = 1}
                         : (cuda_line){.col = call->col, .row_step = 1};
    line_vector l;
    sl_call extract = *call;
    sl_status status =
        take_out(&l, call->ctx, call->a, line, row ? call->a->ncols : call->a->nrows);
    extract.op = SL_OP_EXTRACT;
    extract.a = &l.object;
    if (status == SL_OK)
        status = sl_cuda_extract(&extract);
    sl_cuda_free_vector(l.v);
    return status;
}

/* The output with the line instead of its own. */
static sl_status put_back(cuda_scratch *s, const line_vector *l)
{
    bool row = l->line.col_step;
    uint64_t number[3] = {row ? l->line.row : l->line.col, 0, 1};
    const sl_object *out = s->call->out;
    cuda_rows T, C, rest, Z;
    cuda_list rows = {.count = out->nrows}, cols = {.count = out->ncols};
    CUDA_TRY(sl_cuda_list(s, row ? &rows : &cols, number, 1, true));
    CUDA_TRY(put_on_line(s, &T, &l->object, l->line));
    CUDA_TRY(sl_cuda_rows_of(&C, s->call->out, false));
    CUDA_TRY(sl_cuda_rows_region(s, &rest, &C, NULL, &rows, &cols, true));
    CUDA_TRY(sl_cuda_rows_unite(s, &Z, &rest, &T));
    return sl_cuda_rows_install(s, &Z);
}

static sl_status assign_line(sl_call *call, cuda_line line, uint64_t length)
{
    cuda_scratch s = {.call = call};
    line_vector l;
    sl_call assign = *call;
    sl_status status = take_out(&l, call->ctx, call->out, line, length);
    assign.op = SL_OP_ASSIGN;
    assign.out = &l.object;
    if (call->op == SL_OP_ASSIGN_ROW) {
        assign.rows = call->cols;
        assign.nrows = call->ncols;
        assign.rows_range = call->cols_range;
    }
    if (status == SL_OK)
        status = sl_cuda_assign(&assign);
    if (status == SL_OK)
        status = put_back(&s, &l);
    sl_cuda_done(&s);
    sl_cuda_free_vector(l.v);
    return status;
}

sl_status sl_cuda_assign_row(sl_call *call)
{
    return assign_line(call, (cuda_line){.row = call->row, .col_step = 1}, call->out->ncols);
}

sl_status sl_cuda_assign_column(sl_call *call)
{
    return assign_line(call, (cuda_line){.col = call->col, .row_step = 1}, call->out->nrows);
}

/* ---- diagonals ---------------------------------------------------------------------- */

static sl_status matrix_of_diagonal(cuda_scratch *s, cuda_line line)
{
    cuda_rows T;
    CUDA_TRY(put_on_line(s, &T, s->call->a, line));
    return sl_cuda_rows_install(s, &T);
}

static sl_status diagonal_of_matrix(sl_call *call, cuda_line line)
{
    cuda_vector *v = cuda_vector_of(call->out);
    line_vector l;
    sl_status status = take_out(&l, call->ctx, call->a, line, call->out->nrows);
    if (status == SL_OK) { /* the output is new */
        cuda_vector taken = *l.v;
        *l.v = *v;
        *v = taken;
    }
    sl_cuda_free_vector(l.v);
    return status;
}

sl_status sl_cuda_diag(sl_call *call)
{
    int64_t k = call->offset;
    cuda_line line = {.row = k < 0 ? 0 - (uint64_t)k : 0,
                      .col = k > 0 ? (uint64_t)k : 0,
                      .row_step = 1,
                      .col_step = 1};
    cuda_scratch s = {.call = call};
    sl_status status =
        call->out->is_matrix ? matrix_of_diagonal(&s, line) : diagonal_of_matrix(call, line);
    sl_cuda_done(&s);
    return status;
}
