/* Messages of algorithms and checks name vertices by id; ids of matrices. */
#include <stdio.h>
#include <string.h>

#include <semla/registry.h>

#include "library_context.h"
#include "small_graphs.h"
#include "vertex_names.h"

/* 0 - 1 - 2 - 0 and 2 - 3 - 4; 5 - 6; 7 isolated */
static small_graph house(void)
{
    return graph_of(8, true, PAIRS(0, 1, 1, 2, 2, 0, 2, 3, 3, 4, 5, 6));
}

/* Runs a check of the view without and with ids; its result must be faulty. */
#define EXPECT_IDS(view, call)                                                                     \
    do {                                                                                           \
        sl_check_result plain, named, *result = &plain;                                            \
        assert_int_equal(call, SL_OK);                                                             \
        assert_true(plain.reason[0]);                                                              \
        (view).ids = vertex_ids;                                                                   \
        result = &named;                                                                           \
        assert_int_equal(call, SL_OK);                                                             \
        (view).ids = NULL;                                                                         \
        expect_ids(named.reason, plain.reason, 8);                                                 \
        assert_non_null(strstr(named.reason, "10000"));                                            \
    } while (0)

static void checks(void **state)
{
    small_graph g = house();
    sl_graph_view view = view_of(&g);
    const uint64_t source = 0;
    int64_t component[] = {0, 0, 0, 0, 0, 5, 5, 5};
    EXPECT_IDS(view, sl_check_components(result, &view, component));
    component[4] = -1;
    EXPECT_IDS(view, sl_check_components(result, &view, component));
    EXPECT_IDS(view, sl_check_scc(result, &view, component, 3));
    int64_t level[] = {0, 1, 1, 2, 4, -1, -1, -1};
    EXPECT_IDS(view, sl_check_multi_source(result, &view, &source, 1, NULL, level, -1));
    EXPECT_IDS(view, sl_check_khop(result, &view, &source, 1, 5, level));
    int64_t path[] = {0, 1, 4};
    EXPECT_IDS(view, sl_check_st_connected(result, &view, 0, 7, true, 2, path));
    EXPECT_IDS(view, sl_check_st_connected(result, &view, 1, 4, true, 3, (int64_t[]){1, 3, 2, 4}));
    EXPECT_IDS(view, sl_check_st_connected(result, &view, 1, 3, true, 2, (int64_t[]){0, 2, 3}));
    const sl_diameter ends = {.lower = 2, .upper = 6, .ends = {0, 4}, .searches = 1};
    EXPECT_IDS(view, sl_check_diameter(result, &view, &ends, &source));
    const sl_diameter upper = {.lower = 3, .upper = 3, .ends = {0, 4}, .searches = 1};
    EXPECT_IDS(view, sl_check_diameter(result, &view, &upper, &source));
    const bool side[8] = {false, true};
    EXPECT_IDS(view, sl_check_bipartite(result, &view, true, side, NULL, 0));
    EXPECT_IDS(view, sl_check_bipartite(result, &view, false, NULL, (int64_t[]){0, 1, 3}, 3));
    EXPECT_IDS(view, sl_check_independent_set(result, &view, (bool[8]){true, true}));
    EXPECT_IDS(view, sl_check_independent_set(result, &view, (bool[8]){true}));
    EXPECT_IDS(view, sl_check_label_propagation(result, &view, (int64_t[8]){3}, 1));
    const int64_t triangles[] = {1, 1, 2};
    EXPECT_IDS(view, sl_check_triangles(result, &view, 1, triangles));
    const int64_t cores[] = {2, 2, 2, 2};
    EXPECT_IDS(view, sl_check_core_numbers(result, &view, cores));
    EXPECT_IDS(view, sl_check_ktruss(result, &view, 3, NULL, NULL, NULL, 0));
    const uint64_t row = 3, col = 4;
    const int64_t one = 1;
    EXPECT_IDS(view, sl_check_ktruss(result, &view, 3, &row, &col, &one, 1));
    const uint64_t corner = 0, other = 1;
    const int64_t two = 2;
    EXPECT_IDS(view, sl_check_ktruss(result, &view, 3, &corner, &other, &two, 1));
    const sl_closeness_options estimate = {.estimate = true};
    const double centrality[8] = {5};
    EXPECT_IDS(view, sl_check_closeness(result, &view, &source, 0, &estimate, centrality));
    EXPECT_IDS(view, sl_check_local_clustering(result, &view, centrality, NULL));
    EXPECT_IDS(view, sl_check_betweenness(result, &view, SL_ALL, 0, 1, centrality));
    g = graph_of(8, false, PAIRS(0, 1, 1, 2));
    view = view_of(&g);
    EXPECT_IDS(view, sl_check_diameter(result, &view, &ends, &source));
}

