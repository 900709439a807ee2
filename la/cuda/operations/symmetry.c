/* Whether the pattern of a matrix is symmetric, or the matrix equals its transpose. */
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/matrix_rows.h"

sl_status sl_cuda_draw_key(sl_context *ctx, uint64_t *key)
{
    return getrandom(key, sizeof *key, 0) == sizeof *key
               ? SL_OK
               : sl_fail(ctx, SL_IO, "no random numbers: %s", strerror(errno));
}

sl_status sl_cuda_sum_mirrors(uint64_t *sum, sl_context *ctx, const cuda_matrix_rows *rows,
                              sl_type type, const sl_local_blocks *row_blocks,
                              const sl_local_blocks *col_blocks, uint64_t key)
{
    unsigned long long *on_device, read = 0;
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&on_device, sizeof *on_device));
    sl_status status = sl_cuda_zero(ctx, on_device, sizeof *on_device);
    if (status == SL_OK)
        status =
            sl_cuda_status(ctx, "kernel mirror_sum",
                           sl_cuda_mirror_sum(rows, type, row_blocks, col_blocks, key, on_device));
    if (status == SL_OK)
        status = sl_cuda_fetch(ctx, "kernel mirror_sum", &read, on_device, sizeof read);
    sl_cuda_free(on_device);
    *sum = read;
    return status;
}

sl_status sl_cuda_find_mirrors(bool *have, sl_context *ctx, const cuda_matrix_rows *rows,
                               sl_type type)
{
    uint64_t key, sum;
    CUDA_TRY(sl_cuda_draw_key(ctx, &key));
    CUDA_TRY(sl_cuda_sum_mirrors(&sum, ctx, rows, type, NULL, NULL, key));
    *have = sum == 0;
    return SL_OK;
}

/* Whether each entry has a mirror entry, with the same bytes as its value if by_values. */
static sl_status has_mirrors(bool *has, const sl_object *object, const cuda_matrix *A,
                             bool by_values)
{
    const cuda_matrix_rows rows = {.start = A->start,
                                   .index = A->index,
                                   .values = by_values ? A->values : NULL,
                                   .size = sl_type_size(object->type),
                                   .nrows = object->nrows,
                                   .nnz = A->nnz};
    return sl_cuda_find_mirrors(has, object->ctx, &rows, SL_BOOL); /* compares bytes */
}

sl_status sl_cuda_is_symmetric(sl_call *call)
{
    bool symmetric = false;
    CUDA_TRY(has_mirrors(&symmetric, call->a, cuda_matrix_of(call->a), false));
    call->scalar = sl_scalar_bool(symmetric);
    return SL_OK;
}

sl_status sl_cuda_find_symmetry(const sl_object *object)
{
    sl_matrix *matrix = (sl_matrix *)object;
    const cuda_matrix *A = cuda_matrix_of(object);
    bool symmetric = false;
    if (matrix->symmetry != SL_SYMMETRY_UNKNOWN || object->ctx->of_rank || A->pinned ||
        !cuda_has_rows(A))
        return SL_OK;
    if (object->nrows == object->ncols)
        CUDA_TRY(has_mirrors(&symmetric, object, A, false));
    matrix->symmetry = symmetric ? SL_SYMMETRIC : SL_NOT_SYMMETRIC;
    return SL_OK;
}

sl_status sl_cuda_equals_transpose(bool *equals, const sl_object *object, const cuda_matrix *A)
{
    *equals = false;
    return object->nrows == object->ncols && !A->pinned ? has_mirrors(equals, object, A, true)
                                                        : SL_OK;
}
