/* sl_advance and sl_plan (the push and pull decision) on every engine that is present, caches of
 * matrices, and traversals while memory runs out. */
#include "small_network.h"

static void advance_steps(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    for (int direction = SL_AUTO; direction <= SL_PULL; direction++) {
        sl_vector *pi = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
        sl_vector *q = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
        /* The old contents of delta are discarded. */
        sl_vector *delta = VECTOR(SL_INT64, N, 1, LIST(5), LIST(5));
        sl_iteration step;
        OK(ctx, sl_advance(delta, pi, q, A, SL_MIN_SECONDI_INT64, direction, &step));
        assert_entries(delta, "1:0 2:0");
        assert_entries(pi, "0:0 1:0 2:0");
        assert_entries(q, "0:0");
        assert_int_equal(step.frontier, 1);
        if (direction == SL_PUSH)
            assert_int_equal(step.edges, 2);
        OK(ctx, sl_advance(delta, pi, delta, A, SL_MIN_SECONDI_INT64, direction, NULL));
        assert_entries(delta, "3:2");
        OK(ctx, sl_advance(delta, pi, delta, A, SL_MIN_SECONDI_INT64, direction, NULL));
        assert_entries(delta, "");
        assert_entries(pi, "0:0 1:0 2:0 3:2");
        sl_vector_free(pi);
        sl_vector_free(q);
        sl_vector_free(delta);
    }
    /* One iteration of relaxation: delta has exactly the entries that are new or improved. */
    sl_vector *d = VECTOR(SL_FP64, N, 3, LIST(0, 1, 2), LIST(0, 1, 9));
    sl_vector *delta = VECTOR(SL_FP64, N, 0, LIST(0), LIST(0));
    OK(ctx, sl_advance(delta, d, d, A, SL_MIN_PLUS_FP64, SL_AUTO, NULL));
    assert_entries(delta, "2:2 3:10");
    assert_entries(d, "0:0 1:1 2:2 3:10");
    assert_int_equal(sl_advance(delta, d, d, A, SL_MIN_PLUS_FP64, SL_PULL, NULL), SL_UNSUPPORTED);
    assert_int_equal(sl_advance(delta, d, d, A, SL_PLUS_TIMES_FP64, SL_AUTO, NULL), SL_UNSUPPORTED);
    assert_int_equal(sl_advance(NULL, d, d, A, SL_MIN_PLUS_FP64, SL_AUTO, NULL), SL_INVALID);
    assert_int_equal(sl_advance(delta, d, d, A, SL_MIN_PLUS_FP64, 77, NULL), SL_INVALID);
    assert_int_equal(sl_advance(delta, d, d, A, SL_ANY_SECONDI_INT64, SL_AUTO, NULL), SL_MISMATCH);
    sl_vector_free(d);
    sl_vector_free(delta);
    sl_matrix_free(A);
}

static void plan_counts_edges(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    sl_vector *pi = VECTOR(SL_INT64, N, 3, LIST(0, 1, 2), LIST(0, 0, 0));
    sl_vector *q = VECTOR(SL_INT64, N, 2, LIST(1, 2), LIST(0, 0));
    sl_plan plan;
    OK(ctx, sl_plan_iteration(&plan, pi, q, A));
    assert_int_equal(plan.frontier, 2);
    assert_int_equal(plan.push_edges, 2);      /* 1 -> 2 and 2 -> 3 */
    assert_int_equal(plan.unvisited, 3);       /* 3, 4, 5 */
    assert_int_equal(plan.unvisited_edges, 2); /* 2 -> 3 and 5 -> 4 */
    assert_true(plan.pull_edges <= 2 && plan.pull_edges > 0);
    assert_int_equal(sl_plan_iteration(NULL, pi, q, A), SL_INVALID);
    assert_int_equal(sl_plan_iteration(&plan, NULL, q, A), SL_INVALID);
    sl_vector_free(pi);
    sl_vector_free(q);
    sl_matrix_free(A);

    /* On a star, pushing the hub costs as much as pulling its leaves; pushing leaves is cheaper as
     * long as they are few. */
    uint64_t n = 1000, row[2 * 999], col[2 * 999];
    for (uint64_t k = 0; k < n - 1; k++) {
        row[k] = col[n - 1 + k] = 0;
        col[k] = row[n - 1 + k] = k + 1;
    }
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, n, n));
    OK(ctx, sl_matrix_build(A, row, col, NULL, 2 * (n - 1), NULL));
    pi = VECTOR(SL_INT64, n, 1, LIST(5), LIST(5));
    OK(ctx, sl_plan_iteration(&plan, pi, pi, A));
    assert_int_equal(plan.direction, SL_PUSH);
    assert_int_equal(plan.push_edges, 1);
    assert_int_equal(plan.unvisited_edges, 2 * (n - 1) - 1);
    sl_vector_free(pi);
    sl_matrix_free(A);
}

