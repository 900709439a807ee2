/* sl_validate_search: results that break each rule, and random faults compared with brute force. */

#include "faulty_results.h"
#include "vertex_names.h"

static sl_check_result validation_of(const sl_graph_view *graph_view, uint64_t source,
                                     const int64_t *parents, const int64_t *levels,
                                     int64_t max_depth)
{
    sl_check_result v;
    memset(&v, 0xff, sizeof v);
    assert_int_equal(sl_validate_search(&v, graph_view, source, parents, levels, max_depth), SL_OK);
    return v;
}

static void one_vertex(void **state)
{
    (void)state;
    small_graph one = graph_of(1, true, PAIRS(0, 0));
    view = view_of(&one);
    const int64_t zero[1] = {0}, unreached[1] = {U};
    assert_valid(zero, zero, -1, 1, 0);
    assert_valid(zero, zero, 0, 1, 0);
    assert_invalid(unreached, NULL, -1, "the source 0 has no parent; it must be its own");
    const uint64_t start[] = {0, 0};
    view = (sl_graph_view){1, start, NULL, NULL, NULL}; /* and no edge at all */
    assert_valid(zero, zero, -1, 1, 0);
}

static void source_without_parent(void **state)
{
    (void)state;
    parent[0] = U;
    assert_invalid(parent, level, -1, "the source 0 has no parent; it must be its own");
}

static void source_with_another_parent(void **state)
{
    (void)state;
    parent[0] = 1;
    assert_invalid(parent, NULL, -1, "the source 0 has parent 1, not itself");
    parent[0] = 99;
    assert_invalid(parent, NULL, -1, "the source 0 has parent 99, not itself");
}

static void source_without_level(void **state)
{
    (void)state;
    level[0] = U;
    assert_invalid(parent, level, -1, "the source 0 has no level; it must be 0");
}

static void source_at_another_level(void **state)
{
    (void)state;
    level[0] = 2;
    assert_invalid(NULL, level, -1, "the source 0 has level 2, not 0");
}

static void parent_out_of_range(void **state)
{
    (void)state;
    parent[4] = N;
    assert_invalid(parent, level, -1, "vertex 4 has parent 9, but the vertices are 0 to 8");
    parent[4] = INT64_MAX;
    assert_invalid(parent, NULL, -1,
                   "vertex 4 has parent 9223372036854775807, but the vertices are 0 to 8");
    parent[4] = -2;
    assert_invalid(parent, level, -1, "vertex 4 has parent -2, but the vertices are 0 to 8");
    parent[4] = INT64_MIN;
    assert_invalid(parent, NULL, -1,
                   "vertex 4 has parent -9223372036854775808, but the vertices are 0 to 8");
}

static void second_root(void **state)
{
    (void)state;
    parent[7] = 7;
    assert_invalid(parent, NULL, -1, "vertex 7 is its own parent, but is not the source");
    level[7] = 0;
    assert_invalid(parent, level, -1, "vertex 7 is its own parent, but is not the source");
    assert_invalid(NULL, level, -1, "vertex 7 has level 0, but is not the source");
}

static void parent_not_reached(void **state)
{
    (void)state;
    parent[6] = 5;
    assert_invalid(parent, NULL, -1, "vertex 6 has parent 5, which was not reached");
}

static void level_out_of_range(void **state)
{
    (void)state;
    level[4] = N;
    assert_invalid(parent, level, -1,
                   "vertex 4 has level 9, but levels are 0 to 8 in a graph of 9 vertices");
    level[4] = INT64_MAX;
    assert_invalid(NULL, level, -1,
                   "vertex 4 has level 9223372036854775807, but levels are 0 to 8 in a graph of 9 "
                   "vertices");
    level[4] = -2;
    assert_invalid(NULL, level, -1,
                   "vertex 4 has level -2, but levels are 0 to 8 in a graph of 9 vertices");
}

static void parent_without_level(void **state)
{
    (void)state;
    level[4] = U;
    assert_invalid(parent, level, -1, "vertex 4 has parent 3, but no level");
}

static void level_without_parent(void **state)
{
    (void)state;
    parent[4] = U;
    assert_invalid(parent, level, -1, "vertex 4 has level 3, but no parent");
    parent[4] = 3;
    level[7] = 5;
    assert_invalid(parent, level, -1, "vertex 7 has level 5, but no parent");
}

