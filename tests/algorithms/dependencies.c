/*
 * sl_dependencies on hostile graphs, and where numbers of shortest paths exceed fp64 or differ by more
 * than its range, on every engine and on one thread and several, compared with Brandes's algorithm
 * with a queue; and its arguments. tests/dist/dependencies.c does the same on grids.
 */
#include "dependency_graphs.h"

static void test_engines(void **state)
{
    (void)state;
    sl_engine_info info;
    size_t position = 0;
    while (next_engine(&info, &position))
        for (int threads = 1; threads <= 3; threads += 2) {
            sl_context *ctx;
            uint64_t random = 7;
            assert_int_equal(sl_context_create(&ctx, info.choice), SL_OK);
            OK(ctx, sl_context_set_threads(ctx, threads));
            check_layers(ctx);
            check_all_graphs(ctx, &random);
            sl_context_free(ctx);
        }
    assert_true(position > 0);
}

/* The numbers of paths of a chain of diamonds double with each: 2^1100 at its end. From its middle
 * the same, with half as many. */
static void test_diamonds(void **state)
{
    (void)state;
    enum { DIAMONDS = 1100, N = 3 * DIAMONDS + 1 };
    edge_list g = {.name = "diamonds", .n = N};
    g.from = malloc(MOST_EDGES * 8);
    g.to = malloc(MOST_EDGES * 8);
    assert_true(g.from && g.to);
    for (uint64_t d = 0; d < DIAMONDS; d++)
        for (uint64_t side = 1; side <= 2; side++) {
            add_edge(&g, 3 * d, 3 * d + side);
            add_edge(&g, 3 * d + side, 3 * d + 3);
        }
    sl_engine_info info;
    for (size_t position = 0; next_engine(&info, &position);) {
        static double right[N];
        const uint64_t sources[] = {0, 3 * (DIAMONDS / 2)};
        sl_context *ctx;
        sl_vector *sum;
        assert_int_equal(sl_context_create(&ctx, info.choice), SL_OK);
        sl_matrix *A = matrix_of(ctx, &g, false);
        for (uint64_t v = 1; v < N; v++) {
            const double after = (double)(N - 1 - (v + 2) / 3 * 3), times = v > sources[1] ? 2 : 1;
            right[v] = times * (v % 3 ? (after + 1) / 2 : after);
        }
        OK(ctx, sl_vector_new(&sum, ctx, SL_FP64, N));
        OK(ctx, sl_dependencies(sum, A, sources, 2));
        check_sum(ctx, g.name, sum, right, NULL);
        sl_vector_free(sum);
        sl_matrix_free(A);
        sl_context_free(ctx);
    }
    free_graph(&g);
}

static sl_context *ctx;

static void expect(sl_status status, sl_status wanted, const char *message)
{
    assert_int_equal(status, wanted);
    if (message)
        assert_string_equal(sl_context_message(ctx), message);
}

static void test_arguments(void **state)
{
    (void)state;
    const uint64_t sources[] = {0, 2, 9};
    sl_context *other;
    sl_matrix *A, *oblong;
    sl_vector *sum, *integers, *longer, *foreign;
    sl_scalar value;
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_AUTO), SL_OK);
    assert_int_equal(sl_context_create(&other, SL_ENGINE_AUTO), SL_OK);
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 4, 4));
    OK(ctx, sl_matrix_new(&oblong, ctx, SL_BOOL, 4, 5));
    OK(ctx, sl_vector_new(&sum, ctx, SL_FP64, 4));
    OK(ctx, sl_vector_new(&integers, ctx, SL_INT64, 4));
    OK(ctx, sl_vector_new(&longer, ctx, SL_FP64, 5));
    OK(other, sl_vector_new(&foreign, other, SL_FP64, 4));
    for (uint64_t v = 0; v < 3; v++)
        OK(ctx, sl_matrix_set(A, v, v + 1, sl_scalar_bool(true)));
    OK(ctx, sl_vector_set(sum, 3, sl_scalar_fp64(5)));

    expect(sl_dependencies(NULL, A, sources, 1), SL_INVALID, "dependencies: sum is NULL");
    expect(sl_dependencies(sum, NULL, sources, 1), SL_INVALID, "dependencies: A is NULL");
    expect(sl_dependencies(sum, A, NULL, 2), SL_INVALID,
           "dependencies: sources is NULL, and count is 2");
    expect(sl_dependencies(sum, oblong, sources, 1), SL_MISMATCH,
           "dependencies: A is 4 x 5; it must be square");
    expect(sl_dependencies(integers, A, sources, 1), SL_MISMATCH,
           "dependencies: sum is int64; it must be fp64");
    expect(sl_dependencies(longer, A, sources, 1), SL_MISMATCH,
           "dependencies: sum's size is 5, not 4");
    assert_int_equal(sl_dependencies(foreign, A, sources, 1), SL_MISMATCH);
    expect(sl_dependencies(sum, A, sources, 3), SL_OUT_OF_RANGE,
           "dependencies: source 9 at position 2 of the list is out of range: there are 4");
    sl_context_cancel(ctx);
    assert_int_equal(sl_dependencies(sum, A, sources, 2), SL_CANCELLED);
    sl_context_resume(ctx);
    assert_int_equal(sl_vector_get(&value, sum, 0), SL_NO_VALUE); /* unchanged */
    OK(ctx, sl_vector_get(&value, sum, 3));
    assert_true(value.as.fp64_ == 5);

    OK(ctx, sl_dependencies(sum, A, NULL, 0));
    check_sum(ctx, "no sources", sum, (const double[]){0, 0, 0, 5}, NULL);
    OK(ctx, sl_dependencies(sum, A, sources, 2));
    check_sum(ctx, "two sources", sum, (const double[]){0, 2, 1, 5}, NULL);
    sl_vector_free(sum);
    sl_vector_free(integers);
    sl_vector_free(longer);
    sl_vector_free(foreign);
    sl_matrix_free(A);
    sl_matrix_free(oblong);
    sl_context_free(other);
    sl_context_free(ctx);
}

int main(void)
{
    cmocka_set_skip_filter(getenv("SEMLA_TEST_SKIP")); /* NULL: none */
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arguments),
                                       cmocka_unit_test(test_diamonds),
                                       cmocka_unit_test(test_engines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
