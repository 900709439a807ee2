/* What operations on vectors share: casts, the indices that a mask allows, the write to the
 * output. */
#include <math.h>
#include <string.h>

#include "cuda/jit/jit.h"
#include "cuda/operations/vector_result.h"

sl_status sl_cuda_new_entries(cuda_scratch *s, cuda_entries *e, uint64_t n, sl_type type)
{
    CUDA_TRY(sl_cuda_new_full(s, e, n, type));
    return sl_cuda_scratch_take(s, &e->bits, cuda_words(n) * sizeof *e->bits);
}

sl_status sl_cuda_new_full(cuda_scratch *s, cuda_entries *e, uint64_t n, sl_type type)
{
    *e = (cuda_entries){.type = type, .own = true};
    return sl_cuda_scratch_take(s, &e->values, n * sl_type_size(type));
}

/* Casts n values `from`, at the entries of `bits`, to another type. */
static sl_status cast(cuda_scratch *s, const void **to, sl_type to_type, const void *from,
                      sl_type from_type, const uint32_t *bits, uint64_t n)
{
    void *made;
    *to = from;
    if (from_type == to_type)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &made, n * sl_type_size(to_type)));
    *to = made;
    return cuda_launched(s, "kernel cast", sl_cuda_cast(made, to_type, from, from_type, bits, n));
}

sl_status sl_cuda_values_as(cuda_scratch *s, const void **values, const cuda_vector *v,
                            const sl_object *object, sl_type type)
{
    return cast(s, values, type, v->values, object->type, v->bits, object->nrows);
}

sl_status sl_cuda_allowed_bits(cuda_scratch *s, const uint32_t **allowed)
{
    const sl_call *call = s->call;
    bool complement = call->flags & SL_COMPLEMENT;
    uint64_t n = call->out->nrows;
    uint32_t *bits;
    *allowed = NULL;
    if (!call->mask && !complement)
        return SL_OK;
    const cuda_vector *mask = call->mask ? cuda_vector_of(call->mask) : NULL;
    if (mask && (call->flags & SL_STRUCTURE) && !complement) { /* NULL if the mask is full */
        *allowed = mask->bits;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_scratch_take(s, &bits, cuda_words(n) * sizeof *bits));
    *allowed = bits;
    if (!mask) /* without a mask, a complement allows nothing */
        return sl_cuda_zero(call->ctx, bits, cuda_words(n) * sizeof *bits);
    const void *values = call->flags & SL_STRUCTURE ? NULL : mask->values;
    return cuda_launched(s, "kernel mask",
                         sl_cuda_mask(bits, mask->bits, values, call->mask->type, complement, n));
}

sl_status sl_cuda_combine(cuda_scratch *s, cuda_ewise *e, sl_binary_op op, sl_scalar alpha,
                          sl_scalar beta)
{
    e->kind = cuda_kind_of(op);
    e->code = (int)op->code;
    CUDA_TRY(sl_cuda_compile_ewise(s->call->ctx, &e->made, op));
    return cuda_launched(s, "kernel ewise", sl_cuda_ewise(e, op->type, &alpha.as, &beta.as));
}

/* out accum t in out's type, where both have an entry; operands are cast to the accumulator's
 * types. */
static sl_status accumulate(cuda_scratch *s, const void **both, const cuda_entries *t)
{
    const sl_call *call = s->call;
    const cuda_vector *out = cuda_vector_of(call->out);
    sl_binary_op accum = call->accum;
    uint64_t n = call->out->nrows;
    cuda_entries z;
    CUDA_TRY(sl_cuda_new_entries(s, &z, n, accum->result));
    cuda_ewise e = {.n = n,
                    .bits = z.bits,
                    .values = z.values,
                    .a_bits = out->bits,
                    .b_bits = t->bits,
                    .join = CUDA_INTERSECTION};
    CUDA_TRY(sl_cuda_values_as(s, &e.a_values, out, call->out, accum->type));
    CUDA_TRY(cast(s, &e.b_values, accum->type_y, t->values, t->type, t->bits, n));
    CUDA_TRY(sl_cuda_combine(s, &e, accum, (sl_scalar){0}, (sl_scalar){0}));
    return cast(s, both, call->out->type, z.values, z.type, z.bits, n);
}

