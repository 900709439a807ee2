/*
 * Device memory: a handle is a cuda_matrix or a cuda_vector. Work is queued in one
 * stream, and arrays of the host are given back or handed out after it was waited for.
 */
#include <string.h>

#include "device.h"

enum { SLOT_CUDA = 1 };

static sl_status no_memory(const sl_object *object)
{
    return sl_fail(object->ctx, SL_NO_MEMORY, "cuda: out of host memory");
}

/* ---- handles ------------------------------------------------------------------ */

void sl_cuda_free_matrix(cuda_matrix *A)
{
    if (!A)
        return;
    sl_cuda_free(A->start);
    sl_cuda_free(A->index);
    sl_cuda_free(A->values);
    sl_cuda_free(A->tile_rows);
    sl_cuda_free_matrix(A->transposed);
    sl_free(A);
}

static void release(const sl_object *object, void *handle)
{
    if (object->is_matrix) {
        sl_cuda_free_matrix(handle);
        return;
    }
    cuda_vector *v = handle;
    sl_cuda_drop_survey(v);
    sl_cuda_free(v->bits);
    sl_cuda_free(v->values);
    sl_free(v);
}

/* Device memory of a matrix, contents unspecified. On failure there is no handle. */
static sl_status new_matrix(cuda_matrix **made, const sl_object *object, uint64_t nnz, bool values)
{
    *made = NULL;
    if (object->nrows > UINT32_MAX || object->ncols > UINT32_MAX)
        return sl_fail(object->ctx, SL_UNSUPPORTED, "cuda: a matrix of 2^32 rows or columns");
    cuda_matrix *A = sl_calloc(1, sizeof *A);
    if (!A)
        return no_memory(object);
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
        release(object, A);
    return status;
}

/* Without entries. Values are 0, not undefined, as copies take them whole. */
static sl_status new_vector(cuda_vector **made, const sl_object *object)
{
    *made = NULL;
    cuda_vector *v = sl_calloc(1, sizeof *v);
    if (!v)
        return no_memory(object);
    sl_context *ctx = object->ctx;
    uint64_t bits = cuda_words(object->nrows) * sizeof *v->bits;
    uint64_t values = object->nrows * sl_type_size(object->type);
    sl_status status = sl_cuda_alloc(ctx, (void **)&v->bits, bits);
    if (status == SL_OK)
        status = sl_cuda_alloc(ctx, &v->values, values);
    if (status == SL_OK)
        status = sl_cuda_zero(ctx, v->bits, bits);
    if (status == SL_OK)
        status = sl_cuda_zero(ctx, v->values, values);
    if (status == SL_OK)
        *made = v;
    else
        release(object, v);
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
        CUDA_TRY(new_matrix(&A, object, 0, false));
        return finish(handle, object, A,
                      sl_cuda_zero(ctx, A->start, (object->nrows + 1) * sizeof *A->start));
    }
    cuda_vector *v;
    CUDA_TRY(new_vector(&v, object));
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
        CUDA_TRY(new_matrix(&A, object, from->nnz, from->values != NULL));
        sl_status status =
            sl_cuda_copy(ctx, A->start, from->start, (object->nrows + 1) * sizeof *A->start);
        if (status == SL_OK)
            status = sl_cuda_copy(ctx, A->index, from->index, A->nnz * sizeof *A->index);
        if (status == SL_OK && A->values)
            status = sl_cuda_copy(ctx, A->values, from->values, A->nnz * size);
        return finish(handle, object, A, status);
    }
    const cuda_vector *from = source;
    cuda_vector *v;
    CUDA_TRY(new_vector(&v, object));
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

/* ---- to the host ----------------------------------------------------------------- */

/* Column indices, which come in 32 bits, into the upper half of their place, and
 * from there, ascending, each to its own: no place is written before it was read. */
static void widen(uint64_t *index, uint64_t count)
{
    const char *from = (const char *)index + count * sizeof(uint32_t);
    for (uint64_t k = 0; k < count; k++) {
        uint32_t narrow;
        memcpy(&narrow, from + k * sizeof narrow, sizeof narrow);
        index[k] = narrow;
    }
}

static sl_status export_matrix(sl_csr *csr, const sl_object *object, const cuda_matrix *A)
{
    sl_context *ctx = object->ctx;
    uint64_t size = sl_type_size(object->type);
    csr->start = sl_malloc((object->nrows + 1) * sizeof *csr->start);
    csr->index = sl_malloc(A->nnz * sizeof *csr->index);
    csr->values = A->values ? sl_malloc(A->nnz * size) : NULL;
    if (!csr->start || !csr->index || (A->values && !csr->values))
        return no_memory(object);
    CUDA_TRY(sl_cuda_download(ctx, csr->start, A->start, (object->nrows + 1) * sizeof *csr->start));
    CUDA_TRY(sl_cuda_download(ctx, (char *)csr->index + A->nnz * sizeof *A->index, A->index,
                              A->nnz * sizeof *A->index));
    if (A->values)
        CUDA_TRY(sl_cuda_download(ctx, csr->values, A->values, A->nnz * size));
    CUDA_TRY(sl_cuda_wait(ctx, "export of a matrix"));
    widen(csr->index, A->nnz);
    return SL_OK;
}

