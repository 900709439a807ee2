/*
 * Calls with user-defined types. For the time of a call its objects, operators and scalars get the
 * unsigned integer types that store their values (data/stored_type.h), so that no operation knows
 * user-defined types. Their kernels are those of user-defined operators on integers: such an
 * operator keeps its definition, from which jit/program.c takes the C types. No cast changes a
 * value, because the dispatcher has refused casts between a user-defined type and another.
 */
#include "cuda/operations/stored_calls.h"

#include <string.h>

#include "cuda/data/device_matrix.h"
#include "cuda/data/stored_type.h"
#include "cuda/jit/cache.h"

/* ---- calls that are declined --------------------------------------------------------------- */

const char *sl_cuda_type_reason(sl_type type)
{
    if (!sl_type_is_user_defined(type))
        return NULL;
    if (sl_type_size(type) > sizeof(uint64_t))
        return "a user-defined type of more than 8 bytes";
    if (cuda_stored_type(type) == SL_TYPE_COUNT)
        return "a user-defined type whose size is not 1, 2, 4 or 8 bytes";
    return sl_user_of_type(type)->source ? NULL : "a user-defined type without source text";
}

/* The types of operands, operators and scalars, some of them twice. */
enum { MOST_TYPES = SL_MAX_OPERANDS + 18 };
typedef struct {
    sl_type list[MOST_TYPES];
    size_t count;
} call_types;

static void add_binary(call_types *t, sl_binary_op op)
{
    if (!op)
        return;
    t->list[t->count++] = op->type;
    t->list[t->count++] = op->type_y;
    t->list[t->count++] = op->result;
}

static void list_types(call_types *t, const sl_call *call)
{
    sl_operands operands;
    t->count = 0;
    sl_call_operands(&operands, call);
    for (size_t k = 0; k < operands.count; k++)
        t->list[t->count++] = operands.list[k]->type;
    add_binary(t, call->accum);
    add_binary(t, call->operators.binary);
    add_binary(t, call->operators.semiring ? call->operators.semiring->multiply : NULL);
    if (call->operators.semiring)
        t->list[t->count++] = call->operators.semiring->result;
    if (call->operators.monoid)
        t->list[t->count++] = call->operators.monoid->type;
    if (call->operators.unary) {
        t->list[t->count++] = call->operators.unary->type;
        t->list[t->count++] = call->operators.unary->result;
    }
    if (call->operators.index) {
        t->list[t->count++] = call->operators.index->type;
        t->list[t->count++] = call->operators.index->type_thunk;
        t->list[t->count++] = call->operators.index->result;
    }
    t->list[t->count++] = call->scalar.type;
    t->list[t->count++] = call->beta.type;
}

/* Operations that never compute with values of user-defined types. */
static bool is_of_built_in_types(sl_operation op)
{
    const sl_operation_class kind = sl_operation_class_of(op);
    return kind == SL_CLASS_PREPARATION || kind == SL_CLASS_GENERATION ||
           kind == SL_CLASS_TRAVERSAL || op == SL_OP_SORT || op == SL_OP_SCATTER;
}

const char *sl_cuda_user_types_reason(const sl_call *call)
{
    call_types types;
    if (!sl_call_has_user_type(call))
        return NULL;
    list_types(&types, call);
    for (size_t k = 0; k < types.count; k++) {
        const char *reason = sl_cuda_type_reason(types.list[k]);
        if (reason)
            return reason;
        if (sl_type_is_user_defined(types.list[k]) &&
            sl_user_of_type(types.list[k])->ctx != call->ctx)
            return "a user-defined type on a grid";
    }
    if (is_of_built_in_types(call->op))
        return "a user-defined type";
    /* Without a compiler the host has the operator's function. */
    return sl_call_has_user_operator(call) && sl_cuda_cannot_compile()
               ? "a user-defined type, and kernels cannot be compiled"
               : NULL;
}

/* ---- calls on stored values ----------------------------------------------------------------- */

/* What a call has in place of the caller's operators, and what is given back after it. */
typedef struct {
    sl_operands operands;
    sl_type types[SL_MAX_OPERANDS]; /* of the operands */
    struct sl_binary_op_s accum, binary, multiply, add_op, monoid_op;
    struct sl_monoid_s add, monoid;
    struct sl_semiring_s semiring;
    struct sl_unary_op_s unary;
    struct sl_index_op_s index;
} stored_call;

static sl_scalar stored_scalar(sl_scalar value)
{
    return sl_type_is_user_defined(value.type)
               ? sl_scalar_load(cuda_stored_type(value.type), value.as.other)
               : value;
}

