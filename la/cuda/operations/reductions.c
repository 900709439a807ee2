/* Reductions to a scalar: of the entries of an object, and of terms of two vectors. The result is
 * waited for. */
#include "cuda/jit/jit.h"
#include "cuda/operations/cuda_operations.h"
#include "cuda/operations/vector_result.h"

/* Values of one type, at the set bits (NULL: all n). values NULL: all 1. */
typedef struct {
    uint64_t n;
    sl_type type;
    const uint32_t *bits;
    const void *values;
} terms;

static sl_status cast(cuda_scratch *s, terms *t, sl_type type)
{
    void *made;
    if (t->type == type || !t->values)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &made, t->n * sl_type_size(type)));
    CUDA_TRY(cuda_launched(s, "kernel cast",
                           sl_cuda_cast(made, type, t->values, t->type, t->bits, t->n)));
    t->values = made;
    t->type = type;
    return SL_OK;
}

enum { PARTIAL_BYTES = 16 };

static sl_status take_partial(cuda_scratch *s, void **partial)
{
    return sl_cuda_scratch_take(s, partial, CUDA_REDUCE_BLOCKS * PARTIAL_BYTES);
}

/* Waits for the result of a launch, of which `pinned` has been locked. */
static sl_status take_result(sl_call *call, const char *what, cudaError_t launched)
{
    unsigned long long got[2];
    CUDA_TRY(sl_cuda_unlock_fetched(call->ctx, what, sl_cuda_status(call->ctx, what, launched), got,
                                    sizeof got));
    call->count = got[1];
    call->scalar = got[1] ? sl_scalar_load(call->operators.monoid->type, &got[0])
                          : call->operators.monoid->identity;
    return SL_OK;
}

static sl_status sum(cuda_scratch *s, terms *t)
{
    sl_call *call = s->call;
    const sl_monoid monoid = call->operators.monoid;
    cuda_compiled made;
    void *partial;
    CUDA_TRY(cast(s, t, monoid->type));
    CUDA_TRY(sl_cuda_compile_reduce(call->ctx, &made, monoid));
    CUDA_TRY(take_partial(s, &partial));
    void *pinned = sl_cuda_lock_fetched();
    return take_result(
        call, "kernel reduce",
        sl_cuda_reduce(
            pinned, partial,
            &(cuda_elements){.bits = t->bits, .values = t->values, .type = monoid->type, .n = t->n},
            (int)monoid->op->code, &made));
}

static sl_status reduce(cuda_scratch *s)
{
    const sl_object *a = s->call->a;
    terms t = {.type = a->type};
    if (a->is_matrix) {
        t.n = cuda_matrix_of(a)->nnz;
        t.values = cuda_matrix_of(a)->values;
    } else {
        t.n = a->nrows;
        t.bits = cuda_vector_of(a)->bits;
        t.values = cuda_vector_of(a)->values;
    }
    return sum(s, &t);
}

/* ---- pairs ------------------------------------------------------------------------ */

/* True if all operators are of the table and of one floating-point type, that of both vectors. */
static bool is_plain(const sl_call *call)
{
    const sl_type type = call->operators.monoid->type;
    const sl_binary_op op = call->operators.binary, add = call->operators.monoid->op;
    const sl_unary_op unary = call->operators.unary;
    return (type == SL_FP32 || type == SL_FP64) && !op->user && !add->user &&
           cuda_kind_of(op) == CUDA_VALUES && cuda_kind_of(add) == CUDA_VALUES &&
           op->type == type &&
           (!unary || (!unary->user && !cuda_is_unary_function(unary) && unary->type == type)) &&
           call->a->type == type && call->b->type == type;
}

static sl_status sum_plain_pairs(cuda_scratch *s)
{
    sl_call *call = s->call;
    const cuda_vector *a = cuda_vector_of(call->a), *b = cuda_vector_of(call->b);
    const cuda_pairs p = {.n = call->a->nrows,
                          .a_bits = a->bits,
                          .b_bits = b->bits,
                          .a_values = a->values,
                          .b_values = b->values,
                          .type = call->operators.monoid->type,
                          .multiply = (int)call->operators.binary->code,
                          .unary = call->operators.unary ? (int)call->operators.unary->code : -1,
                          .add = (int)call->operators.monoid->op->code};
    void *partial;
    CUDA_TRY(take_partial(s, &partial));
    void *pinned = sl_cuda_lock_fetched();
    return take_result(call, "kernel reduce_pairs", sl_cuda_reduce_pairs(pinned, partial, &p));
}

static sl_status multiply(cuda_scratch *s, terms *t)
{
    const sl_call *call = s->call;
    const sl_binary_op op = call->operators.binary;
    const cuda_vector *a = cuda_vector_of(call->a), *b = cuda_vector_of(call->b);
    cuda_ewise e = {
        .n = call->a->nrows, .join = CUDA_INTERSECTION, .a_bits = a->bits, .b_bits = b->bits};
    cuda_entries z;
    CUDA_TRY(sl_cuda_values_as(s, &e.a_values, a, call->a, op->type));
    CUDA_TRY(sl_cuda_values_as(s, &e.b_values, b, call->b, op->type_y));
    CUDA_TRY((a->bits || b->bits ? sl_cuda_new_entries : sl_cuda_new_full)(s, &z, e.n, op->result));
    e.bits = z.bits;
    e.values = z.values;
    *t = (terms){.n = e.n, .type = op->result, .bits = z.bits, .values = z.values};
    return sl_cuda_combine(s, &e, op, (sl_scalar){0}, (sl_scalar){0});
}

static sl_status apply(cuda_scratch *s, terms *t)
{
    const sl_call *call = s->call;
    const sl_unary_op op = call->operators.unary;
    cuda_compiled made;
    void *to;
    if (!op)
        return SL_OK;
    CUDA_TRY(cast(s, t, op->type));
    CUDA_TRY(sl_cuda_compile_apply(call->ctx, &made, op));
    CUDA_TRY(sl_cuda_scratch_take(s, &to, t->n * sl_type_size(op->result)));
    CUDA_TRY(
        cuda_launched(s, "kernel apply",
                      sl_cuda_apply(to, t->values, t->bits, op->type, (int)op->code, &made, t->n)));
    t->values = to;
    t->type = op->result;
    return SL_OK;
}

static sl_status reduce_pair(cuda_scratch *s)
{
    terms t;
    if (is_plain(s->call))
        return sum_plain_pairs(s);
    CUDA_TRY(multiply(s, &t));
    CUDA_TRY(apply(s, &t));
    return sum(s, &t);
}

/* ---- operations ------------------------------------------------------------------- */

static sl_status run_with_scratch(sl_call *call, sl_status (*work)(cuda_scratch *s))
{
    cuda_scratch s = {.call = call};
    sl_status status = work(&s);
    sl_cuda_scratch_release(&s);
    return status;
}

sl_status sl_cuda_reduce_all(sl_call *call)
{
    return run_with_scratch(call, reduce);
}

sl_status sl_cuda_reduce_pair(sl_call *call)
{
    return run_with_scratch(call, reduce_pair);
}
