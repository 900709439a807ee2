/*
 * Products of a matrix and a full vector over plus, on matrices without a reordered graph: every engine
 * compared with SuiteSparse, and the GPU's sums over tiles counted, by SEMLA_TRAVERSAL=tiles on hostile
 * shapes and by the engine's own choice on large ones. Matrices are patterns, or have values. Values are small
 * integers, so that sums are exact in any order.
 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semla/engine.h>
#include <semla/io.h>

#include "host_and_engine.h"
#include "try.h"

/* ---- matrices ------------------------------------------------------------------------------- */

/* The tuples of a matrix, which may be equal. */
typedef struct {
    uint64_t nrows, ncols, count, room;
    uint64_t *row, *col;
    bool symmetric; /* and known to be */
    sl_type type;   /* SL_BOOL: a pattern */
} tuples;

static void add(tuples *t, uint64_t row, uint64_t col)
{
    if (t->count == t->room) {
        t->room = 2 * t->room + 64;
        t->row = realloc(t->row, t->room * sizeof *t->row);
        t->col = realloc(t->col, t->room * sizeof *t->col);
    }
    t->row[t->count] = row;
    t->col[t->count++] = col;
}

static void free_tuples(tuples *t)
{
    free(t->row);
    free(t->col);
    *t = (tuples){0};
}

static sl_matrix *matrix_of(sl_context *ctx, const tuples *t)
{
    const sl_binary_op dup =
        t->type == SL_BOOL ? SL_LOR_BOOL : sl_binary_op_get(SL_BINARY_MAX, t->type);
    float *narrow = malloc((t->count + 1) * sizeof *narrow);
    double *wide = malloc((t->count + 1) * sizeof *wide);
    sl_matrix *A;
    for (uint64_t k = 0; k < t->count; k++)
        narrow[k] = (float)(wide[k] = (double)((3 * t->row[k] + 5 * t->col[k]) % 7));
    OK(ctx, sl_matrix_new(&A, ctx, t->type, t->nrows, t->ncols));
    OK(ctx, sl_matrix_build(A, t->row, t->col,
                            t->type == SL_FP64   ? (void *)wide
                            : t->type == SL_FP32 ? (void *)narrow
                                                 : NULL,
                            t->count, dup));
    free(narrow);
    free(wide);
    if (t->symmetric)
        OK(ctx, sl_matrix_promise_symmetric(A));
    return A;
}

/* A random number below n; the cube of a uniform one, so that small numbers are frequent, if `hubs`. */
static uint64_t random_below(uint64_t *state, uint64_t n, bool hubs)
{
    const double x = (double)(test_random(state) >> 11) / (double)((uint64_t)1 << 53);
    const uint64_t k = (uint64_t)((hubs ? x * x * x : x) * (double)n);
    return hubs ? k * 7919 % n : k; /* hubs are not the first rows and columns */
}

static void add_random(tuples *t, uint64_t count, bool hubs, uint64_t seed)
{
    for (uint64_t k = 0; k < count; k++) {
        const uint64_t row = random_below(&seed, t->nrows, hubs);
        add(t, row, random_below(&seed, t->ncols, hubs));
    }
}

/* ---- products --------------------------------------------------------------------------------- */

typedef struct {
    sl_semiring ring;
    sl_type type;
    bool vxm, transposed;
    bool full;                   /* u has all entries, otherwise not the last one */
    bool accumulates, onto_same; /* onto a full w, of different values or of one */
    unsigned times;              /* the product is computed so often, each onto a new w */
} product;

/* Entries at all indices below n, the last one if `full`. */
static sl_vector *numbers(sl_context *ctx, sl_type type, uint64_t n, bool full)
{
    sl_vector *v, *cast;
    uint64_t *index = malloc((n + 1) * sizeof *index), count = full || n == 0 ? n : n - 1;
    double *value = malloc((n + 1) * sizeof *value);
    for (uint64_t k = 0; k < n; k++) {
        index[k] = k;
        value[k] = (double)(k * 5 % 13);
    }
    OK(ctx, sl_vector_new(&v, ctx, SL_FP64, n));
    OK(ctx, sl_vector_build(v, index, value, count, NULL));
    OK(ctx, sl_vector_new(&cast, ctx, type, n));
    OK(ctx, sl_vector_assign(cast, NULL, NULL, v, SL_ALL, 0, NULL));
    sl_vector_free(v);
    free(index);
    free(value);
    return cast;
}

