/* Contexts: creation for engines that are given, and release. */
#include <semla/engine.h>
#include <semla/process.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "la/core/account.h"
#include "la/core/allocator.h"

const char *sl_version(void)
{
    return SEMLA_VERSION;
}

double sl_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* SEMLA_TRACE is the word. */
static bool traces(const char *word)
{
    const char *given = getenv("SEMLA_TRACE");
    return given && strcmp(given, word) == 0;
}

/* Reads SEMLA_TRACE; false for an unknown word. Empty: as if it were not set. */
static bool reads_trace(bool *trace)
{
    const char *word = getenv("SEMLA_TRACE");
    *trace = traces("dispatch");
    return *trace || !word || !*word || traces("counts");
}

sl_status sl_context_blank(sl_context **ctx)
{
    bool trace;
    if (!reads_trace(&trace))
        return SL_INVALID;
    sl_allocator_settle();
    sl_process_has_context();
    *ctx = sl_calloc(1, sizeof **ctx);
    if (!*ctx)
        return SL_NO_MEMORY;
    (*ctx)->trace = trace;
    return SL_OK;
}

sl_status sl_context_start(sl_context **out, sl_context *ctx, sl_status status)
{
    for (size_t k = 0; status == SL_OK && k < SL_MAX_ENGINES && ctx->chain[k]; k++)
        status = ctx->chain[k]->start(ctx);
    if (status != SL_OK) {
        sl_context_free(ctx);
        return status;
    }
    *out = ctx;
    return SL_OK;
}

sl_status sl_context_create_of(sl_context **out, const sl_engine *const *chain, void *grid)
{
    *out = NULL;
    if (sl_process_unusable())
        return SL_UNSUPPORTED;
    sl_context *ctx;
    const sl_status status = sl_context_blank(&ctx);
    if (status != SL_OK)
        return status;
    ctx->grid = grid;
    for (size_t k = 0; k < SL_MAX_ENGINES && chain[k]; k++)
        ctx->chain[k] = chain[k];
    return sl_context_start(out, ctx, SL_OK);
}

void sl_context_free(sl_context *ctx)
{
    if (!ctx)
        return;
    if (traces("counts") && ctx->chain[0])
        fprintf(stderr,
                "semla: counts of %s: %" PRIu64 " operations, %" PRIu64 " fallbacks, %" PRIu64
                " copies, %" PRIu64 " bytes copied\n",
                ctx->chain[0]->name, ctx->counts.operations, ctx->counts.fallbacks,
                ctx->counts.copies, ctx->counts.bytes_copied);
    for (size_t k = 0; k < SL_MAX_ENGINES && ctx->chain[k]; k++)
        if (ctx->chain[k]->stop)
            ctx->chain[k]->stop(ctx);
    sl_account_leave(ctx->account);
    sl_free(ctx);
}

const char *sl_context_engine(const sl_context *ctx, size_t position)
{
    size_t k = 0;
    while (ctx && k < SL_MAX_ENGINES && ctx->chain[k]) {
        if (position-- == 0)
            return ctx->chain[k]->name;
        const sl_engine *engine = ctx->chain[k++];
        if (!engine->inner)
            continue;
        ctx = engine->inner(ctx); /* the engines of this process follow */
        k = 0;
    }
    return NULL;
}

void sl_context_get_counts(const sl_context *ctx, sl_context_counts *counts)
{
    if (counts)
        *counts = ctx ? ctx->counts : (sl_context_counts){0};
}
