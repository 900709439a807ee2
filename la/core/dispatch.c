/* Chooses the engine that executes a call, migrates the operands to its store, counts, traces, and
 * reports to the observer. */
#include <semla/engine.h>
#include <semla/process.h>

#include <inttypes.h>
#include <stdio.h>

#include "la/core/check.h"

/* Why an engine does not execute the call, or NULL if it does. */
static const char *reason_against(const sl_engine *engine, const sl_call *call)
{
    if (!engine->run[call->op])
        return "does not have it";
    return engine->declines ? engine->declines(call) : NULL;
}

/*
 * The engine that executes the call, and its position in the chain; NULL: none does. If
 * SL_ENGINE_AUTO chose the host, only engines on the host's memory are asked: SuiteSparse has every
 * operation but those that the library does by other means if no engine has them.
 */
static const sl_engine *choose(const sl_call *call, const sl_choice *choice, size_t *position)
{
    const bool first_only = call->ctx->forced && sl_operation_class_of(call->op) != SL_CLASS_ACCESS;
    const size_t count = first_only ? 1 : SL_MAX_ENGINES;
    for (size_t k = 0; k < count && call->ctx->chain[k]; k++) {
        const sl_engine *engine = call->ctx->chain[k];
        if ((!choice->host || engine->store->memory == SL_MEMORY_HOST) &&
            !reason_against(engine, call)) {
            *position = k;
            return engine;
        }
    }
    return NULL;
}

bool sl_dispatch_supports(const sl_call *call)
{
    sl_operands operands;
    sl_call_operands(&operands, call);
    const sl_choice choice = sl_choice_of(call, &operands);
    size_t position;
    return choose(call, &choice, &position) != NULL;
}

/* Whether the operation writes nothing, and all that it reads is in the store. */
static bool reads_only_what_is_in(const sl_store *store, const sl_operands *operands)
{
    for (size_t k = 0; k < operands->count; k++)
        if (k < operands->outputs || !sl_handle(operands->list[k], store))
            return false;
    return true;
}

/*
 * Whether an operation that the engine at `position` of the chain is to run counts as a fallback: it is not the
 * first engine. An operation without computation does not count if it is the same work whichever engine does it: in
 * the first engine's own memory, or if it reads what this engine's memory already has.
 */
static bool falls_back(const sl_call *call, const sl_engine *engine, size_t position,
                       const sl_operands *operands)
{
    return position > 0 && (sl_operation_class_of(call->op) != SL_CLASS_ACCESS ||
                            (engine->store != call->ctx->chain[0]->store &&
                             !reads_only_what_is_in(engine->store, operands)));
}

static const char *operator_name(const sl_call *call)
{
    if (call->operators.semiring)
        return call->operators.semiring->name;
    if (call->operators.monoid)
        return call->operators.monoid->name;
    if (call->operators.unary)
        return call->operators.unary->name;
    if (call->operators.index)
        return call->operators.index->name;
    return call->operators.binary ? call->operators.binary->name : "-";
}

/* How a call ran. */
typedef struct {
    sl_status status;
    double started;          /* sl_seconds(); 0 without a trace or an observer */
    uint64_t copied_before;  /* the context's bytes copied before the call */
    sl_context_counts inner; /* of its local operations */
} outcome;

/* Why the engines before the one that ran did not, and the times that SL_ENGINE_AUTO compared. */
static void trace(const sl_call *call, const sl_engine *engine, size_t position,
                  const sl_choice *choice, const outcome *ran)
{
    const double seconds = sl_seconds() - ran->started;
    char skipped[320] = "";
    size_t used = 0;
    if (engine->inner)
        used += (size_t)snprintf(skipped, sizeof skipped,
                                 "; on rank %" PRIu32 " %" PRIu64 " local operations, of which "
                                 "%" PRIu64 " fell back",
                                 engine->position(call->ctx).process, ran->inner.operations,
                                 ran->inner.fallbacks);
    for (size_t k = 0; k < position && used < sizeof skipped; k++) {
        const char *reason = reason_against(call->ctx->chain[k], call);
        if (reason)
            used += (size_t)snprintf(skipped + used, sizeof skipped - used, "; %s %s",
                                     call->ctx->chain[k]->name, reason);
    }
    if (choice->estimated && used < sizeof skipped)
        snprintf(skipped + used, sizeof skipped - used,
                 "; chosen by size: expected %.1f us on the host, %.1f us on the device",
                 choice->host_us, choice->device_us);
    const char *library = call->ctx->library;
    fprintf(stderr, "semla: %s %s: %s%s%s, %.1f us, %" PRIu64 " bytes copied, %s%s%s%s\n",
            sl_operation_name(call->op), operator_name(call), engine->name, library ? " by " : "",
            library ? library : "", 1e6 * seconds,
            call->ctx->counts.bytes_copied - ran->copied_before,
            ran->status >= 0 ? "ok" : sl_status_string(ran->status), skipped,
            call->outcome.note ? "; " : "", call->outcome.note ? call->outcome.note : "");
}

