/*
 * Import and export of arrays (sl_matrix_take, sl_matrix_copy_out, sl_matrix_give and those of
 * vectors): every pair of formats with every type; no copy where the header promises none; failing
 * allocations.
 */
#include "entry_table.h"

/* ---- round trips ------------------------------------------------------------------ */

static const sl_format matrix_formats[] = {SL_FORMAT_COO, SL_FORMAT_CSR, SL_FORMAT_CSC,
                                           SL_FORMAT_BITMAP, SL_FORMAT_FULL};
static const sl_format vector_formats[] = {SL_FORMAT_LIST, SL_FORMAT_BITMAP, SL_FORMAT_FULL};

/* Imports arrays in format `in`, then exports them in format `out`: a copy first, then a move. */
static void matrix_round_trip(const entry_table *p, sl_type type, sl_format in, sl_format out,
                              bool iso)
{
    sl_arrays given = arrays_of(p, in, type, iso), taken;
    sl_matrix *A;
    OK(ctx, sl_matrix_take(&A, ctx, &given));
    assert_true(!given.start && !given.rows && !given.cols && !given.present && !given.values);
    assert_int_equal(entries(A), p->nvals);
    if (out == SL_FORMAT_FULL && p->nvals < p->nrows * p->ncols) {
        assert_int_equal(sl_matrix_copy_out(&taken, A, out), SL_MISMATCH);
        SAYS("needs every entry");
        assert_int_equal(sl_matrix_give(&taken, &A, out), SL_MISMATCH);
        assert_non_null(A);
        sl_matrix_free(A);
        return;
    }
    OK(ctx, sl_matrix_copy_out(&taken, A, out));
    check_arrays(&taken, p, out, type);
    OK(ctx, sl_arrays_expand(ctx, &taken));
    check_arrays(&taken, p, out, type);
    assert_true(taken.values && !taken.iso);
    sl_arrays_free(&taken);
    OK(ctx, sl_matrix_give(&taken, &A, out));
    assert_null(A);
    check_arrays(&taken, p, out, type);
    sl_arrays_free(&taken);
    assert_true(!taken.start && !taken.values && taken.nvals == 0);
}

static void vector_round_trip(const entry_table *p, sl_type type, sl_format in, sl_format out,
                              bool iso)
{
    sl_arrays given = arrays_of(p, in, type, iso), taken;
    sl_vector *v;
    OK(ctx, sl_vector_take(&v, ctx, &given));
    assert_true(!given.rows && !given.present && !given.values);
    assert_int_equal(vector_entries(v), p->nvals);
    if (out == SL_FORMAT_FULL && p->nvals < p->nrows) {
        assert_int_equal(sl_vector_copy_out(&taken, v, out), SL_MISMATCH);
        assert_int_equal(sl_vector_give(&taken, &v, out), SL_MISMATCH);
        sl_vector_free(v);
        return;
    }
    OK(ctx, sl_vector_copy_out(&taken, v, out));
    check_arrays(&taken, p, out, type);
    OK(ctx, sl_arrays_expand(ctx, &taken));
    check_arrays(&taken, p, out, type);
    sl_arrays_free(&taken);
    OK(ctx, sl_vector_give(&taken, &v, out));
    assert_null(v);
    check_arrays(&taken, p, out, type);
    sl_arrays_free(&taken);
}

static void test_matrices(void **state)
{
    static const uint64_t shapes[][2] = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {1, 6}, {6, 1}, {6, 8}};
    uint64_t seed = 1;
    for (int type = 0; type < SL_TYPE_COUNT; type++)
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            for (int kind = 0; kind < CONTENTS; kind++) {
                entry_table p = make_entry_table(shapes[s][0], shapes[s][1], (contents)kind, &seed);
                bool full = p.nvals == p.nrows * p.ncols;
                for (int in = 0; in < (full ? 5 : 4); in++)
                    for (int out = 0; out < 5; out++) {
                        matrix_round_trip(&p, (sl_type)type, matrix_formats[in],
                                          matrix_formats[out], false);
                        if (kind >= ONES)
                            matrix_round_trip(&p, (sl_type)type, matrix_formats[in],
                                              matrix_formats[out], true);
                    }
            }
}

