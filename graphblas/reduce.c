/* Reductions of a matrix to a vector, and of a vector or matrix to a value or a scalar. */
#include "graphblas/api_object.h"
#include "graphblas/predefined.h"

#include <string.h>

/* ---- monoids ------------------------------------------------------------------------------------ */

/* The monoid of a reduction, and the type of its values. */
typedef struct {
    sl_monoid monoid;
    GrB_Type type;
} sum;

static GrB_Info sum_of_monoid(sum *found, grb_header *output, GrB_Monoid op)
{
    (void)output;
    GRB_TRY(grb_check(op, GRB_MONOID));
    *found = (sum){op->monoid, op->op->z};
    return GrB_SUCCESS;
}

/* A binary operator stands for its predefined monoid. */
static GrB_Info sum_of_operator(sum *found, grb_header *output, GrB_BinaryOp op)
{
    GRB_TRY(grb_check(op, GRB_BINARY_OP));
    if (op->x != op->z || op->y != op->z)
        return grb_fail(output, GrB_DOMAIN_MISMATCH,
                        "reduce: the operator does not stay within one type");
    *found = (sum){grb_monoid_of(op), op->z};
    if (found->monoid)
        return GrB_SUCCESS;
    return grb_fail(output, GrB_NOT_IMPLEMENTED,
                    "reduce: the operator has no predefined monoid; pass a monoid");
}

/* ---- to a vector -------------------------------------------------------------------------------- */

static GrB_Info reduce_rows(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, const sum *op,
                            GrB_Matrix A, GrB_Descriptor desc)
{
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check_vector_output(w, mask, accum, op->type, desc));
    GRB_TRY(grb_check_domain(&w->header, A->type, op->type, "an entry"));
    return GRB_RUN(w, sl_matrix_reduce_rows(w->v, grb_vector_of(mask), grb_operator_of(accum),
                                            op->monoid, A->A, grb_flags_of(desc)));
}

#define REDUCE_ROWS(KIND, sum_of)                                                                  \
    GrB_Info GrB_Matrix_reduce_##KIND(GrB_Vector w, const GrB_Vector mask,                         \
                                      const GrB_BinaryOp accum, const GrB_##KIND op,               \
                                      const GrB_Matrix A, const GrB_Descriptor desc)               \
    {                                                                                              \
        sum found;                                                                                 \
        GRB_TRY(grb_check(w, GRB_VECTOR));                                                         \
        GRB_TRY(sum_of(&found, &w->header, op));                                                   \
        return reduce_rows(w, mask, accum, &found, A, desc);                                       \
    }
REDUCE_ROWS(Monoid, sum_of_monoid)
REDUCE_ROWS(BinaryOp, sum_of_operator)

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

/* The sum, accumulated with a value of `type` (NULL: the monoid's user-defined type), which it replaces. A value of a
 * user-defined type has the address of room for the result. */
static GrB_Info reduce_to(sl_scalar *value, GrB_Type type, GrB_BinaryOp accum, const sum *op,
                          const operand *u)
{
    GRB_TRY(grb_check_optional(accum, GRB_BINARY_OP));
    GrB_Type output = type ? type : op->type;
    if (!type && !op->type->user)
        return grb_fail(u->header, GrB_DOMAIN_MISMATCH,
                        "reduce: %s cannot be cast to a user-defined type",
                        grb_type_text(op->type));
    GRB_TRY(grb_check_domain(u->header, u->type, op->type, "reduce: an entry"));
    GRB_TRY(grb_check_domain(u->header, accum ? accum->z : op->type, output, "reduce: the result"));
    if (accum) {
        GRB_TRY(grb_check_domain(u->header, output, accum->x,
                                 "reduce: the first operand of the accumulator"));
        GRB_TRY(grb_check_domain(u->header, op->type, accum->y,
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
    sum found;
    if (!x)
        return GrB_NULL_POINTER;
    GRB_TRY(sum_of_monoid(&found, u->header, op));
    const GrB_Type output = type ? type : found.type;
    sl_scalar value = accum ? sl_scalar_load(output->code, x) : grb_room(output, x);
    GRB_TRY(reduce_to(&value, type, accum, &found, u));
    if (!output->user)
        memcpy(x, &value.as, output->size);
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
static GrB_Info reduce_to_scalar(GrB_Scalar s, GrB_BinaryOp accum, const sum *op, const operand *u)
{
    uint64_t nvals = 0;
    GRB_TRY(grb_check_optional(accum, GRB_BINARY_OP));
    GRB_TRY(count_entries(&nvals, u));
    void *room = s->type->user ? sl_malloc(s->type->size) : NULL;
    if (s->type->user && !room)
        return GrB_OUT_OF_MEMORY;
    if (room)
        memcpy(room, s->bytes, s->type->size);
    grb_value total = {.type = s->type,
                       .scalar = room ? sl_scalar_other(s->type->code, room) : s->value};
    GrB_Info info = reduce_to(&total.scalar, s->type, s->present ? accum : NULL, op, u);
    if (info == GrB_SUCCESS && nvals > 0)
        info = grb_scalar_set(s, &total);
    else if (info == GrB_SUCCESS && !accum)
        s->present = false;
    sl_free(room);
    return info;
}

#define TO_SCALAR(OBJECT, object, KIND, sum_of)                                                    \
    GrB_Info GrB_##OBJECT##_reduce_##KIND##_Scalar(GrB_Scalar s, const GrB_BinaryOp accum,         \
                                                   const GrB_##KIND op, const GrB_##OBJECT u,      \
                                                   const GrB_Descriptor desc)                      \
    {                                                                                              \
        operand from;                                                                              \
        sum found;                                                                                 \
        GRB_TRY(grb_check(s, GRB_SCALAR));                                                         \
        GRB_TRY(grb_check_optional(desc, GRB_DESCRIPTOR));                                         \
        GRB_TRY(operand_of_##object(&from, u));                                                    \
        GRB_TRY(sum_of(&found, &s->header, op));                                                   \
        return reduce_to_scalar(s, accum, &found, &from);                                          \
    }
TO_SCALAR(Vector, vector, Monoid, sum_of_monoid)
TO_SCALAR(Vector, vector, BinaryOp, sum_of_operator)
TO_SCALAR(Matrix, matrix, Monoid, sum_of_monoid)
TO_SCALAR(Matrix, matrix, BinaryOp, sum_of_operator)

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
