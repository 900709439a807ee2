/*
 * Cases in which versions of SuiteSparse:GraphBLAS return wrong results, found by parity.direct.
 * Every engine must return the right results, also SuiteSparse's, which avoids the wrong kernels.
 */
#include "objects.h"

/* A vector that was full and became empty: its sum does not include the removed value. */
static void test_sum_of_removed_entries(void **state)
{
    sl_vector *v = new_vector(SL_FP64, 1);
    OK(ctx, sl_vector_set(v, 0, sl_scalar_fp64(5)));
    uint64_t nvals;
    OK(ctx, sl_vector_nvals(&nvals, v));
    OK(ctx, sl_vector_remove(v, 0));
    sl_scalar sum;
    OK(ctx, sl_vector_reduce(&sum, NULL, SL_MIN_MONOID_FP64, v));
    assert_true(sl_scalar_equal(sum, SL_MIN_MONOID_FP64->identity));
    sl_vector_free(v);
}

/* The sum of `rows` x `cols` values x, by formulas. */
static sl_scalar sum_of_equal_values(sl_monoid monoid, sl_scalar x, uint64_t rows, uint64_t cols)
{
    const bool odd = rows % 2 && cols % 2, floats = x.type == SL_FP32 || x.type == SL_FP64;
    const sl_scalar none = monoid->identity;
    switch (monoid->code) {
    case SL_MONOID_PLUS:
        if (floats)
            return sl_scalar_cast(
                sl_scalar_fp64(sl_scalar_cast(x, SL_FP64).as.fp64_ * (double)rows * (double)cols),
                x.type);
        return sl_scalar_cast(
            sl_scalar_uint64(sl_scalar_cast(x, SL_UINT64).as.uint64_ * rows * cols), x.type);
    case SL_MONOID_TIMES: /* x is -1 */
    case SL_MONOID_LXOR:
    case SL_MONOID_LXNOR:
    case SL_MONOID_BXOR:
    case SL_MONOID_BXNOR:
        return odd ? x : none;
    default:
        return x;
    }
}

/* Full matrices with one stored value and more entries than 64 bits count, over every monoid. */
static void test_sum_of_uncounted_entries(void **state)
{
    static const uint64_t shapes[][2] = {{1L << 40, 1L << 40},
                                         {(1L << 32) + 1, (1L << 35) + 3},
                                         {3, 1L << 60},
                                         {1L << 60, (1L << 60) - 1}};
    for (int code = 0; code < SL_MONOID_COUNT; code++)
        for (int type = 0; type < SL_TYPE_COUNT; type++)
            for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
                const sl_monoid monoid = sl_monoid_get(code, type);
                const uint64_t rows = shapes[k][0], cols = shapes[k][1];
                if (!monoid)
                    continue;
                const sl_scalar x =
                    sl_scalar_cast(sl_scalar_int8(code == SL_MONOID_TIMES ? -1 : 2), (sl_type)type);
                sl_matrix *A = new_matrix((sl_type)type, rows, cols);
                OK(ctx, sl_matrix_assign_scalar(A, NULL, NULL, x, SL_ALL, 0, SL_ALL, 0, NULL));
                const sl_scalar right = sum_of_equal_values(monoid, x, rows, cols);
                sl_scalar sum;
                OK(ctx, sl_matrix_reduce(&sum, NULL, monoid, A));
                if (!sl_scalar_equal(sum, right))
                    fail_msg("%s of shape number %d is wrong", monoid->name, (int)k);
                sl_vector *w = new_vector((sl_type)type, rows);
                OK(ctx, sl_matrix_reduce_rows(w, NULL, NULL, monoid, A, NULL));
                OK(ctx, sl_vector_get(&sum, w, rows - 1));
                assert_true(sl_scalar_equal(sum, sum_of_equal_values(monoid, x, 1, cols)));
                OK(ctx, sl_vector_reduce(&sum, NULL, monoid, w));
                assert_true(sl_scalar_equal(sum, right));
                sl_vector_free(w);
                sl_matrix_free(A);
            }
}

