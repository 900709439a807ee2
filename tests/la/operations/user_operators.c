/* User-defined operators, monoids and semirings: in every operation they give the same results as
 * built-in ones; each allocation fails in turn; those of another context are errors. */
#include "objects.h"
#include "user_operator_calls.h"

#include <math.h>

/* ---- comparison with built-in operators ------------------------------------------ */

static void assert_same_matrix(const sl_matrix *A, const sl_matrix *B)
{
    uint64_t i[2][SIDE * SIDE], j[2][SIDE * SIDE], count[2] = {SIDE * SIDE, SIDE * SIDE};
    int32_t values[2][SIDE * SIDE];
    OK(ctx, sl_matrix_extract_tuples(i[0], j[0], values[0], &count[0], A));
    OK(ctx, sl_matrix_extract_tuples(i[1], j[1], values[1], &count[1], B));
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(i[0], i[1], count[0] * sizeof **i);
    assert_memory_equal(j[0], j[1], count[0] * sizeof **j);
    assert_memory_equal(values[0], values[1], count[0] * sizeof **values);
}

static void assert_same_vector(const sl_vector *u, const sl_vector *v)
{
    uint64_t i[2][SIDE], count[2] = {SIDE, SIDE};
    int32_t values[2][SIDE];
    OK(ctx, sl_vector_extract_tuples(i[0], values[0], &count[0], u));
    OK(ctx, sl_vector_extract_tuples(i[1], values[1], &count[1], v));
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(i[0], i[1], count[0] * sizeof **i);
    assert_memory_equal(values[0], values[1], count[0] * sizeof **values);
}

static void test_uses(void **state)
{
    for (size_t k = 0; k < uses_count; k++) {
        operators own, theirs = built_in_operators();
        objects with_own, with_theirs;
        OK(ctx, define_operators(&own, ctx));
        OK(ctx, make_objects(&with_own, ctx));
        OK(ctx, make_objects(&with_theirs, ctx));
        OK(ctx, uses[k].run(&own, &with_own));
        OK(ctx, uses[k].run(&theirs, &with_theirs));
        free_operators(&own);
        assert_same_matrix(with_own.C, with_theirs.C);
        assert_same_vector(with_own.w, with_theirs.w);
        assert_true(sl_scalar_equal(with_own.x, with_theirs.x));
        free_objects(&with_own);
        free_objects(&with_theirs);
    }
}

/* Assembly of entries added to a sparse object may be deferred, but not until after the operator
 * was freed. */
static void test_deferred_assembly(void **state)
{
    operators own;
    OK(ctx, define_operators(&own, ctx));
    sl_matrix *C = new_matrix(SL_INT32, 1000, 1000);
    sl_vector *w = new_vector(SL_INT32, 1000000);
    sl_scalar nine = sl_scalar_int32(9);
    const uint64_t some[] = {5, 0, 3};
    for (int k = 0; k < 2; k++) {
        OK(ctx, sl_matrix_assign_scalar(C, NULL, own.binary, nine, some, 3, some, 3, NULL));
        OK(ctx, sl_vector_assign_scalar(w, NULL, own.binary, nine, some, 3, NULL));
    }
    free_operators(&own);
    freed = true;
    assert_true(value_at(C, 5, 3) == 18 && vector_value_at(w, 3) == 18);
    freed = false;
    assert_int_equal(calls_of_the_freed, 0);
    sl_matrix_free(C);
    sl_vector_free(w);
}

/* An operator of another context: every use is an error and changes nothing. */
static void test_operators_of_another_context(void **state)
{
    sl_context *other;
    assert_int_equal(sl_context_create(&other, SL_ENGINE_SUITESPARSE), SL_OK);
    operators foreign, own;
    OK(other, define_operators(&foreign, other));
    OK(ctx, define_operators(&own, ctx));
    for (size_t k = 0; k < uses_count; k++) {
        objects o, fresh;
        OK(ctx, make_objects(&o, ctx));
        OK(ctx, make_objects(&fresh, ctx));
        assert_int_equal(uses[k].run(&foreign, &o), SL_MISMATCH);
        SAYS("belongs to another context");
        if (!uses[k].clears) {
            assert_same_matrix(o.C, fresh.C);
            assert_same_vector(o.w, fresh.w);
        }
        free_objects(&o);
        free_objects(&fresh);
    }
    sl_monoid monoid;
    sl_semiring semiring;
    sl_scalar zero = sl_scalar_int32(0);
    assert_int_equal(sl_monoid_new(&monoid, ctx, "sums", foreign.binary, zero, NULL), SL_MISMATCH);
    SAYS("monoid_new sums: sum belongs to another context");
    assert_null(monoid);
    assert_int_equal(sl_semiring_new(&semiring, ctx, "s", foreign.monoid, own.multiply),
                     SL_MISMATCH);
    assert_int_equal(sl_semiring_new(&semiring, ctx, "s", own.monoid, foreign.multiply),
                     SL_MISMATCH);
    assert_null(semiring);
    free_operators(&foreign);
    free_operators(&own);
    sl_context_free(other);
}

static sl_status use_with_failures(void *data)
{
    operators f = {0};
    objects o = {0};
    sl_status status = define_operators(&f, ctx);
    if (status == SL_OK)
        status = make_objects(&o, ctx);
    if (status == SL_OK)
        status = ((const use *)data)->run(&f, &o);
    allocator_fail_after(-1);
    free_operators(&f);
    free_objects(&o);
    return status;
}

