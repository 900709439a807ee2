/* Components of hostile graphs, and closures with labels of their own, on grids, compared with
 * union-find (tests/algorithms/components.c). */
#include <semla/algorithms.h>

#include "component_graphs.h"
#include "ranks.h"

static void run_on(int rows, int cols)
{
    sl_context *ctx;
    uint64_t random = 5;
    assert_int_equal(
        sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE), SL_OK);
    check_all_graphs(ctx, LENGTH_ON_GRIDS, &random);
    sl_context_free(ctx);
}

static void test_grids(void **state)
{
    run_on(1, world_size());
    if (world_size() > 1)
        run_on(world_size(), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grids)};
    return run_ranks("components", tests, sizeof tests / sizeof *tests);
}
