/* apply, select, transpose and reduce by SuiteSparse called directly. */
#include "direct.h"

GrB_Info direct_apply(direct *d)
{
    return EITHER(apply, d->unary, d->a, d->desc);
}

GrB_Info direct_apply_first(direct *d)
{
    sl_scalar x = d->t->scalar;
#define APPLY(NAME, member) EITHER(apply_BinaryOp1st_##NAME, d->binary, x.as.member, d->a, d->desc)
    BY_TYPE(x.type, APPLY)
#undef APPLY
}

GrB_Info direct_apply_second(direct *d)
{
    sl_scalar y = d->t->scalar;
#define APPLY(NAME, member) EITHER(apply_BinaryOp2nd_##NAME, d->binary, d->a, y.as.member, d->desc)
    BY_TYPE(y.type, APPLY)
#undef APPLY
}

GrB_Info direct_apply_index(direct *d)
{
    sl_scalar thunk = d->t->scalar;
#define APPLY(NAME, member) EITHER(apply_IndexOp_##NAME, d->index, d->a, thunk.as.member, d->desc)
    BY_TYPE(thunk.type, APPLY)
#undef APPLY
}

GrB_Info direct_select(direct *d)
{
    sl_scalar thunk = d->t->scalar;
#define SELECT(NAME, member) EITHER(select_##NAME, d->index, d->a, thunk.as.member, d->desc)
    BY_TYPE(thunk.type, SELECT)
#undef SELECT
}

GrB_Info direct_transpose(direct *d)
{
    return GrB_transpose(d->out, d->mask, d->accum, d->a, d->desc);
}

/* The result has the type of the accumulated scalar, or that of the monoid. */
GrB_Info direct_reduce(direct *d)
{
    const trial *t = d->t;
    sl_scalar *sum = &d->sum;
    *sum = t->accum ? t->scalar : (sl_scalar){.type = t->monoid->type};
#define MATRIX(NAME, member)                                                                       \
    GrB_Matrix_reduce_##NAME(&sum->as.member, d->accum, d->monoid, d->a, NULL)
#define VECTOR(NAME, member)                                                                       \
    GrB_Vector_reduce_##NAME(&sum->as.member, d->accum, d->monoid, d->a, NULL)
    if (t->matrices)
        BY_TYPE(sum->type, MATRIX)
    BY_TYPE(sum->type, VECTOR)
#undef MATRIX
#undef VECTOR
}

GrB_Info direct_reduce_rows(direct *d)
{
    return GrB_Matrix_reduce_Monoid(d->out, d->mask, d->accum, d->monoid, d->a, d->desc);
}