/* Scratch of a compaction, laid out in one piece: ends, indices, values, CUB's. */
static sl_status compact(const sl_object *object, const cuda_vector *v, char *scratch,
                         size_t scan_bytes, uint64_t **index, void **values)
{
    const cuda_device *device = sl_cuda_device();
    uint64_t words = cuda_words(object->nrows);
    uint64_t *ends = (uint64_t *)scratch;
    *index = ends + words;
    *values = *index + v->nvals;
    char *rest = (char *)(*index + 2 * v->nvals); /* no value has more than 8 bytes */
    CUDA_TRY(sl_cuda_status(
        object->ctx, "kernel word_lengths",
        sl_cuda_word_lengths(ends, v->bits, words, device->multiprocessors, device->stream)));
    CUDA_TRY(sl_cuda_status(object->ctx, "scan",
                            sl_cuda_scan(ends, words, rest, scan_bytes, device->stream)));
    return sl_cuda_status(object->ctx, "kernel compact",
                          sl_cuda_compact(*index, *values, ends, v->bits, v->values, object->type,
                                          words, device->multiprocessors, device->stream));
}

/* A vector's entries in order; index or values may be NULL. Its entries are counted. */
static sl_status entries(uint64_t *index, void *values, const sl_object *object)
{
    sl_context *ctx = object->ctx;
    const cuda_vector *v = cuda_vector_of(object);
    size_t scan_bytes;
    void *scratch, *listed_values;
    uint64_t *listed;
    if (v->nvals == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_status(ctx, "scratch of a scan",
                            sl_cuda_scan_scratch(&scan_bytes, cuda_words(object->nrows))));
    CUDA_TRY(sl_cuda_alloc(ctx, &scratch,
                           (cuda_words(object->nrows) + 2 * v->nvals) * sizeof *listed +
                               scan_bytes));
    sl_status status = compact(object, v, scratch, scan_bytes, &listed, &listed_values);
    if (status == SL_OK && index)
        status = sl_cuda_download(ctx, index, listed, v->nvals * sizeof *listed);
    if (status == SL_OK && values)
        status = sl_cuda_download(ctx, values, listed_values,
                                  v->nvals * sl_type_size(object->type));
    sl_status waited = sl_cuda_wait(ctx, "export of a vector");
    sl_cuda_free(scratch);
    return status == SL_OK ? waited : status;
}

static sl_status export_vector(sl_csr *csr, const sl_object *object, cuda_vector *v)
{
    CUDA_TRY(sl_cuda_count_entries(object, v));
    csr->start = sl_calloc(2, sizeof *csr->start);
    csr->index = sl_malloc(v->nvals * sizeof *csr->index);
    csr->values = sl_malloc(v->nvals * sl_type_size(object->type));
    if (!csr->start || !csr->index || !csr->values)
        return no_memory(object);
    csr->start[1] = v->nvals;
    return entries(csr->index, csr->values, object);
}

static sl_status export_arrays(sl_csr *csr, const sl_object *object, void *handle)
{
    *csr = (sl_csr){.nrows = object->is_matrix ? object->nrows : 1,
                    .ncols = object->is_matrix ? object->ncols : object->nrows,
                    .type = object->type};
    sl_status status =
        object->is_matrix ? export_matrix(csr, object, handle) : export_vector(csr, object, handle);
    if (status != SL_OK) {
        sl_free(csr->start);
        sl_free(csr->index);
        sl_free(csr->values);
        *csr = (sl_csr){0};
    }
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
        CUDA_TRY(sl_cuda_upload(ctx, A->values, csr->values, A->nnz * sl_type_size(object->type)));
    return SL_OK;
}

/* `values`: of all entries, in the order of csr->index. */
static sl_status import_vector(const sl_object *object, cuda_vector *v, const sl_csr *csr,
                               const void *values)
{
    sl_context *ctx = object->ctx;
    uint64_t count = csr->start[1], size = sl_type_size(object->type);
    v->nvals = count;
    if (count == 0)
        return SL_OK;
    void *staging;
    CUDA_TRY(sl_cuda_alloc(ctx, &staging, count * (sizeof *csr->index + size)));
    char *staged_values = (char *)staging + count * sizeof *csr->index;
    sl_status status = sl_cuda_upload(ctx, staging, csr->index, count * sizeof *csr->index);
    if (status == SL_OK)
        status = sl_cuda_upload(ctx, staged_values, values, count * size);
    if (status == SL_OK)
        status = sl_cuda_status(ctx, "kernel scatter",
                                sl_cuda_scatter(v->bits, v->values, staging, staged_values, count,
                                                size, sl_cuda_device()->stream));
    sl_cuda_free(staging);
    return status;
}

