/* Element-wise operations, apply, select and transpose on matrices. Each computes a matrix T and
 * then writes it to the output through mask and accumulator (matrix_rows.h). */
#include "cuda/jit/jit.h"
#include "cuda/operations/column_ranges.h"
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/host_index.h"
#include "cuda/operations/matrix_rows.h"

/* Computes T, writes it to the output and releases the scratch. */
static sl_status compute(sl_call *call, sl_status (*of)(cuda_scratch *s, cuda_rows *T))
{
    cuda_scratch s = {.call = call};
    cuda_rows T;
    sl_status status = of(&s, &T);
    if (status == SL_OK)
        status = sl_cuda_write_rows(&s, &T);
    sl_cuda_scratch_release(&s);
    return status;
}

/* If a scalar is bound first, the matrix is the second input. */
static sl_status operand_a(const cuda_scratch *s, cuda_rows *A)
{
    unsigned flag = s->call->op == SL_OP_APPLY_FIRST ? SL_TRANSPOSE_B : SL_TRANSPOSE_A;
    return sl_cuda_rows_of(A, s->call->a, s->call->flags & flag);
}

static sl_status operand_b(const cuda_scratch *s, cuda_rows *B)
{
    return sl_cuda_rows_of(B, s->call->b, s->call->flags & SL_TRANSPOSE_B);
}

/* The input, without entries that the mask does not allow if these are most of them. */
static sl_status allowed_a(cuda_scratch *s, cuda_rows *A)
{
    CUDA_TRY(operand_a(s, A));
    return sl_cuda_rows_under_mask(s, A, A->nnz);
}

static sl_status allowed_b(cuda_scratch *s, cuda_rows *B)
{
    CUDA_TRY(operand_b(s, B));
    return sl_cuda_rows_under_mask(s, B, B->nnz);
}

/* ---- elementwise -------------------------------------------------------------- */

/* From the side of the operand that has fewer entries. */
static sl_status ewise_mult(cuda_scratch *s, cuda_rows *T)
{
    sl_binary_op op = s->call->operators.binary;
    cuda_rows A, B, both;
    uint64_t *partner;
    cuda_kept kept;
    CUDA_TRY(operand_a(s, &A));
    CUDA_TRY(operand_b(s, &B));
    CUDA_TRY(sl_cuda_rows_under_mask(s, &A, A.nnz < B.nnz ? A.nnz : B.nnz));
    const bool from_b = B.nnz < A.nnz;
    const cuda_rows *few = from_b ? &B : &A, *many = from_b ? &A : &B;
    CUDA_TRY(sl_cuda_rows_keep_matched(s, &partner, &kept, few, many, NULL, false));
    CUDA_TRY(sl_cuda_rows_combine(s, &both, op, few, many, partner, from_b));
    return sl_cuda_rows_filter(s, T, &both, &kept);
}

/* X with the values of entries that the other input lacks: cast, or combined with a scalar. */
static sl_status unmatched_values(cuda_scratch *s, cuda_rows *with, const cuda_rows *X, bool first)
{
    const sl_call *call = s->call;
    sl_binary_op op = call->operators.binary;
    cuda_rows x = *X;
    bool filled = call->op == SL_OP_EWISE_UNION;
    *with = *X;
    with->type = op->result;
    CUDA_TRY(sl_cuda_scratch_take(s, &with->values, X->nnz * sl_type_size(op->result)));
    if (filled && op->positional)
        return cuda_launched(
            s, "kernel positions",
            sl_cuda_positions(with->values, op->type,
                              op->code == SL_BINARY_FIRSTI || op->code == SL_BINARY_SECONDI,
                              X->start, X->index, X->nnz, X->nrows));
    CUDA_TRY(sl_cuda_rows_fill(s, &x));
    if (!filled)
        return cuda_launched(s, "kernel cast",
                             sl_cuda_cast(with->values, op->result, x.values, x.type, NULL, x.nnz));
    CUDA_TRY(sl_cuda_rows_cast(s, &x, first ? op->type : op->type_y));
    sl_scalar other =
        sl_scalar_cast(first ? call->beta : call->scalar, first ? op->type_y : op->type);
    cuda_ewise e = {.n = x.nnz,
                    .values = with->values,
                    .a_values = first ? x.values : NULL,
                    .b_values = first ? NULL : x.values};
    return sl_cuda_combine(s, &e, op, other, other);
}

static sl_status ewise_add(cuda_scratch *s, cuda_rows *T)
{
    sl_binary_op op = s->call->operators.binary;
    cuda_rows A, B, a, b;
    CUDA_TRY(allowed_a(s, &A));
    CUDA_TRY(allowed_b(s, &B));
    CUDA_TRY(unmatched_values(s, &a, &A, true));
    CUDA_TRY(unmatched_values(s, &b, &B, false));
    return sl_cuda_rows_add(s, T, op, &A, &B, &a, &b);
}

/* ---- apply, select, transpose --------------------------------------------------- */

/* Sets T to A with a new array of the result's type, to be written; *values: A's values in the
 * operator's type. */
static sl_status prepare(cuda_scratch *s, cuda_rows *T, const void **values, sl_type type,
                         sl_type result)
{
    cuda_rows A;
    CUDA_TRY(allowed_a(s, &A));
    CUDA_TRY(sl_cuda_rows_cast(s, &A, type));
    CUDA_TRY(sl_cuda_rows_fill(s, &A));
    *T = A;
    *values = A.values;
    T->type = result;
    return sl_cuda_scratch_take(s, &T->values, A.nnz * sl_type_size(result));
}

