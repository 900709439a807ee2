/*
 * The checks: each accepts valid results, and rejects faulty ones with the reason. The references,
 * on graphs with known answers.
 */
#include <math.h>
#include <string.h>

#include <semla/checks.h>

#include "small_graphs.h"

static sl_check_result result;

static void accepts(sl_status status)
{
    assert_int_equal(status, SL_OK);
    if (!result.valid)
        fail_msg("%s", result.reason);
    assert_string_equal(result.reason, "");
}

static void rejects(sl_status status, const char *reason)
{
    assert_int_equal(status, SL_OK);
    assert_false(result.valid);
    assert_string_equal(result.reason, reason);
}

/* 0 - 1 - 2 - 0 and 2 - 3 - 4; 5 - 6; 7 isolated */
static small_graph house(void)
{
    return graph_of(8, true, PAIRS(0, 1, 1, 2, 2, 0, 2, 3, 3, 4, 5, 6));
}

static void components(void **state)
{
    (void)state;
    small_graph g = house();
    sl_graph_view view = view_of(&g);
    int64_t c[] = {0, 0, 0, 0, 0, 5, 5, 7};
    accepts(sl_check_components(&result, &view, c));
    c[6] = 6;
    rejects(sl_check_components(&result, &view, c),
            "vertex 6 has component 6, but the least vertex of its component is 5");
    c[6] = 5;
    c[4] = -1;
    rejects(sl_check_components(&result, &view, c),
            "vertex 4 has component -1, but the least vertex of its component is 0");
    /* edges of a directed graph count in both directions */
    g = graph_of(5, false, PAIRS(4, 0, 3, 4, 1, 2));
    view = view_of(&g);
    assert_int_equal(sl_plain_components(c, &view), SL_OK);
    assert_memory_equal(c, ((int64_t[]){0, 1, 1, 0, 0}), 5 * sizeof *c);
}

static void scc(void **state)
{
    (void)state;
    small_graph g = graph_of(7, false, PAIRS(1, 2, 2, 3, 3, 1, 3, 4, 4, 5, 5, 4, 6, 5, 0, 0));
    sl_graph_view view = view_of(&g);
    int64_t c[] = {0, 1, 1, 1, 4, 4, 6};
    accepts(sl_check_scc(&result, &view, c, 4));
    rejects(sl_check_scc(&result, &view, c, 5), "the number of components is 4, not 5");
    c[5] = 1;
    rejects(sl_check_scc(&result, &view, c, 4),
            "vertex 5 has component 1, but the least vertex of its component is 4");
    c[5] = 4;
    c[2] = -1;
    rejects(sl_check_scc(&result, &view, c, 4),
            "vertex 2 has component -1, but the least vertex of its component is 1");
    assert_int_equal(sl_check_scc(&result, &view, NULL, 4), SL_INVALID);
    assert_int_equal(sl_plain_scc(NULL, &view), SL_INVALID);
    /* a path that leads back from its last vertex to the second: deep, with low numbers passed on */
    g = graph_of(6, false, PAIRS(5, 4, 4, 3, 3, 2, 2, 1, 1, 4, 1, 0));
    view = view_of(&g);
    assert_int_equal(sl_plain_scc(c, &view), SL_OK);
    assert_memory_equal(c, ((int64_t[]){0, 1, 1, 1, 1, 5}), 6 * sizeof *c);
}

