/* apply, select, transpose and reduce: checks, then dispatch. */
#include "la/core/check.h"

#include <string.h>

/* Checks an operation of one input, which must have the output's shape, after transposition if
 * `transposed`. */
static sl_status check_map(sl_call *call, const void *operator, bool transposed)
{
    SL_CHECK_CALL(call, call->out, operator, call->a);
    SL_TRY(sl_check_length(call, "the input's number of rows",
                           transposed ? call->a->ncols : call->a->nrows, call->out->nrows));
    return sl_check_length(call, "the input's number of columns",
                           transposed ? call->a->nrows : call->a->ncols, call->out->ncols);
}

static sl_status map(sl_call *call, const void *operator, bool transposed)
{
    SL_TRY(check_map(call, operator, transposed));
    return sl_dispatch(call);
}

static bool transposes(const sl_object *a, sl_descriptor desc)
{
    return a && a->is_matrix && (sl_descriptor_flags(desc) & SL_TRANSPOSE_A);
}

static sl_status apply(sl_object *out, sl_object *mask, sl_binary_op accum, sl_unary_op op,
                       sl_object *a, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_APPLY, out, mask, accum, desc);
    call.operators.unary = op;
    call.a = a;
    return map(&call, op, transposes(a, desc));
}

sl_status sl_vector_apply(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_unary_op op,
                          const sl_vector *u, sl_descriptor desc)
{
    return apply(OF_V(w), OF_V(mask), accum, op, OF_V(u), desc);
}

sl_status sl_matrix_apply(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, sl_unary_op op,
                          const sl_matrix *A, sl_descriptor desc)
{
    return apply(OF_M(C), OF_M(mask), accum, op, OF_M(A), desc);
}

/* apply_first and apply_second: one operand of the binary operator is a scalar. */
static sl_status apply_bound(sl_call *call, sl_binary_op op, sl_object *a, sl_scalar scalar)
{
    const bool first = call->op == SL_OP_APPLY_FIRST;
    const unsigned turn = first ? SL_TRANSPOSE_B : SL_TRANSPOSE_A;
    call->operators.binary = op;
    call->a = a;
    SL_TRY(check_map(call, op, a && a->is_matrix && (call->flags & turn)));
    SL_TRY(sl_check_scalar(call, "the scalar", &scalar));
    call->scalar = sl_scalar_cast(scalar, first ? op->type : op->type_y);
    return sl_dispatch(call);
}

sl_status sl_vector_apply_first(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                sl_binary_op op, sl_scalar x, const sl_vector *u,
                                sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_APPLY_FIRST, OF_V(w), OF_V(mask), accum, desc);
    return apply_bound(&call, op, OF_V(u), x);
}

sl_status sl_matrix_apply_first(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                                sl_binary_op op, sl_scalar x, const sl_matrix *A,
                                sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_APPLY_FIRST, OF_M(C), OF_M(mask), accum, desc);
    return apply_bound(&call, op, OF_M(A), x);
}

sl_status sl_vector_apply_second(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                 sl_binary_op op, const sl_vector *u, sl_scalar y,
                                 sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_APPLY_SECOND, OF_V(w), OF_V(mask), accum, desc);
    return apply_bound(&call, op, OF_V(u), y);
}

sl_status sl_matrix_apply_second(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                                 sl_binary_op op, const sl_matrix *A, sl_scalar y,
                                 sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_APPLY_SECOND, OF_M(C), OF_M(mask), accum, desc);
    return apply_bound(&call, op, OF_M(A), y);
}

/* ---- select by an operator whose result is cast to bool --------------------------- */

/* A new object of the output's shape. */
static sl_status new_like_output(sl_object **made, const sl_call *call, sl_type type)
{
    sl_matrix *A = NULL;
    sl_vector *v = NULL;
    const sl_object *out = call->out;
    const sl_status status = out->is_matrix
                                 ? sl_matrix_new(&A, call->ctx, type, out->nrows, out->ncols)
                                 : sl_vector_new(&v, call->ctx, type, out->nrows);
    *made = A ? OF_M(A) : v ? OF_V(v) : NULL;
    return status;
}

static void free_object(sl_object *object)
{
    if (object && object->is_matrix)
        sl_matrix_free((sl_matrix *)object);
    else
        sl_vector_free((sl_vector *)object);
}

/* The assign of `from` to all of an object, as the call's operation writes its output. */
static sl_call assign_all(sl_object *out, sl_object *from, const sl_call *call)
{
    return (sl_call){.op = SL_OP_ASSIGN,
                     .ctx = call->ctx,
                     .out = out,
                     .a = from,
                     .rows.count = out->nrows,
                     .cols.count = out->ncols};
}

