/* sl_validate_search_in_place: results that break each rule, and random faults compared with
 * sl_validate_search. */
#include <inttypes.h>
#include <stdio.h>

#include "faulty_results.h"
#include "library_context.h"
#include "vertex_names.h"

static sl_matrix *matrix_of(const sl_graph_view *g)
{
    sl_matrix *A;
    const uint64_t count = g->start[g->vertices];
    uint64_t rows[MOST_VERTICES * MOST_VERTICES + 1];
    for (uint64_t u = 0; u < g->vertices; u++)
        for (uint64_t e = g->start[u]; e < g->start[u + 1]; e++)
            rows[e] = u;
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, g->vertices, g->vertices));
    OK(ctx, sl_matrix_build(A, rows, g->index, NULL, count, NULL));
    return A;
}

/* A vector with an entry for each element that is not SL_UNREACHED; NULL if array is NULL. */
static sl_vector *vector_of(const int64_t *array, uint64_t n)
{
    sl_vector *v = NULL;
    if (!array)
        return NULL;
    OK(ctx, sl_vector_new(&v, ctx, SL_INT64, n));
    for (uint64_t i = 0; i < n; i++)
        if (array[i] != U)
            OK(ctx, sl_vector_set(v, i, sl_scalar_int64(array[i])));
    return v;
}

static sl_check_result validation_of(const sl_graph_view *graph_view, uint64_t source,
                                     const int64_t *parents, const int64_t *levels,
                                     int64_t max_depth)
{
    sl_check_result verdict;
    memset(&verdict, 0xff, sizeof verdict);
    sl_matrix *A = matrix_of(graph_view);
    sl_vector *parent_of = vector_of(parents, graph_view->vertices);
    sl_vector *level_of = vector_of(levels, graph_view->vertices);
    OK(ctx, sl_validate_search_in_place(&verdict, A, source, parent_of, level_of, max_depth));
    sl_check_result named;
    OK(ctx, sl_matrix_set_ids(A, vertex_ids));
    OK(ctx, sl_validate_search_in_place(&named, A, source, parent_of, level_of, max_depth));
    expect_ids(named.reason, verdict.reason, graph_view->vertices);
    sl_vector_free(level_of);
    sl_vector_free(parent_of);
    sl_matrix_free(A);
    return verdict;
}

static void one_vertex(void **state)
{
    (void)state;
    small_graph one = graph_of(1, true, PAIRS(0, 0));
    view = view_of(&one);
    assert_valid((int64_t[]){0}, (int64_t[]){0}, 0, 1, 0);
}

/* Changes one element, expects `reason`, and restores the element. */
static void change(int64_t *array, int at, int64_t value, const int64_t *parents,
                   const int64_t *levels, int64_t max_depth, const char *reason)
{
    const int64_t right = array[at];
    array[at] = value;
    assert_invalid(parents, levels, max_depth, reason);
    array[at] = right;
}

static void faulty_parents(void **state)
{
    (void)state;
    change(parent, 0, U, parent, NULL, -1, "the source 0 has no parent; it must be 0");
    change(parent, 0, 1, parent, NULL, -1, "the source 0 has parent 1, not 0");
    change(parent, 3, -5, parent, NULL, -1, "vertex 3 has parent -5; allowed are 0 to 8");
    change(parent, 3, 9, parent, NULL, -1, "vertex 3 has parent 9; allowed are 0 to 8");
    change(parent, 3, 3, parent, NULL, -1, "vertex 3 is its own parent, but is not the source");
    change(parent, 8, 7, parent, NULL, -1, "vertex 8 has parent 7, which was not reached");
    change(parent, 3, 4, parent, NULL, -1,
           "the parents of vertex 3 lead into a cycle, not to the source");
    change(parent, 8, 2, parent, NULL, -1,
           "vertex 8 has parent 2, but there is no edge from 2 to 8");
    change(parent, 8, U, parent, NULL, -1,
           "vertex 8 was not reached, but there is an edge to it from a vertex that was");
    parent[1] = 3; /* a tree of edges, but not of shortest paths */
    parent[3] = 2;
    assert_invalid(parent, NULL, -1,
                   "vertex 1 has level 3, but the least level of a vertex with an edge to it is 0");
}

static void faulty_levels(void **state)
{
    (void)state;
    change(level, 0, U, NULL, level, -1, "the source 0 has no level; it must be 0");
    change(level, 0, 1, NULL, level, -1, "the source 0 has level 1, not 0");
    change(level, 4, 9, NULL, level, -1, "vertex 4 has level 9; allowed are 0 to 8");
    change(level, 4, U, parent, level, -1, "vertex 4 has a parent, but no level");
    change(level, 7, 2, parent, level, -1, "vertex 7 has a level, but no parent");
    change(level, 7, 2, NULL, level, -1, "vertex 7 has a level, but no edge leads to it");
    change(level, 4, 2, parent, level, -1,
           "vertex 4 has level 2, but its parents lead to the source in 3 steps");
    change(level, 4, 2, NULL, level, -1,
           "vertex 4 has level 2, but the least level of a vertex with an edge to it is 2");
    change(level, 4, 5, NULL, level, -1,
           "vertex 4 has level 5, but the least level of a vertex with an edge to it is 2");
}

