/*
 * A graph with the valid result of a search, which tests make faulty, and assertions about the
 * result of a validation. For tests that define validation_of.
 */
#ifndef SEMLA_TESTS_BFS_FAULTY_RESULTS_H
#define SEMLA_TESTS_BFS_FAULTY_RESULTS_H

#include "small_graphs.h"

#define U SL_UNREACHED
enum { N = 9 };

/*
 *  0 - 1 - 8      5 - 6      7
 *  |   |
 *  2 - 3 - 4      and a loop at 4
 */
static small_graph graph;
static sl_graph_view view;
static int64_t parent[N], level[N]; /* a valid result of a search from 0 */

static inline int make_valid_result(void **state)
{
    (void)state;
    graph = graph_of(N, true, PAIRS(0, 1, 0, 2, 1, 3, 2, 3, 3, 4, 4, 4, 1, 8, 5, 6));
    view = view_of(&graph);
    memcpy(parent, ((int64_t[N]){0, 0, 0, 1, 3, U, U, U, 1}), sizeof parent);
    memcpy(level, ((int64_t[N]){0, 1, 1, 2, 3, U, U, U, 2}), sizeof level);
    return 0;
}

/* The result of the validation under test. */
static sl_check_result validation_of(const sl_graph_view *graph_view, uint64_t source,
                                     const int64_t *parents, const int64_t *levels,
                                     int64_t max_depth);

static void assert_invalid(const int64_t *parents, const int64_t *levels, int64_t max_depth,
                           const char *reason)
{
    sl_check_result v = validation_of(&view, 0, parents, levels, max_depth);
    assert_string_equal(v.reason, reason);
    assert_false(v.valid);
    assert_true(v.reached == 0 && v.depth == 0);
}

static void assert_valid(const int64_t *parents, const int64_t *levels, int64_t max_depth,
                         uint64_t reached, int64_t depth)
{
    sl_check_result v = validation_of(&view, 0, parents, levels, max_depth);
    assert_string_equal(v.reason, "");
    assert_true(v.valid);
    assert_int_equal(v.reached, reached);
    assert_int_equal(v.depth, depth);
}

static inline void valid_results(void **state)
{
    (void)state;
    assert_valid(parent, level, -1, 6, 3);
    assert_valid(parent, NULL, -1, 6, 3);
    assert_valid(NULL, level, -1, 6, 3);
    parent[3] = 2; /* the other shortest path */
    assert_valid(parent, level, -1, 6, 3);
    assert_valid(parent, level, 3, 6, 3);
    assert_valid(parent, level, INT64_MAX, 6, 3);
}

#endif
