/*
 * Compares sl_matrix_from_edges with a naive assembly that sorts by (row, column, order in the
 * file) and then combines duplicates.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "files.h"

/* An entry of the naive assembly; the value has the type of the edges. */
typedef struct {
    uint64_t i, j, order;
    union {
        double real;
        int64_t integer;
    } value;
} naive;

static int by_position(const void *left, const void *right)
{
    const naive *a = left, *b = right;
    if (a->i != b->i)
        return a->i < b->i ? -1 : 1;
    if (a->j != b->j)
        return a->j < b->j ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static void combine(naive *into, const naive *next, sl_duplicates rule, sl_type type)
{
    bool real = type == SL_FP64;
    double x = into->value.real, y = next->value.real;
    int64_t m = into->value.integer, n = next->value.integer;
    switch (rule) {
    case SL_DUPLICATES_DROP:
    case SL_DUPLICATES_ERROR:
        break;
    case SL_DUPLICATES_LAST:
        into->value = next->value;
        break;
    case SL_DUPLICATES_SUM:
        if (real)
            into->value.real = x + y;
        else
            into->value.integer = m + n;
        break;
    case SL_DUPLICATES_MIN:
        if (real ? y < x : n < m)
            into->value = next->value;
        break;
    case SL_DUPLICATES_MAX:
        if (real ? y > x : n > m)
            into->value = next->value;
        break;
    }
}

/* The expected entries, to be freed with test_free; *count is their number. */
static naive *assemble(const sl_edges *e, const sl_read_options *o, uint64_t *count)
{
    naive *all = test_malloc((2 * e->count + 1) * sizeof *all);
    uint64_t n = 0;
    bool mirrored = e->mirror != SL_MIRROR_NONE || o->flags & SL_READ_SYMMETRIC;
    for (uint64_t t = 0; t < e->count; t++) {
        naive x = {.i = e->row[t], .j = e->col[t], .order = 2 * t};
        if (e->values)
            memcpy(&x.value, (char *)e->values + 8 * t, 8);
        if (o->flags & SL_READ_TRANSPOSED) {
            x.i = e->col[t];
            x.j = e->row[t];
        }
        if (x.i == x.j && o->flags & SL_READ_NO_LOOPS)
            continue;
        all[n++] = x;
        if (mirrored && x.i != x.j) {
            naive y = {x.j, x.i, x.order + 1, x.value};
            if (e->mirror == SL_MIRROR_NEGATED && e->type == SL_FP64)
                y.value.real = -y.value.real;
            else if (e->mirror == SL_MIRROR_NEGATED)
                y.value.integer = -y.value.integer;
            all[n++] = y;
        }
    }
    qsort(all, n, sizeof *all, by_position);
    uint64_t kept = 0;
    for (uint64_t k = 0; k < n; k++)
        if (kept > 0 && all[kept - 1].i == all[k].i && all[kept - 1].j == all[k].j)
            combine(&all[kept - 1], &all[k], o->duplicates, e->type);
        else
            all[kept++] = all[k];
    *count = kept;
    return all;
}

static void check(sl_context *ctx, const sl_edges *e, const sl_read_options *o)
{
    uint64_t count;
    naive *expected = assemble(e, o, &count);
    bool transposed = o->flags & SL_READ_TRANSPOSED;
    bool pattern = !e->values || o->flags & SL_READ_PATTERN;
    bool mirrored = e->mirror != SL_MIRROR_NONE || o->flags & SL_READ_SYMMETRIC;
    sl_matrix *A;
    sl_csr csr;
    OK(ctx, sl_matrix_from_edges(&A, ctx, e, o));
    if (mirrored) {
        bool symmetric;
        OK(ctx, sl_matrix_is_symmetric(&symmetric, A));
        assert_true(symmetric);
    }
    OK(ctx, sl_matrix_copy_csr(&csr, A));
    assert_int_equal(csr.nrows, transposed ? e->ncols : e->nrows);
    assert_int_equal(csr.ncols, transposed ? e->nrows : e->ncols);
    assert_int_equal(csr.type, e->values && pattern ? SL_BOOL : e->type);
    assert_int_equal(csr.values == NULL, pattern || count == 0);
    assert_int_equal(csr.start[0], 0);
    assert_int_equal(csr.start[csr.nrows], count);
    uint64_t k = 0;
    for (uint64_t i = 0; i < csr.nrows; i++)
        for (; k < csr.start[i + 1]; k++) {
            if (expected[k].i != i || expected[k].j != csr.index[k])
                fail_msg("entry %d is (%d, %d), not (%d, %d)", (int)k, (int)i, (int)csr.index[k],
                         (int)expected[k].i, (int)expected[k].j);
            if (!pattern && memcmp((char *)csr.values + 8 * k, &expected[k].value, 8) != 0)
                fail_msg("the value of entry %d (%d, %d) differs", (int)k, (int)i,
                         (int)csr.index[k]);
        }
    sl_free(csr.start);
    sl_free(csr.index);
    sl_free(csr.values);
    sl_matrix_free(A);
    test_free(expected);
}

typedef enum { UNIFORM, HUB, PATH, ONE_PLACE, FALLING } shape;

/* Random edges with rows below `nrows` and columns below `ncols`. */
static sl_edges make(shape form, uint64_t nrows, uint64_t ncols, uint64_t count, sl_type type,
                     uint64_t *seed)
{
    sl_edges e = {.nrows = nrows, .ncols = ncols, .count = count, .type = type};
    e.row = sl_malloc((count + 1) * 8);
    e.col = sl_malloc((count + 1) * 8);
    e.values = type == SL_BOOL ? NULL : sl_malloc((count + 1) * 8);
    for (uint64_t k = 0; k < count; k++) {
        uint64_t r = test_random(seed), c = test_random(seed);
        bool odd = k % 2;
        e.row[k] = form == UNIFORM   ? r % nrows
                   : form == HUB     ? (odd ? 0 : r % nrows)
                   : form == PATH    ? k % nrows
                   : form == FALLING ? nrows - 1 - k % nrows
                                     : nrows / 2;
        e.col[k] = form == UNIFORM || form == FALLING ? c % ncols
                   : form == HUB                      ? (odd ? c % ncols : 0)
                   : form == PATH                     ? (k + 1) % ncols
                                                      : ncols / 2;
        if (type == SL_FP64)
            ((double *)e.values)[k] = (double)(int64_t)test_random(seed) * 0x1p-40;
        if (type == SL_INT64)
            ((int64_t *)e.values)[k] = (int64_t)test_random(seed) >> 32;
    }
    return e;
}

static const sl_type types[] = {SL_BOOL, SL_FP64, SL_INT64};

/* All options and mirrors on small square matrices with many duplicates and self-loops. */
static void every_option(void **state)
{
    sl_context *ctx = *state;
    uint64_t seed = 1;
    for (int mirror = SL_MIRROR_NONE; mirror <= SL_MIRROR_NEGATED; mirror++)
        for (size_t t = 0; t < 3; t++)
            for (unsigned flags = 0; flags < 32; flags++)
                for (int rule = SL_DUPLICATES_DROP; rule < SL_DUPLICATES_ERROR; rule++) {
                    sl_edges e = make(UNIFORM, 9, 9, 60, types[t], &seed);
                    e.mirror = (sl_mirror)mirror;
                    sl_read_options o = {.flags = flags, .duplicates = (sl_duplicates)rule};
                    check(ctx, &e, &o);
                    sl_edges_free(&e);
                }
}

static void shapes(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        shape shape;
        uint64_t nrows, ncols, count;
    } cases[] = {
        {UNIFORM, 0, 0, 0},
        {UNIFORM, 1, 1, 0},
        {UNIFORM, 1, 1, 3},
        {UNIFORM, 5, 5, 0},
        {UNIFORM, 2, 2, 200},
        {UNIFORM, 1, 100000, 5000},
        {UNIFORM, 100000, 1, 5000},
        {UNIFORM, 3, 70, 40},
        {UNIFORM, 1025, 1023, 20000},
        {UNIFORM, 100003, 50001, 70},
        {UNIFORM, 3000, 3000, 150000},
        {UNIFORM, 1 << 17, 1 << 17, 90000},
        {HUB, 50000, 50000, 100000},
        {PATH, 60000, 60000, 60000},
        {PATH, 7, 7, 50000},
        {ONE_PLACE, 1000, 1000, 70000},
        {FALLING, 40000, 40000, 120000},
        /* keys would have more than 64 bits without partitions */
        {UNIFORM, 1 << 10, UINT64_C(1) << 60, 30000},
        {UNIFORM, 1, UINT64_C(1) << 60, 100},
        {HUB, 1 << 16, (UINT64_C(1) << 60) - 1, 50000},
    };
    uint64_t seed = 2;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t t = 0; t < 3; t++) {
            sl_edges e = make(cases[k].shape, cases[k].nrows, cases[k].ncols, cases[k].count,
                              types[t], &seed);
            bool square = e.nrows == e.ncols;
            sl_read_options o = {.duplicates = SL_DUPLICATES_SUM,
                                 .flags = square ? SL_READ_SYMMETRIC : 0};
            check(ctx, &e, &o);
            o.flags = e.ncols < UINT64_C(1) << 40 ? SL_READ_TRANSPOSED : 0;
            o.duplicates = SL_DUPLICATES_LAST;
            check(ctx, &e, &o);
            sl_edges_free(&e);
        }
}

