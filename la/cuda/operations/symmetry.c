/* Whether the pattern of a matrix is symmetric, or the matrix equals its transpose. */
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/matrix_rows.h"

/* Whether each entry has a mirror entry, with the same bytes as its value if by_values.
 * O(entries log(longest row)); ends soon if one has none. Waits. */
static sl_status has_mirrors(bool *has, const sl_object *object, const cuda_matrix *A,
                             bool by_values)
{
    const cuda_matrix_rows rows = {.start = A->start,
                                   .index = A->index,
                                   .values = by_values ? A->values : NULL,
                                   .size = sl_type_size(object->type),
                                   .nrows = object->nrows,
                                   .nnz = A->nnz};
    cuda_mirrors *found, read;
    CUDA_TRY(sl_cuda_alloc(object->ctx, (void **)&found, sizeof *found));
    sl_status status = sl_cuda_zero(object->ctx, found, sizeof *found);
    if (status == SL_OK) /* of type bool: values are compared by their bytes */
        status = sl_cuda_status(object->ctx, "kernel compare_mirrors",
                                sl_cuda_compare_mirrors(&rows, SL_BOOL, found));
    if (status == SL_OK)
        status = sl_cuda_fetch(object->ctx, "kernel compare_mirrors", &read, found, sizeof read);
    sl_cuda_free(found);
    if (status == SL_OK)
        *has = !read.differs && read.balance == 0;
    return status;
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
