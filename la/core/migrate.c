/*
 * Migration: copies an object's contents between stores through arrays on the host, O(entries), and
 * releases what a write makes invalid: copies in other stores, known properties, what engines
 * prepared; or all, with the object.
 */
#include <semla/engine.h>
#include <semla/process.h>

/* Releases the handle of one store. */
static void drop(sl_object *object, unsigned slot)
{
    if (object->held[slot]) {
        sl_store_of_slot(object->ctx, slot)->release(object, object->held[slot]);
        object->held[slot] = NULL;
    }
}

void sl_object_drop(sl_object *object, const sl_store *store)
{
    drop(object, store->slot);
}

void **sl_matrix_prepared(sl_matrix *A, void (*forget_prepared)(void *prepared))
{
    const sl_context *ctx = A->object.ctx;
    for (size_t k = 0; k < SL_MAX_ENGINES && ctx->chain[k]; k++)
        if (ctx->chain[k]->forget_prepared == forget_prepared)
            return &A->prepared[k];
    return NULL;
}

/* Resets the cached properties of an object and frees the data that engines prepared for a matrix.
 */
static void forget_properties(sl_object *object)
{
    object->index_bound = 0;
    object->reads = 0;
    object->own_indices = false;
    if (!object->is_matrix)
        return;
    sl_matrix *A = (sl_matrix *)object;
    A->symmetry = SL_SYMMETRY_UNKNOWN;
    A->declared_symmetric = false;
    A->range_known = false;
    A->searched = A->optimized = false;
    sl_matrix_free(A->transpose);
    A->transpose = NULL;
    for (size_t k = 0; k < SL_MAX_ENGINES; k++)
        if (A->prepared[k]) {
            object->ctx->chain[k]->forget_prepared(A->prepared[k]);
            A->prepared[k] = NULL;
        }
}

void sl_object_drop_broken(sl_object *object, const sl_store *store)
{
    void *handle = object->held[store->slot];
    if (!handle || !store->intact || store->intact(object, handle))
        return;
    drop(object, store->slot);
    forget_properties(object);
}

static sl_status bring(sl_object *object, const sl_store *to, const sl_store *from)
{
    void *source = object->held[from->slot];
    sl_csr arrays = {0};
    sl_status status = from->export_arrays(&arrays, object, source);
    if (status == SL_OK)
        status = to->import_arrays(&object->held[to->slot], object, &arrays);
    if (status != SL_OK) {
        sl_free(arrays.start);
        sl_free(arrays.index);
        sl_free(arrays.values);
        sl_object_drop_broken(object, from);
        return status;
    }
    object->ctx->counts.copies++;
    object->ctx->counts.bytes_copied += from->bytes(object, source);
    return SL_OK;
}

sl_status sl_object_migrate(sl_object *object, const sl_store *store)
{
    if (object->held[store->slot])
        return SL_OK;
    for (unsigned slot = 0; slot < SL_MAX_STORES; slot++)
        if (object->held[slot])
            return bring(object, store, sl_store_of_slot(object->ctx, slot));
    return store->create(&object->held[store->slot], object);
}

uint64_t sl_object_bytes(const sl_object *object)
{
    for (unsigned slot = 0; slot < SL_MAX_STORES; slot++)
        if (object->held[slot])
            return sl_store_of_slot(object->ctx, slot)->bytes(object, object->held[slot]);
    return 0;
}

void sl_object_modified(sl_object *object, const sl_store *store)
{
    for (unsigned slot = 0; slot < SL_MAX_STORES; slot++)
        if (slot != store->slot)
            drop(object, slot);
    forget_properties(object);
}

void sl_object_empty(sl_object *object)
{
    for (unsigned slot = 0; slot < SL_MAX_STORES; slot++)
        drop(object, slot);
    forget_properties(object);
}

sl_status sl_object_prefer(sl_object *vector, sl_form form)
{
    sl_status status = SL_OK;
    for (unsigned slot = 0; slot < SL_MAX_STORES && status == SL_OK; slot++) {
        const sl_store *store = sl_store_of_slot(vector->ctx, slot);
        if (vector->held[slot] && store->prefer) {
            sl_context *outside = sl_store_enter(store, vector->ctx);
            status = store->prefer(vector, vector->held[slot], form);
            sl_store_leave(store, vector->ctx, outside);
        }
    }
    return sl_agree(vector->ctx, status);
}

sl_status sl_object_copy_contents(sl_object *to, const sl_object *from)
{
    sl_status status = sl_check_process(from->ctx, "dup");
    if (status != SL_OK)
        return status;
    for (unsigned slot = 0; slot < SL_MAX_STORES; slot++) {
        if (!from->held[slot])
            continue;
        const sl_store *store = sl_store_of_slot(from->ctx, slot);
        sl_context *outside = sl_store_enter(store, from->ctx);
        status = store->copy(&to->held[slot], from, from->held[slot]);
        if (status < 0)
            sl_object_drop_broken((sl_object *)from, store);
        sl_store_leave(store, from->ctx, outside);
        return sl_agree(from->ctx, status);
    }
    return SL_OK;
}

sl_status sl_matrix_placement(sl_placement *placement, const sl_matrix *A)
{
    if (placement)
        *placement = (sl_placement){0};
    if (!placement || !A)
        return sl_fail(A ? A->object.ctx : NULL, SL_INVALID, "matrix_placement: %s is NULL",
                       placement ? "A" : "placement");
    for (unsigned slot = 0; slot < SL_MAX_STORES; slot++) {
        void *handle = A->object.held[slot];
        const sl_store *store = handle ? sl_store_of_slot(A->object.ctx, slot) : NULL;
        if (store && store->place)
            store->place(placement, &A->object, handle);
    }
    const sl_engine *const *chain = A->object.ctx->chain;
    for (size_t k = 0; k < SL_MAX_ENGINES; k++)
        if (A->prepared[k] && chain[k]->describe_prepared)
            chain[k]->describe_prepared(placement, A->prepared[k]);
    return SL_OK;
}

/* ---- release ------------------------------------------------------------------------------ */

void sl_matrix_free(sl_matrix *A)
{
    if (!A)
        return;
    sl_object_empty(&A->object);
    sl_type_release(A->object.type);
    sl_free(A);
}

void sl_vector_free(sl_vector *v)
{
    if (!v)
        return;
    sl_object_empty(&v->object);
    sl_type_release(v->object.type);
    sl_free(v);
}

sl_status sl_matrix_clear(sl_matrix *A)
{
    if (!A)
        return SL_INVALID;
    sl_object_empty(&A->object);
    return SL_OK;
}

sl_status sl_vector_clear(sl_vector *v)
{
    if (!v)
        return SL_INVALID;
    sl_object_empty(&v->object);
    return SL_OK;
}
