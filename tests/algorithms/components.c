/* Components of hostile graphs, and closures with labels of their own, on every engine, compared with
 * union-find. tests/dist/components.c does the same on grids. */
#include <semla/algorithms.h>

#include "component_graphs.h"

static void test_engines(void **state)
{
    sl_engine_info info;
    size_t position = 0;
    while (next_engine(&info, &position)) {
        sl_context *ctx;
        uint64_t random = 3;
        assert_int_equal(sl_context_create(&ctx, info.choice), SL_OK);
        check_all_graphs(ctx, LENGTH, &random);
        sl_context_free(ctx);
    }
    assert_true(position > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_engines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