/* Sums of floating-point values depend on their order; the results must be equal bit by bit. */
static void threads(void **state)
{
    sl_context *ctx = *state;
    uint64_t seed = 3;
    int before = omp_get_max_threads();
    sl_edges e = make(UNIFORM, 200, 200, 60000, SL_FP64, &seed);
    for (int n = 1; n <= 7; n += 2) {
        omp_set_num_threads(n);
        sl_read_options o = {.duplicates = SL_DUPLICATES_SUM, .flags = SL_READ_SYMMETRIC};
        check(ctx, &e, &o);
        o.duplicates = SL_DUPLICATES_DROP;
        check(ctx, &e, &o);
    }
    omp_set_num_threads(before);
    sl_edges_free(&e);
}

static void both_directions(void **state)
{
    sl_context *ctx = *state;
    uint64_t row[] = {1, 0, 0}, col[] = {0, 1, 2};
    double values[] = {5, 7, 9};
    sl_edges e = {.nrows = 3,
                  .ncols = 3,
                  .count = 3,
                  .row = row,
                  .col = col,
                  .values = values,
                  .type = SL_FP64};
    sl_read_options o = {.flags = SL_READ_SYMMETRIC};
    sl_matrix *A;
    OK(ctx, sl_matrix_from_edges(&A, ctx, &e, &o));
    expect_matrix(A, SL_FP64, 3, 3, 4, (entry[]){{0, 1, 5}, {0, 2, 9}, {1, 0, 5}, {2, 0, 9}});
    o.duplicates = SL_DUPLICATES_LAST; /* the last (1, 0) is the mirror entry of (0, 1) */
    OK(ctx, sl_matrix_from_edges(&A, ctx, &e, &o));
    expect_matrix(A, SL_FP64, 3, 3, 4, (entry[]){{0, 1, 7}, {0, 2, 9}, {1, 0, 7}, {2, 0, 9}});
    o.duplicates = SL_DUPLICATES_ERROR;
    assert_int_equal(sl_matrix_from_edges(&A, ctx, &e, &o), SL_SYNTAX);
    o.flags = 0;
    OK(ctx, sl_matrix_from_edges(&A, ctx, &e, &o));
    expect_matrix(A, SL_FP64, 3, 3, 3, (entry[]){{0, 1, 7}, {0, 2, 9}, {1, 0, 5}});
}

