/* Diagonals, resizing, the range of values, equality, and products of matrices with very large
 * dimensions. */
#include "objects.h"

#include <math.h>

static int64_t at(const sl_matrix *A, uint64_t i, uint64_t j)
{
    sl_scalar value;
    OK(ctx, sl_matrix_get(&value, A, i, j));
    return sl_scalar_cast(value, SL_INT64).as.int64_;
}

/* ---- diagonals --------------------------------------------------------------- */

static void test_diagonals(void **state)
{
    sl_vector *v = new_vector(SL_INT16, 3), *back;
    OK(ctx, sl_vector_set(v, 0, sl_scalar_int16(4)));
    OK(ctx, sl_vector_set(v, 2, sl_scalar_int16(6)));
    for (int64_t k = -2; k <= 2; k++) {
        uint64_t down = k < 0 ? (uint64_t)-k : 0, across = k > 0 ? (uint64_t)k : 0;
        sl_matrix *A;
        OK(ctx, sl_matrix_diag(&A, v, k));
        assert_int_equal(sl_matrix_nrows(A), 3 + down + across);
        assert_int_equal(sl_matrix_ncols(A), 3 + down + across);
        assert_int_equal(sl_matrix_type(A), SL_INT16);
        assert_int_equal(entries(A), 2);
        assert_int_equal(at(A, down, across), 4);
        assert_int_equal(at(A, down + 2, across + 2), 6);
        OK(ctx, sl_vector_diag(&back, A, k));
        bool equal;
        OK(ctx, sl_vector_equal(&equal, v, back));
        assert_true(equal);
        sl_vector_free(back);
        sl_matrix_free(A);
    }
    sl_vector_free(v);
}

/* Diagonals outside of the matrix are empty, for any diagonal number. */
static void test_diagonals_outside(void **state)
{
    static const int64_t outside[] = {4, -3, 100, INT64_MAX, INT64_MIN, INT64_MIN + 1};
    sl_matrix *A = new_matrix(SL_FP32, 3, 4);
    sl_vector *v;
    OK(ctx, sl_matrix_set(A, 2, 0, sl_scalar_fp32(5)));
    for (int k = 0; k < 6; k++) {
        OK(ctx, sl_vector_diag(&v, A, outside[k]));
        assert_int_equal(sl_vector_size(v), 0);
        sl_vector_free(v);
    }
    OK(ctx, sl_vector_diag(&v, A, -2));
    assert_int_equal(sl_vector_size(v), 1);
    assert_int_equal(vector_entries(v), 1);
    sl_vector_free(v);
    OK(ctx, sl_vector_diag(&v, A, 1));
    assert_int_equal(sl_vector_size(v), 3);
    sl_vector_free(v);
    sl_matrix_free(A);
}

static void test_long_diagonals(void **state)
{
    sl_vector *v = new_vector(SL_BOOL, LARGEST - 5), *back;
    sl_matrix *A;
    OK(ctx, sl_vector_set(v, LARGEST - 6, sl_scalar_bool(true)));
    OK(ctx, sl_matrix_diag(&A, v, -5));
    assert_int_equal(sl_matrix_nrows(A), LARGEST);
    assert_int_equal(at(A, LARGEST - 1, LARGEST - 6), 1);
    OK(ctx, sl_vector_diag(&back, A, -5));
    assert_int_equal(vector_entries(back), 1);
    sl_matrix_free(A);
    assert_int_equal(sl_matrix_diag(&A, back, 6), SL_OUT_OF_RANGE);
    assert_null(A);
    sl_vector_free(v);
    sl_vector_free(back);
}

/* ---- resize ------------------------------------------------------------------ */

static void assert_range(const sl_matrix *A, double least, double greatest, double sum)
{
    sl_value_range range;
    OK(ctx, sl_matrix_value_range(&range, A));
    assert_true(range.least == least && range.greatest == greatest && range.sum == sum);
}

/* The range of the values of each type; a duplicate has its own range after it is written. */
static void test_value_range(void **state)
{
    for (int t = 0; t < SL_TYPE_COUNT; t++) {
        sl_matrix *A = new_matrix((sl_type)t, 2, 2), *copy;
        OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_bool(true)));
        assert_range(A, 1, 1, 1);
        OK(ctx, sl_matrix_dup(&copy, A));
        assert_range(copy, 1, 1, 1);
        OK(ctx, sl_matrix_set(copy, 1, 1, sl_scalar_bool(false)));
        assert_range(copy, 0, 1, 1);
        assert_range(A, 1, 1, 1);
        sl_matrix_free(copy);
        sl_matrix_free(A);
    }
}

