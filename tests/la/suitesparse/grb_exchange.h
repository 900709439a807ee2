/* Tests of exchanging objects with GraphBLAS that hold whether semla or the program has initialised
 * GraphBLAS. */
#ifndef SEMLA_TESTS_GRB_EXCHANGE_H
#define SEMLA_TESTS_GRB_EXCHANGE_H

#include "objects.h"

#include <semla/bfs.h>
#include <semla/grb.h>

#define MUST(call) assert_int_equal(call, GrB_SUCCESS)

/* A ring with chords, where entry (i, j) is i + j. Leaves pending work in the GraphBLAS object. */
static GrB_Matrix ring(GrB_Type type, GrB_Index n)
{
    GrB_Matrix A;
    MUST(GrB_Matrix_new(&A, type, n, n));
    for (GrB_Index i = 0; i < n; i++) {
        MUST(GrB_Matrix_setElement_UINT64(A, i + (i + 1) % n, i, (i + 1) % n));
        MUST(GrB_Matrix_setElement_UINT64(A, i + (i + 1) % n, (i + 1) % n, i));
    }
    return A;
}

static void check_ring(GrB_Matrix A, GrB_Index n)
{
    GrB_Index count;
    uint64_t value;
    MUST(GrB_Matrix_nvals(&count, A));
    assert_int_equal(count, 2 * n);
    for (GrB_Index i = 0; i < n; i++) {
        MUST(GrB_Matrix_extractElement_UINT64(&value, A, i, (i + 1) % n));
        assert_int_equal(value, i + (i + 1) % n);
    }
}

/* The handle that was imported is exported again, with the changes that semla made meanwhile. */
static void test_round_trip(void **state)
{
    const GrB_Type types[] = {GrB_INT8,   GrB_INT16,  GrB_INT32,  GrB_INT64, GrB_UINT8,
                              GrB_UINT16, GrB_UINT32, GrB_UINT64, GrB_FP32,  GrB_FP64};
    enum { N = 10 };
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        GrB_Matrix given = ring(types[t], N), same = given;
        sl_matrix *A;
        OK(ctx, sl_matrix_from_grb(&A, ctx, &given));
        assert_null(given);
        assert_int_equal(sl_matrix_type(A), SL_INT8 + (int)t);
        assert_int_equal(sl_matrix_nrows(A), N);
        assert_int_equal(entries(A), 2 * N);
        assert_true(value_at(A, 3, 4) == 7);
        assert_true(is_symmetric(A));
        OK(ctx, sl_matrix_remove(A, 0, 1));
        OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_int32(1))); /* leaves pending work */
        OK(ctx, sl_matrix_to_grb(&given, &A));
        assert_null(A);
        assert_ptr_equal(given, same);
        check_ring(given, N);
        MUST(GrB_Matrix_free(&given));

        GrB_Vector vector, same_vector;
        sl_vector *v;
        MUST(GrB_Vector_new(&vector, types[t], N));
        MUST(GrB_Vector_setElement_INT32(vector, 3, 7));
        same_vector = vector;
        OK(ctx, sl_vector_from_grb(&v, ctx, &vector));
        assert_null(vector);
        assert_int_equal(sl_vector_type(v), SL_INT8 + (int)t);
        assert_int_equal(sl_vector_size(v), N);
        OK(ctx, sl_vector_set(v, 8, sl_scalar_int32(4)));
        OK(ctx, sl_vector_to_grb(&vector, &v));
        assert_null(v);
        assert_ptr_equal(vector, same_vector);
        int32_t value;
        MUST(GrB_Vector_extractElement_INT32(&value, vector, 8));
        assert_int_equal(value, 4);
        MUST(GrB_Vector_free(&vector));
    }
}

/* Objects created by semla, exported to GraphBLAS; among them bool, and one without entries. */
static void test_export_of_new_objects(void **state)
{
    sl_matrix *A = path(4), *empty = new_matrix(SL_BOOL, 2, 3);
    sl_vector *v = new_vector(SL_BOOL, 5);
    GrB_Matrix matrix;
    GrB_Vector vector;
    GrB_Index count;
    double value;
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL)); /* cached properties are freed */
    OK(ctx, sl_matrix_to_grb(&matrix, &A));
    MUST(GrB_Matrix_extractElement_FP64(&value, matrix, 2, 3));
    assert_true(value == 3);
    MUST(GrB_Matrix_free(&matrix));
    OK(ctx, sl_matrix_to_grb(&matrix, &empty));
    MUST(GrB_Matrix_ncols(&count, matrix));
    assert_int_equal(count, 3);
    OK(ctx, sl_matrix_from_grb(&empty, ctx, &matrix));
    assert_int_equal(sl_matrix_type(empty), SL_BOOL);
    assert_int_equal(entries(empty), 0);
    sl_matrix_free(empty);
    OK(ctx, sl_vector_to_grb(&vector, &v));
    MUST(GrB_Vector_nvals(&count, vector));
    assert_int_equal(count, 0);
    MUST(GrB_Vector_free(&vector));
}

