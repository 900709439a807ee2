/* Slices and whole copies of objects in a context of one process: shape, type, entries in order,
 * patterns without values, objects without entries; logs of iterations. */
#include "objects.h"

enum { ROWS = 5, COLS = 7, ENTRIES = 6 };

static const uint64_t rows[] = {0, 0, 1, 3, 4, 4}, cols[] = {1, 6, 0, 5, 2, 4};
static const double values[] = {1.5, -2, 0, 1e300, 7, 7};

/* Expects the first `count` entries of the tables, with the values, or a pattern if there are none.
 * Frees the arrays. */
static void expect(sl_arrays *got, sl_format format, uint64_t count, const double *expected)
{
    assert_int_equal(got->format, format);
    assert_int_equal(got->type, expected ? SL_FP64 : SL_BOOL);
    assert_int_equal(got->nrows, ROWS);
    assert_int_equal(got->ncols, format == SL_FORMAT_COO ? COLS : 1);
    assert_int_equal(got->nvals, count);
    assert_true(!expected == !got->values);
    for (uint64_t k = 0; k < count; k++) {
        assert_int_equal(got->rows[k], format == SL_FORMAT_COO ? rows[k] : k);
        if (format == SL_FORMAT_COO)
            assert_int_equal(got->cols[k], cols[k]);
        if (expected)
            assert_true(((const double *)got->values)[got->iso ? 0 : k] == expected[k]);
    }
    sl_arrays_free(got);
    assert_null(got->rows);
}

static void test_matrices(void **state)
{
    sl_matrix *A = new_matrix(SL_FP64, ROWS, COLS), *P = new_matrix(SL_BOOL, ROWS, COLS);
    sl_arrays arrays;
    OK(ctx, sl_matrix_copy_whole(&arrays, A));
    assert_int_equal(arrays.nvals, 0);
    sl_arrays_free(&arrays);
    OK(ctx, sl_matrix_copy_slice(&arrays, A));
    assert_int_equal(arrays.nvals, 0);
    sl_arrays_free(&arrays);
    OK(ctx, sl_matrix_build(P, rows, cols, NULL, ENTRIES, NULL));
    for (uint64_t k = ENTRIES; k > 0; k--) /* not yet sorted in */
        OK(ctx, sl_matrix_set(A, rows[k - 1], cols[k - 1], sl_scalar_fp64(values[k - 1])));
    OK(ctx, sl_matrix_copy_whole(&arrays, A));
    expect(&arrays, SL_FORMAT_COO, ENTRIES, values);
    OK(ctx, sl_matrix_copy_slice(&arrays, A));
    expect(&arrays, SL_FORMAT_COO, ENTRIES, values);
    OK(ctx, sl_matrix_copy_whole(&arrays, P));
    expect(&arrays, SL_FORMAT_COO, ENTRIES, NULL);
    OK(ctx, sl_matrix_copy_slice(&arrays, P));
    expect(&arrays, SL_FORMAT_COO, ENTRIES, NULL);
    assert_int_equal(entries(A), ENTRIES);
    sl_matrix_free(A);
    sl_matrix_free(P);
}

static void test_vectors(void **state)
{
    static const double sevens[] = {7, 7, 7, 7, 7};
    sl_vector *v = new_vector(SL_FP64, ROWS);
    sl_arrays arrays;
    OK(ctx, sl_vector_copy_whole(&arrays, v));
    assert_int_equal(arrays.nvals, 0);
    sl_arrays_free(&arrays);
    for (uint64_t k = 3; k > 0; k--)
        OK(ctx, sl_vector_set(v, k - 1, sl_scalar_fp64(values[k - 1])));
    OK(ctx, sl_vector_copy_whole(&arrays, v));
    expect(&arrays, SL_FORMAT_LIST, 3, values);
    OK(ctx, sl_vector_copy_slice(&arrays, v));
    expect(&arrays, SL_FORMAT_LIST, 3, values);
    /* one value for all entries */
    OK(ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_fp64(7), SL_ALL, 0, NULL));
    OK(ctx, sl_vector_copy_whole(&arrays, v));
    expect(&arrays, SL_FORMAT_LIST, ROWS, sevens);
    OK(ctx, sl_vector_copy_slice(&arrays, v));
    expect(&arrays, SL_FORMAT_LIST, ROWS, sevens);
    sl_vector_free(v);
}

static void test_invalid(void **state)
{
    sl_matrix *A = new_matrix(SL_FP64, ROWS, COLS);
    sl_vector *v = new_vector(SL_FP64, ROWS);
    sl_arrays arrays;
    assert_int_equal(sl_matrix_copy_whole(NULL, A), SL_INVALID);
    assert_int_equal(sl_matrix_copy_slice(NULL, A), SL_INVALID);
    assert_int_equal(sl_vector_copy_whole(NULL, v), SL_INVALID);
    assert_int_equal(sl_matrix_copy_whole(&arrays, NULL), SL_INVALID);
    assert_null(arrays.rows);
    assert_int_equal(sl_matrix_copy_slice(&arrays, NULL), SL_INVALID);
    assert_int_equal(sl_vector_copy_whole(&arrays, NULL), SL_INVALID);
    sl_matrix_free(A);
    sl_vector_free(v);
}

static void test_log(void **state)
{
    sl_iteration_log log = {0};
    sl_iteration one = {.direction = SL_PULL, .edges_exact = true, .seconds = 0.5};
    assert_int_equal(sl_iteration_log_append(NULL, &one), SL_INVALID);
    assert_int_equal(sl_iteration_log_append(&log, NULL), SL_INVALID);
    for (uint64_t k = 0; k < 1000; k++) {
        one.frontier = k;
        one.edges = 3 * k;
        assert_int_equal(sl_iteration_log_append(&log, &one), SL_OK);
    }
    assert_int_equal(log.count, 1000);
    for (uint64_t k = 0; k < 1000; k++) {
        assert_int_equal(log.iterations[k].frontier, k);
        assert_int_equal(log.iterations[k].edges, 3 * k);
        assert_int_equal(log.iterations[k].direction, SL_PULL);
        assert_true(log.iterations[k].edges_exact && log.iterations[k].seconds == 0.5);
    }
    sl_iteration_log_clear(&log);
    assert_true(log.count == 0 && log.room == 0 && !log.iterations);
    sl_iteration_log_clear(&log);
    sl_iteration_log_clear(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_matrices),
                                       cmocka_unit_test(test_vectors),
                                       cmocka_unit_test(test_invalid), cmocka_unit_test(test_log)};
    int failed = 0;
    sl_engine_info engine;
    for (size_t k = 0; next_engine(&engine, &k);) {
        if (sl_context_create(&ctx, engine.choice) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests_name(engine.name, tests, NULL, NULL);
        sl_context_free(ctx);
    }
    return failed;
}
