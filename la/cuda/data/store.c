/*
 * The store of the CUDA engine: objects in device memory. A handle is a cuda_matrix or a
 * cuda_vector. A matrix has rows in the caller's order, or another form (cuda_matrix_form) whose
 * folder says how it is copied and exported.
 */
#include "cuda/data/device_vector.h"
#include "cuda/data/stored_type.h"

static void release(const sl_object *object, void *handle)
{
    if (object->is_matrix)
        sl_cuda_free_matrix(handle);
    else
        sl_cuda_free_vector(handle);
}

/* Returns the new object by *handle, or releases it after a failure. */
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

static sl_status copy_matrix(cuda_matrix **made, const sl_object *object, const cuda_matrix *from)
{
    return (cuda_has_rows(from) ? sl_cuda_copy_matrix : from->form->copy)(made, object, from);
}

static sl_status copy(void **handle, const sl_object *object, void *source)
{
    const sl_object stored = cuda_stored_object(object);
    cuda_matrix *A;
    cuda_vector *v;
    if (object->is_matrix) {
        CUDA_TRY(copy_matrix(&A, &stored, source));
        *handle = A;
    } else {
        CUDA_TRY(sl_cuda_finish_writes(object->ctx, source));
        CUDA_TRY(sl_cuda_write_values(&stored, source));
        CUDA_TRY(sl_cuda_copy_vector(&v, &stored, source));
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
    if (!cuda_has_rows(A))
        return A->form->bytes(A);
    return (object->nrows + 1) * sizeof *A->start +
           A->nnz * (sizeof *A->index + (A->values ? size : 0));
}

static uint64_t entries(const sl_object *object, void *handle)
{
    if (object->is_matrix)
        return ((const cuda_matrix *)handle)->nnz;
    const cuda_vector *v = handle;
    return v->nvals == CUDA_UNKNOWN ? object->nrows : v->nvals;
}

static bool is_counted(const sl_object *object, void *handle)
{
    return object->is_matrix || ((const cuda_vector *)handle)->nvals != CUDA_UNKNOWN;
}

static void place(sl_placement *placement, const sl_object *matrix, void *handle)
{
    const cuda_matrix *A = handle;
    placement->ordered = !cuda_has_rows(A);
    if (cuda_has_rows(A)) {
        const uint64_t start = (matrix->nrows + 1) * sizeof *A->start;
        const uint64_t entries = bytes(matrix, handle) - start;
        placement->device_bytes += A->pinned ? start : start + entries;
        placement->host_bytes += A->pinned ? entries : 0;
    }
    sl_cuda_place_derived(placement, A->derived);
}

/* ---- transfer ------------------------------------------------------------------------ */

static void free_arrays(sl_csr *csr)
{
    sl_free(csr->start);
    sl_free(csr->index);
    sl_free(csr->values);
    csr->start = csr->index = NULL;
    csr->values = NULL;
}

static sl_status export_matrix(sl_csr *csr, const sl_object *object, const cuda_matrix *A)
{
    return (cuda_has_rows(A) ? sl_cuda_export_matrix : A->form->export_rows)(csr, object, A);
}

/* A matrix whose stored values are all 1 has no array of values; as values of a user-defined type
 * they are written. */
static sl_status write_ones(sl_csr *csr, const sl_object *stored)
{
    const uint64_t count = csr->start[csr->nrows];
    const size_t size = sl_type_size(stored->type);
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), stored->type);
    csr->values = sl_malloc(count * size);
    if (!csr->values)
        return cuda_no_host_memory(stored->ctx);
    for (uint64_t k = 0; k < count; k++)
        memcpy((char *)csr->values + k * size, &one.as, size);
    return SL_OK;
}

/* The values of a vector as arrays in the caller's order. */
static sl_status bring_to_caller(const sl_object *vector, cuda_vector *v)
{
    CUDA_TRY(sl_cuda_finish_writes(vector->ctx, v));
    CUDA_TRY(sl_cuda_bring_into_order(vector, v, NULL));
    return sl_cuda_write_values(vector, v);
}