static void test_memory(void **state)
{
    for (size_t k = 0; k < uses_count; k++)
        assert_true(allocator_fail_each(use_with_failures, (void *)&uses[k]) > 0);
}

/* The memory of operators is counted for their context, and limited by it. */
static void test_limit(void **state)
{
    sl_context *limited;
    sl_context_memory before, between, after;
    operators f = {0};
    assert_int_equal(sl_context_create(&limited, SL_ENGINE_AUTO), SL_OK);
    OK(limited, sl_context_set_memory_limit(limited, 0));
    sl_context_get_memory(limited, &before);
    OK(limited, define_operators(&f, limited));
    sl_context_get_memory(limited, &between);
    free_operators(&f);
    sl_context_get_memory(limited, &after);
    assert_true(between.used > before.used && after.used == before.used);
    f = (operators){0};
    OK(limited, sl_context_set_memory_limit(limited, 100));
    assert_int_equal(define_operators(&f, limited), SL_NO_MEMORY);
    assert_non_null(strstr(sl_context_message(limited), "above the context's limit of 100"));
    free_operators(&f);
    sl_context_free(limited);
}

/* ---- differing types ------------------------------------------------------------- */

/* x if 100 x > y, otherwise -0.5. */
static void above(void *z, const void *x, const void *y)
{
    *(double *)z = *(const int8_t *)x * 100.0 > *(const uint16_t *)y ? *(const int8_t *)x : -0.5;
}

static void root(void *z, const void *x)
{
    *(float *)z = sqrtf((float)*(const uint8_t *)x);
}

static void far_from_thunk(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(int16_t *)z = (int16_t)(i * 10 + j + *(const bool *)x - (int64_t) * (const float *)thunk);
}

static void test_types(void **state)
{
    sl_binary_op op;
    sl_unary_op square_root;
    sl_index_op far;
    OK(ctx, sl_binary_op_new(&op, ctx, "above", SL_FP64, SL_INT8, SL_UINT16, above, NULL));
    OK(ctx, sl_unary_op_new(&square_root, ctx, "root", SL_FP32, SL_UINT8, root, NULL));
    OK(ctx, sl_index_op_new(&far, ctx, "far", SL_INT16, SL_BOOL, SL_FP32, far_from_thunk, NULL));
    assert_true(op->type == SL_INT8 && op->type_y == SL_UINT16 && op->result == SL_FP64);
    assert_true(square_root->type == SL_UINT8 && square_root->result == SL_FP32);
    assert_true(far->type == SL_BOOL && far->type_thunk == SL_FP32 && far->result == SL_INT16);

    sl_matrix *A = new_matrix(SL_FP64, 3, 3), *B = new_matrix(SL_INT64, 3, 3);
    sl_matrix *C = new_matrix(SL_FP64, 3, 3);
    OK(ctx, sl_matrix_set(A, 1, 2, sl_scalar_fp64(7.9))); /* cast to 7 as int8 */
    OK(ctx, sl_matrix_set(A, 2, 2, sl_scalar_fp64(7)));
    OK(ctx, sl_matrix_set(B, 1, 2, sl_scalar_int64(600)));
    OK(ctx, sl_matrix_set(B, 2, 2, sl_scalar_int64(701)));
    OK(ctx, sl_matrix_ewise_mult(C, NULL, NULL, op, A, B, NULL));
    assert_true(value_at(C, 1, 2) == 7 && value_at(C, 2, 2) == -0.5);
    OK(ctx, sl_matrix_apply(C, NULL, NULL, square_root, A, NULL));
    assert_true(value_at(C, 2, 2) == sqrtf(7));
    OK(ctx, sl_matrix_apply_index(C, NULL, NULL, far, A, sl_scalar_int64(4), NULL));
    assert_true(value_at(C, 1, 2) == 12 + 1 - 4);

    /* As an accumulator into a scalar: int8 of 5, uint16 of the sum 1301. */
    sl_scalar x = sl_scalar_int64(5);
    OK(ctx, sl_matrix_reduce(&x, op, SL_PLUS_MONOID_INT64, B));
    assert_true(sl_scalar_equal(x, sl_scalar_int64(0))); /* -0.5, truncated */

    sl_vector *v = new_vector(SL_INT8, 3);
    const uint64_t index[] = {1, 1};
    assert_int_equal(sl_vector_build(v, index, NULL, 2, op), SL_MISMATCH);
    SAYS("above cannot combine duplicates of type int8");
    OK(ctx, sl_matrix_select(C, NULL, NULL, far, A, sl_scalar_int64(13), NULL)); /* 12 + 1 - 13 */
    assert_int_equal(entries(C), entries(A) - 1);
    assert_int_equal(sl_matrix_get(&x, C, 1, 2), SL_NO_VALUE);
    sl_vector_free(v);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(C);
    sl_binary_op_free(op);
    sl_unary_op_free(square_root);
    sl_index_op_free(far);
}

/* ---- lifetimes ------------------------------------------------------------------------- */

static void test_freeing(void **state)
{
    sl_unary_op_free(NULL);
    sl_binary_op_free(NULL);
    sl_index_op_free(NULL);
    sl_monoid_free(NULL);
    sl_semiring_free(NULL);
    operators theirs = built_in_operators();
    free_operators(&theirs);
    assert_string_equal(theirs.semiring->name, "plus_times_int32");
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uses),
        cmocka_unit_test(test_deferred_assembly),
        cmocka_unit_test(test_operators_of_another_context),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_freeing),
        cmocka_unit_test(test_no_allocation_is_left),
    };
    return cmocka_run_group_tests(tests, make_context, NULL);
}
