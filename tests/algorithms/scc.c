/* Strongly connected components of hostile directed graphs on every engine, compared with Tarjan's
 * search. tests/dist/scc.c does the same on grids. */
#include "scc_graphs.h"

#include <stdio.h>

/* Long paths and cycles have 30,000 vertices: an algorithm with a step for each vertex would need
 * minutes. On SuiteSparse, from which the openmp engine has most of the operations, they have fewer. */
static void test_engines(void **state)
{
    (void)state;
    sl_engine_info info;
    size_t position = 0;
    while (next_engine(&info, &position)) {
        sl_context *ctx;
        uint64_t random = 3;
        assert_int_equal(sl_context_create(&ctx, info.choice), SL_OK);
        check_all_scc(ctx, info.choice == SL_ENGINE_SUITESPARSE ? 3000 : 30000, &random);
        sl_context_free(ctx);
    }
    assert_true(position > 0);
}

/* Small random graphs, sparse and dense, with self-loops and duplicates. */
static void small_random(void **state)
{
    (void)state;
    const test_seeds seeds = test_seeds_from(1, 200);
    sl_engine_info info;
    for (size_t position = 0; next_engine(&info, &position);) {
        sl_context *ctx;
        assert_int_equal(sl_context_create(&ctx, info.choice), SL_OK);
        for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
            uint64_t random = seed, from[120], to[120];
            char name[40];
            edge_list g = {.name = name, .from = from, .to = to};
            snprintf(name, sizeof name, "SEMLA_TEST_SEED=%d", (int)seed);
            g.n = 1 + test_random(&random) % 60;
            add_random(&g, test_random(&random) % 120, &random);
            check_graph_scc(ctx, ctx, &g);
        }
        sl_context_free(ctx);
    }
}

/* The number of components may be left out, and an undirected graph has its connected components. */
static void test_arguments(void **state)
{
    (void)state;
    sl_context *ctx;
    sl_matrix *A;
    sl_vector *strong, *component;
    uint64_t from[] = {0, 1, 4, 3}, to[] = {1, 0, 3, 4}, count = 0;
    bool equal;
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_AUTO), SL_OK);
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 5, 5));
    OK(ctx, sl_matrix_build(A, from, to, NULL, 4, NULL));
    OK(ctx, sl_scc(&strong, NULL, A));
    OK(ctx, sl_components(&component, A));
    OK(ctx, sl_vector_equal(&equal, strong, component));
    assert_true(equal);
    sl_vector_free(strong);
    OK(ctx, sl_scc(&strong, &count, A));
    assert_int_equal(count, 3);
    sl_vector_free(strong);
    sl_vector_free(component);
    sl_matrix_free(A);
    sl_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_arguments),
                                       cmocka_unit_test(small_random),
                                       cmocka_unit_test(test_engines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