static sl_vector *output(sl_context *ctx, uint64_t n, const product *p)
{
    sl_vector *w;
    if (p->accumulates && !p->onto_same)
        return numbers(ctx, p->type, n, true);
    OK(ctx, sl_vector_new(&w, ctx, p->type, n));
    if (p->onto_same)
        OK(ctx, sl_vector_assign_scalar(w, NULL, NULL, sl_scalar_fp64(7), SL_ALL, 0, NULL));
    return w;
}

/* Counts products that ran over tiles. */
static unsigned over_tiles;

static sl_arrays product_of(sl_context *ctx, const sl_matrix *A, const product *p)
{
    const bool over_rows = p->vxm != p->transposed;
    const uint64_t nrows = sl_matrix_nrows(A), ncols = sl_matrix_ncols(A);
    sl_vector *u = numbers(ctx, p->type, over_rows ? nrows : ncols, p->full), *w = NULL;
    const sl_binary_op accum = p->accumulates ? sl_binary_op_get(SL_BINARY_PLUS, p->type) : NULL;
    const sl_descriptor desc = sl_descriptor_get(!p->transposed ? 0
                                                 : p->vxm       ? SL_TRANSPOSE_B
                                                                : SL_TRANSPOSE_A);
    sl_arrays out;
    for (unsigned k = 0; k < (ctx == host ? 1 : p->times); k++) {
        sl_vector_free(w);
        w = output(ctx, over_rows ? ncols : nrows, p);
        OK(ctx, p->vxm ? sl_vxm(w, NULL, accum, p->ring, u, A, desc)
                       : sl_mxv(w, NULL, accum, p->ring, A, u, desc));
        over_tiles += ctx == engine && ctx->library && strcmp(ctx->library, "tiles") == 0;
    }
    OK(ctx, sl_vector_copy_out(&out, w, SL_FORMAT_LIST));
    OK(ctx, sl_arrays_expand(ctx, &out));
    sl_vector_free(u);
    sl_vector_free(w);
    return out;
}

static void compare(const char *name, const sl_matrix *A, const sl_matrix *right, const product *p)
{
    sl_arrays expected = product_of(host, right, p), got = product_of(engine, A, p);
    const size_t count = expected.nvals;
    if (got.nvals != count || memcmp(got.rows, expected.rows, count * sizeof *got.rows) != 0 ||
        memcmp(got.values, expected.values, count * sl_type_size(p->type)) != 0)
        fail_msg("%s: %s by %s%s%s differs: %d entries, expected %d", name, p->ring->name,
                 p->vxm ? "vxm" : "mxv", p->transposed ? " of the transpose" : "",
                 p->accumulates ? " with an accumulator" : "", (int)got.nvals, (int)count);
    sl_arrays_free(&expected);
    sl_arrays_free(&got);
}

static bool counts_tiles(void)
{
    return tested.choice == SL_ENGINE_CUDA;
}

/* Which sums of a full vector's values run over tiles: those over the entries of a row, of a column. */
enum { NONE, OF_ROWS, OF_COLUMNS, BOTH };