/* Reduction of rows of length 0 has no entries, also with a mask and an accumulator. */
static void test_sums_of_empty_rows(void **state)
{
    sl_matrix *wide = new_matrix(SL_INT8, 0, 3), *tall = new_matrix(SL_INT8, 3, 0);
    sl_vector *w = new_vector(SL_INT8, 3);
    uint64_t nvals;
    OK(ctx, sl_vector_set(w, 1, sl_scalar_int8(4)));
    OK(ctx, sl_matrix_reduce_rows(w, NULL, SL_PLUS_INT8, SL_MIN_MONOID_INT8, tall, NULL));
    OK(ctx, sl_vector_nvals(&nvals, w));
    assert_int_equal(nvals, 1);
    OK(ctx, sl_matrix_reduce_rows(w, NULL, NULL, SL_MIN_MONOID_INT8, wide,
                                  sl_descriptor_get(SL_TRANSPOSE_A)));
    OK(ctx, sl_vector_nvals(&nvals, w));
    assert_int_equal(nvals, 0);
    sl_matrix_free(wide);
    sl_matrix_free(tall);
    sl_vector_free(w);
}

/* An entry is removed from a matrix that has just become full by setting an entry. */
static void test_removal_from_full_matrix(void **state)
{
    for (int last = 0; last < 2; last++) {
        sl_csr csr = {.nrows = 2, .ncols = 2, .type = SL_FP64};
        csr.start = sl_calloc(3, sizeof *csr.start);
        csr.index = sl_calloc(3, sizeof *csr.index);
        csr.values = sl_calloc(3, sizeof(double));
        csr.start[1] = 2;
        csr.start[2] = 3;
        csr.index[1] = 1;
        sl_matrix *A;
        OK(ctx, sl_matrix_take_csr(&A, ctx, &csr));
        OK(ctx, sl_matrix_set(A, 1, 1, sl_scalar_fp64(5)));
        OK(ctx, sl_matrix_remove(A, (uint64_t)last, (uint64_t)last));
        assert_int_equal(entries(A), 3);
        assert_true(value_at(A, (uint64_t)!last, (uint64_t)!last) == (last ? 0 : 5));
        sl_matrix_free(A);
    }
}

/* One matrix is the mask and both inputs, and its values are cast. */
static void test_mask_is_both_inputs(void **state)
{
    sl_csr csr = {.nrows = 3,
                  .ncols = 3,
                  .type = SL_UINT16,
                  .start = sl_malloc(4 * sizeof(uint64_t)),
                  .index = sl_malloc(6 * sizeof(uint64_t)),
                  .values = sl_malloc(6 * sizeof(uint16_t))};
    assert_true(csr.start && csr.index && csr.values);
    for (uint64_t k = 0; k < 6; k++) {
        csr.start[k / 2] = k / 2 * 2;
        csr.index[k] = k % 2 * 2;
        ((uint16_t *)csr.values)[k] = (uint16_t)(k + 1);
    }
    csr.start[3] = 6;
    sl_matrix *A, *C = new_matrix(SL_INT16, 3, 3);
    OK(ctx, sl_matrix_take_csr(&A, ctx, &csr));
    OK(ctx, sl_matrix_ewise_add(C, A, NULL, SL_SECOND_INT16, A, A,
                                sl_descriptor_get(SL_STRUCTURE | SL_REPLACE)));
    for (uint64_t k = 0; k < 6; k++) {
        sl_scalar value;
        OK(ctx, sl_matrix_get(&value, C, k / 2, k % 2 * 2));
        assert_int_equal(value.as.int16_, k + 1);
    }
    sl_matrix_free(A);
    sl_matrix_free(C);
}

