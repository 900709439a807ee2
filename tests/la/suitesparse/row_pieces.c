/*
 * Products that take longer than a second are computed in pieces of rows: they have the results of products of
 * a few rows each, which are short, and can be cancelled between two pieces.
 */
#include "objects.h"

#include <semla/progress.h>

#include <stdlib.h>

enum { SIDE = 1500, FEW = 300 };

static uint64_t seed = 1;

/* About `count` entries with values from 1 to 4; all 3 if `same`. */
static sl_matrix *random_matrix(sl_type type, uint64_t nrows, uint64_t ncols, uint64_t count,
                                bool same)
{
    uint64_t *row = malloc(count * sizeof *row), *col = malloc(count * sizeof *col);
    int64_t *values = malloc(count * sizeof *values);
    sl_matrix *A = new_matrix(SL_INT64, nrows, ncols), *cast = new_matrix(type, nrows, ncols);
    for (uint64_t k = 0; k < count; k++) {
        row[k] = test_random(&seed) % nrows;
        col[k] = test_random(&seed) % ncols;
        values[k] = same ? 3 : 1 + (int64_t)(test_random(&seed) % 4);
    }
    OK(ctx, sl_matrix_build(A, row, col, values, count, SL_FIRST_INT64));
    OK(ctx, sl_matrix_apply(cast, NULL, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, type), A, NULL));
    sl_matrix_free(A);
    free(row);
    free(col);
    free(values);
    return cast;
}

typedef struct {
    const char *name;
    sl_semiring semiring;
    sl_type type; /* of the output */
    sl_binary_op accum;
    bool masked, same; /* same: one value for all entries */
    unsigned flags;
} product_case;

static sl_matrix *output(const product_case *c)
{
    sl_matrix *C = new_matrix(c->type, SIDE, SIDE);
    for (uint64_t k = 0; k < SIDE; k += 7)
        OK(ctx, sl_matrix_set(C, k, SIDE - 1 - k, sl_scalar_int64(5)));
    return C;
}

/* The product without its flags of transposition, `FEW` rows at a time. */
static void multiply_few(sl_matrix *C, const sl_matrix *M, const product_case *c,
                         const sl_matrix *A, const sl_matrix *B)
{
    const unsigned transposes = SL_TRANSPOSE_A | SL_TRANSPOSE_B;
    sl_matrix *all = new_matrix(c->semiring->result, SIDE, SIDE);
    for (uint64_t i = 0; i < SIDE; i += FEW) {
        const uint64_t rows[] = {i, i + FEW, 1};
        sl_matrix *part = new_matrix(sl_matrix_type(A), SIDE, SIDE);
        OK(ctx, sl_matrix_assign(part, NULL, NULL, A, SL_ALL, 0, SL_ALL, 0, NULL));
        /* The rows stay where they are, so that firsti is the same. */
        OK(ctx, sl_matrix_select(part, NULL, NULL, sl_index_op_get(SL_INDEX_ROWLE, SL_INT64), part,
                                 sl_scalar_int64((int64_t)(i + FEW - 1)), NULL));
        OK(ctx, sl_matrix_select(part, NULL, NULL, sl_index_op_get(SL_INDEX_ROWGT, SL_INT64), part,
                                 sl_scalar_int64((int64_t)i - 1), NULL));
        sl_matrix *product = new_matrix(c->semiring->result, SIDE, SIDE);
        sl_matrix *taken = new_matrix(c->semiring->result, FEW, SIDE);
        OK(ctx, sl_mxm(product, NULL, NULL, c->semiring, part, B, NULL));
        OK(ctx, sl_matrix_extract(taken, NULL, NULL, product, rows, SL_RANGE, SL_ALL, 0, NULL));
        OK(ctx, sl_matrix_assign(all, NULL, NULL, taken, rows, SL_RANGE, SL_ALL, 0, NULL));
        sl_matrix_free(part);
        sl_matrix_free(product);
        sl_matrix_free(taken);
    }
    OK(ctx, sl_matrix_apply(C, M, c->accum, sl_unary_op_get(SL_UNARY_IDENTITY, c->semiring->result),
                            all, sl_descriptor_get(c->flags & ~transposes)));
    sl_matrix_free(all);
}

static bool divided; /* a product had several pieces */

static int note_pieces(void *data, const sl_progress *progress)
{
    divided |= progress->total > 1;
    return 0;
}

