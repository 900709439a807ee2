/* Matrices and vectors: creation, duplication, single entries, and cached properties of the
 * pattern. */
#include "objects.h"

/* ---- creation -------------------------------------------------------------------- */

static void test_new(void **state)
{
    for (int type = 0; type < SL_TYPE_COUNT; type++) {
        sl_matrix *A = new_matrix((sl_type)type, 3, 4);
        sl_vector *v = new_vector((sl_type)type, 5);
        assert_int_equal(sl_matrix_type(A), type);
        assert_int_equal(sl_vector_type(v), type);
        assert_int_equal(sl_matrix_nrows(A), 3);
        assert_int_equal(sl_matrix_ncols(A), 4);
        assert_int_equal(sl_vector_size(v), 5);
        assert_ptr_equal(sl_matrix_context(A), ctx);
        assert_ptr_equal(sl_vector_context(v), ctx);
        assert_int_equal(entries(A), 0);
        assert_int_equal(vector_entries(v), 0);
        sl_matrix_free(A);
        sl_vector_free(v);
    }
    sl_matrix_free(NULL);
    sl_vector_free(NULL);
}

static void test_sizes(void **state)
{
    static const uint64_t sizes[] = {0, 1, LARGEST};
    for (int k = 0; k < 3; k++) {
        uint64_t n = sizes[k], count = 0;
        sl_matrix *A = new_matrix(SL_INT32, n, n);
        sl_vector *v = new_vector(SL_INT32, n);
        assert_int_equal(sl_matrix_ncols(A), n);
        assert_int_equal(entries(A), 0);
        OK(ctx, sl_matrix_extract_tuples(NULL, NULL, NULL, &count, A));
        assert_int_equal(sl_matrix_set(A, n, 0, sl_scalar_int32(1)), SL_OUT_OF_RANGE);
        assert_int_equal(sl_vector_set(v, n, sl_scalar_int32(1)), SL_OUT_OF_RANGE);
        if (n) {
            OK(ctx, sl_matrix_set(A, n - 1, n - 1, sl_scalar_int32(7)));
            OK(ctx, sl_vector_set(v, n - 1, sl_scalar_int32(8)));
            assert_true(value_at(A, n - 1, n - 1) == 7);
            assert_true(vector_value_at(v, n - 1) == 8);
            uint64_t row, col;
            int32_t value;
            count = 1;
            OK(ctx, sl_matrix_extract_tuples(&row, &col, &value, &count, A));
            assert_int_equal(row, n - 1);
            assert_int_equal(col, n - 1);
            assert_int_equal(value, 7);
            assert_int_equal(is_symmetric(A), true);
        }
        sl_matrix_free(A);
        sl_vector_free(v);
    }
}

static void test_too_large(void **state)
{
    sl_matrix *A = (sl_matrix *)1;
    sl_vector *v = (sl_vector *)1;
    assert_int_equal(sl_matrix_new(&A, ctx, SL_BOOL, LARGEST + 1, 1), SL_OUT_OF_RANGE);
    assert_null(A);
    SAYS("1152921504606846977");
    SAYS("2^60");
    A = (sl_matrix *)1;
    assert_int_equal(sl_matrix_new(&A, ctx, SL_BOOL, 1, UINT64_MAX), SL_OUT_OF_RANGE);
    assert_null(A);
    SAYS("18446744073709551615");
    assert_int_equal(sl_vector_new(&v, ctx, SL_BOOL, LARGEST + 1), SL_OUT_OF_RANGE);
    assert_null(v);
}

/* A matrix with too many rows to list them: the call fails, and the matrix is unchanged. */
static void test_too_many_rows_to_list(void **state)
{
    sl_matrix *A = new_matrix(SL_INT32, LARGEST, LARGEST);
    OK(ctx, sl_matrix_set(A, 5, LARGEST - 1, sl_scalar_int32(7)));
    sl_csr csr;
    assert_int_equal(sl_matrix_copy_csr(&csr, A), SL_NO_MEMORY);
    assert_null(csr.start);
    assert_null(csr.index);
    assert_null(csr.values);
    assert_int_equal(entries(A), 1);
    assert_true(value_at(A, 5, LARGEST - 1) == 7);
    sl_matrix_free(A);
}

