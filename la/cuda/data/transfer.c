/*
 * Contents from device to host and back. Work is queued in one stream, and arrays of
 * the host are given back or handed out after it was waited for.
 */
#include <string.h>

#include "layout.h"
#include "model.h"
#include "rows.h"
#include "store.h"

static void free_arrays(sl_csr *csr)
{
    sl_free(csr->start);
    sl_free(csr->index);
    sl_free(csr->values);
    csr->start = csr->index = NULL;
    csr->values = NULL;
}

/* ---- to the host ----------------------------------------------------------------- */

/* Column indices, which come in 32 bits, into the upper half of their new_id, and
 * from there, ascending, each to its own: no new_id is written before it was read. */
static void widen(uint64_t *index, uint64_t count)
{
    const char *from = (const char *)index + count * sizeof(uint32_t);
    for (uint64_t k = 0; k < count; k++) {
        uint32_t narrow;
        memcpy(&narrow, from + k * sizeof narrow, sizeof narrow);
        index[k] = narrow;
    }
}

static sl_status export_matrix(sl_csr *csr, const sl_object *object, const cuda_matrix *A);

/* One that has to be made first. */
static sl_status export_model(sl_csr *csr, const sl_object *object, const cuda_matrix *A)
{
    cuda_matrix *made;
    CUDA_TRY(sl_cuda_remake(&made, object, A));
    sl_status status = export_matrix(csr, object, made);
    sl_cuda_free_matrix(made);
    return status;
}

static sl_status export_matrix(sl_csr *csr, const sl_object *object, const cuda_matrix *A)
{
    sl_context *ctx = object->ctx;
    uint64_t size = sl_type_size(object->type);
    if (A->ordered)
        return (A->layout ? sl_cuda_export_ordered : export_model)(csr, object, A);
    csr->start = sl_malloc((object->nrows + 1) * sizeof *csr->start);
    csr->index = sl_malloc(A->nnz * sizeof *csr->index);
    csr->values = A->values ? sl_malloc(A->nnz * size) : NULL;
    if (!csr->start || !csr->index || (A->values && !csr->values))
        return cuda_no_host_memory(object->ctx);
    CUDA_TRY(sl_cuda_download(ctx, csr->start, A->start, (object->nrows + 1) * sizeof *csr->start));
    CUDA_TRY(sl_cuda_copy(ctx, (char *)csr->index + A->nnz * sizeof *A->index, A->index,
                          A->nnz * sizeof *A->index));
    if (A->values)
        CUDA_TRY(sl_cuda_copy(ctx, csr->values, A->values, A->nnz * size));
    CUDA_TRY(sl_cuda_wait(ctx, "export of a matrix"));
    widen(csr->index, A->nnz);
    return SL_OK;
}

static sl_status list_of_list(cuda_scratch *s, uint64_t **index, void **values,
                              const sl_object *object, cuda_vector *v)
{
    cuda_rows row;
    sl_object proxy;
    CUDA_TRY(sl_cuda_make_list(object, v));
    proxy = sl_cuda_row(object, v->list);
    CUDA_TRY(sl_cuda_rows_of(&row, &proxy, false));
    CUDA_TRY(sl_cuda_rows_fill(s, &row));
    *values = row.values;
    CUDA_TRY(sl_cuda_take(s, index, v->nvals * sizeof **index));
    return cuda_launched(s, "kernel positions",
                         sl_cuda_positions(*index, SL_INT64, false, row.start, row.index, v->nvals,
                                           1, cuda_processors(), cuda_stream()));
}

