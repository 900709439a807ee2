/*
 * Invalid arguments of the functions of contexts, descriptors, matrices and vectors: each call must
 * return the expected status and a message that names the argument, and must leave every object
 * unchanged.
 */
#include "arguments.h"

#include <stdlib.h>

/* ---- contexts, descriptors, memory ------------------------------------------ */

static void test_context(void **state)
{
    sl_context *made = (sl_context *)1;
    NULL_REFUSED(sl_context_create(NULL, SL_ENGINE_AUTO));
    assert_int_equal(sl_context_create(&made, SL_ENGINE_COUNT), SL_INVALID);
    assert_null(made);
    made = (sl_context *)1;
    assert_int_equal(sl_context_create(&made, (sl_engine_choice)-1), SL_INVALID);
    assert_null(made);
    sl_context_free(NULL);
    assert_string_equal(sl_context_message(NULL), "");
    assert_null(sl_context_engine(NULL, 0));
    assert_null(sl_context_engine(ctx, 100));
    assert_non_null(sl_context_engine(ctx, 0));
    sl_context_get_counts(ctx, NULL);
    sl_context_counts counts = {1, 1, 1, 1}, none = {0};
    sl_context_get_counts(NULL, &counts);
    assert_memory_equal(&counts, &none, sizeof counts);
}

static void test_engine_describe(void **state)
{
    NULL_REFUSED(sl_engine_describe(0, NULL));
    sl_engine_info info = {.name = "kept"};
    assert_int_equal(sl_engine_describe(1000, &info), SL_NO_VALUE);
    assert_string_equal(info.name, "kept");
    bool complete = false;
    for (size_t k = 0; sl_engine_describe(k, &info) == SL_OK; k++) {
        assert_true(info.name[0] && info.description[0]);
        assert_non_null(info.version);
        assert_true(info.present == (info.unavailable_reason[0] == '\0'));
        complete = strcmp(info.name, "suitesparse") == 0; /* the last engine of a chain */
    }
    assert_true(complete);
}

static void test_fail(void **state)
{
    char long_text[2000];
    memset(long_text, 'x', sizeof long_text);
    long_text[sizeof long_text - 1] = '\0';
    assert_int_equal(sl_fail(NULL, SL_IO, "%d", 1), SL_IO);
    assert_int_equal(sl_fail(ctx, SL_SYNTAX, "line %d", 7), SL_SYNTAX);
    assert_string_equal(sl_context_message(ctx), "line 7");
    sl_fail(ctx, SL_IO, "%s", long_text);
    assert_true(strlen(sl_context_message(ctx)) >= 100);
    assert_true(strlen(sl_context_message(ctx)) < sizeof long_text - 1);
    for (int status = SL_CANCELLED; status <= SL_NO_VALUE; status++) {
        assert_true(strlen(sl_status_string((sl_status)status)) > 0);
        assert_string_not_equal(sl_status_string((sl_status)status), "unknown status");
    }
    assert_string_equal(sl_status_string((sl_status)99), "unknown status");
    assert_true(strlen(sl_version()) >= 5);
}

static void test_descriptors(void **state)
{
    for (unsigned flags = 0; flags < 32; flags++) {
        assert_non_null(sl_descriptor_get(flags));
        assert_int_equal(sl_descriptor_flags(sl_descriptor_get(flags)), flags);
    }
    assert_ptr_equal(sl_descriptor_get(5), sl_descriptor_get(5));
    assert_null(sl_descriptor_get(32));
    assert_null(sl_descriptor_get(0x80000001u));
    assert_int_equal(sl_descriptor_flags(NULL), 0);
}

static void test_allocator(void **state)
{
    sl_allocator allocator = {malloc, calloc, realloc, free};
    NULL_REFUSED(sl_set_allocator(NULL));
    NULL_REFUSED(sl_set_allocator(&allocator)); /* a context exists already */
    sl_free(NULL);
    void *memory = sl_malloc(0);
    assert_non_null(memory);
    sl_free(memory);
    memory = sl_calloc(0, 8);
    assert_non_null(memory);
    memory = sl_realloc(memory, 0);
    assert_non_null(memory);
    sl_free(memory);
}

