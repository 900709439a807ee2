/*
 * The dispatcher: which engine of a chain executes an operation, and when objects migrate between
 * stores. The chain has the toy engine, with a store of its own and one product, before
 * SuiteSparse.
 */
#include <stdlib.h>
#include <string.h>

#include "toy_product.h"

static bool held(const sl_object *object, unsigned slot)
{
    return object->held[slot] != NULL;
}

/* ---- which engine executes ------------------------------------------------------- */

static void test_first_supporting_engine_executes(void **state)
{
    fixture f;
    begin(&f);
    sl_context_counts before = counts(&f);
    OK(f.ctx, multiply(&f));
    assert_int_equal(toy.runs, 1);
    assert_int_equal(counts(&f).operations - before.operations, 1);
    assert_int_equal(counts(&f).fallbacks - before.fallbacks, 0);
    expect_vector(&f, f.w, 2, product_index, product);
    end(&f);

    memset(&toy, 0, sizeof toy);
    f = (fixture){.ctx = toy_context(&greedy_engine, &toy_engine, true)};
    OK(f.ctx, make_operands(&f));
    before = counts(&f);
    OK(f.ctx, sl_vxm(f.w, NULL, NULL, SL_MIN_PLUS_FP64, f.u, f.A, NULL));
    assert_int_equal(toy.runs, 1); /* the greedy engine ran min_plus as plus_times */
    assert_int_equal(counts(&f).fallbacks - before.fallbacks, 0);
    expect_vector(&f, f.w, 2, product_index, product);
    end(&f);
}

/* An operation that only fills or reads an object is a fallback if it leaves the memory of the first engine,
 * and none if another engine does it there, or if it reads contents that are elsewhere already. */
static void test_access_is_no_fallback(void **state)
{
    sl_context *ctx;
    sl_context_counts all;
    sl_vector *v;
    uint64_t n;
    fixture f;
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_OPENMP), SL_OK);
    OK(ctx, sl_vector_new(&v, ctx, SL_FP64, 5));
    OK(ctx, sl_vector_set(v, 2, sl_scalar_fp64(1)));
    OK(ctx, sl_vector_nvals(&n, v));
    sl_context_get_counts(ctx, &all);
    assert_int_equal(all.operations, 2);
    assert_int_equal(all.fallbacks, 0);
    OK(ctx, sl_vector_apply(v, NULL, NULL, SL_AINV_FP64, v, NULL)); /* computes */
    sl_context_get_counts(ctx, &all);
    assert_int_equal(all.fallbacks, 1);
    sl_vector_free(v);
    sl_context_free(ctx);

    begin(&f);
    sl_context_counts before = counts(&f);
    OK(f.ctx, sl_vector_nvals(&n, f.u));
    OK(f.ctx, multiply(&f)); /* the toy engine has a copy of u then, and the only one of w */
    OK(f.ctx, sl_vector_nvals(&n, f.u));
    assert_int_equal(counts(&f).fallbacks - before.fallbacks, 0);
    OK(f.ctx, sl_vector_nvals(&n, f.w));
    assert_int_equal(counts(&f).fallbacks - before.fallbacks, 1);

    before = counts(&f);
    OK(f.ctx, sl_vector_set(f.u, 0, sl_scalar_fp64(1)));
    assert_int_equal(counts(&f).fallbacks - before.fallbacks, 1);
    end(&f);
}

static void test_fallback(void **state)
{
    fixture f;
    begin(&f);
    sl_context_counts before = counts(&f);
    OK(f.ctx, sl_vxm(f.w, NULL, NULL, SL_MIN_PLUS_FP64, f.u, f.A, NULL));
    assert_int_equal(toy.runs, 0);
    assert_int_equal(counts(&f).fallbacks - before.fallbacks, 1);
    assert_int_equal(counts(&f).copies, 0); /* no object was copied */
    expect_vector(&f, f.w, 2, product_index, min_plus_product);

    /* The toy engine declines an operation on an object that it wrote: the object migrates back to
     * the host. */
    OK(f.ctx, multiply(&f));
    before = counts(&f);
    OK(f.ctx, sl_vxm(f.w, NULL, SL_PLUS_FP64, SL_PLUS_TIMES_FP64, f.u, f.A, NULL));
    assert_int_equal(toy.runs, 1);
    assert_int_equal(toy.exports, 1);
    assert_int_equal(counts(&f).copies - before.copies, 1);
    assert_int_equal(counts(&f).bytes_copied - before.bytes_copied, 1000);
    expect_vector(&f, f.w, 2, product_index, (const double[]){62, 6});
    end(&f);
}

