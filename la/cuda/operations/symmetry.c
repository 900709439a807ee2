/* Whether the pattern of a matrix is symmetric, or the matrix equals its transpose. */
#include <semla/mirrors.h>

#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/matrix_rows.h"

sl_status sl_cuda_add_mirrors(sl_mirrors *m, sl_context *ctx, const cuda_matrix_rows *rows,
                              sl_type type)
{
    unsigned long long *sum, read = 0;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&sum, sizeof *sum));
    sl_status status = sl_cuda_zero(ctx, sum, sizeof *sum);
    if (status == SL_OK)
        status = sl_cuda_status(ctx, "kernel mirror_sum",
                                sl_cuda_mirror_sum(rows, type, m->rows, m->cols, m->key, sum));
    if (status == SL_OK)
        status = sl_cuda_fetch(ctx, "kernel mirror_sum", &read, sum, sizeof read);
    sl_cuda_free(sum);
    m->sum = read;
    return status;
}

sl_status sl_cuda_find_mirrors(bool *have, sl_context *ctx, const cuda_matrix_rows *rows,
                               sl_type type)
{
    sl_mirrors m = {.key = 0};
    CUDA_TRY(sl_draw_key(&m.key, ctx, "symmetry of a matrix"));
    CUDA_TRY(sl_cuda_add_mirrors(&m, ctx, rows, type));
    *have = m.sum == 0;
    return SL_OK;
}

sl_status sl_cuda_sum_mirrors(sl_call *call)
{
    cuda_matrix_rows rows = sl_cuda_view_matrix(call->a, cuda_matrix_of(call->a));
    rows.values = NULL;
    return sl_cuda_add_mirrors(call->mirrors, call->ctx, &rows, SL_BOOL);
}

sl_status sl_cuda_find_symmetry(const sl_object *object)
{
    const cuda_matrix *A = cuda_matrix_of(object);
    return object->ctx->of_rank || A->pinned || !cuda_has_rows(A)
               ? SL_OK
               : sl_find_symmetry((sl_matrix *)object, sl_cuda_sum_mirrors);
}

sl_status sl_cuda_equals_transpose(bool *equals, const sl_object *object, const cuda_matrix *A)
{
    const cuda_matrix_rows rows = sl_cuda_view_matrix(object, A);
    *equals = false;
    return object->nrows == object->ncols && !A->pinned
               ? sl_cuda_find_mirrors(equals, object->ctx, &rows, SL_BOOL) /* compares bytes */
               : SL_OK;
}