/* Reports an operation that ran to the function of sl_context_set_observer. */
static void observe(const sl_call *call, const sl_engine *engine, bool fell_back,
                    const outcome *ran)
{
    const char *reason = ran->inner.fallbacks > 0 ? "a local operation of the rank fell back" : "";
    if (call->outcome.fell_back)
        reason = call->outcome.note;
    if (fell_back)
        reason = reason_against(call->ctx->chain[0], call);
    const sl_operation_record record = {
        .operation = sl_operation_name(call->op),
        .operator_name = operator_name(call),
        .engine = engine->name,
        .reason = reason ? reason : "the host was expected to be faster",
        .fell_back = fell_back || ran->inner.fallbacks > 0 || call->outcome.fell_back,
        .status = ran->status,
        .started = ran->started,
        .seconds = sl_seconds() - ran->started,
        .bytes_copied = call->ctx->counts.bytes_copied - ran->copied_before};
    call->ctx->observer(call->ctx->observer_data, &record);
}

sl_status sl_context_set_observer(sl_context *ctx, sl_operation_function function, void *data)
{
    if (!ctx)
        return SL_INVALID;
    ctx->observer = function;
    ctx->observer_data = data;
    return SL_OK;
}

/* The counts of the context in which the engine runs local operations. */
static sl_context_counts inner_counts(const sl_engine *engine, const sl_context *ctx)
{
    sl_context_counts counts;
    sl_context_get_counts(engine->inner(ctx), &counts);
    return counts;
}

/* What was counted there during an operation, *inner, is part of the outer context's counts. */
static void add_inner_counts(sl_context *ctx, const sl_engine *engine, sl_context_counts *inner)
{
    const sl_context_counts after = inner_counts(engine, ctx);
    inner->operations = after.operations - inner->operations;
    inner->fallbacks = after.fallbacks - inner->fallbacks;
    ctx->counts.copies += after.copies - inner->copies;
    ctx->counts.bytes_copied += after.bytes_copied - inner->bytes_copied;
}

static sl_status unsupported(const sl_call *call)
{
    const sl_engine *first = call->ctx->chain[0];
    return sl_fail(call->ctx, SL_UNSUPPORTED, "%s %s: engine %s: %s%s", sl_operation_name(call->op),
                   operator_name(call), first->name, reason_against(first, call),
                   call->ctx->forced ? " (SEMLA_ENGINE allows no other engine)" : "");
}

/* Deferred work of a store may call a user-defined accumulator, which the user may free after this
 * operation; such work is done now. */
static sl_status finish(const sl_call *call, const sl_store *store)
{
    if (!call->accum || !call->accum->user || !call->out || !store->finish)
        return SL_OK;
    return store->finish(call->out, sl_handle(call->out, store));
}

/* Agrees with the other processes of a grid, and on the arguments if `compares`. TUPLES may be called on
 * some processes only; their agreement is in la/operations/entries.c. */
static sl_status agree(const sl_engine *engine, sl_call *call, sl_status status, bool compares)
{
    if (!engine->agree || call->op == SL_OP_TUPLES)
        return status;
    return engine->agree(call->ctx, status, compares ? call : NULL);
}

/* Runs the operation and the agreements of a grid's processes: one before it, on status and arguments, and one
 * after it; or a single one after it, on both, if nothing is exchanged. *ran: the operation has run. */