static void cycle_of_two(void **state)
{
    (void)state;
    parent[5] = 6;
    parent[6] = 5;
    assert_invalid(parent, NULL, -1, "the parents of 2 vertices form a cycle: 5, 6");
    level[5] = 1;
    level[6] = 2;
    assert_invalid(parent, level, -1, "the parents of 2 vertices form a cycle: 5, 6");
}

static void cycle_with_a_tail(void **state)
{
    (void)state;
    parent[1] = 8; /* 4 -> 3 -> 1 <-> 8 */
    assert_invalid(parent, NULL, -1, "the parents of 2 vertices form a cycle: 1, 8");
}

static void cycle_of_many(void **state)
{
    (void)state;
    memcpy(parent, ((int64_t[N]){0, 2, 3, 4, 5, 6, 1, U, U}), sizeof parent);
    assert_invalid(parent, NULL, -1, "the parents of 6 vertices form a cycle: 1, 2, 3, 4, ...");
}

static void tree_edge_over_two_levels(void **state)
{
    (void)state;
    level[4] = 4;
    assert_invalid(parent, level, -1, "vertex 4 has level 4, but its parent 3 has level 2");
    level[4] = 2;
    assert_invalid(parent, level, -1, "vertex 4 has level 2, but its parent 3 has level 2");
    level[4] = 1;
    assert_invalid(parent, level, -1, "vertex 4 has level 1, but its parent 3 has level 2");
}

static void edge_over_two_levels(void **state)
{
    (void)state;
    /* a tree of edges of the graph, but vertex 2 has a shorter path */
    memcpy(parent, ((int64_t[N]){0, 0, 3, 1, 3, U, U, U, 1}), sizeof parent);
    assert_invalid(parent, NULL, -1,
                   "the edge from 0 (level 0) to 2 (level 3) leads more than one level further");
    level[2] = 3;
    assert_invalid(parent, level, -1,
                   "the edge from 0 (level 0) to 2 (level 3) leads more than one level further");
    level[2] = 2;
    assert_invalid(NULL, level, -1,
                   "the edge from 0 (level 0) to 2 (level 2) leads more than one level further");
}

static void vertex_left_out(void **state)
{
    (void)state;
    parent[4] = level[4] = U;
    const char *reason =
        "vertex 4 was not reached, but there is an edge to it from 3, which has level 2";
    assert_invalid(parent, level, -1, reason);
    assert_invalid(parent, NULL, -1, reason);
    assert_invalid(NULL, level, -1, reason);
}

static void only_the_source(void **state)
{
    (void)state;
    for (int v = 1; v < N; v++)
        parent[v] = level[v] = U;
    const char *reason =
        "vertex 1 was not reached, but there is an edge to it from 0, which has level 0";
    assert_invalid(parent, NULL, -1, reason);
    assert_invalid(NULL, level, -1, reason);
    assert_valid(parent, level, 0, 1, 0);
}

static void tree_edge_not_in_the_graph(void **state)
{
    (void)state;
    parent[4] = 8; /* of 3's level, but not joined to 4 */
    assert_invalid(parent, level, -1, "vertex 4 has parent 8, but there is no edge from 8 to 4");
    assert_invalid(parent, NULL, -1, "vertex 4 has parent 8, but there is no edge from 8 to 4");
}

static void other_component_reached(void **state)
{
    (void)state;
    parent[5] = 0;
    parent[6] = 5;
    level[5] = 1;
    level[6] = 2;
    assert_invalid(parent, level, -1, "vertex 5 has parent 0, but there is no edge from 0 to 5");
    assert_invalid(parent, NULL, -1, "vertex 5 has parent 0, but there is no edge from 0 to 5");
    assert_invalid(NULL, level, -1,
                   "vertex 5 has level 1, but there is no edge to it from a vertex of level 0");
    level[5] = level[6] = 3; /* each has the other as its only neighbour of a level before */
    assert_invalid(NULL, level, -1,
                   "vertex 5 has level 3, but there is no edge to it from a vertex of level 2");
}

