/* apply in its five forms, and select. */
#include "graphblas/api_object.h"

/* ---- binary operators with a bound operand, index operators, select -------------------------------- */

/* How one of these calls uses its value: as first or second operand, or as thunk. */
typedef enum { BIND_FIRST, BIND_SECOND, APPLY_INDEX, SELECT } use;

/* An operator and the value that it is applied with. */
typedef struct {
    use how;
    const void *op; /* a GrB_BinaryOp or a GrB_IndexUnaryOp */
    grb_value value;
} application;

/* The types of an operator of either kind. */
typedef struct {
    GrB_Type z, x, value; /* result; entry (NULL: not read); bound value or thunk */
} domains;

static GrB_Info domains_of(domains *d, const application *a)
{
    const use how = a->how;
    const grb_kind kind = how == BIND_FIRST || how == BIND_SECOND ? GRB_BINARY_OP : GRB_INDEX_OP;
    GRB_TRY(grb_check(a->op, kind));
    const struct semla_grb_binary_op *binary = a->op;
    const struct semla_grb_index_op *index = a->op;
    if (kind == GRB_BINARY_OP && binary->indexed)
        return GrB_DOMAIN_MISMATCH; /* the bound operand has no indices */
    if (how == BIND_FIRST)
        *d = (domains){.z = binary->z, .x = binary->y, .value = binary->x};
    else if (how == BIND_SECOND)
        *d = (domains){.z = binary->z, .x = binary->x, .value = binary->y};
    else
        *d = (domains){.z = index->z, .x = index->x, .value = index->thunk};
    return GrB_SUCCESS;
}

static sl_status run_vector(sl_vector *w, sl_vector *mask, sl_binary_op accum, const application *a,
                            sl_vector *u, sl_scalar x, sl_descriptor desc)
{
    switch (a->how) {
    case BIND_FIRST:
        return sl_vector_apply_first(w, mask, accum, ((GrB_BinaryOp)a->op)->op, x, u, desc);
    case BIND_SECOND:
        return sl_vector_apply_second(w, mask, accum, ((GrB_BinaryOp)a->op)->op, u, x, desc);
    case APPLY_INDEX:
        return sl_vector_apply_index(w, mask, accum, ((GrB_IndexUnaryOp)a->op)->op, u, x, desc);
    default:
        return sl_vector_select(w, mask, accum, ((GrB_IndexUnaryOp)a->op)->op, u, x, desc);
    }
}

static sl_status run_matrix(sl_matrix *C, sl_matrix *mask, sl_binary_op accum, const application *a,
                            sl_matrix *A, sl_scalar x, sl_descriptor desc)
{
    switch (a->how) {
    case BIND_FIRST:
        return sl_matrix_apply_first(C, mask, accum, ((GrB_BinaryOp)a->op)->op, x, A, desc);
    case BIND_SECOND:
        return sl_matrix_apply_second(C, mask, accum, ((GrB_BinaryOp)a->op)->op, A, x, desc);
    case APPLY_INDEX:
        return sl_matrix_apply_index(C, mask, accum, ((GrB_IndexUnaryOp)a->op)->op, A, x, desc);
    default:
        return sl_matrix_select(C, mask, accum, ((GrB_IndexUnaryOp)a->op)->op, A, x, desc);
    }
}

static GrB_Info use_vector(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, application a,
                           GrB_Vector u, GrB_Descriptor desc)
{
    domains d;
    sl_scalar value;
    GRB_TRY(domains_of(&d, &a));
    GRB_TRY(grb_check(u, GRB_VECTOR));
    GRB_TRY(grb_check_vector_output(w, mask, accum, a.how == SELECT ? u->type : d.z, desc));
    if (d.x)
        GRB_TRY(grb_check_domain(&w->header, u->type, d.x, "the operand"));
    if (a.how == SELECT)
        GRB_TRY(grb_check_domain(&w->header, d.z, GrB_BOOL, "the result of the operator"));
    GRB_TRY(grb_resolve(&value, &w->header, d.value, &a.value));
    if (a.value.empty)
        return GrB_EMPTY_OBJECT;
    return GRB_RUN(w, run_vector(w->v, grb_vector_of(mask), grb_operator_of(accum), &a, u->v, value,
                                 grb_flags_of(desc)));
}

static GrB_Info use_matrix(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, application a,
                           GrB_Matrix A, GrB_Descriptor desc)
{
    domains d;
    sl_scalar value;
    GRB_TRY(domains_of(&d, &a));
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check_matrix_output(C, mask, accum, a.how == SELECT ? A->type : d.z, desc));
    if (d.x)
        GRB_TRY(grb_check_domain(&C->header, A->type, d.x, "the operand"));
    if (a.how == SELECT)
        GRB_TRY(grb_check_domain(&C->header, d.z, GrB_BOOL, "the result of the operator"));
    GRB_TRY(grb_resolve(&value, &C->header, d.value, &a.value));
    if (a.value.empty)
        return GrB_EMPTY_OBJECT;
    return GRB_RUN(C, run_matrix(C->A, grb_matrix_of(mask), grb_operator_of(accum), &a, A->A, value,
                                 grb_flags_of(desc)));
}

