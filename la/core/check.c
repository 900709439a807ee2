/* Checks of arguments, with messages that name the operation and the wrong value. */
#include "la/core/check.h"

#include <semla/process.h>

#include <inttypes.h>
#include <string.h>
#include <sys/sysinfo.h>

static sl_context *context_of(const sl_call *call)
{
    const sl_traversal *t = call->traversal;
    const sl_object *any = call->out          ? call->out
                           : call->second_out ? call->second_out
                           : call->a          ? call->a
                           : call->b          ? call->b
                           : call->mask       ? call->mask
                           : t                ? t->pi
                                              : NULL;
    return any ? any->ctx : NULL;
}

/* Reports that argument number k of the list `names` is NULL; "call->out, call->operators.binary"
 * names out and binary. */
static sl_status is_null(const sl_call *call, const char *names, size_t k)
{
    for (; k > 0; k--)
        names = strchr(names, ',') + 2;
    const char *name = names, *end = names + strcspn(names, ",");
    for (const char *c = names; c < end; c++)
        if (*c == '>' || *c == '.')
            name = c + 1;
    return SL_REFUSE(call->ctx, SL_INVALID, "%s: %.*s is NULL", sl_operation_name(call->op),
                     (int)(end - name), name);
}

/* The mask must have the shape of the output, or of the one row or column that is written. */
static sl_status check_mask(const sl_call *call)
{
    if (!call->mask || !call->out)
        return SL_OK;
    bool row = call->op == SL_OP_ASSIGN_ROW, column = call->op == SL_OP_ASSIGN_COLUMN;
    uint64_t nrows = row ? call->out->ncols : call->out->nrows;
    uint64_t ncols = row || column ? 1 : call->out->ncols;
    if (call->mask->nrows == nrows && call->mask->ncols == ncols)
        return SL_OK;
    return SL_REFUSE(call->ctx, SL_MISMATCH,
                     "%s: the mask is %" PRIu64 " x %" PRIu64 ", the %s %" PRIu64 " x %" PRIu64,
                     sl_operation_name(call->op), call->mask->nrows, call->mask->ncols,
                     row      ? "row"
                     : column ? "column"
                              : "output",
                     nrows, ncols);
}

static sl_status refuse_operator(const sl_call *call, const sl_user *user)
{
    return SL_REFUSE(call->ctx, SL_MISMATCH, "%s: %s belongs to another context",
                     sl_operation_name(call->op), user->name);
}

/* User-defined operators must belong to the context of the call. */
#define CHECK_OPERATOR(call, op)                                                                   \
    if ((op) && (op)->user && (op)->user->ctx != (call)->ctx)                                      \
    return refuse_operator(call, (op)->user)

static sl_status check_operators(const sl_call *call)
{
    CHECK_OPERATOR(call, call->accum);
    CHECK_OPERATOR(call, call->operators.semiring);
    CHECK_OPERATOR(call, call->operators.monoid);
    CHECK_OPERATOR(call, call->operators.unary);
    CHECK_OPERATOR(call, call->operators.binary);
    CHECK_OPERATOR(call, call->operators.index);
    return SL_OK;
}

static bool is_of_another(const sl_object *object, const sl_context *ctx)
{
    return object && object->ctx != ctx;
}

sl_status sl_check_call(sl_call *call, const char *names, const void *const *needed, size_t count)
{
    sl_context *ctx = call->ctx = context_of(call);
    for (size_t k = 0; k < count; k++)
        if (!needed[k])
            return is_null(call, names, k);
    if (is_of_another(call->out, ctx) || is_of_another(call->second_out, ctx) ||
        is_of_another(call->mask, ctx) || is_of_another(call->a, ctx) ||
        is_of_another(call->b, ctx))
        return SL_REFUSE(ctx, SL_MISMATCH, "%s: the objects belong to different contexts",
                         sl_operation_name(call->op));
    SL_TRY(check_mask(call));
    if (call->accum && call->accum->positional)
        return SL_REFUSE(ctx, SL_INVALID, "%s: %s cannot accumulate: it is positional",
                         sl_operation_name(call->op), call->accum->name);
    return check_operators(call);
}

sl_status sl_check_scalar(const sl_call *call, const char *what, const sl_scalar *scalar)
{
    if (sl_type_size(scalar->type) > 0)
        return SL_OK;
    return SL_REFUSE(call->ctx, SL_INVALID, "%s: %s has no type", sl_operation_name(call->op),
                     what);
}

sl_status sl_check_length(const sl_call *call, const char *what, uint64_t got, uint64_t wanted)
{
    if (got == wanted)
        return SL_OK;
    return SL_REFUSE(call->ctx, SL_MISMATCH, "%s: %s is %" PRIu64 ", not %" PRIu64,
                     sl_operation_name(call->op), what, got, wanted);
}

/* Has no branch in the loop, so that compilers vectorise it: for a bound up to 2^60 an index is out
 * of range if and only if the index or bound - 1 - index has the highest bit set. */
