/*
 * vxm, mxv, mxm, elementwise products and unions, and kronecker, with detours around errors of
 * SuiteSparse 7.4 that the functions describe.
 */
#include "suitesparse/grb_engine.h"

#include <inttypes.h>

/* ---- vxm, mxv, mxm ----------------------------------------------------------- */

static bool is_empty(const sl_object *o)
{
    return o->nrows == 0 || o->ncols == 0;
}

static sl_status multiply_matrices(const sl_call *call, GrB_Matrix A, GrB_Matrix B)
{
    bool ran;
    const sl_status status = sl_grb_mxm_in_pieces(&ran, call, A, B);
    if (ran || status != SL_OK)
        return status;
    return sl_grb_status(
        call->ctx, "mxm",
        sl_grb_multiply_matrices(sl_grb_matrix(call->out), sl_grb_matrix(call->mask),
                                 sl_grb_binary(call->accum), call, A, B, call->flags));
}

/* The product of the operands with the handles a and b. */
static sl_status multiply(const sl_call *call, void *a, void *b)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum);
    GrB_Semiring semiring = sl_grb_semiring(call->operators.semiring);
    GrB_Descriptor desc, own;
    GrB_Vector out = sl_grb_vector(call->out), mask = sl_grb_vector(call->mask);
    if (call->op == SL_OP_MXM)
        return multiply_matrices(call, a, b);
    GrB_Info info = sl_grb_product_descriptor(&desc, &own, call, a, b);
    if (info == GrB_SUCCESS)
        info = call->op == SL_OP_VXM ? GrB_vxm(out, mask, accum, semiring, a, b, desc)
                                     : GrB_mxv(out, mask, accum, semiring, a, b, desc);
    GrB_Descriptor_free(&own);
    return sl_grb_status(call->ctx, sl_operation_name(call->op), info);
}

/*
 * A detour around an error of SuiteSparse 7.4: if an operand is hypersparse, that is stores a list
 * of its nonempty rows, firsti and secondj return a position in that list instead of a row or
 * column. So an operand is replaced by one whose values are its row or column indices, and the
 * multiplication is first or second (user.c).
 */
static sl_status multiply_indices(const sl_call *call)
{
    bool first = call->operators.semiring->multiply->code == SL_BINARY_FIRSTI;
    const sl_object *operand = first ? call->a : call->b;
    bool transposed = call->flags & (first ? SL_TRANSPOSE_A : SL_TRANSPOSE_B);
    GrB_IndexUnaryOp index =
        operand->is_matrix && first != transposed ? GrB_ROWINDEX_INT64 : GrB_COLINDEX_INT64;
    GrB_Matrix A = NULL;
    GrB_Vector u = NULL;
    GrB_Info info = operand->is_matrix
                        ? GrB_Matrix_new(&A, GrB_INT64, operand->nrows, operand->ncols)
                        : GrB_Vector_new(&u, GrB_INT64, operand->nrows);
    if (info == GrB_SUCCESS)
        info = operand->is_matrix ? GrB_Matrix_apply_IndexOp_INT64(A, NULL, NULL, index,
                                                                   sl_grb_matrix(operand), 0, NULL)
                                  : GrB_Vector_apply_IndexOp_INT64(u, NULL, NULL, index,
                                                                   sl_grb_vector(operand), 0, NULL);
    void *indices = operand->is_matrix ? (void *)A : (void *)u;
    sl_status status = sl_grb_status(call->ctx, sl_operation_name(call->op), info);
    if (status == SL_OK)
        status = first ? multiply(call, indices, call->b->held[SL_SLOT_HOST])
                       : multiply(call, call->a->held[SL_SLOT_HOST], indices);
    GrB_Matrix_free(&A);
    GrB_Vector_free(&u);
    return status;
}

sl_status sl_grb_multiply_operands(sl_call *call)
{
    sl_binary_code code = call->operators.semiring->multiply->code;
    /* With an operand without rows or columns SuiteSparse 7.4 may return entries, or an error about
     * the shapes. */
    if (is_empty(call->a) || is_empty(call->b))
        return sl_grb_status(call->ctx, sl_operation_name(call->op),
                             sl_grb_write_empty(call, call->operators.semiring->result));
    if (code == SL_BINARY_FIRSTI || code == SL_BINARY_SECONDJ)
        return multiply_indices(call);
    return multiply(call, call->a->held[SL_SLOT_HOST], call->b->held[SL_SLOT_HOST]);
}

