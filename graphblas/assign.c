/* assign and extract. */
#include "graphblas/buffer.h"

/* ---- extract ------------------------------------------------------------------------------------ */

GrB_Info GrB_Vector_extract(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                            const GrB_Vector u, const GrB_Index *I_, GrB_Index ni,
                            const GrB_Descriptor desc)
{
    grb_list list;
    GRB_TRY(grb_check(u, GRB_VECTOR));
    GRB_TRY(grb_check_vector_output(w, mask, accum, u->type, desc));
    GRB_TRY(grb_check_list(&list, &w->header, I_, ni));
    return GRB_RUN(w, sl_vector_extract(w->v, grb_vector_of(mask), grb_operator_of(accum), u->v,
                                        list.indices, list.length, grb_flags_of(desc)));
}

GrB_Info GrB_Matrix_extract(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
                            const GrB_Matrix A, const GrB_Index *I_, GrB_Index ni,
                            const GrB_Index *J_, GrB_Index nj, const GrB_Descriptor desc)
{
    grb_list rows, cols;
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check_matrix_output(C, mask, accum, A->type, desc));
    GRB_TRY(grb_check_list(&rows, &C->header, I_, ni));
    GRB_TRY(grb_check_list(&cols, &C->header, J_, nj));
    return GRB_RUN(C, sl_matrix_extract(C->A, grb_matrix_of(mask), grb_operator_of(accum), A->A,
                                        rows.indices, rows.length, cols.indices, cols.length,
                                        grb_flags_of(desc)));
}

/* Fails if a row or column is not one of `size`. */
static GrB_Info check_line(grb_header *output, GrB_Index line, uint64_t size)
{
    if (line < size)
        return GrB_SUCCESS;
    return grb_fail(output, GrB_INVALID_INDEX, "index %llu is out of range: there are %llu",
                    (unsigned long long)line, (unsigned long long)size);
}

GrB_Info GrB_Col_extract(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                         const GrB_Matrix A, const GrB_Index *I_, GrB_Index ni, GrB_Index j,
                         const GrB_Descriptor desc)
{
    grb_list list;
    if (grb_global.copies && !mask && !accum && I_ == GrB_ALL &&
        grb_check(desc, GRB_DESCRIPTOR) == GrB_SUCCESS &&
        (desc->flags & (SL_TRANSPOSE_A | SL_COMPLEMENT)) == SL_TRANSPOSE_A) {
        bool done;
        GrB_Info info = grb_buffer_row(&done, w, A, j);
        if (done || info != GrB_SUCCESS)
            return info;
    }
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check_vector_output(w, mask, accum, A->type, desc));
    GRB_TRY(grb_check_list(&list, &w->header, I_, ni));
    const bool transposed = desc && desc->flags & SL_TRANSPOSE_A;
    GRB_TRY(check_line(&w->header, j, transposed ? sl_matrix_nrows(A->A) : sl_matrix_ncols(A->A)));
    return GRB_RUN(w,
                   sl_matrix_extract_column(w->v, grb_vector_of(mask), grb_operator_of(accum), A->A,
                                            list.indices, list.length, j, grb_flags_of(desc)));
}

/* ---- assign an object ------------------------------------------------------------------------------ */

GrB_Info GrB_Vector_assign(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                           const GrB_Vector u, const GrB_Index *I_, GrB_Index ni,
                           const GrB_Descriptor desc)
{
    grb_list list;
    GRB_TRY(grb_check(u, GRB_VECTOR));
    GRB_TRY(grb_check_vector_output(w, mask, accum, u->type, desc));
    GRB_TRY(grb_check_list(&list, &w->header, I_, ni));
    return GRB_RUN(w, sl_vector_assign(w->v, grb_vector_of(mask), grb_operator_of(accum), u->v,
                                       list.indices, list.length, grb_flags_of(desc)));
}

GrB_Info GrB_Matrix_assign(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
                           const GrB_Matrix A, const GrB_Index *I_, GrB_Index ni,
                           const GrB_Index *J_, GrB_Index nj, const GrB_Descriptor desc)
{
    grb_list rows, cols;
    GRB_TRY(grb_check(A, GRB_MATRIX));
    GRB_TRY(grb_check_matrix_output(C, mask, accum, A->type, desc));
    GRB_TRY(grb_check_list(&rows, &C->header, I_, ni));
    GRB_TRY(grb_check_list(&cols, &C->header, J_, nj));
    return GRB_RUN(C, sl_matrix_assign(C->A, grb_matrix_of(mask), grb_operator_of(accum), A->A,
                                       rows.indices, rows.length, cols.indices, cols.length,
                                       grb_flags_of(desc)));
}

