/* Read access to a vector's own arrays: sl_vector_lend. */
#include <semla/engine.h>
#include <semla/process.h>

static const char *name_of(sl_memory memory)
{
    return memory == SL_MEMORY_HOST ? "the host" : "a GPU";
}

/* The store of that memory which holds the object, or NULL. */
static const sl_store *holder(const sl_object *object, sl_memory memory)
{
    for (size_t k = 0; k < SL_MAX_ENGINES && object->ctx->chain[k]; k++) {
        const sl_store *store = object->ctx->chain[k]->store;
        if (store->lend && store->memory == memory && sl_handle(object, store))
            return store;
    }
    return NULL;
}

sl_status sl_vector_lend(sl_vector_view *view, const sl_vector *v, sl_memory memory)
{
    sl_context *ctx = v ? v->object.ctx : NULL;
    if (view)
        *view = (sl_vector_view){0};
    if (!view || !v)
        return sl_fail(ctx, SL_INVALID, "vector_lend: %s is NULL", view ? "v" : "view");
    if ((int)memory < 0 || memory >= SL_MEMORY_COUNT)
        return sl_fail(ctx, SL_INVALID, "vector_lend: unknown memory %d", (int)memory);
    if (ctx->grid)
        return sl_fail(
            ctx, SL_UNSUPPORTED,
            "vector_lend: not supported on a grid, where each rank has a part of the vector; "
            "use sl_vector_copy_slice");
    sl_status status = sl_check_process(ctx, "vector_lend");
    if (status != SL_OK)
        return status;
    sl_object *object = sl_object_of_vector(v);
    const sl_store *store = holder(object, memory);
    if (!store)
        return sl_fail(ctx, SL_UNSUPPORTED, "vector_lend: the vector is not in the memory of %s",
                       name_of(memory));
    *view = (sl_vector_view){.memory = memory, .type = object->type, .size = object->nrows};
    sl_context *outside = sl_store_enter(store, ctx);
    status = store->lend(view, object, sl_handle(object, store));
    if (status != SL_OK) {
        *view = (sl_vector_view){0};
        sl_object_drop_broken(object, store);
    }
    sl_store_leave(store, ctx, outside);
    return status;
}
