/* Operations on rows, columns and diagonals. A slice of the matrix is extracted as a vector, the
 * operation on vectors is executed on it, and the vector is written back if it is the output. */
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/keys.h"

/* A slice of a matrix as a vector of its own. */
typedef struct {
    cuda_slice slice;
    sl_object object;
    cuda_vector *v;
} slice_vector;

/* Extracts the `length` elements of the slice. */
static sl_status extract_slice(slice_vector *l, sl_context *ctx, const sl_object *matrix,
                               cuda_slice slice, uint64_t length)
{
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), matrix->type);
    *l = (slice_vector){.slice = slice,
                        .object = {.ctx = ctx, .type = matrix->type, .nrows = length, .ncols = 1}};
    CUDA_TRY(sl_cuda_new_vector(&l->v, &l->object));
    l->object.held[SL_SLOT_CUDA] = l->v;
    l->v->nvals = CUDA_UNKNOWN;
    const cuda_matrix_rows rows = sl_cuda_view_matrix(matrix, cuda_matrix_of(matrix));
    return sl_cuda_status(
        ctx, "kernel slice_of",
        sl_cuda_slice_of(l->v->bits, l->v->values, slice, length, &rows, &one.as));
}

/* The entries of a vector as a matrix of the output's shape, on the slice. */
static sl_status rows_on_slice(cuda_scratch *s, cuda_rows *T, const sl_object *vector,
                               cuda_slice slice)
{
    const sl_object *out = s->call->out;
    cuda_vector *v = cuda_vector_of(vector);
    uint64_t *element;
    void *values;
    cuda_keys k;
    CUDA_TRY(sl_cuda_count_entries(vector, v));
    CUDA_TRY(sl_cuda_list_entries(&s->arena, &element, &values, vector, v));
    CUDA_TRY(sl_cuda_new_keys(s, &k, v->nvals, out->nrows, out->ncols));
    CUDA_TRY(cuda_launched(s, "kernel slice_keys",
                           sl_cuda_slice_keys(k.key, slice, element, k.shift, k.count)));
    return sl_cuda_rows_of_keys(s, T, &k, out->nrows, values, vector->type);
}

/* ---- extract and assign ---------------------------------------------------------------- */

sl_status sl_cuda_extract_column(sl_call *call)
{
    bool row = call->flags & SL_TRANSPOSE_A;
    cuda_slice slice = row ? (cuda_slice){.row = call->col, .col_step = 1}
                           : (cuda_slice){.col = call->col, .row_step = 1};
    slice_vector l;
    sl_call extract = *call;
    sl_status status =
        extract_slice(&l, call->ctx, call->a, slice, row ? call->a->ncols : call->a->nrows);
    extract.op = SL_OP_EXTRACT;
    extract.a = &l.object;
    if (status == SL_OK)
        status = sl_cuda_extract(&extract);
    sl_cuda_free_vector(l.v);
    return status;
}

/* Replaces the slice in the output. */
static sl_status replace_slice(cuda_scratch *s, const slice_vector *l)
{
    bool row = l->slice.col_step;
    const uint64_t number[3] = {row ? l->slice.row : l->slice.col, 0, 1};
    const sl_index_list only = {.items = number, .count = 1, .range = true};
    const sl_object *out = s->call->out;
    cuda_rows T, C, rest, Z;
    cuda_list rows = {.count = out->nrows}, cols = {.count = out->ncols};
    CUDA_TRY(sl_cuda_list(s, row ? &rows : &cols, &only));
    CUDA_TRY(rows_on_slice(s, &T, &l->object, l->slice));
    CUDA_TRY(sl_cuda_rows_of(&C, s->call->out, false));
    CUDA_TRY(sl_cuda_rows_region(s, &rest, &C, NULL, &rows, &cols, true));
    CUDA_TRY(sl_cuda_rows_unite(s, &Z, &rest, &T));
    return sl_cuda_replace_rows(s, &Z);
}

static sl_status assign_line(sl_call *call, cuda_slice slice, uint64_t length)
{
    cuda_scratch s = {.call = call};
    slice_vector l;
    sl_call assign = *call;
    sl_status status = extract_slice(&l, call->ctx, call->out, slice, length);
    assign.op = SL_OP_ASSIGN;
    assign.out = &l.object;
    if (call->op == SL_OP_ASSIGN_ROW)
        assign.rows = call->cols;
    if (status == SL_OK)
        status = sl_cuda_assign(&assign);
    if (status == SL_OK)
        status = replace_slice(&s, &l);
    sl_cuda_scratch_release(&s);
    sl_cuda_free_vector(l.v);
    return status;
}

sl_status sl_cuda_assign_row(sl_call *call)
{
    return assign_line(call, (cuda_slice){.row = call->row, .col_step = 1}, call->out->ncols);
}

sl_status sl_cuda_assign_column(sl_call *call)
{
    return assign_line(call, (cuda_slice){.col = call->col, .row_step = 1}, call->out->nrows);
}

/* ---- diagonals ---------------------------------------------------------------------- */

static sl_status matrix_of_diagonal(cuda_scratch *s, cuda_slice slice)
{
    cuda_rows T;
    CUDA_TRY(rows_on_slice(s, &T, s->call->a, slice));
    return sl_cuda_replace_rows(s, &T);
}

static sl_status diagonal_of_matrix(sl_call *call, cuda_slice slice)
{
    cuda_vector *v = cuda_vector_of(call->out);
    slice_vector l;
    sl_status status = extract_slice(&l, call->ctx, call->a, slice, call->out->nrows);
    if (status == SL_OK) { /* the output is empty */
        cuda_vector taken = *l.v;
        *l.v = *v;
        *v = taken;
    }
    sl_cuda_free_vector(l.v);
    return status;
}

sl_status sl_cuda_diag(sl_call *call)
{
    int64_t k = call->settings.offset;
    cuda_slice slice = {.row = k < 0 ? 0 - (uint64_t)k : 0,
                        .col = k > 0 ? (uint64_t)k : 0,
                        .row_step = 1,
                        .col_step = 1};
    cuda_scratch s = {.call = call};
    sl_status status =
        call->out->is_matrix ? matrix_of_diagonal(&s, slice) : diagonal_of_matrix(call, slice);
    sl_cuda_scratch_release(&s);
    return status;
}
