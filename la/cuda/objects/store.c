/* Device memory: a handle is a cuda_matrix or a cuda_vector. */
#include "ahead.h"
#include "layout.h"
#include "store.h"

enum { SLOT_CUDA = 1 };

void sl_cuda_forget_made(cuda_matrix *A)
{
    sl_cuda_free(A->tile_rows);
    sl_cuda_free_prepared(A->prepared);
    sl_cuda_free_packed(A->packed);
    sl_cuda_free_matrix(A->transposed);
    sl_cuda_free_layout(A->layout);
    A->tile_rows = NULL;
    A->prepared = NULL;
    A->packed = NULL;
    A->transposed = NULL;
    A->layout = NULL;
}

void sl_cuda_free_matrix(cuda_matrix *A)
{
    if (!A)
        return;
    sl_cuda_forget_made(A);
    sl_cuda_free(A->start);
    sl_cuda_free(A->index);
    sl_cuda_free(A->values);
    sl_free(A);
}

void sl_cuda_free_vector(cuda_vector *v)
{
    if (!v)
        return;
    sl_cuda_forget_owed(v);
    sl_cuda_drop_survey(v);
    sl_cuda_free(v->bits);
    sl_cuda_free(v->values);
    sl_free(v);
}

static void release(const sl_object *object, void *handle)
{
    if (object->is_matrix)
        sl_cuda_free_matrix(handle);
    else
        sl_cuda_free_vector(handle);
}

sl_status sl_cuda_new_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz, bool values)
{
    *made = NULL;
    if (object->nrows > UINT32_MAX || object->ncols > UINT32_MAX)
        return sl_fail(object->ctx, SL_UNSUPPORTED, "cuda: a matrix of 2^32 rows or columns");
    cuda_matrix *A = sl_calloc(1, sizeof *A);
    if (!A)
        return cuda_no_host_memory(object->ctx);
    A->nnz = nnz;
    A->serial = sl_cuda_serial();
    sl_context *ctx = object->ctx;
    sl_status status =
        sl_cuda_alloc(ctx, (void **)&A->start, (object->nrows + 1) * sizeof *A->start);
    if (status == SL_OK)
        status = sl_cuda_alloc(ctx, (void **)&A->index, nnz * sizeof *A->index);
    if (status == SL_OK && values)
        status = sl_cuda_alloc(ctx, &A->values, nnz * sl_type_size(object->type));
    if (status == SL_OK)
        *made = A;
    else
        sl_cuda_free_matrix(A);
    return status;
}

sl_status sl_cuda_new_vector(cuda_vector **made, const sl_object *object)
{
    *made = NULL;
    cuda_vector *v = sl_calloc(1, sizeof *v);
    if (!v)
        return cuda_no_host_memory(object->ctx);
    sl_context *ctx = object->ctx;
    uint64_t bits = cuda_words(object->nrows) * sizeof *v->bits;
    sl_status status = sl_cuda_alloc(ctx, (void **)&v->bits, bits);
    if (status == SL_OK)
        status = sl_cuda_alloc(ctx, &v->values, object->nrows * sl_type_size(object->type));
    if (status == SL_OK)
        status = sl_cuda_zero(ctx, v->bits, bits);
    if (status == SL_OK)
        *made = v;
    else
        sl_cuda_free_vector(v);
    return status;
}

/* Hands a handle out, or after a failure releases it. */
static sl_status finish(void **handle, const sl_object *object, void *made, sl_status status)
{
    if (status == SL_OK)
        *handle = made;
    else
        release(object, made);
    return status;
}

static sl_status create(void **handle, const sl_object *object)
{
    sl_context *ctx = object->ctx;
    if (object->is_matrix) {
        cuda_matrix *A;
        CUDA_TRY(sl_cuda_new_matrix(&A, object, 0, false));
        return finish(handle, object, A,
                      sl_cuda_zero(ctx, A->start, (object->nrows + 1) * sizeof *A->start));
    }
    cuda_vector *v;
    CUDA_TRY(sl_cuda_new_vector(&v, object));
    *handle = v;
    return SL_OK;
}

static sl_status copy(void **handle, const sl_object *object, void *source)
{
    sl_context *ctx = object->ctx;
    uint64_t size = sl_type_size(object->type);
    if (object->is_matrix) {
        const cuda_matrix *from = source;
        cuda_matrix *A;
        CUDA_TRY(sl_cuda_new_matrix(&A, object, from->nnz, from->values != NULL));
        sl_status status =
            sl_cuda_copy(ctx, A->start, from->start, (object->nrows + 1) * sizeof *A->start);
        if (status == SL_OK)
            status = sl_cuda_copy(ctx, A->index, from->index, A->nnz * sizeof *A->index);
        if (status == SL_OK && A->values)
            status = sl_cuda_copy(ctx, A->values, from->values, A->nnz * size);
        return finish(handle, object, A, status);
    }
    cuda_vector *from = source, *v;
    CUDA_TRY(sl_cuda_settle(object, from));
    CUDA_TRY(sl_cuda_new_vector(&v, object));
    v->nvals = from->nvals;
    sl_status status =
        sl_cuda_copy(ctx, v->bits, from->bits, cuda_words(object->nrows) * sizeof *v->bits);
    if (status == SL_OK) /* a cast to the same type leaves out what was never written */
        status = sl_cuda_status(ctx, "kernel cast",
                                sl_cuda_cast(v->values, object->type, from->values, object->type,
                                             from->bits, object->nrows,
                                             sl_cuda_device()->multiprocessors,
                                             sl_cuda_device()->stream));
    return finish(handle, object, v, status);
}

static uint64_t bytes(const sl_object *object, void *handle)
{
    uint64_t size = sl_type_size(object->type);
    if (!object->is_matrix)
        return cuda_words(object->nrows) * sizeof(uint32_t) + object->nrows * size;
    const cuda_matrix *A = handle;
    return (object->nrows + 1) * sizeof *A->start +
           A->nnz * (sizeof *A->index + (A->values ? size : 0));
}

/* ---- to the world outside ------------------------------------------------------------ */

static sl_status lend(sl_vector_view *view, const sl_object *vector, void *handle)
{
    cuda_vector *v = handle;
    CUDA_TRY(sl_cuda_settle(vector, v));
    CUDA_TRY(sl_cuda_count_entries(vector, v));
    CUDA_TRY(sl_cuda_wait(vector->ctx, "lend"));
    view->device = sl_cuda_device()->number;
    view->stream = sl_cuda_device()->stream;
    view->nvals = v->nvals;
    view->values = v->values;
    view->present = v->nvals < vector->nrows ? v->bits : NULL;
    return SL_OK;
}

const sl_store sl_store_cuda = {
    .name = "cuda",
    .slot = SLOT_CUDA,
    .memory = SL_MEMORY_CUDA,
    .create = create,
    .copy = copy,
    .release = release,
    .bytes = bytes,
    .export_arrays = sl_cuda_export,
    .import_arrays = sl_cuda_import,
    .lend = lend,
};