/* All kinds of products that add values of the vector, or its products with values of the matrix. */
static void check_type(const char *name, const tuples *t, unsigned tiles)
{
    const bool valued = t->type != SL_BOOL;
    const sl_semiring rings[] = {SL_PLUS_SECOND_FP64, SL_PLUS_FIRST_FP64, SL_PLUS_TIMES_FP64,
                                 SL_PLUS_SECOND_FP32, SL_PLUS_FIRST_FP32, SL_PLUS_TIMES_FP32};
    sl_matrix *A = matrix_of(engine, t), *right = matrix_of(host, t);
    for (unsigned how = 0; how < 16; how++)
        for (int r = 0; r < 6; r++) {
            /* FP64 has one half of the ways, FP32 the other: each half has all ways of three of the four bits. */
            if ((__builtin_popcount(how) + r / 3) % 2)
                continue;
            /* Of a matrix with values: only products with full vectors that read them, and one that does not. */
            if (valued && (!(how & 8) || (r % 3 != 2 && how != 9)))
                continue;
            product p = {.ring = rings[r],
                         .type = r < 3 ? SL_FP64 : SL_FP32,
                         .vxm = how & 1,
                         .transposed = how & 2,
                         .accumulates = how & 4,
                         .onto_same = (how & 4) && r % 2,
                         .full = how & 8,
                         .times = how == 8 ? 2 : 1};
            /* second of vxm and first of mxv are values of the matrix */
            const bool adds_vector =
                r % 3 == 2 ? !valued || p.type == t->type : (r % 3 == 1) == p.vxm;
            const bool expected =
                p.full && adds_vector && tiles & (p.vxm == p.transposed ? OF_ROWS : OF_COLUMNS);
            over_tiles = 0;
            compare(name, A, right, &p);
            if (counts_tiles() && over_tiles != (expected ? p.times : 0))
                fail_msg("%s: %u of %u products over tiles: %s by %s%s of a %s vector", name,
                         over_tiles, p.times, p.ring->name, p.vxm ? "vxm" : "mxv",
                         p.transposed ? " of the transpose" : "", p.full ? "full" : "sparse");
        }
    sl_matrix_free(A);
    sl_matrix_free(right);
}

