/* Operations on objects of few entries on a grid of several rows: few_entries.h. */
#include "ranks.h"

#include "few_entries.h"

static void on_a_grid(void **state)
{
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_AUTO),
                     SL_OK);
    assert_ok(ctx, sl_context_set_memory_limit(ctx, (uint64_t)MEGABYTES << 20));
    test_operations(state);
    sl_context_free(ctx);
}

int main(void)
{
    all_pairs = false;
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_a_grid)};
    return run_ranks("few_entries", tests, 1);
}
