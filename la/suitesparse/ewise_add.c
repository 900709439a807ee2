/* Elementwise sums, with detours around errors of SuiteSparse 7.4 that the functions describe. */
#include "suitesparse/grb_engine.h"

/* ---- casts apart from the operands --------------------------------------------- */

static GrB_Info sum_of_matrices(GrB_Matrix T, const sl_call *call, sl_type type)
{
    GrB_BinaryOp first = sl_grb_binary(sl_binary_op_get(SL_BINARY_FIRST, type));
    GrB_BinaryOp second = sl_grb_binary(sl_binary_op_get(SL_BINARY_SECOND, type));
    GrB_Matrix A = sl_grb_matrix(call->a), B = sl_grb_matrix(call->b);
    GrB_Descriptor desc =
        sl_grb_descriptor(call->ctx, call->flags & (SL_TRANSPOSE_A | SL_TRANSPOSE_B));
    GrB_Info info = GrB_Matrix_eWiseAdd_BinaryOp(T, NULL, NULL, first, A, B, desc);
    if (info != GrB_SUCCESS)
        return info;
    return GrB_Matrix_eWiseMult_BinaryOp(T, NULL, second, sl_grb_binary(call->operators.binary), A,
                                         B, desc);
}

static GrB_Info sum_of_vectors(GrB_Vector t, const sl_call *call, sl_type type)
{
    GrB_BinaryOp first = sl_grb_binary(sl_binary_op_get(SL_BINARY_FIRST, type));
    GrB_BinaryOp second = sl_grb_binary(sl_binary_op_get(SL_BINARY_SECOND, type));
    GrB_Vector u = sl_grb_vector(call->a), v = sl_grb_vector(call->b);
    GrB_Info info = GrB_Vector_eWiseAdd_BinaryOp(t, NULL, NULL, first, u, v, NULL);
    if (info != GrB_SUCCESS)
        return info;
    return GrB_Vector_eWiseMult_BinaryOp(t, NULL, second, sl_grb_binary(call->operators.binary), u,
                                         v, NULL);
}

/*
 * A detour around SuiteSparse 7.4, which casts an entry that only one input has to the type of the
 * operand first, or not, depending on how the inputs are stored (sl_call_casts_apart). T is the
 * union of the inputs, cast to the result type, in which the operator's results replace the entries
 * that both inputs have. Then C<M> = C accum T.
 */
static GrB_Info add_casts_apart(const sl_call *call)
{
    const sl_object *out = call->out;
    const sl_type type = call->operators.binary->result;
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_UnaryOp identity = sl_grb_unary(sl_unary_op_get(SL_UNARY_IDENTITY, type));
    GrB_Descriptor desc =
        sl_grb_descriptor(call->ctx, call->flags & ~(unsigned)(SL_TRANSPOSE_A | SL_TRANSPOSE_B));
    GrB_Matrix T = NULL;
    GrB_Vector t = NULL;
    GrB_Info info = out->is_matrix ? GrB_Matrix_new(&T, sl_grb_type(type), out->nrows, out->ncols)
                                   : GrB_Vector_new(&t, sl_grb_type(type), out->nrows);
    if (info == GrB_SUCCESS)
        info = out->is_matrix ? sum_of_matrices(T, call, type) : sum_of_vectors(t, call, type);
    if (info == GrB_SUCCESS)
        info = sl_grb_clear_iso_output(call);
    if (info == GrB_SUCCESS)
        info = out->is_matrix ? GrB_Matrix_apply(sl_grb_matrix(out), sl_grb_matrix(call->mask),
                                                 accum, identity, T, desc)
                              : GrB_Vector_apply(sl_grb_vector(out), sl_grb_vector(call->mask),
                                                 accum, identity, t, desc);
    GrB_Matrix_free(&T);
    GrB_Vector_free(&t);
    return info;
}

/* ---- the operation --------------------------------------------------------------- */

static GrB_Info ewise_add(sl_call *call, void *mask)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum), op = sl_grb_binary(call->operators.binary);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = sl_grb_clear_iso_output(call);
    if (info != GrB_SUCCESS)
        return info;
    return call->out->is_matrix
               ? GrB_Matrix_eWiseAdd_BinaryOp(sl_grb_matrix(call->out), mask, accum, op,
                                              sl_grb_matrix(call->a), sl_grb_matrix(call->b), desc)
               : GrB_Vector_eWiseAdd_BinaryOp(sl_grb_vector(call->out), mask, accum, op,
                                              sl_grb_vector(call->a), sl_grb_vector(call->b), desc);
}

/* A detour around an error of SuiteSparse 7.4: if the mask is also both inputs, and these are cast,
 * the values are wrong. So the mask is copied. */
sl_status sl_grb_ewise_add(sl_call *call)
{
    if (sl_call_casts_apart(call))
        return sl_grb_status(call->ctx, "ewise_add", add_casts_apart(call));
    if (call->mask != call->a || call->mask != call->b)
        return sl_grb_status(call->ctx, "ewise_add",
                             ewise_add(call, call->mask ? call->mask->held[SL_SLOT_HOST] : NULL));
    void *mask;
    sl_status status = sl_grb_copy_object(&mask, call->mask, call->mask->held[SL_SLOT_HOST]);
    if (status != SL_OK)
        return status;
    GrB_Info info = ewise_add(call, mask);
    sl_grb_release_object(call->mask, mask);
    return sl_grb_status(call->ctx, "ewise_add", info);
}
