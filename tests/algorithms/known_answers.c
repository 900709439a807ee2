/*
 * All algorithms on graphs with known answers: Zachary's karate club, and a small directed graph
 * with a self-loop and a vertex without outgoing edges. Real numbers are those of networkx 3; the
 * others were counted by hand.
 */
#include "check_all.h"

#include <math.h>

static sl_context *ctx;
static sl_matrix *karate, *directed;

static void expect_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-8 * (1 + fabs(expected))))
        fail_msg("%.17g, not %.17g", value, expected);
}

static double number(const sl_vector *v, uint64_t index)
{
    sl_scalar value;
    OK(ctx, sl_vector_get(&value, v, index));
    return sl_scalar_cast(value, SL_FP64).as.fp64_;
}

static void expect_all(sl_vector *v, uint64_t n, const double *expected)
{
    uint64_t count;
    OK(ctx, sl_vector_nvals(&count, v));
    assert_int_equal(count, n);
    for (uint64_t k = 0; k < n; k++)
        expect_near(number(v, k), expected[k]);
    sl_vector_free(v);
}

static void components(void **state)
{
    (void)state;
    sl_vector *component;
    OK(ctx, sl_components(&component, karate));
    for (uint64_t v = 0; v < 34; v++)
        assert_true(number(component, v) == 0);
    sl_vector_free(component);
    OK(ctx, sl_components(&component, directed)); /* weak */
    expect_all(component, 8, (const double[]){0, 0, 0, 0, 0, 0, 0, 7});
}

static void searches(void **state)
{
    (void)state;
    const uint64_t sources[] = {16, 0, 16};
    sl_matrix *parent, *level;
    sl_multi_source_options least = {.deterministic = true};
    sl_scalar value;
    OK(ctx, sl_multi_source_bfs(&parent, &level, karate, sources, 3, &least));
    const int64_t parents[] = {5, 0, 5}, levels[] = {2, 0, 2};
    for (uint64_t s = 0; s < 3; s++) {
        OK(ctx, sl_matrix_get(&value, parent, s, 0));
        assert_int_equal(value.as.int64_, parents[s]);
        OK(ctx, sl_matrix_get(&value, level, s, 0));
        assert_int_equal(value.as.int64_, levels[s]);
        OK(ctx, sl_matrix_get(&value, level, s, 26));
        assert_int_equal(value.as.int64_, s == 1 ? 3 : 5);
    }
    sl_matrix_free(parent);
    sl_matrix_free(level);

    const uint64_t within[] = {1, 17, 26, 34, 34};
    for (uint64_t hops = 0; hops < 5; hops++) {
        sl_vector *near;
        uint64_t count;
        OK(ctx, sl_khop(&near, karate, sources + 1, 1, hops));
        OK(ctx, sl_vector_nvals(&count, near));
        assert_int_equal(count, within[hops]);
        sl_vector_free(near);
    }
}

static void paths(void **state)
{
    (void)state;
    sl_vector *path;
    uint64_t distance;
    bool connected;
    OK(ctx, sl_st_connected(&connected, &distance, &path, karate, 16, 26));
    assert_true(connected);
    assert_int_equal(distance, 5);
    assert_true(number(path, 0) == 16 && number(path, 5) == 26);
    sl_vector_free(path);
    OK(ctx, sl_st_connected(&connected, &distance, &path, directed, 0, 5));
    assert_int_equal(distance, 3);
    expect_all(path, 4, (const double[]){0, 2, 4, 5});
    OK(ctx, sl_st_connected(&connected, &distance, NULL, directed, 5, 0));
    assert_false(connected);
    assert_true(distance == UINT64_MAX);
    OK(ctx, sl_st_connected(&connected, NULL, NULL, directed, 7, 7));
    assert_true(connected);
}

static void diameter(void **state)
{
    (void)state;
    sl_diameter d;
    OK(ctx, sl_pseudo_diameter(&d, karate, NULL));
    assert_int_equal(d.lower, 5);
    assert_int_equal(d.upper, 5);
    assert_true(d.searches <= 16);
    sl_diameter_options once = {.has_start = true, .start = 0, .max_searches = 1};
    OK(ctx, sl_pseudo_diameter(&d, karate, &once));
    assert_int_equal(d.lower, 3);
    assert_int_equal(d.upper, 6);
    assert_int_equal(d.ends[0], 0);
    assert_int_equal(d.searches, 1);
}

