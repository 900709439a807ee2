/* Products of matrices on every grid of the ranks, compared with SuiteSparse in one process; and what ranks receive
 * for them. */
#include "mxm_cases.h"
#include "support.h"

static void products_on_every_grid(void **unused)
{
    for (int rows = 0, cols, grid = 0; next_grid(&rows, &cols); grid++) {
        sl_context *ctx;
        char what[64];
        snprintf(what, sizeof what, "grid %d x %d", rows, cols);
        assert_ok(NULL,
                  sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols,
                                         grid % 2 ? SL_ENGINE_SUITESPARSE : SL_ENGINE_OPENMP));
        try_products(ctx, (unsigned)test_number("SEMLA_TEST_TRIALS", 20),
                     test_number("SEMLA_TEST_SEED", 1) + (uint64_t)grid, true, NULL, what);
        sl_context_free(ctx);
    }
}

/* What all ranks received of blocks, in all encodings or in one. */
static uint64_t received(const sl_context *ctx, const char *codec)
{
    sl_grid_traffic t;
    uint64_t bytes = 0;
    for (size_t k = 0; sl_grid_get_traffic(&t, ctx, k) == SL_OK; k++)
        if (strcmp(t.phase, "blocks") == 0 && (!codec || strcmp(t.codec, codec) == 0))
            bytes += t.bytes;
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return bytes;
}

/* A rank receives every entry of A of its grid column once and of B of its grid row once, but its own: in at most 4
 * bytes for an index, and without values that the multiplication does not read. */
static void blocks_travel_as_rows(void **unused)
{
    enum { SIDE = 3000, EACH = 8 };
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        sl_matrix *C;
        uint64_t entries;
        assert_ok(NULL,
                  sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE));
        sl_matrix *A = random_square(ctx, SL_FP64, SIDE, EACH, 3);
        assert_ok(ctx, sl_matrix_nvals(&entries, A));
        assert_ok(ctx, sl_matrix_new(&C, ctx, SL_FP64, SIDE, SIDE));
        const uint64_t times = (uint64_t)(rows - 1 + cols - 1), heads = 2048;
        const struct {
            sl_semiring ring;
            uint64_t values; /* bytes of values for an entry that is received, at most */
        } cases[] = {{SL_PLUS_TIMES_FP64, 8}, {SL_PLUS_PAIR_FP64, 0}, {SL_MIN_SECONDI_INT64, 0}};
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            assert_ok(ctx, sl_grid_reset_traffic(ctx));
            assert_ok(ctx, sl_mxm(C, NULL, NULL, cases[k].ring, A, A, NULL));
            const uint64_t plain = received(ctx, "plain"), values = received(ctx, "values");
            assert_int_equal(plain > 0, times > 0);
            assert_true(plain <= times * (3 * entries + heads * (uint64_t)world_size()));
            assert_int_equal(values, times * entries * cases[k].values);
        }
        sl_matrix_free(A);
        sl_matrix_free(C);
        sl_context_free(ctx);
    }
}

/* A product of two rows of A sends their entries and the sums; the entries of the other factor stay. */
static void long_factors_stay(void **unused)
{
    enum { SIDE = 3000, EACH = 8, ROWS = 2 };
    const uint64_t sources[ROWS] = {5, SIDE - 7};
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        sl_matrix *few, *by_rows, *in_stages;
        bool equal;
        assert_ok(NULL,
                  sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE));
        sl_matrix *A = random_square(ctx, SL_FP64, SIDE, EACH, 3);
        assert_ok(ctx, sl_matrix_new(&few, ctx, SL_FP64, ROWS, SIDE));
        assert_ok(ctx, sl_matrix_extract(few, NULL, NULL, A, sources, ROWS, SL_ALL, 0, NULL));
        assert_ok(ctx, sl_matrix_new(&by_rows, ctx, SL_FP64, ROWS, SIDE));
        assert_ok(ctx, sl_grid_reset_traffic(ctx));
        assert_ok(ctx, sl_mxm(by_rows, NULL, NULL, SL_MIN_PLUS_FP64, few, A, NULL));
        assert_true(received(ctx, NULL) < (uint64_t)SIDE * EACH);
        assert_ok(ctx, sl_matrix_new(&in_stages, ctx, SL_FP64, ROWS, SIDE));
        setenv("SEMLA_DIST", "stages", 1);
        assert_ok(ctx, sl_mxm(in_stages, NULL, NULL, SL_MIN_PLUS_FP64, few, A, NULL));
        unsetenv("SEMLA_DIST");
        assert_ok(ctx, sl_matrix_equal(&equal, by_rows, in_stages));
        assert_true(equal);
        sl_matrix_free(in_stages);
        sl_matrix_free(by_rows);
        sl_matrix_free(few);
        sl_matrix_free(A);
        sl_context_free(ctx);
    }
}