/* ---- objects ---------------------------------------------------------------- */

static void test_objects(void **state)
{
    sl_matrix *X = (sl_matrix *)1;
    sl_vector *x = (sl_vector *)1;
    REFUSED(SL_INVALID, "matrix_new", sl_matrix_new(NULL, ctx, SL_BOOL, 1, 1));
    NULL_REFUSED(sl_matrix_new(&X, NULL, SL_BOOL, 1, 1));
    assert_null(X);
    REFUSED(SL_INVALID, "unknown type 11", sl_matrix_new(&X, ctx, SL_TYPE_COUNT, 1, 1));
    REFUSED(SL_INVALID, "unknown type -1", sl_matrix_new(&X, ctx, (sl_type)-1, 1, 1));
    REFUSED(SL_INVALID, "vector_new", sl_vector_new(NULL, ctx, SL_BOOL, 1));
    NULL_REFUSED(sl_vector_new(&x, NULL, SL_BOOL, 1));
    assert_null(x);
    REFUSED(SL_INVALID, "unknown type 11", sl_vector_new(&x, ctx, SL_TYPE_COUNT, 1));
    X = (sl_matrix *)1;
    x = (sl_vector *)1;
    REFUSED(SL_INVALID, "matrix_dup", sl_matrix_dup(NULL, A));
    NULL_REFUSED(sl_matrix_dup(&X, NULL));
    assert_null(X);
    REFUSED(SL_INVALID, "vector_dup", sl_vector_dup(NULL, u));
    NULL_REFUSED(sl_vector_dup(&x, NULL));
    assert_null(x);
    NULL_REFUSED(sl_matrix_clear(NULL));
    NULL_REFUSED(sl_vector_clear(NULL));
    assert_null(sl_matrix_context(NULL));
    assert_null(sl_vector_context(NULL));
    assert_int_equal(sl_matrix_type(NULL), SL_TYPE_COUNT);
    assert_int_equal(sl_vector_type(NULL), SL_TYPE_COUNT);
    assert_int_equal(sl_matrix_nrows(NULL), 0);
    assert_int_equal(sl_matrix_ncols(NULL), 0);
    assert_int_equal(sl_vector_size(NULL), 0);
}

static void test_shapes(void **state)
{
    sl_matrix *X = (sl_matrix *)1;
    sl_vector *x = (sl_vector *)1;
    const uint64_t largest = (uint64_t)1 << 60;
    NULL_REFUSED(sl_matrix_diag(NULL, NULL, 0));
    REFUSED(SL_INVALID, "diag: C is NULL", sl_matrix_diag(NULL, u, 0));
    NULL_REFUSED(sl_matrix_diag(&X, NULL, 0));
    assert_null(X);
    X = (sl_matrix *)1;
    REFUSED(SL_OUT_OF_RANGE, "a size of 9223372036854775811 is above 2^60",
            sl_matrix_diag(&X, u, INT64_MIN));
    assert_null(X);
    REFUSED(SL_OUT_OF_RANGE, "above 2^60", sl_matrix_diag(&X, u, (int64_t)largest));
    REFUSED(SL_INVALID, "diag: v is NULL", sl_vector_diag(NULL, A, 0));
    NULL_REFUSED(sl_vector_diag(&x, NULL, 0));
    assert_null(x);
    NULL_REFUSED(sl_matrix_resize(NULL, 1, 1));
    NULL_REFUSED(sl_vector_resize(NULL, 1));
    REFUSED(SL_OUT_OF_RANGE, "above 2^60", sl_matrix_resize(C, largest + 1, 1));
    REFUSED(SL_OUT_OF_RANGE, "above 2^60", sl_matrix_resize(C, 1, UINT64_MAX));
    REFUSED(SL_OUT_OF_RANGE, "above 2^60", sl_vector_resize(w, largest + 1));
}

