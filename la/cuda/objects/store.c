/* Device memory: a handle is a cuda_matrix or a cuda_vector. */
#include "ahead.h"
#include "entry_kernels.h"
#include "layout.h"
#include "search.h"
#include "store.h"

enum { SLOT_CUDA = 1 };

void sl_cuda_free_matrix(cuda_matrix *A)
{
    if (!A)
        return;
    sl_cuda_free(A->start);
    sl_cuda_free(A->index);
    sl_cuda_free(A->values);
    sl_cuda_free(A->tile_rows);
    sl_cuda_free_prepared(A->prepared);
    sl_cuda_free_matrix(A->transposed);
    sl_cuda_free_layout(A->layout);
    sl_free(A);
}

void sl_cuda_free_vector(cuda_vector *v)
{
    if (!v)
        return;
    sl_cuda_forget_owed(v);
    sl_cuda_forget_unfinished(v);
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

static sl_status new_without_memory(cuda_vector **made, const sl_object *object)
{
    *made = sl_calloc(1, sizeof **made);
    return *made ? SL_OK : cuda_no_host_memory(object->ctx);
}

/* Memory for a vector that has none, with its entry. */
static sl_status fill_memory(const sl_object *object, cuda_vector *v)
{
    sl_context *ctx = object->ctx;
    uint64_t bits = cuda_words(object->nrows) * sizeof *v->bits, size = sl_type_size(object->type);
    CUDA_TRY(sl_cuda_alloc(ctx, (void **)&v->bits, bits));
    CUDA_TRY(sl_cuda_alloc(ctx, &v->values, object->nrows * size));
    CUDA_TRY(sl_cuda_zero(ctx, v->bits, bits));
    if (v->nvals == 0)
        return SL_OK;
    return sl_cuda_status(
        ctx, "kernel put",
        sl_cuda_put(v->bits, v->values, v->only, true, &v->only_value, size, cuda_stream()));
}

sl_status sl_cuda_materialize(const sl_object *object, cuda_vector *v)
{
    CUDA_TRY(sl_cuda_complete(v));
    if (v->bits)
        return SL_OK;
    sl_status status = fill_memory(object, v);
    if (status == SL_OK)
        return SL_OK;
    sl_cuda_free(v->bits);
    sl_cuda_free(v->values);
    v->bits = v->values = NULL;
    return status;
}

static sl_status materialize(const sl_object *object)
{
    return object && !object->is_matrix ? sl_cuda_materialize(object, cuda_vector_of(object))
                                        : SL_OK;
}

sl_status sl_cuda_materialize_operands(const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    if (call->op == SL_OP_SET || call->op == SL_OP_NVALS ||
        (call->op == SL_OP_CLOSURE && sl_semiring_searches(call->semiring)))
        return SL_OK;
    const sl_object *operands[] = {call->out, call->mask, call->a, call->b, t ? t->pi : NULL,
                                   t ? t->q : NULL, t ? t->delta : NULL};
    for (size_t k = 0; k < sizeof operands / sizeof *operands; k++)
        CUDA_TRY(materialize(operands[k]));
    if (!t || !t->options)
        return SL_OK;
    CUDA_TRY(materialize(sl_object_of_vector(t->options->level)));
    return materialize(sl_object_of_vector(t->options->targets));
}

sl_status sl_cuda_new_vector(cuda_vector **made, const sl_object *object)
{
    CUDA_TRY(new_without_memory(made, object));
    sl_status status = sl_cuda_materialize(object, *made);
    if (status != SL_OK) {
        sl_cuda_free_vector(*made);
        *made = NULL;
    }
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
    CUDA_TRY(new_without_memory(&v, object));
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
    CUDA_TRY(sl_cuda_complete(from));
    if (!from->bits) {
        CUDA_TRY(new_without_memory(&v, object));
        *v = *from;
        *handle = v;
        return SL_OK;
    }
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
    CUDA_TRY(sl_cuda_materialize(vector, v));
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
