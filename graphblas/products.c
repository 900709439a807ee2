/* Products over a semiring, elementwise operations, Kronecker product, transpose. */
#include "graphblas/indexed.h"

/* The type of each operand that the operator reads must be cast to the operator's type of that operand. */
static GrB_Info check_operands(grb_header *output, GrB_BinaryOp op, GrB_Type first, GrB_Type second)
{
    GrB_Type x = op->op->reads_x ? op->x : NULL, y = op->op->reads_y ? op->y : NULL;
    GRB_TRY(grb_check_domain(output, first, x, "the first operand"));
    return grb_check_domain(output, second, y, "the second operand");
}

GrB_Info GrB_mxm(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
                 const GrB_Semiring op, const GrB_Matrix A, const GrB_Matrix B,
                 const GrB_Descriptor desc)
{
    GRB_TRY(grb_check(op, GRB_SEMIRING));
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check(B, GRB_MATRIX));
    GRB_TRY(grb_check_matrix_output(C, mask, accum, op->add->op->z, desc));
    GRB_TRY(check_operands(&C->header, op->multiply, A->type, B->type));
    GRB_RUN_OPERANDS(C, op->multiply, A, B, grb_turns_of(desc),
                     sl_mxm(C->A, grb_matrix_of(mask), grb_operator_of(accum), op->semiring, a.A,
                            b.A, grb_flags_of(desc)));
}

GrB_Info GrB_vxm(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                 const GrB_Semiring op, const GrB_Vector u, const GrB_Matrix A,
                 const GrB_Descriptor desc)
{
    GRB_TRY(grb_check(op, GRB_SEMIRING));
    GRB_TRY(grb_check(u, GRB_VECTOR));
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check_vector_output(w, mask, accum, op->add->op->z, desc));
    GRB_TRY(check_operands(&w->header, op->multiply, u->type, A->type));
    GRB_RUN_OPERANDS(w, op->multiply, u, A, grb_turns_of(desc) | SL_TRANSPOSE_A,
                     sl_vxm(w->v, grb_vector_of(mask), grb_operator_of(accum), op->semiring, a.v,
                            b.A, grb_flags_of(desc)));
}

GrB_Info GrB_mxv(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                 const GrB_Semiring op, const GrB_Matrix A, const GrB_Vector u,
                 const GrB_Descriptor desc)
{
    GRB_TRY(grb_check(op, GRB_SEMIRING));
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check(u, GRB_VECTOR));
    GRB_TRY(grb_check_vector_output(w, mask, accum, op->add->op->z, desc));
    GRB_TRY(check_operands(&w->header, op->multiply, A->type, u->type));
    GRB_RUN_OPERANDS(w, op->multiply, A, u, grb_turns_of(desc) & SL_TRANSPOSE_A,
                     sl_mxv(w->v, grb_vector_of(mask), grb_operator_of(accum), op->semiring, a.A,
                            b.v, grb_flags_of(desc)));
}

/* ---- elementwise ------------------------------------------------------------------------------ */

/* An entry that only one operand has is cast to the type of the operator's result. */
static GrB_Info check_union(grb_header *output, GrB_BinaryOp op, GrB_Type first, GrB_Type second)
{
    GRB_TRY(check_operands(output, op, first, second));
    GRB_TRY(grb_check_domain(output, first, op->z, "an entry of the first operand alone"));
    return grb_check_domain(output, second, op->z, "an entry of the second operand alone");
}

static GrB_Info add_vectors(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op,
                            GrB_Vector u, GrB_Vector v, GrB_Descriptor desc)
{
    GRB_TRY(grb_check(u, GRB_VECTOR));
    GRB_TRY(grb_check(v, GRB_VECTOR));
    GRB_TRY(grb_check_vector_output(w, mask, accum, op->z, desc));
    GRB_TRY(check_union(&w->header, op, u->type, v->type));
    if (op->indexed)
        return GRB_RUN(w, grb_indexed_add(w, mask, grb_operator_of(accum), op, u, v, desc));
    return GRB_RUN(w, sl_vector_ewise_add(w->v, grb_vector_of(mask), grb_operator_of(accum), op->op,
                                          u->v, v->v, grb_flags_of(desc)));
}

static GrB_Info add_matrices(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op,
                             GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc)
{
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check(B, GRB_MATRIX));
    GRB_TRY(grb_check_matrix_output(C, mask, accum, op->z, desc));
    GRB_TRY(check_union(&C->header, op, A->type, B->type));
    if (op->indexed)
        return GRB_RUN(C, grb_indexed_add(C, mask, grb_operator_of(accum), op, A, B, desc));
    return GRB_RUN(C, sl_matrix_ewise_add(C->A, grb_matrix_of(mask), grb_operator_of(accum), op->op,
                                          A->A, B->A, grb_flags_of(desc)));
}

