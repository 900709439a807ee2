/* vxm, mxv, mxm, elementwise operations and the Kronecker product: checks, then dispatch. */
#include "la/core/check.h"

#include <inttypes.h>

sl_status sl_vxm(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_semiring semiring,
                 const sl_vector *u, const sl_matrix *A, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_VXM, OF_V(w), OF_V(mask), accum, desc);
    call.operators.semiring = semiring;
    call.a = OF_V(u);
    call.b = OF_M(A);
    SL_CHECK_CALL(&call, w, semiring, u, A);
    bool t = call.flags & SL_TRANSPOSE_B;
    SL_TRY(sl_check_length(&call, "the vector's size", call.a->nrows,
                           t ? call.b->ncols : call.b->nrows));
    SL_TRY(sl_check_length(&call, "the output's size", call.out->nrows,
                           t ? call.b->nrows : call.b->ncols));
    return sl_dispatch(&call);
}

sl_status sl_mxv(sl_vector *w, const sl_vector *mask, sl_binary_op accum, sl_semiring semiring,
                 const sl_matrix *A, const sl_vector *u, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_MXV, OF_V(w), OF_V(mask), accum, desc);
    call.operators.semiring = semiring;
    call.a = OF_M(A);
    call.b = OF_V(u);
    SL_CHECK_CALL(&call, w, semiring, A, u);
    bool t = call.flags & SL_TRANSPOSE_A;
    SL_TRY(sl_check_length(&call, "the vector's size", call.b->nrows,
                           t ? call.a->nrows : call.a->ncols));
    SL_TRY(sl_check_length(&call, "the output's size", call.out->nrows,
                           t ? call.a->ncols : call.a->nrows));
    return sl_dispatch(&call);
}

sl_status sl_mxm(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, sl_semiring semiring,
                 const sl_matrix *A, const sl_matrix *B, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_MXM, OF_M(C), OF_M(mask), accum, desc);
    call.operators.semiring = semiring;
    call.a = OF_M(A);
    call.b = OF_M(B);
    SL_CHECK_CALL(&call, C, semiring, A, B);
    bool t = call.flags & SL_TRANSPOSE_A, u = call.flags & SL_TRANSPOSE_B;
    SL_TRY(sl_check_length(&call, "the second matrix's number of rows",
                           u ? call.b->ncols : call.b->nrows, t ? call.a->nrows : call.a->ncols));
    SL_TRY(sl_check_length(&call, "the output's number of rows", call.out->nrows,
                           t ? call.a->ncols : call.a->nrows));
    SL_TRY(sl_check_length(&call, "the output's number of columns", call.out->ncols,
                           u ? call.b->nrows : call.b->ncols));
    return sl_dispatch(&call);
}

/* Checks that an input of an elementwise operation has the output's shape. */
static sl_status same_shape(const sl_call *call, const sl_object *input, bool transposed)
{
    SL_TRY(sl_check_length(call, "an input's number of rows",
                           transposed ? input->ncols : input->nrows, call->out->nrows));
    return sl_check_length(call, "an input's number of columns",
                           transposed ? input->nrows : input->ncols, call->out->ncols);
}

static sl_status check_ewise(sl_call *call)
{
    SL_CHECK_CALL(call, call->out, call->operators.binary, call->a, call->b);
    SL_TRY(same_shape(call, call->a, call->a->is_matrix && (call->flags & SL_TRANSPOSE_A)));
    return same_shape(call, call->b, call->b->is_matrix && (call->flags & SL_TRANSPOSE_B));
}

static sl_status ewise(sl_call *call, sl_binary_op op, sl_object *a, sl_object *b)
{
    call->operators.binary = op;
    call->a = a;
    call->b = b;
    SL_TRY(check_ewise(call));
    return sl_dispatch(call);
}

sl_status sl_vector_ewise_add(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                              sl_binary_op op, const sl_vector *u, const sl_vector *v,
                              sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_EWISE_ADD, OF_V(w), OF_V(mask), accum, desc);
    return ewise(&call, op, OF_V(u), OF_V(v));
}

