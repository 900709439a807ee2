/*
 * apply with a unary operator, with a binary operator and a scalar, and with an index-unary
 * operator; select; transpose.
 */
#include "suitesparse/grb_engine.h"

/* A detour around errors of SuiteSparse, which sorts the entries of a product only when that is
 * needed. With an accumulator, apply of 7.4 then sorts the indices of its input, but not the values,
 * and transpose of 10.5 fails if the descriptor transposes its input once more
 * (GxB_OUTPUT_IS_READONLY). So the input is sorted first. */
static GrB_Info sort_input(const sl_call *call)
{
    if (!call->accum)
        return GrB_SUCCESS;
    return call->a->is_matrix ? GrB_Matrix_wait(sl_grb_matrix(call->a), GrB_MATERIALIZE)
                              : GrB_Vector_wait(sl_grb_vector(call->a), GrB_MATERIALIZE);
}

sl_status sl_grb_apply(sl_call *call)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_UnaryOp op = sl_grb_unary(call->operators.unary);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = sort_input(call);
    if (info == GrB_SUCCESS)
        info = call->out->is_matrix
                   ? GrB_Matrix_apply(sl_grb_matrix(call->out), sl_grb_matrix(call->mask), accum,
                                      op, sl_grb_matrix(call->a), desc)
                   : GrB_Vector_apply(sl_grb_vector(call->out), sl_grb_vector(call->mask), accum,
                                      op, sl_grb_vector(call->a), desc);
    return sl_grb_status(call->ctx, sl_operation_name(call->op), info);
}

/*
 * The GraphBLAS functions with a scalar operand exist once for each kind of object and type of the
 * scalar. CALL_TYPED calls GrB_Matrix_FUNCTION_TYPE or GrB_Vector_FUNCTION_TYPE with the operator
 * `op` and the operands of `call`; OPERANDS is the order of scalar and input.
 */
#define SCALAR_FIRST(kind, member)  call->scalar.as.member, sl_grb_##kind(call->a)
#define SCALAR_SECOND(kind, member) sl_grb_##kind(call->a), call->scalar.as.member
#define CASE(NAME, name, T, class, lo, hi, KIND, kind, FUNCTION, OPERANDS)                         \
    case SL_##NAME:                                                                                \
        info = GrB_##KIND##_##FUNCTION##_##NAME(                                                   \
            sl_grb_##kind(call->out), sl_grb_##kind(call->mask), sl_grb_binary(call->accum), op,   \
            OPERANDS(kind, name##_), sl_grb_descriptor(call->ctx, call->flags));                   \
        break;
#define SWITCH(KIND, kind, FUNCTION, OPERANDS)                                                     \
    switch (call->scalar.type) {                                                                   \
        SL_TYPES_ALL(CASE, KIND, kind, FUNCTION, OPERANDS)                                         \
    default:                                                                                       \
        info = GrB_##KIND##_##FUNCTION##_UDT(                                                      \
            sl_grb_##kind(call->out), sl_grb_##kind(call->mask), sl_grb_binary(call->accum), op,   \
            OPERANDS(kind, other), sl_grb_descriptor(call->ctx, call->flags));                     \
        break;                                                                                     \
    }
#define CALL_TYPED(FUNCTION, OPERANDS)                                                             \
    if (call->out->is_matrix)                                                                      \
        SWITCH(Matrix, matrix, FUNCTION, OPERANDS)                                                 \
    else                                                                                           \
        SWITCH(Vector, vector, FUNCTION, OPERANDS)

sl_status sl_grb_apply_first(sl_call *call)
{
    GrB_BinaryOp op = sl_grb_binary(call->operators.binary);
    GrB_Info info = sort_input(call);
    if (info != GrB_SUCCESS)
        return sl_grb_status(call->ctx, "apply_first", info);
    info = GrB_INVALID_VALUE;
    CALL_TYPED(apply_BinaryOp1st, SCALAR_FIRST)
    return sl_grb_status(call->ctx, "apply_first", info);
}

sl_status sl_grb_apply_second(sl_call *call)
{
    GrB_BinaryOp op = sl_grb_binary(call->operators.binary);
    GrB_Info info = sort_input(call);
    if (info != GrB_SUCCESS)
        return sl_grb_status(call->ctx, "apply_second", info);
    info = GrB_INVALID_VALUE;
    CALL_TYPED(apply_BinaryOp2nd, SCALAR_SECOND)
    return sl_grb_status(call->ctx, "apply_second", info);
}

