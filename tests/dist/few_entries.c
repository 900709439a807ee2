/* Operations on objects of few entries on every shape of grid: few_entries.h. */
#include "ranks.h"

#include "few_entries.h"

static void on_every_grid(void **state)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_AUTO),
                         SL_OK);
        assert_ok(ctx, sl_context_set_memory_limit(ctx, (uint64_t)MEGABYTES << 20));
        test_operations(state);
        sl_context_free(ctx);
    }
}

int main(void)
{
    all_pairs = false;
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_every_grid)};
    return run_ranks("few_entries", tests, 1);
}