static void test_supported_operations(void **state)
{
    fixture f;
    begin(&f);
    sl_call call = {.op = SL_OP_VXM, .ctx = f.ctx, .operators.semiring = SL_PLUS_TIMES_FP64};
    assert_true(sl_dispatch_supports(&call));
    call.op = SL_OP_ADVANCE; /* neither engine has it */
    assert_false(sl_dispatch_supports(&call));
    assert_string_equal(sl_operation_name(SL_OP_VXM), "vxm");
    assert_string_equal(sl_operation_name(SL_OP_CLOSURE), "closure");
    assert_string_equal(sl_operation_name(SL_OP_COUNT), "?");
    end(&f);
}

/* ---- migration ------------------------------------------------------------------- */

static void test_migration(void **state)
{
    fixture f;
    begin(&f);
    OK(f.ctx, multiply(&f));
    assert_int_equal(toy.imports, 2); /* u and A; w was empty */
    assert_int_equal(toy.creates, 1);
    assert_int_equal(counts(&f).copies, 2);
    uint64_t bytes = counts(&f).bytes_copied;
    assert_true(bytes > 0);

    /* An input is held by both stores, an output by one. */
    assert_true(held(&f.u->object, 0) && held(&f.u->object, TOY_SLOT));
    assert_true(held(&f.A->object, 0) && held(&f.A->object, TOY_SLOT));
    assert_true(!held(&f.w->object, 0) && held(&f.w->object, TOY_SLOT));
    OK(f.ctx, multiply(&f));
    assert_int_equal(counts(&f).copies, 2);
    assert_int_equal(counts(&f).bytes_copied, bytes);

    expect_vector(&f, f.w, 2, product_index, product);
    assert_int_equal(toy.exports, 1);
    assert_int_equal(counts(&f).copies, 3);
    assert_int_equal(counts(&f).bytes_copied, bytes + 1000);
    assert_true(held(&f.w->object, 0) && held(&f.w->object, TOY_SLOT));
    expect_vector(&f, f.w, 2, product_index, product);
    assert_int_equal(counts(&f).copies, 3);
    end(&f);
}

static void test_stale_copies_are_dropped(void **state)
{
    fixture f;
    begin(&f);
    OK(f.ctx, multiply(&f));
    OK(f.ctx, sl_vector_set(f.u, 0, sl_scalar_fp64(20)));
    assert_false(held(&f.u->object, TOY_SLOT));
    assert_int_equal(toy.releases, 1);
    OK(f.ctx, multiply(&f));
    assert_int_equal(toy.imports, 3); /* u again, but not A */
    expect_vector(&f, f.w, 2, product_index, (const double[]){121, 3});

    /* The copy of the output on the host is invalid once the toy engine has written. */
    assert_true(held(&f.w->object, 0));
    OK(f.ctx, sl_vector_remove(f.u, 1));
    OK(f.ctx, multiply(&f));
    assert_false(held(&f.w->object, 0));
    expect_vector(&f, f.w, 1, product_index, (const double[]){100});

    OK(f.ctx, sl_vector_clear(f.w));
    assert_true(!held(&f.w->object, 0) && !held(&f.w->object, TOY_SLOT));
    expect_vector(&f, f.w, 0, NULL, NULL);
    end(&f);
}

/* An output that the operation replaces is not copied to the engine's store; if the operation
 * fails, it keeps its contents. */
