/*
 * Operations on single entries, and operations that only read, for objects with contents on
 * the device.
 * Setting or removing an entry of a matrix or of a list would cost a pass over all entries. The
 * host collects such changes and applies them together, so the engine declines them; a host list is
 * changed in place. In a bitmap a change is one kernel. The host is faster if there are many, so
 * the engine declines after MAX_SINGLE_WRITES.
 */
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/entry_kernels.h"
#include "cuda/operations/matrix_rows.h"

sl_status sl_cuda_nvals(sl_call *call)
{
    if (call->a->is_matrix) {
        call->count = cuda_matrix_of(call->a)->nnz;
        return SL_OK;
    }
    cuda_vector *v = cuda_vector_of(call->a);
    CUDA_TRY(sl_cuda_count_entries(call->a, v));
    call->count = v->nvals;
    return SL_OK;
}

/* A matrix with values may have only ones, but finding out costs a pass over them. */
sl_status sl_cuda_is_pattern(sl_call *call)
{
    const cuda_matrix *A = cuda_matrix_of(call->a);
    call->scalar = sl_scalar_bool(A->nnz == 0 || !A->values);
    return SL_OK;
}

static sl_status row_entries(cuda_scratch *s)
{
    sl_call *call = s->call;
    unsigned long long *edges, counted;
    cuda_vector *v = cuda_vector_of(call->b);
    cuda_frontier_list *frontier_list;
    CUDA_TRY(sl_cuda_get_frontier_list(call->ctx, &frontier_list, v, cuda_matrix_of(call->a)));
    if (frontier_list) {
        call->count = frontier_list->counts->edges;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_bring_into_order(call->b, v, NULL));
    CUDA_TRY(sl_cuda_scratch_take(s, &edges, sizeof *edges));
    CUDA_TRY(sl_cuda_zero(call->ctx, edges, sizeof *edges));
    CUDA_TRY(cuda_launched(s, "kernel count_edges",
                           sl_cuda_count_edges(edges, v->bits, cuda_words(call->b->nrows),
                                               cuda_matrix_of(call->a)->start)));
    CUDA_TRY(sl_cuda_fetch(call->ctx, "kernel count_edges", &counted, edges, sizeof counted));
    call->count = counted;
    return SL_OK;
}

sl_status sl_cuda_row_entries(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = row_entries(&s);
    sl_cuda_scratch_release(&s);
    return status;
}

/* The order of a vector, for kernels. */
static cuda_order_view order_of(const cuda_vector *v)
{
    return v->order ? cuda_view_of_order(v->order) : (cuda_order_view){0};
}

/* ---- one entry ---------------------------------------------------------------------- */

static sl_status look_up(cuda_scratch *s, cuda_entry *found)
{
    const sl_call *call = s->call;
    const sl_object *a = call->a;
    size_t size = sl_type_size(a->type);
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), a->type);
    const cuda_vector *v = a->is_matrix ? NULL : cuda_vector_of(a);
    if (v && !cuda_is_list(v)) {
        const cuda_order_view order = order_of(v);
        return cuda_launched(
            s, "kernel find_in_vector",
            sl_cuda_find_in_vector(found, v->bits, v->values, size, call->row, &order));
    }
    const cuda_matrix *A = v ? v->list : cuda_matrix_of(a);
    uint64_t row = v ? 0 : call->row, col = v ? call->row : call->col;
    const cuda_matrix_rows rows = {
        .start = A->start, .index = A->index, .values = A->values, .size = size};
    return cuda_launched(s, "kernel find", sl_cuda_find(found, &rows, &one.as, row, (uint32_t)col));
}

/* Of a host list. */
static sl_status get_from_host_list(sl_call *call)
{
    unsigned long long value;
    if (!sl_cuda_host_list_get(cuda_vector_of(call->a), call->row, &value))
        return SL_NO_VALUE;
    call->scalar = sl_scalar_load(call->a->type, &value);
    return SL_OK;
}

