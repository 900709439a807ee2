/*
 * Products of a matrix and a full vector over plus, on matrices without a reordered graph: every engine
 * compared with SuiteSparse, and the GPU's sums over tiles counted, by SEMLA_TRAVERSAL=tiles on hostile
 * shapes. Matrices are patterns, or have values.
 */
#define _POSIX_C_SOURCE 200112L
#include <math.h>

#include "sum_products.h"

/* Which sums of a full vector's values run over tiles: those over the entries of a row, of a column. */
enum { NONE, OF_ROWS, OF_COLUMNS, BOTH };

/* All kinds of products that add values of the vector, or its products with values of the matrix, or find the least or
 * the greatest of them; kind: a row of `rings`. */
enum { KINDS = 6 };
static void check_type(const char *name, const tuples *t, unsigned tiles, int kind)
{
    const bool valued = t->type != SL_BOOL;
    const sl_semiring rings[KINDS][6] = {
        {SL_PLUS_SECOND_FP64, SL_PLUS_FIRST_FP64, SL_PLUS_TIMES_FP64, SL_PLUS_SECOND_FP32,
         SL_PLUS_FIRST_FP32, SL_PLUS_TIMES_FP32},
        {SL_PLUS_SECOND_UINT64, SL_PLUS_FIRST_UINT64, SL_PLUS_TIMES_UINT64, SL_PLUS_SECOND_INT32,
         SL_PLUS_FIRST_INT32, SL_PLUS_TIMES_INT32},
        {SL_MIN_SECOND_FP64, SL_MIN_FIRST_FP64, SL_MIN_PLUS_FP64, SL_MAX_SECOND_FP32,
         SL_MAX_FIRST_FP32, SL_MAX_PLUS_FP32},
        {SL_MAX_SECOND_UINT64, SL_MAX_FIRST_UINT64, SL_MAX_PLUS_UINT64, SL_MIN_SECOND_INT32,
         SL_MIN_FIRST_INT32, SL_MIN_PLUS_INT32},
        {SL_MIN_SECOND_FP64, SL_MIN_FIRST_FP64, SL_MAX_TIMES_FP64, SL_MAX_SECOND_FP32,
         SL_MAX_FIRST_FP32, SL_MIN_MAX_FP32},
        {SL_MIN_SECOND_UINT64, SL_MIN_FIRST_UINT64, SL_MAX_MIN_UINT64, SL_MAX_SECOND_INT32,
         SL_MAX_FIRST_INT32, SL_MIN_TIMES_INT32}};
    /* A matrix for the sums of each type: an order has values of one type. */
    sl_matrix *A[2] = {matrix_of(engine, t), matrix_of(engine, t)}, *right = matrix_of(host, t);
    for (unsigned how = 0; how < 16; how++)
        for (int r = 0; r < 6; r++) {
            /* 8 bytes have one half of the ways, 4 bytes the other: each has all ways of three of the four bits. */
            if ((__builtin_popcount(how) + r / 3) % 2)
                continue;
            /* Of a matrix with values: only products that read them, and one that does not. */
            if (valued && r % 3 != 2 && how != 9)
                continue;
            product p = {.ring = rings[kind][r],
                         .type = rings[kind][r]->result,
                         .vxm = how & 1,
                         .transposed = how & 2,
                         .accumulates = how & 4,
                         .onto_same = (how & 4) && r % 2,
                         .full = how & 8,
                         .times = how == 8 ? 2 : 1};
            /* second of vxm and first of mxv are values of the matrix */
            const bool adds_vector = r % 3 == 2
                                         ? valued || p.ring->multiply->code == SL_BINARY_TIMES
                                         : (r % 3 == 1) == p.vxm;
            /* Nothing stands for a missing entry in these. */
            const bool may_lack =
                !valued || (p.ring != SL_MAX_PLUS_UINT64 && p.ring != SL_MIN_TIMES_INT32);
            const bool expected = (p.full || may_lack) && adds_vector &&
                                  tiles & (p.vxm == p.transposed ? OF_ROWS : OF_COLUMNS);
            over_tiles = 0;
            compare(name, A[r / 3], right, &p);
            if (counts_tiles() && over_tiles != (expected ? p.times : 0))
                fail_msg("%s: %u of %u products over tiles: %s by %s%s of a %s vector", name,
                         over_tiles, p.times, p.ring->name, p.vxm ? "vxm" : "mxv",
                         p.transposed ? " of the transpose" : "", p.full ? "full" : "sparse");
        }
    sl_matrix_free(A[0]);
    sl_matrix_free(A[1]);
    sl_matrix_free(right);
}

