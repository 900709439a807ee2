/*
 * Operators with indices or of the user in which versions of SuiteSparse:GraphBLAS return wrong results, found by
 * parity.direct. Every engine must return the right results, also SuiteSparse's, which avoids the wrong kernels.
 */
#include "objects.h"

static void index_and_value(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(double *)z = (double)j + *(const double *)x;
}

/* apply of a user-defined index operator with an accumulator leaves a product unchanged, whose entries
 * SuiteSparse sorts only when it needs to. */
static void test_index_operator_on_product(void **state)
{
    enum { N = 1080, WIDTH = 16 };
    uint64_t seed = 1;
    sl_index_op op;
    OK(ctx, sl_index_op_new(&op, ctx, "index_and_value", SL_FP64, SL_FP64, SL_FP64, index_and_value,
                            NULL));
    for (int trial = 0; trial < 10; trial++) {
        const uint64_t first = test_random(&seed) % (N - 40);
        sl_matrix *A = new_matrix(SL_BOOL, N, N), *f = new_matrix(SL_FP64, 1, N);
        sl_matrix *product = new_matrix(SL_FP64, 1, N), *sum = new_matrix(SL_FP64, 1, N);
        double right[N] = {0};
        for (uint64_t k = 0; k < WIDTH * WIDTH; k++) {
            const uint64_t u = first + k / WIDTH, v = first + WIDTH + k % WIDTH;
            OK(ctx, sl_matrix_set(f, 0, u, sl_scalar_fp64((double)u)));
            if (test_random(&seed) % 2 == 0)
                continue;
            OK(ctx, sl_matrix_set(A, u, v, sl_scalar_bool(true)));
            right[v] += (double)u;
        }
        OK(ctx, sl_mxm(product, NULL, NULL, SL_PLUS_FIRST_FP64, f, A, NULL));
        OK(ctx, sl_mxm(sum, NULL, NULL, SL_PLUS_FIRST_FP64, f, A, NULL));
        OK(ctx,
           sl_matrix_apply_index(sum, NULL, SL_PLUS_FP64, op, product, sl_scalar_fp64(0), NULL));
        for (uint64_t v = 0; v < N; v++) {
            sl_scalar value;
            const bool has = sl_matrix_get(&value, product, 0, v) == SL_OK;
            assert_true(has ? value.as.fp64_ == right[v] : right[v] == 0);
        }
        sl_matrix_free(A);
        sl_matrix_free(f);
        sl_matrix_free(product);
        sl_matrix_free(sum);
    }
    sl_index_op_free(op);
}

static void hundreds(void *z, const void *x, const void *y)
{
    *(double *)z = *(const double *)x * 100 + *(const double *)y;
}

static void by_index(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(double *)z = *(const double *)x + 1000 * (double)i;
}

/* The operands x and y are not swapped where one input is full and the other a list, or where both
 * are iso. */
static void test_iso_inputs_multiplied(void **state)
{
    sl_binary_op op;
    OK(ctx, sl_binary_op_new(&op, ctx, "hundreds", SL_FP64, SL_FP64, SL_FP64, hundreds, NULL));
    sl_matrix *A = new_matrix(SL_FP64, 4, 5), *B = new_matrix(SL_FP64, 4, 5);
    sl_matrix *C = new_matrix(SL_FP64, 4, 5);
    const uint64_t row[] = {2}, col[] = {3};
    OK(ctx, sl_matrix_assign_scalar(A, NULL, NULL, sl_scalar_fp64(3), SL_ALL, 0, SL_ALL, 0, NULL));
    OK(ctx, sl_matrix_assign_scalar(B, NULL, NULL, sl_scalar_fp64(7), row, 1, col, 1, NULL));
    OK(ctx, sl_matrix_ewise_mult(C, NULL, NULL, op, A, B, NULL));
    assert_true(entries(C) == 1 && value_at(C, 2, 3) == 307);
    OK(ctx, sl_matrix_ewise_mult(C, NULL, NULL, op, B, A, NULL));
    assert_true(entries(C) == 1 && value_at(C, 2, 3) == 703);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(C);
    sl_binary_op_free(op);
}

/* An index-unary operator on a vector in which all entries share one stored value. */
static void test_index_operator_on_iso_vector(void **state)
{
    sl_index_op op;
    OK(ctx, sl_index_op_new(&op, ctx, "place", SL_FP64, SL_FP64, SL_FP64, by_index, NULL));
    for (int kept = 0; kept < 2; kept++) {
        sl_vector *u = new_vector(SL_INT32, 6), *w = new_vector(SL_FP64, 6);
        sl_scalar five = sl_scalar_int32(5), zero = sl_scalar_fp64(0);
        OK(ctx, sl_vector_assign_scalar(u, NULL, NULL, five, SL_ALL, 0, NULL));
        for (uint64_t i = 0; kept && i < 5; i++)
            OK(ctx, sl_vector_remove(u, i)); /* one entry left; the vector was full */
        OK(ctx, sl_vector_apply_index(w, NULL, NULL, op, u, zero, NULL));
        assert_int_equal(vector_entries(w), kept ? 1 : 6);
        for (uint64_t i = kept ? 5 : 0; i < 6; i++)
            assert_true(vector_value_at(w, i) == 5 + 1000 * (double)i);
        sl_vector_free(u);
        sl_vector_free(w);
    }
    sl_index_op_free(op);
}

