/* Closures of several sources on grids whose ranks have devices, by every transport that is available. */
#include "device_moves.h"

typedef struct {
    sl_matrix *A, *q, *parent, *level, *near;
} searches;

/* A graph, and frontiers of one vertex and of two. */
static searches open_searches(sl_context *ctx)
{
    enum { SEARCHES = 6, VERTICES = 1 << 9 };
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 9, .seed = 3};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    const bool passes = ctx == local || world_rank() == 0;
    uint64_t row[2 * SEARCHES], col[2 * SEARCHES], seed = 5;
    searches s;
    for (uint64_t k = 0; k < 2 * SEARCHES; k++) {
        row[k] = k % SEARCHES;
        col[k] = k / SEARCHES * (VERTICES / 2) + test_random(&seed) % (VERTICES / 2);
    }
    assert_ok(ctx, sl_matrix_generate(&s.A, ctx, &model, &options));
    assert_ok(ctx, sl_matrix_new(&s.q, ctx, SL_BOOL, SEARCHES, VERTICES));
    assert_ok(ctx, sl_matrix_new(&s.parent, ctx, SL_INT64, SEARCHES, VERTICES));
    assert_ok(ctx, sl_matrix_new(&s.level, ctx, SL_INT64, SEARCHES, VERTICES));
    assert_ok(ctx, sl_matrix_new(&s.near, ctx, SL_INT64, SEARCHES, VERTICES));
    assert_ok(ctx, sl_matrix_build(s.q, row, col, NULL, passes ? SEARCHES + 2 : 0, NULL));
    return s;
}

/* The first search of a kind prepares the graph. */
static void find_near(sl_context *ctx, searches *s)
{
    const sl_closures_options two = {.level = s->near, .bounded = true, .max_iterations = 2};
    assert_ok(ctx, sl_matrix_clear(s->near));
    assert_ok(ctx, sl_closures(NULL, s->q, s->A, SL_ANY_PAIR_BOOL, &two));
}

static void run_searches(sl_context *ctx, searches *s)
{
    const sl_closures_options options = {.level = s->level};
    assert_ok(ctx, sl_closures(s->parent, s->q, s->A, SL_MIN_SECONDI_INT64, &options));
    find_near(ctx, s);
}

static void close_searches(searches *s)
{
    sl_matrix_free(s->A);
    sl_matrix_free(s->q);
    sl_matrix_free(s->parent);
    sl_matrix_free(s->level);
    sl_matrix_free(s->near);
}

void test_sources(void **unused)
{
    searches right = open_searches(local);
    run_searches(local, &right);
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        for (size_t k = 0; k < TRANSPORTS; k++) {
            char where[64];
            sl_context_counts before, after;
            snprintf(where, sizeof where, "sources, grid %dx%d by %s", rows, cols,
                     transports[k].words);
            if (!is_available(ctx, k))
                continue;
            searches s = open_searches(ctx);
            place(sl_object_of_matrix(s.A));
            place(sl_object_of_matrix(s.q));
            find_near(ctx, &s);
            assert_ok(ctx, sl_grid_reset_traffic(ctx));
            sl_context_get_counts(ctx, &before);
            run_searches(ctx, &s);
            sl_context_get_counts(ctx, &after);
            check_traffic(where, ctx, transports[k].hosts,
                          after.bytes_copied - before.bytes_copied);
            assert_int_equal(tuple_bytes(ctx) > 0, cols > 1); /* else every entry is at its owner */
            compare(where, 0, true, s.parent, right.parent);
            compare(where, 1, true, s.level, right.level);
            compare(where, 2, true, s.near, right.near);
            close_searches(&s);
        }
        unsetenv("SEMLA_DIST");
        sl_context_free(ctx);
    }
    close_searches(&right);
}
