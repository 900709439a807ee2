/* Operations on objects of few entries, on every engine: few_entries.h. */
#include "few_entries.h"

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_operations)};
    int failed = 0;
    sl_engine_info engine;
    for (size_t k = 0; next_engine(&engine, &k);) {
        if (sl_context_create(&ctx, engine.choice) != SL_OK ||
            sl_context_set_memory_limit(ctx, (uint64_t)MEGABYTES << 20) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests_name(engine.name, tests, NULL, NULL);
        sl_context_free(ctx);
    }
    return failed;
}
