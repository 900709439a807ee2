/* Reductions of a matrix to a vector, and of a vector or matrix to a value or a scalar. */
#include "object.h"
#include "predefined.h"

#include <string.h>

/* ---- to a vector -------------------------------------------------------------------------------- */

GrB_Info GrB_Matrix_reduce_Monoid(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                  const GrB_Monoid op, const GrB_Matrix A,
                                  const GrB_Descriptor desc)
{
    GRB_TRY(grb_check(op, GRB_MONOID));
    GRB_TRY(grb_check_vector_output(w, mask, accum, op->op->z, desc));
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check_domain(&w->header, A->type, op->op->z, "an entry"));
    return GRB_RUN(w, sl_matrix_reduce_rows(w->v, grb_vector_of(mask), grb_operator_of(accum),
                                            op->monoid, A->A, grb_flags_of(desc)));
}

/* A binary operator stands for its predefined monoid. */
static GrB_Info monoid_of(GrB_Monoid *monoid, grb_header *output, GrB_BinaryOp op)
{
    GRB_TRY(grb_check(op, GRB_BINARY_OP));
    *monoid = grb_monoid_of(op);
    if (*monoid)
        return GrB_SUCCESS;
    return grb_fail(output, GrB_NOT_IMPLEMENTED,
                    "reduce: the operator has no predefined monoid; pass a monoid");
}

GrB_Info GrB_Matrix_reduce_BinaryOp(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                    const GrB_BinaryOp op, const GrB_Matrix A,
                                    const GrB_Descriptor desc)
{
    GrB_Monoid monoid;
    GRB_INITIALISED();
    GRB_TRY(grb_check(w, GRB_VECTOR));
    GRB_TRY(monoid_of(&monoid, &w->header, op));
    return GrB_Matrix_reduce_Monoid(w, mask, accum, monoid, A, desc);
}

/* ---- to a value --------------------------------------------------------------------------------- */

/* A vector or a matrix. */
typedef struct {
    grb_header *header;
    GrB_Type type;
    sl_vector *v; /* or */
    sl_matrix *A;
} operand;

static GrB_Info operand_of_vector(operand *u, GrB_Vector v)
{
    GRB_TRY(grb_check(v, GRB_VECTOR));
    *u = (operand){.header = &v->header, .type = v->type, .v = v->v};
    return GrB_SUCCESS;
}

static GrB_Info operand_of_matrix(operand *u, GrB_Matrix A)
{
    GRB_TRY(grb_check(A, GRB_MATRIX));
    *u = (operand){.header = &A->header, .type = A->type, .A = A->A};
    return GrB_SUCCESS;
}

static sl_status run_reduce(sl_scalar *value, sl_binary_op accum, sl_monoid monoid,
                            const operand *u)
{
    return u->v ? sl_vector_reduce(value, accum, monoid, u->v)
                : sl_matrix_reduce(value, accum, monoid, u->A);
}

/* The sum, accumulated with a value of `type` (NULL: the monoid's user-defined type), which it replaces. */
static GrB_Info reduce_to(sl_scalar *value, GrB_Type type, GrB_BinaryOp accum, GrB_Monoid op,
                          const operand *u)
{
    GRB_TRY(grb_check_optional(accum, GRB_BINARY_OP));
    GRB_TRY(grb_check(op, GRB_MONOID));
    GrB_Type sum = op->op->z, output = type ? type : sum;
    if (!type && !sum->user)
        return grb_fail(u->header, GrB_DOMAIN_MISMATCH,
                        "reduce: %s cannot be cast to a user-defined type", grb_type_text(sum));
    GRB_TRY(grb_check_domain(u->header, u->type, sum, "reduce: an entry"));
    GRB_TRY(grb_check_domain(u->header, accum ? accum->z : sum, output, "reduce: the result"));
    if (accum) {
        GRB_TRY(grb_check_domain(u->header, output, accum->x,
                                 "reduce: the first operand of the accumulator"));
        GRB_TRY(grb_check_domain(u->header, sum, accum->y,
                                 "reduce: the second operand of the accumulator"));
    }
    grb_lock();
    GRB_TRY(grb_finish(u->header, run_reduce(value, grb_operator_of(accum), op->monoid, u)));
    *value = sl_scalar_cast(*value, output->code);
    return GrB_SUCCESS;
}

