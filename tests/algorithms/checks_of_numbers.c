/*
 * The checks of distances, ranks, centralities, triangles, cores and trusses: each accepts valid results, and
 * rejects faulty ones with the reason. All checks without memory and with NULL.
 */
#include <math.h>
#include <string.h>

#include "check_result.h"

/* 0 -2-> 1 -3-> 2, 0 -5-> 2, 2 -0-> 3, 3 -0-> 2; 4 -1-> 0 */
static uint64_t start[] = {0, 2, 3, 4, 5, 6}, head[] = {1, 2, 2, 3, 2, 0};
static int16_t whole[] = {2, 5, 3, 0, 0, 1};
static float real[] = {2, 5, 3, 0, 0, 1};

static void shortest_paths(void **state)
{
    (void)state;
    sl_csr g = {5, 5, SL_INT16, start, head, whole, NULL};
    int64_t d[] = {0, 2, 5, 5, INT64_MAX}, p[] = {0, 0, 1, 2, -1};
    accepts(sl_check_sssp(&result, &g, 0, d, p));
    accepts(sl_check_sssp(&result, &g, 0, d, NULL));
    p[2] = 0;
    accepts(sl_check_sssp(&result, &g, 0, d, p));
    p[2] = 3; /* both lengths are 0: tight, but a cycle */
    rejects(sl_check_sssp(&result, &g, 0, d, p),
            "no path of tree edges from the source to vertex 2");
    p[2] = 1;
    p[3] = 1;
    rejects(sl_check_sssp(&result, &g, 0, d, p),
            "vertex 3 has parent 1, but there is no edge from it");
    p[3] = -1;
    rejects(sl_check_sssp(&result, &g, 0, d, p), "vertex 3 has a distance but no parent");
    p[3] = 9;
    rejects(sl_check_sssp(&result, &g, 0, d, p), "vertex 3 has parent 9");
    p[3] = 2;
    p[4] = 0;
    rejects(sl_check_sssp(&result, &g, 0, d, p), "vertex 4 has a parent but no distance");
    p[4] = -1;
    p[0] = 2;
    rejects(sl_check_sssp(&result, &g, 0, d, p), "the source 0 has parent 2");
    p[0] = 0;
    d[2] = d[3] = 4;
    rejects(sl_check_sssp(&result, &g, 0, d, NULL),
            "no path of tight edges from the source to vertex 2");
    d[2] = d[3] = 6;
    rejects(sl_check_sssp(&result, &g, 0, d, NULL),
            "the edge from 0 to 2 gives a shorter path to 2 than its distance");
    d[2] = d[3] = 5;
    d[3] = INT64_MAX;
    rejects(sl_check_sssp(&result, &g, 0, d, NULL),
            "vertex 3 has no distance, but there is an edge to it from 2");
    d[3] = 5;
    d[0] = 1;
    rejects(sl_check_sssp(&result, &g, 0, d, NULL), "the source 0 has a distance other than 0");
    assert_int_equal(sl_check_sssp(&result, &g, 5, d, NULL), SL_OUT_OF_RANGE);
    assert_int_equal(sl_check_sssp(&result, NULL, 0, d, NULL), SL_INVALID);
}

static void shortest_paths_of_fp32(void **state)
{
    (void)state;
    sl_csr g = {5, 5, SL_FP32, start, head, real, NULL};
    sl_csr unit = {5, 5, SL_INT64, start, head, NULL, NULL};
    double d[] = {0, 2, 5, 5, INFINITY};
    int64_t p[] = {0, 0, 1, 2, -1}, hops[] = {0, 1, 1, 2, INT64_MAX};
    accepts(sl_check_sssp(&result, &g, 0, d, p));
    d[3] = nextafter(5, 6);
    rejects(sl_check_sssp(&result, &g, 0, d, NULL),
            "the edge from 2 to 3 gives a shorter path to 3 than its distance");
    d[3] = NAN;
    rejects(sl_check_sssp(&result, &g, 0, d, NULL),
            "the edge from 2 to 3 gives a shorter path to 3 than its distance");
    accepts(sl_check_sssp(&result, &unit, 0, hops, NULL));
    unit.type = SL_BOOL;
    accepts(sl_check_sssp(&result, &unit, 0, hops, NULL));
}

