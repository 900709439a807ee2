/*
 * The checks of components, sets, searches and paths: each accepts valid results, and rejects faulty ones
 * with the reason. The references, on graphs with known answers.
 */
#include "check_result.h"

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
    /* a path that leads back from its last vertex to the second: deep; low numbers travel up it */
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

int main(void)
{
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