static void test_mxm(void **state)
{
    sl_semiring rows, cols;
    OK(ctx, sl_semiring_new(&rows, ctx, "rows", SL_MIN_MONOID_INT64, SL_FIRSTI_INT64));
    OK(ctx, sl_semiring_new(&cols, ctx, "cols", SL_MAX_MONOID_INT64, SL_SECONDJ_INT64));
    const product_case cases[] = {
        {"another type", SL_PLUS_TIMES_INT64, SL_INT32, SL_PLUS_INT64, false, false, 0},
        {"A transposed", SL_MIN_PLUS_INT64, SL_INT64, NULL, false, false, SL_TRANSPOSE_A},
        {"one value", SL_ANY_PAIR_BOOL, SL_BOOL, NULL, false, true, 0},
        {"rows", rows, SL_INT64, NULL, false, false, 0},
        {"columns", cols, SL_INT64, NULL, false, false, SL_TRANSPOSE_B},
        {"mask", SL_PLUS_TIMES_INT64, SL_INT64, SL_PLUS_INT64, true, false, SL_STRUCTURE},
        {"mask of values", SL_PLUS_TIMES_INT64, SL_INT64, NULL, true, false, SL_REPLACE},
        {"complement", SL_PLUS_TIMES_INT64, SL_INT64, NULL, true, false,
         SL_COMPLEMENT | SL_STRUCTURE | SL_REPLACE},
        {"dot products", SL_PLUS_TIMES_INT64, SL_INT64, NULL, true, false,
         SL_STRUCTURE | SL_TRANSPOSE_B | SL_TRANSPOSE_A},
    };
    const uint64_t count = (uint64_t)SIDE * 260;
    OK(ctx, sl_context_set_progress(ctx, note_pieces, NULL, 0));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const product_case *c = &cases[k];
        sl_matrix *A = random_matrix(SL_INT64, SIDE, SIDE, count, c->same);
        sl_matrix *B = random_matrix(SL_INT64, SIDE, SIDE, count, c->same);
        sl_matrix *M = c->masked ? random_matrix(SL_BOOL, SIDE, SIDE, count, false) : NULL;
        sl_matrix *got = output(c), *right = output(c), *At = A, *Bt = B;
        bool equal;
        if (c->flags & SL_TRANSPOSE_A)
            OK(ctx, sl_transpose(At = new_matrix(SL_INT64, SIDE, SIDE), NULL, NULL, A, NULL));
        if (c->flags & SL_TRANSPOSE_B)
            OK(ctx, sl_transpose(Bt = new_matrix(SL_INT64, SIDE, SIDE), NULL, NULL, B, NULL));
        divided = false;
        OK(ctx, sl_mxm(got, M, c->accum, c->semiring, A, B, sl_descriptor_get(c->flags)));
        if (!divided)
            fail_msg("%s: the product was not divided", c->name);
        divided = false;
        multiply_few(right, M, c, At, Bt);
        if (divided)
            fail_msg("%s: a product of %d rows was divided", c->name, FEW);
        OK(ctx, sl_matrix_equal(&equal, got, right));
        if (!equal)
            fail_msg("%s: wrong result", c->name);
        if (c->same && is_pattern(got) != is_pattern(right))
            fail_msg("%s: the result is not a pattern", c->name);
        if (At != A)
            sl_matrix_free(At);
        if (Bt != B)
            sl_matrix_free(Bt);
        sl_matrix_free(A);
        sl_matrix_free(B);
        sl_matrix_free(M);
        sl_matrix_free(got);
        sl_matrix_free(right);
    }
    OK(ctx, sl_context_set_progress(ctx, NULL, NULL, 0));
    sl_semiring_free(rows);
    sl_semiring_free(cols);
}

/* Every entry of the product by its definition, in the order of rows. */
static void check_kronecker(const sl_matrix *C, const sl_matrix *A, const sl_matrix *B)
{
    sl_csr a, b, c;
    OK(ctx, sl_matrix_copy_csr(&a, A));
    OK(ctx, sl_matrix_copy_csr(&b, B));
    OK(ctx, sl_matrix_copy_csr(&c, C));
    const int64_t *x = a.values, *y = b.values, *z = c.values;
    uint64_t e = 0;
    bool right = true;
    for (uint64_t i = 0; i < a.nrows * b.nrows; i++) {
        const uint64_t p = i / b.nrows, q = i % b.nrows;
        right = right && c.start[i] == e;
        for (uint64_t k = a.start[p]; k < a.start[p + 1]; k++)
            for (uint64_t l = b.start[q]; l < b.start[q + 1]; l++, e++)
                right =
                    right && c.index[e] == a.index[k] * b.ncols + b.index[l] && z[e] == x[k] - y[l];
    }
    assert_true(right);
    assert_int_equal(e, c.start[c.nrows]);
    free_rows(&a);
    free_rows(&b);
    free_rows(&c);
}

static uint64_t questions, cancel_at;

static int cancel(void *data, const sl_progress *progress)
{
    return questions++ >= cancel_at;
}