static void pagerank(void **state)
{
    (void)state;
    small_graph g = graph_of(3, false, PAIRS(0, 1, 1, 0, 1, 2)); /* 2 has no outgoing edges */
    sl_graph_view view = view_of(&g);
    const double jump[] = {0.5, 0.5, 0};
    double rank[3];
    sl_pagerank_result r;
    sl_pagerank_options o = {.tolerance = 1e-14, .damping = 0.5};
    assert_int_equal(sl_plain_pagerank(rank, &view, NULL, &o, &r), SL_OK);
    assert_true(r.converged && r.residual <= 1e-14);
    /* r0 = r2 = x + r1 / 4, r1 = x + r0 / 2 + r2 / 6, x = (1 + r2) / 6 */
    assert_true(fabs(rank[0] - rank[2]) < 1e-12 && fabs(rank[0] + rank[1] + rank[2] - 1) < 1e-12);
    assert_true(fabs(rank[1] - (1.0 / 6 + rank[2] / 6 + rank[0] / 2)) < 1e-12);
    accepts(sl_check_pagerank(&result, &view, rank, NULL, &o, 1e-12));
    rank[0] += 0.01;
    rejects(sl_check_pagerank(&result, &view, rank, NULL, &o, 1e-12),
            "one more iteration changes the ranks by 0.015 in sum; the tolerance is 1e-12");
    rank[0] = NAN;
    rejects(sl_check_pagerank(&result, &view, rank, NULL, &o, 1e-12),
            "one more iteration changes the ranks by nan in sum; the tolerance is 1e-12");
    assert_int_equal(sl_plain_pagerank(rank, &view, jump, NULL, &r), SL_OK);
    accepts(sl_check_pagerank(&result, &view, rank, jump, NULL, 1e-6));
    o.max_iterations = 3;
    assert_int_equal(sl_plain_pagerank(rank, &view, jump, &o, &r), SL_OK);
    assert_true(r.iterations == 3 && !r.converged);
    assert_int_equal(sl_check_pagerank(&result, &view, NULL, NULL, NULL, 1), SL_INVALID);
}

static void betweenness(void **state)
{
    (void)state;
    small_graph g = house();
    sl_graph_view view = view_of(&g);
    const uint64_t one = 4, none = 8;
    double c[8];
    assert_int_equal(sl_plain_betweenness(c, &view, SL_ALL, 0), SL_OK);
    const double right[] = {0, 0, 8, 6, 0, 0, 0, 0};
    for (int v = 0; v < 8; v++)
        assert_true(fabs(c[v] - right[v]) < 1e-12);
    accepts(sl_check_betweenness(&result, &view, SL_ALL, 0, 1, right));
    for (int v = 0; v < 8; v++)
        c[v] /= 2;
    accepts(sl_check_betweenness(&result, &view, SL_ALL, 0, 0.5, c));
    c[3] += 1e-6;
    rejects(sl_check_betweenness(&result, &view, SL_ALL, 0, 0.5, c),
            "vertex 3 has centrality 3.0000010000000001, but 3 is right");
    c[3] = NAN;
    rejects(sl_check_betweenness(&result, &view, SL_ALL, 0, 0.5, c),
            "vertex 3 has centrality nan, but 3 is right");
    assert_int_equal(sl_plain_betweenness(c, &view, &one, 1), SL_OK);
    assert_true(c[2] == 2 && c[3] == 3 && c[4] == 0);
    assert_int_equal(sl_plain_betweenness(c, &view, &none, 1), SL_OUT_OF_RANGE);
    assert_int_equal(sl_check_betweenness(&result, &view, &none, 1, 1, c), SL_OUT_OF_RANGE);
}