/* As many ones as a vector without values has entries. */
static void *ones(const sl_object *object, uint64_t count)
{
    size_t size = sl_type_size(object->type);
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), object->type);
    char *values = sl_malloc(count * size);
    for (uint64_t k = 0; values && k < count; k++)
        memcpy(values + k * size, &one.as, size);
    return values;
}

static void free_arrays(sl_csr *csr)
{
    sl_free(csr->start);
    sl_free(csr->index);
    sl_free(csr->values);
    csr->start = csr->index = NULL;
    csr->values = NULL;
}

static sl_status import_arrays(void **handle, const sl_object *object, sl_csr *csr)
{
    void *made = NULL, *spread = NULL;
    sl_status status;
    if (object->is_matrix) {
        cuda_matrix *A;
        CUDA_TRY(new_matrix(&A, object, csr->start[object->nrows], csr->values != NULL));
        made = A;
        status = import_matrix(object, A, csr);
    } else {
        cuda_vector *v;
        if (!csr->values && !(spread = ones(object, csr->start[1])))
            return no_memory(object);
        status = new_vector(&v, object);
        made = v;
        if (status == SL_OK)
            status = import_vector(object, v, csr, spread ? spread : csr->values);
    }
    /* Whatever was queued reads the host's arrays. */
    sl_status waited = made ? sl_cuda_wait(object->ctx, "import") : SL_OK;
    sl_free(spread);
    status = status == SL_OK ? waited : status;
    if (!made)
        return status;
    if (status == SL_OK)
        free_arrays(csr);
    return finish(handle, object, made, status);
}

/* ---- to the world outside ------------------------------------------------------------ */

static sl_status lend(sl_vector_view *view, const sl_object *vector, void *handle)
{
    cuda_vector *v = handle;
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
    .export_arrays = export_arrays,
    .import_arrays = import_arrays,
    .lend = lend,
};

/* ---- counting what a kernel left ---------------------------------------------------------- */

static sl_status count(const sl_object *object, cuda_vector *v, unsigned long long *counter)
{
    sl_context *ctx = object->ctx;
    unsigned long long counted;
    CUDA_TRY(sl_cuda_zero(ctx, counter, sizeof *counter));
    CUDA_TRY(sl_cuda_status(ctx, "kernel count_bits",
                            sl_cuda_count_bits(counter, v->bits, cuda_words(object->nrows),
                                               sl_cuda_device()->multiprocessors,
                                               sl_cuda_device()->stream)));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel count_bits", &counted, counter, sizeof counted));
    v->nvals = counted;
    return SL_OK;
}

sl_status sl_cuda_count_entries(const sl_object *object, cuda_vector *v)
{
    void *counter;
    cuda_survey *survey;
    if (v->nvals != CUDA_UNCOUNTED)
        return SL_OK;
    CUDA_TRY(sl_cuda_get_survey(object->ctx, &survey, v, NULL));
    if (survey) {
        v->nvals = survey->counts->vertices;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_alloc(object->ctx, &counter, sizeof(unsigned long long)));
    sl_status status = count(object, v, counter);
    sl_cuda_free(counter);
    return status;
}

/* ---- operations that only read ---------------------------------------------------------- */

sl_status sl_cuda_nvals(sl_call *call)
{
    if (call->a->is_matrix) {
        call->count = cuda_matrix_of(call->a)->nnz;
        return SL_OK;
    }
    cuda_vector *v = cuda_vector_of(call->a);
    CUDA_TRY(sl_cuda_count_entries(call->a, v));
    call->count = v->nvals;
    return SL_OK;
}

sl_status sl_cuda_get(sl_call *call)
{
    const cuda_vector *v = sl_held(call->a, &sl_store_cuda);
    uint64_t size = sl_type_size(call->a->type);
    uint32_t word;
    call->scalar = (sl_scalar){.type = call->a->type};
    CUDA_TRY(sl_cuda_download(call->ctx, &word, v->bits + call->row / 32, sizeof word));
    CUDA_TRY(
        sl_cuda_download(call->ctx, &call->scalar.as, (char *)v->values + call->row * size, size));
    CUDA_TRY(sl_cuda_wait(call->ctx, "get"));
    return word >> (call->row % 32) & 1 ? SL_OK : SL_NO_VALUE;
}

sl_status sl_cuda_tuples(sl_call *call)
{
    CUDA_TRY(sl_cuda_count_entries(call->a, cuda_vector_of(call->a)));
    return entries(call->tuple_rows, call->tuple_values, call->a);
}