GrB_Info GrB_Col_assign(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum,
                        const GrB_Vector u, const GrB_Index *I_, GrB_Index ni, GrB_Index j,
                        const GrB_Descriptor desc)
{
    grb_list list;
    GRB_TRY(grb_check(u, GRB_VECTOR));
    GRB_TRY(grb_check_line_output(C, mask, accum, u->type, desc));
    GRB_TRY(grb_check_list(&list, &C->header, I_, ni));
    GRB_TRY(check_line(&C->header, j, sl_matrix_ncols(C->A)));
    return GRB_RUN(C,
                   sl_matrix_assign_column(C->A, grb_vector_of(mask), grb_operator_of(accum), u->v,
                                           list.indices, list.length, j, grb_flags_of(desc)));
}

GrB_Info GrB_Row_assign(GrB_Matrix C, const GrB_Vector mask, const GrB_BinaryOp accum,
                        const GrB_Vector u, GrB_Index i, const GrB_Index *J_, GrB_Index nj,
                        const GrB_Descriptor desc)
{
    grb_list list;
    GRB_TRY(grb_check(u, GRB_VECTOR));
    GRB_TRY(grb_check_line_output(C, mask, accum, u->type, desc));
    GRB_TRY(grb_check_list(&list, &C->header, J_, nj));
    GRB_TRY(check_line(&C->header, i, sl_matrix_nrows(C->A)));
    return GRB_RUN(C, sl_matrix_assign_row(C->A, grb_vector_of(mask), grb_operator_of(accum), u->v,
                                           i, list.indices, list.length, grb_flags_of(desc)));
}

/* ---- assign a value ---------------------------------------------------------------------------------- */

static GrB_Info assign_vector(GrB_Vector w, GrB_Vector mask, GrB_BinaryOp accum, grb_value x,
                              const GrB_Index *I_, GrB_Index ni, GrB_Descriptor desc)
{
    grb_list list;
    sl_scalar value;
    GRB_INITIALISED();
    GRB_TRY(grb_check(w, GRB_VECTOR));
    GrB_Type type = x.type                                          ? x.type
                    : accum && accum->header.magic == GRB_BINARY_OP ? accum->y
                                                                    : w->type;
    GRB_TRY(grb_check_vector_output(w, mask, accum, type, desc));
    GRB_TRY(grb_resolve(&value, &w->header, type, &x));
    GRB_TRY(grb_check_list(&list, &w->header, I_, ni));
    return GRB_RUN(w,
                   sl_vector_assign_scalar(w->v, grb_vector_of(mask), grb_operator_of(accum), value,
                                           list.indices, list.length, grb_flags_of(desc)));
}

/* The rows and columns of a part of a matrix, as the program lists them. */
typedef struct {
    const GrB_Index *rows;
    GrB_Index nrows;
    const GrB_Index *cols;
    GrB_Index ncols;
} submatrix;

static GrB_Info assign_matrix(GrB_Matrix C, GrB_Matrix mask, GrB_BinaryOp accum, grb_value x,
                              submatrix part, GrB_Descriptor desc)
{
    grb_list rows, cols;
    sl_scalar value;
    GRB_INITIALISED();
    GRB_TRY(grb_check(C, GRB_MATRIX));
    GrB_Type type = x.type                                          ? x.type
                    : accum && accum->header.magic == GRB_BINARY_OP ? accum->y
                                                                    : C->type;
    GRB_TRY(grb_check_matrix_output(C, mask, accum, type, desc));
    GRB_TRY(grb_resolve(&value, &C->header, type, &x));
    GRB_TRY(grb_check_list(&rows, &C->header, part.rows, part.nrows));
    GRB_TRY(grb_check_list(&cols, &C->header, part.cols, part.ncols));
    return GRB_RUN(C, sl_matrix_assign_scalar(C->A, grb_matrix_of(mask), grb_operator_of(accum),
                                              value, rows.indices, rows.length, cols.indices,
                                              cols.length, grb_flags_of(desc)));
}

