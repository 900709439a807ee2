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

/* Entries that are sorted at once: all, unless their scratch takes more than half of the memory that is free. */
static uint64_t segment_of(uint64_t nnz)
{
    enum { BYTES_PER_ENTRY = 20, FEWEST = 1 << 16 };
    const uint64_t most = sl_cuda_free_bytes() / 2 / BYTES_PER_ENTRY;
    const uint64_t segment = nnz < most ? nnz : most;
    return segment < FEWEST ? FEWEST : segment < UINT32_MAX ? segment : UINT32_MAX;
}

sl_status sl_cuda_transpose_rows(sl_context *ctx, uint64_t *t_start, uint32_t *t_index,
                                 void *t_values, const cuda_rows_to_transpose *from)
{
    const uint64_t segment = segment_of(from->nnz);
    size_t bytes;
    void *scratch;
    CUDA_TRY(sl_cuda_status(ctx, "scratch of a transpose",
                            sl_cuda_transpose_scratch(&bytes, from->ncols, from->nnz, segment)));
    CUDA_TRY(sl_cuda_alloc(ctx, &scratch, bytes));
    const cudaError_t error = sl_cuda_transpose(t_start, t_index, t_values, from, segment, scratch,
                                                bytes, cuda_processors(), cuda_stream());
    sl_cuda_free(scratch);
    return sl_cuda_status(ctx, "kernel transpose", error);
}

static sl_status fill(cuda_matrix *At, const sl_object *object, const cuda_matrix *A)
{
    const cuda_rows_to_transpose rows = {.start = A->start,
                                         .index = A->index,
                                         .values = A->values,
                                         .size = sl_type_size(object->type),
                                         .nrows = object->nrows,
                                         .ncols = object->ncols,
                                         .nnz = A->nnz};
    return sl_cuda_transpose_rows(object->ctx, At->start, At->index, At->values, &rows);
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