static void isolated_vertex_reached(void **state)
{
    (void)state;
    parent[7] = 3;
    level[7] = 3;
    assert_invalid(parent, level, -1, "vertex 7 has parent 3, but there is no edge from 3 to 7");
    assert_invalid(NULL, level, -1,
                   "vertex 7 has level 3, but there is no edge to it from a vertex of level 2");
}

static void level_too_low(void **state)
{
    (void)state;
    level[4] = 1; /* no edge leads too far, but none comes from the source */
    assert_invalid(NULL, level, -1,
                   "vertex 4 has level 1, but there is no edge to it from a vertex of level 0");
}

static void bounded(void **state)
{
    (void)state;
    assert_invalid(parent, level, 2, "vertex 4 has level 3, beyond the maximum depth 2");
    assert_invalid(parent, NULL, 2, "vertex 4 has level 3, beyond the maximum depth 2");
    assert_invalid(NULL, level, 1, "vertex 3 has level 2, beyond the maximum depth 1");
    parent[4] = level[4] = U;
    assert_valid(parent, level, 2, 5, 2);
    assert_valid(parent, NULL, 2, 5, 2);
    assert_valid(NULL, level, 2, 5, 2);
    assert_invalid(
        NULL, level, 3,
        "vertex 4 was not reached, but there is an edge to it from 3, which has level 2");
    parent[8] = level[8] = U; /* 3 is still there: not all of level 2 */
    assert_invalid(
        parent, level, 2,
        "vertex 8 was not reached, but there is an edge to it from 1, which has level 1");
}

static void directed(void **state)
{
    (void)state;
    /* 0 -> 1 -> 2 -> 3 -> 0, 4 -> 1, 2 -> 5 <- 4 */
    small_graph g = graph_of(6, false, PAIRS(0, 1, 1, 2, 2, 3, 3, 0, 4, 1, 2, 5, 4, 5));
    view = view_of(&g);
    int64_t p[6] = {0, 0, 1, 2, U, 2}, l[6] = {0, 1, 2, 3, U, 3};
    assert_valid(p, l, -1, 5, 3); /* 3 -> 0 goes back three levels, as it may */
    assert_valid(p, NULL, -1, 5, 3);
    assert_valid(NULL, l, -1, 5, 3);
    p[4] = 1; /* against 4 -> 1 */
    l[4] = 2;
    assert_invalid(p, l, -1, "vertex 4 has parent 1, but there is no edge from 1 to 4");
    assert_invalid(NULL, l, -1,
                   "vertex 4 has level 2, but there is no edge to it from a vertex of level 1");
    p[4] = l[4] = U;
    p[3] = 0; /* against 3 -> 0 */
    l[3] = 1;
    assert_invalid(p, l, -1, "vertex 3 has parent 0, but there is no edge from 0 to 3");
}

/* ---- against brute force ------------------------------------------------- */

/* A result is valid if the levels are the distances and each parent has an edge from the previous
 * level. */
static bool truly_right(const small_graph *g, uint64_t source, const int64_t *parents,
                        const int64_t *levels, int64_t max_depth)
{
    int64_t distance[MOST_VERTICES];
    distances(g, source, distance);
    for (uint64_t v = 0; v < g->n; v++) {
        if (max_depth >= 0 && distance[v] > max_depth)
            distance[v] = U;
        if (levels && levels[v] != distance[v])
            return false;
    }
    for (uint64_t v = 0; parents && v < g->n; v++) {
        int64_t p = parents[v];
        bool right = distance[v] == U ? p == U
                     : v == source    ? p == (int64_t)v
                                      : p >= 0 && (uint64_t)p < g->n && g->edge[p][v] &&
                                         distance[p] == distance[v] - 1;
        if (!right)
            return false;
    }
    return true;
}

