/* Products on a matrix of which nothing is known find out that its pattern is symmetric, or that it equals its
 * transpose; then they make no transpose, and keep their vectors in an order. Whether a pattern is symmetric:
 * parity.symmetry. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdlib.h>

#include "cuda/data/device_vector.h"
#include "cuda/operations/matrix_rows.h"
#include "cuda/products/product_tuning.h"
#include "support.h"

static sl_context *ctx;

/* A graph that nothing is known of: each vertex is joined to others, most of them of small number; in a directed one
 * vertex 0 has an edge that has no mirror edge. */
enum { N = 1000, EDGES = 20 * N };
static sl_matrix *graph(bool directed)
{
    static uint64_t rows[2 * EDGES + 1], cols[2 * EDGES + 1];
    uint64_t random = 1;
    sl_matrix *A;
    for (uint64_t k = 0; k < EDGES; k++) {
        const uint64_t v = test_random(&random) % (N - 1);
        rows[2 * k] = cols[2 * k + 1] = k % (N - 1);
        cols[2 * k] = rows[2 * k + 1] = v * v / N;
    }
    rows[2 * EDGES] = 0;
    cols[2 * EDGES] = N - 1;
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, N, N));
    OK(ctx, sl_matrix_build(A, rows, cols, NULL, 2 * EDGES + directed, SL_LOR_BOOL));
    return A;
}

static const cuda_matrix *transpose_of(const sl_matrix *A)
{
    return sl_cuda_kept_transposed(cuda_matrix_of(sl_object_of_matrix(A)));
}

/* A level of a search from all vertices of even number: a product that pulls along columns. */
static sl_vector *pull(const sl_matrix *A)
{
    sl_vector *reached;
    OK(ctx, sl_vector_new(&reached, ctx, SL_INT64, N));
    for (uint64_t v = 0; v < N; v += 2)
        OK(ctx, sl_vector_set(reached, v, sl_scalar_int64(1)));
    OK(ctx, sl_vxm(reached, NULL, NULL, SL_ANY_SECONDI_INT64, reached, A,
                   sl_descriptor_get(SL_REPLACE)));
    return reached;
}

static void pulls_need_no_transpose(void **state)
{
    (void)state;
    if (!ctx)
        skip();
    for (int directed = 0; directed < 2; directed++) {
        sl_matrix *A = graph(directed);
        bool ordered = false;
        for (int k = 0; k < PATTERN_PULLS_BEFORE_ORDER + 2; k++) {
            sl_vector *reached = pull(A);
            assert_int_equal(A->symmetry, directed ? SL_NOT_SYMMETRIC : SL_SYMMETRIC);
            assert_true((transpose_of(A) != NULL) == directed);
            ordered = cuda_vector_of(sl_object_of_vector(reached))->order != NULL;
            sl_vector_free(reached);
        }
        assert_true(ordered == !directed);
        sl_matrix_free(A);
    }
}

