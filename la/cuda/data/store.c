/* Device memory: a handle is a cuda_matrix or a cuda_vector. */
#include "store.h"

#include "layout.h"
#include "model.h"

enum { SLOT_CUDA = 1 };

void sl_cuda_forget_made(cuda_matrix *A)
{
    A->rows = CUDA_ROWS_UNKNOWN;
    sl_cuda_free(A->tile_rows);
    sl_cuda_free_prepared(A->prepared);
    sl_cuda_free_packed(A->packed);
    sl_cuda_free_matrix(A->transposed);
    sl_cuda_free_reordered_graph(A->layout);
    sl_free(A->model);
    A->tile_rows = NULL;
    A->range.known = false;
    A->prepared = NULL;
    A->packed = NULL;
    A->transposed = NULL;
    A->layout = NULL;
    A->model = NULL;
}

void sl_cuda_free_entries(cuda_matrix *A)
{
    void (*release)(void *memory) = A->far ? sl_cuda_free_pinned : sl_cuda_free;
    release(A->index);
    release(A->values);
    A->index = NULL;
    A->values = NULL;
}

void sl_cuda_free_matrix(cuda_matrix *A)
{
    if (!A)
        return;
    sl_cuda_forget_made(A);
    sl_cuda_free(A->start);
    sl_cuda_free_entries(A);
    sl_free(A);
}

static void release(const sl_object *object, void *handle)
{
    if (object->is_matrix)
        sl_cuda_free_matrix(handle);
    else
        sl_cuda_free_vector(handle);
}

static sl_status make_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz, bool values,
                             bool far)
{
    sl_status (*allocate)(sl_context *, void **, uint64_t) =
        far ? sl_cuda_alloc_pinned : sl_cuda_alloc;
    *made = NULL;
    if (object->nrows > UINT32_MAX || object->ncols > UINT32_MAX)
        return sl_fail(object->ctx, SL_UNSUPPORTED, "cuda: a matrix of 2^32 rows or columns");
    cuda_matrix *A = sl_calloc(1, sizeof *A);
    if (!A)
        return cuda_no_host_memory(object->ctx);
    A->nnz = nnz;
    A->far = far;
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

sl_status sl_cuda_new_far_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz,
                                 bool values)
{
    return make_matrix(made, object, nnz, values, true);
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
    CUDA_TRY(sl_cuda_new_list(&v, object));
    *handle = v;
    return SL_OK;
}

/* A layout is never written: both matrices have the one. */
static sl_status copy_ordered(cuda_matrix **made, const sl_object *object, const cuda_matrix *from)
{
    *made = sl_calloc(1, sizeof **made);
    if (!*made)
        return cuda_no_host_memory(object->ctx);
    **made = (cuda_matrix){
        .nnz = from->nnz, .serial = sl_cuda_serial(), .layout = from->layout, .ordered = true};
    from->layout->others++;
    return SL_OK;
}

sl_status sl_cuda_copy_matrix(cuda_matrix **made, const sl_object *object, const cuda_matrix *from)
{
    sl_context *ctx = object->ctx;
    cuda_matrix *A;
    if (from->ordered)
        return (from->layout ? copy_ordered : sl_cuda_copy_model)(made, object, from);
    CUDA_TRY(make_matrix(made, object, from->nnz, from->values != NULL, from->far));
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

static sl_status copy(void **handle, const sl_object *object, void *source)
{
    cuda_matrix *A;
    cuda_vector *v;
    if (object->is_matrix) {
        CUDA_TRY(sl_cuda_copy_matrix(&A, object, source));
        *handle = A;
    } else {
        CUDA_TRY(sl_cuda_copy_vector(&v, object, source));
        *handle = v;
    }
    return SL_OK;
}

static uint64_t bytes(const sl_object *object, void *handle)
{
    uint64_t size = sl_type_size(object->type);
    if (!object->is_matrix)
        return sl_cuda_vector_bytes(object, handle);
    const cuda_matrix *A = handle;
    if (A->ordered && !A->layout)
        return sizeof *A->model;
    if (A->ordered)
        return sl_cuda_reordered_bytes(A->layout->graph.n) + A->nnz * sizeof *A->index;
    return (object->nrows + 1) * sizeof *A->start +
           A->nnz * (sizeof *A->index + (A->values ? size : 0));
}

static void place(sl_placement *placement, const sl_object *matrix, void *handle)
{
    const cuda_matrix *A = handle;
    placement->ordered = A->ordered;
    if (!A->ordered) {
        const uint64_t start = (matrix->nrows + 1) * sizeof *A->start;
        const uint64_t entries = bytes(matrix, handle) - start;
        placement->device_bytes += A->far ? start : start + entries;
        placement->host_bytes += A->far ? entries : 0;
    }
    if (A->layout)
        sl_cuda_add_placement(placement, A->layout);
}

/* ---- to the world outside ------------------------------------------------------------ */

static sl_status lend(sl_vector_view *view, const sl_object *vector, void *handle)
{
    cuda_vector *v = handle;
    if (!v->full)
        CUDA_TRY(sl_cuda_make_bitmap(vector, v));
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
    .place = place,
};
