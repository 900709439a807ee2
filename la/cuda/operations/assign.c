/* Assign and extract on vectors (on matrices: submatrix.c). With an index list, the entries of
 * the input are scattered to an array of the output's size, together with a bitmap of the
 * region. */
#include <string.h>

#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/keys.h"

/* Of the positions in a list (NULL: all) the elements. */
static sl_status take_positions(cuda_scratch *s, cuda_elements *of, const cuda_list *positions)
{
    cuda_entries taken;
    of->n = positions->count;
    if (!positions->item)
        return SL_OK;
    CUDA_TRY(sl_cuda_new_entries(s, &taken, of->n, of->type));
    CUDA_TRY(cuda_launched(s, "kernel gather",
                           sl_cuda_gather(taken.bits, taken.values, of->bits, of->values, of->type,
                                          positions->item, of->n)));
    of->bits = taken.bits;
    of->values = taken.values;
    return SL_OK;
}

/* Scatters the entries of `from` to the indices of the call's list: entries t and the bitmap of
 * the region. from NULL: the region alone. */
static sl_status spread(cuda_scratch *s, cuda_entries *t, uint32_t **region,
                        const cuda_vector *from)
{
    const sl_call *call = s->call;
    cuda_list list, positions;
    uint64_t n = call->out->nrows, bytes = cuda_words(n) * sizeof **region;
    CUDA_TRY(sl_cuda_list(s, &list, &call->rows));
    CUDA_TRY(sl_cuda_scratch_take(s, region, bytes));
    CUDA_TRY(sl_cuda_zero(call->ctx, *region, bytes));
    if (from) {
        CUDA_TRY(sl_cuda_new_entries(s, t, n, call->a->type));
        CUDA_TRY(sl_cuda_zero(call->ctx, t->bits, bytes));
    }
    cuda_elements elements = {.bits = from ? from->bits : NULL,
                              .values = from ? from->values : NULL,
                              .type = t->type,
                              .n = call->rows.count};
    if (from) {
        CUDA_TRY(sl_cuda_keep_last(s, &positions, &list, &call->rows, n));
        CUDA_TRY(take_positions(s, &elements, &positions));
    }
    return cuda_launched(s, "kernel spread",
                         sl_cuda_spread(*region, t->bits, t->values, &elements, list.item));
}

/* Whether the call only writes an entry at each entry of its mask, and may do so later. values: the entries of `a` are
 * written, not the scalar. */
static bool may_wait(const sl_call *call, bool values)
{
    const unsigned flags = SL_STRUCTURE | SL_COMPLEMENT | SL_REPLACE;
    return call->mask && !call->accum && !call->rows.items &&
           (call->flags & flags) == SL_STRUCTURE &&
           (!values || (call->a == call->mask && call->a->type == call->out->type)) &&
           !call->out->ctx->of_rank && call->out->ctx == call->mask->ctx &&
           call->mask != call->out && cuda_vector_of(call->mask)->bits &&
           !cuda_vector_of(call->out)->full;
}

bool sl_cuda_lets_write_wait(const sl_call *call)
{
    const bool scalar = call->op == SL_OP_ASSIGN_SCALAR;
    return (scalar || call->op == SL_OP_ASSIGN) && !call->out->is_matrix && may_wait(call, !scalar);
}

/* The entries of the output, if they are known and the mask has none of them; else CUDA_UNKNOWN. */
static uint64_t entries_outside_mask(const cuda_vector *out, const cuda_vector *mask)
{
    return mask->disjoint_from && mask->disjoint_from == out->pattern ? out->nvals : CUDA_UNKNOWN;
}

/* Notes the write at the mask, of the mask's values or of the scalar. The engine has done all others to the output. */
static sl_status let_wait(const sl_call *call, bool values, sl_scalar scalar)
{
    cuda_vector *out = cuda_vector_of(call->out), *mask = cuda_vector_of(call->mask);
    cuda_waiting_write write = {.to = out,
                                .values = values,
                                .size = sl_type_size(call->out->type),
                                .entries = entries_outside_mask(out, mask)};
    memcpy(&write.one, &scalar.as, sizeof write.one);
    if (mask->waiting.count == CUDA_ENTRY_WRITES)
        CUDA_TRY(sl_cuda_finish_writes(call->ctx, mask));
    CUDA_TRY(sl_cuda_make_bitmap(call->out, out));
    sl_cuda_drop_frontier_list(out);
    out->nvals = CUDA_UNKNOWN;
    out->waits_for = mask;
    mask->waiting.n = call->out->nrows;
    mask->waiting.write[mask->waiting.count++] = write;
    return SL_OK;
}

static sl_status assign(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const cuda_vector *a = cuda_vector_of(call->a);
    cuda_entries t = {.type = call->a->type, .bits = a->bits, .values = a->values};
    const uint32_t *allowed;
    uint32_t *region = NULL;
    if (may_wait(call, true))
        return let_wait(call, true, (sl_scalar){0});
    CUDA_TRY(sl_cuda_allowed_bits(s, &allowed));
    if (call->rows.items)
        CUDA_TRY(spread(s, &t, &region, a));
    return sl_cuda_write_output(s, &t, allowed, region);
}

/* The entries of the output after it gets one at each entry of the mask, if it is known to have all or none of
 * them before; else CUDA_UNKNOWN. */
