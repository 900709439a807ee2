/* Device memory that other processes can map; pinned memory for counts. */
#include <stdio.h>
#include <string.h>

#include "cuda/runtime/device.h"
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

/* No stamp of counts is there before a kernel writes it, whatever was fetched. */
static void test_stamps(void **state)
{
    unsigned long long first, next, unused;
    sl_cuda_lock_stamped(&first);
    sl_cuda_unlock_stamped(ctx, "test", SL_INVALID, &unused, 1);
    unsigned long long *fetched = sl_cuda_lock_fetched();
    for (int k = 0; k < 16; k++)
        fetched[k] = first + 1;
    assert_int_equal(sl_cuda_unlock_fetched(ctx, "test", SL_OK, &unused, sizeof unused), SL_OK);
    const cuda_stamped_count *stamped = sl_cuda_lock_stamped(&next);
    assert_int_equal(next, first + 1);
    for (int k = 0; k < CUDA_STAMPED_COUNTS; k++)
        assert_int_not_equal(stamped[k].stamp, next);
    sl_cuda_unlock_stamped(ctx, "test", SL_INVALID, &unused, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_message),
                                       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_stamps)};
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