/* The message names the smallest of several repeated entries, whatever the number of threads. */
static void repeated(void **state)
{
    sl_context *ctx = *state;
    uint64_t seed = 4;
    sl_edges e = make(PATH, 40000, 40000, 40000, SL_BOOL, &seed);
    e.row[39999] = e.row[30000];
    e.col[39999] = e.col[30000];
    e.row[39998] = e.row[20000];
    e.col[39998] = e.col[20000];
    sl_read_options o = {.duplicates = SL_DUPLICATES_ERROR};
    sl_matrix *A;
    assert_int_equal(sl_matrix_from_edges(&A, ctx, &e, &o), SL_SYNTAX);
    assert_string_equal(sl_context_message(ctx),
                        "matrix_from_edges: entry (20000, 20001), 0-based, occurs more than once");
    sl_edges_free(&e);
}

/* Sums of integers at the ends of their types; `fits` says whether the type has the sum. */
static void sums_do_not_wrap(void **state)
{
    static const struct {
        sl_type type;
        bool fits;
        int64_t values[4];
    } cases[] = {
        {SL_INT64, true, {INT64_MAX - 3, 1, 1, 1}},
        {SL_INT64, false, {INT64_MAX - 2, 1, 1, 1}},
        {SL_INT64, true, {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN}},
        {SL_INT64, false, {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}},
        {SL_INT64, false, {INT64_MIN, -1, 0, 0}},
        {SL_INT64, true, {INT64_MIN, 0, 0, 0}},
        {SL_UINT64, true, {-4, 1, 1, 1}},
        {SL_UINT64, false, {-3, 1, 1, 1}},
        {SL_UINT64, false, {-1, -1, 2, 0}},
    };
    sl_context *ctx = *state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        uint64_t row[6] = {2, 0, 2, 2, 1, 2}, col[6] = {1, 0, 1, 1, 1, 1};
        const int64_t *v = cases[c].values;
        int64_t values[6] = {v[0], 5, v[1], v[2], 5, v[3]};
        sl_edges e = {.nrows = 3,
                      .ncols = 3,
                      .count = 6,
                      .row = row,
                      .col = col,
                      .type = cases[c].type,
                      .values = values};
        sl_read_options o = {.duplicates = SL_DUPLICATES_SUM};
        sl_matrix *A;
        const sl_status status = sl_matrix_from_edges(&A, ctx, &e, &o);
        assert_int_equal(status, cases[c].fits ? SL_OK : SL_OUT_OF_RANGE);
        if (!cases[c].fits)
            assert_string_equal(
                sl_context_message(ctx),
                "matrix_from_edges: entry (2, 1), 0-based, has duplicates whose sum "
                "its integer type does not have");
        sl_scalar sum;
        if (cases[c].fits) {
            OK(ctx, sl_matrix_get(&sum, A, 2, 1));
            assert_true(sum.as.uint64_ ==
                        (uint64_t)v[0] + (uint64_t)v[1] + (uint64_t)v[2] + (uint64_t)v[3]);
        }
        sl_matrix_free(A);
        o.duplicates = SL_DUPLICATES_MAX;
        OK(ctx, sl_matrix_from_edges(&A, ctx, &e, &o));
        sl_matrix_free(A);
    }
}

