/* One context for all tests of a program, created and freed by the fixtures of its group. */
#ifndef SEMLA_TEST_CONTEXT_H
#define SEMLA_TEST_CONTEXT_H

#include "support.h"

static sl_context *ctx;

static inline int make_context(void **state)
{
    (void)state;
    return sl_context_create(&ctx, SL_ENGINE_AUTO);
}

/* Of the host, also where there is a GPU. */
static inline int make_host_context(void **state)
{
    (void)state;
    return sl_context_create(&ctx, SL_ENGINE_SUITESPARSE);
}

static inline int free_context(void **state)
{
    (void)state;
    sl_context_free(ctx);
    return 0;
}

/* For groups without free_context as teardown, as their last test: frees the context and checks
 * that no allocation is left. */
static inline void test_no_allocation_is_left(void **state)
{
    free_context(state);
    assert_int_equal(allocator_alive(), 0);
}

#endif
