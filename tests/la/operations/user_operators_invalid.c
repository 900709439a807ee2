/* Invalid definitions of user-defined operators, monoids and semirings: the status is SL_INVALID,
 * the output is set to NULL, and the message names the error. */
#include "objects.h"

#include <semla/engine.h>

static void negative(void *z, const void *x)
{
    *(int32_t *)z = -*(const int32_t *)x;
}

static void sum(void *z, const void *x, const void *y)
{
    *(int32_t *)z = *(const int32_t *)x + *(const int32_t *)y;
}

static void row(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(int32_t *)z = (int32_t)(i + *(const int32_t *)thunk);
}

/* Its three types are different. */
static void above(void *z, const void *x, const void *y)
{
    *(double *)z = *(const int8_t *)x > *(const uint16_t *)y;
}

#define REFUSED(pointer, call, words)                                                              \
    do {                                                                                           \
        pointer = (void *)1;                                                                       \
        assert_int_equal(call, SL_INVALID);                                                        \
        assert_null(pointer);                                                                      \
        SAYS(words);                                                                               \
    } while (0)

static void test_invalid_operators(void **state)
{
    sl_unary_op u;
    sl_binary_op b;
    sl_index_op x;
    const sl_type none = SL_TYPE_COUNT, t = SL_INT32;
    REFUSED(u, sl_unary_op_new(&u, ctx, NULL, t, t, negative, NULL), "unary_op_new: argument");
    REFUSED(u, sl_unary_op_new(&u, ctx, "", t, t, negative, NULL), "the name is empty");
    REFUSED(u, sl_unary_op_new(&u, ctx, "f", t, t, NULL, NULL), "argument is NULL");
    REFUSED(u, sl_unary_op_new(&u, ctx, "f", t, t, negative, ""), "f: the source is empty");
    static const char *const without_result[] = {
        "return x", "return -*x;", "*x", "zz = *x; zeta(_z, z1);", "/* *z = */ *x; // *z = *x",
        "/* z",
    };
    for (size_t k = 0; k < sizeof without_result / sizeof *without_result; k++)
        REFUSED(u, sl_unary_op_new(&u, ctx, "f", t, t, negative, without_result[k]),
                "f: the source does not write *z");
    REFUSED(u, sl_unary_op_new(&u, ctx, "f", none, t, negative, NULL), "f: unknown type");
    REFUSED(u, sl_unary_op_new(&u, ctx, "f", t, none, negative, NULL), "unknown type 11");
    REFUSED(b, sl_binary_op_new(&b, ctx, "f", t, t, t, NULL, NULL), "binary_op_new: argument");
    REFUSED(b, sl_binary_op_new(&b, ctx, "f", t, none, t, sum, NULL), "unknown type");
    REFUSED(b, sl_binary_op_new(&b, ctx, "f", t, t, none, sum, NULL), "unknown type");
    REFUSED(b, sl_binary_op_new(&b, ctx, "f", none, t, t, sum, NULL), "unknown type");
    REFUSED(x, sl_index_op_new(&x, ctx, "f", t, t, t, NULL, NULL), "index_op_new: argument");
    REFUSED(x, sl_index_op_new(&x, ctx, "f", t, t, none, row, NULL), "unknown type");
    assert_int_equal(sl_unary_op_new(NULL, ctx, "f", t, t, negative, NULL), SL_INVALID);
    assert_int_equal(sl_binary_op_new(NULL, ctx, "f", t, t, t, sum, NULL), SL_INVALID);
    assert_int_equal(sl_index_op_new(NULL, ctx, "f", t, t, t, row, NULL), SL_INVALID);
    assert_int_equal(sl_unary_op_new(&u, NULL, "f", t, t, negative, NULL), SL_INVALID);
    assert_null(u);
}

