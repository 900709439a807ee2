/*
 * Products of a matrix of few rows, which have many entries, on every engine, compared with SuiteSparse. A GPU
 * multiplies such rows as vectors if SEMLA_TRAVERSAL has the word `tiles`, as here, or the second factor is large. Rows
 * without entries, one that is full, masks of each kind, a transposed factor, accumulators, the output as a factor.
 */
#include <semla/engine.h>

#include <stdlib.h>
#include <string.h>

#include "host_and_engine.h"

enum { INNER = 150, MOST_COLUMNS = 260, MOST_ROWS = 9, DEGREE = 6 };

typedef struct {
    uint64_t rows, columns;
    sl_semiring ring;
    sl_type type; /* of the factors */
    bool masked, accumulates, transposed, itself;
    unsigned flags;
} trial;

/* Entries with a probability of `percent`, values 1 to 9; row 1 is full and row 2 empty, if `uneven`. */
static sl_matrix *matrix_of(sl_context *ctx, uint64_t rows, uint64_t columns, unsigned percent,
                            sl_type type, bool uneven, uint64_t random)
{
    static uint64_t row[INNER * MOST_COLUMNS], column[INNER * MOST_COLUMNS];
    static int64_t value[INNER * MOST_COLUMNS];
    uint64_t count = 0;
    sl_matrix *A, *cast;
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t j = 0; j < columns; j++) {
            const bool chosen = test_random(&random) % 100 < percent;
            if (uneven && i < 3 ? i == 1 || (i == 0 && chosen) : chosen) {
                row[count] = i;
                column[count] = j;
                value[count++] = 1 + (int64_t)(test_random(&random) % 9);
            }
        }
    OK(ctx, sl_matrix_new(&A, ctx, SL_INT64, rows, columns));
    OK(ctx, sl_matrix_build(A, row, column, value, count, SL_FIRST_INT64));
    OK(ctx, sl_matrix_new(&cast, ctx, type, rows, columns));
    OK(ctx, sl_matrix_assign(cast, NULL, NULL, A, SL_ALL, 0, SL_ALL, 0, NULL));
    sl_matrix_free(A);
    return cast;
}

/* Counts products that ran over tiles. */
static unsigned over_tiles;

static sl_csr product_of(sl_context *ctx, const trial *t, uint64_t seed)
{
    const sl_type type = t->ring->add->type;
    const uint64_t columns = t->itself ? INNER : t->columns;
    sl_matrix *A = matrix_of(ctx, t->rows, INNER, 40, t->itself ? type : t->type, true, seed);
    sl_matrix *B = t->transposed ? matrix_of(ctx, columns, INNER, DEGREE, t->type, false, seed + 1)
                                 : matrix_of(ctx, INNER, columns, DEGREE, t->type, false, seed + 1);
    sl_matrix *M = matrix_of(ctx, t->rows, columns, 50, SL_INT8, true, seed + 2), *C = A;
    sl_csr out;
    /* a third of the values of the mask become 0 */
    OK(ctx, sl_matrix_apply_second(M, NULL, NULL, sl_binary_op_get(SL_BINARY_GT, SL_INT8), M,
                                   sl_scalar_int64(3), NULL));
    if (!t->itself)
        C = matrix_of(ctx, t->rows, columns, 30, type, false, seed + 3);
    for (int k = 0; k < 2; k++) { /* tiles are there the second time */
        OK(ctx, sl_mxm(C, t->masked ? M : NULL,
                       t->accumulates ? sl_binary_op_get(SL_BINARY_PLUS, type) : NULL, t->ring, A,
                       B, sl_descriptor_get(t->flags | (t->transposed ? SL_TRANSPOSE_B : 0))));
        over_tiles += ctx == engine && ctx->library && strcmp(ctx->library, "tiles") == 0;
    }
    OK(ctx, sl_matrix_copy_csr(&out, C));
    if (C != A)
        sl_matrix_free(C);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(M);
    return out;
}

/* Value number k, 1 if there are none. */
static const char *value_at(const sl_csr *csr, const sl_scalar *one, uint64_t k)
{
    return csr->values ? (const char *)csr->values + k * sl_type_size(csr->type)
                       : (const char *)&one->as;
}

static void compare(const trial *t, uint64_t seed)
{
    sl_csr expected = product_of(host, t, seed), got = product_of(engine, t, seed);
    const uint64_t nnz = expected.start[t->rows];
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), expected.type);
    bool same = memcmp(got.start, expected.start, (t->rows + 1) * sizeof *got.start) == 0 &&
                memcmp(got.index, expected.index, nnz * sizeof *got.index) == 0;
    for (uint64_t k = 0; k < nnz && same; k++)
        same = memcmp(value_at(&got, &one, k), value_at(&expected, &one, k),
                      sl_type_size(expected.type)) == 0;
    if (!same)
        fail_msg("trial %d: %d rows, %s, flags %u: other entries", (int)seed, (int)t->rows,
                 t->ring->name, t->flags);
    free_rows(&expected);
    free_rows(&got);
}

static void few_rows(void **state)
{
    (void)state;
    const sl_semiring rings[] = {
        SL_PLUS_TIMES_FP64,  SL_MIN_PLUS_INT32,
        SL_LOR_LAND_BOOL,    sl_semiring_get(SL_SEMIRING_PLUS_FIRST, SL_FP64),
        SL_PLUS_TIMES_INT64, sl_semiring_get(SL_SEMIRING_ANY_PAIR, SL_BOOL)};
    static const unsigned flags[] = {SL_STRUCTURE | SL_COMPLEMENT | SL_REPLACE, 0,
                                     SL_STRUCTURE | SL_REPLACE, SL_COMPLEMENT};
    uint64_t seed = 100;
    over_tiles = 0;
    for (size_t r = 0; r < sizeof rings / sizeof *rings; r++)
        for (unsigned k = 0; k < 16; k++, seed += 10) {
            const trial t = {.rows = 1 + (k * 5 + r) % MOST_ROWS,
                             .columns = k % 3 ? INNER : MOST_COLUMNS,
                             .ring = rings[r],
                             .type = k % 5 ? rings[r]->multiply->type : SL_INT16,
                             .masked = k % 4 != 3,
                             .accumulates = k % 7 == 2,
                             .transposed = k % 5 == 1,
                             .itself = k % 8 == 6,
                             .flags = k % 4 != 3 ? flags[k / 4] : 0};
            compare(&t, seed);
        }
    if (tested.choice == SL_ENGINE_CUDA)
        assert_true(over_tiles > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_rows)};
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    return compare_engines(tests, sizeof tests / sizeof *tests, false);
}
