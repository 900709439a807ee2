/*
 * Invalid arguments of assign and extract, with index lists and ranges: each call must return the
 * expected status and a message that names the argument, and must leave every object unchanged.
 */
#include "arguments.h"

static void test_vector_assign(void **state)
{
    static const uint64_t three[] = {0, 1, 3}, beyond[] = {0, 4, 1};
    sl_scalar x = sl_scalar_fp64(2), typeless = {.type = SL_TYPE_COUNT};
    NULL_REFUSED(sl_vector_assign(NULL, NULL, NULL, NULL, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "w is NULL", sl_vector_assign(NULL, NULL, NULL, v, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "u is NULL", sl_vector_assign(w, NULL, NULL, NULL, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "contexts",
            sl_vector_assign(w, NULL, NULL, foreign_vector, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "mask is 3 x 1", sl_vector_assign(w, u, NULL, u, three, 3, NULL));
    REFUSED(SL_INVALID, "cannot accumulate",
            sl_vector_assign(w, NULL, SL_FIRSTI_INT64, v, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 3, not 4", sl_vector_assign(w, NULL, NULL, u, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3", sl_vector_assign(w, NULL, NULL, v, three, 3, NULL));
    REFUSED(SL_OUT_OF_RANGE, "4 at position 1 of the list",
            sl_vector_assign(w, NULL, NULL, u, beyond, 3, NULL));
    NULL_REFUSED(sl_vector_assign_scalar(NULL, NULL, NULL, x, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "no type",
            sl_vector_assign_scalar(w, NULL, NULL, typeless, SL_ALL, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "there are 4",
            sl_vector_assign_scalar(w, NULL, NULL, x, beyond, 3, NULL));
    REFUSED(SL_MISMATCH, "mask is 3 x 1", sl_vector_assign_scalar(w, u, NULL, x, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "contexts",
            sl_vector_assign_scalar(w, foreign_vector, NULL, x, SL_ALL, 0, NULL));
}

/* A vector of M indices, of which number 1 has the given value. */
static sl_vector *index_vector(sl_type type, sl_scalar value)
{
    sl_vector *indices;
    OK(ctx, sl_vector_new(&indices, ctx, type, M));
    OK(ctx, sl_vector_set(indices, 0, sl_scalar_int64(0)));
    OK(ctx, sl_vector_set(indices, 1, value));
    return indices;
}

static void test_gather_and_scatter(void **state)
{
    const sl_monoid plus = SL_PLUS_MONOID_FP64;
    sl_vector *indices = index_vector(SL_INT32, sl_scalar_int32(2));
    NULL_REFUSED(sl_vector_gather(NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "w is NULL", sl_vector_gather(NULL, NULL, NULL, v, indices, NULL));
    REFUSED(SL_INVALID, "u is NULL", sl_vector_gather(w, NULL, NULL, NULL, indices, NULL));
    REFUSED(SL_INVALID, "indices is NULL", sl_vector_gather(w, NULL, NULL, v, NULL, NULL));
    REFUSED(SL_MISMATCH, "contexts",
            sl_vector_gather(u, NULL, NULL, foreign_vector, indices, NULL));
    REFUSED(SL_MISMATCH, "mask is 4 x 1", sl_vector_gather(u, v, NULL, v, indices, NULL));
    REFUSED(SL_MISMATCH, "output's size is 4, not 3",
            sl_vector_gather(w, NULL, NULL, v, indices, NULL));
    REFUSED(SL_MISMATCH, "the type of indices is fp64",
            sl_vector_gather(u, NULL, NULL, v, u, NULL));
    NULL_REFUSED(sl_vector_scatter(NULL, NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "u is NULL", sl_vector_scatter(w, NULL, NULL, plus, NULL, indices, NULL));
    REFUSED(SL_INVALID, "indices is NULL", sl_vector_scatter(w, NULL, NULL, plus, u, NULL, NULL));
    REFUSED(SL_INVALID, "cannot accumulate",
            sl_vector_scatter(w, NULL, SL_FIRSTI_INT64, plus, u, indices, NULL));
    REFUSED(SL_MISMATCH, "mask is 3 x 1", sl_vector_scatter(w, u, NULL, plus, u, indices, NULL));
    REFUSED(SL_MISMATCH, "input's size is 4, not 3",
            sl_vector_scatter(w, NULL, NULL, plus, v, indices, NULL));
    REFUSED(SL_MISMATCH, "the type of indices is fp64",
            sl_vector_scatter(w, NULL, NULL, plus, u, u, NULL));
    sl_vector_free(indices);
}

static void test_gather_matrix(void **state)
{
    sl_vector *indices = index_vector(SL_INT32, sl_scalar_int32(2)), *some;
    sl_matrix *graph, *result;
    OK(ctx, sl_matrix_new(&graph, ctx, SL_FP64, N, N));
    OK(ctx, sl_matrix_new(&result, ctx, SL_FP64, M, M));
    OK(ctx, sl_vector_new(&some, ctx, SL_INT64, M));
    OK(ctx, sl_vector_set(some, 0, sl_scalar_int64(1)));
    NULL_REFUSED(sl_matrix_gather(NULL, NULL, NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "C is NULL", sl_matrix_gather(NULL, NULL, NULL, graph, indices, NULL));
    REFUSED(SL_INVALID, "A is NULL", sl_matrix_gather(result, NULL, NULL, NULL, indices, NULL));
    REFUSED(SL_INVALID, "indices is NULL", sl_matrix_gather(result, NULL, NULL, graph, NULL, NULL));
    REFUSED(SL_INVALID, "has 1 entries; it must have all 3",
            sl_matrix_gather(result, NULL, NULL, graph, some, NULL));
    REFUSED(SL_MISMATCH, "contexts", sl_matrix_gather(result, NULL, NULL, foreign, indices, NULL));
    REFUSED(SL_MISMATCH, "C's rows is 4, not 3",
            sl_matrix_gather(graph, NULL, NULL, graph, indices, NULL));
    REFUSED(SL_MISMATCH, "A's columns is 4, not 3",
            sl_matrix_gather(result, NULL, NULL, A, indices, NULL));
    REFUSED(SL_MISMATCH, "the type of indices is fp64",
            sl_matrix_gather(result, NULL, NULL, graph, u, NULL));
    OK(ctx, sl_vector_assign_scalar(indices, NULL, NULL, sl_scalar_int32(N - 1), SL_ALL, 0, NULL));
    OK(ctx, sl_matrix_gather(result, NULL, NULL, graph, indices, NULL));
    OK(ctx, sl_vector_set(indices, 1, sl_scalar_int32(N)));
    REFUSED(SL_OUT_OF_RANGE, "index 4 at position 1",
            sl_matrix_gather(result, NULL, NULL, graph, indices, NULL));
    sl_vector_free(indices);
    sl_vector_free(some);
    sl_matrix_free(graph);
    sl_matrix_free(result);
}

static void test_sort(void **state)
{
    sl_vector *order, *shorter;
    OK(ctx, sl_vector_new(&order, ctx, SL_INT64, M));
    OK(ctx, sl_vector_new(&shorter, ctx, SL_INT64, M - 1));
    NULL_REFUSED(sl_vector_sort(NULL, NULL, NULL, NULL));
    REFUSED(SL_INVALID, "before is NULL", sl_vector_sort(NULL, order, NULL, u));
    REFUSED(SL_INVALID, "u is NULL", sl_vector_sort(NULL, order, SL_LT_FP64, NULL));
    REFUSED(SL_INVALID, "one of them must be given", sl_vector_sort(NULL, NULL, SL_LT_FP64, u));
    REFUSED(SL_INVALID, "the same vector", sl_vector_sort(order, order, SL_LT_FP64, u));
    REFUSED(SL_INVALID, "the operator is le_fp64", sl_vector_sort(NULL, order, SL_LE_FP64, u));
    REFUSED(SL_MISMATCH, "the type of the operator is int64; it must be fp64",
            sl_vector_sort(NULL, order, SL_LT_INT64, u));
    REFUSED(SL_MISMATCH, "the type of order is fp64; it must be int64",
            sl_vector_sort(NULL, u, SL_LT_FP64, u));
    REFUSED(SL_MISMATCH, "the type of w is int64; it must be fp64",
            sl_vector_sort(order, NULL, SL_LT_FP64, u));
    REFUSED(SL_MISMATCH, "the size of order is 2; it must be 3",
            sl_vector_sort(NULL, shorter, SL_LT_FP64, u));
    REFUSED(SL_MISMATCH, "contexts", sl_vector_sort(NULL, order, SL_LT_FP64, foreign_vector));
    sl_vector_free(order);
    sl_vector_free(shorter);
}

/* Every integer type, in gather and in scatter; the largest index that is allowed comes first. */
static void test_index_out_of_range(void **state)
{
    const struct {
        sl_type type;
        sl_scalar beyond;
        const char *words;
    } cases[] = {
        {SL_INT8, sl_scalar_int8(-1), "index -1 at position 1"},
        {SL_INT16, sl_scalar_int16(N), "index 4 at position 1"},
        {SL_INT32, sl_scalar_int32(INT32_MIN), "index -2147483648 at position 1"},
        {SL_INT64, sl_scalar_int64(INT64_MIN), "index -9223372036854775808 at position 1"},
        {SL_UINT8, sl_scalar_uint8(255), "index 255 at position 1"},
        {SL_UINT16, sl_scalar_uint16(N), "out of range: there are 4"},
        {SL_UINT32, sl_scalar_uint32(UINT32_MAX), "index 4294967295 at position 1"},
        {SL_UINT64, sl_scalar_uint64(UINT64_MAX), "index 18446744073709551615 at position 1"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sl_vector *indices = index_vector(cases[k].type, sl_scalar_int64(N - 1)), *z;
        OK(ctx, sl_vector_new(&z, ctx, SL_FP64, M));
        OK(ctx, sl_vector_gather(z, NULL, NULL, v, indices, NULL));
        OK(ctx, sl_vector_set(indices, 1, cases[k].beyond)); /* the indices are checked again */
        REFUSED(SL_OUT_OF_RANGE, cases[k].words,
                sl_vector_gather(u, NULL, NULL, v, indices, flag(SL_REPLACE)));
        REFUSED(SL_OUT_OF_RANGE, cases[k].words,
                sl_vector_scatter(w, NULL, NULL, NULL, u, indices, flag(SL_REPLACE)));
        sl_vector_free(indices);
        sl_vector_free(z);
    }
}

static void test_matrix_assign(void **state)
{
    static const uint64_t two[] = {0, 2}, beyond[] = {1, 5};
    sl_scalar x = sl_scalar_fp64(2), typeless = {.type = SL_TYPE_COUNT};
    NULL_REFUSED(sl_matrix_assign(NULL, NULL, NULL, NULL, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "C is NULL",
            sl_matrix_assign(NULL, NULL, NULL, A, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "A is NULL",
            sl_matrix_assign(C, NULL, NULL, NULL, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "contexts",
            sl_matrix_assign(C, NULL, NULL, foreign, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3",
            sl_matrix_assign(C, NULL, NULL, D, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3",
            sl_matrix_assign(C, NULL, NULL, A, SL_ALL, 0, SL_ALL, 0, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_MISMATCH, "columns is 4, not 2",
            sl_matrix_assign(C, NULL, NULL, A, SL_ALL, 0, two, 2, NULL));
    REFUSED(SL_OUT_OF_RANGE, "row 5 at position 1",
            sl_matrix_assign(C, NULL, NULL, A, beyond, 2, SL_ALL, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "column 5 at position 1",
            sl_matrix_assign(C, NULL, NULL, A, SL_ALL, 0, beyond, 2, NULL));
    REFUSED(SL_MISMATCH, "mask is 4 x 3",
            sl_matrix_assign(C, D, NULL, A, SL_ALL, 0, SL_ALL, 0, NULL));
    NULL_REFUSED(sl_matrix_assign_scalar(NULL, NULL, NULL, x, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "no type",
            sl_matrix_assign_scalar(C, NULL, NULL, typeless, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "column 5",
            sl_matrix_assign_scalar(C, NULL, NULL, x, two, 2, beyond, 2, NULL));
    REFUSED(SL_INVALID, "cannot accumulate",
            sl_matrix_assign_scalar(C, NULL, SL_FIRSTI_INT64, x, two, 2, two, 2, NULL));
}

/* ---- assignment to a row or a column --------------------------------------------- */

static void test_row_assign(void **state)
{
    static const uint64_t three[] = {0, 1, 3}, beyond[] = {0, 4, 1};
    NULL_REFUSED(sl_matrix_assign_row(NULL, NULL, NULL, NULL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "assign_row: C is NULL",
            sl_matrix_assign_row(NULL, NULL, NULL, v, 0, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "u is NULL", sl_matrix_assign_row(C, NULL, NULL, NULL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "contexts",
            sl_matrix_assign_row(C, NULL, NULL, foreign_vector, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "contexts",
            sl_matrix_assign_row(C, foreign_vector, NULL, v, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "the mask is 3 x 1, the row 4 x 1",
            sl_matrix_assign_row(C, u, NULL, v, 0, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "cannot accumulate",
            sl_matrix_assign_row(C, NULL, SL_FIRSTI_INT64, v, 0, SL_ALL, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "assign_row: row 3 is out of range: there are 3",
            sl_matrix_assign_row(C, NULL, NULL, v, M, SL_ALL, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "column 4 at position 1",
            sl_matrix_assign_row(C, NULL, NULL, u, 0, beyond, 3, NULL));
    REFUSED(SL_MISMATCH, "the input's size is 3, not 4",
            sl_matrix_assign_row(C, NULL, NULL, u, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "the input's size is 4, not 3",
            sl_matrix_assign_row(C, NULL, NULL, v, 0, three, 3, NULL));
}

static void test_column_assign(void **state)
{
    static const uint64_t two[] = {0, 2}, beyond[] = {0, 3, 1};
    NULL_REFUSED(sl_matrix_assign_column(NULL, NULL, NULL, NULL, SL_ALL, 0, 0, NULL));
    REFUSED(SL_INVALID, "assign_column: C is NULL",
            sl_matrix_assign_column(NULL, NULL, NULL, u, SL_ALL, 0, 0, NULL));
    REFUSED(SL_INVALID, "u is NULL",
            sl_matrix_assign_column(C, NULL, NULL, NULL, SL_ALL, 0, 0, NULL));
    REFUSED(SL_MISMATCH, "contexts",
            sl_matrix_assign_column(C, NULL, NULL, foreign_vector, SL_ALL, 0, 0, NULL));
    REFUSED(SL_MISMATCH, "the mask is 4 x 1, the column 3 x 1",
            sl_matrix_assign_column(C, v, NULL, u, SL_ALL, 0, 0, NULL));
    REFUSED(SL_INVALID, "cannot accumulate",
            sl_matrix_assign_column(C, NULL, SL_FIRSTI_INT64, u, SL_ALL, 0, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "assign_column: column 4 is out of range: there are 4",
            sl_matrix_assign_column(C, NULL, NULL, u, SL_ALL, 0, N, NULL));
    REFUSED(SL_OUT_OF_RANGE, "row 3 at position 1",
            sl_matrix_assign_column(C, NULL, NULL, u, beyond, 3, 0, NULL));
    REFUSED(SL_MISMATCH, "the input's size is 4, not 3",
            sl_matrix_assign_column(C, NULL, NULL, v, SL_ALL, 0, 0, NULL));
    REFUSED(SL_MISMATCH, "the input's size is 3, not 2",
            sl_matrix_assign_column(C, NULL, NULL, u, two, 2, 0, NULL));
}

/* ---- ranges ------------------------------------------------------------------ */

#define RANGE(begin, end, step)                                                                    \
    (const uint64_t[]){(uint64_t)(begin), (uint64_t)(end), (uint64_t)(step)}, SL_RANGE

static void test_ranges(void **state)
{
    sl_scalar x = sl_scalar_fp64(2);
    REFUSED(SL_INVALID, "assign_scalar: a range of rows has a step of 0",
            sl_vector_assign_scalar(w, NULL, NULL, x, RANGE(0, 3, 0), NULL));
    REFUSED(SL_INVALID, "a range of columns has a step of 0",
            sl_matrix_assign_scalar(C, NULL, NULL, x, SL_ALL, 0, RANGE(2, 2, 0), NULL));
    REFUSED(SL_OUT_OF_RANGE, "row 4, the last of a range, is out of range: there are 4",
            sl_vector_assign_scalar(w, NULL, NULL, x, RANGE(0, 5, 1), NULL));
    REFUSED(SL_OUT_OF_RANGE, "row 4, the first of a range",
            sl_vector_assign_scalar(w, NULL, NULL, x, RANGE(4, 0, -1), NULL));
    REFUSED(SL_OUT_OF_RANGE, "row -1, the last of a range",
            sl_vector_assign_scalar(w, NULL, NULL, x, RANGE(3, -2, -1), NULL));
    REFUSED(SL_OUT_OF_RANGE, "row -1, the first of a range",
            sl_vector_assign_scalar(w, NULL, NULL, x, RANGE(-1, 2, 1), NULL));
    REFUSED(SL_OUT_OF_RANGE, "row -9223372036854775808, the first of a range",
            sl_vector_assign_scalar(w, NULL, NULL, x, RANGE(INT64_MIN, INT64_MAX, 1), NULL));
    REFUSED(SL_OUT_OF_RANGE, "row 4611686018427387904, the last of a range",
            sl_vector_assign_scalar(w, NULL, NULL, x, RANGE(1, INT64_MAX, INT64_MAX / 2), NULL));
    REFUSED(SL_OUT_OF_RANGE, "the last of a range",
            sl_vector_assign_scalar(w, NULL, NULL, x, RANGE(1, INT64_MIN, INT64_MIN + 2), NULL));
    REFUSED(SL_OUT_OF_RANGE, "column 5, the last of a range",
            sl_matrix_extract(C, NULL, NULL, A, SL_ALL, 0, RANGE(1, 6, 2), NULL));
    REFUSED(SL_MISMATCH, "columns is 4, not 2",
            sl_matrix_extract(C, NULL, NULL, A, SL_ALL, 0, RANGE(0, 4, 2), NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 0",
            sl_vector_extract(w, NULL, NULL, v, RANGE(9, 9, 7), NULL));
    REFUSED(SL_MISMATCH, "the input's size is 4, not 1",
            sl_matrix_assign_row(C, NULL, NULL, v, 0, RANGE(3, INT64_MAX, INT64_MAX), NULL));
    REFUSED(SL_OUT_OF_RANGE, "assign_column: row 3, the last of a range",
            sl_matrix_assign_column(C, NULL, NULL, v, RANGE(0, 4, 1), 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "extract_column: row 4, the last of a range",
            sl_matrix_extract_column(w, NULL, NULL, D, RANGE(1, 5, 1), 0, NULL));
}

static void test_extract(void **state)
{
    static const uint64_t two[] = {0, 2}, beyond[] = {1, 2, 0, 7};
    NULL_REFUSED(sl_vector_extract(NULL, NULL, NULL, NULL, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "out is NULL", sl_vector_extract(NULL, NULL, NULL, u, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "a is NULL", sl_vector_extract(w, NULL, NULL, NULL, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "contexts",
            sl_vector_extract(w, NULL, NULL, foreign_vector, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 3", sl_vector_extract(w, NULL, NULL, u, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 4, not 2", sl_vector_extract(w, NULL, NULL, u, two, 2, NULL));
    REFUSED(SL_OUT_OF_RANGE, "7 at position 3",
            sl_vector_extract(w, NULL, NULL, u, beyond, 4, NULL));
    REFUSED(SL_MISMATCH, "mask is 3 x 1", sl_vector_extract(w, u, NULL, v, SL_ALL, 0, NULL));

    NULL_REFUSED(sl_matrix_extract(NULL, NULL, NULL, NULL, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_INVALID, "a is NULL",
            sl_matrix_extract(C, NULL, NULL, NULL, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "rows is 3, not 4",
            sl_matrix_extract(C, NULL, NULL, D, SL_ALL, 0, SL_ALL, 0, NULL));
    REFUSED(SL_MISMATCH, "columns is 4, not 2",
            sl_matrix_extract(C, NULL, NULL, A, SL_ALL, 0, two, 2, NULL));
    REFUSED(SL_OUT_OF_RANGE, "row 7 at position 3 of the list is out of range: there are 3",
            sl_matrix_extract(C, NULL, NULL, A, beyond, 4, SL_ALL, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "column 7",
            sl_matrix_extract(C, NULL, NULL, A, SL_ALL, 0, beyond, 4, NULL));

    NULL_REFUSED(sl_matrix_extract_column(NULL, NULL, NULL, NULL, SL_ALL, 0, 0, NULL));
    REFUSED(SL_INVALID, "a is NULL",
            sl_matrix_extract_column(w, NULL, NULL, NULL, SL_ALL, 0, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "column 3",
            sl_matrix_extract_column(w, NULL, NULL, D, SL_ALL, 0, M, NULL));
    REFUSED(SL_OUT_OF_RANGE, "column 3",
            sl_matrix_extract_column(w, NULL, NULL, A, SL_ALL, 0, M, flag(SL_TRANSPOSE_A)));
    REFUSED(SL_MISMATCH, "rows is 4, not 3",
            sl_matrix_extract_column(w, NULL, NULL, A, SL_ALL, 0, 0, NULL));
    REFUSED(SL_OUT_OF_RANGE, "row 7",
            sl_matrix_extract_column(w, NULL, NULL, D, beyond, 4, 0, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gather_and_scatter),
        cmocka_unit_test(test_gather_matrix),
        cmocka_unit_test(test_sort),
        cmocka_unit_test(test_index_out_of_range),
        cmocka_unit_test(test_vector_assign),
        cmocka_unit_test(test_matrix_assign),
        cmocka_unit_test(test_row_assign),
        cmocka_unit_test(test_column_assign),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_extract),
    };
    return cmocka_run_group_tests(tests, make_all, free_all);
}