static GrB_Info multiply_vectors(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, GrB_BinaryOp op,
                                 GrB_Vector u, GrB_Vector v, GrB_Descriptor desc)
{
    GRB_TRY(grb_check(u, GRB_VECTOR));
    GRB_TRY(grb_check(v, GRB_VECTOR));
    GRB_TRY(grb_check_vector_output(w, mask, accum, op->z, desc));
    GRB_TRY(check_operands(&w->header, op, u->type, v->type));
    GRB_RUN_OPERANDS(w, op, u, v, 0,
                     sl_vector_ewise_mult(w->v, grb_vector_of(mask), grb_operator_of(accum), op->op,
                                          a.v, b.v, grb_flags_of(desc)));
}

static GrB_Info multiply_matrices(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum,
                                  GrB_BinaryOp op, GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc)
{
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check(B, GRB_MATRIX));
    GRB_TRY(grb_check_matrix_output(C, mask, accum, op->z, desc));
    GRB_TRY(check_operands(&C->header, op, A->type, B->type));
    GRB_RUN_OPERANDS(C, op, A, B, grb_turns_of(desc),
                     sl_matrix_ewise_mult(C->A, grb_matrix_of(mask), grb_operator_of(accum), op->op,
                                          a.A, b.A, grb_flags_of(desc)));
}

static GrB_Info kronecker(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, GrB_BinaryOp op,
                          GrB_Matrix A, GrB_Matrix B, GrB_Descriptor desc)
{
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check(B, GRB_MATRIX));
    GRB_TRY(grb_check_matrix_output(C, mask, accum, op->z, desc));
    GRB_TRY(check_operands(&C->header, op, A->type, B->type));
    GRB_RUN_OPERANDS(C, op, A, B, grb_turns_of(desc),
                     sl_kronecker(C->A, grb_matrix_of(mask), grb_operator_of(accum), op->op, a.A,
                                  b.A, grb_flags_of(desc)));
}

/* The operator of a monoid or semiring: a semiring adds with its monoid, and multiplies otherwise. */
#define ADD_BinaryOp(op)      (op)
#define ADD_Monoid(op)        (op)->op
#define ADD_Semiring(op)      (op)->add->op
#define MULTIPLY_BinaryOp(op) (op)
#define MULTIPLY_Monoid(op)   (op)->op
#define MULTIPLY_Semiring(op) (op)->multiply

#define ELEMENTWISE(KIND, kind)                                                                    \
    GrB_Info GrB_Vector_eWiseAdd_##KIND(                                                           \
        GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_##KIND op,        \
        const GrB_Vector u, const GrB_Vector v, const GrB_Descriptor desc)                         \
    {                                                                                              \
        GRB_TRY(grb_check(op, kind));                                                              \
        return add_vectors(w, mask, accum, ADD_##KIND(op), u, v, desc);                            \
    }                                                                                              \
    GrB_Info GrB_Matrix_eWiseAdd_##KIND(                                                           \
        GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_##KIND op,        \
        const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc)                         \
    {                                                                                              \
        GRB_TRY(grb_check(op, kind));                                                              \
        return add_matrices(C, mask, accum, ADD_##KIND(op), A, B, desc);                           \
    }                                                                                              \
    GrB_Info GrB_Vector_eWiseMult_##KIND(                                                          \
        GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum, const GrB_##KIND op,        \
        const GrB_Vector u, const GrB_Vector v, const GrB_Descriptor desc)                         \
    {                                                                                              \
        GRB_TRY(grb_check(op, kind));                                                              \
        return multiply_vectors(w, mask, accum, MULTIPLY_##KIND(op), u, v, desc);                  \
    }                                                                                              \
    GrB_Info GrB_Matrix_eWiseMult_##KIND(                                                          \
        GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_##KIND op,        \
        const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc)                         \
    {                                                                                              \
        GRB_TRY(grb_check(op, kind));                                                              \
        return multiply_matrices(C, mask, accum, MULTIPLY_##KIND(op), A, B, desc);                 \
    }                                                                                              \
    GrB_Info GrB_Matrix_kronecker_##KIND(                                                          \
        GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum, const GrB_##KIND op,        \
        const GrB_Matrix A, const GrB_Matrix B, const GrB_Descriptor desc)                         \
    {                                                                                              \
        GRB_TRY(grb_check(op, kind));                                                              \
        return kronecker(C, mask, accum, MULTIPLY_##KIND(op), A, B, desc);                         \
    }
ELEMENTWISE(BinaryOp, GRB_BINARY_OP)
ELEMENTWISE(Monoid, GRB_MONOID)
ELEMENTWISE(Semiring, GRB_SEMIRING)

GrB_Info GrB_transpose(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
                       const GrB_Matrix A, const GrB_Descriptor desc)
{
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check_matrix_output(C, mask, accum, A->type, desc));
    return GRB_RUN(C, sl_transpose(C->A, grb_matrix_of(mask), grb_operator_of(accum), A->A,
                                   grb_flags_of(desc)));
}
