/* The first context of a process, which initialises GraphBLAS, while memory runs out. */
#include <GraphBLAS.h>

#include "support.h"

enum { MOST = 1000 /* allocations of a context */ };

/* Each failed attempt returns SL_NO_MEMORY and leaves nothing allocated but, once GraphBLAS is
 * initialised, its own blocks, which version 10 keeps; the next attempt can succeed. */
static void test_memory_runs_out(void **state)
{
    sl_context *ctx = NULL;
    sl_status status = SL_NO_MEMORY;
    long n = 0, kept = 0;
    for (; status == SL_NO_MEMORY && n < MOST; n++) {
        allocator_fail_after(n);
        status = sl_context_create(&ctx, SL_ENGINE_SUITESPARSE);
        allocator_fail_after(-1);
        if (status == SL_OK)
            break;
        if (kept == 0 && GxB_IMPLEMENTATION_MAJOR >= 10)
            kept = allocator_alive();
        assert_int_equal(allocator_alive(), kept);
    }
    assert_int_equal(status, SL_OK);
    assert_true(n > 1); /* the context itself is allocated */
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, SL_FP64, 3));
    OK(ctx, sl_vector_set(v, 1, sl_scalar_fp64(2)));
    sl_vector_free(v);
    sl_context_free(ctx);
}

/* GraphBLAS does not compile kernels at run time. */
static void test_no_compiler(void **state)
{
#if GxB_IMPLEMENTATION_MAJOR >= 8
    int32_t control = GxB_JIT_ON;
    assert_int_equal(GxB_Global_Option_get(GxB_JIT_C_CONTROL, &control), GrB_SUCCESS);
    assert_true(control <= GxB_JIT_RUN);
#else
    skip(); /* this version has no compiler */
#endif
}

/* Blocks of the initialisation are freed by GrB_finalize. */
static void test_finalize(void **state)
{
    assert_int_equal(GrB_finalize(), GrB_SUCCESS);
    assert_int_equal(allocator_alive(), 0);
}

int main(void)
{
    allocator_install_only();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_runs_out),
        cmocka_unit_test(test_no_compiler),
        cmocka_unit_test(test_finalize),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
