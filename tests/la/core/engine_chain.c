/* The chain of engines of a context, the environment variable SEMLA_ENGINE which restricts it, and
 * the messages of SEMLA_TRACE=dispatch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "toy_product.h"

static void expect_chain(sl_engine_choice choice, const char *first, const char *second)
{
    sl_context *ctx;
    assert_int_equal(sl_context_create(&ctx, choice), SL_OK);
    assert_string_equal(sl_context_engine(ctx, 0), first);
    if (second)
        assert_string_equal(sl_context_engine(ctx, 1), second);
    else
        assert_null(sl_context_engine(ctx, 1));
    sl_context_free(ctx);
}

static void test_forced_engine(void **state)
{
    sl_context *ctx = (sl_context *)1;
    expect_chain(SL_ENGINE_SUITESPARSE, "suitesparse", NULL);
    expect_chain(SL_ENGINE_OPENMP, "openmp", "suitesparse");
    setenv("SEMLA_ENGINE", "", 1);
    expect_chain(SL_ENGINE_SUITESPARSE, "suitesparse", NULL);
    setenv("SEMLA_ENGINE", "suitesparse", 1);
    expect_chain(SL_ENGINE_AUTO, "suitesparse", NULL);
    setenv("SEMLA_ENGINE", "abacus", 1);
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_AUTO), SL_INVALID);
    assert_null(ctx);

    setenv("SEMLA_ENGINE", "openmp", 1);
    expect_chain(SL_ENGINE_SUITESPARSE, "openmp", "suitesparse");
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_AUTO), SL_OK);
    unsetenv("SEMLA_ENGINE");
    sl_vector *v;
    uint64_t nvals;
    /* Reading is not an operation of an engine: SuiteSparse shares the memory. */
    OK(ctx, sl_vector_new(&v, ctx, SL_FP64, 3));
    OK(ctx, sl_vector_nvals(&nvals, v));
    assert_int_equal(sl_vector_apply(v, NULL, NULL, SL_ABS_FP64, v, NULL), SL_UNSUPPORTED);
    assert_non_null(strstr(sl_context_message(ctx), "apply abs_fp64"));
    assert_non_null(strstr(sl_context_message(ctx), "engine openmp"));
    assert_non_null(strstr(sl_context_message(ctx), "SEMLA_ENGINE"));
    sl_vector_free(v);
    sl_context_free(ctx);
}

/* The message names each engine and says whether it does not have the operation or declines it. */
static void test_no_engine_supports_it(void **state)
{
    memset(&toy, 0, sizeof toy);
    fixture f = {.ctx = toy_context(&toy_engine, NULL, false)};
    OK(f.ctx, sl_vector_new(&f.u, f.ctx, SL_FP64, 3));
    OK(f.ctx, sl_vector_new(&f.w, f.ctx, SL_FP64, 3));
    OK(f.ctx, sl_matrix_new(&f.A, f.ctx, SL_FP64, 3, 3));
    assert_int_equal(sl_vxm(f.w, NULL, NULL, SL_MAX_MIN_FP64, f.u, f.A, NULL), SL_UNSUPPORTED);
    assert_string_equal(sl_context_message(f.ctx),
                        "vxm max_min_fp64: engine toy: only plus_times_fp64");
    assert_int_equal(sl_mxv(f.w, NULL, NULL, SL_PLUS_TIMES_FP64, f.A, f.u, NULL), SL_UNSUPPORTED);
    assert_string_equal(sl_context_message(f.ctx),
                        "mxv plus_times_fp64: engine toy: does not have it");
    assert_int_equal(counts(&f).operations, 0);
    end(&f);
}

/*
 * Writes to `text` what standard error receives while the operands are created and three products
 * run: one on the toy engine, one that falls back, one that fails. The context reads SEMLA_TRACE
 * when it is created.
 */
static size_t traced(const char *trace, char *text, size_t room, uint64_t *operations)
{
    fixture f;
    int ends[2], kept = dup(STDERR_FILENO);
    assert_int_equal(pipe(ends), 0);
    if (trace)
        setenv("SEMLA_TRACE", trace, 1);
    fflush(stderr);
    dup2(ends[1], STDERR_FILENO);
    begin(&f);
    toy.library = "toy library";
    sl_status status = multiply(&f);
    if (status == SL_OK)
        status = sl_vxm(f.w, NULL, NULL, SL_MIN_PLUS_FP64, f.u, f.A, NULL);
    toy.fail_run = SL_ENGINE_FAULT;
    sl_status failed = multiply(&f);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(ends[1]);
    unsetenv("SEMLA_TRACE");
    size_t length = 0;
    for (ssize_t got; (got = read(ends[0], text + length, room - 1 - length)) > 0;)
        length += (size_t)got;
    text[length] = '\0';
    close(ends[0]);
    OK(f.ctx, status);
    assert_int_equal(failed, SL_ENGINE_FAULT);
    *operations = counts(&f).operations;
    end(&f);
    return length;
}