sl_status sl_cuda_list_entries(cuda_scratch *s, uint64_t **index, void **values,
                               const sl_object *object, cuda_vector *v)
{
    if (cuda_is_list(v))
        return list_of_list(s, index, values, object, v);
    CUDA_TRY(sl_cuda_make_bitmap(object, v));
    uint64_t words = cuda_words(object->nrows), *ends;
    size_t scan_bytes;
    void *scan;
    CUDA_TRY(sl_cuda_take(s, index, v->nvals * sizeof **index));
    CUDA_TRY(sl_cuda_take(s, values, v->nvals * sl_type_size(object->type)));
    if (v->nvals == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_take(s, &ends, words * sizeof *ends));
    CUDA_TRY(cuda_launched(s, "scratch of a scan", sl_cuda_scan_scratch(&scan_bytes, words)));
    CUDA_TRY(sl_cuda_take(s, &scan, scan_bytes));
    CUDA_TRY(cuda_launched(
        s, "kernel word_lengths",
        sl_cuda_word_lengths(ends, v->bits, words, cuda_processors(), cuda_stream())));
    CUDA_TRY(cuda_launched(s, "scan", sl_cuda_scan(ends, words, scan, scan_bytes, cuda_stream())));
    return cuda_launched(s, "kernel compact",
                         sl_cuda_compact(*index, *values, ends, v->bits, v->values, object->type,
                                         words, cuda_processors(), cuda_stream()));
}

static void few_entries(uint64_t *index, void *values, const cuda_vector *v, uint64_t size)
{
    if (index && v->nvals)
        memcpy(index, v->few.index, v->nvals * sizeof *index);
    for (uint64_t k = 0; values && k < v->nvals; k++)
        memcpy((char *)values + k * size, &v->few.value[k], size);
}

static sl_status full_entries(uint64_t *index, void *values, const sl_object *object,
                              const cuda_vector *v)
{
    uint64_t n = object->nrows;
    for (uint64_t k = 0; index && k < n; k++)
        index[k] = k;
    if (!values)
        return SL_OK;
    CUDA_TRY(sl_cuda_download(object->ctx, values, v->values, n * sl_type_size(object->type)));
    return sl_cuda_wait(object->ctx, "export of a vector");
}

sl_status sl_cuda_download_entries(uint64_t *index, void *values, const sl_object *object,
                                   cuda_vector *v)
{
    sl_context *ctx = object->ctx;
    sl_call call = {.ctx = ctx};
    cuda_scratch s = {.call = &call};
    uint64_t *listed;
    void *listed_values;
    if (cuda_is_host_list(v)) {
        few_entries(index, values, v, sl_type_size(object->type));
        return SL_OK;
    }
    if (v->full)
        return full_entries(index, values, object, v);
    sl_status status = sl_cuda_list_entries(&s, &listed, &listed_values, object, v);
    if (status == SL_OK && index)
        status = sl_cuda_download(ctx, index, listed, v->nvals * sizeof *listed);
    if (status == SL_OK && values)
        status =
            sl_cuda_download(ctx, values, listed_values, v->nvals * sl_type_size(object->type));
    sl_status waited = sl_cuda_wait(ctx, "export of a vector");
    sl_cuda_done(&s);
    return status == SL_OK ? waited : status;
}

static sl_status export_vector(sl_csr *csr, const sl_object *object, cuda_vector *v)
{
    CUDA_TRY(sl_cuda_count_entries(object, v));
    csr->start = sl_calloc(2, sizeof *csr->start);
    csr->index = sl_malloc(v->nvals * sizeof *csr->index);
    csr->values = sl_malloc(v->nvals * sl_type_size(object->type));
    if (!csr->start || !csr->index || !csr->values)
        return cuda_no_host_memory(object->ctx);
    csr->start[1] = v->nvals;
    return sl_cuda_download_entries(csr->index, csr->values, object, v);
}

sl_status sl_cuda_export(sl_csr *csr, const sl_object *object, void *handle)
{
    *csr = (sl_csr){.nrows = object->is_matrix ? object->nrows : 1,
                    .ncols = object->is_matrix ? object->ncols : object->nrows,
                    .type = object->type};
    sl_status status =
        object->is_matrix ? export_matrix(csr, object, handle) : export_vector(csr, object, handle);
    if (status != SL_OK)
        free_arrays(csr);
    return status;
}

/* ---- from the host ------------------------------------------------------------------ */

/* Indices pass through a staging buffer of the device, where they are narrowed. */
static sl_status upload_indices(sl_context *ctx, uint32_t *to, const uint64_t *from, uint64_t count)
{
    uint64_t piece = count < STAGING_EDGES ? count : STAGING_EDGES;
    void *staging;
    CUDA_TRY(sl_cuda_alloc(ctx, &staging, piece * sizeof *from));
    sl_status status = SL_OK;
    for (uint64_t k = 0; k < count && status == SL_OK; k += piece) {
        uint64_t now = count - k < piece ? count - k : piece;
        status = sl_cuda_upload(ctx, staging, from + k, now * sizeof *from);
        if (status == SL_OK)
            status = sl_cuda_status(ctx, "kernel narrow",
                                    sl_cuda_narrow(to + k, staging, now, sl_cuda_device()->stream));
    }
    sl_cuda_free(staging);
    return status;
}

