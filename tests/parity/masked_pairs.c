/*
 * Masked products over plus_pair, C<M> accum= A B', on every engine, compared with SuiteSparse:
 * rows of A shorter and longer than the GPU's tables, rows of B much longer than those of A, rows
 * of the mask in many pieces, masks by value and by pattern, empty operands.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static sl_context *host, *engine;

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
    {"few columns far apart", {300, 900000, 90, 0, 0}, {900, 900000, 200, 0, 0}, 60, 0, 0},
    {"one or two columns", {5000, 3000, 2, 0, 0}, {4000, 3000, 2, 0, 0}, 2, 50, 90},
    {"rows of B of every length", {64, 2000, 500, 0, 0}, {700, 2000, 40, 3, 300}, 300, 0, 0},
    {"long rows of the mask", {12, 700, 5, 3, 400}, {9000, 700, 6, 0, 0}, 10, 4, 8000},
    {"B is much longer", {400, 9000, 3, 0, 0}, {90, 9000, 5, 2, 6000}, 20, 0, 0},
    {"dense", {60, 70, 70, 0, 0}, {50, 70, 70, 0, 0}, 50, 0, 0},
};

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
    OK(ctx, sl_matrix_new(&cast, ctx, type, s->nrows, s->ncols));
    OK(ctx, sl_matrix_assign(cast, NULL, NULL, A, SL_ALL, 0, SL_ALL, 0, NULL));
    sl_matrix_free(A);
    free(rows);
    free(cols);
    free(values);
    return cast;
}

static sl_arrays product_of(sl_context *ctx, const trial *t, sl_semiring ring, unsigned flags,
                            bool accumulates)
{
    const shape mask = {t->A.nrows, t->B.nrows, t->mask_few, t->mask_every, t->mask_many};
    const sl_type type = ring->add->type;
    sl_matrix *A = matrix_of(ctx, &t->A, SL_FP32, 1), *B = matrix_of(ctx, &t->B, SL_INT64, 2);
    sl_matrix *M = matrix_of(ctx, &mask, SL_INT8, 3), *C = matrix_of(ctx, &mask, type, 4);
    sl_arrays out;
    OK(ctx, sl_mxm(C, M, accumulates ? sl_binary_op_get(SL_BINARY_PLUS, type) : NULL, ring, A, B,
                   sl_descriptor_get(flags)));
    OK(ctx, sl_matrix_copy_out(&out, C, SL_FORMAT_CSR));
    OK(ctx, sl_arrays_expand(ctx, &out));
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(M);
    sl_matrix_free(C);
    return out;
}

static void check(const trial *t, sl_semiring ring, unsigned flags, bool accumulates)
{
    sl_arrays expected = product_of(host, t, ring, flags, accumulates);
    sl_arrays got = product_of(engine, t, ring, flags, accumulates);
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
    for (size_t k = 0; k < sizeof trials / sizeof *trials; k++)
        for (size_t r = 0; r < sizeof rings / sizeof *rings; r++)
            for (unsigned how = 0; how < 8; how++)
                check(&trials[k], rings[r],
                      SL_TRANSPOSE_B | (how & 1 ? SL_STRUCTURE : 0) | (how & 2 ? SL_REPLACE : 0),
                      how & 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(masked_pairs)};
    int failed = 0;
    size_t position = 0;
    sl_engine_info info;
    OK(NULL, sl_context_create(&host, SL_ENGINE_SUITESPARSE));
    while (next_engine(&info, &position)) {
        OK(NULL, sl_context_create(&engine, info.choice));
        failed += cmocka_run_group_tests_name(info.name, tests, NULL, NULL);
        sl_context_free(engine);
    }
    sl_context_free(host);
    return failed;
}