/* `truth`, bool, receives the operator's results; `kept` the entries of the input for which they are true, which
 * replace or are accumulated with the output's. */
static sl_status select_by(const sl_call *call, sl_object *truth, sl_object *kept)
{
    const unsigned turn = call->flags & SL_TRANSPOSE_A;
    sl_call apply = {.op = SL_OP_APPLY_INDEX,
                     .ctx = call->ctx,
                     .out = truth,
                     .a = call->a,
                     .operators.index = call->operators.index,
                     .scalar = call->scalar,
                     .flags = turn};
    SL_TRY(sl_dispatch(&apply));
    sl_call keep = assign_all(kept, call->a, call);
    keep.mask = truth;
    keep.flags = turn;
    SL_TRY(sl_dispatch(&keep));
    sl_call write = assign_all(call->out, kept, call);
    write.mask = call->mask;
    write.accum = call->accum;
    write.flags = call->flags & ~turn;
    return sl_dispatch(&write);
}

static sl_status select_cast(const sl_call *call)
{
    sl_object *truth = NULL, *kept = NULL;
    sl_status status = new_like_output(&truth, call, SL_BOOL);
    if (status == SL_OK)
        status = new_like_output(&kept, call, call->a->type);
    if (status == SL_OK)
        status = select_by(call, truth, kept);
    free_object(truth);
    free_object(kept);
    return status;
}

/* ---- apply_index and select ------------------------------------------------------- */

static sl_status apply_indexed(sl_call *call, sl_index_op op, sl_object *a, sl_scalar thunk)
{
    call->operators.index = op;
    call->a = a;
    SL_TRY(check_map(call, op, a && a->is_matrix && (call->flags & SL_TRANSPOSE_A)));
    SL_TRY(sl_check_scalar(call, "the thunk", &thunk));
    call->scalar = sl_scalar_cast(thunk, op->type_thunk);
    return call->op == SL_OP_SELECT && op->result != SL_BOOL ? select_cast(call)
                                                             : sl_dispatch(call);
}

sl_status sl_vector_apply_index(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                sl_index_op op, const sl_vector *u, sl_scalar thunk,
                                sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_APPLY_INDEX, OF_V(w), OF_V(mask), accum, desc);
    SL_TRY(apply_indexed(&call, op, OF_V(u), thunk));
    OF_V(w)->own_indices = sl_call_makes_indices(&call);
    return SL_OK;
}

sl_status sl_matrix_apply_index(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                                sl_index_op op, const sl_matrix *A, sl_scalar thunk,
                                sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_APPLY_INDEX, OF_M(C), OF_M(mask), accum, desc);
    return apply_indexed(&call, op, OF_M(A), thunk);
}

sl_status sl_vector_select(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_index_op op,
                           const sl_vector *u, sl_scalar thunk, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_SELECT, OF_V(w), OF_V(mask), accum, desc);
    return apply_indexed(&call, op, OF_V(u), thunk);
}

sl_status sl_matrix_select(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, sl_index_op op,
                           const sl_matrix *A, sl_scalar thunk, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_SELECT, OF_M(C), OF_M(mask), accum, desc);
    return apply_indexed(&call, op, OF_M(A), thunk);
}

sl_status sl_transpose(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, const sl_matrix *A,
                       sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_TRANSPOSE, OF_M(C), OF_M(mask), accum, desc);
    call.a = OF_M(A);
    return map(&call, A, !transposes(OF_M(A), desc));
}

/* ---- reduce ------------------------------------------------------------------- */

/* *value = z = accum(*value, sum), where `sum` and `z` have room for values of their types. */
static sl_status reduce_with_room(sl_scalar *value, sl_call *call, void *sum, void *z)
{
    const sl_binary_op accum = call->accum;
    call->scalar = sl_scalar_other(call->operators.monoid->type, sum);
    SL_TRY(sl_dispatch(call));
    const sl_scalar x = sl_scalar_cast(*value, accum->type);
    const sl_scalar y = sl_scalar_cast(call->scalar, accum->type_y);
    accum->eval(z, sl_scalar_bytes(&x), sl_scalar_bytes(&y));
    const sl_scalar result = sl_scalar_cast(sl_scalar_load(accum->result, z), value->type);
    if (sl_type_is_user_defined(value->type))
        memcpy(value->as.other, z, sl_type_size(value->type));
    else
        *value = result;
    return SL_OK;
}

