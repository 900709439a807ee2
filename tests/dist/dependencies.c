/* Dependencies on shortest paths of hostile graphs, and of layers with more shortest paths than fp64
 * has numbers, on grids, compared with Brandes's algorithm (tests/algorithms/dependencies.c). */
#include "dependency_graphs.h"
#include "ranks.h"

static void run_on(int rows, int cols)
{
    sl_context *ctx;
    uint64_t random = 11;
    assert_int_equal(
        sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE), SL_OK);
    for (int kind = 0; kind < GRAPH_KINDS; kind++) {
        edge_list g = make_graph(kind, &random);
        check_graph(ctx, &g, kind % 2 == 0 && kind < DEEP_KINDS, kind < DEEP_KINDS ? 20 : 1,
                    SL_FOR_TRAVERSAL, &random);
        free_graph(&g);
    }
    sl_context_free(ctx);
}

static void test_grids(void **state)
{
    (void)state;
    const int size = world_size();
    run_on(1, size);
    if (size == 4)
        run_on(2, 2);
    else if (size > 1)
        run_on(size, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grids)};
    return run_ranks("dependencies", tests, sizeof tests / sizeof *tests);
}
