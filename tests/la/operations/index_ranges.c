/* Ranges (SL_RANGE) as index lists: their meaning, and objects too large to list their indices. */
#include "objects.h"

#define RANGE(begin, end, step)                                                                    \
    (const uint64_t[]){(uint64_t)(begin), (uint64_t)(end), (uint64_t)(step)}, SL_RANGE

/* u = 0, 10, 20, ... */
static sl_vector *tens(uint64_t size)
{
    sl_vector *u = new_vector(SL_INT32, size);
    for (uint64_t i = 0; i < size; i++)
        OK(ctx, sl_vector_set(u, i, sl_scalar_int64(10 * (int64_t)i)));
    return u;
}

static int64_t at(const sl_vector *v, uint64_t i)
{
    sl_scalar value;
    OK(ctx, sl_vector_get(&value, v, i));
    return sl_scalar_cast(value, SL_INT64).as.int64_;
}

static void test_extract(void **state)
{
    static const struct {
        int64_t begin, end, step;
        uint64_t count;
        int64_t values[6];
    } cases[] = {
        {0, 6, 1, 6, {0, 10, 20, 30, 40, 50}},
        {1, 5, 2, 2, {10, 30}},
        {1, 6, 2, 3, {10, 30, 50}},
        {5, -1, -1, 6, {50, 40, 30, 20, 10, 0}},
        {4, 0, -3, 2, {40, 10}},
        {4, 1, -3, 1, {40}},
        {5, -1, INT64_MIN, 1, {50}},
        {2, INT64_MAX, INT64_MAX, 1, {20}},
        {3, 3, 1, 0, {0}},
        {3, 3, -1, 0, {0}},
        {4, 2, 1, 0, {0}},
        {2, 4, -1, 0, {0}},
        {INT64_MAX, INT64_MIN, 5, 0, {0}},
        {-7, INT64_MAX, -9, 0, {0}},
    };
    sl_vector *u = tens(6);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sl_vector *w = new_vector(SL_INT64, cases[k].count);
        OK(ctx, sl_vector_extract(w, NULL, NULL, u,
                                  RANGE(cases[k].begin, cases[k].end, cases[k].step), NULL));
        assert_int_equal(vector_entries(w), cases[k].count);
        for (uint64_t i = 0; i < cases[k].count; i++)
            assert_int_equal(at(w, i), cases[k].values[i]);
        sl_vector_free(w);
    }
    sl_vector_free(u);
}

/* The even columns of the odd rows, in descending order. */
static void test_submatrix(void **state)
{
    sl_matrix *A = new_matrix(SL_INT32, 4, 5), *C = new_matrix(SL_INT32, 2, 3);
    for (uint64_t i = 0; i < 4; i++)
        for (uint64_t j = 0; j < 5; j++)
            OK(ctx, sl_matrix_set(A, i, j, sl_scalar_int64((int64_t)(10 * i + j))));
    OK(ctx, sl_matrix_extract(C, NULL, NULL, A, RANGE(1, 4, 2), RANGE(4, -1, -2), NULL));
    for (uint64_t i = 0; i < 2; i++)
        for (uint64_t j = 0; j < 3; j++) {
            sl_scalar value;
            OK(ctx, sl_matrix_get(&value, C, i, j));
            assert_int_equal(value.as.int32_, 10 * (2 * i + 1) + 4 - 2 * j);
        }
    OK(ctx, sl_matrix_assign(A, NULL, NULL, C, RANGE(3, 0, -2), RANGE(0, 5, 2), NULL));
    sl_scalar value;
    OK(ctx, sl_matrix_get(&value, A, 3, 0));
    assert_int_equal(value.as.int32_, 14);
    OK(ctx, sl_matrix_get(&value, A, 1, 4));
    assert_int_equal(value.as.int32_, 30);
    sl_matrix_free(A);
    sl_matrix_free(C);
}

/* With SL_ALL the length is ignored, also if it is the marker of a range. */
static void test_all(void **state)
{
    sl_vector *u = tens(6), *w = new_vector(SL_INT64, 6);
    OK(ctx, sl_vector_extract(w, NULL, NULL, u, SL_ALL, SL_RANGE, NULL));
    assert_int_equal(at(w, 5), 50);
    sl_vector_free(u);
    sl_vector_free(w);
}

/* A range allocates no list, even for 2^55 indices. SuiteSparse 7.4 iterates over strided ranges of
 * 2^58 or more indices, which does not end in useful time, so those are not tested. */
static void test_ranges_too_large_to_list(void **state)
{
    const uint64_t half = (uint64_t)1 << 55, size = 2 * half;
    sl_vector *u = new_vector(SL_INT32, size), *w = new_vector(SL_INT32, half);
    OK(ctx, sl_vector_set(u, half - 1, sl_scalar_int32(1)));
    OK(ctx, sl_vector_set(u, half + 7, sl_scalar_int32(2)));
    OK(ctx, sl_vector_set(u, size - 1, sl_scalar_int32(3)));
    OK(ctx, sl_vector_extract(w, NULL, NULL, u, RANGE(half, size, 1), NULL));
    assert_int_equal(vector_entries(w), 2);
    assert_int_equal(at(w, 7), 2);
    assert_int_equal(at(w, half - 1), 3);
    OK(ctx, sl_vector_extract(w, NULL, NULL, u, RANGE(1, size, 2), NULL));
    assert_int_equal(vector_entries(w), 3);
    assert_int_equal(at(w, half / 2 - 1), 1);
    OK(ctx, sl_vector_extract(w, NULL, NULL, u, RANGE(size - 1, half - 1, -1), NULL));
    assert_int_equal(vector_entries(w), 2);
    assert_int_equal(at(w, 0), 3);
    OK(ctx, sl_vector_assign(u, NULL, NULL, w, RANGE(0, half, 1), NULL));
    assert_int_equal(vector_entries(u), 4);
    assert_int_equal(at(u, half + 7), 2);
    sl_vector_free(u);
    sl_vector_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extract),
        cmocka_unit_test(test_submatrix),
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_ranges_too_large_to_list),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