static void test_dup(void **state)
{
    sl_matrix *A = path(4), *B, *empty = new_matrix(SL_INT8, 2, 3);
    OK(ctx, sl_matrix_dup(&B, A));
    assert_int_equal(entries(B), 6);
    OK(ctx, sl_matrix_set(B, 0, 1, sl_scalar_fp64(50)));
    OK(ctx, sl_matrix_remove(A, 1, 0));
    assert_true(value_at(A, 0, 1) == 1);
    assert_true(value_at(B, 0, 1) == 50);
    assert_true(value_at(B, 1, 0) == 1);
    assert_int_equal(entries(A), 5);
    sl_matrix_free(B);

    OK(ctx, sl_matrix_dup(&B, empty));
    assert_int_equal(entries(B), 0);
    assert_int_equal(sl_matrix_type(B), SL_INT8);
    assert_int_equal(sl_matrix_ncols(B), 3);
    sl_matrix_free(B);
    sl_matrix_free(empty);
    sl_matrix_free(A);

    sl_vector *v = new_vector(SL_UINT16, 9), *w;
    OK(ctx, sl_vector_set(v, 8, sl_scalar_uint16(65535)));
    OK(ctx, sl_vector_dup(&w, v));
    sl_vector_free(v);
    assert_true(vector_value_at(w, 8) == 65535);
    assert_int_equal(vector_entries(w), 1);
    sl_vector_free(w);
}

static void test_clear(void **state)
{
    sl_matrix *A = path(5);
    OK(ctx, sl_matrix_clear(A));
    assert_int_equal(entries(A), 0);
    assert_int_equal(sl_matrix_nrows(A), 5);
    OK(ctx, sl_matrix_set(A, 4, 4, sl_scalar_bool(true)));
    assert_true(value_at(A, 4, 4) == 1);
    sl_matrix_free(A);

    sl_vector *v = new_vector(SL_FP32, 3);
    OK(ctx, sl_vector_clear(v));
    OK(ctx, sl_vector_set(v, 1, sl_scalar_fp32(0.5f)));
    OK(ctx, sl_vector_clear(v));
    assert_int_equal(vector_entries(v), 0);
    sl_vector_free(v);
}

/* ---- single entries -------------------------------------------------------- */

static void test_single_entries(void **state)
{
    sl_matrix *A = new_matrix(SL_UINT8, 2, 3);
    sl_scalar value = sl_scalar_int32(-5);
    assert_int_equal(sl_matrix_get(&value, A, 1, 2), SL_NO_VALUE);
    assert_true(sl_scalar_equal(value, sl_scalar_int32(-5)));
    OK(ctx, sl_matrix_set(A, 1, 2, sl_scalar_int64(259)));
    OK(ctx, sl_matrix_get(&value, A, 1, 2));
    assert_true(sl_scalar_equal(value, sl_scalar_uint8(3)));
    OK(ctx, sl_matrix_set(A, 1, 2, sl_scalar_fp64(-1e9)));
    OK(ctx, sl_matrix_get(&value, A, 1, 2));
    assert_true(sl_scalar_equal(value, sl_scalar_uint8(0)));
    OK(ctx, sl_matrix_remove(A, 0, 0));
    assert_int_equal(entries(A), 1);
    OK(ctx, sl_matrix_remove(A, 1, 2));
    assert_int_equal(entries(A), 0);
    assert_int_equal(sl_matrix_get(&value, A, 1, 2), SL_NO_VALUE);
    sl_matrix_free(A);

    sl_vector *v = new_vector(SL_BOOL, 3);
    OK(ctx, sl_vector_set(v, 2, sl_scalar_fp64(0.25)));
    OK(ctx, sl_vector_get(&value, v, 2));
    assert_true(sl_scalar_equal(value, sl_scalar_bool(true)));
    assert_int_equal(sl_vector_get(&value, v, 0), SL_NO_VALUE);
    OK(ctx, sl_vector_remove(v, 2));
    OK(ctx, sl_vector_remove(v, 2));
    assert_int_equal(sl_vector_get(&value, v, 2), SL_NO_VALUE);
    sl_vector_free(v);
}

static void test_pattern_or_values(void **state)
{
    static const uint64_t rows[] = {0, 1}, cols[] = {1, 0};
    sl_matrix *A = new_matrix(SL_FP64, 2, 2);
    OK(ctx, sl_matrix_build(A, rows, cols, NULL, 2, NULL));
    assert_true(is_pattern(A));
    OK(ctx, sl_matrix_remove(A, 0, 1));
    assert_true(is_pattern(A));
    OK(ctx, sl_matrix_set(A, 0, 0, sl_scalar_fp64(2)));
    assert_false(is_pattern(A));
    assert_true(value_at(A, 1, 0) == 1);
    OK(ctx, sl_matrix_clear(A));
    /* All entries have the same value, which is not 1. */
    OK(ctx, sl_matrix_assign_scalar(A, NULL, NULL, sl_scalar_fp64(3), SL_ALL, 0, SL_ALL, 0, NULL));
    assert_false(is_pattern(A));
    OK(ctx, sl_matrix_assign_scalar(A, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, SL_ALL, 0, NULL));
    assert_true(is_pattern(A));
    sl_matrix *B = new_matrix(SL_BOOL, 2, 2);
    OK(ctx, sl_matrix_apply(B, NULL, NULL, SL_ONE_BOOL, A, NULL));
    assert_true(is_pattern(B));
    sl_matrix_free(B);
    sl_matrix_free(A);
}