/* True if the output can take over t's arrays. */
static bool replaces(const sl_call *call, const cuda_entries *t, const uint32_t *allowed)
{
    bool all = !allowed || ((call->flags & SL_REPLACE) && t->masked);
    return t->own && all && !call->accum && t->type == call->out->type;
}

void sl_cuda_move_entries(cuda_scratch *s, cuda_vector *out, const cuda_entries *t, uint64_t n)
{
    if (t->bits)
        sl_cuda_scratch_detach(s, t->bits);
    sl_cuda_scratch_detach(s, t->values);
    const uint64_t counted = t->like ? t->like->nvals : CUDA_UNKNOWN; /* it may be `out` */
    sl_cuda_clear_vector(out);
    out->bits = t->bits;
    out->full = !t->bits;
    out->values = t->values;
    out->nvals = t->bits ? counted : n;
}

sl_scalar sl_cuda_neutral_value(sl_monoid monoid)
{
    const bool floating = monoid->type == SL_FP32 || monoid->type == SL_FP64;
    const sl_binary_code code = monoid->op->code;
    if (floating && (code == SL_BINARY_MIN || code == SL_BINARY_MAX))
        return sl_scalar_cast(sl_scalar_fp64(NAN), monoid->type);
    return monoid->identity;
}

bool sl_cuda_accumulates_in_place(const sl_call *call, const cuda_entries *t)
{
    sl_binary_op accum = call->accum;
    return !accum->user && cuda_kind_of(accum) == CUDA_VALUES && accum->type == call->out->type &&
           t->type == call->out->type;
}

/* True if the output, which is full, is full afterwards too. */
static bool stays_full(const sl_call *call, const cuda_entries *t, const uint32_t *allowed)
{
    return (!t->bits || call->accum) && !(allowed && (call->flags & SL_REPLACE));
}

/* True if t is a part of the output's entries, with their values where they are, and the others go. */
static bool is_part_of_output(const sl_call *call, const cuda_entries *t, const uint32_t *allowed)
{
    return t->bits && t->values && t->values == cuda_vector_of(call->out)->values && !allowed &&
           !call->accum;
}

/* Replaces the bitmap by t's. */
static void replace_bits(cuda_vector *out, const cuda_entries *t)
{
    sl_cuda_free(out->bits);
    out->bits = t->bits;
    out->full = false;
    out->nvals = CUDA_UNKNOWN;
}

/* Converts the output to the form in which it is written. all: it is full afterwards. */
static sl_status prepare_output(const sl_call *call, const cuda_entries *t, const uint32_t *allowed,
                                bool all)
{
    cuda_vector *out = cuda_vector_of(call->out);
    if (out->full && stays_full(call, t, allowed))
        return SL_OK;
    return all && !call->accum ? sl_cuda_make_full(call->out, out)
                               : sl_cuda_make_bitmap(call->out, out);
}

sl_status sl_cuda_write_output(cuda_scratch *s, const cuda_entries *t, const uint32_t *allowed,
                               const uint32_t *region)
{
    const sl_call *call = s->call;
    cuda_vector *out = cuda_vector_of(call->out);
    uint64_t n = call->out->nrows;
    bool all = !t->bits && !allowed && !region && n > 0;
    sl_cuda_drop_frontier_list(out);
    if (!region && replaces(call, t, allowed)) {
        sl_cuda_move_entries(s, out, t, n);
        return SL_OK;
    }
    if (!region && is_part_of_output(call, t, allowed) && sl_cuda_scratch_detach(s, t->bits)) {
        replace_bits(out, t);
        return SL_OK;
    }
    CUDA_TRY(prepare_output(call, t, allowed, all));
    cuda_write o = {.n = n,
                    .bits = out->bits,
                    .values = out->values,
                    .t_bits = t->bits,
                    .allowed = allowed,
                    .region = region,
                    .replace = call->flags & SL_REPLACE,
                    .accumulates = call->accum != NULL,
                    .accum = -1};
    if (call->accum && sl_cuda_accumulates_in_place(call, t))
        o.accum = (int)call->accum->code;
    else if (call->accum)
        CUDA_TRY(accumulate(s, &o.both, t));
    if (t->values)
        CUDA_TRY(cast(s, &o.t_values, call->out->type, t->values, t->type, t->bits, n));
    if (!out->full)
        out->nvals = all ? n : CUDA_UNKNOWN;
    return cuda_launched(s, "kernel write", sl_cuda_write(&o, call->out->type, &t->scalar.as));
}
