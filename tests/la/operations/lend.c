/*
 * sl_vector_lend: views of full vectors on the host, and on a GPU, which the toy store stands for.
 */
#include <semla/engine.h>

#include <string.h>

#include "support.h"
#include "toy_engine.h"

enum { SIZE = 5 };

static sl_context *ctx;

static sl_vector *full_vector(void)
{
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, SL_FP64, SIZE));
    for (uint64_t i = 0; i < SIZE; i++)
        OK(ctx, sl_vector_set(v, i, sl_scalar_fp64((double)i + 0.5)));
    return v;
}

static void expect_values(const sl_vector_view *view, double first, double step)
{
    for (uint64_t i = 0; i < SIZE; i++)
        assert_true(((const double *)view->values)[i] == first + step * (double)i);
}

/* ---- on the host ---------------------------------------------------------------- */

static void test_host(void **state)
{
    sl_vector *v = full_vector();
    sl_vector_view view;
    OK(ctx, sl_vector_lend(&view, v, SL_MEMORY_HOST));
    assert_int_equal(view.memory, SL_MEMORY_HOST);
    assert_int_equal(view.device, 0);
    assert_null(view.stream);
    assert_null(view.present);
    assert_int_equal(view.type, SL_FP64);
    assert_int_equal(view.size, SIZE);
    assert_int_equal(view.nvals, SIZE);
    expect_values(&view, 0.5, 1);
    sl_vector_free(v);
}

/* If all entries share one stored value, the array is expanded once and kept. */
static void test_iso(void **state)
{
    sl_vector *v;
    sl_vector_view view, again;
    OK(ctx, sl_vector_new(&v, ctx, SL_FP64, SIZE));
    OK(ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_fp64(3), SL_ALL, 0, NULL));
    OK(ctx, sl_vector_lend(&view, v, SL_MEMORY_HOST));
    expect_values(&view, 3, 0);
    OK(ctx, sl_vector_lend(&again, v, SL_MEMORY_HOST));
    assert_ptr_equal(again.values, view.values);
    sl_scalar sum;
    OK(ctx, sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, v));
    assert_true(sum.as.fp64_ == 3 * SIZE);
    sl_vector_free(v);
}

/* Operations that only read the vector leave its array at the same address. */
static void test_address_is_stable(void **state)
{
    sl_vector *v = full_vector(), *w, *copy;
    sl_matrix *A;
    sl_vector_view view, later;
    sl_scalar sum;
    uint64_t index[SIZE], count = SIZE;
    OK(ctx, sl_vector_new(&w, ctx, SL_FP64, SIZE));
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP64, SIZE, SIZE));
    OK(ctx, sl_matrix_set(A, 1, 2, sl_scalar_fp64(1)));
    OK(ctx, sl_vector_lend(&view, v, SL_MEMORY_HOST));
    OK(ctx, sl_vxm(w, v, NULL, SL_PLUS_TIMES_FP64, v, A, NULL));
    OK(ctx, sl_mxv(w, NULL, SL_PLUS_FP64, SL_MIN_PLUS_FP64, A, v, NULL));
    OK(ctx, sl_vector_ewise_add(w, NULL, NULL, SL_MINUS_FP64, w, v, NULL));
    OK(ctx, sl_vector_select(w, NULL, NULL, SL_VALUEGT_FP64, v, sl_scalar_fp64(2), NULL));
    OK(ctx, sl_vector_assign(w, v, NULL, v, SL_ALL, 0, sl_descriptor_get(SL_REPLACE)));
    OK(ctx, sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, v));
    OK(ctx, sl_vector_extract_tuples(index, NULL, &count, v));
    OK(ctx, sl_advance(w, w, v, A, SL_MIN_PLUS_FP64, SL_AUTO, NULL));
    OK(ctx, sl_vector_dup(&copy, v));
    OK(ctx, sl_vector_lend(&later, v, SL_MEMORY_HOST));
    assert_ptr_equal(later.values, view.values);
    expect_values(&view, 0.5, 1);
    sl_vector_free(v);
    sl_vector_free(w);
    sl_vector_free(copy);
    sl_matrix_free(A);
}

/* ---- on a device ------------------------------------------------------------------- */

