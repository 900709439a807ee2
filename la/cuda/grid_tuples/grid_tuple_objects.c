/* Tuples in device memory, of objects and to objects. */
#include "cuda/data/device_vector.h"
#include "cuda/generate/generated_block.h"
#include "cuda/grid_tuples/grid_tuple_kernels.h"
#include "cuda/grid_tuples/grid_tuples.h"
#include "cuda/jit/jit.h"
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/entry_kernels.h"

/* ---- of an object ------------------------------------------------------------------------- */

/* The values, or ones if there are none. */
static sl_status read_values(const sl_tuples *t, sl_context *ctx, const void *values)
{
    const size_t size = sl_type_size(t->type);
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), t->type);
    if (!t->values)
        return SL_OK;
    if (values)
        return sl_cuda_copy(ctx, t->values, values, t->count * size);
    return sl_cuda_status(ctx, "kernel fill", sl_cuda_fill(t->values, &one.as, size, t->count));
}

static sl_status read_positions(uint64_t *to, bool rows, const sl_object *object,
                                const cuda_matrix *A)
{
    return sl_cuda_status(
        object->ctx, "kernel positions",
        sl_cuda_positions(to, SL_INT64, rows, A->start, A->index, A->nnz, object->nrows));
}

static sl_status read_entries(const sl_tuples *t, const sl_object *object, const cuda_matrix *A)
{
    CUDA_TRY(read_positions(t->rows, true, object, A));
    CUDA_TRY(read_positions(t->cols, false, object, A));
    return read_values(t, object->ctx, A->values);
}

/* A matrix of which only the reordered graph exists is generated again. */
static sl_status read_matrix(const sl_tuples *t, const sl_object *object)
{
    cuda_matrix *A = cuda_matrix_of(object), *made = NULL;
    sl_status status = SL_OK;
    if (!cuda_has_rows(A))
        status = sl_cuda_regenerate(&made, object, A);
    if (status == SL_OK)
        status = read_entries(t, object, made ? made : A);
    sl_cuda_free_matrix(made);
    return status;
}

static sl_status read_listed(const sl_tuples *t, const sl_object *object, cuda_vector *v)
{
    cuda_arena arena = {0};
    uint64_t *index;
    void *values;
    sl_status status = sl_cuda_list_entries(&arena, &index, &values, object, v);
    if (status == SL_OK)
        status = sl_cuda_copy(object->ctx, t->rows, index, t->count * sizeof *index);
    if (status == SL_OK)
        status = read_values(t, object->ctx, values);
    sl_cuda_arena_release(&arena);
    return status;
}

static sl_status read_vector(const sl_tuples *t, const sl_object *object)
{
    cuda_vector *v = cuda_vector_of(object);
    CUDA_TRY(sl_cuda_bring_into_order(object, v, NULL));
    CUDA_TRY(sl_cuda_write_values(object, v));
    CUDA_TRY(sl_cuda_count_entries(object, v));
    if (t->count == 0)
        return SL_OK;
    if (!v->full)
        return read_listed(t, object, v);
    CUDA_TRY(sl_cuda_status(object->ctx, "kernel range", sl_cuda_range(t->rows, 0, 1, t->count)));
    return read_values(t, object->ctx, v->values);
}

sl_status sl_cuda_read_tuples(sl_tuples *t, sl_object *object)
{
    CUDA_TRY(sl_object_migrate(object, &sl_store_cuda));
    return object->is_matrix ? read_matrix(t, object) : read_vector(t, object);
}

/* ---- to an object -------------------------------------------------------------------------- */

static sl_status download(sl_context *ctx, void *to_pointer, const void *from, uint64_t bytes)
{
    void **to = to_pointer;
    if (!from)
        return SL_OK;
    *to = sl_malloc(bytes + 1);
    return *to ? sl_cuda_download(ctx, *to, from, bytes) : cuda_no_host_memory(ctx);
}

/* By a local operation with arrays of the host, which falls back to another engine. */
static sl_status build_elsewhere(sl_object *object, const sl_tuples *t, sl_binary_op dup)
{
    sl_context *ctx = object->ctx;
    const uint64_t bytes = t->count * sizeof *t->rows;
    sl_tuples host = {0};
    sl_status status = download(ctx, &host.rows, t->rows, bytes);
    if (status == SL_OK)
        status = download(ctx, &host.cols, t->cols, bytes);
    if (status == SL_OK)
        status = download(ctx, &host.values, t->values, t->count * sl_type_size(t->type));
    const sl_status waited = sl_cuda_wait(ctx, "copy of tuples");
    status = status == SL_OK ? waited : status;
    if (status == SL_OK && object->is_matrix)
        status =
            sl_matrix_build((sl_matrix *)object, host.rows, host.cols, host.values, t->count, dup);
    else if (status == SL_OK)
        status = sl_vector_build((sl_vector *)object, host.rows, host.values, t->count, dup);
    sl_free(host.rows);
    sl_free(host.cols);
    sl_free(host.values);
    return status;
}

sl_status sl_cuda_build_tuples(sl_object *object, const sl_tuples *t, sl_binary_op dup)
{
    sl_call call = {.op = SL_OP_BUILD,
                    .ctx = object->ctx,
                    .out = object,
                    .operators.binary = dup,
                    .tuples = {t->rows, t->cols, t->values},
                    .count = t->count};
    if (sl_cuda_uncompilable_reason(&call))
        return build_elsewhere(object, t, dup);
    CUDA_TRY(sl_object_migrate(object, &sl_store_cuda));
    const sl_status status = sl_cuda_build_on_device(&call);
    sl_object_modified(object, &sl_store_cuda);
    return status;
}

/* Takes the values over. */
static sl_status fill_vector(sl_object *object, cuda_vector *v, void **values,
                             const uint64_t *present)
{
    const uint64_t n = object->nrows;
    if (present) {
        CUDA_TRY(sl_cuda_alloc(object->ctx, (void **)&v->bits, cuda_words(n) * sizeof *v->bits));
        CUDA_TRY(sl_cuda_status(object->ctx, "kernel present",
                                sl_cuda_tuples_present(v->bits, present, n)));
    }
    v->full = !present;
    v->nvals = present ? CUDA_UNKNOWN : n;
    v->values = *values;
    *values = NULL;
    return SL_OK;
}

sl_status sl_cuda_make_vector(sl_vector **made, sl_context *ctx, sl_type type, uint64_t size,
                              void **values, const uint64_t *present)
{
    cuda_vector *v;
    CUDA_TRY(sl_vector_new(made, ctx, type, size));
    sl_object *object = sl_object_of_vector(*made);
    if (size == 0)
        return SL_OK;
    sl_status status = sl_cuda_new_list(&v, object);
    if (status == SL_OK) {
        object->held[SL_SLOT_CUDA] = v;
        status = fill_vector(object, v, values, present);
    }
    if (status != SL_OK) {
        sl_vector_free(*made);
        *made = NULL;
    }
    return status;
}
