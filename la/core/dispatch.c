/* The one file that chooses who does an operation. */
#include <semla/engine.h>

#include <inttypes.h>
#include <stdio.h>

const char *sl_operation_name(sl_operation op)
{
    static const char *const names[] = {
#define X(NAME, name) #name,
        SL_OPERATIONS(X)
#undef X
    };
    return (unsigned)op < SL_OP_COUNT ? names[op] : "?";
}

/* Why an engine does not take the call, or NULL if it does. */
static const char *refusal(const sl_engine *engine, const sl_call *call)
{
    if (!engine->run[call->op])
        return "does not have it";
    return engine->declines ? engine->declines(call) : NULL;
}

/* Filling and reading objects, as against computing with them. */
static bool is_of_the_store(sl_operation op)
{
    return op >= SL_OP_BUILD && op <= SL_OP_ROW_ENTRIES;
}

static const sl_engine *choose(const sl_call *call, size_t *position)
{
    size_t most = call->ctx->forced && !is_of_the_store(call->op) ? 1 : SL_MAX_ENGINES;
    for (size_t k = 0; k < most && call->ctx->chain[k]; k++)
        if (!refusal(call->ctx->chain[k], call)) {
            *position = k;
            return call->ctx->chain[k];
        }
    return NULL;
}

bool sl_dispatch_supports(const sl_call *call)
{
    size_t position;
    return choose(call, &position) != NULL;
}

enum { MOST_OPERANDS = 10 };

/* The objects of a call, each as often as it is named; the written ones first. */
static size_t operands(const sl_call *call, sl_object *list[MOST_OPERANDS], size_t *written)
{
    size_t n = 0;
    const sl_traversal *t = call->traversal;
    if (call->out)
        list[n++] = call->out;
    if (call->also)
        list[n++] = call->also;
    if (t) {
        list[n++] = t->pi;
        if (t->delta)
            list[n++] = t->delta;
        if (t->options && t->options->level)
            list[n++] = sl_object_of_vector(t->options->level);
    }
    *written = n;
    if (call->mask)
        list[n++] = call->mask;
    if (call->a)
        list[n++] = call->a;
    if (call->b)
        list[n++] = call->b;
    if (t) {
        list[n++] = t->q;
        if (t->options && t->options->targets)
            list[n++] = sl_object_of_vector(t->options->targets);
    }
    return n;
}

static const char *operator_name(const sl_call *call)
{
    if (call->semiring)
        return call->semiring->name;
    if (call->monoid)
        return call->monoid->name;
    if (call->unary)
        return call->unary->name;
    if (call->index)
        return call->index->name;
    return call->binary ? call->binary->name : "-";
}

static void trace(const sl_call *call, const sl_engine *engine, size_t position, sl_status status,
                  double seconds, const sl_context_counts *before)
{
    char others[256] = "";
    size_t used = 0;
    for (size_t k = 0; k < position && used < sizeof others; k++)
        used += (size_t)snprintf(others + used, sizeof others - used, "; %s %s",
                                 call->ctx->chain[k]->name, refusal(call->ctx->chain[k], call));
    fprintf(stderr, "semla: %s %s: %s%s%s, %.1f us, %" PRIu64 " bytes copied, %s%s\n",
            sl_operation_name(call->op), operator_name(call), engine->name,
            call->how ? " " : "", call->how ? call->how : "", 1e6 * seconds,
            call->ctx->counts.bytes_copied - before->bytes_copied,
            status >= 0 ? "ok" : sl_status_string(status), others);
}

static sl_status unsupported(const sl_call *call)
{
    const sl_engine *first = call->ctx->chain[0];
    return sl_fail(call->ctx, SL_UNSUPPORTED, "%s %s: engine %s: %s%s", sl_operation_name(call->op),
                   operator_name(call), first->name, refusal(first, call),
                   call->ctx->forced ? " (SEMLA_ENGINE forbids to ask another)" : "");
}

/* What a store puts off may need a user's accumulator, which may be freed next. */
static sl_status finish(const sl_call *call, const sl_store *store)
{
    if (!call->accum || !call->accum->user || !call->out || !store->finish)
        return SL_OK;
    return store->finish(call->out, sl_handle(call->out, store));
}

/* Tuples are each process's own affair; la/entries.c sees to it that all hear of them. */
static sl_status agree(const sl_engine *engine, const sl_call *call, sl_status status, bool begins)
{
    if (!engine->agree || call->op == SL_OP_TUPLES)
        return status;
    return engine->agree(call->ctx, status, begins ? call : NULL);
}

sl_status sl_dispatch(sl_call *call)
{
    sl_context *ctx = call->ctx;
    size_t position = 0;
    const sl_engine *engine = choose(call, &position);
    if (!engine)
        return sl_agree(ctx, unsupported(call));

    sl_context_counts before = ctx->counts;
    double started = ctx->trace ? sl_seconds() : 0;
    ctx->counts.operations++;
    ctx->counts.fallbacks += position > 0;

    sl_context *outside = sl_store_enter(engine->store, ctx);
    sl_object *list[MOST_OPERANDS];
    size_t written, count = operands(call, list, &written);
    sl_status status = SL_OK;
    for (size_t k = 0; k < count && status == SL_OK; k++)
        status = sl_object_migrate(list[k], engine->store);
    status = agree(engine, call, status, true);
    if (status == SL_OK) {
        status = engine->run[call->op](call);
        if (status == SL_OK)
            status = finish(call, engine->store);
        status = agree(engine, call, status, false);
        /* A failed write may have changed its outputs all the same. */
        for (size_t k = 0; k < written; k++)
            sl_object_modified(list[k], engine->store);
    }
    if (status < 0)
        for (size_t k = 0; k < count; k++)
            sl_object_drop_broken(list[k], engine->store);
    sl_store_leave(engine->store, ctx, outside);
    if (ctx->trace)
        trace(call, engine, position, status, sl_seconds() - started, &before);
    return status;
}