static sl_status get(cuda_scratch *s)
{
    sl_call *call = s->call;
    cuda_entry *found, got;
    if (!call->a->is_matrix && cuda_is_host_list(cuda_vector_of(call->a)))
        return get_from_host_list(call);
    CUDA_TRY(sl_cuda_scratch_take(s, &found, sizeof *found));
    CUDA_TRY(look_up(s, found));
    CUDA_TRY(sl_cuda_fetch(call->ctx, "get", &got, found, sizeof got));
    call->scalar = sl_scalar_load(call->a->type, &got.value);
    return got.present ? SL_OK : SL_NO_VALUE;
}

sl_status sl_cuda_get(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = get(&s);
    sl_cuda_scratch_release(&s);
    return status;
}

/* Sets or removes the entry at call->row of a bitmap. */
static sl_status put(sl_call *call, bool present)
{
    cuda_vector *v = cuda_vector_of(call->out);
    sl_cuda_drop_frontier_list(v);
    /* the first entry, such as a search's source */
    v->nvals = present && v->nvals == 0 ? 1 : CUDA_UNKNOWN;
    v->single_writes++;
    const cuda_order_view order = order_of(v);
    return sl_cuda_status(call->ctx, "kernel put",
                          sl_cuda_set_entry((cuda_order_arrays){v->bits, v->values}, call->row,
                                            present, &call->scalar.as,
                                            sl_type_size(call->out->type), &order));
}

/* Entries of a host list need no device memory. */
sl_status sl_cuda_set(sl_call *call)
{
    cuda_vector *v = cuda_vector_of(call->out);
    if (!cuda_is_host_list(v))
        return put(call, true);
    sl_cuda_host_list_set(v, call->row, &call->scalar.as);
    return SL_OK;
}

sl_status sl_cuda_remove(sl_call *call)
{
    cuda_vector *v = cuda_vector_of(call->out);
    if (!cuda_is_host_list(v))
        return put(call, false);
    sl_cuda_host_list_remove(v, call->row);
    return SL_OK;
}

/* ---- all entries ---------------------------------------------------------------------- */

static sl_status download_rows(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const cuda_matrix *A = cuda_matrix_of(call->a);
    uint32_t *rows;
    if (!call->tuples.rows)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &rows, A->nnz * sizeof *rows));
    CUDA_TRY(cuda_launched(
        s, "kernel positions",
        sl_cuda_positions(rows, SL_INT32, true, A->start, A->index, A->nnz, call->a->nrows)));
    return sl_cuda_download_widened(call->ctx, call->tuples.rows, rows, A->nnz);
}

static sl_status download_columns(const sl_call *call)
{
    const cuda_matrix *A = cuda_matrix_of(call->a);
    return call->tuples.cols
               ? sl_cuda_download_widened(call->ctx, call->tuples.cols, A->index, A->nnz)
               : SL_OK;
}

static sl_status download_values(cuda_scratch *s, void *to)
{
    const sl_call *call = s->call;
    cuda_rows A;
    if (!to)
        return SL_OK;
    CUDA_TRY(sl_cuda_rows_of(&A, call->a, false));
    CUDA_TRY(sl_cuda_rows_fill(s, &A));
    return sl_cuda_download(call->ctx, to, A.values, A.nnz * sl_type_size(A.type));
}

static sl_status tuples_of_matrix(cuda_scratch *s)
{
    const sl_call *call = s->call;
    CUDA_TRY(download_rows(s));
    CUDA_TRY(download_columns(call));
    CUDA_TRY(download_values(s, call->tuples.values));
    return sl_cuda_wait(call->ctx, "tuples of a matrix");
}

sl_status sl_cuda_tuples(sl_call *call)
{
    if (!call->a->is_matrix) {
        cuda_vector *v = cuda_vector_of(call->a);
        CUDA_TRY(sl_cuda_count_entries(call->a, v));
        return sl_cuda_download_entries(call->tuples.rows, call->tuples.values, call->a, v);
    }
    cuda_scratch s = {.call = call};
    sl_status status = tuples_of_matrix(&s);
    sl_cuda_scratch_release(&s);
    return status;
}