/* What all ranks received, but blocks. */
static uint64_t received_of_others(const sl_context *ctx)
{
    sl_grid_traffic t;
    uint64_t bytes = 0;
    for (size_t k = 0; sl_grid_get_traffic(&t, ctx, k) == SL_OK; k++)
        if (strcmp(t.phase, "blocks") != 0)
            bytes += t.bytes;
    MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return bytes;
}

/* A B', and whether entries of B travelled for it to the owners in the transpose; compared with A T, T = B'. */
static bool try_transposed(const sl_matrix *A, const sl_matrix *B, sl_semiring ring)
{
    sl_context *ctx = sl_matrix_context(A);
    const uint64_t n = sl_matrix_nrows(A);
    sl_matrix *got, *right, *T;
    bool equal;
    assert_ok(ctx, sl_matrix_new(&got, ctx, ring->result, n, n));
    assert_ok(ctx, sl_matrix_new(&right, ctx, ring->result, n, n));
    assert_ok(ctx, sl_matrix_new(&T, ctx, sl_matrix_type(B), n, n));
    assert_ok(ctx, sl_grid_reset_traffic(ctx));
    assert_ok(ctx, sl_mxm(got, NULL, NULL, ring, A, B, sl_descriptor_get(SL_TRANSPOSE_B)));
    const bool travelled = received_of_others(ctx) > 0;
    assert_ok(ctx, sl_transpose(T, NULL, NULL, B, NULL));
    assert_ok(ctx, sl_mxm(right, NULL, NULL, ring, A, T, NULL));
    assert_ok(ctx, sl_matrix_equal(&equal, got, right));
    assert_true(equal);
    sl_matrix_free(got);
    sl_matrix_free(right);
    sl_matrix_free(T);
    return travelled;
}

/* The transposed block is kept until the matrix is written; a symmetric pattern is its own transpose. */
static void transposed_blocks_are_kept(void **unused)
{
    enum { SIDE = 300, EACH = 6 };
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        sl_matrix *B;
        const bool several = rows * cols > 1;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_OPENMP));
        sl_matrix *A = random_square(ctx, SL_INT64, SIDE, EACH, 3);
        assert_ok(ctx, sl_matrix_new(&B, ctx, SL_INT64, SIDE, SIDE));
        assert_ok(ctx, sl_matrix_ewise_add(B, NULL, NULL, SL_FIRST_INT64, A, A,
                                           sl_descriptor_get(SL_TRANSPOSE_B)));
        assert_false(try_transposed(A, B, SL_PLUS_FIRST_INT64)); /* the pattern is symmetric */
        assert_int_equal(try_transposed(A, B, SL_PLUS_TIMES_INT64), several);
        assert_false(try_transposed(A, B, SL_PLUS_TIMES_INT64));
        assert_ok(ctx, sl_matrix_set(B, 0, SIDE - 1, sl_scalar_int64(7)));
        assert_ok(ctx, sl_matrix_remove(B, SIDE - 1, 0));
        assert_int_equal(try_transposed(A, B, SL_PLUS_FIRST_INT64), several);
        assert_false(try_transposed(A, B, SL_PLUS_PAIR_INT64));
        assert_ok(ctx, sl_matrix_set(B, SIDE - 1, 0, sl_scalar_int64(7)));
        assert_false(try_transposed(A, B, SL_PLUS_PAIR_INT64));
        sl_matrix_free(A);
        sl_matrix_free(B);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_on_every_grid), cmocka_unit_test(blocks_travel_as_rows),
        cmocka_unit_test(long_factors_stay), cmocka_unit_test(transposed_blocks_are_kept)};
    return run_ranks("mxm", tests, sizeof tests / sizeof *tests);
}
