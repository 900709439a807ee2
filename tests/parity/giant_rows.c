/*
 * Products of matrices with rows of more than GIANT_ROW products, on every engine, compared with SuiteSparse:
 * under masks of each kind, and on a GPU whose memory holds the tables of all such rows, or of some at a
 * time, and a column for each product or not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host_and_engine.h"

enum { INNER = 60, FEW = 3, PER_ROW = 4000 };

typedef struct {
    const char *memory; /* SEMLA_CUDA_MEMORY */
    uint64_t rows, columns;
} shape;

/* Tables have a bit for each column. An eighth of the free memory, or 16 MB, is for them, and as much for products. */
static const shape shapes[] = {
    {"", 3, 300000},
    {"120M", 24, 300000},          /* rows are counted before they are written */
    {"120M", 3, (1 << 27) + 70},   /* a row at a time */
    {"120M", 22, (1 << 25) + 500}, /* both */
};

/* Row i has `most` columns, or FEW of them if it is odd; values 1 to 3 of `type`. */
static sl_matrix *matrix_of(sl_context *ctx, uint64_t nrows, uint64_t ncols, uint64_t most,
                            sl_type type, uint64_t random)
{
    const uint64_t room = nrows * most;
    sl_csr csr = {.nrows = nrows, .ncols = ncols, .type = SL_INT64};
    sl_matrix *A, *cast;
    uint64_t count = 0;
    csr.start = sl_malloc((nrows + 1) * sizeof *csr.start);
    csr.index = sl_malloc(room * sizeof *csr.index);
    int64_t *values = csr.values = sl_malloc(room * sizeof *values);
    csr.start[0] = 0;
    for (uint64_t i = 0; i < nrows; i++) {
        const uint64_t want = i % 2 && most > INNER ? FEW : most;
        for (uint64_t k = 0; k < want; k++, count++) {
            const uint64_t begin = k * ncols / want, end = (k + 1) * ncols / want;
            csr.index[count] = begin + test_random(&random) % (end - begin);
            values[count] = 1 + (int64_t)(test_random(&random) % 3);
        }
        csr.start[i + 1] = count;
    }
    OK(ctx, sl_matrix_take_csr(&A, ctx, &csr));
    OK(ctx, sl_matrix_new(&cast, ctx, type, nrows, ncols));
    OK(ctx, sl_matrix_assign(cast, NULL, NULL, A, SL_ALL, 0, SL_ALL, 0, NULL));
    sl_matrix_free(A);
    return cast;
}

static sl_csr product_of(sl_context *ctx, const shape *s, sl_semiring ring, int kind)
{
    static const unsigned flags[] = {0, 0, SL_STRUCTURE | SL_COMPLEMENT, SL_COMPLEMENT};
    const sl_type type = ring->add->type;
    sl_matrix *A = matrix_of(ctx, s->rows, INNER, INNER, type, 1);
    sl_matrix *B = matrix_of(ctx, INNER, s->columns, 2 * PER_ROW, type, 2);
    sl_matrix *M = matrix_of(ctx, s->rows, s->columns, 50000, SL_INT64, 3), *truth, *C;
    sl_csr out;
    OK(ctx, sl_matrix_new(&truth, ctx, SL_BOOL, s->rows, s->columns)); /* half of M's values */
    OK(ctx, sl_matrix_apply_second(truth, NULL, NULL, SL_GT_INT64, M, sl_scalar_int64(1), NULL));
    OK(ctx, sl_matrix_new(&C, ctx, type, s->rows, s->columns));
    OK(ctx, sl_mxm(C, kind ? truth : NULL, NULL, ring, A, B, sl_descriptor_get(flags[kind])));
    OK(ctx, sl_matrix_copy_csr(&out, C));
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(M);
    sl_matrix_free(truth);
    sl_matrix_free(C);
    return out;
}

static void free_csr(sl_csr *csr)
{
    sl_free(csr->start);
    sl_free(csr->index);
    sl_free(csr->values);
}

static void compare(const shape *s, sl_semiring ring, int kind)
{
    sl_csr expected = product_of(host, s, ring, kind), got;
    setenv("SEMLA_CUDA_MEMORY", s->memory, 1);
    got = product_of(engine, s, ring, kind);
    setenv("SEMLA_CUDA_MEMORY", "", 1);
    const uint64_t nnz = expected.start[s->rows];
    if (memcmp(got.start, expected.start, (s->rows + 1) * sizeof *got.start) != 0 ||
        memcmp(got.index, expected.index, nnz * sizeof *got.index) != 0 ||
        memcmp(got.values, expected.values, nnz * sl_type_size(ring->add->type)) != 0)
        fail_msg("%d x %d, memory '%s', %s, mask %d: other entries", (int)s->rows, (int)s->columns,
                 s->memory, ring->name, kind);
    free_csr(&expected);
    free_csr(&got);
}

static void giant_rows(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int kind = 0; kind < 4; kind++) {
            const bool limited = shapes[k].memory[0];
            if (limited && kind != 2) /* one mask will do */
                continue;
            compare(&shapes[k], SL_PLUS_TIMES_INT64, kind);
            if (!limited)
                compare(&shapes[k], SL_MIN_PLUS_INT32, kind);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(giant_rows)};
    return compare_engines(tests, sizeof tests / sizeof *tests, false);
}
