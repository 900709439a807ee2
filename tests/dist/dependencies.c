/* Dependencies on shortest paths of hostile graphs, and of layers with more shortest paths than fp64
 * has numbers, on grids, compared with Brandes's algorithm (tests/algorithms/dependencies.c). */
#include "dependency_graphs.h"
#include "ranks.h"

/* The first `kinds` of the graphs. */
static void run_on(int rows, int cols, int kinds)
{
    sl_context *ctx;
    uint64_t random = 11;
    assert_int_equal(
        sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE), SL_OK);
    for (int kind = 0; kind < kinds; kind++) {
        edge_list g = make_graph(kind, &random);
        const bool deep = kind >= DEEP_KINDS;
        check_graph(ctx, &g, kind % 2 == 0 && !deep, deep ? 1 : 20, SL_FOR_TRAVERSAL, &random);
        free_graph(&g);
    }
    sl_context_free(ctx);
}

/* Graphs of many levels take long where ranks share processors, so that larger grids have one. */
static void test_grids(void **state)
{
    (void)state;
    const int size = world_size();
    if (size == 4)
        run_on(2, 2, DEEP_KINDS + 1);
    else
        run_on(1, size, size < 3 ? GRAPH_KINDS : DEEP_KINDS + 1);
    if (size == 2)
        run_on(size, 1, DEEP_KINDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grids)};
    return run_ranks("dependencies", tests, sizeof tests / sizeof *tests);
}