static sl_status apply_unary(cuda_scratch *s, cuda_rows *T)
{
    sl_unary_op op = s->call->operators.unary;
    const void *values;
    cuda_compiled made;
    if (op->code == SL_UNARY_ONE) { /* the result is a pattern */
        CUDA_TRY(allowed_a(s, T));
        T->values = NULL;
        T->type = op->type;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_compile_apply(s->call->ctx, &made, op));
    CUDA_TRY(prepare(s, T, &values, op->type, op->result));
    return cuda_launched(
        s, "kernel apply",
        sl_cuda_apply(T->values, values, NULL, op->type, (int)op->code, &made, T->nnz));
}

static sl_status apply_bound(cuda_scratch *s, cuda_rows *T)
{
    const sl_call *call = s->call;
    sl_binary_op op = call->operators.binary;
    const void *values;
    bool first = call->op == SL_OP_APPLY_FIRST;
    sl_scalar scalar = sl_scalar_cast(call->scalar, first ? op->type : op->type_y);
    CUDA_TRY(prepare(s, T, &values, first ? op->type_y : op->type, op->result));
    if (op->positional)
        return cuda_launched(
            s, "kernel positions",
            sl_cuda_positions(T->values, op->type,
                              op->code == SL_BINARY_FIRSTI || op->code == SL_BINARY_SECONDI,
                              T->start, T->index, T->nnz, T->nrows));
    cuda_ewise e = {.n = T->nnz,
                    .values = T->values,
                    .a_values = first ? NULL : values,
                    .b_values = first ? values : NULL};
    return sl_cuda_combine(s, &e, op, scalar, scalar);
}

/* The result of an index operator for each entry of A. */
static sl_status index_values(cuda_scratch *s, void *to, const cuda_rows *A)
{
    const sl_call *call = s->call;
    if (sl_cuda_calls_on_host(call))
        return sl_cuda_index_values_by_host(s, to, A);
    sl_index_op op = call->operators.index;
    sl_scalar thunk = sl_scalar_cast(call->scalar, op->type_thunk);
    cuda_compiled made;
    cuda_rows x = *A;
    CUDA_TRY(sl_cuda_compile_index(call->ctx, &made, op, true));
    if (!op->positional) {
        CUDA_TRY(sl_cuda_rows_cast(s, &x, op->type));
        CUDA_TRY(sl_cuda_rows_fill(s, &x));
    }
    if (op->positional || op->user)
        return cuda_launched(
            s, "kernel index_entries",
            sl_cuda_index_entries(to, op->result,
                                  &(cuda_matrix_rows){.start = A->start,
                                                      .index = A->index,
                                                      .values = op->positional ? NULL : x.values,
                                                      .nrows = A->nrows,
                                                      .nnz = A->nnz},
                                  (int)op->code, &thunk.as, &made));
    const cuda_index_apply e = {.n = A->nnz,
                                .to = to,
                                .result = SL_BOOL,
                                .from = x.values,
                                .type = op->type,
                                .code = (int)op->code,
                                .thunk = &thunk.as,
                                .made = made};
    return cuda_launched(s, "kernel apply_index", sl_cuda_apply_index(&e));
}

static sl_status apply_indexed(cuda_scratch *s, cuda_rows *T)
{
    sl_type result = s->call->operators.index->result;
    void *values;
    CUDA_TRY(allowed_a(s, T));
    CUDA_TRY(sl_cuda_scratch_take(s, &values, T->nnz * sl_type_size(result)));
    CUDA_TRY(index_values(s, values, T));
    T->values = values;
    T->type = result;
    return SL_OK;
}

static sl_status select_entries(cuda_scratch *s, cuda_rows *T)
{
    cuda_rows A;
    bool *flag;
    CUDA_TRY(allowed_a(s, &A));
    if (sl_cuda_selects_columns(s->call))
        return sl_cuda_select_columns(s, T, &A);
    CUDA_TRY(sl_cuda_scratch_take(s, &flag, A.nnz * sizeof *flag));
    CUDA_TRY(index_values(s, flag, &A));
    return sl_cuda_rows_keep_flagged(s, T, &A, flag);
}

static sl_status transpose(cuda_scratch *s, cuda_rows *T)
{
    return sl_cuda_rows_of(T, s->call->a, !(s->call->flags & SL_TRANSPOSE_A));
}

/* ---- dispatch -------------------------------------------------------------------------- */

sl_status sl_cuda_map_matrix(sl_call *call)
{
    switch (call->op) {
    case SL_OP_EWISE_MULT:
        return compute(call, ewise_mult);
    case SL_OP_EWISE_ADD:
    case SL_OP_EWISE_UNION:
        return compute(call, ewise_add);
    case SL_OP_APPLY:
        return compute(call, apply_unary);
    case SL_OP_APPLY_FIRST:
    case SL_OP_APPLY_SECOND:
        return compute(call, apply_bound);
    case SL_OP_APPLY_INDEX:
        return compute(call, apply_indexed);
    case SL_OP_SELECT:
        return compute(call, select_entries);
    default:
        return compute(call, transpose);
    }
}
