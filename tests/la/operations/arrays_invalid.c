/* Invalid arrays given to sl_matrix_take and sl_vector_take: the message names the error, and the
 * caller still owns the arrays. */
#include "entry_table.h"

/* The valid arrays of a 3 x 4 matrix with 5 entries, or of a vector of size 12. */
static sl_arrays valid_arrays(sl_format format, sl_type type)
{
    static const entry_table p = {
        .nrows = 3,
        .ncols = 4,
        .nvals = 5,
        .present = {[1] = true, [2] = true, [3] = true, [8] = true, [11] = true},
        .value = {[1] = 1, [2] = 2, [3] = 3, [8] = 1, [11] = 2}};
    entry_table q = p;
    if (format == SL_FORMAT_LIST) {
        q.nrows = 12;
        q.ncols = 1;
    }
    if (format == SL_FORMAT_FULL) {
        q.nvals = 12;
        memset(q.present, true, 12);
    }
    return arrays_of(&q, format, type, false);
}

typedef void (*corruption)(sl_arrays *a);

static void bad_format(sl_arrays *a)
{
    a->format = (sl_format)9;
}
static void bad_type(sl_arrays *a)
{
    a->type = (sl_type)77;
}
static void too_large(sl_arrays *a)
{
    a->nrows = LARGEST + 1;
}
static void bitmap_too_large(sl_arrays *a)
{
    a->nrows = a->ncols = (uint64_t)1 << 31;
}
static void start_of_one(sl_arrays *a)
{
    a->start[0] = 1;
}
static void start_short(sl_arrays *a)
{
    a->start[3] = 4;
}
static void start_falls(sl_arrays *a)
{
    a->start[1] = 4;
    a->start[2] = 3;
}
static void start_beyond(sl_arrays *a)
{
    a->start[1] = a->start[2] = 99;
}
static void col_beyond(sl_arrays *a)
{
    a->cols[2] = 4;
}
static void row_beyond(sl_arrays *a)
{
    a->rows[4] = 3;
}
static void index_beyond(sl_arrays *a)
{
    a->rows[4] = 12;
}
static void col_falls(sl_arrays *a)
{
    a->cols[2] = 0;
}
static void col_twice(sl_arrays *a)
{
    a->cols[1] = 1;
}
static void row_twice(sl_arrays *a)
{
    a->rows[4] = 0;
}
static void index_falls(sl_arrays *a)
{
    a->rows[3] = 0;
}
static void tuple_twice(sl_arrays *a)
{
    a->rows[4] = 0;
    a->cols[4] = 2;
}
static void flag_of_two(sl_arrays *a)
{
    a->present[7] = 2;
}
static void bool_of_three(sl_arrays *a)
{
    ((char *)a->values)[1] = 3;
}

