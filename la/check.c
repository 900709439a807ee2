#include "check.h"

#include <inttypes.h>
#include <string.h>

static sl_context *context_of(const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    const sl_object *any = call->out    ? call->out
                           : call->a    ? call->a
                           : call->b    ? call->b
                           : call->mask ? call->mask
                           : t          ? t->pi
                                        : NULL;
    return any ? any->ctx : NULL;
}

/* Name number k of a list: "call->out, monoid" are out and monoid. */
static sl_status is_null(const sl_call *call, const char *names, size_t k)
{
    for (; k > 0; k--)
        names = strchr(names, ',') + 2;
    const char *member = "call->";
    if (strncmp(names, member, strlen(member)) == 0)
        names += strlen(member);
    return sl_fail(call->ctx, SL_INVALID, "%s: %.*s is NULL", sl_operation_name(call->op),
                   (int)strcspn(names, ","), names);
}

sl_status sl_check_call(sl_call *call, const char *names, const void *const *needed, size_t count)
{
    const char *name = sl_operation_name(call->op);
    sl_context *ctx = call->ctx = context_of(call);
    for (size_t k = 0; k < count; k++)
        if (!needed[k])
            return is_null(call, names, k);
    const sl_object *objects[] = {call->out, call->mask, call->a, call->b};
    for (size_t k = 0; k < sizeof objects / sizeof *objects; k++)
        if (objects[k] && objects[k]->ctx != ctx)
            return sl_fail(ctx, SL_MISMATCH, "%s: objects of different contexts", name);
    if (call->mask && call->out &&
        (call->mask->nrows != call->out->nrows || call->mask->ncols != call->out->ncols))
        return sl_fail(
            ctx, SL_MISMATCH,
            "%s: the mask is %" PRIu64 " x %" PRIu64 ", the output %" PRIu64 " x %" PRIu64, name,
            call->mask->nrows, call->mask->ncols, call->out->nrows, call->out->ncols);
    if (call->accum && call->accum->positional)
        return sl_fail(ctx, SL_INVALID, "%s: %s cannot accumulate: it is positional", name,
                       call->accum->name);
    return SL_OK;
}

sl_status sl_check_length(const sl_call *call, const char *what, uint64_t got, uint64_t wanted)
{
    if (got == wanted)
        return SL_OK;
    return sl_fail(call->ctx, SL_MISMATCH, "%s: %s is %" PRIu64 ", not %" PRIu64,
                   sl_operation_name(call->op), what, got, wanted);
}

sl_status sl_check_list(const sl_call *call, const char *what, const uint64_t *list, uint64_t count,
                        uint64_t bound)
{
    for (uint64_t k = 0; list && k < count; k++)
        if (list[k] >= bound)
            return sl_fail(call->ctx, SL_OUT_OF_RANGE,
                           "%s: %s %" PRIu64 " at position %" PRIu64
                           " of the list is out of range: there are %" PRIu64,
                           sl_operation_name(call->op), what, list[k], k, bound);
    return SL_OK;
}

sl_status sl_check_index(sl_context *ctx, const char *what, uint64_t index, uint64_t bound)
{
    if (index < bound)
        return SL_OK;
    return sl_fail(ctx, SL_OUT_OF_RANGE, "%s %" PRIu64 " is out of range: there are %" PRIu64, what,
                   index, bound);
}
