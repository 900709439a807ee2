/* Matrices on the device: made, copied, freed, and transferred to and from host arrays. Column
 * indices are 32 bits on the device and 64 on the host. */
#include "cuda/data/device_matrix.h"

/* ---- making and freeing ------------------------------------------------------------------- */

void sl_cuda_free_entries(cuda_matrix *A)
{
    void (*release)(void *memory) = A->pinned ? sl_cuda_free_pinned : sl_cuda_free;
    release(A->index);
    release(A->values);
    A->index = NULL;
    A->values = NULL;
}

void sl_cuda_free_matrix(cuda_matrix *A)
{
    if (!A)
        return;
    sl_cuda_drop_all_derived(&A->derived);
    sl_cuda_free(A->start);
    sl_cuda_free_entries(A);
    sl_free(A);
}

static sl_status make_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz, bool values,
                             bool pinned)
{
    sl_status (*allocate)(sl_context *, void **, uint64_t) =
        pinned ? sl_cuda_alloc_pinned : sl_cuda_alloc;
    *made = NULL;
    if (object->nrows > UINT32_MAX || object->ncols > UINT32_MAX)
        return sl_fail(object->ctx, SL_UNSUPPORTED,
                       "cuda: the matrix has 2^32 or more rows or columns; fewer are supported");
    cuda_matrix *A = sl_calloc(1, sizeof *A);
    if (!A)
        return cuda_no_host_memory(object->ctx);
    A->nnz = nnz;
    A->pinned = pinned;
    A->serial = sl_cuda_serial();
    sl_context *ctx = object->ctx;
    sl_status status =
        sl_cuda_alloc(ctx, (void **)&A->start, (object->nrows + 1) * sizeof *A->start);
    if (status == SL_OK)
        status = allocate(ctx, (void **)&A->index, nnz * sizeof *A->index);
    if (status == SL_OK && values)
        status = allocate(ctx, &A->values, nnz * sl_type_size(object->type));
    if (status == SL_OK)
        *made = A;
    else
        sl_cuda_free_matrix(A);
    return status;
}

sl_status sl_cuda_new_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz, bool values)
{
    return make_matrix(made, object, nnz, values, false);
}

sl_status sl_cuda_new_pinned_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz,
                                    bool values)
{
    return make_matrix(made, object, nnz, values, true);
}

sl_status sl_cuda_new_formed_matrix(cuda_matrix **made, const sl_object *object,
                                    const cuda_matrix_form *form, uint64_t nnz)
{
    *made = sl_calloc(1, sizeof **made);
    if (!*made)
        return cuda_no_host_memory(object->ctx);
    **made = (cuda_matrix){.nnz = nnz, .serial = sl_cuda_serial(), .form = form};
    return SL_OK;
}

sl_status sl_cuda_copy_matrix(cuda_matrix **made, const sl_object *object, const cuda_matrix *from)
{
    sl_context *ctx = object->ctx;
    cuda_matrix *A;
    CUDA_TRY(make_matrix(made, object, from->nnz, from->values != NULL, from->pinned));
    A = *made;
    sl_status status =
        sl_cuda_copy(ctx, A->start, from->start, (object->nrows + 1) * sizeof *A->start);
    if (status == SL_OK)
        status = sl_cuda_copy(ctx, A->index, from->index, A->nnz * sizeof *A->index);
    if (status == SL_OK && A->values)
        status = sl_cuda_copy(ctx, A->values, from->values, A->nnz * sl_type_size(object->type));
    if (status != SL_OK) {
        sl_cuda_free_matrix(A);
        *made = NULL;
    }
    return status;
}

/* The scratch of a search with levels, four vectors with values of 8 bytes and their bitmaps. */
uint64_t sl_cuda_search_reserve_bytes(uint64_t old_n, uint64_t n)
{
    return n * (4 * sizeof(uint32_t) + sizeof(uint64_t)) + old_n * 4 * sizeof(uint64_t) +
           old_n / 2 + RESERVE_MIN_BYTES;
}

/* ---- to the host ----------------------------------------------------------------- */

sl_status sl_cuda_export_matrix(sl_csr *csr, const sl_object *object, const cuda_matrix *A)
{
    sl_context *ctx = object->ctx;
    uint64_t size = sl_type_size(object->type);
    csr->start = sl_malloc((object->nrows + 1) * sizeof *csr->start);
    csr->index = sl_malloc(A->nnz * sizeof *csr->index);
    csr->values = A->values ? sl_malloc(A->nnz * size) : NULL;
    if (!csr->start || !csr->index || (A->values && !csr->values))
        return cuda_no_host_memory(object->ctx);
    CUDA_TRY(sl_cuda_download(ctx, csr->start, A->start, (object->nrows + 1) * sizeof *csr->start));
    CUDA_TRY(sl_cuda_download_widened(ctx, csr->index, A->index, A->nnz));
    if (A->values)
        CUDA_TRY(sl_cuda_download(ctx, csr->values, A->values, A->nnz * size));
    return sl_cuda_wait(ctx, "export of a matrix");
}

/* ---- from the host ------------------------------------------------------------------ */

sl_status sl_cuda_import_matrix(const sl_object *object, cuda_matrix *A, const sl_csr *csr)
{
    sl_context *ctx = object->ctx;
    CUDA_TRY(sl_cuda_upload(ctx, A->start, csr->start, (object->nrows + 1) * sizeof *A->start));
    CUDA_TRY(sl_cuda_upload_narrowed(ctx, A->index, csr->index, A->nnz));
    if (A->values)
        CUDA_TRY(sl_cuda_upload(ctx, A->values, csr->values, A->nnz * sl_type_size(object->type)));
    return SL_OK;
}