static void closeness(void **state)
{
    (void)state;
    small_graph g = house(), arrows = graph_of(4, false, PAIRS(0, 1, 1, 2, 2, 2));
    sl_graph_view view = view_of(&g), directed = view_of(&arrows);
    const uint64_t some[] = {3, 7, 3}, beyond = 8;
    const sl_closeness_options estimate = {.estimate = true};
    double c[8];
    assert_int_equal(sl_plain_closeness(c, &view, SL_ALL, 0, NULL), SL_OK);
    const double right[] = {16. / 49, 16. / 49, 16. / 35, 16. / 42, 16. / 63, 1. / 7, 1. / 7, 0};
    for (int v = 0; v < 8; v++)
        assert_true(fabs(c[v] - right[v]) < 1e-12);
    accepts(sl_check_closeness(&result, &view, SL_ALL, 0, NULL, right));
    accepts(sl_check_closeness(&result, &view, SL_ALL, 0, &estimate, right));
    c[5] = 0.15;
    rejects(sl_check_closeness(&result, &view, SL_ALL, 0, NULL, c),
            "vertex 5 has closeness 0.14999999999999999, but 0.14285714285714285 is right");
    c[5] = NAN;
    rejects(sl_check_closeness(&result, &view, SL_ALL, 0, NULL, c),
            "vertex 5 has closeness nan, but 0.14285714285714285 is right");
    double of_some[] = {INFINITY, INFINITY, INFINITY, 16. / 42, INFINITY, INFINITY, INFINITY, 0};
    accepts(sl_check_closeness(&result, &view, some, 3, NULL, of_some));
    of_some[3] = INFINITY;
    rejects(sl_check_closeness(&result, &view, some, 3, NULL, of_some),
            "vertex 3 has closeness inf, but 0.38095238095238093 is right (inf: no entry)");
    of_some[3] = 16. / 42;
    of_some[0] = 0.5;
    rejects(sl_check_closeness(&result, &view, some, 3, NULL, of_some),
            "vertex 0 has closeness 0.5, but inf is right (inf: no entry)");
    /* sources 3, 7, 3: two of three reach 0 at distance 2, none of the other two sources reaches 3 */
    const double of_all[] = {4. / 12, 4. / 12, 4. / 6, 0, 4. / 6, 0, 0, 0};
    accepts(sl_check_closeness(&result, &view, some, 3, &estimate, of_all));
    accepts(sl_check_closeness(&result, &view, some, 0, &estimate, (double[8]){0}));

    const double to[] = {0, 1. / 3, 4. / 9, 0}; /* distances lead to the vertex */
    accepts(sl_check_closeness(&result, &directed, SL_ALL, 0, NULL, to));
    accepts(sl_check_closeness(&result, &directed, (uint64_t[]){3, 1, 2, 0}, 4, NULL, to));
    assert_int_equal(sl_plain_closeness(c, &view, &beyond, 1, NULL), SL_OUT_OF_RANGE);
    assert_int_equal(sl_check_closeness(&result, &view, &beyond, 1, NULL, c), SL_OUT_OF_RANGE);
    assert_int_equal(sl_plain_closeness(NULL, &view, SL_ALL, 0, NULL), SL_INVALID);
    assert_int_equal(sl_check_closeness(&result, &view, SL_ALL, 0, NULL, NULL), SL_INVALID);
}

static void triangles(void **state)
{
    (void)state;
    small_graph g = house();
    g.edge[1][1] = true; /* a self-loop changes nothing */
    sl_graph_view view = view_of(&g);
    int64_t per_vertex[] = {1, 1, 1, 0, 0, 0, 0, 0};
    accepts(sl_check_triangles(&result, &view, 1, per_vertex));
    accepts(sl_check_triangles(&result, &view, 1, NULL));
    rejects(sl_check_triangles(&result, &view, 2, per_vertex),
            "the count is 2; there are 1 triangles");
    per_vertex[4] = 1;
    rejects(sl_check_triangles(&result, &view, 1, per_vertex), "vertex 4 has 0 triangles, not 1");
}

