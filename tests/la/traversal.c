/* advance, closure and plan: what they mean, on every engine present. */
#include <stdio.h>
#include <string.h>

#include <semla/la.h>

#include "support.h"

static sl_context *ctx;

/* Directed, weighted:  0 -1-> 1 -1-> 2 -1-> 3,  0 -5-> 2,  3 -1-> 1,  4 alone,
 * 5 -2-> 4. */
enum { N = 6, M = 6 };
static const uint64_t tail[M] = {0, 1, 2, 0, 3, 5}, head[M] = {1, 2, 3, 2, 1, 4};
static const double weight[M] = {1, 1, 1, 5, 1, 2};

static sl_matrix *weighted(void)
{
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP64, N, N));
    OK(ctx, sl_matrix_build(A, tail, head, weight, M, NULL));
    return A;
}

static sl_vector *vector(sl_type type, uint64_t n, size_t count, const uint64_t *index,
                         const int64_t *values)
{
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, type, n));
    for (size_t k = 0; k < count; k++)
        OK(ctx, sl_vector_set(v, index[k], sl_scalar_int64(values[k])));
    return v;
}
#define VECTOR(type, n, count, indices, values)                                                    \
    vector(type, n, count, (const uint64_t[])indices, (const int64_t[])values)
#define LIST(...)                                                                                  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Entries as "index:value ..." in order. */
static void assert_entries(const sl_vector *v, const char *expected)
{
    char text[512] = "";
    sl_scalar x;
    for (uint64_t i = 0; i < sl_vector_size(v); i++)
        if (sl_vector_get(&x, v, i) == SL_OK) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%d:%g", used ? " " : "", (int)i,
                     sl_scalar_cast(x, SL_FP64).as.fp64_);
        }
    assert_string_equal(text, expected);
}

static void closure_searches(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    for (int direction = SL_AUTO; direction <= SL_PULL; direction++) {
        sl_vector *q = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
        sl_vector *pi = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
        sl_vector *level = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
        sl_step_log log = {0};
        sl_closure_options options = {.direction = direction, .level = level, .log = &log};
        OK(ctx, sl_closure(pi, q, A, SL_MIN_SECONDI_INT64, &options));
        assert_entries(pi, "0:0 1:0 2:0 3:2");
        assert_entries(level, "0:0 1:1 2:1 3:2");
        assert_entries(q, "0:0");
        assert_int_equal(log.count, 3);
        uint64_t frontier[] = {1, 2, 1};
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(log.steps[k].frontier, frontier[k]);
            assert_true(log.steps[k].seconds >= 0);
            if (direction != SL_AUTO)
                assert_int_equal(log.steps[k].direction, direction);
            if (direction == SL_PUSH) {
                uint64_t edges[] = {2, 2, 1};
                assert_true(log.steps[k].edges_exact);
                assert_int_equal(log.steps[k].edges, edges[k]);
            }
        }
        sl_step_log_clear(&log);
        sl_vector_free(q);
        sl_vector_free(pi);
        sl_vector_free(level);
    }
    sl_matrix_free(A);
}

/* Several sources, of which one is not in pi; entries of pi that block the way. */
static void closure_starts_anywhere(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    for (int direction = SL_AUTO; direction <= SL_PULL; direction++) {
        sl_closure_options options = {.direction = direction};
        sl_vector *q = VECTOR(SL_INT64, N, 2, LIST(0, 5), LIST(0, 0));
        sl_vector *pi = VECTOR(SL_INT64, N, 2, LIST(0, 2), LIST(7, 8));
        OK(ctx, sl_closure(pi, q, A, SL_MAX_SECONDI_INT64, &options));
        assert_entries(pi, "0:7 1:0 2:8 4:5");
        sl_vector_free(q);
        sl_vector_free(pi);

        q = VECTOR(SL_INT64, N, 1, LIST(3), LIST(0));
        pi = VECTOR(SL_INT64, N, 0, LIST(0), LIST(0)); /* nothing is settled, not even q */
        OK(ctx, sl_closure(pi, q, A, SL_ANY_SECONDI_INT64, &options));
        assert_entries(pi, "1:3 2:1 3:2");
        sl_vector_free(q);
        sl_vector_free(pi);

        q = VECTOR(SL_INT64, N, 0, LIST(0), LIST(0)); /* an empty frontier */
        pi = VECTOR(SL_INT64, N, 1, LIST(2), LIST(2));
        OK(ctx, sl_closure(pi, q, A, SL_ANY_SECONDI_INT64, &options));
        assert_entries(pi, "2:2");
        sl_vector_free(q);
        sl_vector_free(pi);
    }
    sl_matrix_free(A);
}