static void sides(void **state)
{
    (void)state;
    sl_vector *side, *cycle;
    bool bipartite;
    OK(ctx, sl_bipartite(&bipartite, &side, &cycle, karate));
    assert_false(bipartite);
    assert_null(side);
    assert_int_equal(sl_vector_size(cycle), 3); /* 0 has neighbours that are joined */
    sl_vector_free(cycle);

    sl_edges edges;
    sl_generator cube = {.model = SL_MODEL_GRID, .side = {2, 2, 2}};
    sl_read_options symmetric = {.flags = SL_READ_SYMMETRIC};
    sl_matrix *A;
    OK(ctx, sl_generate(&edges, ctx, &cube));
    OK(ctx, sl_matrix_from_edges(&A, ctx, &edges, &symmetric));
    OK(ctx, sl_bipartite(&bipartite, &side, &cycle, A));
    assert_true(bipartite);
    assert_null(cycle);
    expect_all(side, 8, (const double[]){0, 1, 1, 0, 1, 0, 0, 1});
    OK(ctx, sl_bipartite(&bipartite, NULL, NULL, A));
    assert_true(bipartite);
    sl_matrix_free(A);
    sl_edges_free(&edges);
}

static void triangles(void **state)
{
    (void)state;
    const double counts[] = {18, 12, 11, 10, 2, 3, 3, 6, 5, 0, 2, 0, 1, 6, 1, 1,  1,
                             1,  1,  1,  1,  1, 1, 4, 1, 1, 1, 1, 1, 4, 3, 3, 13, 15};
    sl_vector *per_vertex;
    uint64_t count;
    OK(ctx, sl_triangles(&count, NULL, karate));
    assert_int_equal(count, 45);
    OK(ctx, sl_triangles(&count, &per_vertex, karate));
    assert_int_equal(count, 45);
    expect_all(per_vertex, 34, counts);
}

static void clustering(void **state)
{
    (void)state;
    sl_vector *coefficient;
    sl_clustering c;
    OK(ctx, sl_local_clustering(&coefficient, karate, &c));
    assert_int_equal(c.triangles, 45);
    expect_near(c.mean, 0.5706384782076823);
    expect_near(c.global, 0.2556818181818182);
    expect_near(number(coefficient, 0), 0.15);
    expect_near(number(coefficient, 1), 0.3333333333333333);
    expect_near(number(coefficient, 11), 0);
    expect_near(number(coefficient, 33), 0.11029411764705882);
    sl_vector_free(coefficient);
    OK(ctx, sl_local_clustering(&coefficient, karate, NULL));
    sl_vector_free(coefficient);
}

static void core_numbers(void **state)
{
    (void)state;
    const double karate_cores[] = {4, 4, 4, 4, 3, 3, 3, 4, 4, 2, 3, 1, 2, 4, 2, 2, 2,
                                   2, 2, 3, 2, 2, 2, 3, 3, 3, 2, 3, 3, 3, 4, 3, 4, 4};
    sl_vector *core;
    uint64_t greatest;
    OK(ctx, sl_core_numbers(&core, &greatest, karate));
    assert_int_equal(greatest, 4);
    expect_all(core, 34, karate_cores);
    OK(ctx, sl_core_numbers(&core, NULL, karate));
    sl_vector_free(core);
}

/* The numbers of edges are those of networkx 3. */
static void ktruss(void **state)
{
    (void)state;
    const uint64_t edges[] = {67, 25, 14, 0};
    sl_matrix *truss;
    sl_scalar value;
    uint64_t count;
    for (uint64_t k = 3; k <= 6; k++) {
        OK(ctx, sl_ktruss(&truss, karate, k));
        OK(ctx, sl_matrix_nvals(&count, truss));
        assert_int_equal(count, 2 * edges[k - 3]);
        sl_matrix_free(truss);
    }
    OK(ctx, sl_ktruss(&truss, karate, 5)); /* 0, 1, 2, 3, 7 and 13, without the edge from 7 to 13 */
    OK(ctx, sl_matrix_get(&value, truss, 7, 3));
    assert_int_equal(value.as.int64_, 3);
    assert_int_equal(sl_matrix_get(&value, truss, 7, 13), SL_NO_VALUE);
    sl_matrix_free(truss);
}

