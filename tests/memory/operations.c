/* Scenarios of <semla/operations.h>. */
#include "scenarios.h"

static const uint64_t some[] = {1, 4, 2, 7, 0, 5, 3, 6};

static sl_descriptor replace(void)
{
    return sl_descriptor_get(SL_REPLACE);
}

CALL(vxm, sl_vxm(in->w, in->mask, SL_PLUS_FP64, SL_PLUS_TIMES_FP64, in->u, in->A, replace()))
CALL(mxv, sl_mxv(in->w, in->mask, SL_PLUS_FP64, SL_MIN_PLUS_FP64, in->A, in->u, NULL))
CALL(mxm, sl_mxm(in->C, in->G, SL_PLUS_FP64, SL_PLUS_TIMES_FP64, in->A, in->A, replace()))
CALL(vector_ewise_add,
     sl_vector_ewise_add(in->w, in->mask, SL_PLUS_FP64, SL_GT_INT8, in->u, in->w, NULL))
CALL(matrix_ewise_add, sl_matrix_ewise_add(in->C, in->G, SL_PLUS_FP64, SL_GT_INT8, in->A, in->C,
                                           sl_descriptor_get(SL_TRANSPOSE_A)))
CALL(vector_ewise_mult,
     sl_vector_ewise_mult(in->w, in->mask, SL_PLUS_FP64, SL_TIMES_INT32, in->u, in->w, NULL))
CALL(matrix_ewise_mult,
     sl_matrix_ewise_mult(in->C, in->G, SL_PLUS_FP64, SL_TIMES_INT32, in->A, in->C, NULL))
CALL(vector_ewise_union, sl_vector_ewise_union(in->w, in->mask, SL_PLUS_FP64, SL_MINUS_FP64, in->u,
                                               sl_scalar_fp64(1), in->w, sl_scalar_int8(2), NULL))
CALL(matrix_ewise_union, sl_matrix_ewise_union(in->C, in->G, SL_PLUS_FP64, SL_MINUS_FP64, in->A,
                                               sl_scalar_fp64(1), in->C, sl_scalar_int8(2), NULL))

static sl_status kronecker(inputs *in)
{
    sl_matrix *one;
    PREPARE(OK(in->ctx, sl_matrix_new(&one, in->ctx, SL_FP64, 1, 1));
            OK(in->ctx, sl_matrix_set(one, 0, 0, sl_scalar_fp64(2))));
    const sl_status status =
        sl_kronecker(in->C, in->G, SL_PLUS_FP64, SL_TIMES_FP64, in->A, one, NULL);
    sl_matrix_free(one);
    return status;
}

CALL(vector_apply, sl_vector_apply(in->w, in->mask, SL_PLUS_FP64, SL_AINV_FP64, in->u, NULL))
CALL(matrix_apply, sl_matrix_apply(in->C, in->G, SL_PLUS_FP64, SL_AINV_FP64, in->A, NULL))
CALL(vector_apply_first, sl_vector_apply_first(in->w, in->mask, SL_PLUS_FP64, SL_MINUS_INT32,
                                               sl_scalar_int8(3), in->u, NULL))
CALL(matrix_apply_first, sl_matrix_apply_first(in->C, in->G, SL_PLUS_FP64, SL_MINUS_INT32,
                                               sl_scalar_int8(3), in->A, NULL))
CALL(vector_apply_second, sl_vector_apply_second(in->w, in->mask, SL_PLUS_FP64, SL_MINUS_INT32,
                                                 in->u, sl_scalar_int8(3), NULL))
CALL(matrix_apply_second, sl_matrix_apply_second(in->C, in->G, SL_PLUS_FP64, SL_MINUS_INT32, in->A,
                                                 sl_scalar_int8(3), NULL))
CALL(vector_apply_index, sl_vector_apply_index(in->w, in->mask, SL_PLUS_FP64, SL_ROWINDEX_INT64,
                                               in->u, sl_scalar_int64(1), NULL))
CALL(matrix_apply_index, sl_matrix_apply_index(in->C, in->G, SL_PLUS_FP64, SL_COLINDEX_INT64, in->A,
                                               sl_scalar_int64(1), NULL))
CALL(vector_select, sl_vector_select(in->w, in->mask, SL_PLUS_FP64, SL_VALUEGT_FP64, in->u,
                                     sl_scalar_fp64(2), NULL))
CALL(matrix_select,
     sl_matrix_select(in->C, in->G, SL_PLUS_FP64, SL_VALUEGT_FP64, in->A, sl_scalar_fp64(2), NULL))
CALL(matrix_reduce_rows, sl_matrix_reduce_rows(in->w, in->mask, SL_PLUS_FP64, SL_PLUS_MONOID_FP64,
                                               in->A, sl_descriptor_get(SL_TRANSPOSE_A)))

/* Of an object with entries that are not yet sorted in. */
static sl_status vector_reduce(inputs *in)
{
    sl_scalar sum;
    PREPARE(OK(in->ctx, sl_vector_clear(in->w));
            OK(in->ctx, sl_vector_set(in->w, 6, sl_scalar_fp64(1))));
    return sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, in->w);
}

