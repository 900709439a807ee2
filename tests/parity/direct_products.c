/*
 * Matrix products, elementwise operations and the Kronecker product by SuiteSparse called directly.
 */
#include "direct.h"

GrB_Info direct_vxm(direct *d)
{
    return GrB_vxm(d->out, d->mask, d->accum, d->semiring, d->a, d->b, d->desc);
}

GrB_Info direct_mxv(direct *d)
{
    return GrB_mxv(d->out, d->mask, d->accum, d->semiring, d->a, d->b, d->desc);
}

GrB_Info direct_mxm(direct *d)
{
    return GrB_mxm(d->out, d->mask, d->accum, d->semiring, d->a, d->b, d->desc);
}

GrB_Info direct_ewise_add(direct *d)
{
    return EITHER(eWiseAdd_BinaryOp, d->binary, d->a, d->b, d->desc);
}

GrB_Info direct_ewise_mult(direct *d)
{
    return EITHER(eWiseMult_BinaryOp, d->binary, d->a, d->b, d->desc);
}

static GrB_Info set_scalar(GrB_Scalar scalar, sl_scalar x){
#define SET(NAME, member) GrB_Scalar_setElement_##NAME(scalar, x.as.member)
    BY_TYPE(x.type, SET)
#undef SET
}

GrB_Info direct_ewise_union(direct *d)
{
    GrB_Scalar alpha, beta;
    GRB_OK(GrB_Scalar_new(&alpha, grb_type(d->t->scalar.type)));
    GRB_OK(GrB_Scalar_new(&beta, grb_type(d->t->beta.type)));
    GRB_OK(set_scalar(alpha, d->t->scalar));
    GRB_OK(set_scalar(beta, d->t->beta));
    GrB_Info info = d->t->matrices ? GxB_Matrix_eWiseUnion(d->out, d->mask, d->accum, d->binary,
                                                           d->a, alpha, d->b, beta, d->desc)
                                   : GxB_Vector_eWiseUnion(d->out, d->mask, d->accum, d->binary,
                                                           d->a, alpha, d->b, beta, d->desc);
    GrB_Scalar_free(&alpha);
    GrB_Scalar_free(&beta);
    return info;
}

GrB_Info direct_kronecker(direct *d)
{
    return GrB_Matrix_kronecker_BinaryOp(d->out, d->mask, d->accum, d->binary, d->a, d->b, d->desc);
}
