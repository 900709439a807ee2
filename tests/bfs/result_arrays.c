/* sl_search_array: vectors of searches as arrays. */
#include <string.h>

#include <semla/bfs.h>

#include "library_context.h"

/* A vector of `size` elements with the given entries. */
static sl_vector *vector_of(uint64_t size, uint64_t count, const uint64_t *at,
                            const int64_t *values)
{
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, SL_INT64, size));
    for (uint64_t k = 0; k < count; k++)
        OK(ctx, sl_vector_set(v, at[k], sl_scalar_int64(values[k])));
    return v;
}

static void entries_and_gaps(void **state)
{
    (void)state;
    sl_vector *v = vector_of(5, 3, (uint64_t[]){4, 0, 2}, (int64_t[]){7, 0, -3});
    int64_t *array = NULL;
    OK(ctx, sl_search_array(&array, v));
    assert_memory_equal(array, ((int64_t[]){0, SL_UNREACHED, -3, SL_UNREACHED, 7}),
                        5 * sizeof *array);
    sl_free(array);
    uint64_t count;
    OK(ctx, sl_vector_nvals(&count, v)); /* the vector is unchanged */
    assert_int_equal(count, 3);
    sl_vector_free(v);
}

static void of_int32(void **state)
{
    (void)state;
    sl_vector *v;
    int64_t *array = NULL;
    OK(ctx, sl_vector_new(&v, ctx, SL_INT32, 4));
    OK(ctx, sl_vector_set(v, 1, sl_scalar_int32(INT32_MAX)));
    OK(ctx, sl_vector_set(v, 3, sl_scalar_int32(-2)));
    OK(ctx, sl_search_array(&array, v));
    assert_memory_equal(array, ((int64_t[]){SL_UNREACHED, INT32_MAX, SL_UNREACHED, -2}),
                        4 * sizeof *array);
    sl_free(array);
    sl_vector_free(v);
}

static void no_entries(void **state)
{
    (void)state;
    sl_vector *v = vector_of(2, 0, NULL, NULL);
    int64_t *array = NULL;
    OK(ctx, sl_search_array(&array, v));
    assert_true(array[0] == SL_UNREACHED && array[1] == SL_UNREACHED);
    sl_free(array);
    sl_vector_free(v);
}

static void all_entries(void **state)
{
    (void)state;
    sl_vector *v = vector_of(3, 3, (uint64_t[]){0, 1, 2}, (int64_t[]){5, 6, INT64_MAX});
    int64_t *array = NULL;
    OK(ctx, sl_search_array(&array, v));
    assert_memory_equal(array, ((int64_t[]){5, 6, INT64_MAX}), 3 * sizeof *array);
    sl_free(array);
    sl_vector_free(v);
}

static void wrong_arguments(void **state)
{
    (void)state;
    static int64_t some;
    int64_t *array = &some;
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, SL_FP64, 3));
    assert_int_equal(sl_search_array(&array, v), SL_MISMATCH);
    assert_null(array);
    assert_string_equal(sl_context_message(ctx),
                        "search_array: the vector has the type fp64; it must be int64 or int32");
    assert_int_equal(sl_search_array(NULL, v), SL_INVALID);
    assert_string_equal(sl_context_message(ctx), "search_array: array is NULL");
    array = &some;
    assert_int_equal(sl_search_array(&array, NULL), SL_INVALID);
    assert_null(array);
    sl_vector_free(v);
}

static sl_status array_and_free(void *v)
{
    static int64_t some;
    int64_t *array = &some;
    sl_status status = sl_search_array(&array, v);
    assert_int_equal(array == NULL, status != SL_OK);
    sl_free(array);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    sl_vector *v = vector_of(5, 2, (uint64_t[]){4, 0}, (int64_t[]){7, 0});
    assert_int_equal(array_and_free(v), SL_OK); /* finishes the vector's insertions */
    assert_true(allocator_fail_each(array_and_free, v) >= 3);
    sl_vector_free(v);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_and_gaps), cmocka_unit_test(of_int32),
        cmocka_unit_test(no_entries),       cmocka_unit_test(all_entries),
        cmocka_unit_test(wrong_arguments),  cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
