/* vxm, mxv, eWiseAdd, eWiseMult. */
#include "grb.h"

sl_status sl_grb_vxm(sl_call *call)
{
    return sl_grb_status(call->ctx, "vxm",
                         GrB_vxm(sl_grb_vector(call->out), sl_grb_vector(call->mask),
                                 sl_grb_binary(call->accum), sl_grb_semiring(call->semiring),
                                 sl_grb_vector(call->a), sl_grb_matrix(call->b),
                                 sl_grb_descriptor(call->flags)));
}

sl_status sl_grb_mxv(sl_call *call)
{
    return sl_grb_status(call->ctx, "mxv",
                         GrB_mxv(sl_grb_vector(call->out), sl_grb_vector(call->mask),
                                 sl_grb_binary(call->accum), sl_grb_semiring(call->semiring),
                                 sl_grb_matrix(call->a), sl_grb_vector(call->b),
                                 sl_grb_descriptor(call->flags)));
}

static GrB_Info ewise_add(sl_call *call, void *mask)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum), op = sl_grb_binary(call->binary);
    GrB_Descriptor desc = sl_grb_descriptor(call->flags);
    return call->out->is_matrix
               ? GrB_Matrix_eWiseAdd_BinaryOp(sl_grb_matrix(call->out), mask, accum, op,
                                              sl_grb_matrix(call->a), sl_grb_matrix(call->b), desc)
               : GrB_Vector_eWiseAdd_BinaryOp(sl_grb_vector(call->out), mask, accum, op,
                                              sl_grb_vector(call->a), sl_grb_vector(call->b), desc);
}

/* SuiteSparse 7.4 gives wrong values where both inputs are the mask itself and are
 * cast; a mask of its own is right. */
sl_status sl_grb_ewise_add(sl_call *call)
{
    if (call->mask != call->a || call->mask != call->b)
        return sl_grb_status(
            call->ctx, "ewise_add",
            ewise_add(call, call->mask ? sl_held(call->mask, &sl_store_host) : NULL));
    void *mask;
    sl_status status = sl_store_host.copy(&mask, call->mask, sl_held(call->mask, &sl_store_host));
    if (status != SL_OK)
        return status;
    GrB_Info info = ewise_add(call, mask);
    sl_store_host.release(call->mask, mask);
    return sl_grb_status(call->ctx, "ewise_add", info);
}

sl_status sl_grb_ewise_mult(sl_call *call)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum), op = sl_grb_binary(call->binary);
    GrB_Descriptor desc = sl_grb_descriptor(call->flags);
    GrB_Info info =
        call->out->is_matrix
            ? GrB_Matrix_eWiseMult_BinaryOp(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),
                                            accum, op, sl_grb_matrix(call->a),
                                            sl_grb_matrix(call->b), desc)
            : GrB_Vector_eWiseMult_BinaryOp(sl_grb_vector(call->out), sl_grb_vector(call->mask),
                                            accum, op, sl_grb_vector(call->a),
                                            sl_grb_vector(call->b), desc);
    return sl_grb_status(call->ctx, "ewise_mult", info);
}