static void sums_find_an_order(void **state)
{
    sl_vector *u, *w;
    (void)state;
    if (!ctx)
        skip();
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    for (int directed = 0; directed < 2; directed++) {
        sl_matrix *A = graph(directed);
        OK(ctx, sl_vector_new(&u, ctx, SL_FP64, N));
        OK(ctx, sl_vector_new(&w, ctx, SL_FP64, N));
        OK(ctx, sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
        OK(ctx, sl_vector_apply_index(u, NULL, SL_PLUS_FP64, SL_ROWINDEX_INT64, u,
                                      sl_scalar_int64(0), NULL));
        for (int k = 0; k < 3; k++)
            OK(ctx, sl_mxv(w, NULL, NULL, SL_PLUS_SECOND_FP64, A, u, NULL));
        assert_true((cuda_vector_of(sl_object_of_vector(w))->order != NULL) == !directed);
        sl_vector_free(u);
        sl_vector_free(w);
        sl_matrix_free(A);
    }
    unsetenv("SEMLA_TRAVERSAL");
}

/* A weighted graph: entries of equal value in both directions, but for one edge, if `differs`. */
static sl_matrix *weighted(bool differs)
{
    sl_matrix *A = graph(false), *W;
    OK(ctx, sl_matrix_new(&W, ctx, SL_FP64, N, N));
    OK(ctx, sl_matrix_apply_index(W, NULL, NULL, SL_ROWINDEX_INT64, A, sl_scalar_int64(1), NULL));
    OK(ctx,
       sl_matrix_ewise_add(W, NULL, NULL, SL_PLUS_FP64, W, W, sl_descriptor_get(SL_TRANSPOSE_B)));
    if (differs)
        OK(ctx, sl_matrix_set(W, 0, 1, sl_scalar_fp64(0.5)));
    sl_matrix_free(A);
    return W;
}

static void expect_equal(const sl_vector *v, const sl_vector *wanted)
{
    bool same;
    OK(ctx, sl_vector_equal(&same, v, wanted));
    assert_true(same);
}

/* u W and the same by rows of a matrix that is transposed beforehand. */
static void a_matrix_may_be_its_transpose(void **state)
{
    (void)state;
    if (!ctx)
        skip();
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    for (int differs = 0; differs < 2; differs++) {
        sl_matrix *W = weighted(differs), *Wt;
        sl_vector *u[2], *w[2];
        bool ordered = false;
        OK(ctx, sl_matrix_new(&Wt, ctx, SL_FP64, N, N));
        OK(ctx, sl_transpose(Wt, NULL, NULL, W, NULL));
        for (int k = 0; k < 2; k++) {
            OK(ctx, sl_vector_new(&w[k], ctx, SL_FP64, N));
            OK(ctx, sl_vector_new(&u[k], ctx, SL_FP64, N));
            OK(ctx, sl_vector_assign_scalar(u[k], NULL, NULL, sl_scalar_fp64(2), SL_ALL, 0, NULL));
        }
        for (int turn = 0; turn < 4; turn++) {
            OK(ctx, sl_vxm(w[0], NULL, NULL, SL_PLUS_TIMES_FP64, u[0], W, NULL));
            OK(ctx, sl_mxv(w[1], NULL, NULL, SL_PLUS_TIMES_FP64, Wt, u[1], NULL));
            ordered = cuda_vector_of(sl_object_of_vector(w[0]))->order != NULL;
            expect_equal(w[0], w[1]);
        }
        assert_true(ordered == !differs);
        assert_true((transpose_of(W) == cuda_matrix_of(sl_object_of_matrix(W))) == !differs);
        OK(ctx, sl_matrix_set(W, 0, 2, sl_scalar_fp64(7)));
        OK(ctx, sl_matrix_set(Wt, 2, 0, sl_scalar_fp64(7)));
        OK(ctx, sl_vxm(w[0], NULL, NULL, SL_PLUS_TIMES_FP64, u[0], W, NULL));
        OK(ctx, sl_mxv(w[1], NULL, NULL, SL_PLUS_TIMES_FP64, Wt, u[1], NULL));
        expect_equal(w[0], w[1]);
        assert_ptr_not_equal(transpose_of(W), cuda_matrix_of(sl_object_of_matrix(W)));
        for (int k = 0; k < 2; k++) {
            sl_vector_free(w[k]);
            sl_vector_free(u[k]);
        }
        sl_matrix_free(W);
        sl_matrix_free(Wt);
    }
    unsetenv("SEMLA_TRAVERSAL");
}

/* Whether the entries (0, 1) and (1, 0) with these values are mirror entries. */
static bool are_mirrors(double above, double below, bool as_numbers)
{
    const uint64_t rows[] = {0, 1, 2}, cols[] = {1, 0, 2};
    const double values[] = {above, below, 1};
    sl_matrix *A;
    bool have;
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP64, 3, 3));
    OK(ctx, sl_matrix_build(A, rows, cols, values, 3, SL_PLUS_FP64));
    OK(ctx, sl_object_migrate(sl_object_of_matrix(A), &sl_store_cuda));
    const cuda_matrix *on_device = cuda_matrix_of(sl_object_of_matrix(A));
    const cuda_matrix_rows of = {.start = on_device->start,
                                 .index = on_device->index,
                                 .values = on_device->values,
                                 .size = sizeof *values,
                                 .nrows = 3,
                                 .ncols = 3,
                                 .nnz = 3};
    cuda_matrix_rows pattern = of;
    pattern.values = NULL;
    pattern.size = 12; /* of a type whose values a GPU does not read */
    OK(ctx, sl_cuda_find_mirrors(&have, ctx, &pattern, SL_BOOL));
    assert_true(have);
    OK(ctx, sl_cuda_find_mirrors(&have, ctx, &of, as_numbers ? SL_FP64 : SL_BOOL));
    sl_matrix_free(A);
    return have;
}

static void values_are_numbers_or_bytes(void **state)
{
    (void)state;
    if (!ctx)
        skip();
    for (int as_numbers = 0; as_numbers < 2; as_numbers++) {
        assert_true(are_mirrors(2, 2, as_numbers));
        assert_false(are_mirrors(2, 3, as_numbers));
        assert_int_equal(are_mirrors(0, -0.0, as_numbers), as_numbers);
        assert_int_equal(are_mirrors(NAN, NAN, as_numbers), !as_numbers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_numbers_or_bytes), cmocka_unit_test(pulls_need_no_transpose),
        cmocka_unit_test(sums_find_an_order), cmocka_unit_test(a_matrix_may_be_its_transpose)};
    if (sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK) {
        print_message("engine cuda skipped\n");
        ctx = NULL;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(ctx);
    return failed;
}