static void test_replaced_output(void **state)
{
    fixture f;
    begin(&f);
    OK(f.ctx, sl_vector_set(f.w, 2, sl_scalar_fp64(7)));
    toy.fail_run = SL_ENGINE_FAULT;
    assert_int_equal(multiply(&f), SL_ENGINE_FAULT);
    assert_true(held(&f.w->object, 0) && !held(&f.w->object, TOY_SLOT));
    expect_vector(&f, f.w, 1, (const uint64_t[]){2}, (const double[]){7});
    toy.fail_run = SL_OK;
    OK(f.ctx, multiply(&f));
    assert_int_equal(toy.imports, 2); /* u and A */
    assert_true(!held(&f.w->object, 0) && held(&f.w->object, TOY_SLOT));
    expect_vector(&f, f.w, 2, product_index, product);

    OK(f.ctx, sl_vector_set(f.w, 2, sl_scalar_fp64(7)));
    toy.fail_import = SL_ENGINE_FAULT;
    OK(f.ctx, sl_vector_set(f.u, 0, sl_scalar_fp64(2)));
    assert_int_equal(multiply(&f), SL_ENGINE_FAULT);
    toy.fail_import = SL_OK;
    expect_vector(&f, f.w, 2, (const uint64_t[]){1, 2}, (const double[]){31, 7});
    end(&f);
}

/* The output is also an input, in the store of the toy engine. */
static void test_output_is_input(void **state)
{
    fixture f;
    begin(&f);
    OK(f.ctx, sl_vxm(f.u, NULL, NULL, SL_PLUS_TIMES_FP64, f.u, f.A, NULL));
    expect_vector(&f, f.u, 2, product_index, product);
    end(&f);
}

static void test_dup_stays_in_store(void **state)
{
    fixture f;
    begin(&f);
    sl_vector *copy;
    OK(f.ctx, multiply(&f));
    OK(f.ctx, sl_vector_dup(&copy, f.w));
    assert_int_equal(toy.copies, 1);
    assert_int_equal(toy.exports, 0);
    assert_true(!held(&copy->object, 0) && held(&copy->object, TOY_SLOT));
    expect_vector(&f, copy, 2, product_index, product);
    sl_vector_free(copy);
    end(&f);
}

/* Arrays are exported to the host from any store; the exported object is then in no store. */
static void test_arrays_come_from_any_store(void **state)
{
    fixture f;
    begin(&f);
    sl_arrays arrays;
    OK(f.ctx, multiply(&f));
    OK(f.ctx, sl_vector_copy_out(&arrays, f.w, SL_FORMAT_LIST));
    assert_true(arrays.nvals == 2 && toy.exports == 1);
    assert_memory_equal(arrays.rows, product_index, sizeof product_index);
    assert_memory_equal(arrays.values, product, sizeof product);
    sl_arrays_free(&arrays);
    OK(f.ctx, multiply(&f)); /* held by the toy store only */
    OK(f.ctx, sl_vector_give(&arrays, &f.w, SL_FORMAT_LIST));
    assert_true(!f.w && arrays.nvals == 2 && toy.exports == 2);
    assert_memory_equal(arrays.values, product, sizeof product);
    sl_arrays_free(&arrays);

    assert_true(held(&f.A->object, 0) && held(&f.A->object, TOY_SLOT));
    OK(f.ctx, sl_matrix_give(&arrays, &f.A, SL_FORMAT_CSR));
    OK(f.ctx, sl_matrix_take(&f.A, f.ctx, &arrays));
    assert_true(held(&f.A->object, 0) && !held(&f.A->object, TOY_SLOT));
    OK(f.ctx, sl_vector_new(&f.w, f.ctx, SL_FP64, 3));
    OK(f.ctx, multiply(&f));
    expect_vector(&f, f.w, 2, product_index, product);
    end(&f);
}

/* Known symmetry of the pattern is forgotten after a write in another store. */
static void test_symmetry_forgotten(void **state)
{
    fixture f;
    begin(&f);
    bool symmetric;
    OK(f.ctx, sl_matrix_promise_symmetric(f.A));
    OK(f.ctx, multiply(&f));
    OK(f.ctx, sl_matrix_is_symmetric(&symmetric, f.A));
    assert_true(symmetric);
    sl_object_modified(&f.A->object, &toy_store);
    OK(f.ctx, sl_matrix_is_symmetric(&symmetric, f.A));
    assert_false(symmetric);
    end(&f);
}

