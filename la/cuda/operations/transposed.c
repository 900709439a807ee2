/* The transpose of a matrix, for products that traverse it in the other direction. It is
 * computed once and kept with the matrix. */
#include "matrix_rows.h"

static sl_status allocate(cuda_matrix *At, const sl_object *object, const cuda_matrix *A)
{
    sl_context *ctx = object->ctx;
    At->nnz = A->nnz;
    At->serial = sl_cuda_serial();
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&At->start, (object->ncols + 1) * sizeof *At->start));
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&At->index, A->nnz * sizeof *At->index));
    return A->values ? sl_cuda_alloc(ctx, &At->values, A->nnz * sl_type_size(object->type)) : SL_OK;
}

static sl_status fill(cuda_matrix *At, const sl_object *object, const cuda_matrix *A)
{
    sl_context *ctx = object->ctx;
    size_t bytes;
    void *scratch;
    CUDA_TRY(sl_cuda_status(ctx, "scratch of a transpose",
                            sl_cuda_transpose_scratch(&bytes, object->ncols, A->nnz)));
    CUDA_TRY(sl_cuda_alloc(ctx, &scratch, bytes));
    cudaError_t error = sl_cuda_transpose(
        At->start, At->index, At->values, A->start, A->index, A->values, sl_type_size(object->type),
        object->nrows, object->ncols, A->nnz, scratch, bytes, cuda_processors(), cuda_stream());
    sl_cuda_free(scratch);
    return sl_cuda_status(ctx, "kernel transpose", error);
}

sl_status sl_cuda_transposed(cuda_matrix **transposed, const sl_object *object, cuda_matrix *A)
{
    *transposed = A->transposed;
    if (A->transposed)
        return SL_OK;
    cuda_matrix *At = sl_calloc(1, sizeof *At);
    if (!At)
        return sl_fail(object->ctx, SL_NO_MEMORY, "cuda: out of host memory");
    sl_status status = allocate(At, object, A);
    if (status == SL_OK)
        status = fill(At, object, A);
    if (status == SL_OK)
        *transposed = A->transposed = At;
    else
        sl_cuda_free_matrix(At);
    return status;
}
