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

/* A range allocates no list, even for 2^59 indices. */
static void test_ranges_too_large_to_list(void **state)
{
    const uint64_t half = LARGEST / 2, size = LARGEST;
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

/* ---- long ranges against a model ------------------------------------------------------ */

/* Entries near the ends of the pieces into which long ranges are divided, and where steps meet them. */
static uint64_t place(uint64_t k)
{
    const uint64_t piece = (uint64_t)1 << 56;
    const uint64_t begin = piece * (k / 5 * 3 % 16), beside[] = {0, 1, 2, 7, piece - 1};
    return begin + beside[k % 5];
}

enum { PLACES = 25 };

/* A vector of 2^60 with the value k + `first` at place k, for the bits k of `chosen`. */
static sl_vector *placed(uint64_t chosen, int64_t first)
{
    sl_vector *v = new_vector(SL_INT64, LARGEST);
    for (uint64_t k = 0; k < PLACES; k++)
        if (chosen >> k & 1)
            OK(ctx, sl_vector_set(v, place(k), sl_scalar_int64((int64_t)k + first)));
    return v;
}

/* -1: no entry. */
static int64_t value_or_none(const sl_vector *v, uint64_t i)
{
    sl_scalar value;
    return sl_vector_get(&value, v, i) == SL_OK ? sl_scalar_cast(value, SL_INT64).as.int64_ : -1;
}

static void test_long_extract(void **state)
{
    static const int64_t steps[] = {2, 3, 7, -1, -2, -5};
    sl_vector *u = placed(UINT64_MAX, 10);
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        const uint64_t stride = (uint64_t)(steps[s] < 0 ? -steps[s] : steps[s]);
        const uint64_t begin = steps[s] < 0 ? LARGEST - 1 : 1;
        const uint64_t count = (LARGEST - 1 - (begin == 1)) / stride + 1;
        const uint64_t range[] = {begin, steps[s] < 0 ? UINT64_MAX : LARGEST, (uint64_t)steps[s]};
        sl_vector *w = new_vector(SL_INT64, count);
        uint64_t expected = 0;
        OK(ctx, sl_vector_extract(w, NULL, NULL, u, range, SL_RANGE, NULL));
        for (uint64_t k = 0; k < PLACES; k++) {
            const uint64_t i = place(k), distance = steps[s] < 0 ? begin - i : i - begin;
            if (i < begin && steps[s] > 0)
                continue;
            if (distance % stride != 0)
                continue;
            expected++;
            assert_int_equal(value_or_none(w, distance / stride), (int64_t)k + 10);
        }
        assert_int_equal(vector_entries(w), expected);
        sl_vector_free(w);
    }
    sl_vector_free(u);
}

/* w<mask>(range) = w(range) accum u, checked at all places by the definition. */
static void check_assign(bool masked, sl_binary_op accum, unsigned flags, int64_t step, bool self)
{
    const bool back = step < 0;
    const uint64_t stride = (uint64_t)(back ? -step : step), begin = back ? LARGEST - 1 : 0;
    const uint64_t count = (LARGEST - 1) / stride + 1;
    const uint64_t range[] = {begin, back ? UINT64_MAX : LARGEST, (uint64_t)step};
    sl_vector *w = placed(0x155d4ab, 10), *old = placed(0x155d4ab, 10);
    sl_vector *mask = masked ? placed(0x0ff3c71, 1) : NULL;
    sl_vector *u = new_vector(SL_INT64, count);
    for (uint64_t k = 0; k < PLACES; k += 2) {
        const uint64_t distance = back ? begin - place(k) : place(k);
        if (distance % stride == 0)
            OK(ctx, sl_vector_set(u, distance / stride, sl_scalar_int64(100 + (int64_t)k)));
    }
    sl_vector *from = self ? w : u; /* the vector itself, reversed */
    OK(ctx, sl_vector_assign(w, mask, accum, from, range, SL_RANGE, sl_descriptor_get(flags)));
    for (uint64_t k = 0; k < PLACES; k++) {
        const uint64_t i = place(k), distance = back ? begin - i : i;
        const bool inside = distance % stride == 0;
        const bool allowed = !masked || (value_or_none(mask, i) > 0) != !!(flags & SL_COMPLEMENT);
        const int64_t before = value_or_none(old, i);
        int64_t expected = before;
        if (inside) {
            const int64_t given = value_or_none(self ? old : u, distance / stride);
            expected = given;
            if (accum)
                expected = before < 0 ? given : given < 0 ? before : before + given;
        }
        if (!allowed)
            expected = flags & SL_REPLACE ? -1 : before;
        assert_int_equal(value_or_none(w, i), expected);
    }
    sl_vector_free(w);
    sl_vector_free(old);
    sl_vector_free(mask);
    sl_vector_free(u);
}