/* Assignment of a scalar to all indices of a matrix from which an entry was removed. */
static void test_fill_after_removal(void **state)
{
    uint64_t nvals, rows[21], cols[21], count = 21;
    sl_matrix *A = new_matrix(SL_UINT8, 7, 3);
    OK(ctx, sl_matrix_set(A, 2, 1, sl_scalar_uint8(5)));
    OK(ctx, sl_matrix_nvals(&nvals, A));
    OK(ctx, sl_matrix_remove(A, 2, 1));
    OK(ctx, sl_matrix_assign_scalar(A, NULL, NULL, sl_scalar_uint8(1), SL_ALL, 0, SL_ALL, 0, NULL));
    OK(ctx, sl_matrix_nvals(&nvals, A));
    assert_int_equal(nvals, 21);
    OK(ctx, sl_matrix_extract_tuples(rows, cols, NULL, &count, A));
    assert_true(rows[20] == 6 && cols[20] == 2);
    sl_matrix_free(A);
}

/* A vector with an entry at every index grows after some were removed. */
static void test_growth_after_removal(void **state)
{
    enum { FEW = 64, MANY = 500 };
    uint64_t nvals, index[FEW];
    double values[FEW];
    for (uint64_t i = 0; i < FEW; i++) {
        index[i] = i;
        values[i] = (double)(i + 1);
    }
    sl_vector *v = new_vector(SL_FP64, FEW);
    sl_arrays arrays;
    OK(ctx, sl_vector_build(v, index, values, FEW, NULL));
    OK(ctx, sl_vector_give(&arrays, &v, SL_FORMAT_LIST));
    OK(ctx, sl_vector_take(&v, ctx, &arrays));
    for (uint64_t i = 0; i < FEW; i += 4)
        OK(ctx, sl_vector_remove(v, i));
    OK(ctx, sl_vector_resize(v, MANY));
    OK(ctx, sl_vector_set(v, MANY - 1, sl_scalar_fp64(3)));
    OK(ctx, sl_vector_nvals(&nvals, v));
    assert_int_equal(nvals, FEW - FEW / 4 + 1);
    for (uint64_t i = 0; i < FEW; i++) {
        sl_scalar x;
        sl_status status = sl_vector_get(&x, v, i);
        assert_int_equal(status, i % 4 == 0 ? SL_NO_VALUE : SL_OK);
        assert_true(status != SL_OK || x.as.fp64_ == (double)(i + 1));
    }
    sl_vector_free(v);
}

/* A condition on values reads them in its own type: -2 is 254 as uint8. */
static void test_condition_of_another_type(void **state)
{
    static const int16_t values[] = {-2, 1, 2, 7, 258};
    static const uint64_t index[] = {0, 1, 2, 3, 4};
    uint64_t kept[5], count = 5;
    sl_vector *v = new_vector(SL_INT16, 6), *w = new_vector(SL_INT16, 6);
    OK(ctx, sl_vector_build(v, index, values, 5, NULL));
    OK(ctx, sl_vector_select(w, NULL, NULL, SL_VALUEGT_UINT8, v, sl_scalar_uint8(2), NULL));
    OK(ctx, sl_vector_extract_tuples(kept, NULL, &count, w));
    assert_int_equal(count, 2);
    assert_true(kept[0] == 0 && kept[1] == 3);
    sl_scalar x;
    OK(ctx, sl_vector_get(&x, w, 0));
    assert_int_equal(x.as.int16_, -2);
    sl_vector_free(v);
    sl_vector_free(w);
}

