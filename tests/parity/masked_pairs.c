/*
 * Masked products over plus_pair, C<M> accum= A B' and C<M> accum= A T with T = B', on every engine, compared
 * with SuiteSparse: rows of A shorter and longer than the GPU's tables and bitmaps, rows of B much longer than
 * those of A, rows of the mask in many pieces, masks by value and by pattern, empty operands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_and_engine.h"

/* Rows have up to `few` random columns; every `every`-th row (0: none) up to `many`. */
typedef struct {
    uint64_t nrows, ncols, few, every, many;
} shape;

typedef struct {
    const char *name;
    shape A, B; /* the mask and C have A.nrows rows and B.nrows columns */
    uint64_t mask_few, mask_every, mask_many;
} trial;

static const trial trials[] = {
    {"one", {1, 1, 1, 0, 0}, {1, 1, 1, 0, 0}, 1, 0, 0},
    {"empty", {30, 20, 0, 0, 0}, {10, 20, 3, 0, 0}, 4, 0, 0},
    {"no columns", {30, 0, 0, 0, 0}, {10, 0, 0, 0, 0}, 4, 0, 0},
    {"empty mask", {30, 20, 4, 0, 0}, {10, 20, 3, 0, 0}, 0, 0, 0},
    {"short rows", {900, 300, 9, 0, 0}, {700, 300, 7, 0, 0}, 12, 0, 0},
    {"rows for blocks", {200, 5000, 40, 3, 900}, {300, 5000, 60, 5, 2000}, 30, 0, 0},
    {"rows in parts", {20, 40000, 10, 4, 9000}, {60, 40000, 50, 6, 12000}, 40, 0, 0},
    {"rows in parts, for tables", {20, 600000, 100, 4, 9000}, {60, 600000, 50, 6, 12000}, 40, 0, 0},
    {"rows in tables", {12, 5000000, 50, 3, 9000}, {40, 5000000, 50, 4, 12000}, 30, 0, 0},
    {"few columns far apart", {300, 900000, 90, 0, 0}, {900, 900000, 200, 0, 0}, 60, 0, 0},
    {"one or two columns", {5000, 3000, 2, 0, 0}, {4000, 3000, 2, 0, 0}, 2, 50, 90},
    {"rows of B of every length", {64, 2000, 500, 0, 0}, {700, 2000, 40, 3, 300}, 300, 0, 0},
    {"long rows of the mask", {12, 700, 5, 3, 400}, {9000, 700, 6, 0, 0}, 10, 4, 8000},
    {"B is much longer", {400, 9000, 3, 0, 0}, {90, 9000, 5, 2, 6000}, 20, 0, 0},
    {"dense", {60, 70, 70, 0, 0}, {50, 70, 70, 0, 0}, 50, 0, 0},
};

static sl_matrix *cast_of(const sl_matrix *A, sl_type type)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_matrix *cast;
    OK(ctx, sl_matrix_new(&cast, ctx, type, sl_matrix_nrows(A), sl_matrix_ncols(A)));
    OK(ctx, sl_matrix_assign(cast, NULL, NULL, A, SL_ALL, 0, SL_ALL, 0, NULL));
    return cast;
}

static sl_matrix *matrix_of(sl_context *ctx, const shape *s, sl_type type, uint64_t random)
{
    const uint64_t room = s->nrows * (s->few > s->many ? s->few : s->many) + 1;
    uint64_t *rows = malloc(room * sizeof *rows), *cols = malloc(room * sizeof *cols), count = 0;
    int64_t *values = malloc(room * sizeof *values);
    sl_matrix *A, *cast;
    for (uint64_t i = 0; i < s->nrows; i++) {
        const uint64_t most = s->every && i % s->every == 1 ? s->many : s->few;
        const uint64_t entries = s->ncols && most ? test_random(&random) % (most + 1) : 0;
        for (uint64_t k = 0; k < entries; k++, count++) {
            rows[count] = i;
            cols[count] = test_random(&random) % s->ncols;
            values[count] = (int64_t)(test_random(&random) % 3);
        }
    }
    OK(ctx, sl_matrix_new(&A, ctx, SL_INT64, s->nrows, s->ncols));
    OK(ctx, sl_matrix_build(A, rows, cols, values, count, SL_FIRST_INT64));
    cast = cast_of(A, type);
    sl_matrix_free(A);
    free(rows);
    free(cols);
    free(values);
    return cast;
}