/* firsti and secondj give row and column indices, not positions in the list of non-empty rows. */
static void test_indices_of_few_rows(void **state)
{
    sl_semiring rows, cols;
    OK(ctx, sl_semiring_new(&rows, ctx, "rows", SL_MAX_MONOID_INT64, SL_FIRSTI_INT64));
    OK(ctx, sl_semiring_new(&cols, ctx, "cols", SL_MAX_MONOID_INT64, SL_SECONDJ_INT64));
    sl_matrix *A = new_matrix(SL_INT64, 9, 23), *B = new_matrix(SL_INT64, 23, 9);
    sl_vector *u = new_vector(SL_BOOL, 23), *w = new_vector(SL_INT64, 9);
    OK(ctx, sl_matrix_set(A, 6, 4, sl_scalar_int64(1)));
    OK(ctx, sl_matrix_set(B, 4, 6, sl_scalar_int64(1)));
    for (uint64_t i = 0; i < 23; i += 2)
        OK(ctx, sl_vector_set(u, i, sl_scalar_bool(true)));
    OK(ctx, sl_mxv(w, NULL, NULL, rows, A, u, NULL));
    assert_true(vector_entries(w) == 1 && vector_value_at(w, 6) == 6);
    OK(ctx, sl_mxv(w, NULL, NULL, rows, B, u, sl_descriptor_get(SL_TRANSPOSE_A)));
    assert_true(vector_entries(w) == 1 && vector_value_at(w, 6) == 6);
    OK(ctx, sl_vxm(w, NULL, NULL, cols, u, B, NULL));
    assert_true(vector_entries(w) == 1 && vector_value_at(w, 6) == 6);
    OK(ctx, sl_vxm(w, NULL, NULL, cols, u, A, sl_descriptor_get(SL_TRANSPOSE_B)));
    assert_true(vector_entries(w) == 1 && vector_value_at(w, 6) == 6);
    /* u as a row vector has row index 0, as a column vector column index 0. */
    OK(ctx, sl_vxm(w, NULL, NULL, rows, u, B, NULL));
    assert_true(vector_value_at(w, 6) == 0);
    OK(ctx, sl_mxv(w, NULL, NULL, cols, A, u, NULL));
    assert_true(vector_value_at(w, 6) == 0);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_vector_free(u);
    sl_vector_free(w);
    sl_semiring_free(rows);
    sl_semiring_free(cols);
}

/* The sum of value times index over the entries of a matrix of one row. */
static double moment_of(const sl_matrix *A, uint64_t n)
{
    double sum = 0;
    sl_scalar x;
    for (uint64_t k = 0; k < n; k++)
        if (sl_matrix_get(&x, A, 0, k) == SL_OK)
            sum += x.as.fp64_ * (double)k;
    return sum;
}

/* apply with an accumulator leaves its input unchanged, also if that is a product, whose entries
 * SuiteSparse sorts only when it needs to. */
static void test_input_of_apply(void **state)
{
    enum { SIDE = 60, N = SIDE * SIDE, FIRST = 20, LAST = 50 };
    sl_matrix *A = new_matrix(SL_FP64, N, N), *f = new_matrix(SL_FP64, 1, N);
    double expected = 0;
    for (uint64_t v = SIDE; v < N - SIDE; v++) {
        OK(ctx, sl_matrix_set(A, v, v - SIDE, sl_scalar_fp64(1)));
        OK(ctx, sl_matrix_set(A, v, v + 1, sl_scalar_fp64(1)));
        OK(ctx, sl_matrix_set(A, v, v + SIDE, sl_scalar_fp64(1)));
    }
    for (uint64_t k = FIRST; k < LAST; k++) {
        const uint64_t v = k + (SIDE - k) * SIDE;
        OK(ctx, sl_matrix_set(f, 0, v, sl_scalar_fp64((double)k)));
        expected += (double)(k * (3 * v + 1));
    }
    for (int kind = 0; kind < 4; kind++) {
        sl_matrix *product = new_matrix(SL_FP64, 1, N), *sum = new_matrix(SL_FP64, 1, N);
        OK(ctx, sl_matrix_set(sum, 0, 0, sl_scalar_fp64(1)));
        OK(ctx, sl_mxm(product, NULL, NULL, SL_PLUS_FIRST_FP64, f, A, NULL));
        if (kind == 0)
            OK(ctx, sl_matrix_apply(sum, NULL, SL_PLUS_FP64, SL_AINV_FP64, product, NULL));
        else if (kind == 1)
            OK(ctx, sl_matrix_apply_second(sum, NULL, SL_PLUS_FP64, SL_TIMES_FP64, product,
                                           sl_scalar_fp64(-1), NULL));
        else if (kind == 2)
            OK(ctx,
               sl_transpose(sum, NULL, SL_PLUS_FP64, product, sl_descriptor_get(SL_TRANSPOSE_A)));
        else
            OK(ctx, sl_matrix_apply_first(sum, NULL, SL_PLUS_FP64, SL_TIMES_FP64,
                                          sl_scalar_fp64(-1), product, NULL));
        assert_true(moment_of(product, N) == expected);
        assert_true(moment_of(sum, N) == (kind == 2 ? expected : -expected));
        sl_matrix_free(product);
        sl_matrix_free(sum);
    }
    sl_matrix_free(A);
    sl_matrix_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_operator_on_product),
        cmocka_unit_test(test_iso_inputs_multiplied),
        cmocka_unit_test(test_index_operator_on_iso_vector),
        cmocka_unit_test(test_indices_of_few_rows),
        cmocka_unit_test(test_input_of_apply),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
