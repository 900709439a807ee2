/*
 * Products of sparse operands with rows of more than 256 entries, under masks that SuiteSparse stores
 * as bitmaps or as full arrays: without a detour SuiteSparse never returns from some of them.
 */
#include <stdlib.h>

#include "objects.h"

enum { SIZE = 2000, DEGREE = 600, HOLE = 5, SOURCES = 20 };

/* Row i has the columns i + 1, i + 4, i + 7, ..., modulo SIZE. */
static sl_matrix *make_graph(void)
{
    uint64_t *rows = malloc(sizeof *rows * SIZE * DEGREE),
             *cols = malloc(sizeof *cols * SIZE * DEGREE);
    assert_true(rows && cols);
    for (uint64_t i = 0, k = 0; i < SIZE; i++)
        for (uint64_t j = 0; j < DEGREE; j++, k++) {
            rows[k] = i;
            cols[k] = (i + 3 * j + 1) % SIZE;
        }
    sl_matrix *A = new_matrix(SL_BOOL, SIZE, SIZE);
    OK(ctx, sl_matrix_build(A, rows, cols, NULL, (uint64_t)SIZE * DEGREE, NULL));
    free(rows);
    free(cols);
    return A;
}

static bool is_neighbour(uint64_t sources, uint64_t j)
{
    for (uint64_t i = 0; i < sources; i++) {
        const uint64_t distance = (j + SIZE - i - 1) % SIZE;
        if (distance % 3 == 0 && distance / 3 < DEGREE)
            return true;
    }
    return false;
}

/* Entries at the first `sources` indices. */
static sl_vector *make_frontier(uint64_t sources)
{
    sl_vector *u = new_vector(SL_BOOL, SIZE);
    for (uint64_t i = 0; i < sources; i++)
        OK(ctx, sl_vector_set(u, i, sl_scalar_bool(true)));
    return u;
}

/* Entries everywhere, or everywhere but at HOLE. */
static sl_vector *make_mask(bool full)
{
    sl_vector *mask = new_vector(SL_INT64, SIZE);
    OK(ctx, sl_vector_assign_scalar(mask, NULL, NULL, sl_scalar_int64(3), SL_ALL, SIZE, NULL));
    OK(ctx, sl_vector_set(mask, 7, sl_scalar_int64(4)));
    if (!full)
        OK(ctx, sl_vector_remove(mask, HOLE));
    return mask;
}

static void check(const sl_vector *w, uint64_t sources, bool full)
{
    uint64_t expected = 0;
    for (uint64_t j = 0; j < SIZE; j++)
        expected += is_neighbour(sources, j) && (full || j != HOLE);
    assert_int_equal(vector_entries(w), expected);
    sl_scalar value;
    assert_int_equal(sl_vector_get(&value, w, HOLE) == SL_OK, full && is_neighbour(sources, HOLE));
}

static void test_vectors(void **state)
{
    sl_matrix *A = make_graph();
    for (int full = 0; full < 2; full++)
        for (uint64_t sources = 1; sources <= SOURCES; sources += SOURCES - 1)
            for (int structural = 0; structural < 2; structural++) {
                const unsigned flags = SL_REPLACE | (structural ? SL_STRUCTURE : 0);
                sl_vector *mask = make_mask(full), *u = make_frontier(sources);
                sl_vector *w = new_vector(SL_BOOL, SIZE);
                OK(ctx, sl_vxm(w, mask, NULL, SL_ANY_PAIR_BOOL, u, A, sl_descriptor_get(flags)));
                check(w, sources, full);
                OK(ctx, sl_mxv(w, mask, NULL, SL_LOR_LAND_BOOL, A, u,
                               sl_descriptor_get(flags | SL_TRANSPOSE_A)));
                check(w, sources, full);
                sl_vector_free(mask);
                sl_vector_free(u);
                sl_vector_free(w);
            }
    sl_matrix_free(A);
}

/* Four rows, each a frontier. The matrix is transposed before or by the product. */
static void test_matrices(void **state)
{
    enum { ROWS = 4 };
    sl_matrix *A = make_graph(), *T = new_matrix(SL_BOOL, SIZE, SIZE);
    OK(ctx, sl_transpose(T, NULL, NULL, A, NULL));
    for (int transposed = 0; transposed < 2; transposed++) {
        sl_matrix *U = new_matrix(SL_BOOL, ROWS, SIZE), *M = new_matrix(SL_BOOL, ROWS, SIZE);
        sl_matrix *W = new_matrix(SL_BOOL, ROWS, SIZE);
        uint64_t expected = 0;
        OK(ctx, sl_matrix_assign_scalar(M, NULL, NULL, sl_scalar_bool(true), SL_ALL, ROWS, SL_ALL,
                                        SIZE, NULL));
        for (uint64_t row = 0; row < ROWS; row++) {
            for (uint64_t i = 0; i <= row; i++)
                OK(ctx, sl_matrix_set(U, row, i, sl_scalar_bool(true)));
            OK(ctx, sl_matrix_remove(M, row, HOLE));
            for (uint64_t j = 0; j < SIZE; j++)
                expected += j != HOLE && is_neighbour(row + 1, j);
        }
        OK(ctx, sl_mxm(W, M, NULL, SL_ANY_PAIR_BOOL, U, transposed ? T : A,
                       sl_descriptor_get(SL_STRUCTURE | (transposed ? SL_TRANSPOSE_B : 0))));
        assert_int_equal(entries(W), expected);
        sl_matrix_free(U);
        sl_matrix_free(M);
        sl_matrix_free(W);
    }
    sl_matrix_free(A);
    sl_matrix_free(T);
}

/* The same with a context's own number of threads. */
static void test_threads(void **state)
{
    OK(ctx, sl_context_set_threads(ctx, 1));
    test_vectors(state);
    OK(ctx, sl_context_set_threads(ctx, 0));
}

static int make_suitesparse(void **state)
{
    return sl_context_create(&ctx, SL_ENGINE_SUITESPARSE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_matrices),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, make_suitesparse, free_context);
}
