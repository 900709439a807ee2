/* sl_validate_search on large graphs: a long path, and with several numbers of threads. */
#include <omp.h>
#include <stdlib.h>

#include <semla/bfs.h>

#include "support.h"

/* An undirected path of n vertices, with or without a hub joined to all of them, and a search. */
typedef struct {
    uint64_t n, *start, *index;
    int64_t *parent, *level;
} large;

static large large_make(uint64_t n, bool hub)
{
    uint64_t vertices = n + hub, count = 0;
    large g = {.n = vertices};
    g.start = calloc(vertices + 1, sizeof *g.start);
    g.index = calloc(2 * n + (hub ? 2 * n : 0), sizeof *g.index);
    g.parent = calloc(vertices, sizeof *g.parent);
    g.level = calloc(vertices, sizeof *g.level);
    for (uint64_t v = 0; v < vertices; v++) {
        g.start[v] = count;
        if (v == n) {
            for (uint64_t u = 0; u < n; u++)
                g.index[count++] = u;
            continue;
        }
        if (v > 0)
            g.index[count++] = v - 1;
        if (v + 1 < n)
            g.index[count++] = v + 1;
        if (hub)
            g.index[count++] = n;
    }
    g.start[vertices] = count;
    return g;
}

static void large_free(large *g)
{
    free(g->start);
    free(g->index);
    free(g->parent);
    free(g->level);
}

/* Recursion over this depth would overflow the stack. */
static void deep_path(void **state)
{
    (void)state;
    enum { LONG = 2000000 };
    large g = large_make(LONG, false);
    const sl_graph_view path = {g.n, g.start, g.index, NULL, NULL};
    assert_int_equal(sl_queue_search(g.level, g.parent, &path, LONG - 1), SL_OK);
    sl_check_result v;
    assert_int_equal(sl_validate_search(&v, &path, LONG - 1, g.parent, NULL, -1), SL_OK);
    assert_string_equal(v.reason, "");
    assert_true(v.valid && v.reached == LONG && v.depth == LONG - 1);
    g.parent[LONG - 2] = 0; /* 0 -> 1 -> ... -> LONG - 2 -> 0 */
    assert_int_equal(sl_validate_search(&v, &path, LONG - 1, g.parent, NULL, -1), SL_OK);
    assert_false(v.valid);
    assert_string_equal(v.reason, "the parents of 1999999 vertices form a cycle: 0, 1, 2, 3, ...");
    large_free(&g);
}

/* The result and the reason do not depend on the number of threads. */
static void hub_with_any_number_of_threads(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    large g = large_make(MANY, true);
    const sl_graph_view hub = {g.n, g.start, g.index, NULL, NULL};
    int before = omp_get_max_threads();
    for (int threads = 1; threads <= 7; threads += 2) {
        omp_set_num_threads(threads);
        sl_check_result v;
        assert_int_equal(sl_queue_search(g.level, g.parent, &hub, 500), SL_OK);
        assert_int_equal(sl_validate_search(&v, &hub, 500, g.parent, g.level, -1), SL_OK);
        assert_true(v.valid && v.reached == MANY + 1 && v.depth == 2);
        g.level[70000] = g.level[90000] = SL_UNREACHED;
        assert_int_equal(sl_validate_search(&v, &hub, 500, NULL, g.level, -1), SL_OK);
        assert_string_equal(v.reason,
                            "vertex 70000 was not reached, but there is an edge to it from "
                            "69999, which has level 2");
        g.level[70000] = g.level[90000] = 2;
        g.parent[70000] = 499; /* of level 1 like the hub, but without an edge to 70000 */
        assert_int_equal(sl_validate_search(&v, &hub, 500, g.parent, g.level, -1), SL_OK);
        assert_string_equal(v.reason,
                            "vertex 70000 has parent 499, but there is no edge from 499 to 70000");
    }
    omp_set_num_threads(before);
    large_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_path),
        cmocka_unit_test(hub_with_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
