/* The toy engine and its store, for tests of the dispatcher. It is the shortest engine with a store
 * of its own: objects are host arrays, and the only operation is one product. See toy_engine.h. */
#include "toy_engine.h"

#include <string.h>

/* ---- the store: arrays of sl_csr ------------------------------------------------- */

struct toy toy;

static void free_arrays(sl_csr *arrays)
{
    sl_free(arrays->start);
    sl_free(arrays->index);
    sl_free(arrays->values);
    *arrays = (sl_csr){0};
}

static sl_status duplicate(sl_csr *to, const sl_csr *from)
{
    uint64_t nvals = from->start[from->nrows];
    size_t size = sl_type_size(from->type);
    *to = *from;
    to->start = sl_malloc((from->nrows + 1) * sizeof *to->start);
    to->index = sl_malloc(nvals * sizeof *to->index);
    to->values = from->values ? sl_malloc(nvals * size) : NULL;
    if (!to->start || !to->index || (from->values && !to->values)) {
        free_arrays(to);
        return SL_NO_MEMORY;
    }
    memcpy(to->start, from->start, (from->nrows + 1) * sizeof *to->start);
    memcpy(to->index, from->index, nvals * sizeof *to->index);
    if (from->values)
        memcpy(to->values, from->values, nvals * size);
    return SL_OK;
}

static sl_status toy_import(void **handle, const sl_object *object, sl_csr *csr)
{
    if (toy.fail_import)
        return sl_fail(object->ctx, toy.fail_import, "toy: no import");
    sl_csr *kept = sl_malloc(sizeof *kept);
    if (!kept)
        return sl_fail(object->ctx, SL_NO_MEMORY, "toy: out of memory");
    toy.imports++;
    *kept = *csr;
    *csr = (sl_csr){0};
    *handle = kept;
    return SL_OK;
}

static sl_status toy_create(void **handle, const sl_object *object)
{
    uint64_t rows = object->is_matrix ? object->nrows : 1;
    sl_csr *made = sl_calloc(1, sizeof *made);
    uint64_t *start = sl_calloc(rows + 1, sizeof *start);
    uint64_t *index = sl_malloc(0);
    if (!made || !start || !index) {
        sl_free(made);
        sl_free(start);
        sl_free(index);
        return sl_fail(object->ctx, SL_NO_MEMORY, "toy: out of memory");
    }
    toy.creates++;
    *made = (sl_csr){.nrows = rows, .type = object->type, .start = start, .index = index};
    made->ncols = object->is_matrix ? object->ncols : object->nrows;
    *handle = made;
    return SL_OK;
}

static sl_status toy_copy(void **handle, const sl_object *object, void *source)
{
    sl_csr *made = sl_malloc(sizeof *made);
    sl_status status = made ? duplicate(made, source) : SL_NO_MEMORY;
    if (status != SL_OK) {
        sl_free(made);
        return sl_fail(object->ctx, status, "toy: out of memory");
    }
    toy.copies++;
    *handle = made;
    return SL_OK;
}

static void toy_release(const sl_object *object, void *handle)
{
    toy.releases++;
    free_arrays(handle);
    sl_free(handle);
}

static uint64_t toy_bytes(const sl_object *object, void *handle)
{
    return 1000;
}

static uint64_t toy_entries(const sl_object *object, void *handle)
{
    const sl_csr *arrays = handle;
    return arrays->start[arrays->nrows];
}

static sl_status toy_export(sl_csr *csr, const sl_object *object, void *handle)
{
    if (toy.fail_export)
        return sl_fail(object->ctx, toy.fail_export, "toy: no export");
    sl_status status = duplicate(csr, handle);
    toy.exports += status == SL_OK;
    return status == SL_OK ? SL_OK : sl_fail(object->ctx, status, "toy: out of memory");
}

/* A list with an entry at every index is an array of the values. */
static sl_status toy_lend(sl_vector_view *view, const sl_object *vector, void *handle)
{
    const sl_csr *kept = handle;
    view->nvals = kept->start[1];
    if (view->nvals < vector->nrows)
        return sl_fail(vector->ctx, SL_UNSUPPORTED, "toy: not full");
    view->values = kept->values;
    view->device = TOY_DEVICE;
    view->stream = &toy;
    return SL_OK;
}

const sl_store toy_store = {
    .name = "toy memory",
    .slot = TOY_SLOT,
    .memory = SL_MEMORY_CUDA,
    .create = toy_create,
    .copy = toy_copy,
    .release = toy_release,
    .bytes = toy_bytes,
    .entries = toy_entries,
    .export_arrays = toy_export,
    .import_arrays = toy_import,
    .lend = toy_lend,
};

/* ---- the engine: w = u' A over plus_times_fp64, without mask, accumulator or flags  */

static double value_of(const sl_csr *arrays, uint64_t k)
{
    return arrays->values ? ((const double *)arrays->values)[k] : 1;
}

/* Writes the sums of a product into the arrays of the vector. */
static sl_status put_sums(sl_csr *w, const double *sum, const bool *there)
{
    uint64_t n = w->ncols, nvals = 0;
    uint64_t *index = sl_malloc(n * sizeof *index);
    double *values = sl_malloc(n * sizeof *values);
    if (!index || !values) {
        sl_free(index);
        sl_free(values);
        return SL_NO_MEMORY;
    }
    for (uint64_t j = 0; j < n; j++)
        if (there[j]) {
            index[nvals] = j;
            values[nvals++] = sum[j];
        }
    sl_free(w->index);
    sl_free(w->values);
    w->index = index;
    w->values = values;
    w->start[1] = nvals;
    return SL_OK;
}

static sl_status toy_vxm(sl_call *call)
{
    enum { MOST = 16 };
    double sum[MOST] = {0};
    bool there[MOST] = {false};
    const sl_csr *u = sl_handle(call->a, &toy_store), *A = sl_handle(call->b, &toy_store);
    toy.runs++;
    if (toy.fail_run)
        return sl_fail(call->ctx, toy.fail_run, "toy: cannot multiply");
    call->ctx->library = toy.library;
    for (uint64_t k = 0; k < u->start[1]; k++)
        for (uint64_t p = A->start[u->index[k]]; p < A->start[u->index[k] + 1]; p++) {
            there[A->index[p]] = true;
            sum[A->index[p]] += value_of(u, k) * value_of(A, p);
        }
    sl_status status = put_sums(sl_handle(call->out, &toy_store), sum, there);
    return status == SL_OK ? SL_OK : sl_fail(call->ctx, status, "toy: out of memory");
}

static const char *toy_declines(const sl_call *call)
{
    if (call->mask || call->accum || call->flags)
        return "no mask, accumulator or flag";
    return call->operators.semiring == SL_PLUS_TIMES_FP64 ? NULL : "only plus_times_fp64";
}

const sl_engine toy_engine = {
    .name = "toy",
    .description = "one product",
    .store = &toy_store,
    .declines = toy_declines,
    .run = {[SL_OP_VXM] = toy_vxm},
};

const sl_engine greedy_engine = {
    .name = "greedy",
    .description = "runs every vxm as plus_times_fp64",
    .store = &toy_store,
    .run = {[SL_OP_VXM] = toy_vxm},
};