static sl_status vector_reduce_pair(inputs *in)
{
    sl_scalar sum;
    return sl_vector_reduce_pair(&sum, NULL, SL_PLUS_MONOID_FP64, SL_ABS_FP64, SL_MINUS_INT32,
                                 in->u, in->u);
}

static sl_status matrix_reduce(inputs *in)
{
    sl_scalar sum;
    PREPARE(OK(in->ctx, sl_matrix_clear(in->C));
            OK(in->ctx, sl_matrix_set(in->C, 6, 6, sl_scalar_fp64(1))));
    return sl_matrix_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, in->C);
}

CALL(vector_assign, sl_vector_assign(in->w, in->mask, SL_PLUS_FP64, in->u, some, VERTICES, NULL))
CALL(vector_assign_scalar,
     sl_vector_assign_scalar(in->w, in->mask, SL_PLUS_FP64, sl_scalar_fp64(3), some, 4, replace()))
CALL(matrix_assign,
     sl_matrix_assign(in->C, in->G, SL_PLUS_FP64, in->A, some, VERTICES, SL_ALL, 0, NULL))
CALL(matrix_assign_scalar, sl_matrix_assign_scalar(in->C, in->G, SL_PLUS_FP64, sl_scalar_fp64(3),
                                                   some, 4, SL_ALL, 0, NULL))
CALL(matrix_assign_row,
     sl_matrix_assign_row(in->C, in->mask, SL_PLUS_FP64, in->u, 2, some, VERTICES, NULL))
CALL(matrix_assign_column,
     sl_matrix_assign_column(in->C, in->mask, SL_PLUS_FP64, in->u, some, VERTICES, 2, NULL))
CALL(vector_extract, sl_vector_extract(in->w, in->mask, SL_PLUS_FP64, in->u, some, VERTICES, NULL))
CALL(matrix_extract,
     sl_matrix_extract(in->C, in->G, SL_PLUS_FP64, in->A, some, VERTICES, SL_ALL, 0, NULL))
CALL(matrix_extract_column,
     sl_matrix_extract_column(in->w, in->mask, SL_PLUS_FP64, in->A, some, VERTICES, 2, NULL))
/* With indices that are the values of a vector: int64, each once. */
static sl_status with_indices(inputs *in, bool gathers)
{
    sl_vector *indices;
    PREPARE(OK(in->ctx, sl_vector_new(&indices, in->ctx, SL_INT64, VERTICES));
            OK(in->ctx, sl_vector_build(indices, some, some, VERTICES, NULL)));
    const sl_status status =
        gathers ? sl_vector_gather(in->w, in->mask, SL_PLUS_FP64, in->u, indices, NULL)
                : sl_vector_scatter(in->w, in->mask, SL_PLUS_FP64, SL_MIN_MONOID_FP64, in->u,
                                    indices, NULL);
    sl_vector_free(indices);
    return status;
}

static sl_status gather_matrix(inputs *in)
{
    sl_vector *indices;
    PREPARE(OK(in->ctx, sl_vector_new(&indices, in->ctx, SL_INT64, VERTICES));
            OK(in->ctx, sl_vector_build(indices, some, some, VERTICES, NULL)));
    const sl_status status = sl_matrix_gather(in->C, in->G, SL_PLUS_FP64, in->A, indices, NULL);
    sl_vector_free(indices);
    return status;
}

CALL(matrix_gather, gather_matrix(in))
CALL(vector_sort, sl_vector_sort(in->w, NULL, SL_LT_FP64, in->u))
CALL(vector_gather, with_indices(in, true))
CALL(vector_scatter, with_indices(in, false))
CALL(transpose, sl_transpose(in->C, in->G, SL_PLUS_FP64, in->A, NULL))

const row operation_rows[] = {
    ROW(vxm),
    ROW(mxv),
    ROW(mxm),
    ROW(vector_ewise_add),
    ROW(matrix_ewise_add),
    ROW(vector_ewise_mult),
    ROW(matrix_ewise_mult),
    ROW(vector_ewise_union),
    ROW(matrix_ewise_union),
    ROW(kronecker),
    ROW(vector_apply),
    ROW(matrix_apply),
    ROW(vector_apply_first),
    ROW(matrix_apply_first),
    ROW(vector_apply_second),
    ROW(matrix_apply_second),
    ROW(vector_apply_index),
    ROW(matrix_apply_index),
    ROW(vector_select),
    ROW(matrix_select),
    ROW(matrix_reduce_rows),
    ROW(vector_reduce),
    ROW(vector_reduce_pair),
    ROW(matrix_reduce),
    ROW(vector_assign),
    ROW(vector_assign_scalar),
    ROW(matrix_assign),
    ROW(matrix_assign_scalar),
    ROW(matrix_assign_row),
    ROW(matrix_assign_column),
    ROW(vector_extract),
    ROW(matrix_extract),
    ROW(matrix_extract_column),
    ROW(vector_gather),
    ROW(vector_scatter),
    ROW(matrix_gather),
    ROW(vector_sort),
    ROW(transpose),
    {0},
};