static void test_resize(void **state)
{
    sl_matrix *A = new_matrix(SL_INT32, 3, 3);
    for (uint64_t i = 0; i < 3; i++)
        OK(ctx, sl_matrix_set(A, i, 2 - i, sl_scalar_int32((int32_t)i + 1)));
    bool symmetric;
    OK(ctx, sl_matrix_is_symmetric(&symmetric, A));
    assert_true(symmetric);
    assert_range(A, 1, 3, 6);
    OK(ctx, sl_matrix_resize(A, 2, 3)); /* cached properties are forgotten */
    assert_range(A, 1, 2, 3);
    assert_int_equal(sl_matrix_nrows(A), 2);
    assert_int_equal(entries(A), 2);
    OK(ctx, sl_matrix_is_symmetric(&symmetric, A));
    assert_false(symmetric);
    OK(ctx, sl_matrix_resize(A, LARGEST, LARGEST));
    assert_int_equal(at(A, 0, 2), 1);
    OK(ctx, sl_matrix_set(A, LARGEST - 1, 0, sl_scalar_int32(9)));
    OK(ctx, sl_matrix_resize(A, 2, 2));
    assert_int_equal(entries(A), 1);
    assert_int_equal(at(A, 1, 1), 2);
    assert_range(A, 2, 2, 2);
    OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_int32(-9)));
    assert_range(A, -9, 2, -7);
    OK(ctx, sl_matrix_resize(A, 0, 0));
    assert_int_equal(entries(A), 0);
    assert_range(A, INFINITY, -INFINITY, 0);
    sl_matrix_free(A);

    sl_vector *v = new_vector(SL_FP64, 4);
    OK(ctx, sl_vector_set(v, 3, sl_scalar_fp64(1)));
    OK(ctx, sl_vector_resize(v, LARGEST));
    OK(ctx, sl_vector_set(v, LARGEST - 1, sl_scalar_fp64(2)));
    assert_int_equal(vector_entries(v), 2);
    OK(ctx, sl_vector_resize(v, 4));
    assert_int_equal(vector_entries(v), 1);
    OK(ctx, sl_vector_resize(v, 3));
    assert_int_equal(vector_entries(v), 0);
    sl_vector_free(v);
}

/* ---- equality ------------------------------------------------------------------ */

static sl_vector *two(sl_type type, double x, double y)
{
    sl_vector *v = new_vector(type, 3);
    OK(ctx, sl_vector_set(v, 0, sl_scalar_fp64(x)));
    OK(ctx, sl_vector_set(v, 2, sl_scalar_fp64(y)));
    return v;
}

static void check_equal(sl_vector *u, sl_vector *v, bool wanted, bool wanted_pattern)
{
    bool equal = !wanted, pattern = !wanted_pattern;
    OK(ctx, sl_vector_equal(&equal, u, v));
    OK(ctx, sl_vector_same_pattern(&pattern, u, v));
    assert_int_equal(equal, wanted);
    assert_int_equal(pattern, wanted_pattern);
    sl_vector_free(u);
    sl_vector_free(v);
}

static void test_equal_values(void **state)
{
    static const sl_type floats[] = {SL_FP32, SL_FP64};
    for (int k = 0; k < 2; k++) {
        sl_type T = floats[k];
        check_equal(two(T, 1, 2), two(T, 1, 2), true, true);
        check_equal(two(T, 1, 2), two(T, 1, 3), false, true);
        check_equal(two(T, NAN, 2), two(T, NAN, 2), true, true);
        check_equal(two(T, NAN, NAN), two(T, -NAN, NAN), true, true);
        check_equal(two(T, NAN, 2), two(T, 1, 2), false, true);
        check_equal(two(T, NAN, 2), two(T, 2, NAN), false, true);
        check_equal(two(T, 0.0, 2), two(T, -0.0, 2), true, true);
        check_equal(two(T, INFINITY, 2), two(T, -INFINITY, 2), false, true);
    }
    check_equal(two(SL_FP64, 1, 2), two(SL_FP32, 1, 2), false, true);
    check_equal(two(SL_UINT64, 1, 2), two(SL_INT64, 1, 2), false, true);
    check_equal(two(SL_FP64, 1, 2), new_vector(SL_FP64, 3), false, false);
    check_equal(new_vector(SL_FP64, 3), new_vector(SL_FP64, 3), true, true);
    check_equal(new_vector(SL_FP64, 3), new_vector(SL_FP64, 4), false, false);
}

/* Large integers that round to the same double are different. */
static void test_equal_integers(void **state)
{
    sl_vector *u = new_vector(SL_INT64, 1), *v = new_vector(SL_INT64, 1);
    OK(ctx, sl_vector_set(u, 0, sl_scalar_int64(INT64_MAX)));
    OK(ctx, sl_vector_set(v, 0, sl_scalar_int64(INT64_MAX - 1)));
    check_equal(u, v, false, true);
}