static void test_vectors(void **state)
{
    static const uint64_t sizes[] = {0, 1, 2, 40};
    uint64_t seed = 2;
    for (int type = 0; type < SL_TYPE_COUNT; type++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int kind = 0; kind < CONTENTS; kind++) {
                entry_table p = make_entry_table(sizes[s], 1, (contents)kind, &seed);
                for (int in = 0; in < (p.nvals == p.nrows ? 3 : 2); in++)
                    for (int out = 0; out < 3; out++) {
                        vector_round_trip(&p, (sl_type)type, vector_formats[in],
                                          vector_formats[out], false);
                        if (kind >= ONES)
                            vector_round_trip(&p, (sl_type)type, vector_formats[in],
                                              vector_formats[out], true);
                    }
            }
}

/* An object imported in a format other than CSR gives the same results in the other functions. */
static void test_other_functions(void **state)
{
    uint64_t seed = 3;
    for (int f = 0; f < 5; f++) {
        entry_table p =
            make_entry_table(6, 8, matrix_formats[f] == SL_FORMAT_FULL ? ALL : SOME, &seed);
        sl_arrays arrays = arrays_of(&p, matrix_formats[f], SL_INT32, false);
        sl_matrix *A, *copy;
        OK(ctx, sl_matrix_take(&A, ctx, &arrays));
        uint64_t rows[MAX_ELEMENTS], cols[MAX_ELEMENTS], count = MAX_ELEMENTS, at = 0;
        int32_t values[MAX_ELEMENTS];
        OK(ctx, sl_matrix_extract_tuples(rows, cols, values, &count, A));
        for (uint64_t k = 0; k < 48; k++)
            if (p.present[k]) {
                assert_true(rows[at] == k / 8 && cols[at] == k % 8 && values[at] == p.value[k]);
                at++;
            }
        assert_int_equal(at, count);
        sl_csr csr;
        OK(ctx, sl_matrix_copy_csr(&csr, A));
        assert_int_equal(csr.start[6], count);
        assert_memory_equal(csr.index, cols, count * sizeof *cols);
        free_rows(&csr);
        OK(ctx, sl_matrix_dup(&copy, A));
        assert_int_equal(is_symmetric(A), false);
        OK(ctx, sl_matrix_set(A, 5, 7, sl_scalar_int32(9)));
        assert_true(value_at(A, 5, 7) == 9);
        sl_matrix_free(A);
        sl_matrix_free(copy);
    }
}

/* ---- no copies ------------------------------------------------------------------- */

/*
 * The arrays that are exported are those that were imported, also after the object has been read.
 */
static void test_no_copy(void **state)
{
    uint64_t seed = 4;
    for (int trusted = 0; trusted < 2; trusted++)
        for (int f = 1; f < 5; f++) {
            sl_format format = matrix_formats[f];
            entry_table p = make_entry_table(6, 8, format == SL_FORMAT_FULL ? ALL : SOME, &seed);
            sl_arrays in = arrays_of(&p, format, SL_FP64, false), before = in, out;
            in.trusted = trusted;
            sl_matrix *A;
            OK(ctx, sl_matrix_take(&A, ctx, &in));
            assert_int_equal(entries(A), p.nvals);
            sl_scalar sum;
            OK(ctx, sl_matrix_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, A));
            sl_vector *u = new_vector(SL_FP64, 6), *w = new_vector(SL_FP64, 8);
            OK(ctx, sl_vector_set(u, 2, sl_scalar_fp64(1)));
            OK(ctx, sl_vxm(w, NULL, NULL, SL_PLUS_TIMES_FP64, u, A, NULL));
            sl_vector_free(u);
            sl_vector_free(w);
            OK(ctx, sl_matrix_give(&out, &A, format));
            assert_same_arrays(&before, &out);
            sl_arrays_free(&out);
        }
    for (int f = 0; f < 3; f++) {
        entry_table p =
            make_entry_table(40, 1, vector_formats[f] == SL_FORMAT_FULL ? ALL : SOME, &seed);
        sl_arrays in = arrays_of(&p, vector_formats[f], SL_INT16, false), before = in, out;
        sl_vector *v;
        OK(ctx, sl_vector_take(&v, ctx, &in));
        assert_int_equal(vector_entries(v), p.nvals);
        OK(ctx, sl_vector_give(&out, &v, vector_formats[f]));
        assert_same_arrays(&before, &out);
        sl_arrays_free(&out);
    }
}

/* ---- failing allocations --------------------------------------------------------- */

typedef struct {
    sl_format in, out;
    contents kind;
    bool matrix;
} route;