static void test_long_assign(void **state)
{
    static const int64_t steps[] = {2, 7, -1, -2};
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
        for (int accumulates = 0; accumulates < 2; accumulates++) {
            sl_binary_op accum = accumulates ? SL_PLUS_INT64 : NULL;
            check_assign(false, accum, 0, steps[s], false);
            check_assign(true, accum, 0, steps[s], false);
            check_assign(true, accum, SL_REPLACE, steps[s], false);
            check_assign(true, accum, SL_REPLACE | SL_COMPLEMENT, steps[s], false);
            check_assign(false, accum, 0, -1, true);
            check_assign(true, accum, SL_REPLACE, -1, true);
        }
}

/* Rows and columns of a matrix by two long ranges, and its transpose. */
static void test_long_submatrix(void **state)
{
    const uint64_t half = LARGEST / 2, piece = (uint64_t)1 << 56;
    sl_matrix *A = new_matrix(SL_INT64, LARGEST, LARGEST), *C = new_matrix(SL_INT64, half, LARGEST);
    OK(ctx, sl_matrix_set(A, 2 * piece, 5 * piece - 1, sl_scalar_int64(1)));
    OK(ctx, sl_matrix_set(A, 2 * piece + 1, 3, sl_scalar_int64(2)));
    OK(ctx, sl_matrix_set(A, 14 * piece - 2, 0, sl_scalar_int64(3)));
    OK(ctx,
       sl_matrix_extract(C, NULL, NULL, A, RANGE(0, LARGEST, 2), RANGE(LARGEST - 1, -1, -1), NULL));
    assert_int_equal(entries(C), 2);
    assert_int_equal(value_at(C, piece, LARGEST - 5 * piece), 1);
    assert_int_equal(value_at(C, 7 * piece - 1, LARGEST - 1), 3);
    OK(ctx, sl_matrix_extract(C, NULL, NULL, A, RANGE(1, LARGEST, 2), SL_ALL, 0,
                              sl_descriptor_get(SL_TRANSPOSE_A)));
    assert_int_equal(entries(C), 2);
    assert_int_equal(value_at(C, (5 * piece - 2) / 2, 2 * piece), 1);
    assert_int_equal(value_at(C, 1, 2 * piece + 1), 2);
    OK(ctx,
       sl_matrix_assign(A, NULL, NULL, C, RANGE(0, LARGEST, 2), RANGE(LARGEST - 1, -1, -1), NULL));
    assert_int_equal(entries(A), 3);
    assert_int_equal(value_at(A, 5 * piece - 2, LARGEST - 1 - 2 * piece), 1);
    assert_int_equal(value_at(A, 2, LARGEST - 2 - 2 * piece), 2);
    assert_int_equal(value_at(A, 2 * piece + 1, 3), 2);
    sl_matrix_free(A);
    sl_matrix_free(C);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extract),
        cmocka_unit_test(test_submatrix),
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_ranges_too_large_to_list),
        cmocka_unit_test(test_long_extract),
        cmocka_unit_test(test_long_assign),
        cmocka_unit_test(test_long_submatrix),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