static uint64_t entries_with_mask(const sl_call *call)
{
    const unsigned flags = SL_STRUCTURE | SL_COMPLEMENT | SL_REPLACE;
    if (!call->mask || (call->flags & flags) != SL_STRUCTURE || call->rows.items)
        return CUDA_UNKNOWN;
    const cuda_vector *out = cuda_vector_of(call->out), *mask = cuda_vector_of(call->mask);
    if (out->nvals == call->out->nrows)
        return out->nvals;
    const uint64_t others = entries_outside_mask(out, mask);
    return others != CUDA_UNKNOWN && mask->nvals != CUDA_UNKNOWN ? others + mask->nvals
                                                                 : CUDA_UNKNOWN;
}

/* Runs an assign to a vector by `assigned`. fills: each index that the mask allows gets an entry. */
static sl_status assign_to_vector(sl_call *call, sl_status (*assigned)(cuda_scratch *s), bool fills)
{
    cuda_scratch s = {.call = call};
    const uint64_t entries = fills ? entries_with_mask(call) : CUDA_UNKNOWN;
    const sl_status status = assigned(&s);
    sl_cuda_scratch_release(&s);
    if (status == SL_OK && entries != CUDA_UNKNOWN)
        cuda_vector_of(call->out)->nvals = entries;
    return status;
}

sl_status sl_cuda_assign(sl_call *call)
{
    if (call->out->is_matrix)
        return sl_cuda_assign_matrix(call);
    return assign_to_vector(call, assign, call->a == call->mask);
}

/* The scalar as an array, for an accumulator of another type than the output's. */
static sl_status spread_scalar(cuda_scratch *s, cuda_entries *t)
{
    const sl_call *call = s->call;
    uint64_t n = call->out->nrows;
    t->type = call->scalar.type;
    CUDA_TRY(sl_cuda_scratch_take(s, &t->values, n * sl_type_size(t->type)));
    return cuda_launched(s, "kernel fill",
                         sl_cuda_fill(t->values, &call->scalar.as, sl_type_size(t->type), n));
}

static sl_status assign_scalar(cuda_scratch *s)
{
    const sl_call *call = s->call;
    sl_type type = call->out->type;
    cuda_entries t = {.type = type, .scalar = sl_scalar_cast(call->scalar, type)};
    const uint32_t *allowed;
    uint32_t *region = NULL;
    if (may_wait(call, false))
        return let_wait(call, false, t.scalar);
    CUDA_TRY(sl_cuda_allowed_bits(s, &allowed));
    if (call->accum && (call->scalar.type != type || !sl_cuda_accumulates_in_place(call, &t)))
        CUDA_TRY(spread_scalar(s, &t));
    if (call->rows.items) {
        cuda_entries none = {.type = type};
        CUDA_TRY(spread(s, &none, &region, NULL));
    }
    return sl_cuda_write_output(s, &t, allowed, region);
}

/* True if a scalar is assigned to a few indices of a vector that stays a host list, such as the
 * sources of a search. */
static bool assigns_to_host_list(const sl_call *call)
{
    cuda_vector *out = cuda_vector_of(call->out);
    sl_scalar scalar = sl_scalar_cast(call->scalar, call->out->type);
    if (call->mask || (call->flags & SL_COMPLEMENT) || call->accum || !call->rows.items ||
        call->rows.range || !cuda_is_host_list(out) ||
        call->rows.count + out->nvals > CUDA_HOST_LIST_MAX)
        return false;
    for (uint64_t k = 0; k < call->rows.count; k++)
        sl_cuda_host_list_set(out, call->rows.items[k], &scalar.as);
    return true;
}

/* True if every entry of the output gets the scalar. */
static bool assigns_to_all(const sl_call *call)
{
    return !call->mask && !(call->flags & SL_COMPLEMENT) && !call->accum && !call->rows.items &&
           call->out->nrows > 0;
}

sl_status sl_cuda_assign_scalar(sl_call *call)
{
    if (call->out->is_matrix)
        return sl_cuda_assign_scalar_matrix(call);
    if (assigns_to_all(call)) {
        const sl_scalar scalar = sl_scalar_cast(call->scalar, call->out->type);
        return sl_cuda_make_same(call->out, cuda_vector_of(call->out), &scalar.as);
    }
    if (assigns_to_host_list(call))
        return SL_OK;
    return assign_to_vector(call, assign_scalar, true);
}

static sl_status extract(cuda_scratch *s)
{
    const sl_call *call = s->call;
    const cuda_vector *a = cuda_vector_of(call->a);
    cuda_entries t = {.type = call->a->type, .bits = a->bits, .values = a->values};
    cuda_list list;
    const uint32_t *allowed;
    CUDA_TRY(sl_cuda_allowed_bits(s, &allowed));
    CUDA_TRY(sl_cuda_list(s, &list, &call->rows));
    if (list.item) {
        CUDA_TRY(sl_cuda_new_entries(s, &t, call->rows.count, call->a->type));
        CUDA_TRY(cuda_launched(s, "kernel gather",
                               sl_cuda_gather(t.bits, t.values, a->bits, a->values, call->a->type,
                                              list.item, call->rows.count)));
    }
    return sl_cuda_write_output(s, &t, allowed, NULL);
}

sl_status sl_cuda_extract(sl_call *call)
{
    if (call->out->is_matrix)
        return sl_cuda_extract_matrix(call);
    cuda_scratch s = {.call = call};
    sl_status status = extract(&s);
    sl_cuda_scratch_release(&s);
    return status;
}
