/*
 * Types of the values of a call. Values of built-in types are cast to each other; a user-defined type
 * is cast to no other. The checks do nothing as long as the process has no user-defined type.
 */
#include <semla/user_types.h>

#include "la/core/check.h"

static bool any_exist(void)
{
    return __atomic_load_n(&sl_user_type_count, __ATOMIC_RELAXED) > 0;
}

/* True if objects of the context may have types of `other`: the local context of a rank has the types of the grid's
 * context. */
static bool shares_types(const sl_context *ctx, const sl_context *other)
{
    const sl_engine *first = other->chain[0];
    return ctx == other || (first->inner && first->inner(other) == ctx);
}

sl_status sl_check_type(sl_context *ctx, const char *what, sl_type type)
{
    if (!sl_type_is_user_defined(type) && sl_type_size(type) > 0)
        return SL_OK;
    const sl_user_type *user = sl_user_type_of(type);
    if (!user)
        return SL_REFUSE(ctx, SL_INVALID, "%sunknown type %d", what, (int)type);
    if (!shares_types(ctx, user->user->ctx))
        return SL_REFUSE(ctx, SL_MISMATCH, "%stype %s belongs to another context", what,
                         user->name);
    return SL_OK;
}

/* ---- the types of a call ------------------------------------------------------------------ */

static bool object_has_user_type(const sl_object *object)
{
    return object && sl_type_is_user_defined(object->type);
}

static bool binary_has_user_type(sl_binary_op op)
{
    return op && (sl_type_is_user_defined(op->type) || sl_type_is_user_defined(op->type_y) ||
                  sl_type_is_user_defined(op->result));
}

static bool unary_has_user_type(sl_unary_op op)
{
    return op && (sl_type_is_user_defined(op->type) || sl_type_is_user_defined(op->result));
}

static bool index_has_user_type(sl_index_op op)
{
    return op && (sl_type_is_user_defined(op->type) || sl_type_is_user_defined(op->type_thunk) ||
                  sl_type_is_user_defined(op->result));
}

bool sl_call_has_user_type(const sl_call *call)
{
    if (!any_exist())
        return false;
    sl_operands operands;
    sl_call_operands(&operands, call);
    for (size_t k = 0; k < operands.count; k++)
        if (object_has_user_type(operands.list[k]))
            return true;
    return binary_has_user_type(call->accum) || binary_has_user_type(call->operators.binary) ||
           (call->operators.semiring &&
            (binary_has_user_type(call->operators.semiring->multiply) ||
             sl_type_is_user_defined(call->operators.semiring->result))) ||
           (call->operators.monoid && sl_type_is_user_defined(call->operators.monoid->type)) ||
           unary_has_user_type(call->operators.unary) ||
           index_has_user_type(call->operators.index) ||
           sl_type_is_user_defined(call->scalar.type) || sl_type_is_user_defined(call->beta.type);
}

/* ---- casts ---------------------------------------------------------------------------------- */

static sl_status check_cast(const sl_call *call, const char *what, sl_type from, sl_type to)
{
    if (sl_type_casts(from, to))
        return SL_OK;
    return sl_fail(
        call->ctx, SL_MISMATCH,
        "%s: %s is %s, which cannot be cast to %s: a user-defined type is cast to no other",
        sl_operation_name(call->op), what, sl_type_name(from), sl_type_name(to));
}

/* Operands of types x and y. */
static sl_status check_operands(const sl_call *call, sl_binary_op op, sl_type x, sl_type y)
{
    if (op->positional)
        return SL_OK;
    if (op->reads_x)
        SL_TRY(check_cast(call, "the operator's first operand", x, op->type));
    return op->reads_y ? check_cast(call, "the operator's second operand", y, op->type_y) : SL_OK;
}

/* A result of type `type`, which is accumulated with the output or written to it. */
static sl_status check_result(const sl_call *call, sl_type type)
{
    const sl_binary_op accum = call->accum;
    if (!accum)
        return check_cast(call, "the result", type, call->out->type);
    SL_TRY(check_cast(call, "the accumulator's first operand", call->out->type, accum->type));
    SL_TRY(check_cast(call, "the accumulator's second operand", type, accum->type_y));
    return check_cast(call, "the accumulator's result", accum->result, call->out->type);
}

static sl_status check_sum(const sl_call *call)
{
    const sl_binary_op op = call->operators.binary;
    SL_TRY(check_operands(call, op, call->a->type, call->b->type));
    SL_TRY(check_cast(call, "an entry of the first input", call->a->type, op->result));
    SL_TRY(check_cast(call, "an entry of the second input", call->b->type, op->result));
    return check_result(call, op->result);
}

static sl_status check_union(const sl_call *call)
{
    SL_TRY(check_operands(call, call->operators.binary, call->a->type, call->beta.type));
    SL_TRY(check_operands(call, call->operators.binary, call->scalar.type, call->b->type));
    return check_result(call, call->operators.binary->result);
}

static sl_status check_binary(const sl_call *call, sl_type x, sl_type y)
{
    SL_TRY(check_operands(call, call->operators.binary, x, y));
    return check_result(call, call->operators.binary->result);
}

static sl_status check_product(const sl_call *call)
{
    SL_TRY(check_operands(call, call->operators.semiring->multiply, call->a->type, call->b->type));
    return check_result(call, call->operators.semiring->result);
}