static void check(const char *name, tuples *t, unsigned tiles)
{
    static const sl_type types[2][3] = {{SL_BOOL, SL_FP64, SL_FP32},
                                        {SL_BOOL, SL_UINT64, SL_INT32}};
    static int shapes;
    const int kinds[] = {0,
                         1 + shapes++ % (KINDS - 1)}; /* sums of FP64 and FP32, and another kind */
    for (int k = 0; k < 6; k++) {
        t->type = types[kinds[k / 3] % 2][k % 3];
        check_type(name, t, tiles, kinds[k / 3]);
    }
    free_tuples(t);
}

/* ---- shapes --------------------------------------------------------------------------------- */

static void test_tiny(void **unused)
{
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    tuples none = {.nrows = 30, .ncols = 20}, no_columns = {.nrows = 9}, no_rows = {.ncols = 9},
           empty = {.nrows = 1, .ncols = 1}, one = {.nrows = 1, .ncols = 1},
           few = {.nrows = 5, .ncols = 6};
    check("empty", &none, NONE);
    check("no columns", &no_columns, NONE);
    check("no rows", &no_rows, NONE);
    check("1 x 1 without an entry", &empty, NONE);
    add(&one, 0, 0);
    check("1 x 1", &one, NONE);
    for (uint64_t k = 0; k < 4; k++) { /* a full row fits in slots */
        add(&few, 2, k);
        add(&few, k, 1);
    }
    check("slots only", &few, NONE);
    unsetenv("SEMLA_TRAVERSAL");
}

static void test_hubs(void **unused)
{
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    tuples row = {.nrows = 50, .ncols = 3000}, column = {.nrows = 3000, .ncols = 50}, both = row,
           isolated = {.nrows = 1000, .ncols = 1500}, twice = {.nrows = 200, .ncols = 300},
           full = {.nrows = 70, .ncols = 60};
    for (uint64_t k = 0; k < 3000; k++) {
        add(&row, 17, k);
        add(&column, k, 31);
        add(&both, 17, k);
        add(&both, k % 50, 13);
        add(&isolated, 7 * (k % 100) + 3, 10 * (k % 130));
    }
    for (uint64_t k = 0; k < 900; k++) { /* each pair three times, in some order */
        add(&twice, k * 11 % 300 % 20, k * 7 % 300);
        add(&twice, k % 300 % 20, k * 11 % 300);
    }
    for (uint64_t k = 0; k < 70 * 60; k++)
        add(&full, k / 60, k % 60);
    check("a hub row", &row, OF_ROWS); /* the columns have one entry */
    check("a hub column", &column, OF_COLUMNS);
    check("a hub row and a hub column", &both, BOTH);
    check("isolated rows and columns", &isolated, BOTH);
    check("equal tuples", &twice, OF_ROWS);
    check("full", &full, BOTH);
    unsetenv("SEMLA_TRAVERSAL");
}

static void test_path(void **unused)
{
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    tuples path = {.nrows = 5000, .ncols = 5000};
    for (uint64_t k = 0; k + 1 < path.nrows; k++)
        add(&path, k, k + 1);
    check("a path", &path, NONE);
    unsetenv("SEMLA_TRAVERSAL");
}