static void check(const char *name, tuples *t, unsigned tiles)
{
    static const sl_type types[] = {SL_BOOL, SL_FP64, SL_FP32};
    for (int k = 0; k < 3; k++) {
        t->type = types[k];
        check_type(name, t, tiles);
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

/* ---- the engine's choice ----------------------------------------------------------------------- */

static uint64_t device_bytes(const sl_matrix *A)
{
    sl_placement placement;
    OK(engine, sl_matrix_placement(&placement, A));
    return placement.device_bytes;
}

static void test_choice(void **unused)
{
    if (!counts_tiles())
        return;
    const product wanted = {.ring = SL_PLUS_SECOND_FP64, .type = SL_FP64, .full = true, .times = 3};
    tuples hubs = {.nrows = 40000, .ncols = 60000}, even = {.nrows = 1 << 17, .ncols = 1 << 18},
           small = {.nrows = 4000, .ncols = 6000};
    add_random(&hubs, 1200000, true, 6);
    for (uint64_t k = 0; k < 8 * even.nrows; k++) /* a row's columns are in different tiles */
        add(&even, k / 8, (k / 8 + (k % 8 << 15)) % even.ncols);
    add_random(&small, 100000, true, 8);
    sl_matrix *A = matrix_of(engine, &hubs), *right = matrix_of(host, &hubs);
    over_tiles = 0;
    setenv("SEMLA_TRAVERSAL", "notiles", 1);
    product twice = wanted;
    twice.times = 2;
    compare("without tiles", A, right, &twice);
    assert_int_equal(over_tiles, 0);
    unsetenv("SEMLA_TRAVERSAL");
    const uint64_t before = device_bytes(A);
    compare("with tiles from the second product on", A, right, &wanted);
    assert_int_equal(over_tiles, 2);
    const uint64_t with_tiles = device_bytes(A);
    assert_true(with_tiles > before + hubs.count);
    product onto = wanted;
    onto.accumulates = true;
    onto.times = 1;
    compare("onto a vector", A, right, &onto);
    assert_int_equal(over_tiles, 3);
    /* a matrix that is written is put in order again */
    OK(engine, sl_matrix_set(A, 5, 17, sl_scalar_bool(true)));
    OK(host, sl_matrix_set(right, 5, 17, sl_scalar_bool(true)));
    OK(engine, sl_matrix_remove(A, hubs.row[0], hubs.col[0]));
    OK(host, sl_matrix_remove(right, hubs.row[0], hubs.col[0]));
    over_tiles = 0;
    compare("after a write", A, right, &twice);
    assert_int_equal(over_tiles, 1);
    sl_matrix_free(A);
    sl_matrix_free(right);
    hubs.type = SL_FP32;
    A = matrix_of(engine, &hubs);
    right = matrix_of(host, &hubs);
    over_tiles = 0;
    compare("with values from the second product on", A, right,
            &(product){.ring = SL_PLUS_TIMES_FP32, .type = SL_FP32, .full = true, .times = 2});
    assert_int_equal(over_tiles, 1);
    sl_matrix_free(A);
    sl_matrix_free(right);
    free_tuples(&hubs);

    tuples *const others[] = {&even, &small};
    for (int k = 0; k < 2; k++) {
        A = matrix_of(engine, others[k]);
        right = matrix_of(host, others[k]);
        over_tiles = 0;
        compare("tiles that do not pay", A, right, &wanted);
        assert_int_equal(over_tiles, 0);
        sl_matrix_free(A);
        sl_matrix_free(right);
        free_tuples(others[k]);
    }
}

/* ---- memory --------------------------------------------------------------------------------- */

/* A sum over tiles of a new matrix, with the values of t->type if it is fp64. */
static sl_status sum_once(void *of)
{
    const tuples *t = of;
    static const double values[500];
    const bool valued = t->type == SL_FP64;
    sl_matrix *A = NULL;
    sl_vector *u = NULL, *w = NULL;
    sl_status status;
    TRY_OR_OUT(sl_matrix_new(&A, engine, t->type, t->nrows, t->ncols));
    TRY_OR_OUT(sl_matrix_build(A, t->row, t->col, valued ? values : NULL, t->count,
                               valued ? SL_MAX_FP64 : SL_LOR_BOOL));
    TRY_OR_OUT(sl_vector_new(&u, engine, SL_FP64, t->ncols));
    TRY_OR_OUT(sl_vector_new(&w, engine, SL_FP64, t->nrows));
    TRY_OR_OUT(sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_fp64(2), SL_ALL, 0, NULL));
    TRY_OR_OUT(
        sl_mxv(w, NULL, NULL, valued ? SL_PLUS_TIMES_FP64 : SL_PLUS_SECOND_FP64, A, u, NULL));
    assert_true(engine->library && strcmp(engine->library, "tiles") == 0);
out:
    sl_matrix_free(A);
    sl_vector_free(u);
    sl_vector_free(w);
    return status;
}

/* Tiles that exist are not used while there is no memory for the sums of their chunks. */
static void check_room(bool prepared)
{
    const product wanted = {.ring = SL_PLUS_SECOND_FP64, .type = SL_FP64, .full = true, .times = 1};
    tuples t = {.nrows = 400, .ncols = 400, .symmetric = true};
    add_random(&t, 5000, true, 12);
    for (uint64_t k = 0; k < 5000; k++)
        add(&t, t.col[k], t.row[k]);
    sl_matrix *A = matrix_of(engine, &t), *right = matrix_of(host, &t);
    if (prepared)
        OK(engine, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    for (unsigned k = 0; k < 3; k++) {
        over_tiles = 0;
        setenv("SEMLA_CUDA_MEMORY", k == 1 ? "1" : "", 1);
        compare(prepared ? "little memory, prepared" : "little memory", A, right, &wanted);
        assert_int_equal(over_tiles, k != 1);
    }
    unsetenv("SEMLA_CUDA_MEMORY");
    sl_matrix_free(A);
    sl_matrix_free(right);
    free_tuples(&t);
}

static void test_room(void **unused)
{
    if (!counts_tiles())
        return;
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    check_room(false);
    check_room(true);
    unsetenv("SEMLA_TRAVERSAL");
}

static void test_memory(void **unused)
{
    if (!counts_tiles())
        return;
    tuples t = {.nrows = 30, .ncols = 40};
    add_random(&t, 500, true, 9);
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    for (int valued = 0; valued < 2; valued++) {
        t.type = valued ? SL_FP64 : SL_BOOL;
        OK(engine, sum_once(&t)); /* allocates what the process keeps */
        assert_true(allocator_fail_each(sum_once, &t) > 40);
    }
    unsetenv("SEMLA_TRAVERSAL");
    free_tuples(&t);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiny),       cmocka_unit_test(test_hubs),
        cmocka_unit_test(test_path),       cmocka_unit_test(test_rectangles),
        cmocka_unit_test(test_tile_sizes), cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_choice),     cmocka_unit_test(test_room),
        cmocka_unit_test(test_memory),
    };
    return compare_engines(tests, sizeof tests / sizeof *tests, false);
}
