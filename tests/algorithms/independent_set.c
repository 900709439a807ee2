/*
 * Maximal independent sets on every engine: hostile graphs, complete graphs with many equal
 * priorities, and random ones; the check accepts the set, all engines return the same one, and seeds
 * give different ones.
 */
#include <semla/checks.h>

#include "component_graphs.h"

#include <stdio.h>
#include <string.h>

/* member[v]: whether v is in the set; from sl_malloc. */
static bool *members(sl_context *ctx, const sl_matrix *A, uint64_t seed)
{
    const uint64_t n = sl_matrix_nrows(A);
    sl_vector *set;
    sl_arrays found;
    bool *member = sl_calloc(n + 1, sizeof *member);
    OK(ctx, sl_independent_set(&set, A, seed));
    assert_int_equal(sl_vector_type(set), SL_BOOL);
    OK(ctx, sl_vector_copy_out(&found, set, SL_FORMAT_LIST));
    OK(ctx, sl_arrays_expand(ctx, &found));
    for (uint64_t k = 0; k < found.nvals; k++) {
        assert_true(((bool *)found.values)[k]);
        member[found.rows[k]] = true;
    }
    sl_arrays_free(&found);
    sl_vector_free(set);
    return member;
}

/* The set of the undirected graph on every engine. */
static void check_engines(const edge_list *g, uint64_t seed)
{
    sl_engine_info info;
    bool *expected = NULL;
    for (size_t position = 0; next_engine(&info, &position);) {
        sl_context *ctx;
        sl_csr rows;
        sl_check_result result;
        assert_int_equal(sl_context_create(&ctx, info.choice), SL_OK);
        sl_matrix *A = matrix_of(ctx, g, true);
        bool *member = members(ctx, A, seed);
        OK(ctx, sl_matrix_copy_csr(&rows, A));
        const sl_graph_view view = sl_view_of(&rows);
        assert_int_equal(sl_check_independent_set(&result, &view, member), SL_OK);
        if (!result.valid)
            fail_msg("%s on %s: %s", g->name, info.name, result.reason);
        if (expected)
            assert_memory_equal(member, expected, g->n + 1);
        sl_free(expected);
        expected = member;
        sl_free(rows.start);
        sl_free(rows.index);
        sl_free(rows.values);
        sl_matrix_free(A);
        sl_context_free(ctx);
    }
    sl_free(expected);
}

static void hostile(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int kind = 0; kind < GRAPH_KINDS; kind++) {
        edge_list g = make_graph(kind, LENGTH, &random);
        check_engines(&g, (uint64_t)kind);
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
        check_engines(&g, seed);
    }
}

/* In a complete graph of 500 vertices about one seed of 130 has two vertices of the least priority;
 * one of them joins. Each set is one vertex, and seeds choose different ones. */
static void complete(void **state)
{
    (void)state;
    enum { N = 500, SEEDS = 600 };
    const sl_generator model = {.model = SL_MODEL_COMPLETE, .vertices = N};
    const sl_read_options symmetric = {.flags = SL_READ_SYMMETRIC};
    sl_context *ctx;
    sl_edges edges;
    sl_matrix *A;
    uint64_t chosen[N] = {0}, different = 0;
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_AUTO), SL_OK);
    OK(ctx, sl_generate(&edges, ctx, &model));
    OK(ctx, sl_matrix_from_edges(&A, ctx, &edges, &symmetric));
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        bool *member = members(ctx, A, seed);
        uint64_t count = 0;
        for (uint64_t v = 0; v < N; v++) {
            count += member[v];
            chosen[v] += member[v];
        }
        assert_int_equal(count, 1);
        sl_free(member);
    }
    for (uint64_t v = 0; v < N; v++)
        different += chosen[v] > 0;
    assert_true(different > N / 2);
    sl_edges_free(&edges);
    sl_matrix_free(A);
    sl_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(complete), cmocka_unit_test(small_random),
                                       cmocka_unit_test(hostile)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
