/*
 * Minimum spanning forests on every engine: hostile graphs with random weights of several types,
 * many of them equal, checked by Kruskal's algorithm; all engines return the same forest. Weights that
 * are NaN, infinite, or differ between the directions of an edge.
 */
#include <semla/checks.h>

#include "component_graphs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void expect_valid(sl_context *ctx, const char *name, const sl_matrix *A,
                         const sl_matrix *forest, const sl_forest_summary *summary)
{
    sl_check_result result;
    sl_csr rows;
    sl_arrays edges;
    bool symmetric;
    assert_int_equal(sl_matrix_type(forest), sl_matrix_type(A));
    OK(ctx, sl_matrix_is_symmetric(&symmetric, forest));
    assert_true(symmetric);
    OK(ctx, sl_matrix_copy_csr(&rows, A));
    OK(ctx, sl_matrix_copy_whole(&edges, forest));
    OK(ctx, sl_arrays_expand(ctx, &edges));
    assert_int_equal(sl_check_spanning_forest(&result, &rows, &edges, summary), SL_OK);
    if (!result.valid)
        fail_msg("%s, %s, %s: %s", name, sl_type_name(sl_matrix_type(A)), sl_context_engine(ctx, 0),
                 result.reason);
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    sl_arrays_free(&edges);
}

/* The matrix of a graph with a random weight for each entry, of 0 to 6 or, if the type has them, -3
 * to 3. */
static sl_matrix *weighted(sl_context *ctx, const edge_list *g, sl_type type, uint64_t seed)
{
    sl_matrix *A;
    sl_csr rows;
    const bool is_signed = type != SL_BOOL && type != SL_UINT64;
    sl_matrix *pattern = matrix_of(ctx, g, seed % 2);
    OK(ctx, sl_matrix_copy_csr(&rows, pattern));
    const uint64_t count = rows.start[g->n], size = sl_type_size(type);
    char *values = sl_malloc((count + 1) * size);
    for (uint64_t e = 0; e < count; e++) {
        int64_t weight = (int64_t)(test_random(&seed) % 7) - (is_signed ? 3 : 0);
        const sl_scalar value = sl_scalar_cast(sl_scalar_int64(weight), type);
        memcpy(values + e * size, &value.as, size);
    }
    rows.type = type;
    rows.values = values;
    OK(ctx, sl_matrix_take_csr(&A, ctx, &rows));
    sl_matrix_free(pattern);
    return A;
}

/* The forest of a graph on every engine. */
static void check_engines(const edge_list *g, sl_type type, uint64_t seed)
{
    sl_engine_info info;
    sl_context *first = NULL;
    sl_arrays expected = {0};
    for (size_t position = 0; next_engine(&info, &position);) {
        sl_context *ctx;
        sl_matrix *forest;
        sl_arrays edges;
        sl_forest_summary summary;
        assert_int_equal(sl_context_create(&ctx, info.choice), SL_OK);
        sl_matrix *A = weighted(ctx, g, type, seed);
        OK(ctx, sl_spanning_forest(&forest, &summary, A));
        expect_valid(ctx, g->name, A, forest, &summary);
        OK(ctx, sl_matrix_copy_out(&edges, forest, SL_FORMAT_COO));
        if (!first) {
            first = ctx;
            expected = edges;
        } else {
            const uint64_t bytes = edges.nvals * sizeof *edges.rows;
            assert_int_equal(edges.nvals, expected.nvals);
            if (bytes > 0) {
                assert_memory_equal(edges.rows, expected.rows, bytes);
                assert_memory_equal(edges.cols, expected.cols, bytes);
            }
            sl_arrays_free(&edges);
        }
        sl_matrix_free(forest);
        sl_matrix_free(A);
        if (ctx != first)
            sl_context_free(ctx);
    }
    assert_non_null(first);
    sl_arrays_free(&expected);
    sl_context_free(first);
}

static void hostile(void **state)
{
    (void)state;
    static const sl_type types[] = {SL_BOOL, SL_INT8, SL_UINT64, SL_INT64, SL_FP32, SL_FP64};
    uint64_t random = 4;
    for (int kind = 0; kind < GRAPH_KINDS; kind++) {
        edge_list g = make_graph(kind, LENGTH, &random);
        check_engines(&g, types[kind % 6], 100 + (uint64_t)kind);
        check_engines(&g, types[(kind + 3) % 6], 101 + (uint64_t)kind);
        free_graph(&g);
    }
}

static void small_random(void **state)
{
    (void)state;
    const test_seeds seeds = test_seeds_from(1, 100);
    for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
        uint64_t random = seed, from[120], to[120];
        char name[40];
        edge_list g = {.name = name, .from = from, .to = to};
        snprintf(name, sizeof name, "SEMLA_TEST_SEED=%d", (int)seed);
        g.n = 1 + test_random(&random) % 40;
        add_random(&g, test_random(&random) % 120, &random);
        check_engines(&g, seed % 3 ? SL_INT64 : SL_FP64, seed);
    }
}

/* 0 - 1 - 2 - 0, 3; A(0, 1) and A(1, 0) differ, only A(2, 0) exists. */
static void known(void **state)
{
    (void)state;
    const uint64_t from[] = {0, 1, 1, 2, 2, 3}, to[] = {1, 0, 2, 1, 0, 3};
    double weights[] = {5, -INFINITY, 2, 2, 1.5, -9};
    sl_engine_info info;
    for (size_t position = 0; next_engine(&info, &position);) {
        sl_context *ctx;
        sl_matrix *A, *forest;
        sl_scalar weight;
        sl_forest_summary s = {.edges = 9};
        assert_int_equal(sl_context_create(&ctx, info.choice), SL_OK);
        OK(ctx, sl_matrix_new(&A, ctx, SL_FP64, 4, 4));
        OK(ctx, sl_matrix_build(A, from, to, weights, 6, NULL));
        OK(ctx, sl_spanning_forest(&forest, &s, A));
        assert_true(s.edges == 2 && s.trees == 2 && isinf(s.weight) && s.weight < 0);
        OK(ctx, sl_matrix_get(&weight, forest, 0, 1));
        assert_true(weight.as.fp64_ == -INFINITY);
        OK(ctx, sl_matrix_get(&weight, forest, 0, 2));
        assert_true(weight.as.fp64_ == 1.5);
        assert_int_equal(sl_matrix_get(&weight, forest, 1, 2), SL_NO_VALUE);
        expect_valid(ctx, "known", A, forest, &s);
        sl_matrix_free(forest);
        OK(ctx, sl_matrix_set(A, 1, 0, sl_scalar_fp64(1)));
        OK(ctx, sl_spanning_forest(&forest, NULL, A));
        sl_matrix_free(forest);
        OK(ctx, sl_matrix_set(A, 2, 1, sl_scalar_fp64(NAN)));
        s.edges = 9;
        assert_int_equal(sl_spanning_forest(&forest, &s, A), SL_INVALID);
        assert_null(forest);
        assert_int_equal(s.edges, 9);
        assert_string_equal(
            sl_context_message(ctx),
            "spanning_forest: the edge from 2 to 1 has the weight NaN; weights must "
            "be numbers");
        sl_matrix_free(A);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known), cmocka_unit_test(small_random),
                                       cmocka_unit_test(hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
