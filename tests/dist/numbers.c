/* On every shape of grid: slices and whole copies of objects, results with more entries than memory
 * could hold, casts of elementwise sums, shortest paths with large lengths. */
#include "ranks.h"

enum { SIDE = 11, ENTRIES = 40 };

static sl_context *ctx;

static void for_each_grid(void (*test)(void))
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        assert_int_equal(
            sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE), SL_OK);
        test();
        sl_context_free(ctx);
    }
}

static sl_matrix *new_matrix(sl_type type, uint64_t size)
{
    sl_matrix *A;
    assert_ok(ctx, sl_matrix_new(&A, ctx, type, size, size));
    return A;
}

static sl_vector *new_vector(sl_type type, uint64_t size)
{
    sl_vector *v;
    assert_ok(ctx, sl_vector_new(&v, ctx, type, size));
    return v;
}

/* ---- copies ------------------------------------------------------------------------ */

/* Entry number k of the matrix, in the order of rows and columns. */
static uint64_t row_of(uint64_t k)
{
    return 3 * k / SIDE;
}
static uint64_t col_of(uint64_t k)
{
    return 3 * k % SIDE;
}

/* The arrays hold the entries with a row from `begin` to `end` - 1. Frees them. */
static void expect(sl_arrays *got, bool is_matrix, bool pattern, uint64_t begin, uint64_t end)
{
    uint64_t at = 0;
    for (uint64_t k = 0; k < (is_matrix ? ENTRIES : SIDE); k += is_matrix ? 1 : 2) {
        const uint64_t row = is_matrix ? row_of(k) : k;
        if (row < begin || row >= end)
            continue;
        assert_true(at < got->nvals);
        assert_int_equal(got->rows[at], row);
        if (is_matrix)
            assert_int_equal(got->cols[at], col_of(k));
        if (!pattern)
            assert_true(((const double *)got->values)[got->iso ? 0 : at] == (double)k);
        at++;
    }
    assert_int_equal(got->nvals, at);
    assert_true(!pattern || !got->values);
    sl_arrays_free(got);
}

/* Each rank builds its part. */
static sl_matrix *make_matrix(bool pattern)
{
    uint64_t rows[ENTRIES], cols[ENTRIES], begin, end;
    double values[ENTRIES];
    for (uint64_t k = 0; k < ENTRIES; k++) {
        rows[k] = row_of(k);
        cols[k] = col_of(k);
        values[k] = (double)k;
    }
    sl_matrix *A = new_matrix(pattern ? SL_BOOL : SL_FP64, SIDE);
    sl_context_local_range(ctx, ENTRIES, &begin, &end);
    assert_ok(ctx, sl_matrix_build(A, rows + begin, cols + begin, pattern ? NULL : values + begin,
                                   end - begin, NULL));
    return A;
}

static void copies_on_a_grid(void)
{
    sl_arrays arrays;
    uint64_t begin, end;
    sl_context_local_range(ctx, SIDE, &begin, &end);
    for (int pattern = 0; pattern < 2; pattern++) {
        sl_matrix *A = make_matrix(pattern);
        assert_ok(ctx, sl_matrix_copy_slice(&arrays, A));
        expect(&arrays, true, pattern, begin, end);
        assert_ok(ctx, sl_matrix_copy_whole(&arrays, A));
        expect(&arrays, true, pattern, 0, SIDE);
        sl_matrix_free(A);
    }
    sl_vector *v = new_vector(SL_FP64, SIDE);
    for (uint64_t i = 0; i < SIDE; i += 2)
        assert_ok(ctx, sl_vector_set(v, i, sl_scalar_fp64((double)i)));
    assert_ok(ctx, sl_vector_copy_slice(&arrays, v));
    expect(&arrays, false, false, begin, end);
    assert_ok(ctx, sl_vector_copy_whole(&arrays, v));
    expect(&arrays, false, false, 0, SIDE);
    sl_vector_free(v);
}

static void copies(void **unused)
{
    for_each_grid(copies_on_a_grid);
}