static void expect_failure(sl_context *ctx, const sl_edges *e, unsigned flags, sl_status status,
                           const char *message)
{
    sl_matrix *A = (sl_matrix *)ctx;
    sl_read_options o = {.flags = flags};
    assert_int_equal(sl_matrix_from_edges(&A, ctx, e, &o), status);
    assert_null(A);
    if (!strstr(sl_context_message(ctx), message))
        fail_msg("'%s' does not contain '%s'", sl_context_message(ctx), message);
}

static void wrong_edges(void **state)
{
    sl_context *ctx = *state;
    uint64_t row[] = {0, 1, 4, 5}, col[] = {0, 2, 1, 3};
    float values[4] = {0};
    sl_edges e = {.nrows = 5, .ncols = 4, .count = 3, .row = row, .col = col, .type = SL_BOOL};
    sl_matrix *A;
    OK(ctx, sl_matrix_from_edges(&A, ctx, &e, NULL));
    sl_matrix_free(A);
    assert_int_equal(sl_matrix_from_edges(NULL, ctx, &e, NULL), SL_INVALID);
    assert_int_equal(sl_matrix_from_edges(&A, NULL, &e, NULL), SL_INVALID);
    expect_failure(ctx, NULL, 0, SL_INVALID, "edges is NULL");
    expect_failure(ctx, &e, 64, SL_INVALID, "unknown flags 0x40");
    expect_failure(ctx, &e, SL_READ_SYMMETRIC, SL_MISMATCH,
                   "5 rows and 4 columns cannot be symmetric");
    expect_failure(ctx, &e, SL_READ_TRANSPOSED | SL_READ_SYMMETRIC, SL_MISMATCH,
                   "cannot be symmetric");
    e.count = 4;
    expect_failure(ctx, &e, 0, SL_OUT_OF_RANGE,
                   "matrix_from_edges: edge 3, (5, 3), is out of range");
    expect_failure(ctx, &e, SL_READ_TRANSPOSED, SL_OUT_OF_RANGE,
                   "matrix_from_edges: edge 3, (3, 5), is out of range");
    e.row = NULL;
    expect_failure(ctx, &e, 0, SL_INVALID, "row or col is NULL");
    e.row = row;
    e.values = values;
    e.type = SL_FP32;
    expect_failure(ctx, &e, 0, SL_INVALID, "type of the values is fp32");
    e.values = NULL;
    e.type = SL_TYPE_COUNT;
    expect_failure(ctx, &e, 0, SL_INVALID, "type of the values is ?");
    e.type = SL_BOOL;
    e.mirror = (sl_mirror)3;
    expect_failure(ctx, &e, 0, SL_INVALID, "unknown mirror 3");
    e.mirror = SL_MIRROR_NONE;
    e.ncols = (UINT64_C(1) << 60) + 1;
    expect_failure(ctx, &e, 0, SL_OUT_OF_RANGE, "above the limit 2^60");
    e.nrows = UINT64_C(1) << 60;
    e.ncols = 5;
    expect_failure(ctx, &e, 0, SL_NO_MEMORY, "SL_READ_RENUMBER");
}

typedef struct {
    sl_context *ctx;
    sl_edges edges;
} job;

static sl_status assemble_and_free(void *data)
{
    job *j = data;
    sl_read_options o = {.flags = SL_READ_SYMMETRIC, .duplicates = SL_DUPLICATES_SUM};
    sl_matrix *A;
    sl_status status = sl_matrix_from_edges(&A, j->ctx, &j->edges, &o);
    sl_matrix_free(A);
    return status;
}

static void allocation_failures(void **state)
{
    uint64_t seed = 6;
    for (size_t t = 0; t < 3; t++)
        for (uint64_t count = 0; count < 100000; count = 20 * count + 100) {
            job j = {*state, make(UNIFORM, 500, 500, count, types[t], &seed)};
            assert_true(allocator_fail_each(assemble_and_free, &j) > 5);
            sl_edges_free(&j.edges);
        }
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option), cmocka_unit_test(shapes),
        cmocka_unit_test(threads),      cmocka_unit_test(both_directions),
        cmocka_unit_test(repeated),     cmocka_unit_test(sums_do_not_wrap),
        cmocka_unit_test(wrong_edges),  cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