static void closure_stops(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    struct {
        sl_closure_options options;
        const char *expected;
        size_t ntargets;
        uint64_t targets[2];
    } cases[] = {
        {{.bounded = true, .max_steps = 0}, "0:0", 0, {0}},
        {{.bounded = true, .max_steps = 1}, "0:0 1:0 2:0", 0, {0}},
        {{.bounded = true, .max_steps = 9}, "0:0 1:0 2:0 3:2", 0, {0}},
        {{.until = SL_UNTIL_ANY}, "0:0 1:0 2:0", 2, {2, 3}},
        {{.until = SL_UNTIL_ALL}, "0:0 1:0 2:0 3:2", 2, {2, 3}},
        {{.until = SL_UNTIL_ALL}, "0:0 1:0 2:0", 2, {1, 2}},
        {{.until = SL_UNTIL_ANY}, "0:0", 1, {0}},
        {{.until = SL_UNTIL_ALL}, "0:0", 1, {0}},
        {{.until = SL_UNTIL_ANY}, "0:0 1:0 2:0 3:2", 1, {4}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int direction = SL_AUTO; direction <= SL_PULL; direction++) {
            sl_vector *q = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
            sl_vector *pi = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0)), *targets;
            OK(ctx, sl_vector_new(&targets, ctx, SL_BOOL, N));
            for (size_t t = 0; t < cases[k].ntargets; t++)
                OK(ctx, sl_vector_set(targets, cases[k].targets[t], sl_scalar_bool(false)));
            sl_closure_options options = cases[k].options;
            options.direction = direction;
            options.targets = cases[k].ntargets ? targets : NULL;
            OK(ctx, sl_closure(pi, q, A, SL_MIN_SECONDI_INT64, &options));
            assert_entries(pi, cases[k].expected);
            sl_vector_free(targets);
            sl_vector_free(q);
            sl_vector_free(pi);
        }
    sl_matrix_free(A);
}

static void closure_of_patterns(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    for (int direction = SL_AUTO; direction <= SL_PULL; direction++) {
        sl_vector *q = VECTOR(SL_BOOL, N, 1, LIST(1), LIST(1));
        sl_vector *pi = VECTOR(SL_BOOL, N, 1, LIST(1), LIST(0));
        sl_closure_options options = {.direction = direction};
        OK(ctx, sl_closure(pi, q, A, SL_ANY_PAIR_BOOL, &options));
        assert_entries(pi, "1:0 2:1 3:1");
        sl_vector_free(q);
        sl_vector_free(pi);
    }
    sl_matrix_free(A);
}

static void closure_relaxes(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    sl_vector *q = VECTOR(SL_FP64, N, 1, LIST(0), LIST(0));
    sl_vector *distance = VECTOR(SL_FP64, N, 1, LIST(0), LIST(0));
    sl_vector *level = VECTOR(SL_INT64, N, 0, LIST(0), LIST(0));
    sl_step_log log = {0};
    sl_closure_options options = {.level = level, .log = &log};
    OK(ctx, sl_closure(distance, q, A, SL_MIN_PLUS_FP64, &options));
    assert_entries(distance, "0:0 1:1 2:2 3:3"); /* by 1, not by the edge of 5 */
    assert_entries(level, "1:1 2:2 3:3");        /* the step that bettered it last */
    assert_true(log.count >= 3);
    sl_step_log_clear(&log);

    /* Widest path: max_min. */
    sl_vector *width = VECTOR(SL_FP64, N, 1, LIST(0), LIST(100));
    OK(ctx, sl_closure(width, width, A, SL_MAX_MIN_FP64, NULL));
    assert_entries(width, "0:100 1:1 2:5 3:1");

    /* Reachability with values: an edge of false leads nowhere. */
    sl_matrix *B;
    bool open[M] = {true, true, true, false, true, true};
    OK(ctx, sl_matrix_new(&B, ctx, SL_BOOL, N, N));
    OK(ctx, sl_matrix_build(B, tail, head, open, M, NULL));
    sl_vector *reached = VECTOR(SL_BOOL, N, 1, LIST(0), LIST(1));
    sl_vector *from = VECTOR(SL_BOOL, N, 1, LIST(0), LIST(1));
    OK(ctx, sl_closure(reached, from, B, SL_LOR_LAND_BOOL, NULL));
    assert_entries(reached, "0:1 1:1 2:1 3:1");

    sl_vector_free(q);
    sl_vector_free(distance);
    sl_vector_free(level);
    sl_vector_free(width);
    sl_vector_free(reached);
    sl_vector_free(from);
    sl_matrix_free(A);
    sl_matrix_free(B);
}

