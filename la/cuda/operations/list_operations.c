/*
 * Operations on vectors that are lists. A list is a matrix of one row, so the operations on
 * matrices are used, with their masks and accumulators; the cost is proportional to the entries.
 * Operations that read row or column indices are excluded, as a vector is a column.
 */
#include "cuda/operations/list_operations.h"

#include "cuda/operations/cuda_operations.h"

sl_status sl_cuda_replace_by_list(cuda_scratch *s, const cuda_rows *Z)
{
    sl_call *call = s->call, of_row = *call;
    sl_object row = sl_cuda_row(call->out, NULL);
    cuda_matrix *list;
    CUDA_TRY(sl_cuda_new_matrix(&list, &row, 0, false));
    row.held[SL_SLOT_CUDA] = list;
    of_row.out = &row;
    s->call = &of_row;
    sl_status status = sl_cuda_replace_rows(s, Z);
    s->call = call;
    if (status == SL_OK)
        return sl_cuda_become_list(call->out, cuda_vector_of(call->out), list);
    sl_cuda_free_matrix(list);
    return status;
}

/* ---- which calls ------------------------------------------------------------------------ */

/* True for a list, and for a vector with few enough entries to be converted for the call. */
static bool is_list(const sl_object *object)
{
    return !object || cuda_is_list(cuda_vector_of(object)) ||
           object->nrows < LIST_OPERATIONS_MIN_SIZE;
}

/* True if the call reads or keeps entries of the output. */
static bool keeps_output(const sl_call *call)
{
    bool masked = call->mask || (call->flags & SL_COMPLEMENT);
    return call->accum || call->op == SL_OP_ASSIGN || call->op == SL_OP_ASSIGN_SCALAR ||
           call->op == SL_OP_RESIZE || (masked && !(call->flags & SL_REPLACE));
}

/* True if the call assigns one value to a list of indices, or under a mask that is a list. */
static bool writes_to_list(const sl_call *call)
{
    if (call->mask && !(call->flags & SL_COMPLEMENT))
        return true;
    return call->rows.items && !call->rows.range && sl_cuda_fits_list(call->out, call->rows.count);
}

static bool has_list_form(const sl_call *call)
{
    switch (call->op) {
    case SL_OP_EWISE_ADD:
    case SL_OP_EWISE_MULT:
    case SL_OP_EWISE_UNION:
    case SL_OP_APPLY_FIRST:
    case SL_OP_APPLY_SECOND:
        return !call->operators.binary->positional;
    case SL_OP_APPLY_INDEX:
    case SL_OP_SELECT:
        return !call->operators.index->positional && !call->operators.index->user;
    case SL_OP_APPLY:
    case SL_OP_REDUCE:
    case SL_OP_ASSIGN:
    case SL_OP_EXTRACT:
        return true;
    case SL_OP_RESIZE:
        return call->rows.count < call->out->nrows;
    case SL_OP_ASSIGN_SCALAR:
        return writes_to_list(call);
    default:
        return false;
    }
}

/* Number of indices that passes over bitmaps would visit; 0 if an operand is a matrix. */
static uint64_t size_of(const sl_call *call)
{
    const sl_object *objects[] = {call->out, call->a, call->b, call->mask};
    uint64_t size = 0;
    for (int k = 0; k < 4; k++) {
        if (objects[k] && objects[k]->is_matrix)
            return 0;
        if (objects[k] && objects[k]->nrows > size)
            size = objects[k]->nrows;
    }
    return size;
}

static bool takes(const sl_call *call)
{
    if (!has_list_form(call) || size_of(call) < LIST_OPERATIONS_MIN_SIZE)
        return false;
    if (call->accum && call->accum->positional)
        return false;
    return is_list(call->a) && is_list(call->b) && is_list(call->mask) &&
           (!call->out || !keeps_output(call) || is_list(call->out));
}

/* ---- as matrices -------------------------------------------------------------------------- */

