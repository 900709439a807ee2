/*
 * What is known of a vector after operations that keep its entries: the number of a bitmap's entries, so that nothing
 * counts them again, and values that are the indices plus a number, which are written once they are read. A mask whose
 * pattern alone counts is no such reader.
 */
#include "cuda/data/device_vector.h"
#include "support.h"

enum { N = 1000, ENTRIES = N / 2 };

static sl_context *ctx;
static sl_vector *full, *w;

static uint64_t known(const sl_vector *v)
{
    return cuda_vector_of(sl_object_of_vector(v))->nvals;
}

/* A bitmap of the even indices that has been counted. */
static sl_vector *counted_bitmap(void)
{
    sl_vector *v, *even;
    uint64_t count;
    OK(ctx, sl_vector_new(&v, ctx, SL_INT64, N));
    OK(ctx, sl_vector_new(&even, ctx, SL_INT64, N));
    for (uint64_t k = 0; k < N; k += 2)
        OK(ctx, sl_vector_set(even, k, sl_scalar_int64((int64_t)k)));
    OK(ctx, sl_vector_assign(v, even, NULL, full, SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE)));
    OK(ctx, sl_vector_nvals(&count, v));
    assert_int_equal(count, ENTRIES);
    assert_non_null(cuda_vector_of(sl_object_of_vector(v))->bits);
    sl_vector_free(even);
    return v;
}

static void apply(sl_vector *to, sl_vector *v)
{
    OK(ctx, sl_vector_apply(to, NULL, NULL, sl_unary_op_get(SL_UNARY_AINV, SL_INT64), v, NULL));
}
static void apply_index(sl_vector *to, sl_vector *v)
{
    OK(ctx, sl_vector_apply_index(to, NULL, NULL, sl_index_op_get(SL_INDEX_ROWINDEX, SL_INT64), v,
                                  sl_scalar_int64(3), NULL));
}
static void apply_scalar(sl_vector *to, sl_vector *v)
{
    OK(ctx, sl_vector_apply_second(to, NULL, NULL, sl_binary_op_get(SL_BINARY_MINUS, SL_INT64), v,
                                   sl_scalar_int64(3), NULL));
}
static void multiply_by_full(sl_vector *to, sl_vector *v)
{
    OK(ctx, sl_vector_ewise_mult(to, NULL, NULL, sl_binary_op_get(SL_BINARY_TIMES, SL_INT64), v,
                                 full, NULL));
}
static void multiply_full(sl_vector *to, sl_vector *v)
{
    OK(ctx, sl_vector_ewise_mult(to, NULL, NULL, sl_binary_op_get(SL_BINARY_TIMES, SL_INT64), full,
                                 v, NULL));
}

static void test_counts(void **unused)
{
    static void (*const keep[])(sl_vector *, sl_vector *) = {apply, apply_index, apply_scalar,
                                                             multiply_by_full, multiply_full};
    (void)unused;
    if (!ctx)
        skip();
    OK(ctx, sl_vector_new(&full, ctx, SL_INT64, N));
    OK(ctx, sl_vector_assign_scalar(full, NULL, NULL, sl_scalar_int64(5), SL_ALL, 0, NULL));
    OK(ctx, sl_vector_new(&w, ctx, SL_INT64, N));
    for (size_t k = 0; k < sizeof keep / sizeof *keep; k++) {
        sl_vector *v = counted_bitmap();
        keep[k](w, v);
        assert_int_equal(known(w), ENTRIES);
        keep[k](v, v); /* in place */
        assert_int_equal(known(v), ENTRIES);
        sl_vector_free(v);
    }
    sl_vector_free(w);
    sl_vector_free(full);
}

static void check_numbers(sl_type type, int64_t thunk)
{
    sl_vector *v = counted_bitmap(), *u;
    uint64_t index[N], count = N;
    int64_t value[N];
    OK(ctx, sl_vector_new(&u, ctx, type, N));
    OK(ctx, sl_vector_assign(u, NULL, NULL, v, SL_ALL, 0, NULL));
    OK(ctx, sl_vector_apply_index(u, NULL, NULL, sl_index_op_get(SL_INDEX_ROWINDEX, type), u,
                                  sl_scalar_int64(thunk), NULL));
    assert_true(cuda_vector_of(sl_object_of_vector(u))->numbered);
    OK(ctx, sl_vector_assign(v, NULL, NULL, u, SL_ALL, 0, NULL)); /* to int64 */
    OK(ctx, sl_vector_extract_tuples(index, value, &count, v));
    assert_int_equal(count, ENTRIES);
    for (uint64_t k = 0; k < count; k++) {
        assert_int_equal(index[k], 2 * k);
        assert_int_equal(value[k], (int64_t)(2 * k) + thunk);
    }
    sl_vector_free(u);
    sl_vector_free(v);
}

static void test_numbers(void **unused)
{
    (void)unused;
    if (!ctx)
        skip();
    OK(ctx, sl_vector_new(&full, ctx, SL_INT64, N));
    OK(ctx, sl_vector_assign_scalar(full, NULL, NULL, sl_scalar_int64(5), SL_ALL, 0, NULL));
    check_numbers(SL_INT64, 0);
    check_numbers(SL_INT64, -7);
    check_numbers(SL_INT64, (int64_t)1 << 40);
    check_numbers(SL_INT32, 0);
    check_numbers(SL_INT32, INT32_MAX - (N - 1));
    sl_vector_free(full);
}

static void test_mask(void **unused)
{
    const sl_unary_op minus = sl_unary_op_get(SL_UNARY_AINV, SL_INT64);
    sl_vector *v, *mask;
    (void)unused;
    if (!ctx)
        skip();
    OK(ctx, sl_vector_new(&full, ctx, SL_INT64, N));
    OK(ctx, sl_vector_assign_scalar(full, NULL, NULL, sl_scalar_int64(5), SL_ALL, 0, NULL));
    OK(ctx, sl_vector_new(&w, ctx, SL_INT64, N));
    v = counted_bitmap();
    mask = counted_bitmap();
    apply_index(mask, mask);
    OK(ctx, sl_vector_apply(w, mask, NULL, minus, v, sl_descriptor_get(SL_STRUCTURE)));
    assert_true(cuda_vector_of(sl_object_of_vector(mask))->numbered);
    OK(ctx, sl_vector_apply(w, mask, NULL, minus, v, NULL)); /* reads its values */
    assert_false(cuda_vector_of(sl_object_of_vector(mask))->numbered);
    sl_vector_free(mask);
    sl_vector_free(v);
    sl_vector_free(w);
    sl_vector_free(full);
}

int main(void)
{
    if (sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK) {
        print_message("engine cuda skipped\n");
        ctx = NULL;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts),
                                       cmocka_unit_test(test_numbers), cmocka_unit_test(test_mask)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(ctx);
    return failed;
}
