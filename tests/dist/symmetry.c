/* Whether the pattern of a matrix of a grid is symmetric: on grids of all shapes, with blocks on hosts and on devices,
 * after each of many changes of one entry, or of an entry and its mirror entry. */
#include "ranks.h"

enum { N = 150, PAIRS = 600, CHANGES = 40 };

static bool has[N][N];

static uint64_t below(uint64_t *random, uint64_t bound)
{
    return test_random(random) % bound;
}

static bool is_symmetric(void)
{
    for (uint64_t u = 0; u < N; u++)
        for (uint64_t v = 0; v < u; v++)
            if (has[u][v] != has[v][u])
                return false;
    return true;
}

/* Each rank passes some of the entries. */
static sl_matrix *new_matrix(sl_context *ctx)
{
    static uint64_t rows[N * N], cols[N * N];
    uint64_t count = 0;
    sl_matrix *A;
    for (uint64_t u = (uint64_t)world_rank(); u < N; u += (uint64_t)world_size())
        for (uint64_t v = 0; v < N; v++)
            if (has[u][v]) {
                rows[count] = u;
                cols[count++] = v;
            }
    assert_ok(ctx, sl_matrix_new(&A, ctx, SL_BOOL, N, N));
    assert_ok(ctx, sl_matrix_build(A, rows, cols, NULL, count, NULL));
    return A;
}

static void draw(uint64_t *random)
{
    memset(has, 0, sizeof has);
    for (int k = 0; k < PAIRS; k++) {
        const uint64_t u = below(random, N), v = below(random, N);
        has[u][v] = has[v][u] = true;
    }
}

/* Returns how often the pattern was symmetric. */
static int try_changes(sl_context *ctx)
{
    uint64_t random = 3;
    int symmetric = 0;
    draw(&random);
    sl_matrix *A = new_matrix(ctx);
    for (int k = 0; k < CHANGES; k++) {
        bool found;
        const uint64_t u = below(&random, N), v = below(&random, k % 2 ? N : u + 1);
        assert_ok(ctx, sl_matrix_is_symmetric(&found, A));
        assert_int_equal(found, is_symmetric());
        symmetric += found;
        /* An entry is removed or added, in every second step with its mirror entry. */
        for (int mirror = k % 2; mirror < 2; mirror++) {
            const uint64_t row = mirror ? u : v, col = mirror ? v : u;
            if (mirror && u == v && k % 2 == 0)
                continue;
            has[row][col] = !has[row][col];
            assert_ok(ctx, has[row][col] ? sl_matrix_set(A, row, col, sl_scalar_bool(true))
                                         : sl_matrix_remove(A, row, col));
        }
        if (k % 8 == 7) { /* symmetric again */
            draw(&random);
            sl_matrix_free(A);
            A = new_matrix(ctx);
        }
    }
    sl_matrix_free(A);
    return symmetric;
}

static void test_grids(void **unused)
{
    static const sl_engine_choice engines[] = {SL_ENGINE_SUITESPARSE, SL_ENGINE_CUDA};
    for (int rows = 0, cols; next_grid(&rows, &cols);)
        for (int k = 0; k < 1 + has_gpu(); k++) {
            sl_context *ctx;
            assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, engines[k]));
            assert_in_range(try_changes(ctx), CHANGES / 8, CHANGES - 1);
            sl_context_free(ctx);
        }
}

static void test_other_shapes(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        sl_matrix *empty, *wide;
        bool found = false;
        assert_ok(NULL,
                  sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE));
        assert_ok(ctx, sl_matrix_new(&empty, ctx, SL_FP32, 3, 3));
        assert_ok(ctx, sl_matrix_is_symmetric(&found, empty));
        assert_true(found);
        assert_ok(ctx, sl_matrix_new(&wide, ctx, SL_FP32, 3, 4));
        assert_ok(ctx, sl_matrix_set(wide, 1, 1, sl_scalar_fp32(2)));
        assert_ok(ctx, sl_matrix_is_symmetric(&found, wide));
        assert_false(found);
        sl_matrix_free(empty);
        sl_matrix_free(wide);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grids),
                                       cmocka_unit_test(test_other_shapes)};
    MPI_Init(NULL, NULL);
    return run_ranks("symmetry", tests, sizeof tests / sizeof *tests);
}
