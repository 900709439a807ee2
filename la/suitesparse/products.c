/* vxm, mxv, mxm, the elementwise products, kronecker. */
#include "grb.h"

/* ---- vxm, mxv, mxm ----------------------------------------------------------- */

static bool is_empty(const sl_object *o)
{
    return o->nrows == 0 || o->ncols == 0;
}

/* The product of two handles. */
static GrB_Info multiply(const sl_call *call, void *a, void *b)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_Semiring semiring = sl_grb_semiring(call->semiring);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    const sl_object *out = call->out, *mask = call->mask;
    switch (call->op) {
    case SL_OP_VXM:
        return GrB_vxm(sl_grb_vector(out), sl_grb_vector(mask), accum, semiring, a, b, desc);
    case SL_OP_MXV:
        return GrB_mxv(sl_grb_vector(out), sl_grb_vector(mask), accum, semiring, a, b, desc);
    default:
        return GrB_mxm(sl_grb_matrix(out), sl_grb_matrix(mask), accum, semiring, a, b, desc);
    }
}

/*
 * SuiteSparse 7.4 takes for the row of an entry, in firsti, and for the column, in
 * secondj, what is the place in a list where there is a list of rows that have
 * entries. So the indices are multiplied, by first and second (user.c).
 */
static GrB_Info multiply_indices(const sl_call *call)
{
    bool first = call->semiring->multiply->code == SL_BINARY_FIRSTI;
    const sl_object *of = first ? call->a : call->b;
    bool turned = call->flags & (first ? SL_TRANSPOSE_A : SL_TRANSPOSE_B);
    GrB_IndexUnaryOp index =
        of->is_matrix && first != turned ? GrB_ROWINDEX_INT64 : GrB_COLINDEX_INT64;
    GrB_Matrix A = NULL;
    GrB_Vector u = NULL;
    GrB_Info info = of->is_matrix ? GrB_Matrix_new(&A, GrB_INT64, of->nrows, of->ncols)
                                  : GrB_Vector_new(&u, GrB_INT64, of->nrows);
    if (info == GrB_SUCCESS)
        info =
            of->is_matrix
                ? GrB_Matrix_apply_IndexOp_INT64(A, NULL, NULL, index, sl_grb_matrix(of), 0, NULL)
                : GrB_Vector_apply_IndexOp_INT64(u, NULL, NULL, index, sl_grb_vector(of), 0, NULL);
    void *indices = of->is_matrix ? (void *)A : (void *)u;
    if (info == GrB_SUCCESS)
        info = first ? multiply(call, indices, sl_handle(call->b, &sl_store_host))
                     : multiply(call, sl_handle(call->a, &sl_store_host), indices);
    GrB_Matrix_free(&A);
    GrB_Vector_free(&u);
    return info;
}

sl_status sl_grb_product(sl_call *call)
{
    sl_binary_code code = call->semiring->multiply->code;
    GrB_Info info;
    /* SuiteSparse 7.4 may give sums of nothing, or take the shapes for wrong. */
    if (is_empty(call->a) || is_empty(call->b))
        info = sl_grb_write_nothing(call, call->semiring->result);
    else if (code == SL_BINARY_FIRSTI || code == SL_BINARY_SECONDJ)
        info = multiply_indices(call);
    else
        info =
            multiply(call, sl_handle(call->a, &sl_store_host), sl_handle(call->b, &sl_store_host));
    return sl_grb_status(call->ctx, sl_operation_name(call->op), info);
}

/* ---- elementwise --------------------------------------------------------------- */

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
            ewise_add(call, call->mask ? sl_handle(call->mask, &sl_store_host) : NULL));
    void *mask;
    sl_status status = sl_store_host.copy(&mask, call->mask, sl_handle(call->mask, &sl_store_host));
    if (status != SL_OK)
        return status;
    GrB_Info info = ewise_add(call, mask);
    sl_store_host.release(call->mask, mask);
    return sl_grb_status(call->ctx, "ewise_add", info);
}

/* SuiteSparse 7.4 may swap a user's x and y where all entries of each are equal. */
static GrB_Info swaps_operands(bool *swaps, const sl_call *call)
{
    bool x = false, y = false;
    GrB_Info info = call->binary->user ? sl_grb_shares_value(&x, call->a) : GrB_SUCCESS;
    if (info == GrB_SUCCESS && x)
        info = sl_grb_shares_value(&y, call->b);
    *swaps = x && y;
    return info;
}

sl_status sl_grb_ewise_mult(sl_call *call)
{
    bool swaps;
    GrB_Info known = swaps_operands(&swaps, call);
    if (known == GrB_SUCCESS && swaps)
        known = sl_grb_multiply_shared(call);
    if (known != GrB_SUCCESS || swaps)
        return sl_grb_status(call->ctx, "ewise_mult", known);
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