/* If *value, the sum or the accumulator's result has a user-defined type. */
static sl_status reduce_by_address(sl_scalar *value, sl_call *call)
{
    const sl_binary_op accum = call->accum;
    const sl_type sum = call->operators.monoid->type, result = accum ? accum->result : sum;
    const struct {
        sl_type from, to;
    } casts[] = {{result, value->type},
                 {accum ? value->type : result, accum ? accum->type : result},
                 {sum, accum ? accum->type_y : sum}};
    for (size_t k = 0; k < sizeof casts / sizeof *casts; k++)
        if (!sl_type_casts(casts[k].from, casts[k].to))
            return SL_REFUSE(call->ctx, SL_MISMATCH, "%s: %s cannot be cast to %s",
                             sl_operation_name(call->op), sl_type_name(casts[k].from),
                             sl_type_name(casts[k].to));
    if (sl_type_is_user_defined(value->type) && !value->as.other)
        return SL_REFUSE(call->ctx, SL_INVALID, "%s: the address of the scalar is NULL",
                         sl_operation_name(call->op));
    if (!accum) {
        call->scalar = *value;
        return sl_dispatch(call);
    }
    void *y = sl_malloc(sl_type_size(sum)), *z = sl_malloc(sl_type_size(result));
    sl_status status = y && z ? reduce_with_room(value, call, y, z)
                              : SL_REFUSE(call->ctx, SL_NO_MEMORY, "%s: out of memory",
                                          sl_operation_name(call->op));
    sl_free(y);
    sl_free(z);
    return status;
}

/* *value = *value accum the scalar that the call computes. */
static sl_status reduce_into(sl_scalar *value, sl_call *call)
{
    const sl_binary_op accum = call->accum;
    if (accum && sl_type_size(value->type) == 0)
        return SL_REFUSE(call->ctx, SL_INVALID, "%s: the scalar to accumulate into has no type",
                         sl_operation_name(call->op));
    if (sl_type_is_user_defined(call->operators.monoid->type) ||
        (accum && (sl_type_is_user_defined(accum->result) || sl_type_is_user_defined(value->type))))
        return reduce_by_address(value, call);
    SL_TRY(sl_dispatch(call));
    if (!accum) {
        *value = call->scalar;
        return SL_OK;
    }
    sl_scalar x = sl_scalar_cast(*value, accum->type);
    sl_scalar y = sl_scalar_cast(call->scalar, accum->type_y);
    sl_scalar z = {.type = accum->result};
    accum->eval(&z.as, &x.as, &y.as);
    *value = sl_scalar_cast(z, value->type);
    return SL_OK;
}

static sl_status reduce(sl_scalar *value, sl_binary_op accum, sl_monoid monoid, sl_object *a)
{
    sl_call call = {.op = SL_OP_REDUCE, .accum = accum, .operators.monoid = monoid, .a = a};
    SL_CHECK_CALL(&call, value, monoid, a);
    return reduce_into(value, &call);
}

sl_status sl_vector_reduce_pair(sl_scalar *value, sl_binary_op accum, sl_monoid monoid,
                                sl_unary_op unary, sl_binary_op op, const sl_vector *u,
                                const sl_vector *v)
{
    sl_call call = {.op = SL_OP_REDUCE_PAIR,
                    .accum = accum,
                    .operators.monoid = monoid,
                    .operators.unary = unary,
                    .operators.binary = op,
                    .a = OF_V(u),
                    .b = OF_V(v)};
    SL_CHECK_CALL(&call, value, monoid, op, u, v);
    SL_TRY(sl_check_length(&call, "v's size", call.b->nrows, call.a->nrows));
    return reduce_into(value, &call);
}

sl_status sl_vector_reduce(sl_scalar *value, sl_binary_op accum, sl_monoid monoid,
                           const sl_vector *u)
{
    return reduce(value, accum, monoid, OF_V(u));
}

sl_status sl_matrix_reduce(sl_scalar *value, sl_binary_op accum, sl_monoid monoid,
                           const sl_matrix *A)
{
    return reduce(value, accum, monoid, OF_M(A));
}

sl_status sl_matrix_reduce_rows(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                sl_monoid monoid, const sl_matrix *A, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_REDUCE_ROWS, OF_V(w), OF_V(mask), accum, desc);
    call.operators.monoid = monoid;
    call.a = OF_M(A);
    SL_CHECK_CALL(&call, w, monoid, A);
    SL_TRY(sl_check_length(&call, "the output's size", call.out->nrows,
                           call.flags & SL_TRANSPOSE_A ? call.a->ncols : call.a->nrows));
    return sl_dispatch(&call);
}
