/*
 * Products of a matrix and a full vector that exceeds the GPU's cache, for which the columns of the matrix are
 * put in the order of their degrees, compared with SuiteSparse. Values are small integers, so that sums
 * are exact in any order. Skipped without a GPU.
 */
#include <stdio.h>
#include <string.h>

#include "support.h"

#include <semla/io.h>

static sl_context *host, *gpu;

enum { SIDE = 3300000, EDGES = 14500000, PRODUCTS = 3 };

static sl_matrix *graph(sl_context *ctx, bool weighted, uint64_t seed)
{
    sl_matrix *A;
    const sl_generator model = {.model = SL_MODEL_UNIFORM,
                                .vertices = SIDE,
                                .edges = EDGES,
                                .seed = seed,
                                .weighted = weighted,
                                .integer_weights = true,
                                .least_weight = 1,
                                .greatest_weight = 9};
    OK(ctx, sl_matrix_generate(&A, ctx, &model, NULL));
    return A;
}

/* Full, with values that depend on the index. */
static sl_vector *numbers(sl_context *ctx, sl_type type)
{
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, type, SIDE));
    OK(ctx, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, NULL));
    OK(ctx, sl_vector_apply_index(v, NULL, NULL, SL_ROWINDEX_INT64, v, sl_scalar_int64(3), NULL));
    OK(ctx, sl_vector_apply_second(v, NULL, NULL, SL_MIN_FP64, v, sl_scalar_fp64(1 << 20), NULL));
    return v;
}

/* The last of several products; the order is made for the second. */
static sl_vector *product(sl_context *ctx, sl_matrix *A, sl_semiring semiring, bool vxm)
{
    sl_vector *u = numbers(ctx, semiring->multiply->type), *w;
    OK(ctx, sl_vector_new(&w, ctx, semiring->result, SIDE));
    for (int k = 0; k < (ctx == gpu ? PRODUCTS : 1); k++)
        OK(ctx, vxm ? sl_vxm(w, NULL, NULL, semiring, u, A, NULL)
                    : sl_mxv(w, NULL, NULL, semiring, A, u, NULL));
    sl_vector_free(u);
    return w;
}

static void compare(sl_matrix *A, sl_matrix *right_A, sl_semiring semiring, bool vxm)
{
    sl_arrays got, right;
    sl_vector *mine = product(gpu, A, semiring, vxm),
              *theirs = product(host, right_A, semiring, vxm);
    OK(gpu, sl_vector_copy_out(&got, mine, SL_FORMAT_LIST));
    OK(host, sl_vector_copy_out(&right, theirs, SL_FORMAT_LIST));
    OK(gpu, sl_arrays_expand(gpu, &got));
    OK(host, sl_arrays_expand(host, &right));
    assert_int_equal(got.nvals, right.nvals);
    assert_memory_equal(got.rows, right.rows, got.nvals * sizeof *got.rows);
    assert_memory_equal(got.values, right.values, got.nvals * sl_type_size(semiring->result));
    sl_arrays_free(&got);
    sl_arrays_free(&right);
    sl_vector_free(mine);
    sl_vector_free(theirs);
}

static void test_patterns(void **unused)
{
    sl_matrix *A = graph(gpu, false, 3), *right = graph(host, false, 3);
    compare(A, right, SL_PLUS_SECOND_FP64, false);
    compare(A, right, SL_PLUS_TIMES_FP64, true);
    /* a matrix that is written is put in order again */
    OK(gpu, sl_matrix_set(A, 5, 17, sl_scalar_bool(true)));
    OK(host, sl_matrix_set(right, 5, 17, sl_scalar_bool(true)));
    compare(A, right, SL_PLUS_SECOND_FP64, false);
    sl_matrix_free(A);
    sl_matrix_free(right);
}

static void test_values(void **unused)
{
    sl_matrix *A = graph(gpu, true, 4), *right = graph(host, true, 4);
    compare(A, right, SL_MIN_PLUS_INT64, false);
    compare(A, right, SL_PLUS_TIMES_INT64, true);
    sl_matrix_free(A);
    sl_matrix_free(right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_patterns),
                                       cmocka_unit_test(test_values)};
    if (sl_context_create(&host, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    int failed = 0;
    if (sl_context_create(&gpu, SL_ENGINE_CUDA) == SL_OK)
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    else
        puts("engine cuda skipped: no GPU");
    sl_context_free(gpu);
    sl_context_free(host);
    return failed;
}