/* Diagonals far outside of the matrix: i + k must not overflow. */
static void test_distant_diagonals(void **state)
{
    static const int64_t thunks[] = {INT64_MAX, INT64_MIN};
    sl_matrix *A = new_matrix(SL_INT64, 3, 3), *C = new_matrix(SL_BOOL, 3, 3);
    OK(ctx, sl_matrix_assign_scalar(A, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, SL_ALL, 0, NULL));
    for (int k = 0; k < 2; k++) {
        sl_scalar thunk = sl_scalar_int64(thunks[k]), value;
        uint64_t nvals;
        OK(ctx, sl_matrix_apply_index(C, NULL, NULL, SL_TRIL_BOOL, A, thunk, NULL));
        for (uint64_t i = 0; i < 3; i++) {
            OK(ctx, sl_matrix_get(&value, C, i, 2 - i));
            assert_int_equal(value.as.bool_, k == 0);
        }
        OK(ctx, sl_matrix_apply_index(C, NULL, NULL, SL_TRIU_BOOL, A, thunk, NULL));
        for (uint64_t i = 0; i < 3; i++) {
            OK(ctx, sl_matrix_get(&value, C, i, 2 - i));
            assert_int_equal(value.as.bool_, k == 1);
        }
        OK(ctx, sl_matrix_select(C, NULL, NULL, SL_TRIL_BOOL, A, thunk, NULL));
        OK(ctx, sl_matrix_nvals(&nvals, C));
        assert_int_equal(nvals, k == 0 ? 9 : 0);
        OK(ctx, sl_matrix_select(C, NULL, NULL, SL_OFFDIAG_BOOL, A, thunk, NULL));
        OK(ctx, sl_matrix_nvals(&nvals, C));
        assert_int_equal(nvals, 9);
    }
    sl_matrix_free(A);
    sl_matrix_free(C);
}

/* A full result is written to an output that was full with one stored value (iso). */
static void test_full_result_into_iso_output(void **state)
{
    enum { N = 2000 };
    sl_vector *u = new_vector(SL_FP64, N), *w = new_vector(SL_FP64, N);
    for (uint64_t i = 0; i < N; i++)
        OK(ctx, sl_vector_set(u, i, sl_scalar_fp64((double)i)));
    for (int mult = 0; mult < 2; mult++) {
        OK(ctx, sl_vector_assign_scalar(w, NULL, NULL, sl_scalar_fp64(7), SL_ALL, 0, NULL));
        OK(ctx, (mult ? sl_vector_ewise_mult : sl_vector_ewise_add)(w, NULL, NULL, SL_PLUS_FP64, u,
                                                                    u, NULL));
        for (uint64_t i = 0; i < N; i++) {
            sl_scalar value;
            OK(ctx, sl_vector_get(&value, w, i));
            assert_true(value.as.fp64_ == 2 * (double)i);
        }
    }
    /* With the complement of a full mask, nothing is written. */
    OK(ctx, sl_vector_assign_scalar(w, NULL, NULL, sl_scalar_fp64(7), SL_ALL, 0, NULL));
    OK(ctx,
       sl_vector_ewise_add(w, NULL, NULL, SL_PLUS_FP64, u, u, sl_descriptor_get(SL_COMPLEMENT)));
    assert_int_equal(vector_entries(w), N);
    sl_vector_free(u);
    sl_vector_free(w);
}

/* The product of an m x 0 and a 0 x n matrix has no entries. */
static void test_products_of_length_zero(void **state)
{
    sl_matrix *tall = new_matrix(SL_FP64, 2, 0), *wide = new_matrix(SL_FP64, 0, 4);
    sl_matrix *C = new_matrix(SL_FP64, 2, 4);
    for (int b = 0; b < 2; b++) {
        sl_matrix *B = b ? tall : wide;
        OK(ctx,
           sl_matrix_assign_scalar(B, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, SL_ALL, 0, NULL));
    }
    OK(ctx, sl_mxm(C, NULL, NULL, SL_PLUS_PAIR_UINT16, tall, wide, NULL));
    assert_int_equal(entries(C), 0);
    OK(ctx, sl_matrix_set(C, 1, 1, sl_scalar_fp64(3)));
    OK(ctx, sl_mxm(C, NULL, SL_PLUS_FP64, SL_PLUS_PAIR_UINT16, tall, wide, NULL));
    assert_int_equal(entries(C), 1);
    sl_matrix_free(tall);
    sl_matrix_free(wide);
    sl_matrix_free(C);
}