static void test_device(void **state)
{
    const sl_engine *suitesparse = ctx->chain[0];
    ctx->chain[0] = &toy_engine;
    ctx->chain[1] = suitesparse;
    memset(&toy, 0, sizeof toy);
    sl_vector *v = full_vector();
    sl_vector_view view;
    assert_int_equal(sl_vector_lend(&view, v, SL_MEMORY_CUDA), SL_UNSUPPORTED);
    assert_string_equal(sl_context_message(ctx),
                        "vector_lend: the vector is not in the memory of a GPU");

    OK(ctx, sl_object_migrate(sl_object_of_vector(v), &toy_store));
    OK(ctx, sl_vector_lend(&view, v, SL_MEMORY_CUDA));
    assert_int_equal(view.memory, SL_MEMORY_CUDA);
    assert_int_equal(view.device, TOY_DEVICE);
    assert_ptr_equal(view.stream, &toy);
    assert_int_equal(view.type, SL_FP64);
    assert_int_equal(view.size, SIZE);
    assert_int_equal(view.nvals, SIZE);
    expect_values(&view, 0.5, 1);
    sl_context_counts before, after;
    sl_context_get_counts(ctx, &before);
    OK(ctx, sl_vector_lend(&view, v, SL_MEMORY_HOST)); /* the host has a valid copy too */
    assert_int_equal(view.device, 0);
    sl_context_get_counts(ctx, &after);
    assert_int_equal(after.copies, before.copies);

    /* After a write on the host, only the host has a valid copy. */
    OK(ctx, sl_vector_remove(v, 2));
    assert_int_equal(sl_vector_lend(&view, v, SL_MEMORY_CUDA), SL_UNSUPPORTED);
    OK(ctx, sl_object_migrate(sl_object_of_vector(v), &toy_store));
    assert_int_equal(sl_vector_lend(&view, v, SL_MEMORY_CUDA), SL_UNSUPPORTED);
    assert_string_equal(sl_context_message(ctx), "toy: not full");
    assert_null(view.values);
    assert_int_equal(view.size, 0);
    sl_vector_free(v);
    ctx->chain[0] = suitesparse;
    ctx->chain[1] = NULL;
}

/* ---- errors -------------------------------------------------------------------------- */

static void test_errors(void **state)
{
    sl_vector *v = full_vector(), *empty;
    sl_vector_view view = {.size = 7};
    OK(ctx, sl_vector_new(&empty, ctx, SL_INT8, SIZE));
    assert_int_equal(sl_vector_lend(NULL, v, SL_MEMORY_HOST), SL_INVALID);
    assert_int_equal(sl_vector_lend(&view, NULL, SL_MEMORY_HOST), SL_INVALID);
    assert_int_equal(view.size, 0);
    assert_int_equal(sl_vector_lend(&view, v, SL_MEMORY_COUNT), SL_INVALID);
    assert_int_equal(sl_vector_lend(&view, v, (sl_memory)-1), SL_INVALID);
    assert_int_equal(sl_vector_lend(&view, v, SL_MEMORY_CUDA), SL_UNSUPPORTED);
    assert_int_equal(sl_vector_lend(&view, empty, SL_MEMORY_HOST), SL_UNSUPPORTED);
    OK(ctx, sl_vector_remove(v, 0));
    assert_int_equal(sl_vector_lend(&view, v, SL_MEMORY_HOST), SL_UNSUPPORTED);
    assert_non_null(strstr(sl_context_message(ctx), "on the host every index must have an entry"));
    uint64_t nvals;
    OK(ctx, sl_vector_nvals(&nvals, v));
    assert_int_equal(nvals, SIZE - 1);
    sl_vector_free(v);
    sl_vector_free(empty);
}

static sl_status lend_iso(void *data)
{
    sl_vector *v = NULL;
    sl_vector_view view;
    sl_status status = sl_vector_new(&v, ctx, SL_FP64, SIZE);
    if (status == SL_OK)
        status = sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_fp64(3), SL_ALL, 0, NULL);
    if (status == SL_OK)
        status = sl_vector_lend(&view, v, SL_MEMORY_HOST);
    if (status == SL_OK)
        expect_values(&view, 3, 0);
    sl_vector_free(v);
    return status;
}

static void test_memory_runs_out(void **state)
{
    assert_true(allocator_fail_each(lend_iso, NULL) > 0);
}

static int make_context(void **state)
{
    return sl_context_create(&ctx, SL_ENGINE_SUITESPARSE);
}

static int free_context(void **state)
{
    sl_context_free(ctx);
    return allocator_alive() == 0 ? 0 : -1;
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_host, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_iso, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_address_is_stable, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_device, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_errors, make_context, free_context),
        cmocka_unit_test_setup_teardown(test_memory_runs_out, make_context, free_context),
    };
    return cmocka_run_group_tests_name("lend", tests, NULL, NULL);
}
