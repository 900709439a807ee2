/* assign, extract, diag, resize, equal and same_pattern by SuiteSparse called directly. */
#include "direct.h"

/* The index list without the use of ranges. */
static const GrB_Index *list(const index_list *l)
{
    return l->meant.list ? l->meant.list : GrB_ALL;
}

#define ROWS list(&d->t->rows), d->t->rows.meant.count
#define COLS list(&d->t->cols), d->t->cols.meant.count

GrB_Info direct_assign(direct *d)
{
    return d->t->matrices ? GrB_Matrix_assign(d->out, d->mask, d->accum, d->a, ROWS, COLS, d->desc)
                          : GrB_Vector_assign(d->out, d->mask, d->accum, d->a, ROWS, d->desc);
}

GrB_Info direct_assign_scalar(direct *d)
{
    sl_scalar x = d->t->scalar;
#define MATRIX(NAME, member)                                                                       \
    GrB_Matrix_assign_##NAME(d->out, d->mask, d->accum, x.as.member, ROWS, COLS, d->desc)
#define VECTOR(NAME, member)                                                                       \
    GrB_Vector_assign_##NAME(d->out, d->mask, d->accum, x.as.member, ROWS, d->desc)
    if (d->t->matrices)
        BY_TYPE(x.type, MATRIX)
    BY_TYPE(x.type, VECTOR)
#undef MATRIX
#undef VECTOR
}

GrB_Info direct_assign_row(direct *d)
{
    return GrB_Row_assign(d->out, d->mask, d->accum, d->a, d->t->row, COLS, d->desc);
}

GrB_Info direct_assign_column(direct *d)
{
    return GrB_Col_assign(d->out, d->mask, d->accum, d->a, ROWS, d->t->col, d->desc);
}

GrB_Info direct_extract(direct *d)
{
    return d->t->matrices ? GrB_Matrix_extract(d->out, d->mask, d->accum, d->a, ROWS, COLS, d->desc)
                          : GrB_Vector_extract(d->out, d->mask, d->accum, d->a, ROWS, d->desc);
}

GrB_Info direct_extract_column(direct *d)
{
    return GrB_Col_extract(d->out, d->mask, d->accum, d->a, ROWS, d->t->col, d->desc);
}

/* ---- shapes ---------------------------------------------------------------------- */

/* The output is created here, with the shape that the operation must give it. */
GrB_Info direct_diag(direct *d)
{
    const operand *out = d->t->out;
    const model *M = &out->model;
    GrB_Matrix C = NULL;
    GrB_Vector v = NULL;
    GrB_Info info = out->A ? GrB_Matrix_new(&C, grb_type(M->type), M->nrows, M->ncols)
                           : GrB_Vector_new(&v, grb_type(M->type), M->nrows);
    if (info == GrB_SUCCESS)
        info = out->A ? GxB_Matrix_diag(C, d->a, d->t->offset, NULL)
                      : GxB_Vector_diag(v, d->a, d->t->offset, NULL);
    d->out = d->operands[out - d->t->operands] = out->A ? (void *)C : (void *)v;
    return info;
}

GrB_Info direct_resize(direct *d)
{
    const model *resized = &d->t->out->model;
    return d->t->matrices ? GrB_Matrix_resize(d->out, resized->nrows, resized->ncols)
                          : GrB_Vector_resize(d->out, resized->nrows);
}

/* ---- equality -------------------------------------------------------------------- */

static GrB_Info count(GrB_Index *nvals, const direct *d, void *object)
{
    return d->t->matrices ? GrB_Matrix_nvals(nvals, object) : GrB_Vector_nvals(nvals, object);
}

/* The number of indices at which op(x, y) of both entries is true. */
static GrB_Info matches(GrB_Index *found, const direct *d, GrB_BinaryOp op, void *x, void *y)
{
    const model *M = &d->t->a->model;
    GrB_Matrix C = NULL;
    GrB_Vector w = NULL;
    GrB_Info info = d->t->matrices ? GrB_Matrix_new(&C, GrB_BOOL, M->nrows, M->ncols)
                                   : GrB_Vector_new(&w, GrB_BOOL, M->nrows);
    if (info == GrB_SUCCESS)
        info = d->t->matrices ? GrB_Matrix_eWiseMult_BinaryOp(C, NULL, NULL, op, x, y, NULL)
                              : GrB_Vector_eWiseMult_BinaryOp(w, NULL, NULL, op, x, y, NULL);
    uint64_t sum = 0;
    if (info == GrB_SUCCESS)
        info = d->t->matrices
                   ? GrB_Matrix_reduce_UINT64(&sum, NULL, GrB_PLUS_MONOID_UINT64, C, NULL)
                   : GrB_Vector_reduce_UINT64(&sum, NULL, GrB_PLUS_MONOID_UINT64, w, NULL);
    *found = sum;
    GrB_Matrix_free(&C);
    GrB_Vector_free(&w);
    return info;
}

static void both_nan(void *z, const void *px, const void *py)
{
    double x = *(const double *)px, y = *(const double *)py;
    *(bool *)z = x != x && y != y;
}

/* The number of indices at which both have the same value (NaN equals NaN) or, without `values`,
 * any entry. */
static GrB_Info common(GrB_Index *found, const direct *d, bool values)
{
    sl_type type = d->t->a->model.type;
    GrB_Index nans = 0;
    GrB_BinaryOp nan;
    if (!values)
        return matches(found, d, GxB_PAIR_BOOL, d->a, d->b);
    GrB_Info info = GxB_BinaryOp_new(&nan, both_nan, GrB_BOOL, GrB_FP64, GrB_FP64, NULL, NULL);
    if (info == GrB_SUCCESS)
        info = matches(&nans, d, nan, d->a, d->b);
    if (info == GrB_SUCCESS)
        info = matches(found, d, grb_binary(SL_BINARY_EQ, type), d->a, d->b);
    GrB_BinaryOp_free(&nan);
    *found += nans;
    return info;
}

static GrB_Info compare(direct *d, bool values)
{
    const model *A = &d->t->a->model, *B = &d->t->b->model;
    GrB_Index in_a = 0, in_b = 0, found = 0;
    d->sum = sl_scalar_bool(false);
    if (A->nrows != B->nrows || A->ncols != B->ncols || (values && A->type != B->type))
        return GrB_SUCCESS;
    GrB_Info info = count(&in_a, d, d->a);
    if (info == GrB_SUCCESS)
        info = count(&in_b, d, d->b);
    if (info == GrB_SUCCESS)
        info = common(&found, d, values);
    d->sum = sl_scalar_bool(in_a == in_b && found == in_a);
    return info;
}

GrB_Info direct_equal(direct *d)
{
    return compare(d, true);
}

GrB_Info direct_same_pattern(direct *d)
{
    return compare(d, false);
}
