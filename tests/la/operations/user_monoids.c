/* User-defined monoids and semirings: properties that follow from user-defined and built-in parts,
 * traversals with them, and the engines that decline them. */
#include "objects.h"

#include <semla/engine.h>

#include <math.h>
#include <stdlib.h>

/* The greatest common divisor, with identity 0. */
static void gcd(void *z, const void *px, const void *py)
{
    uint64_t x = *(const uint64_t *)px, y = *(const uint64_t *)py;
    while (y != 0) {
        uint64_t remainder = x % y;
        x = y;
        y = remainder;
    }
    *(uint64_t *)z = x;
}

/* Any operator within one type and any identity make a monoid. */
static void test_any_operator_and_identity(void **state)
{
    static const sl_scalar one = {.type = SL_INT32, .as.int32_ = 1};
    const sl_binary_op ops[] = {SL_PLUS_INT32, SL_MINUS_INT32, SL_FIRST_INT32, SL_BOR_INT32,
                                SL_MIN_INT32};
    sl_vector *empty = new_vector(SL_INT32, 3), *v = new_vector(SL_INT32, 3);
    OK(ctx, sl_vector_set(v, 1, sl_scalar_int32(6)));
    for (size_t k = 0; k < sizeof ops / sizeof *ops; k++) {
        sl_monoid monoid;
        sl_semiring semiring;
        sl_scalar x;
        OK(ctx, sl_monoid_new(&monoid, ctx, "mine", ops[k], one, NULL));
        assert_int_equal(monoid->code, SL_MONOID_COUNT);
        OK(ctx, sl_vector_reduce(&x, NULL, monoid, empty));
        assert_true(sl_scalar_equal(x, one));
        OK(ctx, sl_semiring_new(&semiring, ctx, "mine", monoid, SL_TIMES_INT32));
        assert_int_equal(semiring->code, SL_SEMIRING_COUNT);
        sl_matrix *A = new_matrix(SL_INT32, 3, 3);
        OK(ctx, sl_matrix_set(A, 1, 2, sl_scalar_int32(7)));
        OK(ctx, sl_vxm(empty, NULL, NULL, semiring, v, A, NULL)); /* one product, no sum */
        assert_true(vector_entries(empty) == 1 && vector_value_at(empty, 2) == 42);
        OK(ctx, sl_vector_clear(empty));
        sl_matrix_free(A);
        sl_semiring_free(semiring);
        sl_monoid_free(monoid);
    }
    sl_vector_free(empty);
    sl_vector_free(v);
}

static void test_terminal(void **state)
{
    sl_binary_op op;
    sl_monoid monoid;
    OK(ctx, sl_binary_op_new(&op, ctx, "gcd", SL_UINT64, SL_UINT64, SL_UINT64, gcd, NULL));
    OK(ctx, sl_monoid_new(&monoid, ctx, "gcd", op, sl_scalar_uint64(0),
                          &(sl_scalar){.type = SL_UINT64, .as.uint64_ = 1}));
    assert_true(monoid->has_terminal && monoid->terminal.as.uint64_ == 1 && !monoid->any);
    sl_vector *v = new_vector(SL_UINT64, 4);
    for (uint64_t i = 0; i < 3; i++)
        OK(ctx, sl_vector_set(v, i, sl_scalar_uint64(30 * (i + 2))));
    sl_scalar x;
    OK(ctx, sl_vector_reduce(&x, NULL, monoid, v));
    assert_int_equal(x.as.uint64_, 30);
    OK(ctx, sl_vector_set(v, 3, sl_scalar_uint64(7)));
    OK(ctx, sl_vector_reduce(&x, NULL, monoid, v));
    assert_int_equal(x.as.uint64_, 1);
    sl_vector_free(v);
    sl_monoid_free(monoid);
    sl_binary_op_free(op);
}

/*
 * Semirings of built-in parts: one pair that is not in the table of semirings, and pairs that are.
 */