static void test_trace(void **state)
{
    char text[4000];
    uint64_t operations;
    size_t length = traced("dispatch", text, sizeof text, &operations), lines = 0;
    for (size_t k = 0; k < length; k++)
        lines += text[k] == '\n';
    assert_true(lines > 3);
    assert_int_equal(lines, operations);
    char *first = strstr(text, "semla: vxm");
    assert_non_null(first);
    char *second = strchr(first, '\n') + 1, *third = strchr(second, '\n') + 1;
    second[-1] = third[-1] = '\0';
    assert_ptr_equal(strstr(first, "semla: vxm plus_times_fp64: toy by toy library, "), first);
    assert_non_null(strstr(first, " bytes copied, ok"));
    assert_null(strstr(first, " 0 bytes copied"));
    assert_ptr_equal(strstr(second, "semla: vxm min_plus_fp64: suitesparse, "), second);
    assert_non_null(strstr(second, "ok; toy only plus_times_fp64"));
    assert_non_null(strstr(third, "engine failed"));

    assert_int_equal(traced(NULL, text, sizeof text, &operations), 0);
    assert_int_equal(traced("", text, sizeof text, &operations), 0);
    setenv("SEMLA_TRACE", "everything", 1);
    sl_context *ctx;
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_AUTO), SL_INVALID);
    assert_null(ctx);
    unsetenv("SEMLA_TRACE");
}

/* SEMLA_TRACE=counts: one line, when the context is freed. */
static void test_trace_of_counts(void **state)
{
    char text[4000], expected[200];
    uint64_t operations;
    assert_int_equal(traced("counts", text, sizeof text, &operations), 0);

    fixture f;
    int ends[2], kept = dup(STDERR_FILENO);
    begin(&f);
    OK(f.ctx, multiply(&f));
    OK(f.ctx, sl_vxm(f.w, NULL, NULL, SL_MIN_PLUS_FP64, f.u, f.A, NULL));
    const sl_context_counts c = counts(&f);
    assert_int_equal(pipe(ends), 0);
    fflush(stderr);
    dup2(ends[1], STDERR_FILENO);
    setenv("SEMLA_TRACE", "counts", 1);
    end(&f);
    unsetenv("SEMLA_TRACE");
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    close(ends[1]);
    const ssize_t length = read(ends[0], text, sizeof text - 1);
    close(ends[0]);
    assert_true(length > 0);
    text[length] = '\0';
    snprintf(expected, sizeof expected,
             "semla: counts of toy: %d operations, %d fallbacks, %d copies, %d bytes copied\n",
             (int)c.operations, (int)c.fallbacks, (int)c.copies, (int)c.bytes_copied);
    assert_true(c.fallbacks > 0 && c.fallbacks < c.operations);
    assert_string_equal(text, expected);
}

/* What the observer got of each product. */
typedef struct {
    size_t calls;
    sl_operation_record last;
    char engine[32], reason[96], operator_name[40];
} observed;

static void keep(void *data, const sl_operation_record *record)
{
    observed *o = data;
    if (strcmp(record->operation, "vxm") != 0)
        return;
    o->calls++;
    o->last = *record;
    snprintf(o->engine, sizeof o->engine, "%s", record->engine);
    snprintf(o->reason, sizeof o->reason, "%s", record->reason);
    snprintf(o->operator_name, sizeof o->operator_name, "%s", record->operator_name);
}

static void test_observer(void **state)
{
    fixture f;
    observed o = {0};
    assert_int_equal(sl_context_set_observer(NULL, keep, &o), SL_INVALID);
    begin(&f);
    OK(f.ctx, sl_context_set_observer(f.ctx, keep, &o));
    OK(f.ctx, multiply(&f));
    assert_int_equal(o.calls, 1);
    assert_string_equal(o.engine, "toy");
    assert_string_equal(o.reason, "");
    assert_string_equal(o.operator_name, "plus_times_fp64");
    assert_false(o.last.fell_back);
    assert_int_equal(o.last.status, SL_OK);
    assert_true(o.last.started > 0 && o.last.seconds >= 0);

    OK(f.ctx, sl_vxm(f.w, NULL, NULL, SL_MIN_PLUS_FP64, f.u, f.A, NULL));
    assert_int_equal(o.calls, 2);
    assert_string_equal(o.engine, "suitesparse");
    assert_string_equal(o.reason, "only plus_times_fp64");
    assert_true(o.last.fell_back);

    toy.fail_run = SL_ENGINE_FAULT;
    assert_int_equal(multiply(&f), SL_ENGINE_FAULT);
    assert_int_equal(o.calls, 3);
    assert_int_equal(o.last.status, SL_ENGINE_FAULT);
    toy.fail_run = SL_OK;

    OK(f.ctx, sl_context_set_observer(f.ctx, NULL, NULL));
    OK(f.ctx, multiply(&f));
    assert_int_equal(o.calls, 3);
    end(&f);
}

int main(void)
{
    allocator_install();
    unsetenv("SEMLA_ENGINE");
    unsetenv("SEMLA_TRACE");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forced_engine),   cmocka_unit_test(test_no_engine_supports_it),
        cmocka_unit_test(test_observer),        cmocka_unit_test(test_trace),
        cmocka_unit_test(test_trace_of_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
