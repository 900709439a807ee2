/*
 * Select and apply on a matrix by a user-defined index operator that only the host can call: it has
 * no source text, or its thunk is of a user-defined type that the device does not compute with, and
 * which may point to the program's memory.
 * The entries of the matrix visit the host in pieces, with their rows, columns and values, and the
 * context's threads call the operator; what it returns comes back, and the matrix stays on the device.
 */
#include "cuda/operations/host_index.h"
#include "cuda/operations/stored_calls.h"

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

/* The arrays of a visit before the one that the operator writes. */
enum { ROWS, COLUMNS, VALUES };

/* What the operator gets beside an entry. */
typedef struct {
    sl_index_op op;
    const void *thunk, *one; /* one: the value of the entries of a pattern */
} operator_call;

static void call_operator(const void *state, char *const *place, uint64_t first, uint64_t count)
{
    const operator_call *c = state;
    const sl_index_op op = c->op;
    const size_t size = sl_type_size(op->type), result_size = sl_type_size(op->result);
    const uint32_t *rows = (const uint32_t *)place[ROWS], *cols = (const uint32_t *)place[COLUMNS];
    (void)first;
    for (uint64_t k = 0; k < count; k++)
        op->eval(place[CUDA_RETURNED] + k * result_size,
                 place[VALUES] ? place[VALUES] + k * size : c->one, (int64_t)rows[k],
                 (int64_t)cols[k], c->thunk);
}

sl_status sl_cuda_index_values_by_host(cuda_scratch *s, void *to, const cuda_rows *A)
{
    sl_call *call = s->call;
    const sl_index_op op = call->operators.index;
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), op->type);
    const operator_call state = {op, sl_scalar_bytes(&call->scalar), sl_scalar_bytes(&one)};
    const int threads = A->nnz > SL_SERIAL_EDGES ? sl_context_threads(call->ctx) : 1;
    cuda_rows x = *A;
    uint32_t *rows;
    call->outcome.fell_back = true;
    call->outcome.note = "the host called the operator";
    CUDA_TRY(sl_cuda_rows_cast(s, &x, op->type));
    CUDA_TRY(sl_cuda_scratch_take(s, &rows, A->nnz * sizeof *rows));
    CUDA_TRY(cuda_launched(
        s, "kernel positions",
        sl_cuda_positions(rows, SL_INT32, true, A->start, A->index, A->nnz, A->nrows)));
    const cuda_visit visit = {
        .count = A->nnz,
        .array = {[ROWS] = {rows, sizeof *rows},
                  [COLUMNS] = {A->index, sizeof *A->index},
                  [VALUES] = {x.values, x.values ? sl_type_size(op->type) : 0},
                  [CUDA_RETURNED] = {to, sl_type_size(op->result)}},
        .function = call_operator,
        .state = &state,
        .operation = sl_operation_name(call->op)};
    return sl_cuda_visit(call->ctx, "entries for an operator on the host", &visit, threads);
}
