/* Contexts: creation, the chain of engines, messages of failures. */
#include <semla/engine.h>
#include <semla/process.h>

#include <stdarg.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "account.h"
#include "allocator.h"

const char *sl_version(void)
{
    return SEMLA_VERSION;
}

const char *sl_status_string(sl_status status)
{
    switch (status) {
    case SL_OK:
        return "success";
    case SL_NO_VALUE:
        return "no entry";
    case SL_INVALID:
        return "invalid argument";
    case SL_OUT_OF_RANGE:
        return "index out of range";
    case SL_MISMATCH:
        return "shapes, types or contexts do not match";
    case SL_NO_MEMORY:
        return "out of memory";
    case SL_IO:
        return "input or output failed";
    case SL_SYNTAX:
        return "malformed input";
    case SL_UNSUPPORTED:
        return "not supported";
    case SL_ENGINE_FAULT:
        return "engine failed";
    case SL_CANCELLED:
        return "cancelled";
    }
    return "unknown status";
}

sl_status sl_fail(sl_context *ctx, sl_status status, const char *format, ...)
{
    if (ctx) {
        char why[160] = "";
        if (status == SL_NO_MEMORY)
            sl_account_explain(ctx, why, sizeof why);
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(ctx->message, sizeof ctx->message - strlen(why), format, arguments);
        va_end(arguments);
        if (!strstr(ctx->message, why)) /* the message may be a copy that has the text already */
            strcat(ctx->message, why);
    }
    return status;
}

const char *sl_context_message(const sl_context *ctx)
{
    return ctx ? ctx->message : "";
}

double sl_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Why the engine cannot be used here; NULL: it can. */
static const char *absence_of(const sl_engine *engine)
{
    if (sl_process_unusable())
        return sl_process_unusable();
    return engine->unavailable_reason ? engine->unavailable_reason() : NULL;
}

static const sl_engine *find_engine(const char *name)
{
    for (const sl_engine *const *engine = sl_engines; *engine; engine++)
        if (strcmp((*engine)->name, name) == 0)
            return *engine;
    return NULL;
}

/* Fills in the chain: the chosen engines, then SuiteSparse. */
static sl_status choose_chain(sl_context *ctx, sl_engine_choice choice)
{
    const char *forced = getenv("SEMLA_ENGINE");
    if (forced && *forced) {
        ctx->chain[0] = find_engine(forced);
        ctx->forced = true;
        if (!ctx->chain[0] || absence_of(ctx->chain[0]))
            return SL_INVALID;
        /* SuiteSparse follows to fill and read objects; `forced` keeps it from computing. */
        const sl_engine *const *complete = sl_engines;
        while (complete[1])
            complete++;
        if (*complete != ctx->chain[0])
            ctx->chain[1] = *complete;
        return SL_OK;
    }
    size_t length = 0;
    for (const sl_engine *const *engine = sl_engines; *engine; engine++) {
        bool asked = choice == SL_ENGINE_AUTO || choice == (*engine)->choice;
        bool last = engine[1] == NULL; /* the complete engine */
        if (choice == (*engine)->choice && absence_of(*engine))
            return SL_UNSUPPORTED;
        if ((asked || last) && !absence_of(*engine))
            ctx->chain[length++] = *engine;
    }
    ctx->by_size = choice == SL_ENGINE_AUTO && ctx->chain[0]->store->memory != SL_MEMORY_HOST;
    return SL_OK;
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

/* Allocates a context without engines. SL_INVALID (SEMLA_TRACE), SL_NO_MEMORY. */
static sl_status blank(sl_context **ctx)
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

/* Starts the engines of the chain. `status` is the result of choosing them; on failure frees ctx.
 */
static sl_status start(sl_context **out, sl_context *ctx, sl_status status)
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

sl_status sl_context_create(sl_context **out, sl_engine_choice choice)
{
    if (!out)
        return SL_INVALID;
    *out = NULL;
    if ((int)choice < 0 || choice >= SL_ENGINE_COUNT)
        return SL_INVALID;
    if (sl_process_unusable())
        return SL_UNSUPPORTED;
    sl_context *ctx;
    const sl_status status = blank(&ctx);
    return status == SL_OK ? start(out, ctx, choose_chain(ctx, choice)) : status;
}

sl_status sl_context_create_of(sl_context **out, const sl_engine *const *chain, void *grid)
{
    *out = NULL;
    if (sl_process_unusable())
        return SL_UNSUPPORTED;
    sl_context *ctx;
    const sl_status status = blank(&ctx);
    if (status != SL_OK)
        return status;
    ctx->grid = grid;
    for (size_t k = 0; k < SL_MAX_ENGINES && chain[k]; k++)
        ctx->chain[k] = chain[k];
    return start(out, ctx, SL_OK);
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

sl_status sl_engine_describe(size_t position, sl_engine_info *info)
{
    if (!info)
        return SL_INVALID;
    for (const sl_engine *const *engine = sl_engines; *engine; engine++) {
        if (position-- > 0)
            continue;
        const char *unavailable_reason = absence_of(*engine);
        *info = (sl_engine_info){
            .name = (*engine)->name,
            .description = (*engine)->description,
            .version = (*engine)->version ? (*engine)->version() : "",
            .present = unavailable_reason == NULL,
            .unavailable_reason = unavailable_reason ? unavailable_reason : "",
            .choice = (*engine)->choice,
        };
        return SL_OK;
    }
    return SL_NO_VALUE;
}