static void random_corruption(void **state)
{
    (void)state;
    uint64_t random = 42, right = 0, wrong = 0;
    for (int round = 0; round < 20000; round++) {
        small_graph g = random_graph(&random);
        sl_graph_view gview = view_of(&g);
        uint64_t source = test_random(&random) % g.n;
        int64_t p[MOST_VERTICES], l[MOST_VERTICES];
        assert_int_equal(sl_queue_search(l, p, &gview, source), SL_OK);
        int64_t max_depth = test_random(&random) % 4 ? -1 : (int64_t)(test_random(&random) % 4);
        for (uint64_t v = 0; max_depth >= 0 && v < g.n; v++)
            if (l[v] > max_depth)
                l[v] = p[v] = U;
        for (uint64_t changes = test_random(&random) % 4; changes > 0; changes--) {
            uint64_t v = test_random(&random) % g.n;
            int64_t value = (int64_t)(test_random(&random) % (g.n + 3)) - 2;
            uint64_t which = test_random(&random) % 3;
            if (which != 0)
                p[v] = value;
            if (which != 1) /* both at the same vertex: often consistent, rarely valid */
                l[v] = which == 2 && value >= 0 && value < (int64_t)g.n ? l[value] + 1 : value;
        }
        for (int given = 1; given <= 3; given++) {
            const int64_t *ps = given & 1 ? p : NULL, *ls = given & 2 ? l : NULL;
            sl_check_result v;
            assert_int_equal(sl_validate_search(&v, &gview, source, ps, ls, max_depth), SL_OK);
            bool truth = truly_right(&g, source, ps, ls, max_depth);
            if (v.valid != truth)
                fail_msg("round %d, given %d: validator says %d (%s)", round, given, v.valid,
                         v.reason);
            assert_int_equal(v.valid, v.reason[0] == 0);
            sl_check_result named;
            gview.ids = vertex_ids;
            assert_int_equal(sl_validate_search(&named, &gview, source, ps, ls, max_depth), SL_OK);
            gview.ids = NULL;
            expect_ids(named.reason, v.reason, g.n);
            right += truth;
            wrong += !truth;
        }
    }
    assert_true(right > 10000 && wrong > 10000);
}

/* ---- arguments and memory ------------------------------------------------- */

static void wrong_arguments(void **state)
{
    (void)state;
    sl_check_result v;
    const sl_graph_view empty = {0}, no_start = {N, NULL, graph.index, NULL, NULL};
    assert_int_equal(sl_validate_search(NULL, &view, 0, parent, level, -1), SL_INVALID);
    assert_int_equal(sl_validate_search(&v, NULL, 0, parent, level, -1), SL_INVALID);
    assert_int_equal(sl_validate_search(&v, &view, 0, NULL, NULL, -1), SL_INVALID);
    assert_int_equal(sl_validate_search(&v, &no_start, 0, parent, level, -1), SL_INVALID);
    memset(&v, 0xff, sizeof v);
    assert_int_equal(sl_validate_search(&v, &view, N, parent, level, -1), SL_OUT_OF_RANGE);
    assert_false(v.valid);
    assert_string_equal(v.reason, "");
    assert_int_equal(sl_validate_search(&v, &empty, 0, parent, level, -1), SL_OUT_OF_RANGE);
}

static sl_status validate_all_ways(void *data)
{
    (void)data;
    sl_check_result v;
    sl_status status = sl_validate_search(&v, &view, 0, parent, level, -1);
    if (status == SL_OK)
        status = sl_validate_search(&v, &view, 0, NULL, level, -1);
    assert_true(status == SL_OK || !v.valid);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    assert_int_equal(allocator_fail_each(validate_all_ways, NULL), 3);
}

int main(void)
{
    allocator_install();
#define TEST(f) cmocka_unit_test_setup(f, make_valid_result)
    const struct CMUnitTest tests[] = {
        TEST(valid_results),
        TEST(one_vertex),
        TEST(source_without_parent),
        TEST(source_with_another_parent),
        TEST(source_without_level),
        TEST(source_at_another_level),
        TEST(parent_out_of_range),
        TEST(second_root),
        TEST(parent_not_reached),
        TEST(level_out_of_range),
        TEST(parent_without_level),
        TEST(level_without_parent),
        TEST(cycle_of_two),
        TEST(cycle_with_a_tail),
        TEST(cycle_of_many),
        TEST(tree_edge_over_two_levels),
        TEST(edge_over_two_levels),
        TEST(vertex_left_out),
        TEST(only_the_source),
        TEST(tree_edge_not_in_the_graph),
        TEST(other_component_reached),
        TEST(isolated_vertex_reached),
        TEST(level_too_low),
        TEST(bounded),
        TEST(directed),
        TEST(random_corruption),
        TEST(wrong_arguments),
        TEST(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
