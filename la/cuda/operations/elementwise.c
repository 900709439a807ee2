/* Element-wise operations, apply and select on vectors. Each computes its entries and
 * then writes them to the output through mask and accumulator (vector_result.h). */
#include "cuda/jit/jit.h"
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/vector_result.h"

/* Computes entries, writes them to the output and releases the scratch. */
static sl_status compute(sl_call *call, sl_status (*entries)(cuda_scratch *s, cuda_entries *t))
{
    cuda_scratch s = {.call = call};
    cuda_entries t;
    const uint32_t *allowed;
    sl_status status = entries(&s, &t);
    if (status == SL_OK)
        status = sl_cuda_allowed_bits(&s, &allowed);
    if (status == SL_OK)
        status = sl_cuda_write_output(&s, &t, allowed, NULL);
    sl_cuda_scratch_release(&s);
    return status;
}

/* z = op(x, y) to new arrays; alpha and beta are of the operator's types. */
static sl_status launch_ewise(cuda_scratch *s, cuda_entries *t, cuda_ewise *e, sl_binary_op op,
                              sl_scalar alpha, sl_scalar beta)
{
    bool both = !e->a_bits && !e->b_bits, one = !e->a_bits || !e->b_bits;
    bool full = e->join == CUDA_INTERSECTION ? both : one;
    e->n = s->call->out->nrows;
    CUDA_TRY((full ? sl_cuda_new_full : sl_cuda_new_entries)(s, t, e->n, op->result));
    e->bits = t->bits;
    e->values = t->values;
    return sl_cuda_combine(s, e, op, alpha, beta);
}

static sl_status operands(cuda_scratch *s, cuda_ewise *e, sl_binary_op op)
{
    const sl_call *call = s->call;
    const cuda_vector *a = cuda_vector_of(call->a), *b = cuda_vector_of(call->b);
    e->a_bits = a->bits;
    e->b_bits = b->bits;
    CUDA_TRY(sl_cuda_values_as(s, &e->a_values, a, call->a, op->type));
    return sl_cuda_values_as(s, &e->b_values, b, call->b, op->type_y);
}

/* See sl_call_casts_apart: the union of the inputs, cast to the result type, in which the sums
 * replace the entries that both inputs have. */
static sl_status add_casts_apart(cuda_scratch *s, cuda_entries *t)
{
    const sl_scalar none = {0};
    sl_binary_op op = s->call->operators.binary,
                 first = sl_binary_op_get(SL_BINARY_FIRST, op->result);
    cuda_ewise e = {.join = CUDA_UNION}, common = {.join = CUDA_INTERSECTION};
    cuda_entries casts, sums;
    CUDA_TRY(operands(s, &e, first));
    CUDA_TRY(launch_ewise(s, &casts, &e, first, none, none));
    CUDA_TRY(operands(s, &common, op));
    CUDA_TRY(launch_ewise(s, &sums, &common, op, none, none));
    e = (cuda_ewise){.join = CUDA_UNION,
                     .a_bits = sums.bits,
                     .a_values = sums.values,
                     .b_bits = casts.bits,
                     .b_values = casts.values};
    return launch_ewise(s, t, &e, first, none, none);
}

static sl_status ewise_add(cuda_scratch *s, cuda_entries *t)
{
    cuda_ewise e = {.join = CUDA_UNION};
    sl_binary_op op = s->call->operators.binary;
    if (sl_call_casts_apart(s->call))
        return add_casts_apart(s, t);
    CUDA_TRY(operands(s, &e, op));
    return launch_ewise(s, t, &e, op, (sl_scalar){0}, (sl_scalar){0});
}

static sl_status ewise_mult(cuda_scratch *s, cuda_entries *t)
{
    cuda_ewise e = {.join = CUDA_INTERSECTION};
    sl_binary_op op = s->call->operators.binary;
    CUDA_TRY(operands(s, &e, op));
    CUDA_TRY(launch_ewise(s, t, &e, op, (sl_scalar){0}, (sl_scalar){0}));
    if (!e.a_bits || !e.b_bits)
        t->like = cuda_vector_of(e.a_bits ? s->call->a : s->call->b);
    return SL_OK;
}

static sl_status ewise_union(cuda_scratch *s, cuda_entries *t)
{
    cuda_ewise e = {.join = CUDA_FILLED_UNION};
    sl_binary_op op = s->call->operators.binary;
    CUDA_TRY(operands(s, &e, op));
    return launch_ewise(s, t, &e, op, sl_scalar_cast(s->call->scalar, op->type),
                        sl_scalar_cast(s->call->beta, op->type_y));
}

