/* sl_closure on every engine that is present: results on a small directed graph, start from a
 * source or a frontier, early termination, user-visible errors. */
#include "small_network.h"

static void closure_searches(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    for (int direction = SL_AUTO; direction <= SL_PULL; direction++) {
        sl_vector *q = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
        sl_vector *pi = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
        sl_vector *level = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
        sl_iteration_log log = {0};
        sl_closure_options options = {.direction = direction, .level = level, .log = &log};
        OK(ctx, sl_closure(pi, q, A, SL_MIN_SECONDI_INT64, &options));
        assert_entries(pi, "0:0 1:0 2:0 3:2");
        assert_entries(level, "0:0 1:1 2:1 3:2");
        assert_entries(q, "0:0");
        assert_int_equal(log.count, 3);
        uint64_t frontier[] = {1, 2, 1};
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(log.iterations[k].frontier, frontier[k]);
            assert_true(log.iterations[k].seconds >= 0);
            if (direction != SL_AUTO)
                assert_int_equal(log.iterations[k].direction, direction);
            if (direction == SL_PUSH) {
                uint64_t edges[] = {2, 2, 1};
                assert_true(log.iterations[k].edges_exact);
                assert_int_equal(log.iterations[k].edges, edges[k]);
            }
        }
        sl_iteration_log_clear(&log);
        sl_vector_free(q);
        sl_vector_free(pi);
        sl_vector_free(level);
    }
    sl_matrix_free(A);
}