/* Data that is cached for traversals is freed when the matrix is written. */
static void caches_follow_the_matrix(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    for (int direction = SL_PUSH; direction <= SL_PULL; direction++)
        for (int round = 0; round < 2; round++) {
            sl_vector *pi = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
            sl_vector *q = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
            sl_closure_options options = {.direction = direction};
            OK(ctx, sl_closure(pi, q, A, SL_MIN_SECONDI_INT64, &options));
            assert_entries(pi, round ? "0:0 1:0 2:0 3:2 4:5 5:3" : "0:0 1:0 2:0 3:2");
            if (round)
                OK(ctx, sl_matrix_remove(A, 3, 5));
            else
                OK(ctx, sl_matrix_set(A, 3, 5, sl_scalar_fp64(1)));
            sl_vector_free(pi);
            sl_vector_free(q);
        }
    sl_matrix_free(A);
}

/* ---- memory ---------------------------------------------------------------------- */

typedef struct {
    sl_direction direction;
    sl_semiring semiring;
    bool prepare;
} memory_case;

static sl_status search_with_little_memory(void *data)
{
    const memory_case *c = data;
    sl_type type = c->semiring->result;
    sl_matrix *A = NULL;
    sl_vector *pi = NULL, *q = NULL, *level = NULL, *targets = NULL;
    sl_iteration_log log = {0};
    sl_status status = sl_matrix_new(&A, ctx, SL_FP64, N, N);
    if (status == SL_OK)
        status = sl_matrix_build(A, tail, head, weight, M, NULL);
    if (status == SL_OK && c->prepare)
        status = sl_matrix_optimize(A, SL_FOR_TRAVERSAL);
    if (status == SL_OK)
        status = sl_vector_new(&pi, ctx, type, N);
    if (status == SL_OK)
        status = sl_vector_set(pi, 0, sl_scalar_int64(0));
    if (status == SL_OK)
        status = sl_vector_dup(&q, pi);
    if (status == SL_OK)
        status = sl_vector_new(&level, ctx, SL_INT64, N);
    if (status == SL_OK)
        status = sl_vector_new(&targets, ctx, SL_BOOL, N);
    if (status == SL_OK)
        status = sl_vector_set(targets, 4, sl_scalar_bool(true));
    sl_closure_options options = {
        .direction = c->direction, .level = level, .log = &log, .targets = targets};
    if (status == SL_OK)
        status = sl_closure(pi, q, A, c->semiring, &options);
    sl_plan plan;
    if (status == SL_OK)
        status = sl_plan_iteration(&plan, pi, q, A);
    if (status == SL_OK)
        status = sl_advance(q, pi, q, A, c->semiring, c->direction, NULL);
    sl_iteration_log_clear(&log);
    sl_vector_free(pi);
    sl_vector_free(q);
    sl_vector_free(level);
    sl_vector_free(targets);
    sl_matrix_free(A);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    memory_case cases[] = {
        {SL_PUSH, SL_ANY_SECONDI_INT64, false}, {SL_PULL, SL_MIN_SECONDI_INT64, false},
        {SL_AUTO, SL_ANY_SECONDI_INT64, true},  {SL_PULL, SL_ANY_PAIR_BOOL, false},
        {SL_AUTO, SL_MIN_PLUS_FP64, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        /* The first call allocates what SuiteSparse keeps between calls. */
        OK(ctx, search_with_little_memory(&cases[k]));
        assert_true(allocator_fail_each(search_with_little_memory, &cases[k]) > 10);
    }
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advance_steps),
        cmocka_unit_test(plan_counts_edges),
        cmocka_unit_test(caches_follow_the_matrix),
        cmocka_unit_test(memory_runs_out),
    };
    int failed = 0;
    sl_engine_info engine;
    for (size_t k = 0; next_engine(&engine, &k);) {
        print_message("engine %s\n", engine.name);
        if (sl_context_create(&ctx, engine.choice) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests_name(engine.name, tests, NULL, NULL);
        sl_context_free(ctx);
    }
    return failed;
}