/* The entries of a bitmap as a list, for the duration of the call. */
static sl_status list_bitmap(cuda_scratch *s, cuda_matrix *list, const sl_object *vector,
                             cuda_vector *v)
{
    uint64_t *index, start[2] = {0};
    CUDA_TRY(sl_cuda_count_entries(vector, v));
    CUDA_TRY(sl_cuda_list_entries(&s->arena, &index, &list->values, vector, v));
    start[1] = list->nnz = v->nvals;
    CUDA_TRY(sl_cuda_scratch_take(s, &list->start, sizeof start));
    CUDA_TRY(sl_cuda_scratch_take(s, &list->index, v->nvals * sizeof *list->index));
    CUDA_TRY(sl_cuda_upload(s->call->ctx, list->start, start, sizeof start));
    return cuda_launched(s, "kernel to_32_bits", sl_cuda_to_32_bits(list->index, index, v->nvals));
}

/* An operand as a matrix of one row; NULL stays NULL. */
typedef struct {
    sl_object row;
    cuda_matrix of_bitmap;
} operand;

static sl_status take(cuda_scratch *s, operand *taken, sl_object **object)
{
    sl_object *vector = *object;
    if (!vector)
        return SL_OK;
    cuda_vector *v = cuda_vector_of(vector);
    taken->of_bitmap = (cuda_matrix){0};
    CUDA_TRY(v->bits ? list_bitmap(s, &taken->of_bitmap, vector, v) : sl_cuda_make_list(vector, v));
    taken->row = sl_cuda_row(vector, v->bits ? &taken->of_bitmap : v->list);
    *object = &taken->row;
    return SL_OK;
}

static sl_status run_on_lists(sl_call *call)
{
    switch (call->op) {
    case SL_OP_REDUCE:
        return sl_cuda_reduce_all(call);
    case SL_OP_ASSIGN:
        return sl_cuda_assign_matrix(call);
    case SL_OP_ASSIGN_SCALAR:
        return sl_cuda_assign_scalar_matrix(call);
    case SL_OP_EXTRACT:
        return sl_cuda_extract_matrix(call);
    case SL_OP_RESIZE:
        return sl_cuda_resize(call);
    default:
        return sl_cuda_map_matrix(call);
    }
}

/* Index lists become lists of columns of the one row. */
static void indices_to_columns(sl_call *call)
{
    call->cols = call->rows;
    call->rows = (sl_index_list){.count = 1};
    call->flags &= ~(unsigned)(SL_TRANSPOSE_A | SL_TRANSPOSE_B);
}

/* A new list for the output. The old one stays in place, as it may be an input or the call may
 * fail. */
static sl_status new_output(cuda_scratch *s, cuda_matrix **list, const sl_call *call)
{
    sl_object *out = call->out;
    sl_object row = sl_cuda_row(out, NULL);
    operand before;
    if (keeps_output(call)) {
        CUDA_TRY(take(s, &before, &out));
        return sl_cuda_copy_matrix(list, &row, cuda_matrix_of(out));
    }
    CUDA_TRY(sl_cuda_new_matrix(list, &row, 0, false));
    return sl_cuda_zero(call->ctx, (*list)->start, 2 * sizeof *(*list)->start);
}

static sl_status run_aside(cuda_scratch *s, sl_call of_rows)
{
    const sl_call *call = s->call;
    cuda_matrix *list = NULL;
    sl_status status = new_output(s, &list, call);
    sl_object out = sl_cuda_row(call->out, list);
    of_rows.out = &out;
    if (status == SL_OK)
        status = run_on_lists(&of_rows);
    if (status == SL_OK)
        return sl_cuda_become_list(call->out, cuda_vector_of(call->out), list);
    sl_cuda_free_matrix(list);
    return status;
}

static sl_status on_lists(cuda_scratch *s)
{
    operand a, b, mask;
    sl_call *call = s->call, of_rows = *call;
    indices_to_columns(&of_rows);
    CUDA_TRY(take(s, &a, &of_rows.a));
    CUDA_TRY(take(s, &b, &of_rows.b));
    CUDA_TRY(take(s, &mask, &of_rows.mask));
    if (call->out)
        return run_aside(s, of_rows);
    sl_status status = run_on_lists(&of_rows);
    call->scalar = of_rows.scalar;
    return status;
}

sl_status sl_cuda_on_lists(sl_call *call, bool *done)
{
    cuda_scratch s = {.call = call};
    *done = takes(call);
    if (!*done)
        return SL_OK;
    sl_status status = on_lists(&s);
    sl_cuda_scratch_release(&s);
    return status;
}
