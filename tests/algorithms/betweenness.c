/* Betweenness of graphs whose edges are said to be directed or not, and of samples, on every engine. */
#include "support.h"

#include <semla/algorithms.h>

#include <math.h>
#include <string.h>

static sl_context *ctx;

static void expect_all(sl_vector *v, uint64_t n, const double *expected)
{
    uint64_t count;
    OK(ctx, sl_vector_nvals(&count, v));
    assert_int_equal(count, n);
    for (uint64_t k = 0; k < n; k++) {
        sl_scalar value;
        OK(ctx, sl_vector_get(&value, v, k));
        if (!(fabs(value.as.fp64_ - expected[k]) <= 1e-12))
            fail_msg("vertex %d: %.17g, not %.17g", (int)k, value.as.fp64_, expected[k]);
    }
    sl_vector_free(v);
}

/* The same entries are halved if, and only if, the caller says that the graph is undirected. */
static void test_stated_edges(void **state)
{
    const uint64_t rows[] = {0, 2, 1, 2}, cols[] = {2, 0, 2, 1};
    sl_betweenness_options o = {0};
    sl_vector *centrality;
    sl_matrix *A;
    bool symmetric;
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 3, 3));
    OK(ctx, sl_matrix_build(A, rows, cols, NULL, 4, NULL));
    OK(ctx, sl_betweenness(&centrality, A, SL_ALL, 0, NULL));
    expect_all(centrality, 3, (const double[]){0, 0, 2});
    OK(ctx, sl_matrix_is_symmetric(&symmetric, A)); /* found, not stated */
    OK(ctx, sl_betweenness(&centrality, A, SL_ALL, 0, NULL));
    expect_all(centrality, 3, (const double[]){0, 0, 2});
    o.edges = SL_EDGES_UNDIRECTED;
    OK(ctx, sl_betweenness(&centrality, A, SL_ALL, 0, &o));
    expect_all(centrality, 3, (const double[]){0, 0, 1});
    OK(ctx, sl_matrix_promise_symmetric(A));
    OK(ctx, sl_betweenness(&centrality, A, SL_ALL, 0, NULL));
    expect_all(centrality, 3, (const double[]){0, 0, 1});
    o.edges = SL_EDGES_DIRECTED;
    OK(ctx, sl_betweenness(&centrality, A, SL_ALL, 0, &o));
    expect_all(centrality, 3, (const double[]){0, 0, 2});
    o.edges = (sl_edges_kind)3;
    assert_int_equal(sl_betweenness(&centrality, A, SL_ALL, 0, &o), SL_INVALID);
    assert_non_null(strstr(sl_context_message(ctx), "no kind of edges number 3"));
    OK(ctx, sl_matrix_remove(A, 0, 2));
    o.edges = SL_EDGES_UNDIRECTED;
    assert_int_equal(sl_betweenness(&centrality, A, SL_ALL, 0, &o), SL_INVALID);
    assert_non_null(strstr(sl_context_message(ctx), "has no mirror edge"));
    sl_matrix_free(A);
}

/* A star of 5 vertices: every path from one leaf to one of the 3 others contains the centre. */
static void test_samples(void **state)
{
    const uint64_t rows[] = {0, 0, 0, 0, 1, 2, 3, 4}, cols[] = {1, 2, 3, 4, 0, 0, 0, 0};
    const uint64_t leaf[] = {1}, centre[] = {0}, three[] = {0, 3, 3};
    sl_betweenness_options o = {.normalised = true};
    sl_vector *centrality;
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 5, 5));
    OK(ctx, sl_matrix_build(A, rows, cols, NULL, 8, NULL));
    OK(ctx, sl_matrix_promise_symmetric(A));
    OK(ctx, sl_betweenness(&centrality, A, leaf, 1, &o));
    expect_all(centrality, 5, (const double[]){1, 0, 0, 0, 0});
    OK(ctx, sl_betweenness(&centrality, A, centre, 1, &o)); /* no pairs with another source */
    expect_all(centrality, 5, (const double[]){0, 0, 0, 0, 0});
    OK(ctx, sl_betweenness(&centrality, A, three, 3, &o));
    expect_all(centrality, 5, (const double[]){1, 0, 0, 0, 0});
    OK(ctx, sl_betweenness(&centrality, A, three, 0, &o));
    expect_all(centrality, 5, (const double[]){0, 0, 0, 0, 0});
    OK(ctx, sl_betweenness(&centrality, A, SL_ALL, 0, &o));
    expect_all(centrality, 5, (const double[]){1, 0, 0, 0, 0});
    o.normalised = false;
    OK(ctx, sl_betweenness(&centrality, A, leaf, 1, &o));
    expect_all(centrality, 5, (const double[]){1.5, 0, 0, 0, 0});
    o.sampled = true;
    OK(ctx, sl_betweenness(&centrality, A, leaf, 1, &o));
    expect_all(centrality, 5, (const double[]){7.5, 0, 0, 0, 0});
    OK(ctx, sl_betweenness(&centrality, A, SL_ALL, 0, &o));
    expect_all(centrality, 5, (const double[]){6, 0, 0, 0, 0});
    sl_matrix_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stated_edges),
        cmocka_unit_test(test_samples),
    };
    sl_engine_info engine;
    int failed = 0;
    for (size_t position = 0; next_engine(&engine, &position);) {
        OK(NULL, sl_context_create(&ctx, engine.choice));
        failed +=
            _cmocka_run_group_tests(engine.name, tests, sizeof tests / sizeof *tests, NULL, NULL);
        sl_context_free(ctx);
    }
    return failed;
}