/* 0 -2- 1 -2- 2 -1- 0, 2 -4- 3, and 4 */
static void spanning_forest(void **state)
{
    (void)state;
    uint64_t start[] = {0, 2, 4, 7, 8, 8}, head[] = {1, 2, 0, 2, 0, 1, 3, 2};
    double weights[] = {2, 1, 2, 2, 1, 2, 4, 4};
    const sl_csr graph = {5, 5, SL_FP64, start, head, weights, NULL};
    uint64_t from[] = {0, 1, 0, 2, 2, 3, 1, 2}, to[] = {1, 0, 2, 0, 3, 2, 2, 1};
    double chosen[] = {2, 2, 1, 1, 4, 4, 2, 2};
    sl_arrays forest = {.type = SL_FP64,
                        .nrows = 5,
                        .ncols = 5,
                        .nvals = 6,
                        .rows = from,
                        .cols = to,
                        .values = chosen};
    sl_forest_summary s = {.edges = 3, .trees = 2, .weight = 7};
    accepts(sl_check_spanning_forest(&result, &graph, &forest, &s));
    s.weight = 7.5;
    rejects(sl_check_spanning_forest(&result, &graph, &forest, &s),
            "the sum of the weights is 7, not 7.5");
    s.weight = 7;
    s.trees = 1;
    rejects(sl_check_spanning_forest(&result, &graph, &forest, &s),
            "the forest has 3 edges and 2 trees, not 3 and 1");
    s.trees = 2;
    forest.nvals = 8;
    rejects(sl_check_spanning_forest(&result, &graph, &forest, &s),
            "the edge between 1 and 2 closes a cycle");
    forest.nvals = 4;
    rejects(sl_check_spanning_forest(&result, &graph, &forest, &s),
            "the forest has 2 edges, but a spanning one has 3");
    forest.nvals = 5;
    rejects(sl_check_spanning_forest(&result, &graph, &forest, &s),
            "the forest is not symmetric: 2 of 5 entries are below the diagonal");
    forest.nvals = 6;
    chosen[2] = 1.5;
    rejects(sl_check_spanning_forest(&result, &graph, &forest, &s),
            "the edge between 0 and 2 has the weight 1.5 in the forest, but 1 in the graph");
    chosen[2] = 1;
    from[2] = to[3] = 3;
    rejects(sl_check_spanning_forest(&result, &graph, &forest, &s), /* 3 - 2 is there twice */
            "the edge between 3 and 2 has the weight 1 in the forest, but 4 in the graph");
    from[2] = to[3] = 1;
    chosen[2] = chosen[3] = 2;
    rejects(
        sl_check_spanning_forest(&result, &graph, &forest, &s),
        "edge 1 of the forest by weight has the weight 2, but that of a minimum spanning forest "
        "has 1");
    from[2] = to[3] = 4;
    rejects(sl_check_spanning_forest(&result, &graph, &forest, &s),
            "the graph has no edge between 4 and 2");
    from[2] = 5;
    rejects(sl_check_spanning_forest(&result, &graph, &forest, &s),
            "the forest has an entry (5, 2)");
    assert_int_equal(sl_check_spanning_forest(&result, &graph, NULL, &s), SL_INVALID);
}

static void independent_set(void **state)
{
    (void)state;
    small_graph g = house();
    g.edge[7][7] = true;
    const sl_graph_view view = view_of(&g);
    bool member[8] = {true, false, false, true, false, true, false, true};
    accepts(sl_check_independent_set(&result, &view, member));
    member[4] = true;
    rejects(sl_check_independent_set(&result, &view, member),
            "3 and 4 are in the set, and an edge joins them");
    member[4] = member[7] = false;
    rejects(sl_check_independent_set(&result, &view, member),
            "neither vertex 7 nor one of its neighbours is in the set");
    assert_int_equal(sl_check_independent_set(&result, &view, NULL), SL_INVALID);
}

/* After one iteration each vertex has its least neighbour. Vertex 7 has no neighbour. */
static void label_propagation(void **state)
{
    (void)state;
    small_graph g = house();
    sl_graph_view view = view_of(&g);
    int64_t label[8] = {1, 0, 0, 2, 3, 6, 5, 7};
    accepts(sl_check_label_propagation(&result, &view, label, 1));
    label[3] = 4;
    rejects(sl_check_label_propagation(&result, &view, label, 1),
            "vertex 3 has the label 4, but 2 is right");
    label[3] = 2;
    rejects(sl_check_label_propagation(&result, &view, label, 2),
            "vertex 0 has the label 1, but 0 is right");
    assert_int_equal(sl_plain_label_propagation(label, &view, 0), SL_OK);
    assert_memory_equal(label, ((int64_t[]){0, 1, 2, 3, 4, 5, 6, 7}), 8 * sizeof *label);
    assert_int_equal(sl_check_label_propagation(&result, &view, NULL, 1), SL_INVALID);
    assert_int_equal(sl_plain_label_propagation(NULL, &view, 1), SL_INVALID);
    /* edges count at both ends, those in both directions twice: 1 counts 0 once, 2 twice */
    g = graph_of(3, false, PAIRS(0, 1, 1, 2, 2, 1));
    view = view_of(&g);
    assert_int_equal(sl_plain_label_propagation(label, &view, 1), SL_OK);
    assert_memory_equal(label, ((int64_t[]){1, 2, 1}), 3 * sizeof *label);
}