/* Several sources. Visited vertices that are not in the frontier are not expanded again. */
static void closure_starts_at_a_frontier(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    for (int direction = SL_AUTO; direction <= SL_PULL; direction++) {
        sl_closure_options options = {.direction = direction};
        sl_vector *q = VECTOR(SL_INT64, N, 2, LIST(0, 5), LIST(0, 0));
        sl_vector *pi = VECTOR(SL_INT64, N, 3, LIST(0, 2, 5), LIST(7, 8, 9));
        OK(ctx, sl_closure(pi, q, A, SL_MAX_SECONDI_INT64, &options));
        assert_entries(pi, "0:7 1:0 2:8 4:5 5:9");
        sl_vector_free(q);
        sl_vector_free(pi);

        q = VECTOR(SL_INT64, N, 1, LIST(3), LIST(0));
        pi = VECTOR(SL_INT64, N, 0, LIST(0), LIST(0)); /* the frontier is not a subset of pi */
        assert_int_equal(sl_closure(pi, q, A, SL_ANY_SECONDI_INT64, &options), SL_INVALID);
        assert_non_null(strstr(sl_context_message(ctx), "1 of the frontier's 1 entries"));
        assert_entries(pi, "");
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

/* From a source: pi and level are empty on entry and hold the source afterwards. */
static void closure_starts_at_a_source(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    for (int direction = SL_AUTO; direction <= SL_PULL; direction++) {
        sl_vector *pi = VECTOR(SL_INT64, N, 0, LIST(0), LIST(0));
        sl_vector *level = VECTOR(SL_INT32, N, 0, LIST(0), LIST(0));
        sl_closure_options options = {.from_source = true, .direction = direction, .level = level};
        OK(ctx, sl_closure(pi, NULL, A, SL_MIN_SECONDI_INT64, &options));
        assert_entries(pi, "0:0 1:0 2:0 3:2");
        assert_entries(level, "0:0 1:1 2:1 3:2");
        assert_int_equal(sl_closure(pi, NULL, A, SL_MIN_SECONDI_INT64, &options), SL_INVALID);
        assert_non_null(strstr(sl_context_message(ctx), "pi has 4 entries"));
        assert_int_equal(sl_closure(pi, pi, A, SL_MIN_SECONDI_INT64, &options), SL_INVALID);
        OK(ctx, sl_vector_clear(pi));
        assert_int_equal(sl_closure(pi, NULL, A, SL_MIN_SECONDI_INT64, &options), SL_INVALID);
        assert_non_null(strstr(sl_context_message(ctx), "level has 4 entries"));
        options = (sl_closure_options){.from_source = true, .source = N, .direction = direction};
        assert_int_equal(sl_closure(pi, NULL, A, SL_MIN_SECONDI_INT64, &options), SL_OUT_OF_RANGE);
        assert_entries(pi, "");
        sl_vector_free(pi);
        sl_vector_free(level);

        pi = VECTOR(SL_BOOL, N, 0, LIST(0), LIST(0));
        options = (sl_closure_options){.from_source = true, .source = 1, .direction = direction};
        OK(ctx, sl_closure(pi, NULL, A, SL_ANY_PAIR_BOOL, &options));
        assert_entries(pi, "1:1 2:1 3:1");
        sl_vector_free(pi);
    }
    sl_vector *distance = VECTOR(SL_FP64, N, 0, LIST(0), LIST(0));
    sl_vector *expected = VECTOR(SL_FP64, N, 1, LIST(1), LIST(10));
    sl_closure_options options = {
        .from_source = true, .source = 1, .source_value = sl_scalar_fp64(10)};
    OK(ctx, sl_closure(distance, NULL, A, SL_MIN_PLUS_FP64, &options));
    OK(ctx, sl_closure(expected, expected, A, SL_MIN_PLUS_FP64, NULL));
    bool equal;
    OK(ctx, sl_vector_equal(&equal, distance, expected));
    assert_true(equal);
    sl_vector_free(distance);
    sl_vector_free(expected);
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
        {{.bounded = true, .max_iterations = 0}, "0:0", 0, {0}},
        {{.bounded = true, .max_iterations = 1}, "0:0 1:0 2:0", 0, {0}},
        {{.bounded = true, .max_iterations = 9}, "0:0 1:0 2:0 3:2", 0, {0}},
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
    sl_iteration_log log = {0};
    sl_closure_options options = {.level = level, .log = &log};
    OK(ctx, sl_closure(distance, q, A, SL_MIN_PLUS_FP64, &options));
    assert_entries(distance,
                   "0:0 1:1 2:2 3:3"); /* by three edges of length 1, not by the edge of length 5 */
    assert_entries(level, "1:1 2:2 3:3"); /* the last iteration that improved the distance */
    assert_true(log.count >= 3);
    sl_iteration_log_clear(&log);

    /* Widest path: max_min. */
    sl_vector *width = VECTOR(SL_FP64, N, 1, LIST(0), LIST(100));
    OK(ctx, sl_closure(width, width, A, SL_MAX_MIN_FP64, NULL));
    assert_entries(width, "0:100 1:1 2:5 3:1");

    /* Reachability with values: an edge with the value false is not traversed. */
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

/* The least vertex id of each component, by min_first from all vertices at once. */
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

/* Labels made by apply_index, whose values are known to be their indices unless something else was
 * asked for or they were written since. */
static void check_labels(const sl_matrix *S, sl_vector *u, sl_binary_op accum, int64_t thunk,
                         unsigned flags, int64_t at_1, const char *expected)
{
    sl_vector *label = VECTOR(SL_INT64, N, 6, LIST(0, 1, 2, 3, 4, 5), LIST(5, 4, 3, 2, 1, 0));
    OK(ctx, sl_vector_apply_index(label, NULL, accum, SL_ROWINDEX_INT64, u, sl_scalar_int64(thunk),
                                  sl_descriptor_get(flags)));
    if (at_1)
        OK(ctx, sl_vector_set(label, 1, sl_scalar_int64(at_1)));
    OK(ctx, sl_closure(label, label, S, SL_MIN_FIRST_INT64, NULL));
    assert_entries(label, expected);
    sl_vector_free(label);
}

static void closure_joins_labels(void **state)
{
    (void)state;
    uint64_t row[] = {0, 1, 1, 2, 2, 3, 4, 5}, col[] = {1, 0, 2, 1, 3, 2, 5, 4};
    sl_vector *full = VECTOR(SL_INT64, N, 6, LIST(0, 1, 2, 3, 4, 5), LIST(1, 1, 1, 1, 1, 1));
    sl_vector *sparse = VECTOR(SL_INT64, N, 3, LIST(1, 3, 5), LIST(1, 1, 1));
    sl_matrix *S;
    OK(ctx, sl_matrix_new(&S, ctx, SL_BOOL, N, N));
    OK(ctx, sl_matrix_build(S, row, col, NULL, 8, NULL));
    OK(ctx, sl_matrix_promise_symmetric(S));
    check_labels(S, full, NULL, 0, 0, 0, "0:0 1:0 2:0 3:0 4:4 5:4");
    check_labels(S, sparse, NULL, 0, 0, 0, "0:1 1:1 2:1 3:1 4:5 5:5");
    check_labels(S, full, NULL, 1, 0, 0, "0:1 1:1 2:1 3:1 4:5 5:5");
    check_labels(S, full, SL_PLUS_INT64, 0, 0, 0, "0:5 1:5 2:5 3:5 4:5 5:5");
    check_labels(S, full, SL_TIMES_INT64, 0, 0, 0, "0:0 1:0 2:0 3:0 4:0 5:0");
    check_labels(S, full, NULL, 0, SL_COMPLEMENT, 0, "0:2 1:2 2:2 3:2 4:0 5:0");
    check_labels(S, full, NULL, 0, 0, -7, "0:-7 1:-7 2:-7 3:-7 4:4 5:4");
    sl_vector_free(full);
    sl_vector_free(sparse);
    sl_matrix_free(S);
}

/* A negative cycle improves distances for ever; a semiring without an idempotent monoid does not
 * converge. */
static void closure_finds_predecessors(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    const sl_type types[] = {SL_INT64, SL_INT32};
    for (size_t k = 0; k < 2; k++) {
        sl_vector *parent = VECTOR(types[k], N, 0, LIST(0), LIST(0));
        sl_vector *pi = VECTOR(SL_FP64, N, 0, LIST(0), LIST(0));
        sl_closure_options from_0 = {.from_source = true, .parent = parent};
        from_0.source_value = sl_scalar_fp64(0);
        OK(ctx, sl_closure(pi, NULL, A, SL_MIN_PLUS_FP64, &from_0));
        assert_entries(pi, "0:0 1:1 2:2 3:3");
        assert_entries(parent, "0:0 1:0 2:1 3:2");
        sl_vector_free(parent);
        sl_vector_free(pi);

        /* From several vertices. 5 keeps its value, 3 does not; 2 is not in the frontier. */
        parent = VECTOR(types[k], N, 0, LIST(0), LIST(0));
        pi = VECTOR(SL_FP64, N, 4, LIST(0, 2, 3, 5), LIST(0, 1, 9, 4));
        sl_vector *q = VECTOR(SL_FP64, N, 3, LIST(0, 3, 5), LIST(0, 9, 4));
        OK(ctx, sl_closure(pi, q, A, SL_MIN_PLUS_FP64, &(sl_closure_options){.parent = parent}));
        assert_entries(pi, "0:0 1:1 2:1 3:9 4:6 5:4");
        assert_entries(parent, "0:0 1:0 2:2 3:3 4:5 5:5");
        sl_vector_free(q);
        sl_vector_free(parent);
        sl_vector_free(pi);
    }
    sl_matrix_free(A);
}

/*
 * Predecessors of equal distances, where lengths are 0: a path longer than the passes of
 * la/traversal/predecessors.c; the least of the sources of the first level that has one (7 is reached from 9 and
 * 2, and later from 1); a cycle, which does not give its own vertices predecessors. 2 has a predecessor of a better
 * distance, 13, and not 12.
 */
static void closure_finds_flat_predecessors(void **state)
{
    enum { VERTICES = 14, EDGES = 17 };
    static const uint64_t from[EDGES] = {0, 12, 12, 12, 9, 2, 7, 1, 7, 4, 5, 3, 6, 11, 10, 0, 13},
                          to[EDGES] = {12, 9, 2, 11, 7, 7, 1, 7, 4, 5, 3, 6, 8, 10, 11, 13, 2};
    (void)state;
    static const sl_type types[] = {SL_INT64, SL_FP64, SL_INT8};
    for (size_t k = 0; k < 3; k++)
        for (int from_source = 0; from_source < 2; from_source++) {
            const int64_t length[EDGES] = {2, [EDGES - 2] = 1, 1};
            sl_matrix *whole, *A;
            sl_vector *parent = VECTOR(SL_INT64, VERTICES, 0, LIST(0), LIST(0)), *q = NULL;
            sl_vector *pi = VECTOR(types[k], VERTICES, from_source ? 0 : 1, LIST(0), LIST(0));
            const sl_closure_options options = {.from_source = from_source,
                                                .source_value =
                                                    sl_scalar_cast(sl_scalar_int64(0), types[k]),
                                                .parent = parent};
            OK(ctx, sl_matrix_new(&whole, ctx, SL_INT64, VERTICES, VERTICES));
            OK(ctx, sl_matrix_build(whole, from, to, length, EDGES, NULL));
            OK(ctx, sl_matrix_new(&A, ctx, types[k], VERTICES, VERTICES));
            OK(ctx, sl_matrix_apply(A, NULL, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, types[k]),
                                    whole, NULL));
            if (!from_source)
                OK(ctx, sl_vector_dup(&q, pi));
            OK(ctx,
               sl_closure(pi, q, A, sl_semiring_get(SL_SEMIRING_MIN_PLUS, types[k]), &options));
            assert_entries(pi, "0:0 1:2 2:2 3:2 4:2 5:2 6:2 7:2 8:2 9:2 10:2 11:2 12:2 13:1");
            assert_entries(parent,
                           "0:0 1:7 2:13 3:5 4:7 5:4 6:3 7:2 8:6 9:12 10:11 11:12 12:0 13:0");
            sl_matrix_free(whole);
            sl_matrix_free(A);
            sl_vector_free(q);
            sl_vector_free(pi);
            sl_vector_free(parent);
        }
}

/* Errors of the option `parent` leave the vectors unchanged. */
static void closure_refuses_parents(void **state)
{
    (void)state;
    sl_matrix *A = weighted();
    sl_vector *parent = VECTOR(SL_INT64, N, 0, LIST(0), LIST(0));
    sl_vector *pi = VECTOR(SL_FP64, N, 1, LIST(0), LIST(0));
    sl_vector *found = VECTOR(SL_INT64, N, 1, LIST(0), LIST(0));
    sl_vector *filled = VECTOR(SL_INT64, N, 1, LIST(4), LIST(4));
    sl_vector *wrong = VECTOR(SL_UINT64, N, 0, LIST(0), LIST(0));
    sl_vector *small = VECTOR(SL_INT64, N - 1, 0, LIST(0), LIST(0));
    const struct {
        sl_closure_options options;
        sl_vector *pi;
        sl_semiring semiring;
        sl_status status;
        const char *part;
    } cases[] = {
        {{.parent = parent},
         found,
         SL_MIN_SECONDI_INT64,
         SL_UNSUPPORTED,
         "min_secondi_int64 settles"},
        {{.parent = parent, .bounded = true}, pi, SL_MIN_PLUS_FP64, SL_INVALID, "with bounded"},
        {{.parent = parent, .targets = pi}, pi, SL_MIN_PLUS_FP64, SL_INVALID, "with targets"},
        {{.parent = filled}, pi, SL_MIN_PLUS_FP64, SL_INVALID, "parent has 1 entries"},
        {{.parent = wrong}, pi, SL_MIN_PLUS_FP64, SL_MISMATCH, "parent is uint64"},
        {{.parent = small}, pi, SL_MIN_PLUS_FP64, SL_MISMATCH, "parent's size"},
        {{.parent = pi}, pi, SL_MIN_PLUS_FP64, SL_INVALID, "a vector of its own"},
        {{.parent = parent, .level = parent}, pi, SL_MIN_PLUS_FP64, SL_INVALID, "of its own"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(
            sl_closure(cases[k].pi, cases[k].pi, A, cases[k].semiring, &cases[k].options),
            cases[k].status);
        assert_non_null(strstr(sl_context_message(ctx), cases[k].part));
    }
    assert_entries(parent, "");
    assert_entries(pi, "0:0");
    assert_entries(filled, "4:4");
    sl_vector *const vectors[] = {parent, pi, found, filled, wrong, small};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        sl_vector_free(vectors[k]);
    sl_matrix_free(A);
}

static void closure_errors(void **state)
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
    sl_vector *wrong = VECTOR(SL_UINT32, N, 0, LIST(0), LIST(0));
    sl_semiring any = SL_ANY_SECONDI_INT64;
    assert_int_equal(sl_closure(NULL, parent, A, any, NULL), SL_INVALID);
    assert_int_equal(sl_closure(parent, NULL, A, any, NULL), SL_INVALID);
    assert_int_equal(sl_closure(parent, parent, NULL, any, NULL), SL_INVALID);
    assert_int_equal(sl_closure(parent, parent, A, NULL, NULL), SL_INVALID);
    const sl_closure_options endless = {.until = (sl_until)7};
    assert_int_equal(sl_closure(parent, parent, A, any, &endless), SL_INVALID);
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
    const uint64_t many = (UINT64_C(1) << 31) + 1;
    sl_matrix *huge;
    sl_vector *int32_vector;
    OK(ctx, sl_matrix_new(&huge, ctx, SL_BOOL, many, many));
    OK(ctx, sl_vector_new(&int32_vector, ctx, SL_INT32, many));
    assert_int_equal(sl_closure(int32_vector, int32_vector, huge, SL_MIN_SECONDI_INT32, NULL),
                     SL_OUT_OF_RANGE);
    assert_non_null(strstr(sl_context_message(ctx), "2147483649"));
    assert_int_equal(sl_advance(int32_vector, int32_vector, int32_vector, huge,
                                SL_ANY_SECONDI_INT32, SL_PUSH, NULL),
                     SL_OUT_OF_RANGE);
    sl_vector_free(int32_vector);
    sl_matrix_free(huge);
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

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closure_searches),
        cmocka_unit_test(closure_starts_at_a_frontier),
        cmocka_unit_test(closure_starts_at_a_source),
        cmocka_unit_test(closure_stops),
        cmocka_unit_test(closure_of_patterns),
        cmocka_unit_test(closure_relaxes),
        cmocka_unit_test(closure_finds_components),
        cmocka_unit_test(closure_joins_labels),
        cmocka_unit_test(closure_finds_predecessors),
        cmocka_unit_test(closure_finds_flat_predecessors),
        cmocka_unit_test(closure_refuses_parents),
        cmocka_unit_test(closure_errors),
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