/* op(scalar, a) or op(a, scalar), for the entries of a. */
static sl_status bind_scalar(cuda_scratch *s, cuda_entries *t, bool first)
{
    const sl_call *call = s->call;
    const cuda_vector *a = cuda_vector_of(call->a);
    sl_type bound_to = first ? call->operators.binary->type : call->operators.binary->type_y;
    sl_type read_as = first ? call->operators.binary->type_y : call->operators.binary->type;
    sl_scalar scalar = sl_scalar_cast(call->scalar, bound_to);
    cuda_ewise e = {.join = CUDA_INTERSECTION};
    *(first ? &e.b_bits : &e.a_bits) = a->bits;
    CUDA_TRY(sl_cuda_values_as(s, first ? &e.b_values : &e.a_values, a, call->a, read_as));
    CUDA_TRY(launch_ewise(s, t, &e, call->operators.binary, scalar, scalar));
    t->like = a;
    return SL_OK;
}

static sl_status apply_first(cuda_scratch *s, cuda_entries *t)
{
    return bind_scalar(s, t, true);
}

static sl_status apply_second(cuda_scratch *s, cuda_entries *t)
{
    return bind_scalar(s, t, false);
}

/* ---- apply and select ------------------------------------------------------------ */

/* New arrays for values at the entries of the input. */
static sl_status like_input(cuda_scratch *s, cuda_entries *t, sl_type type)
{
    const sl_call *call = s->call;
    uint64_t n = call->a->nrows;
    const cuda_vector *a = cuda_vector_of(call->a);
    if (a->full)
        return sl_cuda_new_full(s, t, n, type);
    CUDA_TRY(sl_cuda_new_entries(s, t, n, type));
    t->like = a;
    return sl_cuda_copy(call->ctx, t->bits, a->bits, cuda_words(n) * sizeof *t->bits);
}

static sl_status apply_unary(cuda_scratch *s, cuda_entries *t)
{
    const sl_call *call = s->call;
    sl_unary_op op = call->operators.unary;
    const cuda_vector *a = cuda_vector_of(call->a);
    const void *values;
    cuda_compiled made;
    CUDA_TRY(sl_cuda_compile_apply(call->ctx, &made, op));
    CUDA_TRY(like_input(s, t, op->result));
    CUDA_TRY(sl_cuda_values_as(s, &values, a, call->a, op->type));
    return cuda_launched(
        s, "kernel apply",
        sl_cuda_apply(t->values, values, a->bits, op->type, (int)op->code, &made, call->a->nrows));
}

/* The results of an index operator, as values or as bits. */
static sl_status indexed(cuda_scratch *s, void *to, uint32_t *kept)
{
    const sl_call *call = s->call;
    sl_index_op op = call->operators.index;
    const cuda_vector *a = cuda_vector_of(call->a);
    const sl_scalar thunk = sl_scalar_cast(call->scalar, op->type_thunk);
    cuda_index_apply x = {.n = call->a->nrows,
                          .to = to,
                          .kept = kept,
                          .result = op->result,
                          .bits = a->bits,
                          .type = op->type,
                          .code = (int)op->code,
                          .positional = op->positional,
                          .thunk = &thunk.as};
    CUDA_TRY(sl_cuda_compile_index(call->ctx, &x.made, op, false));
    if (!op->positional)
        CUDA_TRY(sl_cuda_values_as(s, &x.from, a, call->a, op->type));
    return cuda_launched(s, "kernel apply_index", sl_cuda_apply_index(&x));
}

static sl_status apply_indexed(cuda_scratch *s, cuda_entries *t)
{
    CUDA_TRY(like_input(s, t, s->call->operators.index->result));
    return indexed(s, t->values, NULL);
}

/* The values of the input's entries that the operator selects. */
static sl_status select_entries(cuda_scratch *s, cuda_entries *t)
{
    const sl_object *a = s->call->a;
    *t = (cuda_entries){.type = a->type, .values = cuda_vector_of(a)->values};
    CUDA_TRY(sl_cuda_scratch_take(s, &t->bits, cuda_words(a->nrows) * sizeof *t->bits));
    return indexed(s, NULL, t->bits);
}

sl_status sl_cuda_map(sl_call *call)
{
    if (call->out->is_matrix)
        return sl_cuda_map_matrix(call);
    switch (call->op) {
    case SL_OP_EWISE_ADD:
        return compute(call, ewise_add);
    case SL_OP_EWISE_MULT:
        return compute(call, ewise_mult);
    case SL_OP_EWISE_UNION:
        return compute(call, ewise_union);
    case SL_OP_APPLY:
        return compute(call, apply_unary);
    case SL_OP_APPLY_FIRST:
        return compute(call, apply_first);
    case SL_OP_APPLY_SECOND:
        return compute(call, apply_second);
    case SL_OP_APPLY_INDEX:
        return compute(call, apply_indexed);
    default:
        return compute(call, select_entries);
    }
}
