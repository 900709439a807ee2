/*
 * apply with a unary operator, with a binary operator and a scalar, and with an index-unary
 * operator; select; transpose.
 */
#include "grb.h"

sl_status sl_grb_apply(sl_call *call)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_UnaryOp op = sl_grb_unary(call->unary);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = call->out->is_matrix
                        ? GrB_Matrix_apply(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),
                                           accum, op, sl_grb_matrix(call->a), desc)
                        : GrB_Vector_apply(sl_grb_vector(call->out), sl_grb_vector(call->mask),
                                           accum, op, sl_grb_vector(call->a), desc);
    return sl_grb_status(call->ctx, "apply", info);
}

/* FORM: BinaryOp1st (the scalar is the first operand) or BinaryOp2nd (the second operand). */
#define BOUND_MATRIX(FORM, NAME, ...)                                                              \
    info = GrB_Matrix_apply_##FORM##_##NAME(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),   \
                                            accum, op, __VA_ARGS__, desc)
#define BOUND_VECTOR(FORM, NAME, ...)                                                              \
    info = GrB_Vector_apply_##FORM##_##NAME(sl_grb_vector(call->out), sl_grb_vector(call->mask),   \
                                            accum, op, __VA_ARGS__, desc)

sl_status sl_grb_apply_first(sl_call *call)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum), op = sl_grb_binary(call->binary);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = GrB_INVALID_VALUE;
#define MATRIX(NAME, member)                                                                       \
    BOUND_MATRIX(BinaryOp1st, NAME, call->scalar.as.member, sl_grb_matrix(call->a))
#define VECTOR(NAME, member)                                                                       \
    BOUND_VECTOR(BinaryOp1st, NAME, call->scalar.as.member, sl_grb_vector(call->a))
    if (call->out->is_matrix)
        SL_GRB_SWITCH(call->scalar.type, MATRIX)
    else
        SL_GRB_SWITCH(call->scalar.type, VECTOR)
#undef MATRIX
#undef VECTOR
    return sl_grb_status(call->ctx, "apply_first", info);
}

sl_status sl_grb_apply_second(sl_call *call)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum), op = sl_grb_binary(call->binary);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = GrB_INVALID_VALUE;
#define MATRIX(NAME, member)                                                                       \
    BOUND_MATRIX(BinaryOp2nd, NAME, sl_grb_matrix(call->a), call->scalar.as.member)
#define VECTOR(NAME, member)                                                                       \
    BOUND_VECTOR(BinaryOp2nd, NAME, sl_grb_vector(call->a), call->scalar.as.member)
    if (call->out->is_matrix)
        SL_GRB_SWITCH(call->scalar.type, MATRIX)
    else
        SL_GRB_SWITCH(call->scalar.type, VECTOR)
#undef MATRIX
#undef VECTOR
    return sl_grb_status(call->ctx, "apply_second", info);
}

#undef BOUND_MATRIX
#undef BOUND_VECTOR

/*
 * Limits the thunk of a positional condition to +-2^61. SuiteSparse adds it to an index, which may
 * overflow. No sum or difference of indices reaches 2^61, so the result is the same.
 */
static void limit_thunk(sl_call *call)
{
    static const int64_t limit = (int64_t)1 << 61;
    int64_t *thunk = &call->scalar.as.int64_;
    if (!call->index->positional || call->index->result != SL_BOOL)
        return;
    if (*thunk > limit)
        *thunk = limit;
    if (*thunk < -limit)
        *thunk = -limit;
}

sl_status sl_grb_apply_index(sl_call *call)
{
    if (call->index->user)
        return sl_grb_apply_user_index(call);
    limit_thunk(call);
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_IndexUnaryOp op = sl_grb_index(call->index);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = GrB_INVALID_VALUE;
#define MATRIX(NAME, member)                                                                       \
    info = GrB_Matrix_apply_IndexOp_##NAME(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),    \
                                           accum, op, sl_grb_matrix(call->a),                      \
                                           call->scalar.as.member, desc)
#define VECTOR(NAME, member)                                                                       \
    info = GrB_Vector_apply_IndexOp_##NAME(sl_grb_vector(call->out), sl_grb_vector(call->mask),    \
                                           accum, op, sl_grb_vector(call->a),                      \
                                           call->scalar.as.member, desc)
    if (call->out->is_matrix)
        SL_GRB_SWITCH(call->scalar.type, MATRIX)
    else
        SL_GRB_SWITCH(call->scalar.type, VECTOR)
#undef MATRIX
#undef VECTOR
    return sl_grb_status(call->ctx, "apply_index", info);
}

sl_status sl_grb_select(sl_call *call)
{
    if (call->index->user)
        return sl_grb_select_user(call);
    limit_thunk(call);
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_IndexUnaryOp op = sl_grb_index(call->index);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = GrB_INVALID_VALUE;
#define MATRIX(NAME, member)                                                                       \
    info = GrB_Matrix_select_##NAME(sl_grb_matrix(call->out), sl_grb_matrix(call->mask), accum,    \
                                    op, sl_grb_matrix(call->a), call->scalar.as.member, desc)
#define VECTOR(NAME, member)                                                                       \
    info = GrB_Vector_select_##NAME(sl_grb_vector(call->out), sl_grb_vector(call->mask), accum,    \
                                    op, sl_grb_vector(call->a), call->scalar.as.member, desc)
    if (call->out->is_matrix)
        SL_GRB_SWITCH(call->scalar.type, MATRIX)
    else
        SL_GRB_SWITCH(call->scalar.type, VECTOR)
#undef MATRIX
#undef VECTOR
    return sl_grb_status(call->ctx, "select", info);
}

sl_status sl_grb_transpose(sl_call *call)
{
    return sl_grb_status(call->ctx, "transpose",
                         GrB_transpose(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),
                                       sl_grb_binary(call->accum), sl_grb_matrix(call->a),
                                       sl_grb_descriptor(call->ctx, call->flags)));
}
