/*
 * The engines of this build, in the order in which a context tries them: the fastest first,
 * SuiteSparse, which supports every operation, last. Each is defined in the folder of its name. To
 * add an engine, add it to this list. Contexts get their engines here, so nothing below names one.
 */
#include <semla/engine.h>
#include <semla/process.h>

#include <stdlib.h>
#include <string.h>

extern const sl_engine sl_engine_cuda;
extern const sl_engine sl_engine_openmp;
extern const sl_engine sl_engine_suitesparse;

const sl_engine *const sl_engines[] = {
    &sl_engine_cuda,
    &sl_engine_openmp,
    &sl_engine_suitesparse,
    NULL,
};

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
    const sl_status status = sl_context_blank(&ctx);
    return status == SL_OK ? sl_context_start(out, ctx, choose_chain(ctx, choice)) : status;
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