/* Operators of the table stay: the engine compares their addresses. */
static sl_binary_op stored_binary(struct sl_binary_op_s *stored, sl_binary_op op)
{
    if (!op || !op->user)
        return op;
    *stored = *op;
    stored->type = cuda_stored_type(op->type);
    stored->type_y = cuda_stored_type(op->type_y);
    stored->result = cuda_stored_type(op->result);
    return stored;
}

static sl_monoid stored_monoid(struct sl_monoid_s *stored, struct sl_binary_op_s *op,
                               sl_monoid monoid)
{
    if (!monoid || !sl_type_is_user_defined(monoid->type))
        return monoid;
    *stored = *monoid;
    stored->type = cuda_stored_type(monoid->type);
    stored->op = stored_binary(op, monoid->op);
    stored->identity = stored_scalar(monoid->identity);
    stored->terminal = stored_scalar(monoid->terminal);
    return stored;
}

static void store_operators(stored_call *s, sl_call *call)
{
    call->accum = stored_binary(&s->accum, call->accum);
    call->operators.binary = stored_binary(&s->binary, call->operators.binary);
    call->operators.monoid = stored_monoid(&s->monoid, &s->monoid_op, call->operators.monoid);
    if (call->operators.semiring && call->operators.semiring->user) {
        s->semiring = *call->operators.semiring;
        s->semiring.add = stored_monoid(&s->add, &s->add_op, call->operators.semiring->add);
        s->semiring.multiply = stored_binary(&s->multiply, call->operators.semiring->multiply);
        s->semiring.result = cuda_stored_type(call->operators.semiring->result);
        call->operators.semiring = &s->semiring;
    }
    if (call->operators.unary && call->operators.unary->user) {
        s->unary = *call->operators.unary;
        s->unary.type = cuda_stored_type(call->operators.unary->type);
        s->unary.result = cuda_stored_type(call->operators.unary->result);
        call->operators.unary = &s->unary;
    }
    if (call->operators.index && call->operators.index->user) {
        s->index = *call->operators.index;
        s->index.type = cuda_stored_type(call->operators.index->type);
        s->index.type_thunk = cuda_stored_type(call->operators.index->type_thunk);
        s->index.result = cuda_stored_type(call->operators.index->result);
        call->operators.index = &s->index;
    }
}

/* An object may be several operands: all types are read before the first is replaced. */
static void store_objects(stored_call *s, const sl_call *call)
{
    sl_call_operands(&s->operands, call);
    for (size_t k = 0; k < s->operands.count; k++)
        s->types[k] = s->operands.list[k]->type;
    for (size_t k = 0; k < s->operands.count; k++)
        s->operands.list[k]->type = cuda_stored_type(s->types[k]);
}

/* The type of the value that the call returns in call->scalar; SL_BOOL if it returns none. */
static sl_type result_type(const sl_call *call)
{
    if (call->op == SL_OP_REDUCE || call->op == SL_OP_REDUCE_PAIR)
        return call->operators.monoid->type;
    return call->op == SL_OP_GET ? call->a->type : SL_BOOL;
}

/* Gives the call its operators and objects back, and the value that it computed to the caller. */
static void restore(sl_call *call, const sl_call *before, const stored_call *s, sl_status status)
{
    for (size_t k = 0; k < s->operands.count; k++)
        s->operands.list[k]->type = s->types[k];
    call->accum = before->accum;
    call->operators.binary = before->operators.binary;
    call->operators.monoid = before->operators.monoid;
    call->operators.semiring = before->operators.semiring;
    call->operators.unary = before->operators.unary;
    call->operators.index = before->operators.index;
    call->beta = before->beta;
    const sl_type type = result_type(call);
    if (!sl_type_is_user_defined(type) && !sl_type_is_user_defined(before->scalar.type))
        return;
    if (sl_type_is_user_defined(type) && status == SL_OK)
        memcpy(before->scalar.as.other, &call->scalar.as, sl_type_size(type));
    call->scalar = before->scalar;
}

/* Entries have no value 1, by which a matrix could be a pattern. */
static sl_status run_is_pattern(sl_call *call)
{
    call->scalar = sl_scalar_bool(cuda_matrix_of(call->a)->nnz == 0);
    return SL_OK;
}

sl_status sl_cuda_run_stored(sl_call *call, sl_status (*run)(sl_call *call))
{
    const sl_call before = *call;
    stored_call s;
    if (call->op == SL_OP_IS_PATTERN)
        return run_is_pattern(call);
    const sl_scalar none = {0};
    const bool returns = sl_type_is_user_defined(result_type(call));
    store_operators(&s, call);
    store_objects(&s, call);
    call->scalar = returns ? none : stored_scalar(call->scalar);
    call->beta = stored_scalar(call->beta);
    const sl_status status = run(call);
    restore(call, &before, &s, status);
    return status;
}
