/* The Kronecker product: a kernel lists the pair of entries that each entry of the result comes
 * from, and the operator is applied to the gathered values. */
#include <inttypes.h>

#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/entry_kernels.h"
#include "cuda/operations/matrix_rows.h"

/* from[entry[e]] for each entry e of the product. */
static sl_status gather(cuda_scratch *s, void **to, const void *from, const uint64_t *entry,
                        sl_type type, uint64_t nnz)
{
    size_t size = sl_type_size(type);
    CUDA_TRY(sl_cuda_scratch_take(s, to, nnz * size));
    return cuda_launched(s, "kernel gather_partners",
                         sl_cuda_gather_partners(*to, from, entry, size, nnz));
}

/* Positional operators (firsti, ...): the row or column of one of the two entries. */
static sl_status positions(cuda_scratch *s, cuda_rows *T, const cuda_rows *A, const cuda_rows *B,
                           const cuda_kronecker *k)
{
    sl_binary_op op = s->call->operators.binary;
    bool first = op->code == SL_BINARY_FIRSTI || op->code == SL_BINARY_FIRSTJ;
    bool row = op->code == SL_BINARY_FIRSTI || op->code == SL_BINARY_SECONDI;
    const cuda_rows *of = first ? A : B;
    void *index;
    CUDA_TRY(sl_cuda_scratch_take(s, &index, of->nnz * sl_type_size(op->type)));
    CUDA_TRY(cuda_launched(
        s, "kernel positions",
        sl_cuda_positions(index, op->type, row, of->start, of->index, of->nnz, of->nrows)));
    return gather(s, &T->values, index, first ? k->a_entry : k->b_entry, op->type, T->nnz);
}

static sl_status combine(cuda_scratch *s, cuda_rows *T, const cuda_rows *A, const cuda_rows *B,
                         const cuda_kronecker *k)
{
    sl_binary_op op = s->call->operators.binary;
    cuda_rows a = *A, b = *B;
    void *x, *y;
    CUDA_TRY(sl_cuda_rows_cast(s, &a, op->type));
    CUDA_TRY(sl_cuda_rows_cast(s, &b, op->type_y));
    CUDA_TRY(sl_cuda_rows_fill(s, &a));
    CUDA_TRY(sl_cuda_rows_fill(s, &b));
    CUDA_TRY(gather(s, &x, a.values, k->a_entry, op->type, T->nnz));
    CUDA_TRY(gather(s, &y, b.values, k->b_entry, op->type_y, T->nnz));
    CUDA_TRY(sl_cuda_scratch_take(s, &T->values, T->nnz * sl_type_size(op->result)));
    cuda_ewise e = {.n = T->nnz, .values = T->values, .a_values = x, .b_values = y};
    return sl_cuda_combine(s, &e, op, (sl_scalar){0}, (sl_scalar){0});
}

static sl_status kronecker(cuda_scratch *s)
{
    const sl_call *call = s->call;
    bool turned = call->flags & SL_TRANSPOSE_B;
    cuda_rows A, B, T;
    CUDA_TRY(sl_cuda_rows_of(&A, call->a, call->flags & SL_TRANSPOSE_A));
    CUDA_TRY(sl_cuda_rows_of(&B, call->b, turned));
    T = (cuda_rows){.type = call->operators.binary->result, .nrows = call->out->nrows};
    if (__builtin_mul_overflow(A.nnz, B.nnz, &T.nnz) || T.nnz > UINT64_MAX / 8)
        return sl_fail(call->ctx, SL_NO_MEMORY,
                       "cuda: %" PRIu64 " times %" PRIu64 " entries of a Kronecker product", A.nnz,
                       B.nnz);
    cuda_kronecker k = {.a_rows = A.nrows,
                        .a_nnz = A.nnz,
                        .b_rows = B.nrows,
                        .b_cols = turned ? call->b->nrows : call->b->ncols,
                        .b_nnz = B.nnz,
                        .a_start = A.start,
                        .b_start = B.start,
                        .a_index = A.index,
                        .b_index = B.index};
    CUDA_TRY(sl_cuda_scratch_take(s, &T.start, (T.nrows + 1) * sizeof *T.start));
    CUDA_TRY(sl_cuda_scratch_take(s, &T.index, T.nnz * sizeof *T.index));
    CUDA_TRY(sl_cuda_scratch_take(s, &k.a_entry, T.nnz * sizeof *k.a_entry));
    CUDA_TRY(sl_cuda_scratch_take(s, &k.b_entry, T.nnz * sizeof *k.b_entry));
    k.start = T.start;
    k.index = T.index;
    CUDA_TRY(cuda_launched(s, "kernel kronecker", sl_cuda_kronecker_entries(&k)));
    CUDA_TRY((call->operators.binary->positional ? positions : combine)(s, &T, &A, &B, &k));
    return sl_cuda_write_rows(s, &T);
}

sl_status sl_cuda_kronecker_product(sl_call *call)
{
    cuda_scratch s = {.call = call};
    sl_status status = kronecker(&s);
    sl_cuda_scratch_release(&s);
    return status;
}