static void shortest_paths(void **state)
{
    small_graph g = graph_of(8, false, PAIRS(0, 1, 1, 2, 0, 2));
    const sl_graph_view view = view_of(&g);
    int64_t lengths[] = {2, 5, 3}; /* 0 1, 0 2, 1 2 */
    sl_csr rows = {8, 8, SL_INT64, g.start, g.index, lengths, NULL};
    enum { NONE = -1 };
    const int64_t far = INT64_MAX;
    const int64_t distances[][8] = {
        {1, 2, 5, far, far, far, far, far}, {0, 2, far, far, far, far, far, far},
        {0, 2, 6, far, far, far, far, far}, {0, 1, 4, far, far, far, far, far},
        {0, 2, 5, far, far, far, far, far}, {0, 2, 5, far, far, far, far, far},
        {0, 2, 5, far, far, far, far, far}, {0, 2, 4, far, far, far, far, far}};
    const int64_t parents[][8] = {
        {0, 0, 1, NONE, NONE, NONE, NONE, NONE},    {0, 0, NONE, NONE, NONE, NONE, NONE, NONE},
        {0, 0, 1, NONE, NONE, NONE, NONE, NONE},    {0, 0, 1, NONE, NONE, NONE, NONE, NONE},
        {0, 0, NONE, NONE, NONE, NONE, NONE, NONE}, {0, 2, 1, NONE, NONE, NONE, NONE, NONE},
        {1, 0, 1, NONE, NONE, NONE, NONE, NONE},    {0, 0, 1, NONE, NONE, NONE, NONE, NONE}};
    assert_int_equal(view.vertices, 8);
    for (size_t k = 0; k < sizeof parents / sizeof *parents; k++)
        EXPECT_IDS(rows, sl_check_sssp(result, &rows, 0, distances[k], parents[k]));
    EXPECT_IDS(rows, sl_check_sssp(result, &rows, 0, distances[7], NULL));
}

/* The matrix of directed edges with lengths. */
static sl_matrix *matrix_of(const uint64_t *rows, const uint64_t *cols, const double *lengths,
                            uint64_t count)
{
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP64, 8, 8));
    OK(ctx, sl_matrix_build(A, rows, cols, lengths, count, NULL));
    OK(ctx, sl_matrix_set_ids(A, vertex_ids));
    return A;
}

static void algorithms(void **state)
{
    sl_vector *v;
    uint64_t count;
    bool bipartite;
    sl_diameter diameter;
    sl_matrix *A = matrix_of((uint64_t[]){2, 3}, (uint64_t[]){3, 2}, (double[]){-5, 1}, 2);
    assert_int_equal(sl_sssp(&v, NULL, A, 2), SL_INVALID);
    assert_non_null(strstr(sl_context_message(ctx), " vertex 10000"));
    sl_matrix_free(A);
    A = matrix_of((uint64_t[]){2, 3}, (uint64_t[]){3, 4}, (double[]){1, INFINITY}, 2);
    assert_int_equal(sl_sssp(&v, NULL, A, 2), SL_INVALID);
    assert_non_null(strstr(sl_context_message(ctx), "edge from 100003 to 100004 has the length"));
    static const char one_way[] = "the edge from 100002 to 100003 has no mirror edge";
    assert_int_equal(sl_triangles(&count, NULL, A), SL_INVALID);
    assert_non_null(strstr(sl_context_message(ctx), one_way));
    assert_int_equal(sl_core_numbers(&v, NULL, A), SL_INVALID);
    assert_non_null(strstr(sl_context_message(ctx), one_way));
    assert_int_equal(sl_local_clustering(&v, A, NULL), SL_INVALID);
    assert_non_null(strstr(sl_context_message(ctx), one_way));
    sl_matrix *truss;
    assert_int_equal(sl_ktruss(&truss, A, 3), SL_INVALID);
    assert_non_null(strstr(sl_context_message(ctx), one_way));
    assert_int_equal(sl_bipartite(&bipartite, NULL, NULL, A), SL_INVALID);
    assert_non_null(strstr(sl_context_message(ctx), one_way));
    assert_int_equal(sl_pseudo_diameter(&diameter, A, NULL), SL_INVALID);
    assert_non_null(strstr(sl_context_message(ctx), one_way));
    sl_matrix_free(A);
}

static void of_matrices(void **state)
{
    sl_matrix *A, *copy;
    sl_csr rows;
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 8, 8));
    assert_null(sl_matrix_ids(A));
    assert_int_equal(sl_matrix_id(A, 3), 3);
    OK(ctx, sl_matrix_set_ids(A, vertex_ids));
    assert_ptr_equal(sl_matrix_ids(A), vertex_ids);
    assert_int_equal(sl_matrix_id(A, 3), ID_BASE + 3);
    assert_int_equal(sl_matrix_id(A, 8), 8); /* no vertex */
    OK(ctx, sl_matrix_set(A, 1, 2, sl_scalar_bool(true)));
    assert_int_equal(sl_matrix_id(A, 3), ID_BASE + 3);
    OK(ctx, sl_matrix_copy_csr(&rows, A));
    assert_ptr_equal(rows.ids, vertex_ids);
    assert_ptr_equal(sl_view_of(&rows).ids, vertex_ids);
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    OK(ctx, sl_matrix_dup(&copy, A));
    assert_null(sl_matrix_ids(copy));
    sl_matrix_free(copy);
    OK(ctx, sl_matrix_resize(A, 9, 8));
    assert_null(sl_matrix_ids(A));
    assert_int_equal(sl_matrix_set_ids(A, vertex_ids), SL_MISMATCH);
    assert_string_equal(sl_context_message(ctx), "matrix_set_ids: the matrix is 9 x 8, not square");
    sl_matrix_free(A);
    assert_int_equal(sl_matrix_set_ids(NULL, vertex_ids), SL_INVALID);
    assert_null(sl_matrix_ids(NULL));
    assert_int_equal(sl_matrix_id(NULL, 7), 7);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks),
        cmocka_unit_test(shortest_paths),
        cmocka_unit_test(algorithms),
        cmocka_unit_test(of_matrices),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
