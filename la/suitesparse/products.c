/* vxm, mxv, mxm, the elementwise products, kronecker. */
#include "grb.h"

sl_status sl_grb_vxm(sl_call *call)
{
    return sl_grb_status(call->ctx, "vxm",
                         GrB_vxm(sl_grb_vector(call->out), sl_grb_vector(call->mask),
                                 sl_grb_binary(call->accum), sl_grb_semiring(call->semiring),
                                 sl_grb_vector(call->a), sl_grb_matrix(call->b),
                                 sl_grb_descriptor(call->ctx, call->flags)));
}

sl_status sl_grb_mxv(sl_call *call)
{
    return sl_grb_status(call->ctx, "mxv",
                         GrB_mxv(sl_grb_vector(call->out), sl_grb_vector(call->mask),
                                 sl_grb_binary(call->accum), sl_grb_semiring(call->semiring),
                                 sl_grb_matrix(call->a), sl_grb_vector(call->b),
                                 sl_grb_descriptor(call->ctx, call->flags)));
}

/* Where rows and columns have no length there is no sum: SuiteSparse 7.4 may give
 * one all the same. */
sl_status sl_grb_mxm(sl_call *call)
{
    GrB_Info info = call->a->nrows == 0 || call->a->ncols == 0
                        ? sl_grb_write_nothing(call, call->semiring->result)
                        : GrB_mxm(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),
                                  sl_grb_binary(call->accum), sl_grb_semiring(call->semiring),
                                  sl_grb_matrix(call->a), sl_grb_matrix(call->b),
                                  sl_grb_descriptor(call->ctx, call->flags));
    return sl_grb_status(call->ctx, "mxm", info);
}

/*
 * SuiteSparse 7.4 writes a result that is full into an output that is full without
 * asking whether that has room for more than the one value that all its entries
 * shared. What an output holds that is only written may go first.
 */
static GrB_Info make_room(const sl_call *call)
{
    sl_object *out = call->out;
    if (call->mask || call->accum || (call->flags & SL_COMPLEMENT) || out == call->a ||
        out == call->b)
        return GrB_SUCCESS;
    bool shared = false;
    GrB_Info info = out->is_matrix ? GxB_Matrix_iso(&shared, sl_grb_matrix(out))
                                   : GxB_Vector_iso(&shared, sl_grb_vector(out));
    if (info != GrB_SUCCESS || !shared)
        return info;
    return out->is_matrix ? GrB_Matrix_clear(sl_grb_matrix(out))
                          : GrB_Vector_clear(sl_grb_vector(out));
}

static GrB_Info ewise_add(sl_call *call, void *mask)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum), op = sl_grb_binary(call->binary);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = make_room(call);
    if (info != GrB_SUCCESS)
        return info;
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
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = make_room(call);
    if (info == GrB_SUCCESS)
        info =
            call->out->is_matrix
                ? GrB_Matrix_eWiseMult_BinaryOp(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),
                                                accum, op, sl_grb_matrix(call->a),
                                                sl_grb_matrix(call->b), desc)
                : GrB_Vector_eWiseMult_BinaryOp(sl_grb_vector(call->out), sl_grb_vector(call->mask),
                                                accum, op, sl_grb_vector(call->a),
                                                sl_grb_vector(call->b), desc);
    return sl_grb_status(call->ctx, "ewise_mult", info);
}

sl_status sl_grb_ewise_union(sl_call *call)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum), op = sl_grb_binary(call->binary);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Scalar alpha = NULL, beta = NULL;
    GrB_Info info = sl_grb_scalar(&alpha, call->ctx, 0, call->scalar);
    if (info == GrB_SUCCESS)
        info = sl_grb_scalar(&beta, call->ctx, 1, call->beta);
    if (info == GrB_SUCCESS)
        info = make_room(call);
    if (info == GrB_SUCCESS)
        info = call->out->is_matrix
                   ? GxB_Matrix_eWiseUnion(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),
                                           accum, op, sl_grb_matrix(call->a), alpha,
                                           sl_grb_matrix(call->b), beta, desc)
                   : GxB_Vector_eWiseUnion(sl_grb_vector(call->out), sl_grb_vector(call->mask),
                                           accum, op, sl_grb_vector(call->a), alpha,
                                           sl_grb_vector(call->b), beta, desc);
    return sl_grb_status(call->ctx, "ewise_union", info);
}

sl_status sl_grb_kronecker(sl_call *call)
{
    return sl_grb_status(
        call->ctx, "kronecker",
        GrB_Matrix_kronecker_BinaryOp(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),
                                      sl_grb_binary(call->accum), sl_grb_binary(call->binary),
                                      sl_grb_matrix(call->a), sl_grb_matrix(call->b),
                                      sl_grb_descriptor(call->ctx, call->flags)));
}