/* A matrix without stored values equals one with stored values that are all 1. */
static void test_equal_patterns(void **state)
{
    static const uint64_t rows[] = {0, 1, 2}, cols[] = {1, 2, 0};
    sl_matrix *P = new_matrix(SL_INT32, 3, 3), *A = new_matrix(SL_INT32, 3, 3);
    bool equal, pattern;
    OK(ctx, sl_matrix_build(P, rows, cols, NULL, 3, NULL));
    for (int k = 0; k < 3; k++)
        OK(ctx, sl_matrix_set(A, rows[k], cols[k], sl_scalar_int32(k == 1 ? 7 : 1)));
    assert_true(is_pattern(P));
    OK(ctx, sl_matrix_equal(&equal, P, A));
    OK(ctx, sl_matrix_same_pattern(&pattern, P, A));
    assert_true(!equal && pattern);
    OK(ctx, sl_matrix_set(A, 1, 2, sl_scalar_int32(1)));
    OK(ctx, sl_matrix_equal(&equal, P, A));
    assert_true(equal);
    OK(ctx, sl_matrix_equal(&equal, A, A));
    assert_true(equal);
    OK(ctx, sl_matrix_set(A, 0, 0, sl_scalar_int32(1)));
    OK(ctx, sl_matrix_remove(A, 0, 1)); /* as many entries, but at other indices */
    OK(ctx, sl_matrix_same_pattern(&pattern, P, A));
    assert_false(pattern);
    sl_matrix_free(P);
    sl_matrix_free(A);
}

/* ---- very large dimensions ------------------------------------------------------- */

/* Two matrices of one entry each, with results of almost 2^60 rows and columns. */
static void test_large_kronecker(void **state)
{
    const uint64_t side = (uint64_t)1 << 30, last = side - 1;
    sl_matrix *A = new_matrix(SL_INT32, side, last), *B = new_matrix(SL_INT32, last, side),
              *C = new_matrix(SL_INT32, side * last, last * side);
    OK(ctx, sl_matrix_set(A, side - 1, 3, sl_scalar_int32(5)));
    OK(ctx, sl_matrix_set(B, last - 1, 7, sl_scalar_int32(4)));
    OK(ctx, sl_kronecker(C, NULL, NULL, SL_TIMES_INT32, A, B, NULL));
    assert_int_equal(entries(C), 1);
    assert_int_equal(at(C, side * last - 1, 3 * side + 7), 20);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(C);
}

/* The result has 2^60 rows and columns, which some versions of SuiteSparse do not compute. */
static void test_largest_kronecker(void **state)
{
    const uint64_t side = (uint64_t)1 << 30;
    sl_matrix *A = new_matrix(SL_INT32, side, side), *C = new_matrix(SL_INT32, LARGEST, LARGEST);
    OK(ctx, sl_matrix_set(A, side - 1, 3, sl_scalar_int32(5)));
    OK(ctx, sl_matrix_set(C, 1, 2, sl_scalar_int32(6)));
    sl_status status = sl_kronecker(C, NULL, NULL, SL_TIMES_INT32, A, A, NULL);
    assert_int_equal(entries(C), 1);
    if (status == SL_OK) {
        assert_int_equal(at(C, LARGEST - 1, 3 * side + 3), 25);
    } else {
        assert_int_equal(status, SL_OUT_OF_RANGE);
        assert_string_equal(sl_context_message(ctx),
                            "kronecker: a result of 1152921504606846976 x 1152921504606846976 is "
                            "too large for SuiteSparse:GraphBLAS");
        assert_int_equal(at(C, 1, 2), 6);
    }
    sl_matrix_free(A);
    sl_matrix_free(C);
}

/* Dimensions larger than memory, with three non-empty rows and columns. */
static void test_large_product(void **state)
{
    sl_matrix *A = new_matrix(SL_INT32, LARGEST, LARGEST),
              *C = new_matrix(SL_INT32, LARGEST, LARGEST);
    OK(ctx, sl_matrix_set(A, 7, LARGEST - 1, sl_scalar_int32(2)));
    OK(ctx, sl_matrix_set(A, LARGEST - 1, 5, sl_scalar_int32(3)));
    OK(ctx, sl_mxm(C, NULL, NULL, SL_PLUS_TIMES_INT32, A, A, NULL));
    assert_int_equal(entries(C), 1);
    assert_int_equal(at(C, 7, 5), 6);
    OK(ctx,
       sl_mxm(C, A, NULL, SL_PLUS_TIMES_INT32, A, A, sl_descriptor_get(SL_STRUCTURE | SL_REPLACE)));
    assert_int_equal(entries(C), 0);
    sl_matrix_free(A);
    sl_matrix_free(C);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diagonals),       cmocka_unit_test(test_diagonals_outside),
        cmocka_unit_test(test_long_diagonals),  cmocka_unit_test(test_resize),
        cmocka_unit_test(test_value_range),     cmocka_unit_test(test_equal_values),
        cmocka_unit_test(test_equal_integers),  cmocka_unit_test(test_equal_patterns),
        cmocka_unit_test(test_large_kronecker), cmocka_unit_test(test_largest_kronecker),
        cmocka_unit_test(test_large_product),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
