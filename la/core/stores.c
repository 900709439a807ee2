/* The stores of a context: look-up, and work in one. */
#include <semla/engine.h>

const sl_store *sl_store_of_slot(const sl_context *ctx, unsigned slot)
{
    for (size_t k = 0; k < SL_MAX_ENGINES && ctx->chain[k]; k++)
        if (ctx->chain[k]->store->slot == slot)
            return ctx->chain[k]->store;
    return NULL;
}

sl_context *sl_store_enter(const sl_store *store, sl_context *ctx)
{
    if (ctx->threads > 0 && store->enter)
        store->enter(ctx);
    return sl_context_charge(ctx);
}

void sl_store_leave(const sl_store *store, sl_context *ctx, sl_context *previous)
{
    sl_context_charge(previous);
    if (ctx->threads > 0 && store->leave)
        store->leave(ctx);
}