static void bounded_search(void **state)
{
    (void)state;
    assert_valid(NULL, level, 3, 6, 3);
    change(level, 4, 3, NULL, level, 2, "vertex 4 has a level, but no edge leads to it");
    change(parent, 4, 3, parent, NULL, 2, "vertex 4 has level 3, beyond the maximum depth 2");
    parent[4] = U;
    level[4] = U;
    assert_valid(parent, level, 2, 5, 2);
    assert_invalid(parent, level, 3,
                   "vertex 4 was not reached, but there is an edge to it from a vertex that was");
}

/* ---- compared with sl_validate_search -------------------------------------------------- */

static void change_at_random(int64_t *array, uint64_t n, uint64_t *random)
{
    for (uint64_t times = test_random(random) % 3; times > 0; times--)
        array[test_random(random) % n] = (int64_t)(test_random(random) % (n + 3)) - 2;
}

static void same_as_on_arrays(void **state)
{
    (void)state;
    const test_seeds seeds = test_seeds_from(1, 500);
    unsigned valid = 0;
    for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
        uint64_t random = seed;
        small_graph g = random_graph(&random);
        sl_graph_view v = view_of(&g);
        const uint64_t source = test_random(&random) % g.n;
        int64_t p[MOST_VERTICES], l[MOST_VERTICES];
        assert_int_equal(sl_queue_search(l, p, &v, source), SL_OK);
        const int64_t max_depth = (int64_t)(test_random(&random) % 6) - 2;
        for (uint64_t u = 0; u < g.n; u++)
            if (max_depth >= 0 && l[u] > max_depth)
                l[u] = p[u] = U;
        change_at_random(p, g.n, &random);
        change_at_random(l, g.n, &random);
        const unsigned which = test_random(&random) % 3;
        const int64_t *parents = which == 0 ? NULL : p, *levels = which == 1 ? NULL : l;
        sl_check_result expected, found = validation_of(&v, source, parents, levels, max_depth);
        assert_int_equal(sl_validate_search(&expected, &v, source, parents, levels, max_depth),
                         SL_OK);
        if (found.valid != expected.valid || found.reached != expected.reached ||
            found.depth != expected.depth)
            fail_msg("SEMLA_TEST_SEED=%" PRIu64 ": '%s', but on arrays '%s'", seed, found.reason,
                     expected.reason);
        assert_int_equal(found.valid, found.reason[0] == '\0');
        valid += found.valid;
    }
    if (seeds.end - seeds.first >= 500)
        assert_in_range(valid, 50, 450); /* both outcomes were tested */
}

static void bad_arguments(void **state)
{
    (void)state;
    sl_check_result verdict;
    sl_matrix *A = matrix_of(&view), *B;
    sl_vector *p = vector_of(parent, N), *shorter = vector_of(parent, N - 1);
    assert_int_equal(sl_validate_search_in_place(NULL, A, 0, p, NULL, -1), SL_INVALID);
    assert_int_equal(sl_validate_search_in_place(&verdict, NULL, 0, p, NULL, -1), SL_INVALID);
    assert_int_equal(sl_validate_search_in_place(&verdict, A, 0, NULL, NULL, -1), SL_INVALID);
    assert_int_equal(sl_validate_search_in_place(&verdict, A, N, p, NULL, -1), SL_OUT_OF_RANGE);
    assert_non_null(strstr(sl_context_message(ctx), "source 9 is out of range"));
    assert_int_equal(sl_validate_search_in_place(&verdict, A, 0, shorter, NULL, -1), SL_MISMATCH);
    OK(ctx, sl_matrix_new(&B, ctx, SL_BOOL, N, N + 1));
    assert_int_equal(sl_validate_search_in_place(&verdict, B, 0, p, NULL, -1), SL_MISMATCH);
    assert_false(verdict.valid);
    sl_matrix_free(B);
    sl_vector_free(shorter);
    sl_vector_free(p);
    sl_matrix_free(A);
}

/* ---- out of memory ---------------------------------------------------------------------- */

static sl_status validate_once(void *data)
{
    const sl_matrix *A = data;
    sl_vector *p = NULL;
    sl_check_result verdict = {0};
    sl_status status = sl_bfs(&p, NULL, A, 0, NULL);
    if (status == SL_OK)
        status = sl_validate_search_in_place(&verdict, A, 0, p, NULL, -1);
    sl_vector_free(p);
    assert_int_equal(verdict.valid, status == SL_OK);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    sl_context *saved = ctx;
    OK(NULL, sl_context_create(&ctx, SL_ENGINE_SUITESPARSE));
    sl_matrix *A = matrix_of(&view);
    assert_int_equal(validate_once(A), SL_OK); /* computes the data that A keeps */
    assert_in_range(allocator_fail_each(validate_once, A), 10, 100000);
    sl_matrix_free(A);
    sl_context_free(ctx);
    ctx = saved;
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(valid_results, make_valid_result),
        cmocka_unit_test_setup(one_vertex, make_valid_result),
        cmocka_unit_test_setup(faulty_parents, make_valid_result),
        cmocka_unit_test_setup(faulty_levels, make_valid_result),
        cmocka_unit_test_setup(bounded_search, make_valid_result),
        cmocka_unit_test(same_as_on_arrays),
        cmocka_unit_test_setup(bad_arguments, make_valid_result),
        cmocka_unit_test_setup(out_of_memory, make_valid_result),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
