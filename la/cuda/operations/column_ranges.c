/*
 * select by operators that keep the first or the last columns of each row, such as triangles of a
 * matrix: a search in each row, and a copy of what is kept. O(rows log(row) + entries kept).
 */
#include "cuda/operations/column_ranges.h"

#include "cuda/operations/matrix_kernels.h"

bool sl_cuda_selects_columns(const sl_call *call)
{
    const sl_index_op op = call->operators.index;
    return !op->user && (op->code == SL_INDEX_TRIL || op->code == SL_INDEX_TRIU ||
                         op->code == SL_INDEX_COLLE || op->code == SL_INDEX_COLGT);
}

/* Rows and columns have indices below 2^32, so a thunk beyond is as good as this one. */
static int64_t limited(int64_t thunk)
{
    const int64_t most = (int64_t)1 << 33;
    return thunk > most ? most : thunk < -most ? -most : thunk;
}

sl_status sl_cuda_select_columns(cuda_scratch *s, cuda_rows *T, const cuda_rows *A)
{
    const sl_call *call = s->call;
    const sl_index_op op = call->operators.index;
    const int64_t thunk = limited(sl_scalar_cast(call->scalar, SL_INT64).as.int64_);
    const size_t size = sl_type_size(A->type);
    const cuda_column_range r = {
        .nrows = A->nrows,
        .start = A->start,
        .index = A->index,
        .limit = op->code == SL_INDEX_TRIU ? thunk : thunk + 1,
        .diagonal = op->code == SL_INDEX_TRIL || op->code == SL_INDEX_TRIU,
        .last = op->code == SL_INDEX_TRIU || op->code == SL_INDEX_COLGT,
    };
    *T = *A;
    T->values = NULL;
    CUDA_TRY(sl_cuda_scratch_take(s, &T->start, (A->nrows + 1) * sizeof *T->start));
    CUDA_TRY(sl_cuda_zero(call->ctx, T->start, sizeof *T->start));
    CUDA_TRY(cuda_launched(s, "kernel range_lengths", sl_cuda_range_lengths(T->start + 1, &r)));
    CUDA_TRY(sl_cuda_sum(s, &T->nnz, T->start + 1, A->nrows));
    CUDA_TRY(sl_cuda_scratch_take(s, &T->index, T->nnz * sizeof *T->index));
    if (A->values)
        CUDA_TRY(sl_cuda_scratch_take(s, &T->values, T->nnz * size));
    return cuda_launched(
        s, "kernel copy_range",
        sl_cuda_copy_range(T->index, T->values, T->start, T->nnz, &r, A->values, size));
}