#define X(T, V, P, ...)                                                                            \
    GrB_Info GrB_Vector_assign_##T(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,  \
                                   V x, const GrB_Index *I_, GrB_Index ni,                         \
                                   const GrB_Descriptor desc)                                      \
    {                                                                                              \
        return assign_vector(w, mask, accum, grb_value_##T(x), I_, ni, desc);                      \
    }                                                                                              \
    GrB_Info GrB_Matrix_assign_##T(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,  \
                                   V x, const GrB_Index *I_, GrB_Index ni, const GrB_Index *J_,    \
                                   GrB_Index nj, const GrB_Descriptor desc)                        \
    {                                                                                              \
        return assign_matrix(C, mask, accum, grb_value_##T(x), (submatrix){I_, ni, J_, nj}, desc); \
    }
SEMLA_GRB_VALUES(X, )
#undef X

/* ---- assign a scalar: an empty one is an object without entries ------------------------------------------ */

static sl_status assign_nothing_to_vector(GrB_Vector w, sl_vector *mask, sl_binary_op accum,
                                          sl_type type, const grb_list *list, sl_descriptor desc)
{
    sl_vector *nothing = NULL;
    sl_status status =
        sl_vector_new(&nothing, grb_global.ctx, type, grb_list_count(list, sl_vector_size(w->v)));
    if (status == SL_OK)
        status = sl_vector_assign(w->v, mask, accum, nothing, list->indices, list->length, desc);
    sl_vector_free(nothing);
    return status;
}

static sl_status assign_nothing_to_matrix(GrB_Matrix C, sl_matrix *mask, sl_binary_op accum,
                                          sl_type type, const grb_list *rows, const grb_list *cols,
                                          sl_descriptor desc)
{
    sl_matrix *nothing = NULL;
    sl_status status =
        sl_matrix_new(&nothing, grb_global.ctx, type, grb_list_count(rows, sl_matrix_nrows(C->A)),
                      grb_list_count(cols, sl_matrix_ncols(C->A)));
    if (status == SL_OK)
        status = sl_matrix_assign(
            C->A, mask, accum, nothing, rows->indices, rows->length, cols->indices, cols->length,
            sl_descriptor_get(sl_descriptor_flags(desc) & ~(unsigned)SL_TRANSPOSE_A));
    sl_matrix_free(nothing);
    return status;
}

GrB_Info GrB_Vector_assign_Scalar(GrB_Vector w, const GrB_Vector mask, const GrB_BinaryOp accum,
                                  const GrB_Scalar x, const GrB_Index *I_, GrB_Index ni,
                                  const GrB_Descriptor desc)
{
    grb_list list;
    GRB_TRY(grb_check(x, GRB_SCALAR));
    if (x->present)
        return assign_vector(w, mask, accum, grb_value_of_scalar(x), I_, ni, desc);
    GRB_TRY(grb_check_vector_output(w, mask, accum, x->type, desc));
    GRB_TRY(grb_check_list(&list, &w->header, I_, ni));
    return GRB_RUN(w, assign_nothing_to_vector(w, grb_vector_of(mask), grb_operator_of(accum),
                                               x->type->code, &list, grb_flags_of(desc)));
}

GrB_Info GrB_Matrix_assign_Scalar(GrB_Matrix C, const GrB_Matrix mask, const GrB_BinaryOp accum,
                                  const GrB_Scalar x, const GrB_Index *I_, GrB_Index ni,
                                  const GrB_Index *J_, GrB_Index nj, const GrB_Descriptor desc)
{
    grb_list rows, cols;
    GRB_TRY(grb_check(x, GRB_SCALAR));
    if (x->present)
        return assign_matrix(C, mask, accum, grb_value_of_scalar(x), (submatrix){I_, ni, J_, nj},
                             desc);
    GRB_TRY(grb_check_matrix_output(C, mask, accum, x->type, desc));
    GRB_TRY(grb_check_list(&rows, &C->header, I_, ni));
    GRB_TRY(grb_check_list(&cols, &C->header, J_, nj));
    return GRB_RUN(C, assign_nothing_to_matrix(C, grb_matrix_of(mask), grb_operator_of(accum),
                                               x->type->code, &rows, &cols, grb_flags_of(desc)));
}