/* Rows of all classes: more than 4,096 columns, 256, 32 and 4, and fewer. Here and below tiles are made in pieces. */
static void test_rectangles(void **unused)
{
    setenv("SEMLA_TRAVERSAL", "tiles,pieces=5", 1);
    tuples classes = {.nrows = 600, .ncols = 9000}, wide = {.nrows = 40, .ncols = 60000},
           tall = {.nrows = 60000, .ncols = 40}, random = {.nrows = 3000, .ncols = 5000},
           square = {.nrows = 4000, .ncols = 4000},
           symmetric = {.nrows = 4000, .ncols = 4000, .symmetric = true},
           even = {.nrows = 3000, .ncols = 700};
    for (uint64_t r = 0, length = 9000; r < 600; r++, length = length * 9 / 10)
        for (uint64_t k = 0; k < length + r % 8; k++)
            add(&classes, r * 7 % 600, (k * 7919 + 31 * r) % 9000);
    add_random(&wide, 20000, true, 1);
    add_random(&tall, 20000, true, 2);
    add_random(&random, 15000, true, 3);
    add_random(&square, 15000, true, 4);
    add_random(&even, 15000, false, 5);
    add_random(&symmetric, 7000, true, 11);
    for (uint64_t k = 0; k < 7000; k++)
        add(&symmetric, symmetric.col[k], symmetric.row[k]);
    check("rows of all classes", &classes, BOTH);
    check("wide", &wide, BOTH);
    check("tall", &tall, BOTH);
    check("random rows and columns", &random, BOTH);
    check("square", &square, BOTH);
    check("symmetric", &symmetric, BOTH);
    check("uniform", &even, BOTH);
    unsetenv("SEMLA_TRAVERSAL");
}

/* Matrices with as many columns as a tile, one less and one more; and of two tiles. */
static void test_tile_sizes(void **unused)
{
    enum { TILE = 28 << 10 }; /* SUM_TILE_COLUMNS, where shared memory has room */
    static const uint64_t sizes[] = {TILE - 1, TILE, TILE + 1, 2 * TILE, 2 * TILE + 1};
    setenv("SEMLA_TRAVERSAL", "tiles,pieces=5", 1);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        tuples t = {.nrows = 9, .ncols = sizes[s]};
        for (uint64_t k = 0; k < sizes[s]; k++) {
            add(&t, 4, k);
            add(&t, 7, k / 2);
            if (k % 5 == 0)
                add(&t, k % 9, k);
        }
        sl_matrix *A = matrix_of(engine, &t), *right = matrix_of(host, &t);
        over_tiles = 0;
        compare("a tile", A, right,
                &(product){.ring = SL_PLUS_SECOND_FP64, .type = SL_FP64, .full = true, .times = 1});
        compare("a tile", A, right,
                &(product){.ring = SL_PLUS_FIRST_FP32,
                           .type = SL_FP32,
                           .vxm = true,
                           .transposed = true,
                           .full = true,
                           .times = 1});
        sl_matrix_free(A);
        sl_matrix_free(right);
        t.type = SL_FP32;
        A = matrix_of(engine, &t);
        right = matrix_of(host, &t);
        compare("a tile with values", A, right,
                &(product){.ring = SL_PLUS_TIMES_FP32, .type = SL_FP32, .full = true, .times = 1});
        assert_true(!counts_tiles() || over_tiles == 3);
        sl_matrix_free(A);
        sl_matrix_free(right);
        free_tuples(&t);
    }
    unsetenv("SEMLA_TRAVERSAL");
}

/* A row whose chunks do not fit in a block's shared memory, one whose chunks do, and short rows. */
static void test_long_rows(void **unused)
{
    enum { LONG = 2000000 }; /* 15,625 chunks of 128 columns */
    setenv("SEMLA_TRAVERSAL", "tiles,pieces=5", 1);
    tuples t = {.nrows = 40, .ncols = LONG};
    for (uint64_t k = 0; k < LONG; k++) {
        add(&t, 11, k);
        if (k % 2)
            add(&t, 23, k);
        if (k % 50000 == 0)
            add(&t, k / 50000, k + k % 7 + 1);
    }
    add_random(&t, 4000, true, 10);
    sl_matrix *A = matrix_of(engine, &t), *right = matrix_of(host, &t);
    over_tiles = 0;
    compare("long rows", A, right,
            &(product){.ring = SL_PLUS_SECOND_FP64, .type = SL_FP64, .full = true, .times = 1});
    compare("long rows", A, right,
            &(product){.ring = SL_PLUS_SECOND_FP32, .type = SL_FP32, .full = true, .times = 1});
    assert_true(!counts_tiles() || over_tiles == 2);
    sl_matrix_free(A);
    sl_matrix_free(right);
    free_tuples(&t);
    unsetenv("SEMLA_TRAVERSAL");
}