static void test_built_in_parts(void **state)
{
    sl_semiring min_minus, min_plus;
    OK(ctx, sl_semiring_new(&min_minus, ctx, "min_minus", SL_MIN_MONOID_FP64, SL_MINUS_FP64));
    OK(ctx, sl_semiring_new(&min_plus, ctx, "mine", SL_MIN_MONOID_FP64, SL_PLUS_FP64));
    assert_int_equal(min_minus->code, SL_SEMIRING_COUNT);
    assert_int_equal(min_plus->code, SL_SEMIRING_MIN_PLUS);

    sl_matrix *A = path(4); /* 1, 2, 3 */
    sl_vector *u = new_vector(SL_FP64, 4), *w = new_vector(SL_FP64, 4);
    OK(ctx, sl_vector_set(u, 1, sl_scalar_fp64(1.5)));
    OK(ctx, sl_vector_set(u, 3, sl_scalar_fp64(2.5)));
    OK(ctx, sl_vxm(w, NULL, NULL, min_minus, u, A, NULL));
    assert_true(vector_entries(w) == 2);
    assert_true(vector_value_at(w, 0) == 0.5 && vector_value_at(w, 2) == -0.5);
    OK(ctx, sl_vxm(w, NULL, NULL, min_plus, u, A, NULL));
    assert_true(vector_value_at(w, 0) == 2.5 && vector_value_at(w, 2) == 3.5);
    sl_matrix_free(A);
    sl_vector_free(u);
    sl_vector_free(w);
    sl_semiring_free(min_minus);
    sl_semiring_free(min_plus);
}

/* The reason why the openmp engine declines a closure; NULL if it supports it. */
static const char *openmp_declines(const sl_matrix *A, sl_semiring semiring)
{
    sl_traversal traversal = {0};
    sl_call call = {.op = SL_OP_CLOSURE,
                    .a = sl_object_of_matrix(A),
                    .operators.semiring = semiring,
                    .traversal = &traversal};
    size_t k = 0;
    while (strcmp(sl_engines[k]->name, "openmp") != 0)
        k++;
    return sl_engines[k]->declines(&call);
}

/* A user-defined monoid with the operator and identity of a built-in one is recognised as that. */
static void test_recognised_as_built_in(void **state)
{
    sl_monoid least, lowest, any;
    sl_semiring parents;
    OK(ctx, sl_monoid_new(&least, ctx, "least", SL_MIN_INT64, sl_scalar_int64(INT64_MAX), NULL));
    OK(ctx, sl_monoid_new(&lowest, ctx, "lowest", SL_MIN_INT64, sl_scalar_int64(INT64_MAX),
                          &(sl_scalar){.type = SL_INT64, .as.int64_ = INT64_MIN}));
    OK(ctx, sl_monoid_new(&any, ctx, "any", SL_ANY_FP64, sl_scalar_fp64(17), NULL));
    assert_true(least->code == SL_MONOID_MIN && least->has_terminal && least->idempotent);
    assert_true(any->code == SL_MONOID_ANY && any->any);
    OK(ctx, sl_semiring_new(&parents, ctx, "parents", least, SL_SECONDI_INT64));
    assert_int_equal(parents->code, SL_SEMIRING_MIN_SECONDI);
    assert_true(parents->result_is_index);

    sl_vector *empty = new_vector(SL_FP64, 3);
    sl_scalar x;
    OK(ctx, sl_vector_reduce(&x, NULL, any, empty));
    assert_true(x.as.fp64_ == 17);
    sl_vector_free(empty);

    /* The openmp engine supports it, as it supports min_secondi. */
    sl_matrix *A = path(5);
    sl_vector *q = new_vector(SL_INT64, 5), *pi = new_vector(SL_INT64, 5);
    OK(ctx, sl_vector_set(q, 2, sl_scalar_int64(2)));
    OK(ctx, sl_vector_set(pi, 2, sl_scalar_int64(2)));
    OK(ctx, sl_closure(pi, q, A, parents, NULL));
    assert_null(openmp_declines(A, parents));
    assert_true(vector_value_at(pi, 0) == 1 && vector_value_at(pi, 4) == 3);
    sl_matrix_free(A);
    sl_vector_free(q);
    sl_vector_free(pi);
    sl_semiring_free(parents);
    sl_monoid_free(least);
    sl_monoid_free(lowest);
    sl_monoid_free(any);
}

/* Even numbers are preferred to odd ones; of equal parity, the least number. */
static void least_even(void *z, const void *px, const void *py)
{
    int64_t x = *(const int64_t *)px, y = *(const int64_t *)py;
    bool takes_x = x % 2 == y % 2 ? x < y : x % 2 == 0;
    *(int64_t *)z = takes_x ? x : y;
}