/* Engines find the source text in the operator. */
static void test_source(void **state)
{
    char name[] = "negative", text[] = "*z = -*x;";
    sl_unary_op with, without;
    OK(ctx, sl_unary_op_new(&with, ctx, name, SL_INT32, SL_INT32, negative, text));
    OK(ctx, sl_unary_op_new(&without, ctx, name, SL_INT32, SL_INT32, negative, NULL));
    name[0] = text[0] = '?'; /* the name and the source were copied */
    assert_string_equal(with->name, "negative");
    assert_string_equal(with->user->source, "*z = -*x;");
    assert_null(without->user->source);
    sl_unary_op_free(with);
    sl_unary_op_free(without);
    static const char *const sources[] = {"*z=-*x;", "z[0] = -x[0];", "/* z */ // *z\n*z = -*x;",
                                          "/* a *//* b */*z = *x;"};
    for (size_t k = 0; k < sizeof sources / sizeof *sources; k++) {
        OK(ctx, sl_unary_op_new(&with, ctx, name, SL_INT32, SL_INT32, negative, sources[k]));
        sl_unary_op_free(with);
    }
}

static void test_invalid_monoids(void **state)
{
    sl_monoid m;
    sl_scalar zero = sl_scalar_int32(0), one = sl_scalar_int32(1), wide = sl_scalar_int64(0);
    sl_binary_op own, mixed;
    OK(ctx, sl_binary_op_new(&own, ctx, "sum", SL_INT32, SL_INT32, SL_INT32, sum, NULL));
    OK(ctx, sl_binary_op_new(&mixed, ctx, "above", SL_FP64, SL_INT8, SL_UINT16, above, NULL));
    REFUSED(m, sl_monoid_new(&m, ctx, "m", NULL, zero, NULL), "monoid_new: argument is NULL");
    REFUSED(m, sl_monoid_new(&m, ctx, "", own, zero, NULL), "name is empty");
    REFUSED(m, sl_monoid_new(&m, ctx, "m", own, wide, NULL), "the identity is int64, not int32");
    REFUSED(m, sl_monoid_new(&m, ctx, "m", own, zero, &wide), "terminal value is int64, not int32");
    REFUSED(m, sl_monoid_new(&m, ctx, "m", own, zero, &one), "not a terminal value of sum");
    REFUSED(m, sl_monoid_new(&m, ctx, "m", mixed, zero, NULL), "above does not stay within");
    REFUSED(m, sl_monoid_new(&m, ctx, "m", SL_LT_INT32, zero, NULL), "lt_int32 does not stay");
    REFUSED(m, sl_monoid_new(&m, ctx, "m", SL_SECONDI_INT64, wide, NULL), "does not stay within");
    assert_int_equal(sl_monoid_new(NULL, ctx, "m", own, zero, NULL), SL_INVALID);

    sl_semiring s;
    sl_monoid sums;
    OK(ctx, sl_monoid_new(&sums, ctx, "sums", own, zero, NULL));
    REFUSED(s, sl_semiring_new(&s, ctx, "s", NULL, own), "semiring_new: argument is NULL");
    REFUSED(s, sl_semiring_new(&s, ctx, "s", sums, NULL), "argument is NULL");
    REFUSED(s, sl_semiring_new(&s, ctx, "", sums, own), "name is empty");
    REFUSED(s, sl_semiring_new(&s, ctx, "s", sums, mixed), "above makes fp64, and sums adds int32");
    assert_int_equal(sl_semiring_new(NULL, ctx, "s", sums, own), SL_INVALID);

    assert_int_equal(sl_monoid_promise_idempotent(NULL), SL_INVALID);
    assert_int_equal(sl_monoid_promise_idempotent(SL_PLUS_MONOID_FP64), SL_INVALID);
    OK(ctx, sl_monoid_promise_idempotent(SL_MIN_MONOID_FP64));
    sl_monoid plus;
    OK(ctx, sl_monoid_new(&plus, ctx, "plus", SL_PLUS_INT32, zero, NULL));
    assert_int_equal(sl_monoid_promise_idempotent(plus), SL_INVALID);
    SAYS("plus_int32 is not idempotent");
    sl_monoid_free(plus);
    sl_monoid_free(sums);
    sl_binary_op_free(own);
    sl_binary_op_free(mixed);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_invalid_operators),
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_invalid_monoids),
        cmocka_unit_test(test_no_allocation_is_left),
    };
    return cmocka_run_group_tests(tests, make_context, NULL);
}