static void local_clustering(void **state)
{
    (void)state;
    small_graph g = house();
    g.edge[1][1] = g.edge[7][7] = true; /* self-loops change nothing */
    sl_graph_view view = view_of(&g);
    double coefficient[] = {1, 1, 1. / 3, 0, 0, 0, 0, 0};
    sl_clustering c = {.triangles = 1, .mean = 7. / 24, .global = 0.5};
    accepts(sl_check_local_clustering(&result, &view, coefficient, &c));
    accepts(sl_check_local_clustering(&result, &view, coefficient, NULL));
    c.mean = 0.5;
    rejects(sl_check_local_clustering(&result, &view, coefficient, &c),
            "the mean coefficient is 0.5, but 0.29166666666666669 is right");
    c.mean = 7. / 24;
    c.global = NAN;
    rejects(sl_check_local_clustering(&result, &view, coefficient, &c),
            "the global coefficient is nan, but 0.5 is right");
    c.triangles = 2;
    rejects(sl_check_local_clustering(&result, &view, coefficient, &c),
            "the number of triangles is 2, but 1 is right");
    coefficient[3] = 1e-6;
    rejects(sl_check_local_clustering(&result, &view, coefficient, NULL),
            "vertex 3 has the coefficient 9.9999999999999995e-07, but 0 is right");
    coefficient[3] = NAN;
    rejects(sl_check_local_clustering(&result, &view, coefficient, NULL),
            "vertex 3 has the coefficient nan, but 0 is right");
}

static void core_numbers(void **state)
{
    (void)state;
    small_graph g = house();
    g.edge[3][3] = g.edge[7][7] = true; /* self-loops change nothing */
    sl_graph_view view = view_of(&g);
    int64_t core[] = {2, 2, 2, 1, 1, 1, 1, 0};
    accepts(sl_check_core_numbers(&result, &view, core));
    core[3] = 2;
    rejects(sl_check_core_numbers(&result, &view, core),
            "vertex 3 has core number 2, but 1 is right");
    core[3] = 1;
    core[7] = -1;
    rejects(sl_check_core_numbers(&result, &view, core),
            "vertex 7 has core number -1, but 0 is right");
}

/* A complete graph of 4 vertices, a triangle on one of its edges, and a path. */
static void ktruss(void **state)
{
    (void)state;
    small_graph g = graph_of(8, true, PAIRS(0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3, 2, 4, 3, 4, 4, 5));
    g.edge[0][0] = g.edge[6][6] = true; /* self-loops change nothing */
    sl_graph_view view = view_of(&g);
    const uint64_t rows[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4};
    uint64_t cols[] = {1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2, 5};
    int64_t triangles[] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0}, support[32];
    accepts(sl_check_ktruss(&result, &view, 4, rows, cols, triangles, 12));
    accepts(sl_check_ktruss(&result, &view, 5, NULL, NULL, NULL, 0));
    rejects(sl_check_ktruss(&result, &view, 4, rows, cols, triangles, 11),
            "the truss lacks the edge from 3 to 2, which has 2 triangles");
    rejects(sl_check_ktruss(&result, &view, 4, rows, cols, triangles, 13),
            "the edge from 4 to 5 does not belong to the truss");
    rejects(sl_check_ktruss(&result, &view, 3, rows, cols, triangles, 12),
            "the edge from 2 to 3 has 2 triangles in the truss, but 3 is right");
    cols[11] = 1; /* twice */
    rejects(sl_check_ktruss(&result, &view, 4, rows, cols, triangles, 12),
            "the edge from 3 to 1 does not belong to the truss");
    cols[11] = 7;
    rejects(sl_check_ktruss(&result, &view, 4, rows, cols, triangles, 12),
            "the edge from 3 to 7 does not belong to the truss");
    cols[11] = 99;
    rejects(sl_check_ktruss(&result, &view, 4, rows, cols, triangles, 12),
            "the edge from 3 to 99 does not belong to the truss");
    assert_int_equal(sl_check_ktruss(&result, &view, 2, rows, cols, triangles, 12), SL_INVALID);
    assert_int_equal(sl_check_ktruss(&result, &view, 4, rows, NULL, triangles, 12), SL_INVALID);
    assert_int_equal(sl_plain_ktruss(support, &view, 2), SL_INVALID);
    assert_int_equal(sl_plain_ktruss(NULL, &view, 3), SL_INVALID);
}