static void multi_source(void **state)
{
    (void)state;
    small_graph g = house();
    sl_graph_view view = view_of(&g);
    const uint64_t sources[] = {4, 6};
    int64_t parent[] = {2, 2, 3, 4, 4, -1, -1, -1, -1, -1, -1, -1, -1, 6, 6, -1};
    int64_t level[] = {3, 3, 2, 1, 0, -1, -1, -1, -1, -1, -1, -1, -1, 1, 0, -1};
    accepts(sl_check_multi_source(&result, &view, sources, 2, parent, level, -1));
    accepts(sl_check_multi_source(&result, &view, sources, 2, NULL, level, -1));
    accepts(sl_check_multi_source(&result, &view, sources, 0, parent, level, -1));
    level[8 + 5] = 2;
    rejects(sl_check_multi_source(&result, &view, sources, 2, NULL, level, -1),
            "row 1: the edge from 6 (level 0) to 5 (level 2) leads more than one level further");
    parent[0] = 1;
    rejects(sl_check_multi_source(&result, &view, sources, 2, parent, NULL, -1),
            "row 0: the edge from 2 (level 2) to 0 (level 4) leads more than one level further");
    assert_int_equal(sl_check_multi_source(&result, &view, sources, 2, NULL, NULL, -1), SL_INVALID);
    assert_int_equal(sl_check_multi_source(&result, &view, (uint64_t[]){9}, 1, parent, NULL, -1),
                     SL_OUT_OF_RANGE);
}

static void khop(void **state)
{
    (void)state;
    small_graph g = house();
    sl_graph_view view = view_of(&g);
    const uint64_t sources[] = {4, 5, 5};
    int64_t level[] = {-1, -1, 2, 1, 0, 0, 1, -1};
    accepts(sl_check_khop(&result, &view, sources, 3, 2, level));
    rejects(sl_check_khop(&result, &view, sources, 3, 1, level), "vertex 2 has level 2, not -1");
    rejects(sl_check_khop(&result, &view, sources, 3, 3, level), "vertex 0 has level -1, not 3");
    level[7] = 1;
    rejects(sl_check_khop(&result, &view, sources, 3, 2, level), "vertex 7 has level 1, not -1");
    assert_int_equal(sl_check_khop(&result, &view, (uint64_t[]){8}, 1, 2, level), SL_OUT_OF_RANGE);
    assert_false(result.valid);
}

static void path(void **state)
{
    (void)state;
    small_graph g = house();
    sl_graph_view view = view_of(&g);
    int64_t vertices[] = {4, 3, 2, 0};
    accepts(sl_check_st_connected(&result, &view, 4, 0, true, 3, vertices));
    accepts(sl_check_st_connected(&result, &view, 4, 0, true, 3, NULL));
    accepts(sl_check_st_connected(&result, &view, 4, 6, false, 0, NULL));
    rejects(sl_check_st_connected(&result, &view, 4, 6, true, 3, vertices),
            "there is no path from 4 to 6");
    rejects(sl_check_st_connected(&result, &view, 4, 0, false, 3, vertices),
            "there is a path from 4 to 0");
    rejects(sl_check_st_connected(&result, &view, 4, 0, true, 4, vertices),
            "the distance is 4, but a shortest path has 3 edges");
    rejects(sl_check_st_connected(&result, &view, 4, 1, true, 3, vertices),
            "the path leads from 4 to 0");
    vertices[2] = 1;
    rejects(sl_check_st_connected(&result, &view, 4, 0, true, 3, vertices),
            "the path has an edge from 3 to 1 that the graph has not");
    vertices[2] = 8;
    rejects(sl_check_st_connected(&result, &view, 4, 0, true, 3, vertices),
            "8 on the path is not a vertex");
    assert_int_equal(sl_check_st_connected(&result, &view, 4, 8, true, 3, vertices),
                     SL_OUT_OF_RANGE);
    assert_int_equal(sl_check_st_connected(&result, &view, 8, 4, true, 3, vertices),
                     SL_OUT_OF_RANGE);
}