sl_status sl_matrix_ewise_add(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                              sl_binary_op op, const sl_matrix *A, const sl_matrix *B,
                              sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_EWISE_ADD, OF_M(C), OF_M(mask), accum, desc);
    return ewise(&call, op, OF_M(A), OF_M(B));
}

sl_status sl_vector_ewise_mult(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                               sl_binary_op op, const sl_vector *u, const sl_vector *v,
                               sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_EWISE_MULT, OF_V(w), OF_V(mask), accum, desc);
    return ewise(&call, op, OF_V(u), OF_V(v));
}

sl_status sl_matrix_ewise_mult(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                               sl_binary_op op, const sl_matrix *A, const sl_matrix *B,
                               sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_EWISE_MULT, OF_M(C), OF_M(mask), accum, desc);
    return ewise(&call, op, OF_M(A), OF_M(B));
}

static sl_status ewise_union(sl_call *call, sl_binary_op op, sl_object *a, sl_scalar alpha,
                             sl_object *b, sl_scalar beta)
{
    call->operators.binary = op;
    call->a = a;
    call->b = b;
    SL_TRY(check_ewise(call));
    SL_TRY(sl_check_scalar(call, "alpha", &alpha));
    SL_TRY(sl_check_scalar(call, "beta", &beta));
    call->scalar = sl_scalar_cast(alpha, op->type);
    call->beta = sl_scalar_cast(beta, op->type_y);
    return sl_dispatch(call);
}

sl_status sl_vector_ewise_union(sl_vector *w, const sl_vector *mask, sl_binary_op accum,
                                sl_binary_op op, const sl_vector *u, sl_scalar alpha,
                                const sl_vector *v, sl_scalar beta, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_EWISE_UNION, OF_V(w), OF_V(mask), accum, desc);
    return ewise_union(&call, op, OF_V(u), alpha, OF_V(v), beta);
}

sl_status sl_matrix_ewise_union(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum,
                                sl_binary_op op, const sl_matrix *A, sl_scalar alpha,
                                const sl_matrix *B, sl_scalar beta, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_EWISE_UNION, OF_M(C), OF_M(mask), accum, desc);
    return ewise_union(&call, op, OF_M(A), alpha, OF_M(B), beta);
}

/* Checks one dimension of a Kronecker product: it must be a * b. */
static sl_status check_side(const sl_call *call, const char *what, uint64_t got, uint64_t a,
                            uint64_t b)
{
    if (b > 0 && a > UINT64_MAX / b)
        return SL_REFUSE(call->ctx, SL_MISMATCH,
                         "kronecker: %s is %" PRIu64 ", not %" PRIu64 " times %" PRIu64, what, got,
                         a, b);
    return sl_check_length(call, what, got, a * b);
}

sl_status sl_kronecker(sl_matrix *C, const sl_matrix *mask, sl_binary_op accum, sl_binary_op op,
                       const sl_matrix *A, const sl_matrix *B, sl_descriptor desc)
{
    sl_call call = sl_begin_call(SL_OP_KRONECKER, OF_M(C), OF_M(mask), accum, desc);
    call.operators.binary = op;
    call.a = OF_M(A);
    call.b = OF_M(B);
    SL_CHECK_CALL(&call, C, op, A, B);
    bool t = call.flags & SL_TRANSPOSE_A, u = call.flags & SL_TRANSPOSE_B;
    const sl_object *a = call.a, *b = call.b;
    SL_TRY(check_side(&call, "the output's number of rows", call.out->nrows,
                      t ? a->ncols : a->nrows, u ? b->ncols : b->nrows));
    SL_TRY(check_side(&call, "the output's number of columns", call.out->ncols,
                      t ? a->nrows : a->ncols, u ? b->nrows : b->ncols));
    return sl_dispatch(&call);
}