/* NaN and a number: the least and the greatest are the number. NaN alone stays. */
static void test_nan(void **unused)
{
    enum { ROWS = 3000 };
    const sl_semiring rings[] = {SL_MIN_SECOND_FP64, SL_MAX_PLUS_FP64};
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    tuples t = {.nrows = ROWS, .ncols = ROWS, .type = SL_FP64};
    for (uint64_t k = 0; k < ROWS; k++) { /* rows 0 and 1 have half of the columns */
        add(&t, k % 2, k);
        add(&t, k, k % 7);
    }
    for (int r = 0; r < 2; r++) {
        sl_arrays results[2];
        for (int side = 0; side < 2; side++) {
            sl_context *ctx = side ? engine : host;
            sl_matrix *A = matrix_of(ctx, &t);
            sl_vector *u = numbers(ctx, SL_FP64, ROWS, true), *w;
            for (uint64_t k = 0; k < ROWS; k++)
                if (k % 2 || k == 0)
                    OK(ctx, sl_vector_set(u, k, sl_scalar_fp64(NAN)));
            OK(ctx, sl_vector_new(&w, ctx, SL_FP64, ROWS));
            for (int times = 0; times < 2; times++)
                OK(ctx, sl_mxv(w, NULL, NULL, rings[r], A, u, NULL));
            OK(ctx, sl_vector_copy_out(&results[side], w, SL_FORMAT_LIST));
            OK(ctx, sl_arrays_expand(ctx, &results[side]));
            sl_vector_free(u);
            sl_vector_free(w);
            sl_matrix_free(A);
        }
        assert_true(results[0].nvals == ROWS && results[1].nvals == ROWS);
        for (uint64_t k = 0; k < ROWS; k++) {
            const double x = ((double *)results[0].values)[k], y = ((double *)results[1].values)[k];
            assert_true(x == y || (isnan(x) && isnan(y)));
        }
        assert_true(isnan(((double *)results[1].values)[1]));
        sl_arrays_free(&results[0]);
        sl_arrays_free(&results[1]);
    }
    free_tuples(&t);
    unsetenv("SEMLA_TRAVERSAL");
}

/* ---- values with which a missing entry does not add nothing --------------------------------- */

/* The entries of w = u A, where u lacks every third entry, and A and u have each a value of their own. *over: whether
 * tiles summed. */
static sl_arrays partial_product(bool *over, sl_context *ctx, sl_semiring ring, sl_type stored,
                                 double in_matrix, double in_vector)
{
    enum { N = 2000 };
    tuples t = {.nrows = N, .ncols = N, .type = stored};
    sl_vector *u = numbers(ctx, ring->result, N, false), *w;
    sl_arrays out;
    for (uint64_t k = 0; k < N; k++) {
        add(&t, k, 17);
        add(&t, k, k / 2);
        add(&t, k * k % N, 23 + k % 9);
    }
    sl_matrix *A = matrix_of(ctx, &t);
    OK(ctx, sl_matrix_set(A, 4, 17, sl_scalar_fp64(in_matrix))); /* u has no entry 4 */
    OK(ctx, sl_vector_set(u, 6, sl_scalar_fp64(in_vector))); /* nor entry 7: w(3) has one term */
    for (int times = 0; times < 2; times++) {                /* the second makes tiles */
        OK(ctx, sl_vector_new(&w, ctx, ring->result, N));
        OK(ctx, sl_vxm(w, NULL, NULL, ring, u, A, NULL));
        *over = ctx->library && strcmp(ctx->library, "tiles") == 0;
        if (times == 0)
            sl_vector_free(w);
    }
    OK(ctx, sl_vector_copy_out(&out, w, SL_FORMAT_LIST));
    OK(ctx, sl_arrays_expand(ctx, &out));
    sl_vector_free(w);
    sl_vector_free(u);
    sl_matrix_free(A);
    free_tuples(&t);
    return out;
}

static double number(sl_semiring ring, const void *value)
{
    return sl_scalar_cast(sl_scalar_load(ring->result, value), SL_FP64).as.fp64_;
}