/* ---- elementwise --------------------------------------------------------------- */

/* *swaps: SuiteSparse 7.4 may exchange the operands, because both inputs are iso: of a full and a sparse
 * input it takes the sparse one first, and does not apply the operator the other way round. It exchanges
 * first and second themselves. */
static GrB_Info swaps_operands(bool *swaps, const sl_call *call)
{
    const sl_binary_op op = call->operators.binary;
    const bool sensitive = !op->commutative && !op->positional && op->code != SL_BINARY_FIRST &&
                           op->code != SL_BINARY_SECOND;
    bool x = false, y = false;
    GrB_Info info = sensitive ? sl_grb_is_iso(&x, call->a) : GrB_SUCCESS;
    if (info == GrB_SUCCESS && x)
        info = sl_grb_is_iso(&y, call->b);
    *swaps = x && y;
    return info;
}

static sl_status multiply_entries(const sl_call *call)
{
    bool swaps;
    GrB_Info known = swaps_operands(&swaps, call);
    if (known == GrB_SUCCESS && swaps)
        known = sl_grb_multiply_iso(call);
    if (known != GrB_SUCCESS || swaps)
        return sl_grb_status(call->ctx, "ewise_mult", known);
    GrB_BinaryOp accum = sl_grb_binary(call->accum), op = sl_grb_binary(call->operators.binary);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Info info = sl_grb_clear_iso_output(call);
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

/*
 * A detour around an error of SuiteSparse 7.4: with SL_REPLACE it frees the output before it reads the list of nonempty
 * rows of a hypersparse input or mask, which may be the output. So these are read from a copy.
 */
static sl_status multiply_copy(const sl_call *call)
{
    sl_object copy = *call->out;
    sl_call multiply = *call;
    sl_object **const operands[] = {&multiply.a, &multiply.b, &multiply.mask};
    void *handle;
    sl_status status = sl_grb_copy_object(&handle, call->out, call->out->held[SL_SLOT_HOST]);
    if (status != SL_OK)
        return status;
    copy.held[SL_SLOT_HOST] = handle;
    for (int k = 0; k < 3; k++)
        if (*operands[k] == call->out)
            *operands[k] = &copy;
    status = multiply_entries(&multiply);
    sl_grb_release_object(&copy, handle);
    return status;
}

sl_status sl_grb_ewise_mult(sl_call *call)
{
    const sl_object *out = call->out;
    const bool reads = call->a == out || call->b == out || call->mask == out;
    return out->is_matrix && call->flags & SL_REPLACE && reads ? multiply_copy(call)
                                                               : multiply_entries(call);
}

sl_status sl_grb_ewise_union(sl_call *call)
{
    GrB_BinaryOp accum = sl_grb_binary(call->accum), op = sl_grb_binary(call->operators.binary);
    GrB_Descriptor desc = sl_grb_descriptor(call->ctx, call->flags);
    GrB_Scalar alpha = NULL, beta = NULL;
    GrB_Info info = sl_grb_scalar(&alpha, call->ctx, 0, call->scalar);
    if (info == GrB_SUCCESS)
        info = sl_grb_scalar(&beta, call->ctx, 1, call->beta);
    if (info == GrB_SUCCESS)
        info = sl_grb_clear_iso_output(call);
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

/* The shapes have been checked, so that a mismatch of dimensions means a result that is too large. */
sl_status sl_grb_kronecker(sl_call *call)
{
    bool ran;
    const sl_status status = sl_grb_kronecker_in_pieces(&ran, call);
    if (ran || status != SL_OK)
        return status;
    GrB_Info info = GrB_Matrix_kronecker_BinaryOp(
        sl_grb_matrix(call->out), sl_grb_matrix(call->mask), sl_grb_binary(call->accum),
        sl_grb_binary(call->operators.binary), sl_grb_matrix(call->a), sl_grb_matrix(call->b),
        sl_grb_descriptor(call->ctx, call->flags));
    if (info == GrB_DIMENSION_MISMATCH)
        return sl_fail(call->ctx, SL_OUT_OF_RANGE,
                       "kronecker: a result of %" PRIu64 " x %" PRIu64
                       " is too large for SuiteSparse:GraphBLAS",
                       call->out->nrows, call->out->ncols);
    return sl_grb_status(call->ctx, "kronecker", info);
}