static void diameter(void **state)
{
    (void)state;
    small_graph g = house(), one_way = graph_of(3, false, PAIRS(0, 1, 1, 0, 1, 2));
    sl_graph_view view = view_of(&g), directed = view_of(&one_way);
    const uint64_t searched[] = {2, 4};
    sl_diameter d = {.lower = 3, .upper = 3, .ends = {0, 4}, .searches = 2};
    accepts(sl_check_diameter(&result, &view, &d, searched));
    d.searches = 1;
    rejects(sl_check_diameter(&result, &view, &d, searched),
            "the upper bound 3 does not follow from the searches: they bound the eccentricity of "
            "vertex 4 by 4");
    d.upper = 4;
    accepts(sl_check_diameter(&result, &view, &d, searched));
    d.lower = 2;
    rejects(sl_check_diameter(&result, &view, &d, searched),
            "the ends 0 and 4 have the distance 3, not 2");
    d = (sl_diameter){.lower = 3, .upper = 2, .ends = {4, 1}, .searches = 2};
    rejects(sl_check_diameter(&result, &view, &d, searched),
            "the lower bound 3 is above the upper one, 2");
    d.ends[1] = 7;
    rejects(sl_check_diameter(&result, &view, &d, searched),
            "the ends 4 and 7 have the distance -1, not 3");
    d.ends[1] = 1;
    rejects(sl_check_diameter(&result, &directed, &(sl_diameter){.lower = 2}, searched),
            "the edge from 1 to 2 has no mirror edge");
    d.ends[0] = 8;
    assert_int_equal(sl_check_diameter(&result, &view, &d, searched), SL_OUT_OF_RANGE);
}

static void sides(void **state)
{
    (void)state;
    small_graph g = house(), square = graph_of(4, true, PAIRS(0, 1, 1, 2, 2, 3, 3, 0));
    sl_graph_view view = view_of(&g), even = view_of(&square);
    bool side[] = {false, true, false, true};
    accepts(sl_check_bipartite(&result, &even, true, side, NULL, 0));
    side[2] = true;
    rejects(sl_check_bipartite(&result, &even, true, side, NULL, 0),
            "1 and 2 are on the same side, and an edge joins them");
    int64_t cycle[] = {2, 1, 0, 3};
    accepts(sl_check_bipartite(&result, &view, false, NULL, cycle, 3));
    rejects(sl_check_bipartite(&result, &view, false, NULL, cycle, 4),
            "a cycle of 4 vertices is not odd");
    cycle[2] = 3;
    rejects(sl_check_bipartite(&result, &view, false, NULL, cycle, 3),
            "no edge joins 1 and 3 of the cycle");
    cycle[2] = -1;
    rejects(sl_check_bipartite(&result, &view, false, NULL, cycle, 3),
            "-1 on the cycle is not a vertex");
    rejects(sl_check_bipartite(&result, &view, false, NULL, cycle, 1),
            "no edge joins 2 and 2 of the cycle");
    assert_int_equal(sl_check_bipartite(&result, &view, false, side, NULL, 3), SL_INVALID);
    assert_int_equal(sl_check_bipartite(&result, &view, true, NULL, cycle, 3), SL_INVALID);
}

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
    sl_graph_view view = view_of(&g), broken = {3, NULL, NULL, NULL};
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
        cmocka_unit_test(components),
        cmocka_unit_test(scc),
        cmocka_unit_test(label_propagation),
        cmocka_unit_test(independent_set),
        cmocka_unit_test(spanning_forest),
        cmocka_unit_test(multi_source),
        cmocka_unit_test(khop),
        cmocka_unit_test(path),
        cmocka_unit_test(diameter),
        cmocka_unit_test(sides),
        cmocka_unit_test(shortest_paths),
        cmocka_unit_test(shortest_paths_of_fp32),
        cmocka_unit_test(pagerank),
        cmocka_unit_test(betweenness),
        cmocka_unit_test(triangles),
        cmocka_unit_test(nulls),
        cmocka_unit_test(closeness),
        cmocka_unit_test(core_numbers),
        cmocka_unit_test(local_clustering),
        cmocka_unit_test(ktruss),
        cmocka_unit_test(memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
