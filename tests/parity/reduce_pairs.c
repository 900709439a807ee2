/*
 * Sums over terms of two vectors: sl_vector_reduce_pair on every engine, compared with an elementwise
 * product, an apply and a reduce on SuiteSparse. Vectors are full, sparse, of few entries and empty;
 * values are small integers, so that sums are exact in any order.
 */
#include "host_and_engine.h"

enum { FORMS = 4 };

/* Form 0: full; 1: two of three entries; 2: three entries; 3: none. */
static sl_vector *vector_of(sl_context *ctx, sl_type type, uint64_t n, int form, unsigned seed)
{
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, type, n));
    if (form == 0)
        OK(ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_int8(3), SL_ALL, 0, NULL));
    for (uint64_t k = 0; k < n && form < 3; k++)
        if (form == 0 || (form == 1 && (k + seed) % 3) || (form == 2 && k < 3))
            OK(ctx, sl_vector_set(v, k, sl_scalar_fp64((double)((k * 7 + seed) % 11))));
    return v;
}

typedef struct {
    sl_monoid monoid;
    sl_unary_op unary;
    sl_binary_op op;
    sl_type u, v;
} kind;

static sl_scalar expected(const kind *t, const sl_vector *u, const sl_vector *v, uint64_t n)
{
    sl_vector *terms, *changed;
    sl_scalar sum;
    OK(host, sl_vector_new(&terms, host, t->op->result, n));
    OK(host, sl_vector_new(&changed, host, t->unary ? t->unary->result : t->op->result, n));
    OK(host, sl_vector_ewise_mult(terms, NULL, NULL, t->op, u, v, NULL));
    if (t->unary)
        OK(host, sl_vector_apply(changed, NULL, NULL, t->unary, terms, NULL));
    OK(host, sl_vector_reduce(&sum, NULL, t->monoid, t->unary ? changed : terms));
    sl_vector_free(terms);
    sl_vector_free(changed);
    return sum;
}

static void check(const kind *t, uint64_t n, int u_form, int v_form)
{
    sl_vector *hu = vector_of(host, t->u, n, u_form, 1), *hv = vector_of(host, t->v, n, v_form, 5);
    sl_vector *u = vector_of(engine, t->u, n, u_form, 1),
              *v = vector_of(engine, t->v, n, v_form, 5);
    const sl_scalar right = expected(t, hu, hv, n);
    sl_scalar got, more = sl_scalar_fp64(2);
    OK(engine, sl_vector_reduce_pair(&got, NULL, t->monoid, t->unary, t->op, u, v));
    if (!sl_scalar_equal(got, right))
        fail_msg("%s of %s of %s differs for %d elements, forms %d and %d", t->monoid->name,
                 t->unary ? t->unary->name : "the terms", t->op->name, (int)n, u_form, v_form);
    OK(engine, sl_vector_reduce_pair(&more, SL_PLUS_FP64, t->monoid, t->unary, t->op, u, v));
    assert_true(sl_scalar_equal(more, sl_scalar_fp64(2 + sl_scalar_cast(right, SL_FP64).as.fp64_)));
    sl_vector_free(hu);
    sl_vector_free(hv);
    sl_vector_free(u);
    sl_vector_free(v);
}

static void all_kinds(void **state)
{
    const kind kinds[] = {
        {SL_PLUS_MONOID_FP64, NULL, SL_TIMES_FP64, SL_FP64, SL_FP64},
        {SL_PLUS_MONOID_FP64, SL_ABS_FP64, SL_MINUS_FP64, SL_FP64, SL_FP64},
        {SL_PLUS_MONOID_FP64, NULL, SL_FIRST_FP64, SL_FP64, SL_FP64},
        {SL_MAX_MONOID_FP32, SL_ABS_FP32, SL_MINUS_FP32, SL_FP32, SL_FP32},
        {SL_PLUS_MONOID_FP64, SL_ABS_FP64, SL_MINUS_FP64, SL_INT32, SL_FP32},
        {SL_PLUS_MONOID_INT64, NULL, SL_TIMES_INT64, SL_INT64, SL_INT64},
        {SL_MIN_MONOID_INT32, SL_AINV_INT32, SL_PLUS_INT32, SL_INT32, SL_INT8},
        {SL_LOR_MONOID_BOOL, NULL, SL_LT_FP64, SL_FP64, SL_FP64},
        {SL_PLUS_MONOID_INT64, SL_ONE_INT64, SL_EQ_FP64, SL_FP64, SL_FP64},
        {SL_PLUS_MONOID_INT64, NULL, SL_FIRSTI_INT64, SL_FP64, SL_INT8},
    };
    const uint64_t sizes[] = {1, 31, 32, 1000, 3000};
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int forms = 0; forms < FORMS * FORMS; forms++)
                check(&kinds[k], sizes[s], forms % FORMS, forms / FORMS);
}

static void same_vector_and_large(void **state)
{
    const uint64_t n = 300000;
    sl_vector *u;
    sl_scalar got;
    (void)state;
    OK(engine, sl_vector_new(&u, engine, SL_FP64, n));
    OK(engine, sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_fp64(3), SL_ALL, 0, NULL));
    OK(engine, sl_vector_reduce_pair(&got, NULL, SL_PLUS_MONOID_FP64, NULL, SL_TIMES_FP64, u, u));
    assert_true(sl_scalar_equal(got, sl_scalar_fp64(9.0 * (double)n)));
    sl_vector_free(u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_kinds),
                                       cmocka_unit_test(same_vector_and_large)};
    return compare_engines(tests, sizeof tests / sizeof *tests, false);
}