/* ---- cached properties ----------------------------------------------------------- */

static void test_symmetric(void **state)
{
    sl_matrix *A = path(5), *empty = new_matrix(SL_BOOL, 3, 3),
              *nothing = new_matrix(SL_BOOL, 0, 0), *wide = new_matrix(SL_BOOL, 2, 3);
    assert_true(is_symmetric(A));
    assert_true(is_symmetric(empty));
    assert_true(is_symmetric(nothing));
    assert_false(is_symmetric(wide));
    /* Symmetry depends on the pattern only, not on the values. */
    OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_fp64(-3)));
    assert_true(is_symmetric(A));
    sl_matrix_free(empty);
    sl_matrix_free(nothing);
    sl_matrix_free(wide);
    sl_matrix_free(A);
}

/* Each kind of write makes the matrix of a path, which is known to be symmetric, asymmetric. */
static void test_symmetry_forgotten(void **state)
{
    enum { SET, REMOVE, ASSIGN, SELECT, CLEAR_AND_BUILD, WAYS };
    static const uint64_t one[] = {1}, zero[] = {0};
    for (int way = 0; way < WAYS; way++)
        for (int prepared = 0; prepared < 2; prepared++) {
            sl_matrix *A = path(4);
            if (prepared)
                OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
            assert_true(is_symmetric(A));
            if (way == SET)
                OK(ctx, sl_matrix_set(A, 3, 0, sl_scalar_bool(true)));
            if (way == REMOVE)
                OK(ctx, sl_matrix_remove(A, 0, 1));
            if (way == ASSIGN)
                OK(ctx, sl_matrix_assign_scalar(A, NULL, NULL, sl_scalar_bool(true), zero, 1,
                                                SL_ALL, 0, NULL));
            if (way == SELECT)
                OK(ctx, sl_matrix_select(A, NULL, NULL, SL_TRIL_BOOL, A, sl_scalar_int64(0), NULL));
            if (way == CLEAR_AND_BUILD) {
                OK(ctx, sl_matrix_clear(A));
                assert_true(is_symmetric(A));
                OK(ctx, sl_matrix_build(A, one, zero, NULL, 1, NULL));
            }
            assert_false(is_symmetric(A));
            OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
            assert_false(is_symmetric(A));
            sl_matrix_free(A);
        }
}

static void test_promise(void **state)
{
    sl_matrix *A = new_matrix(SL_BOOL, 3, 3), *wide = new_matrix(SL_BOOL, 2, 3), *copy;
    OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_bool(true)));
    assert_false(is_symmetric(A));
    assert_false(sl_matrix_is_declared_symmetric(A));
    OK(ctx, sl_matrix_promise_symmetric(A)); /* the promise is not verified */
    assert_true(is_symmetric(A) && sl_matrix_is_declared_symmetric(A));
    OK(ctx, sl_matrix_dup(&copy, A));
    assert_true(is_symmetric(copy) && sl_matrix_is_declared_symmetric(copy));
    OK(ctx, sl_matrix_set(A, 0, 2, sl_scalar_bool(true)));
    assert_false(is_symmetric(A) || sl_matrix_is_declared_symmetric(A));
    OK(ctx, sl_matrix_set(copy, 1, 0, sl_scalar_bool(true))); /* symmetric, but not declared so */
    assert_true(is_symmetric(copy) && !sl_matrix_is_declared_symmetric(copy));
    assert_false(sl_matrix_is_declared_symmetric(NULL));
    assert_int_equal(sl_matrix_promise_symmetric(wide), SL_MISMATCH);
    SAYS("not square");
    assert_int_equal(sl_matrix_optimize(A, 9), SL_INVALID);
    SAYS("unknown flags 0x9");
    OK(ctx, sl_matrix_optimize(wide, SL_FOR_TRAVERSAL));
    assert_false(is_symmetric(wide));
    sl_matrix_free(copy);
    sl_matrix_free(wide);
    sl_matrix_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_too_many_rows_to_list),
        cmocka_unit_test(test_dup),
        cmocka_unit_test(test_clear),
        cmocka_unit_test(test_single_entries),
        cmocka_unit_test(test_pattern_or_values),
        cmocka_unit_test(test_symmetric),
        cmocka_unit_test(test_symmetry_forgotten),
        cmocka_unit_test(test_promise),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