/* The least label of each component, by min_first from all vertices at once. */
static void closure_finds_components(void **state)
{
    (void)state;
    sl_matrix *A, *S;
    A = weighted();
    OK(ctx, sl_matrix_new(&S, ctx, SL_BOOL, N, N));
    OK(ctx,
       sl_matrix_ewise_add(S, NULL, NULL, SL_PAIR_BOOL, A, A, sl_descriptor_get(SL_TRANSPOSE_B)));
    sl_vector *label = VECTOR(SL_INT64, N, 6, LIST(0, 1, 2, 3, 4, 5), LIST(0, 1, 2, 3, 4, 5));
    sl_vector *q;
    OK(ctx, sl_vector_dup(&q, label));
    OK(ctx, sl_closure(label, q, S, SL_MIN_FIRST_INT64, NULL));
    assert_entries(label, "0:0 1:0 2:0 3:0 4:4 5:4");
    sl_vector_free(label);
    sl_vector_free(q);
    sl_matrix_free(A);
    sl_matrix_free(S);
}

/* A negative cycle betters itself for ever; a semiring without idempotence has no end. */
static void closure_refuses(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    OK(ctx, sl_matrix_set(A, 3, 1, sl_scalar_fp64(-3)));
    sl_vector *q = VECTOR(SL_FP64, N, 1, LIST(0), LIST(0));
    sl_vector *pi = VECTOR(SL_FP64, N, 1, LIST(0), LIST(0));
    assert_int_equal(sl_closure(pi, q, A, SL_MIN_PLUS_FP64, NULL), SL_INVALID);
    assert_non_null(strstr(sl_context_message(ctx), "cycle"));
    assert_int_equal(sl_closure(pi, q, A, SL_PLUS_TIMES_FP64, NULL), SL_UNSUPPORTED);
    assert_non_null(strstr(sl_context_message(ctx), "plus_times_fp64"));
    sl_closure_options pull = {.direction = SL_PULL};
    assert_int_equal(sl_closure(pi, q, A, SL_MIN_PLUS_FP64, &pull), SL_UNSUPPORTED);
    assert_int_equal(sl_closure(pi, q, A, SL_ANY_SECONDI_INT64, NULL), SL_MISMATCH);
    assert_non_null(strstr(sl_context_message(ctx), "int64"));

    sl_vector *parent = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
    sl_vector *small = VECTOR(SL_INT64, N - 1, 1, LIST(0), LIST(0));
    sl_vector *wrong = VECTOR(SL_INT32, N, 0, LIST(0), LIST(0));
    sl_semiring any = SL_ANY_SECONDI_INT64;
    assert_int_equal(sl_closure(NULL, parent, A, any, NULL), SL_INVALID);
    assert_int_equal(sl_closure(parent, NULL, A, any, NULL), SL_INVALID);
    assert_int_equal(sl_closure(parent, parent, NULL, any, NULL), SL_INVALID);
    assert_int_equal(sl_closure(parent, parent, A, NULL, NULL), SL_INVALID);
    assert_int_equal(sl_closure(parent, small, A, any, NULL), SL_MISMATCH);
    assert_int_equal(sl_closure(small, parent, A, any, NULL), SL_MISMATCH);
    assert_int_equal(sl_closure(parent, wrong, A, any, NULL), SL_MISMATCH);
    assert_int_equal(sl_closure(parent, parent, A, any, &(sl_closure_options){.level = parent}),
                     SL_INVALID);
    assert_int_equal(sl_closure(parent, parent, A, any, &(sl_closure_options){.level = wrong}),
                     SL_MISMATCH);
    assert_int_equal(sl_closure(parent, parent, A, any, &(sl_closure_options){.targets = small}),
                     SL_MISMATCH);
    assert_int_equal(sl_closure(parent, parent, A, any, &(sl_closure_options){.direction = 9}),
                     SL_INVALID);
    sl_context *other;
    sl_vector *foreign;
    assert_int_equal(sl_context_create(&other, SL_ENGINE_SUITESPARSE), SL_OK);
    OK(other, sl_vector_new(&foreign, other, SL_INT64, N));
    assert_int_equal(sl_closure(parent, foreign, A, any, NULL), SL_MISMATCH);
    assert_entries(parent, "0:0");
    sl_vector_free(foreign);
    sl_context_free(other);
    sl_vector_free(parent);
    sl_vector_free(small);
    sl_vector_free(wrong);
    sl_vector_free(q);
    sl_vector_free(pi);
    sl_matrix_free(A);
}