static sl_status import_matrix(const sl_object *object, cuda_matrix *A, const sl_csr *csr)
{
    sl_context *ctx = object->ctx;
    CUDA_TRY(sl_cuda_upload(ctx, A->start, csr->start, (object->nrows + 1) * sizeof *A->start));
    CUDA_TRY(upload_indices(ctx, A->index, csr->index, A->nnz));
    if (A->values)
        CUDA_TRY(sl_cuda_copy(ctx, A->values, csr->values, A->nnz * sl_type_size(object->type)));
    return SL_OK;
}

/*
 * Where there is no room for a matrix, and beside it for a search and some vectors, its entries
 * go to pinned memory of the host, which kernels read over the bus; a layout of it has on the
 * device what there is room for (search/columns.c). To ask what is free takes time: a small
 * matrix is not worth it.
 */
static sl_status new_matrix(cuda_matrix **A, const sl_object *object, const sl_csr *csr)
{
    const uint64_t n = object->nrows, nnz = csr->start[n];
    const uint64_t each = sizeof(uint32_t) + (csr->values ? sl_type_size(object->type) : 0);
    CUDA_TRY(sl_cuda_read_limit(object->ctx));
    const bool asks = sl_cuda_is_limited() || nnz * each >= RESERVE_LEAST;
    const bool fits = !asks || n * sizeof(uint64_t) + nnz * each + sl_cuda_reserve(n, n) <=
                                   sl_cuda_free_bytes();
    return (fits ? sl_cuda_new_matrix : sl_cuda_new_far_matrix)(A, object, nnz,
                                                                csr->values != NULL);
}

/* They stay with the host. */
static void import_few(const sl_object *object, cuda_vector *v, const sl_csr *csr)
{
    uint64_t size = sl_type_size(object->type);
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), object->type);
    for (uint64_t k = 0; k < csr->start[1]; k++) {
        unsigned long long value = 0;
        memcpy(&value, csr->values ? (char *)csr->values + k * size : (char *)&one.as, size);
        sl_cuda_set_few(v, csr->index[k], &value);
    }
}

/* Of entries that are all there the indices are known. */
static sl_status import_full(const sl_object *object, cuda_vector *v, const sl_csr *csr)
{
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), object->type);
    uint64_t n = object->nrows;
    CUDA_TRY(sl_cuda_make_full(object, v));
    if (csr->values)
        return sl_cuda_upload(object->ctx, v->values, csr->values, n * sl_type_size(object->type));
    return sl_cuda_status(
        object->ctx, "kernel fill",
        sl_cuda_fill(v->values, object->type, &one.as, n, cuda_processors(), cuda_stream()));
}

static sl_status import_vector(const sl_object *object, cuda_vector *v, const sl_csr *csr)
{
    sl_object row = sl_cuda_row(object, NULL);
    cuda_matrix *list;
    if (csr->start[1] <= CUDA_HOST_LIST_MAX) {
        import_few(object, v, csr);
        return SL_OK;
    }
    if (csr->start[1] == object->nrows)
        return import_full(object, v, csr);
    CUDA_TRY(sl_cuda_new_matrix(&list, &row, csr->start[1], csr->values != NULL));
    sl_status status = import_matrix(&row, list, csr);
    if (status != SL_OK) {
        sl_cuda_free_matrix(list);
        return status;
    }
    return sl_cuda_become_list(object, v, list);
}

sl_status sl_cuda_import(void **handle, const sl_object *object, sl_csr *csr)
{
    cuda_matrix *A = NULL;
    cuda_vector *v = NULL;
    if (object->is_matrix)
        CUDA_TRY(new_matrix(&A, object, csr));
    else
        CUDA_TRY(sl_cuda_new_list(&v, object));
    sl_status status = A ? import_matrix(object, A, csr) : import_vector(object, v, csr);
    /* Whatever was queued reads the host's arrays. */
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
