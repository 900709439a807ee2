/* Vectors between device and host. Copies are queued in the stream; host arrays are valid after
 * the stream has been waited for. */
#include <string.h>

#include "cuda/data/device_vector.h"
#include "cuda/runtime/sorting.h"

static sl_status list_of_list(cuda_arena *arena, uint64_t **index, void **values,
                              const sl_object *object, cuda_vector *v)
{
    CUDA_TRY(sl_cuda_make_list(object, v));
    CUDA_TRY(sl_cuda_arena_take(object->ctx, arena, index, v->nvals * sizeof **index));
    CUDA_TRY(sl_cuda_status(object->ctx, "kernel widen",
                            sl_cuda_widen(*index, v->list->index, v->nvals)));
    *values = v->list->values;
    if (*values)
        return SL_OK;
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), object->type);
    const size_t size = sl_type_size(object->type);
    CUDA_TRY(sl_cuda_arena_take(object->ctx, arena, values, v->nvals * size));
    return sl_cuda_status(object->ctx, "kernel fill",
                          sl_cuda_fill(*values, &one.as, size, v->nvals));
}

sl_status sl_cuda_list_entries(cuda_arena *arena, uint64_t **index, void **values,
                               const sl_object *object, cuda_vector *v)
{
    if (cuda_is_list(v))
        return list_of_list(arena, index, values, object, v);
    CUDA_TRY(sl_cuda_make_bitmap(object, v));
    uint64_t words = cuda_words(object->nrows), *ends;
    CUDA_TRY(sl_cuda_arena_take(object->ctx, arena, index, v->nvals * sizeof **index));
    CUDA_TRY(sl_cuda_arena_take(object->ctx, arena, values, v->nvals * sl_type_size(object->type)));
    if (v->nvals == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_arena_take(object->ctx, arena, &ends, words * sizeof *ends));
    CUDA_TRY(sl_cuda_status(object->ctx, "kernel word_lengths",
                            sl_cuda_word_lengths(ends, v->bits, words)));
    CUDA_TRY(sl_cuda_sum_ends(object->ctx, arena, ends, words));
    return sl_cuda_status(object->ctx, "kernel compact",
                          sl_cuda_compact(*index, *values, ends, v->bits, v->values,
                                          sl_type_size(object->type), words));
}

static void host_list_entries(uint64_t *index, void *values, const cuda_vector *v, uint64_t size)
{
    if (index && v->nvals)
        memcpy(index, v->host_list.index, v->nvals * sizeof *index);
    for (uint64_t k = 0; values && k < v->nvals; k++)
        memcpy((char *)values + k * size, &v->host_list.value[k], size);
}

static sl_status full_entries(uint64_t *index, void *values, const sl_object *object,
                              const cuda_vector *v)
{
    uint64_t n = object->nrows;
    if (index) {
#pragma omp parallel for num_threads(sl_context_threads(object->ctx)) if (n > SL_SERIAL_EDGES)
        for (uint64_t k = 0; k < n; k++)
            index[k] = k;
    }
    if (!values)
        return SL_OK;
    CUDA_TRY(sl_cuda_download(object->ctx, values, v->values, n * sl_type_size(object->type)));
    return sl_cuda_wait(object->ctx, "export of a vector");
}

sl_status sl_cuda_download_entries(uint64_t *index, void *values, const sl_object *object,
                                   cuda_vector *v)
{
    sl_context *ctx = object->ctx;
    cuda_arena arena = {0};
    uint64_t *listed;
    void *listed_values;
    if (cuda_is_host_list(v)) {
        host_list_entries(index, values, v, sl_type_size(object->type));
        return SL_OK;
    }
    if (v->full)
        return full_entries(index, values, object, v);
    sl_status status = sl_cuda_list_entries(&arena, &listed, &listed_values, object, v);
    if (status == SL_OK && index)
        status = sl_cuda_download(ctx, index, listed, v->nvals * sizeof *listed);
    if (status == SL_OK && values)
        status =
            sl_cuda_download(ctx, values, listed_values, v->nvals * sl_type_size(object->type));
    sl_status waited = sl_cuda_wait(ctx, "export of a vector");
    sl_cuda_arena_release(&arena);
    return status == SL_OK ? waited : status;
}

sl_status sl_cuda_export_vector(sl_csr *csr, const sl_object *object, cuda_vector *v)
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

/* ---- from the host ------------------------------------------------------------------ */

/* At most CUDA_HOST_LIST_MAX entries become a host list. */
static void import_host_list(const sl_object *object, cuda_vector *v, const sl_csr *csr)
{
    uint64_t size = sl_type_size(object->type);
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), object->type);
    for (uint64_t k = 0; k < csr->start[1]; k++) {
        unsigned long long value = 0;
        memcpy(&value, csr->values ? (char *)csr->values + k * size : (char *)&one.as, size);
        sl_cuda_host_list_set(v, csr->index[k], &value);
    }
}

/* Every entry is present, so only the values are copied. */
static sl_status import_full(const sl_object *object, cuda_vector *v, const sl_csr *csr)
{
    sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), object->type);
    uint64_t n = object->nrows;
    CUDA_TRY(sl_cuda_make_full(object, v));
    if (csr->values)
        return sl_cuda_upload(object->ctx, v->values, csr->values, n * sl_type_size(object->type));
    return sl_cuda_status(object->ctx, "kernel fill",
                          sl_cuda_fill(v->values, &one.as, sl_type_size(object->type), n));
}

sl_status sl_cuda_import_vector(const sl_object *object, cuda_vector *v, const sl_csr *csr)
{
    sl_object row = sl_cuda_row(object, NULL);
    cuda_matrix *list;
    if (csr->start[1] <= CUDA_HOST_LIST_MAX) {
        import_host_list(object, v, csr);
        return SL_OK;
    }
    if (csr->start[1] == object->nrows)
        return import_full(object, v, csr);
    CUDA_TRY(sl_cuda_new_matrix(&list, &row, csr->start[1], csr->values != NULL));
    sl_status status = sl_cuda_import_matrix(&row, list, csr);
    if (status != SL_OK) {
        sl_cuda_free_matrix(list);
        return status;
    }
    return sl_cuda_become_list(object, v, list);
}