/* The tuples of a product are sorted, whatever the order in which the sums were computed. */
static void test_tuples_in_order(void **state)
{
    enum { SIDE = 4000, DEGREE = 8, ROOM = SIDE * DEGREE * DEGREE };
    uint64_t seed = 1, count = ROOM, *rows = sl_malloc(ROOM * 8), *cols = sl_malloc(ROOM * 8);
    assert_true(rows && cols);
    sl_matrix *A = new_matrix(SL_FP64, SIDE, SIDE), *C = new_matrix(SL_FP64, SIDE, SIDE);
    sl_vector *u = new_vector(SL_FP64, SIDE), *w = new_vector(SL_FP64, SIDE);
    for (uint64_t k = 0; k < SIDE * DEGREE; k++)
        OK(ctx, sl_matrix_set(A, k / DEGREE, test_random(&seed) % SIDE, sl_scalar_fp64(1)));
    OK(ctx, sl_mxm(C, NULL, NULL, SL_PLUS_TIMES_FP64, A, A, NULL));
    OK(ctx, sl_matrix_extract_tuples(rows, cols, NULL, &count, C));
    for (uint64_t k = 1; k < count; k++)
        assert_true(rows[k - 1] < rows[k] || (rows[k - 1] == rows[k] && cols[k - 1] < cols[k]));
    for (uint64_t i = 0; i < SIDE; i += 997)
        OK(ctx, sl_vector_set(u, i, sl_scalar_fp64(1)));
    OK(ctx, sl_vxm(w, NULL, NULL, SL_PLUS_TIMES_FP64, u, A, NULL));
    count = SIDE;
    OK(ctx, sl_vector_extract_tuples(rows, NULL, &count, w));
    for (uint64_t k = 1; k < count; k++)
        assert_true(rows[k - 1] < rows[k]);
    sl_free(rows);
    sl_free(cols);
    sl_matrix_free(A);
    sl_matrix_free(C);
    sl_vector_free(u);
    sl_vector_free(w);
}

/* Products of a 0 x 0 matrix and vectors of size 0. */
static void test_vectors_of_size_zero(void **state)
{
    sl_matrix *A = new_matrix(SL_INT16, 0, 0);
    sl_vector *u = new_vector(SL_UINT64, 0), *w = new_vector(SL_UINT64, 0);
    sl_descriptor turned = sl_descriptor_get(SL_TRANSPOSE_A | SL_TRANSPOSE_B);
    OK(ctx, sl_vxm(w, u, SL_MIN_UINT64, SL_MIN_TIMES_UINT64, u, A, turned));
    OK(ctx, sl_mxv(w, u, SL_MIN_UINT64, SL_MIN_TIMES_UINT64, A, u, turned));
    sl_matrix_free(A);
    sl_vector_free(u);
    sl_vector_free(w);
}

/* A thunk that is not 0 is cast to true, also a fraction. */
static void test_fraction_is_true(void **state)
{
    sl_vector *u = new_vector(SL_BOOL, 6), *w = new_vector(SL_BOOL, 6);
    for (uint64_t i = 0; i < 6; i++)
        OK(ctx, sl_vector_set(u, i, sl_scalar_bool(i % 2)));
    OK(ctx, sl_vector_select(w, NULL, NULL, SL_VALUEGE_BOOL, u, sl_scalar_fp64(0.5), NULL));
    assert_int_equal(vector_entries(w), 3);
    OK(ctx, sl_vector_select(w, NULL, NULL, SL_VALUELT_BOOL, u, sl_scalar_fp32(-0.5f), NULL));
    assert_int_equal(vector_entries(w), 3);
    sl_vector_free(u);
    sl_vector_free(w);
}

/* Resizing a matrix without entries, in each storage format. parity.operations also detects
 * accesses past the ends of arrays. */