static void test_comparing(void **state)
{
    bool equal = true;
    REFUSED(SL_INVALID, "equal: argument is NULL", sl_matrix_equal(NULL, A, B));
    REFUSED(SL_INVALID, "equal: argument is NULL", sl_matrix_equal(&equal, A, NULL));
    assert_false(equal);
    NULL_REFUSED(sl_matrix_equal(&equal, NULL, NULL));
    REFUSED(SL_MISMATCH, "equal: the objects belong to different contexts",
            sl_matrix_equal(&equal, A, foreign));
    REFUSED(SL_INVALID, "equal: argument is NULL", sl_vector_equal(&equal, NULL, u));
    REFUSED(SL_MISMATCH, "contexts", sl_vector_equal(&equal, v, foreign_vector));
    REFUSED(SL_INVALID, "same_pattern: argument is NULL", sl_matrix_same_pattern(NULL, A, B));
    REFUSED(SL_INVALID, "same_pattern: argument is NULL", sl_vector_same_pattern(&equal, u, NULL));
    REFUSED(SL_MISMATCH, "same_pattern: the objects belong to different contexts",
            sl_vector_same_pattern(&equal, v, foreign_vector));
}

static void test_reading(void **state)
{
    uint64_t count = 16;
    bool flag_ = true;
    REFUSED(SL_INVALID, "count is NULL", sl_matrix_nvals(NULL, A));
    NULL_REFUSED(sl_matrix_nvals(&count, NULL));
    REFUSED(SL_INVALID, "count is NULL", sl_vector_nvals(NULL, u));
    NULL_REFUSED(sl_vector_nvals(&count, NULL));
    REFUSED(SL_INVALID, "pattern is NULL", sl_matrix_is_pattern(NULL, A));
    NULL_REFUSED(sl_matrix_is_pattern(&flag_, NULL));
    REFUSED(SL_INVALID, "count is NULL", sl_matrix_extract_tuples(NULL, NULL, NULL, NULL, A));
    NULL_REFUSED(sl_matrix_extract_tuples(NULL, NULL, NULL, &count, NULL));
    REFUSED(SL_INVALID, "count is NULL", sl_vector_extract_tuples(NULL, NULL, NULL, u));
    NULL_REFUSED(sl_vector_extract_tuples(NULL, NULL, &count, NULL));
    REFUSED(SL_INVALID, "is_symmetric", sl_matrix_is_symmetric(NULL, A));
    NULL_REFUSED(sl_matrix_is_symmetric(&flag_, NULL));
    sl_value_range range;
    REFUSED(SL_INVALID, "value_range", sl_matrix_value_range(NULL, A));
    NULL_REFUSED(sl_matrix_value_range(&range, NULL));
    NULL_REFUSED(sl_matrix_promise_symmetric(NULL));
    REFUSED(SL_MISMATCH, "not square", sl_matrix_promise_symmetric(A));
    NULL_REFUSED(sl_matrix_optimize(NULL, SL_FOR_TRAVERSAL));
    REFUSED(SL_INVALID, "unknown flags 0x0", sl_matrix_optimize(A, 0));
}