static void betweenness(void **state)
{
    (void)state;
    sl_vector *centrality;
    sl_betweenness_options o = {.batch = 5};
    OK(ctx, sl_betweenness(&centrality, karate, SL_ALL, 0, NULL));
    expect_near(number(centrality, 0), 231.0714285714286);
    expect_near(number(centrality, 33), 160.5515873015873);
    expect_near(number(centrality, 5), 15.833333333333334);
    assert_true(number(centrality, 11) == 0);
    sl_vector_free(centrality);
    o.normalised = true;
    OK(ctx, sl_betweenness(&centrality, karate, SL_ALL, 0, &o));
    expect_near(number(centrality, 0), 0.43763528138528146);
    sl_vector_free(centrality);
    OK(ctx, sl_betweenness(&centrality, directed, SL_ALL, 0, NULL));
    expect_all(centrality, 8, (const double[]){0, 2, 3, 1, 4, 0, 0, 0});
}

static void closeness(void **state)
{
    (void)state;
    const uint64_t some[] = {33, 2, 33}, all[] = {7, 6, 5, 4, 3, 2, 1, 0};
    const sl_closeness_options estimate = {.estimate = true};
    sl_vector *c;
    sl_scalar value;
    uint64_t entries;
    OK(ctx, sl_closeness(&c, karate, SL_ALL, 0, NULL));
    expect_near(number(c, 0), 0.5689655172413793);
    expect_near(number(c, 16), 0.28448275862068967);
    expect_near(number(c, 33), 0.55);
    sl_vector_free(c);
    OK(ctx, sl_closeness(&c, karate, some, 3, NULL));
    OK(ctx, sl_vector_nvals(&entries, c));
    assert_int_equal(entries, 2);
    expect_near(number(c, 33), 0.55);
    assert_int_equal(sl_vector_get(&value, c, 0), SL_NO_VALUE);
    sl_vector_free(c);
    OK(ctx, sl_closeness(&c, karate, some, 3, &estimate)); /* 1 from 2 and twice 2 from 33 */
    expect_near(number(c, 0), 3. / 5);
    expect_near(number(c, 2), 0.5);
    expect_near(number(c, 33), 0.5);
    sl_vector_free(c);

    /* distances lead to the vertex; 6 has a self-loop, and 7 is isolated */
    const double right[] = {1. / 7, 2. / 7, 1. / 7, 16. / 49, 8. / 21, 16. / 49, 9. / 35, 0};
    OK(ctx, sl_closeness(&c, directed, SL_ALL, 0, NULL));
    expect_all(c, 8, right);
    OK(ctx, sl_closeness(&c, directed, all, 8, &estimate));
    expect_all(c, 8, right);
    OK(ctx, sl_closeness(&c, directed, all, 8, NULL));
    expect_all(c, 8, right);
}

static void pagerank(void **state)
{
    (void)state;
    sl_vector *rank, *weights;
    sl_pagerank_options o = {.tolerance = 1e-13, .max_iterations = 1000};
    sl_pagerank_result r;
    OK(ctx, sl_pagerank(&rank, karate, &o, &r));
    assert_true(r.converged && r.residual <= 1e-13 && r.iterations > 10 && r.iterations < 1000);
    expect_near(number(rank, 33), 0.10091918232295749);
    expect_near(number(rank, 0), 0.09699728539860193);
    expect_near(number(rank, 11), 0.009564745492877783);
    sl_vector_free(rank);

    OK(ctx, sl_vector_new(&weights, ctx, SL_INT32, 34));
    OK(ctx, sl_vector_set(weights, 5, sl_scalar_int32(3)));
    OK(ctx, sl_vector_set(weights, 16, sl_scalar_int32(1)));
    o.personalisation = weights;
    OK(ctx, sl_pagerank(&rank, karate, &o, NULL));
    expect_near(number(rank, 5), 0.20693382579727582);
    expect_near(number(rank, 16), 0.10493677847072494);
    expect_near(number(rank, 33), 0.027946287160796526);
    sl_vector_free(rank);
    sl_vector_free(weights);

    o.personalisation = NULL;
    OK(ctx, sl_pagerank(&rank, directed, &o, NULL));
    expect_all(rank, 8,
               (const double[]){0.030608898444047676, 0.04361768028276795, 0.033987802817741254,
                                0.20643048392432206, 0.118341854111872, 0.15900726464440346,
                                0.3870269947958245, 0.020979020979020983});
    o.max_iterations = 2;
    OK(ctx, sl_pagerank(&rank, directed, &o, &r)); /* not converged */
    assert_false(r.converged);
    assert_int_equal(r.iterations, 2);
    assert_true(r.residual > 1e-13);
    sl_vector_free(rank);
}