static void test_far_values(void **unused)
{
    const struct {
        sl_semiring ring;
        sl_type stored;
        double in_matrix, in_vector;
        bool over;
    } cases[] = {
        {SL_PLUS_TIMES_FP64, SL_FP64, 1e300, 5, true},
        {SL_PLUS_TIMES_FP64, SL_FP64, INFINITY, 5, false},
        {SL_PLUS_TIMES_FP64, SL_FP64, NAN, 5, false},
        {SL_PLUS_TIMES_FP64, SL_FP64, 3, INFINITY, true},
        {SL_PLUS_TIMES_FP32, SL_FP64, 1e300, 5, false},
        {SL_MIN_PLUS_FP64, SL_FP64, -INFINITY, INFINITY, true},
        {SL_MIN_PLUS_FP64, SL_FP64, 3, NAN, true},
        {SL_MIN_PLUS_FP32, SL_FP32, 3, INFINITY, true},
        {SL_MAX_PLUS_FP64, SL_FP32, NAN, -INFINITY, true},
        {SL_MAX_PLUS_FP32, SL_FP64, 1e300, 5, true},
        {SL_MIN_FIRST_FP32, SL_FP32, 3, NAN, true},
        {SL_MIN_FIRST_INT32, SL_INT32, 3, INT32_MAX, true},
        {SL_MIN_FIRST_INT64, SL_INT64, 3, 5, true},
        {SL_MAX_FIRST_UINT64, SL_UINT64, 3, 0, true},
        {SL_MIN_PLUS_INT32, SL_INT32, 1 << 27, 1 << 27, true},
        {SL_MIN_PLUS_INT32, SL_INT32, INT32_MIN, 5, false},
        {SL_MIN_PLUS_INT32, SL_INT32, 5, INT32_MAX, false},
        {SL_MAX_PLUS_INT32, SL_FP64, -(1 << 27), -(1 << 27), true},
        {SL_MAX_PLUS_INT32, SL_FP64, 5, INT32_MIN, false},
        {SL_MIN_PLUS_UINT32, SL_UINT32, 1 << 28, 1 << 28, true},
        {SL_MIN_PLUS_UINT32, SL_INT32, -1, 5, false},
        {SL_MIN_PLUS_UINT32, SL_UINT32, 5, UINT32_MAX, false},
        {SL_MIN_PLUS_INT64, SL_INT64, 0x1p59, 0x1p59, true},
        {SL_MIN_PLUS_INT64, SL_INT64, -0x1p62, 5, false},
        {SL_MIN_PLUS_UINT64, SL_UINT64, 5, 0x1p63, false},
        {SL_MAX_PLUS_INT64, SL_INT64, 5, -0x1p63, false},
        {SL_MAX_TIMES_FP64, SL_FP64, INFINITY, NAN, true},
        {SL_MAX_TIMES_INT64, SL_INT64, 3, 5, false},
        {SL_MAX_MIN_FP32, SL_FP64, INFINITY, -INFINITY, true},
        {SL_MIN_MAX_FP64, SL_FP64, NAN, NAN, false},
        {SL_MIN_MAX_INT32, SL_INT32, INT32_MIN, INT32_MAX, true},
        {SL_MAX_MIN_UINT64, SL_UINT64, 0, 0x1p63, true},
    };
    (void)unused;
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        sl_arrays results[2];
        bool over;
        for (int side = 0; side < 2; side++)
            results[side] =
                partial_product(&over, side ? engine : host, cases[c].ring, cases[c].stored,
                                cases[c].in_matrix, cases[c].in_vector);
        assert_int_equal(results[0].nvals, results[1].nvals);
        assert_memory_equal(results[0].rows, results[1].rows,
                            results[0].nvals * sizeof *results[0].rows);
        for (uint64_t k = 0; k < results[0].nvals; k++) {
            const size_t size = sl_type_size(cases[c].ring->result);
            const char *x = (char *)results[0].values + k * size,
                       *y = (char *)results[1].values + k * size;
            assert_true(memcmp(x, y, size) == 0 ||
                        (isnan(number(cases[c].ring, x)) && isnan(number(cases[c].ring, y))));
        }
        if (counts_tiles() && over != cases[c].over)
            fail_msg("%s with %g and %g: %sover tiles", cases[c].ring->name, cases[c].in_matrix,
                     cases[c].in_vector, over ? "" : "not ");
        sl_arrays_free(&results[0]);
        sl_arrays_free(&results[1]);
    }
    unsetenv("SEMLA_TRAVERSAL");
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nan),        cmocka_unit_test(test_tiny),
        cmocka_unit_test(test_hubs),       cmocka_unit_test(test_path),
        cmocka_unit_test(test_rectangles), cmocka_unit_test(test_tile_sizes),
        cmocka_unit_test(test_long_rows),  cmocka_unit_test(test_far_values),
    };
    return compare_engines(tests, sizeof tests / sizeof *tests, false);
}
