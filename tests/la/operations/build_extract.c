/* Creation of objects from tuples and from compressed rows, and the extraction of both. */
#include "objects.h"

/* ---- build and tuples ------------------------------------------------------ */

static void test_build_all_types(void **state)
{
    static const uint64_t rows[] = {2, 0, 1}, cols[] = {0, 3, 1};
#define X(NAME, name, T, class, lo, hi, ...)                                                       \
    {                                                                                              \
        T values[] = {(T)hi, (T)lo, (T)1}, got[3];                                                 \
        uint64_t r[3], c[3], count = 3;                                                            \
        sl_matrix *A = new_matrix(SL_##NAME, 3, 4);                                                \
        OK(ctx, sl_matrix_build(A, rows, cols, values, 3, NULL));                                  \
        OK(ctx, sl_matrix_extract_tuples(r, c, got, &count, A));                                   \
        assert_int_equal(count, 3);                                                                \
        assert_true(r[0] == 0 && c[0] == 3 && got[0] == (T)lo);                                    \
        assert_true(r[1] == 1 && c[1] == 1 && got[1] == (T)1);                                     \
        assert_true(r[2] == 2 && c[2] == 0 && got[2] == (T)hi);                                    \
        sl_scalar value;                                                                           \
        OK(ctx, sl_matrix_get(&value, A, 2, 0));                                                   \
        assert_true(sl_scalar_equal(value, sl_scalar_##name((T)hi)));                              \
        sl_vector *v = new_vector(SL_##NAME, 3);                                                   \
        OK(ctx, sl_vector_build(v, rows, values, 3, NULL));                                        \
        OK(ctx, sl_vector_extract_tuples(r, got, &count, v));                                      \
        assert_true(r[0] == 0 && r[1] == 1 && r[2] == 2);                                          \
        assert_true(got[0] == (T)lo && got[1] == (T)1 && got[2] == (T)hi);                         \
        sl_matrix_free(A);                                                                         \
        sl_vector_free(v);                                                                         \
    }
    SL_TYPES_ALL(X, )
#undef X
}

/* The result of building an entry from three duplicates, combined by `dup` in their order. */
static double built(sl_binary_op dup)
{
    static const uint64_t rows[] = {1, 0, 1, 1}, cols[] = {2, 0, 2, 2};
    static const double values[] = {10, 7, 3, 2};
    sl_matrix *A = new_matrix(SL_FP64, 2, 3);
    OK(ctx, sl_matrix_build(A, rows, cols, values, 4, dup));
    assert_int_equal(entries(A), 2);
    assert_true(value_at(A, 0, 0) == 7);
    double value = value_at(A, 1, 2);
    sl_matrix_free(A);

    sl_vector *v = new_vector(SL_FP64, 2);
    OK(ctx, sl_vector_build(v, rows, values, 4, dup));
    assert_true(vector_value_at(v, 1) == value);
    sl_vector_free(v);
    return value;
}

static void test_build_combines(void **state)
{
    assert_true(built(SL_FIRST_FP64) == 10);
    assert_true(built(SL_SECOND_FP64) == 2);
    assert_true(built(SL_PLUS_FP64) == 15);
    assert_true(built(SL_MINUS_FP64) == 5); /* (10 - 3) - 2 */
    assert_true(built(SL_MIN_FP64) == 2);
}

static void test_build_pattern(void **state)
{
    static const uint64_t rows[] = {1, 0, 1, 1}, cols[] = {2, 0, 2, 2};
    for (int type = 0; type < SL_TYPE_COUNT; type++) {
        sl_matrix *A = new_matrix((sl_type)type, 2, 3);
        OK(ctx, sl_matrix_build(A, rows, cols, NULL, 2, NULL));
        assert_true(is_pattern(A));
        assert_true(value_at(A, 1, 2) == 1);
        OK(ctx, sl_matrix_clear(A));
        OK(ctx, sl_matrix_build(A, rows, cols, NULL, 4, sl_binary_op_get(SL_BINARY_FIRST, type)));
        assert_true(is_pattern(A));
        assert_int_equal(entries(A), 2);
        OK(ctx, sl_matrix_clear(A));
        OK(ctx, sl_matrix_build(A, rows, cols, NULL, 4, sl_binary_op_get(SL_BINARY_PLUS, type)));
        assert_true(value_at(A, 1, 2) == (type == SL_BOOL ? 1 : 3));
        assert_true(value_at(A, 0, 0) == 1);
        sl_matrix_free(A);

        sl_vector *v = new_vector((sl_type)type, 4);
        OK(ctx, sl_vector_build(v, rows, NULL, 2, NULL));
        assert_true(vector_value_at(v, 1) == 1);
        sl_vector_free(v);
    }
}

static void test_build_duplicates(void **state)
{
    static const uint64_t rows[] = {1, 0, 1}, cols[] = {2, 0, 2};
    static const int32_t values[] = {1, 2, 1};
    sl_matrix *A = new_matrix(SL_INT32, 2, 3);
    sl_vector *v = new_vector(SL_INT32, 2);
    for (int k = 0; k < 2; k++) {
        const int32_t *some = k ? values : NULL;
        assert_int_equal(sl_matrix_build(A, rows, cols, some, 3, NULL), SL_INVALID);
        SAYS("same index");
        assert_int_equal(entries(A), 0);
        assert_int_equal(sl_vector_build(v, rows, some, 3, NULL), SL_INVALID);
        SAYS("same index");
        assert_int_equal(vector_entries(v), 0);
    }
    OK(ctx, sl_matrix_build(A, rows, cols, values, 2, NULL));
    OK(ctx, sl_vector_build(v, rows, values, 2, NULL));
    assert_true(value_at(A, 0, 0) == 2);
    assert_true(vector_value_at(v, 1) == 1);
    sl_matrix_free(A);
    sl_vector_free(v);
}

static void test_build_errors(void **state)
{
    static const uint64_t rows[] = {1, 2}, cols[] = {0, 1};
    static const int32_t values[] = {1, 2};
    sl_matrix *A = new_matrix(SL_INT32, 2, 2);
    sl_vector *v = new_vector(SL_INT32, 2);
    assert_int_equal(sl_matrix_build(A, rows, cols, values, 2, NULL), SL_OUT_OF_RANGE);
    SAYS("row 2");
    assert_int_equal(sl_matrix_build(A, cols, rows, values, 2, NULL), SL_OUT_OF_RANGE);
    SAYS("column 2");
    assert_int_equal(sl_vector_build(v, rows, values, 2, NULL), SL_OUT_OF_RANGE);
    SAYS("2 at position 1");
    assert_int_equal(sl_matrix_build(A, rows, cols, values, 1, SL_PLUS_INT64), SL_MISMATCH);
    SAYS("plus_int64");
    assert_int_equal(sl_matrix_build(A, rows, cols, values, 1, SL_EQ_INT32), SL_MISMATCH);
    SAYS("eq_int32");
    assert_int_equal(sl_vector_build(v, rows, values, 1, SL_FIRSTI_INT64), SL_MISMATCH);
    assert_int_equal(entries(A), 0);
    assert_int_equal(vector_entries(v), 0);

    OK(ctx, sl_matrix_build(A, NULL, NULL, NULL, 0, NULL));
    OK(ctx, sl_vector_build(v, NULL, NULL, 0, NULL));
    OK(ctx, sl_matrix_build(A, rows, cols, values, 1, NULL));
    OK(ctx, sl_vector_build(v, rows, values, 1, NULL));
    assert_int_equal(sl_matrix_build(A, cols, cols, values, 2, NULL), SL_INVALID);
    SAYS("entries; it must be empty");
    assert_int_equal(sl_vector_build(v, cols, values, 2, NULL), SL_INVALID);
    SAYS("entries; it must be empty");
    assert_int_equal(entries(A), 1);
    assert_true(value_at(A, 1, 0) == 1);
    assert_int_equal(vector_entries(v), 1);
    sl_matrix_free(A);
    sl_vector_free(v);
}

static void test_tuples(void **state)
{
    sl_matrix *A = path(3);
    uint64_t rows[4] = {9, 9, 9, 9}, cols[4], count = 3;
    double values[4];
    assert_int_equal(sl_matrix_extract_tuples(rows, cols, values, &count, A), SL_MISMATCH);
    assert_int_equal(count, 4);
    SAYS("room for 3");
    SAYS("there are 4");
    assert_int_equal(rows[0], 9);
    OK(ctx, sl_matrix_extract_tuples(rows, cols, values, &count, A));
    static const uint64_t right_rows[] = {0, 1, 1, 2}, right_cols[] = {1, 0, 2, 1};
    static const double right_values[] = {1, 1, 2, 2};
    assert_memory_equal(rows, right_rows, sizeof rows);
    assert_memory_equal(cols, right_cols, sizeof cols);
    assert_memory_equal(values, right_values, sizeof values);
    memset(cols, 0, sizeof cols);
    OK(ctx, sl_matrix_extract_tuples(NULL, cols, NULL, &count, A));
    assert_memory_equal(cols, right_cols, sizeof cols);
    count = 1000;
    OK(ctx, sl_matrix_extract_tuples(NULL, NULL, NULL, &count, A));
    assert_int_equal(count, 4);
    OK(ctx, sl_matrix_clear(A));
    OK(ctx, sl_matrix_extract_tuples(rows, cols, values, &count, A));
    assert_int_equal(count, 0);
    sl_matrix_free(A);

    sl_vector *v = new_vector(SL_FP64, 9);
    OK(ctx, sl_vector_set(v, 8, sl_scalar_fp64(1)));
    OK(ctx, sl_vector_set(v, 3, sl_scalar_fp64(2)));
    count = 1;
    assert_int_equal(sl_vector_extract_tuples(rows, NULL, &count, v), SL_MISMATCH);
    assert_int_equal(count, 2);
    OK(ctx, sl_vector_extract_tuples(rows, values, &count, v));
    assert_true(rows[0] == 3 && rows[1] == 8 && values[0] == 2 && values[1] == 1);
    sl_vector_free(v);
}

/* ---- compressed rows ------------------------------------------------------- */

/* Rows {1: 5, 2: 6}, {}, {0: 7} of 3 x 3; a pattern where the size is 0. */
static sl_csr some_rows(sl_type type, size_t size)
{
    static const uint64_t start[] = {0, 2, 2, 3}, index[] = {1, 2, 0};
    static const double values[] = {5, 6, 7};
    sl_csr csr = {.nrows = 3,
                  .ncols = 3,
                  .type = type,
                  .start = sl_malloc(sizeof start),
                  .index = sl_malloc(sizeof index)};
    memcpy(csr.start, start, sizeof start);
    memcpy(csr.index, index, sizeof index);
    if (size) {
        csr.values = sl_malloc(3 * size);
        for (int k = 0; k < 3; k++) {
            sl_scalar value = sl_scalar_cast(sl_scalar_fp64(values[k]), type);
            memcpy((char *)csr.values + (size_t)k * size, &value.as, size);
        }
    }
    return csr;
}

static void test_rows(void **state)
{
    for (int type = 0; type < SL_TYPE_COUNT; type++)
        for (int valued = 0; valued < 2; valued++) {
            size_t size = valued ? sl_type_size((sl_type)type) : 0;
            sl_csr given = some_rows((sl_type)type, size), copy, right = some_rows(type, size);
            sl_matrix *A;
            OK(ctx, sl_matrix_take_csr(&A, ctx, &given));
            assert_null(given.start);
            assert_null(given.index);
            assert_null(given.values);
            assert_int_equal(entries(A), 3);
            assert_int_equal(is_pattern(A), !valued);
            assert_true(value_at(A, 0, 2) == (valued && type != SL_BOOL ? 6 : 1));
            OK(ctx, sl_matrix_copy_csr(&copy, A));
            assert_int_equal(copy.nrows, 3);
            assert_int_equal(copy.ncols, 3);
            assert_int_equal(copy.type, type);
            assert_memory_equal(copy.start, right.start, 4 * sizeof *copy.start);
            assert_memory_equal(copy.index, right.index, 3 * sizeof *copy.index);
            assert_int_equal(copy.values != NULL, valued);
            if (valued)
                assert_memory_equal(copy.values, right.values, 3 * size);
            assert_int_equal(entries(A), 3);
            free_rows(&copy);
            free_rows(&right);
            sl_matrix_free(A);
        }
}

static void test_rows_of_empty_matrices(void **state)
{
    static const uint64_t sides[][2] = {{0, 0}, {0, 3}, {3, 0}, {4, 2}};
    for (int k = 0; k < 4; k++)
        for (int variant = 0; variant < 3;
             variant++) { /* new; from rows with values; from rows without values */
            uint64_t m = sides[k][0], n = sides[k][1];
            sl_csr csr = {.nrows = m,
                          .ncols = n,
                          .type = SL_INT16,
                          .start = sl_calloc(m + 1, sizeof *csr.start),
                          .index = sl_malloc(0),
                          .values = variant == 1 ? sl_malloc(0) : NULL};
            sl_matrix *A = NULL;
            if (variant == 0) {
                free_rows(&csr);
                A = new_matrix(SL_INT16, m, n);
            } else {
                OK(ctx, sl_matrix_take_csr(&A, ctx, &csr));
            }
            assert_int_equal(entries(A), 0);
            OK(ctx, sl_matrix_copy_csr(&csr, A));
            assert_int_equal(csr.nrows, m);
            for (uint64_t i = 0; i <= m; i++)
                assert_int_equal(csr.start[i], 0);
            free_rows(&csr);
            assert_int_equal(entries(A), 0);
            sl_matrix_free(A);
        }
}

/* A matrix with the same value, not 1, in all entries exports an array of values. */
static void test_rows_of_one_value(void **state)
{
    sl_matrix *A = new_matrix(SL_INT32, 2, 2);
    OK(ctx, sl_matrix_assign_scalar(A, NULL, NULL, sl_scalar_int32(4), SL_ALL, 0, SL_ALL, 0, NULL));
    sl_csr csr;
    OK(ctx, sl_matrix_copy_csr(&csr, A));
    assert_non_null(csr.values);
    for (int k = 0; k < 4; k++)
        assert_int_equal(((int32_t *)csr.values)[k], 4);
    free_rows(&csr);
    sl_matrix_free(A);
}

static void test_invalid_rows(void **state)
{
    sl_csr csr = some_rows(SL_INT32, 4);
    sl_matrix *A = (sl_matrix *)1;
    csr.start[0] = 1;
    assert_int_equal(sl_matrix_take_csr(&A, ctx, &csr), SL_INVALID);
    assert_null(A);
    SAYS("start");
    assert_non_null(csr.start);
    csr.start[0] = 0;
    csr.type = SL_TYPE_COUNT;
    assert_int_equal(sl_matrix_take_csr(&A, ctx, &csr), SL_INVALID);
    SAYS("type");
    csr.type = SL_INT32;
    csr.nrows = LARGEST + 1;
    assert_int_equal(sl_matrix_take_csr(&A, ctx, &csr), SL_OUT_OF_RANGE);
    csr.nrows = 3;
    csr.ncols = LARGEST + 1;
    assert_int_equal(sl_matrix_take_csr(&A, ctx, &csr), SL_OUT_OF_RANGE);
    csr.ncols = 3;
    assert_non_null(csr.index);
    assert_non_null(csr.values);
    OK(ctx, sl_matrix_take_csr(&A, ctx, &csr)); /* a failed import kept the arrays */
    assert_true(value_at(A, 2, 0) == 7);
    sl_matrix_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_build_all_types),
        cmocka_unit_test(test_build_combines),
        cmocka_unit_test(test_build_pattern),
        cmocka_unit_test(test_build_duplicates),
        cmocka_unit_test(test_build_errors),
        cmocka_unit_test(test_tuples),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_rows_of_empty_matrices),
        cmocka_unit_test(test_rows_of_one_value),
        cmocka_unit_test(test_invalid_rows),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
