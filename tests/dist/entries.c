/* Building, reading and gathering objects on a grid, and the errors of invalid arguments. */
#include "ranks.h"

#include "exchanges.h"

#include <inttypes.h>

static sl_context *ctx;
static int rank, ranks;

static void open_grid(int rows, int cols)
{
    assert_int_equal(
        sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE), SL_OK);
}

static sl_vector *new_vector(sl_type type, uint64_t size)
{
    sl_vector *v;
    assert_ok(ctx, sl_vector_new(&v, ctx, type, size));
    return v;
}

static sl_matrix *new_matrix(sl_type type, uint64_t nrows, uint64_t ncols)
{
    sl_matrix *A;
    assert_ok(ctx, sl_matrix_new(&A, ctx, type, nrows, ncols));
    return A;
}

/* Each rank passes one tuple of the same indices: they are combined in the order of the ranks. */
static void duplicates_of_different_ranks(void **unused)
{
    const uint64_t at = 5;
    const int64_t value = 10 + rank;
    sl_scalar x;
    open_grid(some_rows(), 0);
    const struct {
        sl_binary_op dup;
        int64_t result;
    } cases[] = {{SL_FIRST_INT64, 10},
                 {SL_SECOND_INT64, 9 + ranks},
                 {SL_PLUS_INT64, 10 * ranks + ranks * (ranks - 1) / 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sl_vector *v = new_vector(SL_INT64, 9);
        sl_matrix *A = new_matrix(SL_INT64, 9, 9);
        assert_ok(ctx, sl_vector_build(v, &at, &value, 1, cases[k].dup));
        assert_ok(ctx, sl_vector_get(&x, v, at));
        assert_int_equal(x.as.int64_, cases[k].result);
        assert_ok(ctx, sl_matrix_build(A, &at, &at, &value, 1, cases[k].dup));
        assert_ok(ctx, sl_matrix_get(&x, A, at, at));
        assert_int_equal(x.as.int64_, cases[k].result);
        sl_vector_free(v);
        sl_matrix_free(A);
    }
    sl_vector *v = new_vector(SL_INT64, 9);
    assert_int_equal(sl_vector_build(v, &at, &value, 1, NULL), ranks > 1 ? SL_INVALID : SL_OK);
    uint64_t count;
    assert_ok(ctx, sl_vector_nvals(&count, v));
    assert_int_equal(count, ranks > 1 ? 0 : 1);
    sl_vector_free(v);
    sl_context_free(ctx);
}

/* An invalid tuple on one rank: the build fails on all ranks. */
static void one_rank_passes_an_invalid_tuple(void **unused)
{
    open_grid(some_rows(), 0);
    for (int wrong = 0; wrong < ranks; wrong++) {
        uint64_t row = (uint64_t)rank, col = rank == wrong ? 100 : 3, count;
        sl_matrix *A = new_matrix(SL_FP64, 100, 100);
        assert_int_equal(sl_matrix_build(A, &row, &col, NULL, 1, NULL), SL_OUT_OF_RANGE);
        assert_non_null(strstr(sl_context_message(ctx), "column 100"));
        assert_ok(ctx, sl_matrix_nvals(&count, A));
        assert_int_equal(count, 0);
        const uint64_t *rows = rank == wrong ? NULL : &row;
        assert_int_equal(sl_matrix_build(A, rows, &row, NULL, 1, NULL), SL_INVALID);
        assert_non_null(strstr(sl_context_message(ctx), "rows is NULL"));
        sl_matrix_free(A);
    }
    sl_context_free(ctx);
}

/* Values on some ranks only: those of the other ranks are 1. No values on any rank: a pattern. */
static void some_ranks_pass_no_values(void **unused)
{
    open_grid(some_rows(), 0);
    uint64_t at = (uint64_t)rank;
    double five = 5;
    bool pattern;
    sl_matrix *A = new_matrix(SL_FP64, 20, 20), *B = new_matrix(SL_FP64, 20, 20);
    assert_ok(ctx, sl_matrix_build(A, &at, &at, rank == 0 ? &five : NULL, 1, NULL));
    for (int r = 0; r < ranks; r++) {
        sl_scalar x;
        assert_ok(ctx, sl_matrix_get(&x, A, (uint64_t)r, (uint64_t)r));
        assert_true(x.as.fp64_ == (r == 0 ? 5 : 1));
        assert_int_equal(sl_matrix_get(&x, A, (uint64_t)r, 19), SL_NO_VALUE);
    }
    assert_ok(ctx, sl_matrix_is_pattern(&pattern, A));
    assert_false(pattern);
    assert_ok(ctx, sl_matrix_build(B, &at, &at, NULL, rank == 0, NULL));
    assert_ok(ctx, sl_matrix_is_pattern(&pattern, B));
    assert_true(pattern);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_context_free(ctx);
}

/* The result of an operation that reads an object travels with the agreement at its end; a count needs no other. */
static void results_travel_with_agreements(void **unused)
{
    open_grid(some_rows(), 0);
    uint64_t at = (uint64_t)rank, count;
    bool pattern;
    sl_matrix *A = new_matrix(SL_FP64, 20, 20);
    assert_ok(ctx, sl_matrix_build(A, &at, &at, NULL, 1, NULL));
    new_exchanges();
    assert_ok(ctx, sl_matrix_is_pattern(&pattern, A));
    assert_exchanges(2, 0, 0);
    assert_ok(ctx, sl_matrix_nvals(&count, A));
    assert_exchanges(1, 0, 0);
    assert_int_equal(count, ranks);
    sl_matrix_free(A);
    sl_context_free(ctx);
}

/* Each rank extracts the tuples that it owns; all ranks together extract all. */
static void ranks_extract_their_own_tuples(void **unused)
{
    enum { N = 3000 };
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        open_grid(rows, cols);
        sl_matrix *A = new_matrix(SL_INT64, N, N);
        static uint64_t at[2][N];
        static int64_t values[N];
        uint64_t mine = 0, own, total = 0, room;
        for (uint64_t k = (uint64_t)rank; k < N; k += (uint64_t)ranks) {
            at[0][mine] = k * 7 % N;
            at[1][mine] = k * 11 % N;
            values[mine++] = (int64_t)k;
        }
        assert_ok(ctx, sl_matrix_build(A, at[0], at[1], values, mine, NULL));
        own = 0;
        assert_ok(ctx, sl_matrix_extract_tuples(NULL, NULL, NULL, &own, A));
        MPI_Allreduce(&own, &total, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
        assert_int_equal(total, N);
        room = rank == ranks - 1 && own > 0 ? own - 1 : N;
        bool too_small = rank == ranks - 1 && own > 0;
        MPI_Bcast(&too_small, 1, MPI_C_BOOL, ranks - 1, MPI_COMM_WORLD);
        assert_int_equal(sl_matrix_extract_tuples(at[0], NULL, NULL, &room, A),
                         too_small ? SL_MISMATCH : SL_OK);
        room = N;
        assert_ok(ctx, sl_matrix_extract_tuples(at[0], at[1], values, &room, A));
        assert_int_equal(room, own);
        for (uint64_t k = 0; k < own; k++) {
            int owner;
            assert_int_equal(sl_grid_matrix_owner(&owner, A, at[0][k], at[1][k]), SL_OK);
            assert_int_equal(owner, rank);
            assert_int_equal(at[0][k], values[k] * 7 % N);
            assert_int_equal(at[1][k], values[k] * 11 % N);
            if (k > 0)
                assert_true(at[0][k - 1] < at[0][k] ||
                            (at[0][k - 1] == at[0][k] && at[1][k - 1] < at[1][k]));
        }
        sl_matrix_free(A);
        sl_context_free(ctx);
    }
}

/* More entries than fit one message, from one rank to all and back to one. */
static void many_entries_in_several_messages(void **unused)
{
    enum { N = 1000, COUNT = 400000 };
    open_grid(some_rows(), 0);
    uint64_t count = rank == 0 ? COUNT : 0;
    uint64_t *rows = malloc(COUNT * sizeof *rows), *cols = malloc(COUNT * sizeof *cols);
    uint32_t *values = malloc(COUNT * sizeof *values);
    assert_true(rows && cols && values);
    for (uint64_t k = 0; k < count; k++) {
        rows[k] = (k * 7919 % COUNT) / 400;
        cols[k] = (k * 7919 % COUNT) % 400 * 2;
        values[k] = (uint32_t)(rows[k] * N + cols[k]);
    }
    sl_matrix *A = new_matrix(SL_UINT32, N, N);
    sl_arrays all;
    assert_ok(ctx, sl_matrix_build(A, rows, cols, values, count, NULL));
    assert_ok(ctx, sl_grid_gather_matrix(&all, A, ranks - 1));
    if (rank == ranks - 1) {
        assert_int_equal(all.format, SL_FORMAT_COO);
        assert_int_equal(all.nvals, COUNT);
        for (uint64_t k = 0; k < COUNT; k++) {
            assert_int_equal(all.rows[k], k / 400);
            assert_int_equal(all.cols[k], k % 400 * 2);
            assert_int_equal(((uint32_t *)all.values)[k], all.rows[k] * N + all.cols[k]);
        }
    } else {
        assert_null(all.rows);
        assert_int_equal(all.nvals, 0);
    }
    sl_arrays_free(&all);
    sl_matrix_free(A);
    free(rows);
    free(cols);
    free(values);
    sl_context_free(ctx);
}

static void invalid_arguments_of_gather(void **unused)
{
    open_grid(some_rows(), 0);
    sl_arrays arrays;
    sl_vector *v = new_vector(SL_FP32, 10);
    assert_ok(ctx, sl_vector_set(v, 7, sl_scalar_fp32(2)));
    assert_int_equal(sl_grid_gather_vector(&arrays, v, ranks), SL_INVALID);
    assert_int_equal(sl_grid_gather_vector(&arrays, v, -1), SL_INVALID);
    assert_int_equal(sl_grid_gather_vector(rank == 0 ? NULL : &arrays, v, 0), SL_INVALID);
    if (ranks > 1)
        assert_int_equal(sl_grid_gather_vector(&arrays, v, rank), SL_MISMATCH);
    assert_ok(ctx, sl_grid_gather_vector(&arrays, v, 0));
    assert_int_equal(arrays.nvals, rank == 0 ? 1 : 0);
    if (rank == 0)
        assert_int_equal(arrays.rows[0], 7);
    sl_arrays_free(&arrays);
    sl_vector_free(v);
    sl_context_free(ctx);
}

/* Unsupported operations, and calls that differ between ranks. */
static void error_messages_name_the_argument(void **unused)
{
    open_grid(some_rows(), 0);
    sl_matrix *A = new_matrix(SL_FP64, 10, 10);
    sl_vector *v = new_vector(SL_FP64, 10), *w = new_vector(SL_FP64, 10);
    sl_arrays arrays;
    assert_ok(ctx, sl_matrix_set(A, 1, 2, sl_scalar_fp64(1)));
    if (ranks > 1) {
        assert_int_equal(sl_matrix_copy_out(&arrays, A, SL_FORMAT_CSR), SL_UNSUPPORTED);
        assert_non_null(strstr(sl_context_message(ctx), "copy_out"));
        assert_non_null(strstr(sl_context_message(ctx), "engine grid: arrays of one process"));
    } else {
        assert_ok(ctx, sl_matrix_copy_out(&arrays, A, SL_FORMAT_CSR));
        assert_int_equal(arrays.nvals, 1);
        sl_arrays_free(&arrays);
    }
    assert_ok(ctx, sl_context_set_threads(ctx, 1));
    uint64_t index = rank == 0 ? 1 : 2;
    if (ranks > 1) {
        assert_int_equal(sl_vector_set(v, index, sl_scalar_fp64(1)), SL_MISMATCH);
        assert_int_equal(sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_fp64(1), &index, 1, NULL),
                         SL_MISMATCH);
        sl_semiring s = rank == 0 ? SL_PLUS_TIMES_FP64 : SL_MIN_PLUS_FP64;
        assert_int_equal(sl_vxm(w, NULL, NULL, s, v, A, NULL), SL_MISMATCH);
        assert_int_equal(rank == 0 ? sl_vxm(w, NULL, NULL, s, v, A, NULL)
                                   : sl_mxv(w, NULL, NULL, s, A, v, NULL),
                         SL_MISMATCH);
        assert_non_null(strstr(sl_context_message(ctx), "called mxv, but rank 0 vxm"));
    }
    assert_int_equal(sl_vector_set(v, rank == ranks - 1 ? 10 : 1, sl_scalar_fp64(1)),
                     SL_OUT_OF_RANGE);
    sl_vector_free(v);
    sl_vector_free(w);
    sl_matrix_free(A);
    sl_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(duplicates_of_different_ranks),
        cmocka_unit_test(one_rank_passes_an_invalid_tuple),
        cmocka_unit_test(some_ranks_pass_no_values),
        cmocka_unit_test(results_travel_with_agreements),
        cmocka_unit_test(ranks_extract_their_own_tuples),
        cmocka_unit_test(many_entries_in_several_messages),
        cmocka_unit_test(invalid_arguments_of_gather),
        cmocka_unit_test(error_messages_name_the_argument),
    };
    MPI_Init(NULL, NULL);
    rank = world_rank();
    ranks = world_size();
    return run_ranks("entries", tests, sizeof tests / sizeof *tests);
}