static void test_entries(void **state)
{
    const uint64_t index[] = {0};
    const double value[] = {1};
    sl_scalar x = sl_scalar_fp64(1), typeless = {.type = SL_TYPE_COUNT};
    NULL_REFUSED(sl_matrix_build(NULL, index, index, value, 1, NULL));
    REFUSED(SL_INVALID, "rows is NULL", sl_matrix_build(C, NULL, index, value, 1, NULL));
    REFUSED(SL_INVALID, "cols is NULL", sl_matrix_build(C, index, NULL, value, 1, NULL));
    NULL_REFUSED(sl_vector_build(NULL, index, value, 1, NULL));
    REFUSED(SL_INVALID, "indices is NULL", sl_vector_build(w, NULL, value, 1, NULL));

    NULL_REFUSED(sl_matrix_set(NULL, 0, 0, x));
    REFUSED(SL_OUT_OF_RANGE, "row 3", sl_matrix_set(C, M, 0, x));
    REFUSED(SL_OUT_OF_RANGE, "column 4", sl_matrix_set(C, 0, N, x));
    REFUSED(SL_OUT_OF_RANGE, "there are 3", sl_matrix_set(C, UINT64_MAX, 0, x));
    REFUSED(SL_INVALID, "no type", sl_matrix_set(C, 0, 0, typeless));
    NULL_REFUSED(sl_vector_set(NULL, 0, x));
    REFUSED(SL_OUT_OF_RANGE, "index 4", sl_vector_set(w, N, x));
    REFUSED(SL_INVALID, "no type", sl_vector_set(w, 0, typeless));

    NULL_REFUSED(sl_matrix_get(&x, NULL, 0, 0));
    REFUSED(SL_INVALID, "value is NULL", sl_matrix_get(NULL, A, 0, 0));
    REFUSED(SL_OUT_OF_RANGE, "row 3", sl_matrix_get(&x, A, M, 0));
    REFUSED(SL_OUT_OF_RANGE, "column 4", sl_matrix_get(&x, A, 0, N));
    NULL_REFUSED(sl_vector_get(&x, NULL, 0));
    REFUSED(SL_INVALID, "value is NULL", sl_vector_get(NULL, u, 0));
    REFUSED(SL_OUT_OF_RANGE, "index 3", sl_vector_get(&x, u, M));
    assert_true(sl_scalar_equal(x, sl_scalar_fp64(1)));

    NULL_REFUSED(sl_matrix_remove(NULL, 0, 0));
    REFUSED(SL_OUT_OF_RANGE, "row 3", sl_matrix_remove(C, M, 0));
    REFUSED(SL_OUT_OF_RANGE, "column 4", sl_matrix_remove(C, 0, N));
    NULL_REFUSED(sl_vector_remove(NULL, 0));
    REFUSED(SL_OUT_OF_RANGE, "index 4", sl_vector_remove(w, N));
}

static void test_rows(void **state)
{
    uint64_t start[] = {0, 0}, index[] = {0};
    sl_csr csr = {.nrows = 1, .ncols = 1, .type = SL_BOOL, .start = start, .index = index};
    sl_matrix *X = (sl_matrix *)1;
    REFUSED(SL_INVALID, "take_csr", sl_matrix_take_csr(NULL, ctx, &csr));
    NULL_REFUSED(sl_matrix_take_csr(&X, NULL, &csr));
    assert_null(X);
    REFUSED(SL_INVALID, "take_csr", sl_matrix_take_csr(&X, ctx, NULL));
    csr.start = NULL;
    REFUSED(SL_INVALID, "take_csr", sl_matrix_take_csr(&X, ctx, &csr));
    csr.start = start;
    csr.index = NULL;
    REFUSED(SL_INVALID, "take_csr", sl_matrix_take_csr(&X, ctx, &csr));
    REFUSED(SL_INVALID, "csr is NULL", sl_matrix_copy_csr(NULL, A));
    NULL_REFUSED(sl_matrix_copy_csr(&csr, NULL));
    assert_null(csr.start);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_context),   cmocka_unit_test(test_engine_describe),
        cmocka_unit_test(test_fail),      cmocka_unit_test(test_descriptors),
        cmocka_unit_test(test_allocator), cmocka_unit_test(test_objects),
        cmocka_unit_test(test_shapes),    cmocka_unit_test(test_comparing),
        cmocka_unit_test(test_reading),   cmocka_unit_test(test_entries),
        cmocka_unit_test(test_rows),
    };
    return cmocka_run_group_tests(tests, make_all, free_all);
}
