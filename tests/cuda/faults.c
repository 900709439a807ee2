/*
 * A fault on the device, caused by a user-defined operator: it is reported with the name of a
 * kernel, no other engine is tried, objects can still be freed, and the host's engines still work.
 * The process cannot use its device afterwards, so each case is a process of its own.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

enum { SIZE = 1000, UNLUCKY = 13, SKIPPED = 77 };

static void careful(void *z, const void *x)
{
    *(int64_t *)z = *(const int64_t *)x;
}

/* The first call that reports the fault; launches return before it happens. */
static sl_status fault(sl_context *ctx, sl_vector *v, sl_vector *w, sl_unary_op op)
{
    static uint64_t index[SIZE];
    static int64_t values[SIZE];
    uint64_t count = SIZE;
    sl_status status = sl_vector_apply(w, NULL, NULL, op, v, NULL);
    return status == SL_OK ? sl_vector_extract_tuples(index, values, &count, w) : status;
}

static void expect_fault(const sl_context *ctx, sl_status status, const char *kernel)
{
    if (status != SL_ENGINE_FAULT || !strstr(sl_context_message(ctx), kernel) ||
        strncmp(sl_context_message(ctx), "cuda: ", 6) != 0) {
        fprintf(stderr, "status %d, message: %s\n", (int)status, sl_context_message(ctx));
        exit(1);
    }
}

static void must(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "not so: %s\n", what);
        exit(1);
    }
}

static void host_goes_on(void)
{
    sl_context *ctx;
    sl_vector *v;
    sl_scalar x = {0};
    must(sl_context_create(&ctx, SL_ENGINE_SUITESPARSE) == SL_OK, "a context of the host");
    must(sl_vector_new(&v, ctx, SL_INT64, 10) == SL_OK, "a vector of the host");
    must(sl_vector_set(v, 3, sl_scalar_int64(4)) == SL_OK, "an entry");
    must(sl_vector_get(&x, v, 3) == SL_OK && x.as.int64_ == 4, "the entry again");
    sl_vector_free(v);
    sl_context_free(ctx);
}

/* Runs in a process of its own. */
static int scenario(const char *kernel)
{
    sl_context *ctx;
    sl_vector *v, *w;
    sl_unary_op op;
    sl_context_counts before, after;
    if (!has_gpu())
        return SKIPPED;
    OK(NULL, sl_context_create(&ctx, SL_ENGINE_CUDA));
    OK(ctx, sl_vector_new(&v, ctx, SL_INT64, SIZE));
    OK(ctx, sl_vector_new(&w, ctx, SL_INT64, SIZE));
    OK(ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_int64(UNLUCKY), SL_ALL, 0, NULL));
    OK(ctx, sl_unary_op_new(&op, ctx, "careless", SL_INT64, SL_INT64, careful,
                            "if (*x == 13) __trap(); *z = *x;"));
    sl_context_get_counts(ctx, &before);
    sl_status status = fault(ctx, v, w, op);
    expect_fault(ctx, status, kernel);
    sl_context_get_counts(ctx, &after);
    must(before.fallbacks == after.fallbacks, "nothing is done elsewhere");
    expect_fault(ctx, fault(ctx, v, w, op), "cuda: ");
    sl_unary_op_free(op);
    sl_vector_free(v);
    sl_vector_free(w);
    sl_context_free(ctx);
    host_goes_on();
    return 0;
}

static void run(const char *kernel)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(scenario(kernel));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == SKIPPED) {
        print_message("engine cuda skipped: there is no GPU\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* CUDA_LAUNCH_BLOCKING: each launch is waited for, so the kernel at fault is named. */
static void test_waiting(void **state)
{
    setenv("CUDA_LAUNCH_BLOCKING", "1", 1);
    run("kernel apply");
}

/* The kernel launched last is named. */
static void test_later(void **state)
{
    unsetenv("CUDA_LAUNCH_BLOCKING");
    run("kernel ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_waiting),
                                       cmocka_unit_test(test_later)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