/* The operands of a trial in one context. */
typedef struct {
    sl_context *ctx;
    const trial *t;
    sl_matrix *A, *B, *T, *M, *C; /* C: int64, cast to the type of the result for each product */
} operands;

static operands make_operands(sl_context *ctx, const trial *t)
{
    const shape mask = {t->A.nrows, t->B.nrows, t->mask_few, t->mask_every, t->mask_many};
    operands o = {.ctx = ctx,
                  .t = t,
                  .A = matrix_of(ctx, &t->A, SL_FP32, 1),
                  .B = matrix_of(ctx, &t->B, SL_INT64, 2),
                  .M = matrix_of(ctx, &mask, SL_INT8, 3),
                  .C = matrix_of(ctx, &mask, SL_INT64, 4)};
    OK(ctx, sl_matrix_new(&o.T, ctx, SL_INT64, t->B.ncols, t->B.nrows));
    OK(ctx, sl_transpose(o.T, NULL, NULL, o.B, NULL));
    return o;
}

static void free_operands(operands *o)
{
    sl_matrix_free(o->A);
    sl_matrix_free(o->B);
    sl_matrix_free(o->T);
    sl_matrix_free(o->M);
    sl_matrix_free(o->C);
}

static sl_arrays product_of(const operands *o, sl_semiring ring, unsigned flags, bool accumulates)
{
    const sl_type type = ring->add->type;
    sl_matrix *C = cast_of(o->C, type);
    sl_arrays out;
    OK(o->ctx, sl_mxm(C, o->M, accumulates ? sl_binary_op_get(SL_BINARY_PLUS, type) : NULL, ring,
                      o->A, flags & SL_TRANSPOSE_B ? o->B : o->T, sl_descriptor_get(flags)));
    OK(o->ctx, sl_matrix_copy_out(&out, C, SL_FORMAT_CSR));
    OK(o->ctx, sl_arrays_expand(o->ctx, &out));
    sl_matrix_free(C);
    return out;
}

static void check(const operands *right, const operands *tried, sl_semiring ring, unsigned flags,
                  bool accumulates)
{
    const trial *t = right->t;
    sl_arrays expected = product_of(right, ring, flags, accumulates);
    sl_arrays got = product_of(tried, ring, flags, accumulates);
    const size_t count = expected.nvals, size = sl_type_size(ring->add->type);
    if (got.nvals != count ||
        memcmp(got.start, expected.start, (t->A.nrows + 1) * sizeof *got.start) != 0 ||
        memcmp(got.cols, expected.cols, count * sizeof *got.cols) != 0 ||
        memcmp(got.values, expected.values, count * size) != 0)
        fail_msg("%s: %s, descriptor %u%s: %d entries, expected %d, or other values", t->name,
                 ring->name, flags, accumulates ? ", accumulated" : "", (int)got.nvals, (int)count);
    sl_arrays_free(&expected);
    sl_arrays_free(&got);
}

static void masked_pairs(void **state)
{
    (void)state;
    const sl_semiring rings[] = {SL_PLUS_PAIR_INT64, SL_PLUS_PAIR_UINT32, SL_PLUS_PAIR_INT8,
                                 SL_PLUS_PAIR_FP64};
    for (size_t k = 0; k < sizeof trials / sizeof *trials; k++) {
        operands right = make_operands(host, &trials[k]), tried = make_operands(engine, &trials[k]);
        for (size_t r = 0; r < sizeof rings / sizeof *rings; r++)
            for (unsigned how = 0; how < 8; how++) {
                /* Half of the ways: all ways of any two of the three bits. */
                if ((__builtin_popcount(how) + r) % 2)
                    continue;
                const unsigned flags = (how & 1 ? SL_STRUCTURE : 0) | (how & 2 ? SL_REPLACE : 0);
                check(&right, &tried, rings[r], flags | SL_TRANSPOSE_B, how & 4);
                if (r == 0)
                    check(&right, &tried, rings[r], flags, how & 4);
            }
        free_operands(&right);
        free_operands(&tried);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(masked_pairs)};
    return compare_engines(tests, sizeof tests / sizeof *tests, false);
}
