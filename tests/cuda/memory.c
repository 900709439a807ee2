/* Device memory that other processes can map. */
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "support.h"

static sl_context *ctx;

static void test_message(void **state)
{
    void *memory;
    assert_int_equal(sl_cuda_alloc_mappable(ctx, &memory, 1ull << 60), SL_NO_MEMORY);
    assert_null(memory);
    assert_non_null(strstr(sl_context_message(ctx),
                           "out of device memory: 1152921504606846976 bytes asked for, "));
}

static void test_memory(void **state)
{
    void *memory;
    assert_int_equal(sl_cuda_alloc_mappable(ctx, &memory, 1 << 19), SL_OK);
    assert_non_null(memory);
    sl_cuda_free_mappable(memory);
    sl_cuda_free_mappable(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_message),
                                       cmocka_unit_test(test_memory)};
    if (sl_cuda_unavailable_reason()) {
        printf("engine cuda skipped: %s\n", sl_cuda_unavailable_reason());
        return 0;
    }
    if (sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK)
        return 1;
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(ctx);
    return failures;
}