static const int64_t no_parent = INT64_MAX;

/* Positional operators with a user-defined monoid, in a product and in a traversal. */
static void test_positional(void **state)
{
    sl_binary_op op;
    sl_monoid monoid;
    sl_semiring semiring;
    OK(ctx, sl_binary_op_new(&op, ctx, "even", SL_INT64, SL_INT64, SL_INT64, least_even, NULL));
    OK(ctx, sl_monoid_new(&monoid, ctx, "even", op, sl_scalar_int64(no_parent), NULL));
    OK(ctx, sl_semiring_new(&semiring, ctx, "even parents", monoid, SL_SECONDI_INT64));
    sl_matrix *A = new_matrix(SL_BOOL, 5, 5);
    const uint64_t tail[] = {0, 0, 0, 1, 2, 3, 1}, head[] = {1, 2, 3, 4, 4, 4, 2};
    OK(ctx, sl_matrix_build(A, tail, head, NULL, 7, NULL));
    sl_vector *u = new_vector(SL_INT64, 5), *w = new_vector(SL_INT64, 5);
    for (uint64_t i = 1; i < 4; i++)
        OK(ctx, sl_vector_set(u, i, sl_scalar_int64(0)));
    OK(ctx, sl_vxm(w, NULL, NULL, semiring, u, A, NULL));
    assert_true(vector_entries(w) == 2);
    assert_true(vector_value_at(w, 4) == 2 && vector_value_at(w, 2) == 1);

    sl_vector *q = new_vector(SL_INT64, 5), *pi = new_vector(SL_INT64, 5);
    OK(ctx, sl_vector_set(q, 0, sl_scalar_int64(0)));
    OK(ctx, sl_vector_set(pi, 0, sl_scalar_int64(0)));
    assert_int_equal(sl_closure(pi, q, A, semiring, NULL), SL_UNSUPPORTED);
    SAYS("even parents has no closure: its monoid is not idempotent");
    assert_int_equal(sl_advance(q, pi, q, A, semiring, SL_PUSH, NULL), SL_UNSUPPORTED);
    OK(ctx, sl_monoid_promise_idempotent(monoid));
    for (int direction = SL_AUTO; direction <= SL_PULL; direction++) {
        sl_vector *found;
        OK(ctx, sl_vector_dup(&found, pi));
        OK(ctx, sl_closure(found, q, A, semiring,
                           &(sl_closure_options){.direction = (sl_direction)direction}));
        assert_true(vector_entries(found) == 5);
        assert_true(vector_value_at(found, 4) == 2 && vector_value_at(found, 2) == 0);
        sl_vector_free(found);
    }
    sl_matrix_free(A);
    sl_vector_free(u);
    sl_vector_free(w);
    sl_vector_free(q);
    sl_vector_free(pi);
    sl_binary_op_free(op);
    sl_monoid_free(monoid);
    sl_semiring_free(semiring);
}

/* firsti and secondj give other indices for u' A than for A' u, so pull must not be used. */
static void test_no_pull(void **state)
{
    sl_semiring heads;
    OK(ctx, sl_semiring_new(&heads, ctx, "heads", SL_ANY_MONOID_INT64, SL_SECONDJ_INT64));
    sl_matrix *A = path(4);
    for (int direction = SL_AUTO; direction <= SL_PUSH; direction++) {
        sl_vector *q = new_vector(SL_INT64, 4), *pi = new_vector(SL_INT64, 4);
        OK(ctx, sl_vector_set(q, 0, sl_scalar_int64(0)));
        OK(ctx, sl_vector_set(pi, 0, sl_scalar_int64(0)));
        OK(ctx, sl_closure(pi, q, A, heads,
                           &(sl_closure_options){.direction = (sl_direction)direction}));
        for (uint64_t i = 0; i < 4; i++)
            assert_true(vector_value_at(pi, i) == (double)i);
        assert_int_equal(sl_closure(pi, q, A, heads, &(sl_closure_options){.direction = SL_PULL}),
                         SL_UNSUPPORTED);
        sl_vector_free(q);
        sl_vector_free(pi);
    }
    sl_matrix_free(A);
    sl_semiring_free(heads);
}

/* Widest paths: add takes the greater width, multiply the least width along the path. */
static void wider(void *z, const void *x, const void *y)
{
    *(double *)z = fmax(*(const double *)x, *(const double *)y);
}