static void nulls(void **state)
{
    (void)state;
    small_graph g = house();
    sl_graph_view view = view_of(&g), broken = {3, NULL, NULL, NULL, NULL};
    int64_t array[8];
    double ranks[8];
    uint64_t count;
    assert_int_equal(sl_plain_components(NULL, &view), SL_INVALID);
    assert_int_equal(sl_plain_components(array, NULL), SL_INVALID);
    assert_int_equal(sl_plain_pagerank(NULL, &view, NULL, NULL, NULL), SL_INVALID);
    assert_int_equal(sl_plain_betweenness(ranks, NULL, SL_ALL, 0), SL_INVALID);
    assert_int_equal(sl_plain_triangles(&count, NULL, &broken), SL_INVALID);
    assert_int_equal(sl_plain_core_numbers(array, &broken), SL_INVALID);
    assert_int_equal(sl_plain_local_clustering(ranks, NULL, &broken), SL_INVALID);
    assert_int_equal(sl_check_local_clustering(&result, &view, NULL, NULL), SL_INVALID);
    assert_int_equal(sl_check_core_numbers(&result, &view, NULL), SL_INVALID);
    assert_int_equal(sl_check_components(NULL, &view, array), SL_INVALID);
    assert_int_equal(sl_check_components(&result, &view, NULL), SL_INVALID);
    assert_int_equal(sl_check_khop(&result, &view, NULL, 1, 1, array), SL_INVALID);
    assert_int_equal(sl_check_diameter(&result, &view, NULL, NULL), SL_INVALID);
    assert_int_equal(sl_check_triangles(&result, &broken, 0, NULL), SL_INVALID);
    assert_int_equal(sl_check_betweenness(&result, &view, SL_ALL, 0, 1, NULL), SL_INVALID);
}

/* ---- memory ------------------------------------------------------------- */

static sl_status check_all(void *data)
{
    small_graph g = house();
    sl_graph_view view = view_of(&g);
    sl_csr rows = {5, 5, SL_INT16, start, head, whole, NULL};
    sl_diameter d = {.lower = 3, .upper = 6, .ends = {0, 4}, .searches = 1};
    int64_t c[] = {0, 0, 0, 0, 0, 5, 5, 7}, near[] = {2, 2, 1, 0, 1, -1, -1, -1};
    int64_t distance[] = {0, 2, 5, 5, INT64_MAX}, per_vertex[] = {1, 1, 1, 0, 0, 0, 0, 0};
    const uint64_t middle = 3;
    double rank[8], centrality[] = {0, 0, 8, 6, 0, 0, 0, 0};
    sl_status status = sl_plain_pagerank(rank, &view, NULL, NULL, NULL);
#define AND(call) status = status == SL_OK ? (call) : status
    AND(sl_check_components(&result, &view, c));
    AND(sl_check_khop(&result, &view, &middle, 1, 9, near));
    AND(sl_check_multi_source(&result, &view, &middle, 1, NULL, near, -1));
    AND(sl_check_st_connected(&result, &view, 3, 0, true, 2, NULL));
    AND(sl_check_diameter(&result, &view, &d, &middle));
    AND(sl_check_sssp(&result, &rows, 0, distance, NULL));
    AND(sl_check_pagerank(&result, &view, rank, NULL, NULL, 1e-6));
    AND(sl_check_betweenness(&result, &view, SL_ALL, 0, 1, centrality));
    AND(sl_check_triangles(&result, &view, 1, per_vertex));
    assert_true(status == SL_OK ? result.valid : !result.valid && !*result.reason);
    return status;
}

static void memory(void **state)
{
    (void)state;
    assert_true(allocator_fail_each(check_all, NULL) >= 12);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest_paths),   cmocka_unit_test(shortest_paths_of_fp32),
        cmocka_unit_test(pagerank),         cmocka_unit_test(betweenness),
        cmocka_unit_test(closeness),        cmocka_unit_test(triangles),
        cmocka_unit_test(local_clustering), cmocka_unit_test(core_numbers),
        cmocka_unit_test(ktruss),           cmocka_unit_test(nulls),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