/* Imports and exports. On failure, the arrays or the object are unchanged. */
static sl_status import_and_export(void *data)
{
    const route *r = data;
    uint64_t seed = 5;
    entry_table p = make_entry_table(r->matrix ? 6 : 12, r->matrix ? 8 : 1, r->kind, &seed);
    allocator_pause(true);
    sl_arrays in = arrays_of(&p, r->in, SL_FP32, r->kind == SAME), before = in, out = {0};
    allocator_pause(false);
    sl_matrix *A = NULL;
    sl_vector *v = NULL;
    sl_status status = r->matrix ? sl_matrix_take(&A, ctx, &in) : sl_vector_take(&v, ctx, &in);
    if (status != SL_OK) {
        assert_same_arrays(&in, &before);
        sl_arrays_free(&in);
        return status;
    }
    status = r->matrix ? sl_matrix_copy_out(&out, A, r->out) : sl_vector_copy_out(&out, v, r->out);
    if (status == SL_OK)
        status = sl_arrays_expand(ctx, &out);
    sl_arrays_free(&out);
    if (status == SL_OK)
        status = r->matrix ? sl_matrix_give(&out, &A, r->out) : sl_vector_give(&out, &v, r->out);
    allocator_pause(true);
    if (status == SL_OK) {
        assert_true(!A && !v);
    } else {
        assert_true(!out.start && !out.rows && !out.cols && !out.present && !out.values);
        OK(ctx, r->matrix ? sl_matrix_give(&out, &A, SL_FORMAT_COO)
                          : sl_vector_give(&out, &v, SL_FORMAT_LIST));
    }
    check_arrays(&out, &p,
                 status == SL_OK ? r->out
                 : r->matrix     ? SL_FORMAT_COO
                                 : SL_FORMAT_LIST,
                 SL_FP32);
    sl_arrays_free(&out);
    allocator_pause(false);
    return status;
}

static void test_memory_runs_out(void **state)
{
    for (int kind = 0; kind < CONTENTS; kind++) {
        for (int in = 0; in < 5; in++)
            for (int out = 0; out < 5; out++) {
                if (kind != ALL &&
                    (matrix_formats[in] == SL_FORMAT_FULL || matrix_formats[out] == SL_FORMAT_FULL))
                    continue;
                route r = {matrix_formats[in], matrix_formats[out], (contents)kind, true};
                assert_true(allocator_fail_each(import_and_export, &r) > 0);
            }
        for (int in = 0; in < 3; in++)
            for (int out = 0; out < 3; out++) {
                if (kind != ALL &&
                    (vector_formats[in] == SL_FORMAT_FULL || vector_formats[out] == SL_FORMAT_FULL))
                    continue;
                route r = {vector_formats[in], vector_formats[out], (contents)kind, false};
                assert_true(allocator_fail_each(import_and_export, &r) > 0);
            }
    }
}

/* An operation that needs a matrix by rows, and fails for lack of memory, leaves a matrix stored by
 * columns unchanged. */
static sl_status search_columns(void *data)
{
    const entry_table *p = data;
    allocator_pause(true);
    sl_arrays in = arrays_of(p, SL_FORMAT_CSC, SL_FP32, false), out;
    sl_matrix *A;
    OK(ctx, sl_matrix_take(&A, ctx, &in));
    sl_vector *pi = new_vector(SL_INT64, p->nrows), *q = new_vector(SL_INT64, p->nrows);
    OK(ctx, sl_vector_set(pi, 2, sl_scalar_int64(2)));
    OK(ctx, sl_vector_set(q, 2, sl_scalar_int64(2)));
    allocator_pause(false);
    sl_status status = sl_closure(pi, q, A, SL_ANY_SECONDI_INT64, NULL);
    uint64_t rows[MAX_ELEMENTS], count = MAX_ELEMENTS;
    if (status == SL_OK)
        status = sl_matrix_extract_tuples(rows, NULL, NULL, &count, A);
    allocator_pause(true);
    OK(ctx, sl_matrix_give(&out, &A, SL_FORMAT_CSR));
    check_arrays(&out, p, SL_FORMAT_CSR, SL_FP32);
    sl_arrays_free(&out);
    sl_vector_free(pi);
    sl_vector_free(q);
    allocator_pause(false);
    return status;
}

static void test_failure_keeps_columns(void **state)
{
    uint64_t seed = 6;
    entry_table p = make_entry_table(6, 6, SOME, &seed);
    assert_true(allocator_fail_each(search_columns, &p) > 0);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices),        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_other_functions), cmocka_unit_test(test_no_copy),
        cmocka_unit_test(test_memory_runs_out), cmocka_unit_test(test_failure_keeps_columns),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