static void advance_steps(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    for (int direction = SL_AUTO; direction <= SL_PULL; direction++) {
        sl_vector *pi = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
        sl_vector *q = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
        sl_vector *delta = VECTOR(SL_INT64, N, 1, LIST(5), LIST(5)); /* its contents go */
        sl_step step;
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
    /* One step of relaxation: delta is what is new or better, and nothing else. */
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
    OK(ctx, sl_plan_step(&plan, pi, q, A));
    assert_int_equal(plan.frontier, 2);
    assert_int_equal(plan.push_edges, 2);    /* 1 -> 2 and 2 -> 3 */
    assert_int_equal(plan.missing, 3);       /* 3, 4, 5 */
    assert_int_equal(plan.missing_edges, 2); /* 2 -> 3 and 5 -> 4 */
    assert_true(plan.pull_edges <= 2 && plan.pull_edges > 0);
    assert_int_equal(sl_plan_step(NULL, pi, q, A), SL_INVALID);
    assert_int_equal(sl_plan_step(&plan, NULL, q, A), SL_INVALID);
    sl_vector_free(pi);
    sl_vector_free(q);
    sl_matrix_free(A);

    /* On a star, the hub's edges cost as much as pulling them; its leaves cost less
     * to push as long as they are few. */
    uint64_t n = 1000, row[2 * 999], col[2 * 999];
    for (uint64_t k = 0; k < n - 1; k++) {
        row[k] = col[n - 1 + k] = 0;
        col[k] = row[n - 1 + k] = k + 1;
    }
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, n, n));
    OK(ctx, sl_matrix_build(A, row, col, NULL, 2 * (n - 1), NULL));
    pi = VECTOR(SL_INT64, n, 1, LIST(5), LIST(5));
    OK(ctx, sl_plan_step(&plan, pi, pi, A));
    assert_int_equal(plan.direction, SL_PUSH);
    assert_int_equal(plan.push_edges, 1);
    assert_int_equal(plan.missing_edges, 2 * (n - 1) - 1);
    sl_vector_free(pi);
    sl_matrix_free(A);
}

/* What is kept of a matrix for traversals goes when the matrix is written. */
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

/* ---- memory --------------------------------------------------------------- */

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
    sl_step_log log = {0};
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
        status = sl_plan_step(&plan, pi, q, A);
    if (status == SL_OK)
        status = sl_advance(q, pi, q, A, c->semiring, c->direction, NULL);
    sl_step_log_clear(&log);
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
        OK(ctx, search_with_little_memory(&cases[k])); /* what SuiteSparse keeps is there */
        assert_true(allocator_fail_each(search_with_little_memory, &cases[k]) > 10);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(closure_searches),  cmocka_unit_test(closure_starts_anywhere),
    cmocka_unit_test(closure_stops),     cmocka_unit_test(closure_of_patterns),
    cmocka_unit_test(closure_relaxes),   cmocka_unit_test(closure_finds_components),
    cmocka_unit_test(closure_refuses),   cmocka_unit_test(advance_steps),
    cmocka_unit_test(plan_counts_edges), cmocka_unit_test(caches_follow_the_matrix),
    cmocka_unit_test(memory_runs_out),
};

int main(void)
{
    allocator_install();
    int failed = 0;
    sl_engine_info engine;
    for (size_t k = 0; sl_engine_describe(k, &engine) == SL_OK; k++) {
        print_message("engine %s%s%s\n", engine.name,
                      engine.present ? "" : " skipped: ", engine.absence);
        if (!engine.present)
            continue;
        if (sl_context_create(&ctx, engine.choice) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests(tests, NULL, NULL);
        sl_context_free(ctx);
    }
    return failed;
}