static void test_invalid_arrays(void **state)
{
    static const struct {
        sl_format format;
        corruption corrupt;
        sl_status status;
        const char *says;
    } cases[] = {
        {SL_FORMAT_CSR, bad_format, SL_INVALID, "unknown format 9"},
        {SL_FORMAT_CSR, bad_type, SL_INVALID, "unknown type 77"},
        {SL_FORMAT_CSR, too_large, SL_OUT_OF_RANGE, "above 2^60"},
        {SL_FORMAT_BITMAP, bitmap_too_large, SL_OUT_OF_RANGE, "2147483648 x 2147483648"},
        {SL_FORMAT_FULL, bitmap_too_large, SL_OUT_OF_RANGE, "FULL of"},
        {SL_FORMAT_CSR, start_of_one, SL_INVALID, "start begins at 1"},
        {SL_FORMAT_CSC, start_of_one, SL_INVALID, "start begins at 1"},
        {SL_FORMAT_CSR, start_short, SL_INVALID, "start ends at 4, but there are 5 entries"},
        {SL_FORMAT_CSR, start_falls, SL_INVALID, "start[2] is 3, after 4"},
        {SL_FORMAT_CSR, start_beyond, SL_INVALID, "start[1] is 99"},
        {SL_FORMAT_CSR, col_beyond, SL_OUT_OF_RANGE,
         "column 4 at position 2 is out of range: there are 4"},
        {SL_FORMAT_CSC, row_beyond, SL_OUT_OF_RANGE,
         "row 3 at position 4 is out of range: there are 3"},
        {SL_FORMAT_COO, col_beyond, SL_OUT_OF_RANGE, "column 4 at position 2"},
        {SL_FORMAT_COO, row_beyond, SL_OUT_OF_RANGE, "row 3 at position 4"},
        {SL_FORMAT_LIST, index_beyond, SL_OUT_OF_RANGE, "index 12 at position 4"},
        {SL_FORMAT_CSR, col_falls, SL_INVALID, "column 0 at position 2 comes after 2"},
        {SL_FORMAT_CSR, col_twice, SL_INVALID, "column 1 at position 1 is there twice"},
        {SL_FORMAT_CSC, row_twice, SL_INVALID, "row 0 at position 4 is there twice"},
        {SL_FORMAT_LIST, index_falls, SL_INVALID, "index 0 at position 3 comes after 3"},
        {SL_FORMAT_COO, tuple_twice, SL_INVALID,
         "(0, 2) at position 4 is there twice, after position 1"},
        {SL_FORMAT_BITMAP, flag_of_two, SL_INVALID, "present at position 7 is 2"},
        {SL_FORMAT_BITMAP, bool_of_three, SL_INVALID, "the value at position 1 is 3"},
        {SL_FORMAT_CSR, bool_of_three, SL_INVALID, "the value at position 1 is 3"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sl_arrays a = valid_arrays(cases[k].format, SL_BOOL);
        sl_matrix *A = (sl_matrix *)1;
        sl_vector *v = (sl_vector *)1;
        OK(ctx, sl_arrays_check(ctx, &a));
        cases[k].corrupt(&a);
        sl_arrays before = a;
        assert_int_equal(sl_arrays_check(ctx, &a), cases[k].status);
        SAYS(cases[k].says);
        if (cases[k].format == SL_FORMAT_LIST)
            assert_int_equal(sl_vector_take(&v, ctx, &a), cases[k].status);
        else
            assert_int_equal(sl_matrix_take(&A, ctx, &a), cases[k].status);
        SAYS(cases[k].says);
        assert_null(cases[k].format == SL_FORMAT_LIST ? (void *)v : (void *)A);
        assert_same_arrays(&a, &before); /* the caller still owns the arrays */
        assert_int_equal(a.nvals, before.nvals);
        sl_arrays_free(&a);
    }
}

/* With `trusted` set, the first and last row start are checked nevertheless. */
static void test_trusted(void **state)
{
    static const corruption corruptions[] = {start_of_one, start_short};
    for (int k = 0; k < 2; k++) {
        sl_arrays a = valid_arrays(SL_FORMAT_CSR, SL_FP32);
        a.trusted = true;
        corruptions[k](&a);
        sl_matrix *A;
        assert_int_equal(sl_matrix_take(&A, ctx, &a), SL_INVALID);
        assert_null(A);
        sl_arrays_free(&a);
    }
    /* Tuples are checked nevertheless, because a matrix is built from them. */
    sl_arrays a = valid_arrays(SL_FORMAT_COO, SL_FP32);
    a.trusted = true;
    tuple_twice(&a);
    sl_matrix *A;
    assert_int_equal(sl_matrix_take(&A, ctx, &a), SL_INVALID);
    SAYS("twice");
    sl_arrays_free(&a);
}

static void test_arguments(void **state)
{
    sl_arrays a = valid_arrays(SL_FORMAT_CSR, SL_FP64),
              list = valid_arrays(SL_FORMAT_LIST, SL_FP64), out;
    sl_matrix *A = NULL, *none = NULL;
    sl_vector *v = NULL;
    assert_int_equal(sl_matrix_take(NULL, ctx, &a), SL_INVALID);
    assert_int_equal(sl_matrix_take(&A, NULL, &a), SL_INVALID);
    assert_int_equal(sl_matrix_take(&A, ctx, NULL), SL_INVALID);
    assert_int_equal(sl_vector_take(NULL, ctx, &list), SL_INVALID);
    assert_int_equal(sl_vector_take(&v, NULL, &list), SL_INVALID);
    assert_int_equal(sl_vector_take(&v, ctx, NULL), SL_INVALID);
    assert_int_equal(sl_matrix_take(&A, ctx, &list), SL_INVALID);
    SAYS("a matrix cannot have format LIST");
    assert_int_equal(sl_vector_take(&v, ctx, &a), SL_INVALID);
    SAYS("a vector cannot have format CSR");
    sl_arrays flags = valid_arrays(SL_FORMAT_BITMAP, SL_FP64);
    assert_int_equal(sl_vector_take(&v, ctx, &flags), SL_INVALID);
    SAYS("describe 4 columns");
    sl_arrays_free(&flags);
    assert_int_equal(sl_arrays_check(NULL, &a), SL_INVALID);
    assert_int_equal(sl_arrays_check(ctx, NULL), SL_INVALID);
    assert_int_equal(sl_arrays_expand(NULL, &a), SL_INVALID);
    assert_int_equal(sl_arrays_expand(ctx, NULL), SL_INVALID);
    sl_arrays_free(NULL);

    uint64_t *cols = a.cols;
    a.cols = NULL;
    assert_int_equal(sl_matrix_take(&A, ctx, &a), SL_INVALID);
    SAYS("CSR: cols is NULL");
    a.cols = cols;
    a.rows = cols;
    assert_int_equal(sl_matrix_take(&A, ctx, &a), SL_INVALID);
    SAYS("CSR has no rows");
    a.rows = NULL;

    OK(ctx, sl_matrix_take(&A, ctx, &a));
    OK(ctx, sl_vector_take(&v, ctx, &list));
    assert_int_equal(sl_matrix_give(NULL, &A, SL_FORMAT_CSR), SL_INVALID);
    assert_int_equal(sl_matrix_give(&out, NULL, SL_FORMAT_CSR), SL_INVALID);
    assert_int_equal(sl_matrix_give(&out, &none, SL_FORMAT_CSR), SL_INVALID);
    assert_int_equal(sl_matrix_give(&out, &A, SL_FORMAT_LIST), SL_INVALID);
    assert_int_equal(sl_matrix_give(&out, &A, (sl_format)-1), SL_INVALID);
    assert_int_equal(sl_matrix_copy_out(&out, NULL, SL_FORMAT_CSR), SL_INVALID);
    assert_int_equal(sl_matrix_copy_out(NULL, A, SL_FORMAT_CSR), SL_INVALID);
    assert_int_equal(sl_vector_give(&out, &v, SL_FORMAT_COO), SL_INVALID);
    SAYS("a vector cannot have format COO");
    assert_int_equal(sl_vector_copy_out(&out, v, SL_FORMAT_CSC), SL_INVALID);
    assert_int_equal(entries(A), 5);
    assert_int_equal(vector_entries(v), 5);
    sl_matrix_free(A);
    sl_vector_free(v);
}

/* Sizes for which no arrays can exist: the arrays stay unchanged. */
static void test_impossible_sizes(void **state)
{
    static const sl_format formats[] = {SL_FORMAT_CSR, SL_FORMAT_CSC, SL_FORMAT_BITMAP};
    sl_matrix *A = new_matrix(SL_INT32, LARGEST, LARGEST);
    OK(ctx, sl_matrix_set(A, 5, LARGEST - 1, sl_scalar_int32(7)));
    sl_arrays out;
    for (int k = 0; k < 3; k++) {
        assert_int_not_equal(sl_matrix_copy_out(&out, A, formats[k]), SL_OK);
        assert_int_not_equal(sl_matrix_give(&out, &A, formats[k]), SL_OK);
        assert_true(!out.start && !out.values);
        assert_int_equal(entries(A), 1);
        assert_true(value_at(A, 5, LARGEST - 1) == 7);
    }
    OK(ctx, sl_matrix_give(&out, &A, SL_FORMAT_COO));
    assert_true(out.nvals == 1 && out.rows[0] == 5 && out.cols[0] == LARGEST - 1);
    OK(ctx, sl_matrix_take(&A, ctx, &out));
    assert_true(value_at(A, 5, LARGEST - 1) == 7);
    sl_matrix_free(A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_invalid_arrays),
        cmocka_unit_test(test_trusted),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_impossible_sizes),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