/* ---- results ------------------------------------------------------------------------- */

static void huge_results_on_a_grid(void)
{
    const uint64_t n = (uint64_t)1 << 59, half[] = {0, n / 2, 1};
    const sl_scalar x = sl_scalar_fp64(1);
    sl_vector *w = new_vector(SL_FP64, n), *empty = new_vector(SL_BOOL, n);
    uint64_t count;
    assert_int_equal(sl_vector_assign_scalar(w, NULL, SL_PLUS_FP64, x, SL_ALL, 0, NULL),
                     SL_NO_MEMORY);
    assert_non_null(strstr(sl_context_message(ctx), "cannot hold them"));
    assert_int_equal(sl_vector_assign_scalar(w, NULL, NULL, x, half, SL_RANGE, NULL), SL_NO_MEMORY);
    assert_int_equal(
        sl_vector_assign_scalar(w, empty, NULL, x, SL_ALL, 0, sl_descriptor_get(SL_COMPLEMENT)),
        SL_NO_MEMORY);
    assert_ok(ctx, sl_vector_nvals(&count, w));
    assert_int_equal(count, 0);
    sl_vector_free(w);
    sl_vector_free(empty);
}

static void huge_results(void **unused)
{
    for_each_grid(huge_results_on_a_grid);
}

/* -3.0 is true, although as an operand of gt_uint8 it is 0. */
static void sums_on_a_grid(void)
{
    sl_matrix *A = new_matrix(SL_FP64, 5), *B = new_matrix(SL_UINT8, 5),
              *C = new_matrix(SL_BOOL, 5);
    for (uint64_t i = 0; i < 5; i++)
        assert_ok(ctx, sl_matrix_set(A, i, 4 - i, sl_scalar_fp64(-3)));
    for (unsigned flags = 0; flags <= SL_TRANSPOSE_A; flags += SL_TRANSPOSE_A) {
        assert_ok(ctx,
                  sl_matrix_ewise_add(C, NULL, NULL, SL_GT_UINT8, A, B, sl_descriptor_get(flags)));
        for (uint64_t i = 0; i < 5; i++) {
            sl_scalar value;
            assert_ok(ctx, sl_matrix_get(&value, C, i, 4 - i));
            assert_true(value.as.bool_);
        }
    }
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(C);
}

static void sums(void **unused)
{
    for_each_grid(sums_on_a_grid);
}

/* A sum of lengths out of range beside a shorter path, and a distance out of range. */
static void large_lengths_on_a_grid(void)
{
    const int64_t large = (int64_t)5 << 60;
    sl_matrix *A = new_matrix(SL_INT64, 6);
    sl_vector *distance, *parent;
    sl_scalar d;
    assert_ok(ctx, sl_matrix_set(A, 0, 1, sl_scalar_int64(large)));
    assert_ok(ctx, sl_matrix_set(A, 1, 2, sl_scalar_int64(large)));
    assert_ok(ctx, sl_matrix_set(A, 0, 2, sl_scalar_int64(large + 7)));
    assert_ok(ctx, sl_sssp(&distance, &parent, A, 0));
    assert_ok(ctx, sl_vector_get(&d, distance, 2));
    assert_int_equal(d.as.int64_, large + 7);
    sl_vector_free(distance);
    sl_vector_free(parent);
    assert_ok(ctx, sl_matrix_set(A, 2, 3, sl_scalar_int64(large)));
    assert_int_equal(sl_sssp(&distance, &parent, A, 0), SL_OUT_OF_RANGE);
    assert_non_null(strstr(sl_context_message(ctx), "vertex 3 is above the range of int64"));
    sl_matrix_free(A);
}

static void large_lengths(void **unused)
{
    for_each_grid(large_lengths_on_a_grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies), cmocka_unit_test(huge_results),
                                       cmocka_unit_test(sums), cmocka_unit_test(large_lengths)};
    return run_ranks("numbers", tests, sizeof tests / sizeof *tests);
}
