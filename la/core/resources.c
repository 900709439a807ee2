/* The resources of a context: number of threads, limit of memory, energy. */
#include <semla/engine.h>
#include <semla/process.h>

#include <inttypes.h>
#include <omp.h>
#include <stdio.h>

#include "la/core/account.h"

enum { MAX_THREADS = 4096 };

/* ---- threads ------------------------------------------------------------------ */

sl_status sl_context_set_threads(sl_context *ctx, int threads)
{
    if (!ctx)
        return SL_INVALID;
    if (threads < 0 || threads > MAX_THREADS)
        return sl_fail(ctx, SL_INVALID,
                       "set_threads: invalid number of threads %d; allowed are 0 to %d", threads,
                       (int)MAX_THREADS);
    sl_context *previous = sl_context_charge(ctx);
    sl_status status = SL_OK;
    for (unsigned slot = 0; slot < SL_MAX_STORES && status == SL_OK; slot++) {
        const sl_store *store = sl_store_of_slot(ctx, slot);
        if (store && store->set_threads)
            status = store->set_threads(ctx, threads);
    }
    sl_context_charge(previous);
    if (status == SL_OK)
        ctx->threads = threads;
    return status;
}

int sl_context_threads(const sl_context *ctx)
{
    if (sl_process_unusable())
        return 1;
    return ctx && ctx->threads > 0 ? ctx->threads : omp_get_max_threads();
}

/* ---- memory --------------------------------------------------------------------- */

static sl_status open_account(sl_context *ctx)
{
    for (unsigned slot = 0; slot < SL_MAX_STORES; slot++) {
        const sl_store *store = sl_store_of_slot(ctx, slot);
        sl_status status = store && store->expose_memory ? store->expose_memory(ctx) : SL_OK;
        if (status != SL_OK)
            return status;
    }
    if (!ctx->account)
        ctx->account = sl_account_new();
    return ctx->account ? SL_OK : sl_fail(ctx, SL_NO_MEMORY, "set_memory_limit: out of memory");
}

void sl_context_share_account(sl_context *ctx, sl_context *inner)
{
    ctx->account = inner->account;
    atomic_fetch_add(&ctx->account->references, 1);
}

sl_status sl_context_set_memory_limit(sl_context *ctx, uint64_t bytes)
{
    if (!ctx)
        return SL_INVALID;
    sl_status status = ctx->account ? SL_OK : open_account(ctx);
    status = sl_agree(ctx, status);
    if (status == SL_OK)
        atomic_store(&ctx->account->limit, bytes);
    return status;
}

void sl_context_get_memory(const sl_context *ctx, sl_context_memory *memory)
{
    if (!memory)
        return;
    *memory = (sl_context_memory){0};
    if (ctx && ctx->account)
        *memory = (sl_context_memory){.limit = atomic_load(&ctx->account->limit),
                                      .used = atomic_load(&ctx->account->used),
                                      .peak = atomic_load(&ctx->account->peak)};
}

/* ---- energy ----------------------------------------------------------------------- */

sl_status sl_context_energy(sl_context *ctx, double *joules)
{
    if (joules)
        *joules = 0;
    if (!ctx || !joules)
        return sl_fail(ctx, SL_INVALID, "energy: %s is NULL", ctx ? "joules" : "ctx");
    for (size_t k = 0; k < SL_MAX_ENGINES && ctx->chain[k]; k++)
        if (ctx->chain[k]->energy)
            return ctx->chain[k]->energy(ctx, joules);
    return sl_fail(ctx, SL_UNSUPPORTED,
                   "energy: no engine of this context has a meter: %s has none",
                   ctx->chain[0]->name);
}
