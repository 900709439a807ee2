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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_on_every_grid),
                                       cmocka_unit_test(blocks_travel_as_rows),
                                       cmocka_unit_test(long_factors_stay)};
    return run_ranks("mxm", tests, sizeof tests / sizeof *tests);
}