/* ---- for each type ----------------------------------------------------------------------------------- */

/* `before` checks the value and `make` converts it. */
#define FORMS(T, V, before, make)                                                                  \
    GrB_Info GrB_Vector_apply_BinaryOp1st_##T(GrB_Vector w, const GrB_Vector mask,                 \
                                              const GrB_BinaryOp accum, const GrB_BinaryOp op,     \
                                              V x, const GrB_Vector u, const GrB_Descriptor desc)  \
    {                                                                                              \
        before(x);                                                                                 \
        return use_vector(w, mask, accum, (application){BIND_FIRST, op, make(x)}, u, desc);        \
    }                                                                                              \
    GrB_Info GrB_Matrix_apply_BinaryOp1st_##T(GrB_Matrix C, const GrB_Matrix mask,                 \
                                              const GrB_BinaryOp accum, const GrB_BinaryOp op,     \
                                              V x, const GrB_Matrix A, const GrB_Descriptor desc)  \
    {                                                                                              \
        before(x);                                                                                 \
        return use_matrix(C, mask, accum, (application){BIND_FIRST, op, make(x)}, A, desc);        \
    }                                                                                              \
    GrB_Info GrB_Vector_apply_BinaryOp2nd_##T(GrB_Vector w, const GrB_Vector mask,                 \
                                              const GrB_BinaryOp accum, const GrB_BinaryOp op,     \
                                              const GrB_Vector u, V x, const GrB_Descriptor desc)  \
    {                                                                                              \
        before(x);                                                                                 \
        return use_vector(w, mask, accum, (application){BIND_SECOND, op, make(x)}, u, desc);       \
    }                                                                                              \
    GrB_Info GrB_Matrix_apply_BinaryOp2nd_##T(GrB_Matrix C, const GrB_Matrix mask,                 \
                                              const GrB_BinaryOp accum, const GrB_BinaryOp op,     \
                                              const GrB_Matrix A, V x, const GrB_Descriptor desc)  \
    {                                                                                              \
        before(x);                                                                                 \
        return use_matrix(C, mask, accum, (application){BIND_SECOND, op, make(x)}, A, desc);       \
    }                                                                                              \
    INDEX_FORMS(apply_IndexOp_##T, V, APPLY_INDEX, before, make)                                   \
    INDEX_FORMS(select_##T, V, SELECT, before, make)
#define INDEX_FORMS(name, V, how, before, make)                                                    \
    GrB_Info GrB_Vector_##name(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,      \
                               const GrB_IndexUnaryOp op, const GrB_Vector u, V x,                 \
                               const GrB_Descriptor desc)                                          \
    {                                                                                              \
        before(x);                                                                                 \
        return use_vector(w, mask, accum, (application){how, op, make(x)}, u, desc);               \
    }                                                                                              \
    GrB_Info GrB_Matrix_##name(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,      \
                               const GrB_IndexUnaryOp op, const GrB_Matrix A, V x,                 \
                               const GrB_Descriptor desc)                                          \
    {                                                                                              \
        before(x);                                                                                 \
        return use_matrix(C, mask, accum, (application){how, op, make(x)}, A, desc);               \
    }
#define ANY_VALUE(x)
#define CHECKED(x)      GRB_TRY(grb_check(x, GRB_SCALAR))
#define X(T, V, P, ...) FORMS(T, V, ANY_VALUE, grb_value_##T)
SEMLA_GRB_VALUES(X, )
#undef X
FORMS(Scalar, const GrB_Scalar, CHECKED, grb_value_of_scalar)

/* ---- unary operators ---------------------------------------------------------------------------- */

GrB_Info GrB_Vector_apply(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                          const GrB_UnaryOp op, const GrB_Vector u, const GrB_Descriptor desc)
{
    GRB_TRY(grb_check(op, GRB_UNARY_OP));
    if (op->index)
        return use_vector(w, mask, accum,
                          (application){APPLY_INDEX, op->index, grb_value_INT64(op->offset)}, u,
                          desc);
    GRB_TRY(grb_check(u, GRB_VECTOR));
    GRB_TRY(grb_check_vector_output(w, mask, accum, op->z, desc));
    GRB_TRY(grb_check_domain(&w->header, u->type, op->x, "the operand"));
    return GRB_RUN(w, sl_vector_apply(w->v, grb_vector_of(mask), grb_operator_of(accum), op->op,
                                      u->v, grb_flags_of(desc)));
}

GrB_Info GrB_Matrix_apply(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
                          const GrB_UnaryOp op, const GrB_Matrix A, const GrB_Descriptor desc)
{
    GRB_TRY(grb_check(op, GRB_UNARY_OP));
    if (op->index)
        return use_matrix(C, mask, accum,
                          (application){APPLY_INDEX, op->index, grb_value_INT64(op->offset)}, A,
                          desc);
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check_matrix_output(C, mask, accum, op->z, desc));
    GRB_TRY(grb_check_domain(&C->header, A->type, op->x, "the operand"));
    return GRB_RUN(C, sl_matrix_apply(C->A, grb_matrix_of(mask), grb_operator_of(accum), op->op,
                                      A->A, grb_flags_of(desc)));
}
