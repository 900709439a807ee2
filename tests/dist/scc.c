/* Strongly connected components of hostile directed graphs on grids, compared with Tarjan's search
 * (tests/algorithms/scc.c). */
#include "ranks.h"
#include "scc_graphs.h"

static void test_grids(void **state)
{
    (void)state;
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        uint64_t random = 5;
        assert_int_equal(
            sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_SUITESPARSE), SL_OK);
        check_all_scc(ctx, 200, &random);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_grids)};
    return run_ranks("scc", tests, sizeof tests / sizeof *tests);
}