static void test_resize_of_empty_matrix(void **state)
{
    for (int kept = 0; kept < 2; kept++) {
        sl_matrix *A = new_matrix(SL_FP64, 5, 2);
        sl_scalar one = sl_scalar_fp64(1);
        if (kept)
            OK(ctx, sl_matrix_assign_scalar(A, NULL, NULL, one, SL_ALL, 0, SL_ALL, 0, NULL));
        for (uint64_t k = 0; kept && k < 10; k++)
            OK(ctx, sl_matrix_remove(A, k / 2, k % 2));
        OK(ctx, sl_matrix_resize(A, 1, 9));
        assert_true(sl_matrix_nrows(A) == 1 && sl_matrix_ncols(A) == 9 && entries(A) == 0);
        OK(ctx, sl_matrix_set(A, 0, 8, one));
        OK(ctx, sl_matrix_resize(A, 3, 9));
        assert_true(entries(A) == 1 && value_at(A, 0, 8) == 1);
        sl_matrix_free(A);
    }
}

/* C<M, replace> = C .* B, where C has entries in one row of many; C is an input, both, or the mask. */
static void test_replaced_inputs(void **state)
{
    enum { N = 35, ROW = 20 };
    const sl_descriptor replace = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE);
    for (int which = 0; which < 8; which++) {
        sl_matrix *C = new_matrix(SL_INT64, N, N), *B = new_matrix(SL_INT64, N, N);
        for (uint64_t j = 0; j < N; j += 2) {
            OK(ctx, sl_matrix_set(C, ROW, j, sl_scalar_int64((int64_t)j)));
            OK(ctx, sl_matrix_set(B, ROW, j, sl_scalar_int64((int64_t)j)));
        }
        OK(ctx, sl_matrix_ewise_mult(C, which & 1 ? C : NULL, NULL, SL_PLUS_INT64,
                                     which & 2 ? C : B, which & 4 ? C : B, replace));
        assert_int_equal(entries(C), (N + 1) / 2);
        for (uint64_t j = 0; j < N; j += 2)
            assert_true(value_at(C, ROW, j) == 2 * (double)j);
        sl_matrix_free(C);
        sl_matrix_free(B);
    }
}

/* A matrix whose entries an operation under a mask has removed is built again. */
static void test_build_after_masked_removal(void **state)
{
    enum { N = 18 };
    const uint64_t rows[] = {1, 2}, cols[] = {1, 1};
    const int64_t values[] = {5, 6};
    sl_matrix *C = new_matrix(SL_INT64, N, N), *A = new_matrix(SL_INT64, N, N);
    for (uint64_t k = 0; k < N; k++) {
        OK(ctx, sl_matrix_set(C, k, 2 * k % N, sl_scalar_int64((int64_t)k)));
        OK(ctx, sl_matrix_set(A, k, 2 * k % N, sl_scalar_int64(1)));
    }
    OK(ctx, sl_matrix_select(C, A, NULL, SL_VALUEGT_INT64, A, sl_scalar_int64(99), NULL));
    assert_int_equal(entries(C), 0);
    OK(ctx, sl_matrix_build(C, rows, cols, values, 2, NULL));
    assert_true(entries(C) == 2 && value_at(C, 1, 1) == 5 && value_at(C, 2, 1) == 6);
    sl_matrix_free(C);
    sl_matrix_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum_of_removed_entries),
        cmocka_unit_test(test_sum_of_uncounted_entries),
        cmocka_unit_test(test_sums_of_empty_rows),
        cmocka_unit_test(test_removal_from_full_matrix),
        cmocka_unit_test(test_mask_is_both_inputs),
        cmocka_unit_test(test_fill_after_removal),
        cmocka_unit_test(test_growth_after_removal),
        cmocka_unit_test(test_condition_of_another_type),
        cmocka_unit_test(test_distant_diagonals),
        cmocka_unit_test(test_full_result_into_iso_output),
        cmocka_unit_test(test_products_of_length_zero),
        cmocka_unit_test(test_tuples_in_order),
        cmocka_unit_test(test_vectors_of_size_zero),
        cmocka_unit_test(test_fraction_is_true),
        cmocka_unit_test(test_resize_of_empty_matrix),
        cmocka_unit_test(test_replaced_inputs),
        cmocka_unit_test(test_build_after_masked_removal),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