static void test_kronecker(void **state)
{
    sl_matrix *A = random_matrix(SL_INT64, 300, 200, 12000, false);
    sl_matrix *B = random_matrix(SL_INT64, 200, 100, 9000, false);
    sl_matrix *Bt = new_matrix(SL_INT64, 100, 200);
    sl_matrix *C = new_matrix(SL_INT64, 300 * 200, 200 * 100);
    OK(ctx, sl_transpose(Bt, NULL, NULL, B, NULL));
    OK(ctx, sl_context_set_progress(ctx, note_pieces, NULL, 0));
    divided = false;
    OK(ctx, sl_kronecker(C, NULL, NULL, SL_MINUS_INT64, A, Bt, sl_descriptor_get(SL_TRANSPOSE_B)));
    OK(ctx, sl_context_set_progress(ctx, NULL, NULL, 0));
    assert_true(divided);
    check_kronecker(C, A, B);
    questions = 0;
    cancel_at = 3;
    OK(ctx, sl_context_set_progress(ctx, cancel, NULL, 0));
    assert_int_equal(
        sl_kronecker(C, NULL, NULL, SL_TIMES_INT64, A, Bt, sl_descriptor_get(SL_TRANSPOSE_B)),
        SL_CANCELLED);
    OK(ctx, sl_context_set_progress(ctx, NULL, NULL, 0));
    check_kronecker(C, A, B);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(Bt);
    sl_matrix_free(C);
}

/* A cancelled product leaves its output as it was. */
static void test_cancel(void **state)
{
    const uint64_t count = (uint64_t)SIDE * 260;
    sl_matrix *A = random_matrix(SL_INT64, SIDE, SIDE, count, false);
    sl_matrix *C = new_matrix(SL_INT64, SIDE, SIDE);
    OK(ctx, sl_matrix_set(C, 1, 2, sl_scalar_int64(3)));
    OK(ctx, sl_context_set_progress(ctx, cancel, NULL, 0));
    for (cancel_at = 1; cancel_at < 4; cancel_at++) {
        questions = 0;
        assert_int_equal(sl_mxm(C, NULL, NULL, SL_PLUS_TIMES_INT64, A, A, NULL), SL_CANCELLED);
        SAYS("mxm: cancelled after ");
        assert_int_equal(questions, cancel_at + 1);
    }
    OK(ctx, sl_context_set_progress(ctx, NULL, NULL, 0));
    assert_int_equal(entries(C), 1);
    sl_matrix_free(A);
    sl_matrix_free(C);
}

static void times(void *z, const void *x, const void *y)
{
    *(int64_t *)z = *(const int64_t *)x * *(const int64_t *)y;
}

static uint64_t most_pieces;

static int count_pieces(void *data, const sl_progress *progress)
{
    most_pieces = progress->total > most_pieces ? progress->total : most_pieces;
    questions++;
    return 0;
}

/* A function of the caller's may be slow, so such a product is divided into smaller pieces; those of a fast one
 * are joined. */
static void test_user_defined(void **state)
{
    sl_binary_op op;
    sl_semiring ring;
    OK(ctx, sl_binary_op_new(&op, ctx, "times", SL_INT64, SL_INT64, SL_INT64, times, NULL));
    OK(ctx, sl_semiring_new(&ring, ctx, "sums", SL_PLUS_MONOID_INT64, op));
    sl_matrix *A = random_matrix(SL_INT64, SIDE, SIDE, (uint64_t)SIDE * 100, false);
    sl_matrix *B = random_matrix(SL_INT64, 60, 60, 2000, false);
    sl_matrix *C = new_matrix(SL_INT64, SIDE, SIDE), *right = new_matrix(SL_INT64, SIDE, SIDE);
    sl_matrix *K = new_matrix(SL_INT64, 3600, 3600), *other = new_matrix(SL_INT64, 3600, 3600);
    bool equal;
    OK(ctx, sl_context_set_progress(ctx, count_pieces, NULL, 0));
    questions = most_pieces = 0;
    OK(ctx, sl_mxm(C, NULL, NULL, ring, A, A, NULL));
    assert_in_range(most_pieces, 500, 5000); /* 15 million multiplications */
    assert_true(questions < most_pieces / 2);
    questions = most_pieces = 0;
    OK(ctx, sl_kronecker(K, NULL, NULL, op, B, B, NULL));
    assert_in_range(most_pieces, 10, 2000);
    OK(ctx, sl_context_set_progress(ctx, NULL, NULL, 0));
    OK(ctx, sl_mxm(right, NULL, NULL, SL_PLUS_TIMES_INT64, A, A, NULL));
    OK(ctx, sl_kronecker(other, NULL, NULL, SL_TIMES_INT64, B, B, NULL));
    OK(ctx, sl_matrix_equal(&equal, C, right));
    assert_true(equal);
    OK(ctx, sl_matrix_equal(&equal, K, other));
    assert_true(equal);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_matrix_free(C);
    sl_matrix_free(right);
    sl_matrix_free(K);
    sl_matrix_free(other);
    sl_semiring_free(ring);
    sl_binary_op_free(op);
}

/* On one thread, so that the products are long. */
static int make(void **state)
{
    return sl_context_create(&ctx, SL_ENGINE_SUITESPARSE) != SL_OK ||
           sl_context_set_threads(ctx, 1) != SL_OK;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mxm),
        cmocka_unit_test(test_kronecker),
        cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_user_defined),
    };
    return cmocka_run_group_tests(tests, make, free_context);
}