/* GraphBLAS objects stored by column, as bitmap, hypersparse or iso. */
static void test_storage_formats(void **state)
{
    static const int kinds[] = {GxB_HYPERSPARSE, GxB_SPARSE, GxB_BITMAP};
    static const GxB_Format_Value orders[] = {GxB_BY_ROW, GxB_BY_COL};
    enum { N = 30 };
    for (int k = 0; k < 3; k++)
        for (int o = 0; o < 2; o++)
            for (int shared = 0; shared < 2; shared++) {
                GrB_Matrix matrix = ring(GrB_FP64, N);
                MUST(GxB_Matrix_Option_set(matrix, GxB_FORMAT, orders[o]));
                MUST(GxB_Matrix_Option_set(matrix, GxB_SPARSITY_CONTROL, kinds[k]));
                if (shared)
                    MUST(GrB_Matrix_apply(matrix, NULL, NULL, GxB_ONE_FP64, matrix, NULL));
                sl_matrix *A;
                sl_vector *level, *parent;
                OK(ctx, sl_matrix_from_grb(&A, ctx, &matrix));
                assert_int_equal(is_pattern(A), shared);
                OK(ctx, sl_bfs(&parent, &level, A, 0, NULL));
                for (uint64_t i = 0; i < N; i++)
                    assert_true(vector_value_at(level, i) == (double)(i < N - i ? i : N - i));
                uint64_t rows[2 * N], cols[2 * N], count = 2 * N;
                OK(ctx, sl_matrix_extract_tuples(rows, cols, NULL, &count, A));
                for (uint64_t e = 1; e < count; e++)
                    assert_true(rows[e - 1] < rows[e] ||
                                (rows[e - 1] == rows[e] && cols[e - 1] < cols[e]));
                OK(ctx, sl_matrix_to_grb(&matrix, &A));
                if (!shared)
                    check_ring(matrix, N);
                MUST(GrB_Matrix_free(&matrix));
                sl_vector_free(level);
                sl_vector_free(parent);
            }
}

/* ---- invalid arguments ----------------------------------------------------------- */

static void test_other_types(void **state)
{
    GrB_Type pair;
    MUST(GrB_Type_new(&pair, 2 * sizeof(double)));
    const GrB_Type types[] = {pair, GxB_FC64};
    for (int t = 0; t < 2; t++) {
        GrB_Matrix matrix, same;
        GrB_Vector vector;
        sl_matrix *A = (sl_matrix *)1;
        sl_vector *v = (sl_vector *)1;
        GrB_Index size;
        MUST(GrB_Matrix_new(&matrix, types[t], 3, 3));
        MUST(GrB_Vector_new(&vector, types[t], 4));
        same = matrix;
        assert_int_equal(sl_matrix_from_grb(&A, ctx, &matrix), SL_UNSUPPORTED);
        SAYS("is unsupported; allowed are");
        assert_null(A);
        assert_ptr_equal(matrix, same);
        assert_int_equal(sl_vector_from_grb(&v, ctx, &vector), SL_UNSUPPORTED);
        assert_null(v);
        MUST(GrB_Vector_size(&size, vector)); /* still owned by the caller */
        assert_int_equal(size, 4);
        MUST(GrB_Matrix_free(&matrix));
        MUST(GrB_Vector_free(&vector));
    }
    MUST(GrB_Type_free(&pair));
}

static void test_arguments(void **state)
{
    GrB_Matrix matrix = ring(GrB_INT32, 3), none = NULL;
    GrB_Vector vector = NULL;
    sl_matrix *A = NULL;
    sl_vector *v = NULL;
    assert_int_equal(sl_matrix_from_grb(NULL, ctx, &matrix), SL_INVALID);
    assert_int_equal(sl_matrix_from_grb(&A, NULL, &matrix), SL_INVALID);
    assert_int_equal(sl_matrix_from_grb(&A, ctx, NULL), SL_INVALID);
    assert_int_equal(sl_matrix_from_grb(&A, ctx, &none), SL_INVALID);
    assert_int_equal(sl_vector_from_grb(NULL, ctx, &vector), SL_INVALID);
    assert_int_equal(sl_vector_from_grb(&v, ctx, NULL), SL_INVALID);
    assert_int_equal(sl_vector_from_grb(&v, ctx, &vector), SL_INVALID);
    assert_int_equal(sl_matrix_to_grb(&none, NULL), SL_INVALID);
    assert_int_equal(sl_matrix_to_grb(&none, &A), SL_INVALID);
    assert_int_equal(sl_vector_to_grb(&vector, NULL), SL_INVALID);
    assert_int_equal(sl_vector_to_grb(&vector, &v), SL_INVALID);
    OK(ctx, sl_matrix_from_grb(&A, ctx, &matrix));
    assert_int_equal(sl_matrix_to_grb(NULL, &A), SL_INVALID);
    assert_int_equal(entries(A), 6);
    sl_matrix_free(A);
}

#define HANDOVER_TESTS                                                                             \
    cmocka_unit_test(test_round_trip), cmocka_unit_test(test_export_of_new_objects),               \
        cmocka_unit_test(test_storage_formats), cmocka_unit_test(test_other_types),                \
        cmocka_unit_test(test_arguments)

#endif
