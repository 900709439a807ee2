/* sl_queue_search: known answers, and random graphs compared with distances by relaxation. */
#include "small_graphs.h"

#define U SL_UNREACHED

static void by_hand(void **state)
{
    (void)state;
    /* 0 - 2 - 3 - 4, 0 - 1 - 3, 5 - 6, 7 alone, a loop at 3 */
    small_graph g = graph_of(8, true, PAIRS(0, 2, 2, 3, 3, 4, 0, 1, 1, 3, 5, 6, 3, 3));
    sl_graph_view view = view_of(&g);
    int64_t level[8], parent[8];
    assert_int_equal(sl_queue_search(level, parent, &view, 0), SL_OK);
    assert_memory_equal(level, ((int64_t[]){0, 1, 1, 2, 3, U, U, U}), sizeof level);
    assert_memory_equal(parent, ((int64_t[]){0, 0, 0, 1, 3, U, U, U}), sizeof parent);
    assert_int_equal(sl_queue_search(level, parent, &view, 7), SL_OK);
    assert_memory_equal(level, ((int64_t[]){U, U, U, U, U, U, U, 0}), sizeof level);
    assert_memory_equal(parent, ((int64_t[]){U, U, U, U, U, U, U, 7}), sizeof parent);
}

static void follows_directions(void **state)
{
    (void)state;
    small_graph g = graph_of(4, false, PAIRS(0, 1, 1, 2, 2, 0, 3, 0));
    sl_graph_view view = view_of(&g);
    int64_t level[4], parent[4];
    assert_int_equal(sl_queue_search(level, parent, &view, 0), SL_OK);
    assert_memory_equal(level, ((int64_t[]){0, 1, 2, U}), sizeof level);
    assert_memory_equal(parent, ((int64_t[]){0, 0, 1, U}), sizeof parent);
}

/* 0 reaches 3 and 1, in this order in the queue only if rows are not sorted;
 * both lead to 2, which takes 1 all the same. */
static void takes_the_least_parent(void **state)
{
    (void)state;
    const uint64_t start[] = {0, 2, 3, 3, 4}, index[] = {3, 1, 2, 2};
    const sl_graph_view view = {4, start, index, NULL, NULL};
    int64_t level[4], parent[4];
    assert_int_equal(sl_queue_search(level, parent, &view, 0), SL_OK);
    assert_memory_equal(parent, ((int64_t[]){0, 0, 1, 0}), sizeof parent);
}

static void against_distances(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (int round = 0; round < 2000; round++) {
        small_graph g = random_graph(&random);
        sl_graph_view view = view_of(&g);
        uint64_t source = test_random(&random) % g.n;
        int64_t expected[MOST_VERTICES], level[MOST_VERTICES], alone[MOST_VERTICES];
        int64_t parent[MOST_VERTICES];
        distances(&g, source, expected);
        assert_int_equal(sl_queue_search(level, parent, &view, source), SL_OK);
        assert_int_equal(sl_queue_search(alone, NULL, &view, source), SL_OK);
        assert_memory_equal(level, expected, g.n * sizeof *level);
        assert_memory_equal(alone, expected, g.n * sizeof *level);
        for (uint64_t v = 0; v < g.n; v++) {
            int64_t least = level[v] == U ? U : (int64_t)v;
            if (v != source && level[v] != U)
                for (least = 0; !(g.edge[least][v] && level[least] == level[v] - 1);)
                    least++;
            assert_int_equal(parent[v], least);
        }
    }
}

static void wrong_arguments(void **state)
{
    (void)state;
    small_graph g = graph_of(2, true, PAIRS(0, 1));
    sl_graph_view view = view_of(&g), empty = {0}, no_start = {2, NULL, g.index, NULL, NULL};
    int64_t level[2] = {7, 7}, parent[2] = {7, 7};
    assert_int_equal(sl_queue_search(NULL, parent, &view, 0), SL_INVALID);
    assert_int_equal(sl_queue_search(level, parent, NULL, 0), SL_INVALID);
    assert_int_equal(sl_queue_search(level, parent, &no_start, 0), SL_INVALID);
    assert_int_equal(sl_queue_search(level, parent, &view, 2), SL_OUT_OF_RANGE);
    assert_int_equal(sl_queue_search(level, parent, &view, UINT64_MAX), SL_OUT_OF_RANGE);
    assert_int_equal(sl_queue_search(level, parent, &empty, 0), SL_OUT_OF_RANGE);
    for (int v = 0; v < 2; v++)
        assert_true(level[v] == 7 && parent[v] == 7);
}

static sl_status search_path(void *data)
{
    int64_t level[3], parent[3];
    return sl_queue_search(level, parent, data, 1);
}

static void memory_runs_out(void **state)
{
    (void)state;
    small_graph g = graph_of(3, true, PAIRS(0, 1, 1, 2));
    sl_graph_view view = view_of(&g);
    assert_true(allocator_fail_each(search_path, &view) >= 1);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(follows_directions),
        cmocka_unit_test(takes_the_least_parent),
        cmocka_unit_test(against_distances),
        cmocka_unit_test(wrong_arguments),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