/* A graph without vertices. */
static void no_vertices(void **state)
{
    (void)state;
    sl_matrix *A, *parent, *level;
    sl_vector *v;
    sl_pagerank_result r;
    uint64_t count = 9;
    bool bipartite = false;
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 0, 0));
    OK(ctx, sl_components(&v, A));
    assert_int_equal(sl_vector_size(v), 0);
    sl_vector_free(v);
    OK(ctx, sl_multi_source_bfs(&parent, &level, A, NULL, 0, NULL));
    assert_int_equal(sl_matrix_nrows(parent), 0);
    sl_matrix_free(parent);
    sl_matrix_free(level);
    OK(ctx, sl_khop(&v, A, NULL, 0, 3));
    sl_vector_free(v);
    OK(ctx, sl_pagerank(&v, A, NULL, &r));
    assert_true(r.converged);
    sl_vector_free(v);
    OK(ctx, sl_betweenness(&v, A, SL_ALL, 0, NULL));
    sl_vector_free(v);
    OK(ctx, sl_closeness(&v, A, SL_ALL, 0, NULL));
    assert_int_equal(sl_vector_size(v), 0);
    sl_vector_free(v);
    OK(ctx, sl_triangles(&count, &v, A));
    assert_int_equal(count, 0);
    sl_vector_free(v);
    OK(ctx, sl_bipartite(&bipartite, &v, NULL, A));
    assert_true(bipartite);
    sl_vector_free(v);
    sl_clustering c = {.mean = 9};
    OK(ctx, sl_local_clustering(&v, A, &c));
    assert_true(c.triangles == 0 && c.mean == 0 && c.global == 0);
    sl_vector_free(v);
    count = 9;
    OK(ctx, sl_core_numbers(&v, &count, A));
    assert_int_equal(count, 0);
    sl_vector_free(v);
    OK(ctx, sl_ktruss(&parent, A, 3));
    assert_int_equal(sl_matrix_nrows(parent), 0);
    sl_matrix_free(parent);
    sl_matrix_free(A);
}

int main(void)
{
    const uint64_t from[] = {0, 0, 2, 2, 2, 3, 3, 4, 4, 5, 1, 6};
    const uint64_t to[] = {1, 2, 0, 1, 4, 4, 5, 3, 5, 3, 6, 6};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components), cmocka_unit_test(searches),     cmocka_unit_test(paths),
        cmocka_unit_test(diameter),   cmocka_unit_test(sides),        cmocka_unit_test(triangles),
        cmocka_unit_test(pagerank),   cmocka_unit_test(no_vertices),  cmocka_unit_test(betweenness),
        cmocka_unit_test(closeness),  cmocka_unit_test(core_numbers), cmocka_unit_test(clustering),
        cmocka_unit_test(ktruss),
    };
    int failed = 0;
    for (int choice = SL_ENGINE_AUTO; choice <= SL_ENGINE_SUITESPARSE; choice++) {
        if (sl_context_create(&ctx, choice) != SL_OK ||
            sl_matrix_read(&karate, ctx, SEMLA_TEST_DATA "/karate.mtx", 0) != SL_OK ||
            sl_matrix_new(&directed, ctx, SL_BOOL, 8, 8) != SL_OK ||
            sl_matrix_build(directed, from, to, NULL, 12, NULL) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests(tests, NULL, NULL);
        sl_matrix_free(karate);
        sl_matrix_free(directed);
        sl_context_free(ctx);
    }
    return failed;
}
