/*
 * Select and apply on a matrix by a user-defined index operator that only the host can call: it has
 * no source text, or its thunk is of a user-defined type that the device does not compute with, and
 * which may point to the program's memory.
 * The entries of the matrix visit the host in pieces, where the context's threads call the
 * operator; what it returns comes back, and the matrix stays on the device.
 */
#include "cuda/operations/host_index.h"
#include "cuda/operations/stored_calls.h"

#include <semla/process.h>

enum { PIECE = 1 << 21 }; /* entries on the host at a time */

bool sl_cuda_calls_on_host(const sl_call *call)
{
    const sl_index_op op = call->operators.index;
    if ((call->op != SL_OP_SELECT && call->op != SL_OP_APPLY_INDEX) || !call->a->is_matrix ||
        !cuda_matrix_of(call->a) || call->ctx->forced || call->accum || !op->user)
        return false;
    if (sl_type_is_user_defined(op->type) || sl_type_is_user_defined(op->result) ||
        sl_type_is_user_defined(call->a->type) || sl_type_is_user_defined(call->out->type) ||
        (call->mask && sl_type_is_user_defined(call->mask->type)))
        return false;
    return !op->user->source || sl_cuda_type_reason(op->type_thunk);
}

/* A piece of the entries of a matrix on the host. */
typedef struct {
    const sl_call *call;
    uint64_t *start; /* of all rows */
    uint64_t nrows;
    uint32_t *index;
    void *values;  /* in the operator's type; NULL: every value is `one` */
    sl_scalar one; /* in the operator's type */
    char *result;  /* what the operator returns */
    uint64_t first, count;
} host_piece;

static void free_piece(host_piece *p)
{
    sl_free(p->start);
    sl_free(p->index);
    sl_free(p->values);
    sl_free(p->result);
}

static sl_status make_piece(host_piece *p, const sl_call *call, const cuda_rows *A)
{
    const uint64_t most = A->nnz < PIECE ? A->nnz : PIECE;
    *p = (host_piece){.call = call, .nrows = A->nrows};
    p->one = sl_scalar_cast(sl_scalar_bool(true), call->operators.index->type);
    p->start = sl_malloc((A->nrows + 1) * sizeof *p->start);
    p->index = sl_malloc(most * sizeof *p->index);
    p->values = A->values ? sl_malloc(most * sl_type_size(call->operators.index->type)) : NULL;
    p->result = sl_malloc(most * sl_type_size(call->operators.index->result));
    if (!p->start || !p->index || (A->values && !p->values) || !p->result)
        return cuda_no_host_memory(call->ctx);
    return sl_cuda_download(call->ctx, p->start, A->start, (A->nrows + 1) * sizeof *p->start);
}

/* The row of an entry: the last one that starts at or before it and is not empty. */
static uint64_t row_of(const host_piece *p, uint64_t entry)
{
    uint64_t low = 0, high = p->nrows; /* start[low] <= entry < start[high] */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (p->start[middle] <= entry)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Calls the operator for the entries [from, to) of the piece. */
static void call_operator(const host_piece *p, uint64_t from, uint64_t to)
{
    const sl_index_op op = p->call->operators.index;
    const size_t size = sl_type_size(op->type), result_size = sl_type_size(op->result);
    const void *thunk = sl_scalar_bytes(&p->call->scalar);
    uint64_t row = from < to ? row_of(p, p->first + from) : 0;
    for (uint64_t k = from; k < to; k++) {
        while (p->first + k >= p->start[row + 1])
            row++;
        const void *x = p->values ? (const char *)p->values + k * size : sl_scalar_bytes(&p->one);
        op->eval(p->result + k * result_size, x, (int64_t)row, (int64_t)p->index[k], thunk);
    }
}

static sl_status call_for_piece(host_piece *p, char *to, const cuda_rows *A)
{
    sl_context *ctx = p->call->ctx;
    const sl_index_op op = p->call->operators.index;
    const size_t size = sl_type_size(op->type), result_size = sl_type_size(op->result);
    CUDA_TRY(sl_cuda_download(ctx, p->index, A->index + p->first, p->count * sizeof *p->index));
    if (A->values)
        CUDA_TRY(sl_cuda_download(ctx, p->values, (const char *)A->values + p->first * size,
                                  p->count * size));
    CUDA_TRY(sl_cuda_wait(ctx, "entries for an operator on the host"));
    const uint64_t parts = (uint64_t)sl_context_threads(ctx);
#pragma omp parallel for num_threads(parts) if (p->count > SL_SERIAL_EDGES)
    for (uint64_t part = 0; part < parts; part++)
        call_operator(p, p->count * part / parts, p->count * (part + 1) / parts);
    return sl_cuda_upload(ctx, to + p->first * result_size, p->result, p->count * result_size);
}

sl_status sl_cuda_index_values_by_host(cuda_scratch *s, void *to, const cuda_rows *A)
{
    sl_call *call = s->call;
    cuda_rows x = *A;
    host_piece p;
    if (x.values)
        CUDA_TRY(sl_cuda_rows_cast(s, &x, call->operators.index->type));
    call->outcome.fell_back = true;
    call->outcome.note = "the host called the operator";
    sl_status status = make_piece(&p, call, &x);
    for (p.first = 0; p.first < x.nnz && status == SL_OK; p.first += p.count) {
        p.count = x.nnz - p.first < PIECE ? x.nnz - p.first : PIECE;
        status =
            sl_asks(call->ctx) ? sl_interrupted(call->ctx, sl_operation_name(call->op)) : SL_OK;
        if (status == SL_OK)
            status = call_for_piece(&p, to, &x);
    }
    const sl_status waited = sl_cuda_wait(call->ctx, "results of an operator on the host");
    free_piece(&p);
    return status == SL_OK ? waited : status;
}