static GrB_Info reduce_to_value(void *x, GrB_Type type, GrB_BinaryOp accum, GrB_Monoid op,
                                const operand *u)
{
    if (!x)
        return GrB_NULL_POINTER;
    GRB_TRY(grb_check(op, GRB_MONOID));
    const sl_type code = type ? type->code : op->op->z->code;
    sl_scalar value = accum ? sl_scalar_load(code, x) : sl_scalar_bool(false);
    GRB_TRY(reduce_to(&value, type, accum, op, u));
    memcpy(x, &value.as, sl_type_size(code));
    return GrB_SUCCESS;
}

/* ---- to a scalar ------------------------------------------------------------------------------------ */

static GrB_Info count_entries(uint64_t *nvals, const operand *u)
{
    grb_lock();
    return grb_finish(u->header,
                      u->v ? sl_vector_nvals(nvals, u->v) : sl_matrix_nvals(nvals, u->A));
}

/* Without entries there is no sum: the scalar becomes empty, or keeps its value if there is an accumulator. A scalar
 * that is empty gets the sum as it is. */
static GrB_Info reduce_to_scalar(GrB_Scalar s, GrB_BinaryOp accum, GrB_Monoid op, const operand *u)
{
    uint64_t nvals = 0;
    GRB_TRY(grb_check_optional(accum, GRB_BINARY_OP));
    GRB_TRY(count_entries(&nvals, u));
    sl_scalar value = s->present ? s->value : sl_scalar_cast(sl_scalar_bool(false), s->type->code);
    GRB_TRY(reduce_to(&value, s->type, s->present ? accum : NULL, op, u));
    if (nvals > 0) {
        s->value = value;
        s->present = true;
    } else if (!accum) {
        s->present = false;
    }
    return GrB_SUCCESS;
}

#define TO_SCALAR(OBJECT, object)                                                                  \
    GrB_Info GrB_##OBJECT##_reduce_Monoid_Scalar(GrB_Scalar s, const GrB_BinaryOp accum,           \
                                                 const GrB_Monoid op, const GrB_##OBJECT u,        \
                                                 const GrB_Descriptor desc)                        \
    {                                                                                              \
        operand from;                                                                              \
        GRB_INITIALISED();                                                                         \
        GRB_TRY(grb_check(s, GRB_SCALAR));                                                         \
        GRB_TRY(grb_check_optional(desc, GRB_DESCRIPTOR));                                         \
        GRB_TRY(operand_of_##object(&from, u));                                                    \
        return reduce_to_scalar(s, accum, op, &from);                                              \
    }                                                                                              \
    GrB_Info GrB_##OBJECT##_reduce_BinaryOp_Scalar(GrB_Scalar s, const GrB_BinaryOp accum,         \
                                                   const GrB_BinaryOp op, const GrB_##OBJECT u,    \
                                                   const GrB_Descriptor desc)                      \
    {                                                                                              \
        GrB_Monoid monoid;                                                                         \
        GRB_INITIALISED();                                                                         \
        GRB_TRY(grb_check(s, GRB_SCALAR));                                                         \
        GRB_TRY(monoid_of(&monoid, &s->header, op));                                               \
        return GrB_##OBJECT##_reduce_Monoid_Scalar(s, accum, monoid, u, desc);                     \
    }
TO_SCALAR(Vector, vector)
TO_SCALAR(Matrix, matrix)

#define TO_VALUE(T, V, P, OBJECT, object)                                                          \
    GrB_Info GrB_##OBJECT##_reduce_##T(P *x, const GrB_BinaryOp accum, const GrB_Monoid op,        \
                                       const GrB_##OBJECT u, const GrB_Descriptor desc)            \
    {                                                                                              \
        operand from;                                                                              \
        GRB_INITIALISED();                                                                         \
        GRB_TRY(grb_check_optional(desc, GRB_DESCRIPTOR));                                         \
        GRB_TRY(operand_of_##object(&from, u));                                                    \
        return reduce_to_value(x, GRB_TYPE_##T, accum, op, &from);                                 \
    }
SEMLA_GRB_VALUES(TO_VALUE, Vector, vector)
SEMLA_GRB_VALUES(TO_VALUE, Matrix, matrix)