static bool all_below(const uint64_t *list, uint64_t count, uint64_t bound, int threads)
{
    uint64_t beyond = 0;
#pragma omp parallel for reduction(| : beyond) num_threads(threads) if (threads > 1)
    for (uint64_t k = 0; k < count; k++)
        beyond |= list[k] | (bound - 1 - list[k]);
    return beyond >> 63 == 0;
}

sl_status sl_check_list(const sl_call *call, const char *what, const uint64_t *list, uint64_t count,
                        uint64_t bound)
{
    const bool large = list && count > SL_SERIAL_EDGES;
    if (large) /* before threads start */
        SL_TRY(sl_check_process(call->ctx, sl_operation_name(call->op)));
    if (!list || all_below(list, count, bound, large ? sl_context_threads(call->ctx) : 1))
        return SL_OK;
    uint64_t k = 0;
    while (list[k] < bound)
        k++;
    return SL_REFUSE(call->ctx, SL_OUT_OF_RANGE,
                     "%s: %s %" PRIu64 " at position %" PRIu64
                     " of the list is out of range: there are %" PRIu64,
                     sl_operation_name(call->op), what, list[k], k, bound);
}

/* The length of a range {begin, end, step}, by the rules of SL_RANGE. */
static uint64_t range_length(const uint64_t *range)
{
    int64_t begin = (int64_t)range[0], end = (int64_t)range[1], step = (int64_t)range[2];
    if (step > 0)
        return begin < end ? (range[1] - range[0] - 1) / range[2] + 1 : 0;
    return begin > end ? (range[0] - range[1] - 1) / (0 - range[2]) + 1 : 0;
}

static sl_status check_range(const sl_call *call, const char *what, const uint64_t *range,
                             uint64_t *count, uint64_t bound)
{
    if (range[2] == 0)
        return SL_REFUSE(call->ctx, SL_INVALID, "%s: a range of %ss has a step of 0",
                         sl_operation_name(call->op), what);
    *count = range_length(range);
    uint64_t first = range[0], last = range[0] + (*count - 1) * range[2];
    if (*count == 0 || (first < bound && last < bound))
        return SL_OK;
    return SL_REFUSE(call->ctx, SL_OUT_OF_RANGE,
                     "%s: %s %" PRId64 ", the %s of a range, is out of range: there are %" PRIu64,
                     sl_operation_name(call->op), what, (int64_t)(first < bound ? last : first),
                     first < bound ? "last" : "first", bound);
}

sl_status sl_check_indices(const sl_call *call, const char *what, sl_index_list *list,
                           uint64_t bound)
{
    list->range = list->items && list->count == SL_RANGE;
    if (list->range)
        return check_range(call, what, list->items, &list->count, bound);
    if (!list->items)
        list->count = bound;
    return sl_check_list(call, what, list->items, list->count, bound);
}

/* The memory of this machine in bytes, or the limit of the context. */
static uint64_t memory_of(const sl_context *ctx)
{
    struct sysinfo machine;
    sl_context_memory limited;
    sl_context_get_memory(ctx, &limited);
    if (sysinfo(&machine) != 0)
        return limited.limit > 0 ? limited.limit : UINT64_MAX;
    const uint64_t all = ((uint64_t)machine.totalram + machine.totalswap) * machine.mem_unit;
    return limited.limit > 0 && limited.limit < all ? limited.limit : all;
}

sl_status sl_check_room(const sl_call *call, uint64_t entries)
{
    const uint64_t processes = sl_context_processes(call->ctx), memory = memory_of(call->ctx);
    sl_status status = SL_OK;
    if (entries / processes > memory)
        status = sl_fail(call->ctx, SL_NO_MEMORY,
                         "%s: the result has %" PRIu64 " entries or more; %" PRIu64 " x %" PRIu64
                         " bytes of memory cannot hold them",
                         sl_operation_name(call->op), entries, processes, memory);
    return sl_agree(call->ctx, status);
}

sl_status sl_check_index(sl_context *ctx, const char *what, uint64_t index, uint64_t bound)
{
    if (index < bound)
        return SL_OK;
    return SL_REFUSE(ctx, SL_OUT_OF_RANGE, "%s %" PRIu64 " is out of range: there are %" PRIu64,
                     what, index, bound);
}

/* SuiteSparse's limit: GrB_INDEX_MAX + 1. */
static const uint64_t greatest_size = (uint64_t)1 << 60;

sl_status sl_examine_size(sl_context *ctx, uint64_t nrows, uint64_t ncols)
{
    if (nrows <= greatest_size && ncols <= greatest_size)
        return SL_OK;
    return sl_fail(ctx, SL_OUT_OF_RANGE, "a size of %" PRIu64 " is above 2^60",
                   nrows > ncols ? nrows : ncols);
}

sl_status sl_check_size(sl_context *ctx, uint64_t nrows, uint64_t ncols)
{
    sl_status status = sl_examine_size(ctx, nrows, ncols);
    return status == SL_OK ? SL_OK : sl_agree(ctx, status);
}