static sl_status run_engine(const sl_engine *engine, sl_call *call, sl_status status, bool *ran)
{
    const bool first = engine->runs_first && engine->runs_first(call);
    if (!first)
        status = agree(engine, call, status, true);
    *ran = status == SL_OK;
    if (*ran)
        status = engine->run[call->op](call);
    if (*ran && status == SL_OK)
        status = finish(call, engine->store);
    return first || (*ran && !call->outcome.agreed) ? agree(engine, call, status, first) : status;
}

/* Gives an output whose contents are not read an empty handle in the store, if it has none there,
 * instead of migrating it; its contents in other stores remain until the operation has succeeded.
 * Returns true if it did. */
static bool begin_output(const sl_call *call, const sl_store *store, sl_status *status)
{
    if (!sl_call_overwrites(call) || !sl_object_has_contents(call->out) ||
        sl_handle(call->out, store))
        return false;
    *status = store->create(&call->out->held[store->slot], call->out);
    return *status == SL_OK;
}

/* The operands that have no contents, a bit for each. */
static unsigned without_contents(const sl_operands *operands)
{
    unsigned bits = 0;
    for (size_t k = 0; k < operands->count; k++)
        bits |= (unsigned)!sl_object_has_contents(operands->list[k]) << k;
    return bits;
}

/* Releases what a failed operation has left. An operand that had no contents has none again, on all processes of a
 * grid, also if one of them has refused the call. */
static void clean_up(const sl_operands *operands, unsigned empty, const sl_store *store)
{
    for (size_t k = 0; k < operands->count; k++)
        if (empty >> k & 1)
            sl_object_drop(operands->list[k], store);
        else
            sl_object_drop_broken(operands->list[k], store);
}

/* True if the engine makes the contents of the output, which has none: room for its rows is not made twice. */
static bool makes_output(const sl_call *call)
{
    return call->op == SL_OP_GENERATE;
}

sl_status sl_dispatch(sl_call *call)
{
    sl_context *ctx = call->ctx;
    size_t position = 0;
    sl_status status = sl_check_process(ctx, sl_operation_name(call->op));
    if (status != SL_OK)
        return status;
    status = sl_examine_types(call);
    if (status != SL_OK)
        return sl_agree(ctx, status);
    sl_operands operands;
    sl_call_operands(&operands, call);
    sl_choice choice = {0};
    if (ctx->by_size)
        choice = sl_choice_of(call, &operands);
    const sl_engine *engine = choose(call, &choice, &position);
    if (!engine)
        return sl_agree(ctx, unsupported(call));

    outcome how = {.copied_before = ctx->counts.bytes_copied};
    if (engine->inner)
        how.inner = inner_counts(engine, ctx);
    if (ctx->trace || ctx->observer)
        how.started = sl_seconds();
    ctx->counts.operations++;
    ctx->library = NULL;
    call->outcome.agreed = call->outcome.fell_back = false;
    const bool fell_back = falls_back(call, engine, position, &operands);
    ctx->counts.fallbacks += fell_back;

    const unsigned empty = without_contents(&operands);
    sl_context *outside = sl_store_enter(engine->store, ctx);
    status = sl_asks(ctx) ? sl_interrupted(ctx, sl_operation_name(call->op)) : SL_OK;
    const bool begun = status == SL_OK && begin_output(call, engine->store, &status);
    for (size_t k = makes_output(call); k < operands.count && status == SL_OK; k++)
        if (!sl_handle(operands.list[k], engine->store))
            status = sl_object_migrate(operands.list[k], engine->store);
    bool ran;
    status = run_engine(engine, call, status, &ran);
    if (ran) {
        /* A failed operation may have changed its outputs too. */
        for (size_t k = begun && status < 0; k < operands.outputs; k++)
            sl_object_modified(operands.list[k], engine->store);
        if (ctx->by_size)
            sl_choice_ran(call, &operands, &choice);
    }
    if (status < 0 && begun)
        sl_object_drop(call->out, engine->store);
    if (status < 0)
        clean_up(&operands, empty, engine->store);
    sl_store_leave(engine->store, ctx, outside);
    if (engine->inner)
        add_inner_counts(ctx, engine, &how.inner);
    /* The operation fell back, too, if one of the local operations did, or if it says so. */
    ctx->counts.fallbacks += how.inner.fallbacks > 0 || call->outcome.fell_back;
    how.status = status;
    if (ctx->trace)
        trace(call, engine, position, &choice, &how);
    if (ctx->observer)
        observe(call, engine, fell_back, &how);
    return status;
}