static sl_status export_arrays(sl_csr *csr, const sl_object *object, void *handle)
{
    const sl_object stored = cuda_stored_object(object);
    *csr = (sl_csr){.nrows = object->is_matrix ? object->nrows : 1,
                    .ncols = object->is_matrix ? object->ncols : object->nrows,
                    .type = object->type};
    sl_status status = object->is_matrix ? SL_OK : bring_to_caller(&stored, handle);
    if (status == SL_OK)
        status = object->is_matrix ? export_matrix(csr, &stored, handle)
                                   : sl_cuda_export_vector(csr, &stored, handle);
    if (status == SL_OK && !csr->values && stored.type != object->type)
        status = write_ones(csr, &stored);
    if (status != SL_OK)
        free_arrays(csr);
    return status;
}

/*
 * If there is no room on the device for the matrix, a search of it and some vectors, index and
 * values go to pinned host memory, which kernels read over the bus; a reordered graph of it keeps
 * on the device what fits (reorder/column_storage.c). Small matrices are not checked, as asking for the
 * free memory takes time.
 */
static sl_status new_matrix(cuda_matrix **A, const sl_object *object, const sl_csr *csr)
{
    const uint64_t n = object->nrows, nnz = csr->start[n];
    const uint64_t each = sizeof(uint32_t) + (csr->values ? sl_type_size(object->type) : 0);
    CUDA_TRY(sl_cuda_read_limit(object->ctx));
    const bool asks = sl_cuda_is_limited() || nnz * each >= RESERVE_MIN_BYTES;
    const bool fits =
        !asks || sl_cuda_make_room(object->ctx, n * sizeof(uint64_t) + nnz * each +
                                                    sl_cuda_search_reserve_bytes(n, n));
    return (fits ? sl_cuda_new_matrix : sl_cuda_new_pinned_matrix)(A, object, nnz,
                                                                   csr->values != NULL);
}

static sl_status import_stored(void **handle, const sl_object *object, sl_csr *csr)
{
    cuda_matrix *A = NULL;
    cuda_vector *v = NULL;
    if (object->is_matrix)
        CUDA_TRY(new_matrix(&A, object, csr));
    else
        CUDA_TRY(sl_cuda_new_list(&v, object));
    sl_status status =
        A ? sl_cuda_import_matrix(object, A, csr) : sl_cuda_import_vector(object, v, csr);
    /* The queued copies read the host's arrays. */
    sl_status waited = v && cuda_is_host_list(v) ? SL_OK : sl_cuda_wait(object->ctx, "import");
    if (status == SL_OK)
        status = waited;
    if (status != SL_OK) {
        sl_cuda_free_matrix(A);
        sl_cuda_free_vector(v);
        return status;
    }
    *handle = A ? (void *)A : (void *)v;
    free_arrays(csr);
    return SL_OK;
}

static sl_status import_arrays(void **handle, const sl_object *object, sl_csr *csr)
{
    const sl_object stored = cuda_stored_object(object);
    sl_cuda_begin_call(); /* what the last call has used may be freed */
    const sl_status status = import_stored(handle, &stored, csr);
    sl_cuda_end_call();
    return status;
}

/* ---- views of vectors for other libraries ------------------------------------------------ */

static sl_status lend(sl_vector_view *view, const sl_object *vector, void *handle)
{
    const sl_object stored = cuda_stored_object(vector);
    cuda_vector *v = handle;
    CUDA_TRY(bring_to_caller(&stored, v));
    if (!v->full)
        CUDA_TRY(sl_cuda_make_bitmap(&stored, v));
    CUDA_TRY(sl_cuda_count_entries(&stored, v));
    CUDA_TRY(sl_cuda_wait(vector->ctx, "lend"));
    v->lent = true;
    view->device = sl_cuda_device()->number;
    view->stream = sl_cuda_device()->stream;
    view->nvals = v->nvals;
    view->values = v->values;
    view->present = v->nvals < vector->nrows ? v->bits : NULL;
    return SL_OK;
}

const sl_store sl_store_cuda = {
    .name = "cuda",
    .slot = SL_SLOT_CUDA,
    .memory = SL_MEMORY_CUDA,
    .create = create,
    .copy = copy,
    .release = release,
    .bytes = bytes,
    .entries = entries,
    .is_counted = is_counted,
    .export_arrays = export_arrays,
    .import_arrays = import_arrays,
    .lend = lend,
    .place = place,
};