static void narrower(void *z, const void *x, const void *y)
{
    *(double *)z = fmin(*(const double *)x, *(const double *)y);
}

static sl_status widest_path(sl_vector *pi, sl_matrix *A, bool promised)
{
    sl_binary_op max, min;
    sl_monoid monoid;
    sl_semiring semiring;
    OK(ctx, sl_binary_op_new(&max, ctx, "wider", SL_FP64, SL_FP64, SL_FP64, wider, NULL));
    OK(ctx, sl_binary_op_new(&min, ctx, "narrower", SL_FP64, SL_FP64, SL_FP64, narrower, NULL));
    OK(ctx, sl_monoid_new(&monoid, ctx, "widest", max, sl_scalar_fp64(-INFINITY), NULL));
    if (promised)
        OK(ctx, sl_monoid_promise_idempotent(monoid));
    OK(ctx, sl_semiring_new(&semiring, ctx, "widest way", monoid, min));
    /* The semiring keeps the operators alive. */
    sl_binary_op_free(max);
    sl_binary_op_free(min);
    sl_monoid_free(monoid);
    sl_status status = sl_closure(pi, pi, A, semiring, NULL);
    sl_semiring_free(semiring);
    return status;
}

static void test_closure_relaxes(void **state)
{
    sl_matrix *A = path(4); /* 1, 2, 3 */
    OK(ctx, sl_matrix_set(A, 0, 3, sl_scalar_fp64(2.5)));
    sl_vector *pi = new_vector(SL_FP64, 4);
    OK(ctx, sl_vector_set(pi, 0, sl_scalar_fp64(9)));
    assert_int_equal(widest_path(pi, A, false), SL_UNSUPPORTED);
    OK(ctx, widest_path(pi, A, true));
    const double widths[] = {9, 2, 2.5, 2.5};
    for (uint64_t i = 0; i < 4; i++)
        assert_true(vector_value_at(pi, i) == widths[i]);
    sl_matrix_free(A);
    sl_vector_free(pi);
}

/* ---- engines without support ----------------------------------------------------- */

static void test_declined(void **state)
{
    assert_int_equal(setenv("SEMLA_ENGINE", "openmp", 1), 0);
    sl_context *forced, *usual = ctx;
    assert_int_equal(sl_context_create(&forced, SL_ENGINE_AUTO), SL_OK);
    unsetenv("SEMLA_ENGINE");
    ctx = forced;
    sl_binary_op op;
    sl_monoid monoid;
    sl_semiring semiring;
    OK(ctx, sl_binary_op_new(&op, ctx, "even", SL_INT64, SL_INT64, SL_INT64, least_even, NULL));
    OK(ctx, sl_monoid_new(&monoid, ctx, "even", op, sl_scalar_int64(no_parent), NULL));
    OK(ctx, sl_monoid_promise_idempotent(monoid));
    OK(ctx, sl_semiring_new(&semiring, ctx, "even parents", monoid, SL_SECONDI_INT64));
    sl_matrix *A = path(3);
    sl_vector *pi = new_vector(SL_INT64, 3);
    OK(ctx, sl_vector_set(pi, 0, sl_scalar_int64(0)));
    assert_int_equal(sl_closure(pi, pi, A, semiring, NULL), SL_UNSUPPORTED);
    SAYS("openmp");
    assert_string_equal(openmp_declines(A, semiring), "user-defined operator");
    assert_string_equal(
        openmp_declines(A, SL_PLUS_TIMES_FP64),
        "only searches (secondi, or pair over bool), and shortest paths from a source");
    sl_matrix_free(A);
    sl_vector_free(pi);
    sl_semiring_free(semiring);
    sl_monoid_free(monoid);
    sl_binary_op_free(op);
    sl_context_free(forced);
    ctx = usual;
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_operator_and_identity),
        cmocka_unit_test(test_terminal),
        cmocka_unit_test(test_built_in_parts),
        cmocka_unit_test(test_recognised_as_built_in),
        cmocka_unit_test(test_positional),
        cmocka_unit_test(test_no_pull),
        cmocka_unit_test(test_closure_relaxes),
        cmocka_unit_test(test_declined),
        cmocka_unit_test(test_no_allocation_is_left),
    };
    return cmocka_run_group_tests(tests, make_context, NULL);
}