/*
 * Limits the thunk of a positional condition to +-2^61. SuiteSparse adds it to an index, which may
 * overflow. No sum or difference of indices reaches 2^61, so the result is the same.
 */
static void limit_thunk(sl_call *call)
{
    static const int64_t limit = (int64_t)1 << 61;
    int64_t *thunk = &call->scalar.as.int64_;
    if (!call->operators.index->positional || call->operators.index->result != SL_BOOL)
        return;
    if (*thunk > limit)
        *thunk = limit;
    if (*thunk < -limit)
        *thunk = -limit;
}

sl_status sl_grb_apply_index(sl_call *call)
{
    if (call->operators.index->user)
        return sl_grb_apply_user_index(call);
    limit_thunk(call);
    GrB_IndexUnaryOp op = sl_grb_index(call->operators.index);
    GrB_Info info = sort_input(call);
    if (info != GrB_SUCCESS)
        return sl_grb_status(call->ctx, sl_operation_name(call->op), info);
    info = GrB_INVALID_VALUE;
    CALL_TYPED(apply_IndexOp, SCALAR_SECOND)
    return sl_grb_status(call->ctx, sl_operation_name(call->op), info);
}

/* ---- select ----------------------------------------------------------------- */

static GrB_Info run_select(const sl_call *call)
{
    GrB_IndexUnaryOp op = sl_grb_index(call->operators.index);
    GrB_Info info = GrB_INVALID_VALUE;
    CALL_TYPED(select, SCALAR_SECOND)
    return info;
}

/* *kept receives the entries of call->a, in its type and not transposed, that fulfil the condition. */
static sl_status keep_by_condition(sl_object *kept, const sl_call *call)
{
    sl_object fulfilled = *call->a;
    fulfilled.type = SL_BOOL;
    sl_call condition = {.op = call->op,
                         .ctx = call->ctx,
                         .out = &fulfilled,
                         .a = call->a,
                         .operators.index = call->operators.index,
                         .scalar = call->scalar};
    sl_call copy = {.op = call->op,
                    .ctx = call->ctx,
                    .out = kept,
                    .mask = &fulfilled,
                    .a = call->a,
                    .operators.unary = sl_unary_op_get(SL_UNARY_IDENTITY, call->a->type)};
    void **handle = &fulfilled.held[SL_SLOT_HOST];
    sl_status status = sl_grb_create_object(handle, &fulfilled);
    if (status != SL_OK)
        return status;
    status = sl_grb_apply_index(&condition);
    if (status == SL_OK)
        status = sl_grb_apply(&copy);
    sl_grb_release_object(&fulfilled, *handle);
    return status;
}

/*
 * A detour around an error of SuiteSparse 10.5, which casts the thunk to the type of the object
 * instead of casting the object's values to the type of the condition: the entries that fulfil the
 * condition are found by apply, and copied by means of a mask.
 */
static sl_status select_with_cast(sl_call *call)
{
    sl_object kept = *call->a;
    void **handle = &kept.held[SL_SLOT_HOST];
    sl_status status = sl_grb_create_object(handle, &kept);
    if (status != SL_OK)
        return status;
    status = keep_by_condition(&kept, call);
    if (status == SL_OK) {
        sl_call write = *call;
        write.a = &kept;
        write.operators.unary = sl_unary_op_get(SL_UNARY_IDENTITY, kept.type);
        status = sl_grb_apply(&write);
    }
    sl_grb_release_object(&kept, *handle);
    return status;
}

sl_status sl_grb_select(sl_call *call)
{
    if (call->operators.index->user)
        return sl_grb_select_user(call);
    if (!call->operators.index->positional && call->operators.index->type != call->a->type)
        return select_with_cast(call);
    limit_thunk(call);
    return sl_grb_status(call->ctx, "select", run_select(call));
}

sl_status sl_grb_transpose(sl_call *call)
{
    GrB_Info info = sort_input(call);
    if (info == GrB_SUCCESS)
        info = GrB_transpose(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),
                             sl_grb_binary(call->accum), sl_grb_matrix(call->a),
                             sl_grb_descriptor(call->ctx, call->flags));
    return sl_grb_status(call->ctx, "transpose", info);
}