/* ---- failures -------------------------------------------------------------------- */

static void test_an_error_is_final(void **state)
{
    fixture f;
    begin(&f);
    toy.fail_run = SL_ENGINE_FAULT;
    sl_context_counts before = counts(&f);
    assert_int_equal(multiply(&f), SL_ENGINE_FAULT);
    assert_string_equal(sl_context_message(f.ctx), "toy: cannot multiply");
    assert_int_equal(toy.runs, 1);
    assert_int_equal(counts(&f).operations - before.operations, 1);
    assert_int_equal(counts(&f).fallbacks, before.fallbacks);
    uint64_t nvals;
    OK(f.ctx, sl_vector_nvals(&nvals, f.w));
    assert_int_equal(nvals, 0); /* SuiteSparse did not execute it */
    toy.fail_run = SL_OK;
    OK(f.ctx, multiply(&f));
    expect_vector(&f, f.w, 2, product_index, product);
    end(&f);
}

static void test_migration_fails(void **state)
{
    fixture f;
    begin(&f);
    toy.fail_import = SL_ENGINE_FAULT;
    assert_int_equal(multiply(&f), SL_ENGINE_FAULT);
    assert_string_equal(sl_context_message(f.ctx), "toy: no import");
    assert_int_equal(toy.runs, 0);
    assert_int_equal(counts(&f).copies, 0);
    toy.fail_import = SL_OK;
    OK(f.ctx, multiply(&f));

    toy.fail_export = SL_ENGINE_FAULT;
    uint64_t nvals;
    assert_int_equal(sl_vector_nvals(&nvals, f.w), SL_ENGINE_FAULT);
    assert_string_equal(sl_context_message(f.ctx), "toy: no export");
    toy.fail_export = SL_OK;
    expect_vector(&f, f.w, 2, product_index, product);
    end(&f);
}

/* Migration to the toy store and back, with each allocation failing; inputs keep their contents. */
static sl_status migrate_and_return(void *data)
{
    fixture f = {.ctx = data};
    uint64_t nvals;
    sl_vector *copy = NULL;
    sl_status status = make_operands(&f);
    bool made = status == SL_OK;
    if (status == SL_OK)
        status = multiply(&f);
    if (status == SL_OK)
        status = sl_vector_dup(&copy, f.w);
    if (status == SL_OK)
        status = sl_vector_nvals(&nvals, f.w);
    allocator_fail_after(-1);
    if (made) {
        OK(f.ctx, multiply(&f));
        expect_vector(&f, f.w, 2, product_index, product);
    }
    sl_vector_free(copy);
    free_operands(&f);
    return status;
}

static void test_memory(void **state)
{
    memset(&toy, 0, sizeof toy);
    sl_context *ctx = toy_context(&toy_engine, NULL, true);
    assert_true(allocator_fail_each(migrate_and_return, ctx) > 10);
    assert_int_equal(toy.creates + toy.copies + toy.imports, toy.releases);
    sl_context_free(ctx);
    assert_int_equal(allocator_alive(), 0);
}

int main(void)
{
    allocator_install();
    unsetenv("SEMLA_ENGINE");
    unsetenv("SEMLA_TRACE");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_supporting_engine_executes),
        cmocka_unit_test(test_access_is_no_fallback),
        cmocka_unit_test(test_fallback),
        cmocka_unit_test(test_supported_operations),
        cmocka_unit_test(test_migration),
        cmocka_unit_test(test_stale_copies_are_dropped),
        cmocka_unit_test(test_replaced_output),
        cmocka_unit_test(test_output_is_input),
        cmocka_unit_test(test_dup_stays_in_store),
        cmocka_unit_test(test_arrays_come_from_any_store),
        cmocka_unit_test(test_symmetry_forgotten),
        cmocka_unit_test(test_an_error_is_final),
        cmocka_unit_test(test_migration_fails),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
