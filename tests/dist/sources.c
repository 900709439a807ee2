/* Closures of several frontiers on every grid of the ranks, compared with SuiteSparse in one process:
 * frontiers of no, one and many vertices, on hostile graphs, with bounds and levels. */
#include "ranks.h"
#include "same.h"
#include "support.h"

static sl_context *one; /* a context of one process */

enum { FRONTIERS = 5 };

/* The graph, and frontiers: none, one vertex, some, all, one vertex again. */
static void make(sl_context *ctx, const sl_generator *model, unsigned flags, sl_matrix **A,
                 sl_matrix **q, sl_type type)
{
    uint64_t n, count = 0, *row, *col;
    assert_ok(ctx, sl_matrix_generate(A, ctx, model, &(sl_read_options){.flags = flags}));
    n = sl_matrix_nrows(*A);
    row = malloc((3 * n + 3) * sizeof *row);
    col = malloc((3 * n + 3) * sizeof *col);
    for (uint64_t v = 0; v < n; v++)
        for (uint64_t s = 1; s < FRONTIERS; s++)
            if (s == 3 || (s == 2 && v % 7 == 3) || (s == 1 && v == n / 2) || (s == 4 && v == 0)) {
                row[count] = s;
                col[count++] = v;
            }
    if (ctx != one && world_rank() > 0)
        count = 0;
    assert_ok(ctx, sl_matrix_new(q, ctx, type, FRONTIERS, n));
    assert_ok(ctx, sl_matrix_build(*q, row, col, NULL, count, NULL));
    free(row);
    free(col);
}

typedef struct {
    sl_matrix *pi, *level;
} result;

static result run_closures(sl_context *ctx, const sl_generator *model, unsigned flags,
                           sl_semiring semiring, bool values, bool levels, uint64_t most)
{
    result r = {0};
    sl_matrix *A, *q;
    make(ctx, model, flags, &A, &q, semiring->result);
    const uint64_t n = sl_matrix_nrows(A);
    if (values)
        assert_ok(ctx, sl_matrix_new(&r.pi, ctx, semiring->result, FRONTIERS, n));
    if (levels)
        assert_ok(ctx, sl_matrix_new(&r.level, ctx, SL_INT64, FRONTIERS, n));
    assert_ok(ctx, sl_closures(r.pi, q, A, semiring,
                               &(sl_closures_options){
                                   .bounded = most > 0, .max_iterations = most, .level = r.level}));
    sl_matrix_free(A);
    sl_matrix_free(q);
    return r;
}

static void compare(sl_context *ctx, const sl_generator *model, unsigned flags,
                    sl_semiring semiring, bool values, bool levels, uint64_t most)
{
    result got = run_closures(ctx, model, flags, semiring, values, levels, most);
    result right = run_closures(one, model, flags, semiring, values, levels, most);
    if (values)
        assert_same(got.pi, right.pi);
    if (levels)
        assert_same(got.level, right.level);
    sl_matrix_free(got.pi);
    sl_matrix_free(got.level);
    sl_matrix_free(right.pi);
    sl_matrix_free(right.level);
}

static void on_every_grid(void **unused)
{
    static const sl_generator models[] = {
        {.model = SL_MODEL_KRONECKER, .scale = 6, .seed = 4},
        {.model = SL_MODEL_UNIFORM, .vertices = 50, .edges = 60, .seed = 5},
        {.model = SL_MODEL_STAR, .vertices = 6},
        {.model = SL_MODEL_PATH, .vertices = 20},
        {.model = SL_MODEL_PATH, .vertices = 1},
    };
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols,
                                               has_gpu() ? SL_ENGINE_CUDA : SL_ENGINE_AUTO));
        for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
            const unsigned flags = m % 2 ? 0 : SL_READ_SYMMETRIC;
            compare(ctx, &models[m], flags, SL_MIN_SECONDI_INT64, true, true, 0);
            compare(ctx, &models[m], flags, SL_MIN_SECONDI_INT32, true, false, 2);
            compare(ctx, &models[m], flags, SL_ANY_PAIR_BOOL, true, true, 0);
            compare(ctx, &models[m], flags, SL_ANY_SECONDI_INT64, false, true, 1);
            compare(ctx, &models[m], flags, SL_MIN_SECOND_INT64, true, true, 0);
        }
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_every_grid)};
    assert_int_equal(sl_context_create(&one, SL_ENGINE_SUITESPARSE), SL_OK);
    const int failures = run_ranks("sources", tests, sizeof tests / sizeof *tests);
    sl_context_free(one);
    return failures;
}