static sl_status check_index(const sl_call *call)
{
    const sl_index_op op = call->operators.index;
    SL_TRY(check_cast(call, "the thunk", call->scalar.type, op->type_thunk));
    if (!op->positional)
        SL_TRY(check_cast(call, "an entry", call->a->type, op->type));
    if (call->op == SL_OP_APPLY_INDEX)
        return check_result(call, op->result);
    SL_TRY(check_cast(call, "the operator's result", op->result, SL_BOOL));
    return check_result(call, call->a->type);
}

static sl_status check_reduce_pair(const sl_call *call)
{
    sl_type terms = call->operators.binary->result;
    SL_TRY(check_operands(call, call->operators.binary, call->a->type, call->b->type));
    if (call->operators.unary) {
        SL_TRY(check_cast(call, "a term", terms, call->operators.unary->type));
        terms = call->operators.unary->result;
    }
    return check_cast(call, "a term", terms, call->operators.monoid->type);
}

/* Without values, entries are ones, which a user-defined type does not have. */
static sl_status check_values(const sl_call *call, const void *values, uint64_t count)
{
    if (values || count == 0 || !object_has_user_type(call->out))
        return SL_OK;
    return sl_fail(call->ctx, SL_MISMATCH, "%s: the values are NULL; type %s has no value 1",
                   sl_operation_name(call->op), sl_type_name(call->out->type));
}

static sl_status examine(const sl_call *call)
{
    switch (call->op) {
    case SL_OP_VXM:
    case SL_OP_MXV:
    case SL_OP_MXM:
        return check_product(call);
    case SL_OP_EWISE_ADD:
        return check_sum(call);
    case SL_OP_EWISE_UNION:
        return check_union(call);
    case SL_OP_EWISE_MULT:
    case SL_OP_KRONECKER:
        return check_binary(call, call->a->type, call->b->type);
    case SL_OP_APPLY:
        SL_TRY(check_cast(call, "an entry", call->a->type, call->operators.unary->type));
        return check_result(call, call->operators.unary->result);
    case SL_OP_APPLY_FIRST:
        return check_binary(call, call->scalar.type, call->a->type);
    case SL_OP_APPLY_SECOND:
        return check_binary(call, call->a->type, call->scalar.type);
    case SL_OP_APPLY_INDEX:
    case SL_OP_SELECT:
        return check_index(call);
    case SL_OP_REDUCE:
        return check_cast(call, "an entry", call->a->type, call->operators.monoid->type);
    case SL_OP_REDUCE_ROWS:
        SL_TRY(check_cast(call, "an entry", call->a->type, call->operators.monoid->type));
        return check_result(call, call->operators.monoid->type);
    case SL_OP_REDUCE_PAIR:
        return check_reduce_pair(call);
    case SL_OP_ASSIGN:
    case SL_OP_ASSIGN_ROW:
    case SL_OP_ASSIGN_COLUMN:
    case SL_OP_EXTRACT:
    case SL_OP_EXTRACT_COLUMN:
    case SL_OP_GATHER:
    case SL_OP_GATHER_MATRIX:
    case SL_OP_TRANSPOSE:
    case SL_OP_DIAG:
        return check_result(call, call->a->type);
    case SL_OP_ASSIGN_SCALAR:
        return check_result(call, call->scalar.type);
    case SL_OP_SCATTER:
        if (object_has_user_type(call->out) || object_has_user_type(call->a))
            return sl_fail(call->ctx, SL_UNSUPPORTED,
                           "scatter: values of a user-defined type are not supported");
        return SL_OK;
    case SL_OP_BUILD:
        return check_values(call, call->tuples.values, call->count);
    case SL_OP_TAKE:
        return check_values(call, call->arrays->values, call->arrays->nvals);
    case SL_OP_SET:
        return check_cast(call, "the scalar", call->scalar.type, call->out->type);
    default:
        return SL_OK;
    }
}

sl_status sl_examine_types(const sl_call *call)
{
    if (!sl_call_has_user_type(call))
        return SL_OK;
    if (sl_operation_class_of(call->op) == SL_CLASS_TRAVERSAL) {
        if (call->operators.semiring && sl_type_is_user_defined(call->operators.semiring->result))
            return sl_fail(call->ctx, SL_UNSUPPORTED,
                           "%s: a semiring of a user-defined type is not supported",
                           sl_operation_name(call->op));
        return SL_OK;
    }
    if (object_has_user_type(call->mask) && !(call->flags & SL_STRUCTURE))
        return sl_fail(call->ctx, SL_MISMATCH,
                       "%s: the mask is %s, which has no truth value; use SL_STRUCTURE",
                       sl_operation_name(call->op), sl_type_name(call->mask->type));
    return examine(call);
}

bool sl_semiring_is_search(sl_semiring semiring)
{
    const sl_binary_code multiply = semiring->multiply->code;
    const sl_monoid add = semiring->add;
    if (sl_semiring_is_user_defined(semiring))
        return false;
    const bool chooses = add->any || add->code == SL_MONOID_MIN || add->code == SL_MONOID_MAX;
    return (multiply == SL_BINARY_SECONDI && chooses) ||
           (multiply == SL_BINARY_PAIR && semiring->result == SL_BOOL);
}

bool sl_semiring_is_user_defined(sl_semiring semiring)
{
    return semiring->add->code == SL_MONOID_COUNT || semiring->multiply->user;
}
