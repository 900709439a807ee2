/*
 * The products of the OpenMP engine while memory runs out, and cancelled: no leak, and objects remain
 * valid. Sums by columns of a matrix of which nothing is known.
 */
#include <semla/io.h>
#include <semla/progress.h>

#include "support.h"

static sl_context *ctx;
static bool undeclared; /* it is not known that the graph is undirected */

/* A Kronecker graph, large enough that SuiteSparse does not multiply instead. */
static sl_matrix *graph(void)
{
    const sl_generator model = {
        .model = SL_MODEL_KRONECKER, .scale = 8, .edge_factor = 16, .seed = 1};
    sl_edges edges;
    sl_matrix *A;
    OK(ctx, sl_generate(&edges, ctx, &model));
    OK(ctx, sl_matrix_from_edges(&A, ctx, &edges, &(sl_read_options){.flags = SL_READ_SYMMETRIC}));
    sl_edges_free(&edges);
    if (undeclared)
        OK(ctx, sl_matrix_set(A, 0, 0, sl_scalar_bool(true)));
    return A;
}

typedef sl_status product(sl_vector *w, sl_matrix *C, const sl_matrix *A, const sl_vector *u);

static sl_status sums(sl_vector *w, sl_matrix *C, const sl_matrix *A, const sl_vector *u)
{
    (void)C;
    return sl_mxv(w, NULL, NULL, SL_PLUS_SECOND_FP64, A, u, NULL);
}

/* So many that the symmetry is found out. */
static sl_status column_sums(sl_vector *w, sl_matrix *C, const sl_matrix *A, const sl_vector *u)
{
    sl_status status = SL_OK;
    (void)C;
    for (int k = 0; k < 6 && status == SL_OK; k++)
        status = sl_vxm(w, NULL, NULL, SL_PLUS_FIRST_FP64, u, A, NULL);
    return status;
}

static sl_status reached(sl_vector *w, sl_matrix *C, const sl_matrix *A, const sl_vector *u)
{
    (void)C;
    return sl_vxm(w, NULL, NULL, sl_semiring_get(SL_SEMIRING_ANY_PAIR, SL_FP64), u, A, NULL);
}

static sl_status pairs(sl_vector *w, sl_matrix *C, const sl_matrix *A, const sl_vector *u)
{
    (void)w;
    (void)u;
    return sl_mxm(C, A, NULL, SL_PLUS_PAIR_INT64, A, A,
                  sl_descriptor_get(SL_TRANSPOSE_B | SL_REPLACE));
}

/* Allocations fail from number `n` on, none if it is negative; the progress function cancels at
 * question `questions`. */
static sl_status try_product(product *multiply, bool prepared, long n,
                             sl_progress_function function, void *questions)
{
    sl_matrix *A = graph(), *C;
    const uint64_t size = sl_matrix_nrows(A);
    sl_vector *u, *w;
    uint64_t count;
    OK(ctx, sl_vector_new(&u, ctx, SL_FP64, size));
    OK(ctx, sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
    OK(ctx, sl_vector_new(&w, ctx, SL_FP64, size));
    OK(ctx, sl_matrix_new(&C, ctx, SL_INT64, size, size));
    if (prepared)
        OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    OK(ctx, sl_context_set_progress(ctx, function, questions, 0));
    allocator_fail_after(n);
    const sl_status status = multiply(w, C, A, u);
    allocator_fail_after(-1);
    OK(ctx, sl_context_set_progress(ctx, NULL, NULL, 0));
    OK(ctx, sl_vector_nvals(&count, w));
    OK(ctx, sl_matrix_nvals(&count, C));
    OK(ctx, multiply(w, C, A, u));
    sl_matrix_free(A);
    sl_matrix_free(C);
    sl_vector_free(u);
    sl_vector_free(w);
    return status;
}

static void check_memory(product *multiply, bool prepared)
{
    const long before = allocator_alive();
    long n = 0;
    for (sl_status status; (status = try_product(multiply, prepared, n, NULL, NULL)) != SL_OK; n++)
        assert_int_equal(status, SL_NO_MEMORY);
    assert_true(n > 1);
    assert_int_equal(allocator_alive(), before);
}

static void without_memory(void **unused)
{
    (void)unused;
    check_memory(sums, false);
    check_memory(sums, true);
    check_memory(reached, false);
    check_memory(reached, true);
    check_memory(pairs, false);
    undeclared = true;
    check_memory(column_sums, false);
    undeclared = false;
}

/* Every one of the products has the sums of the transpose's rows. */
static void sums_by_columns(void **unused)
{
    (void)unused;
    undeclared = true;
    for (int directed = 0; directed < 2; directed++) {
        sl_matrix *A = graph(), *At;
        const uint64_t size = sl_matrix_nrows(A);
        sl_vector *u, *w, *wanted;
        if (directed)
            OK(ctx, sl_matrix_select(A, NULL, NULL, SL_TRIL_BOOL, A, sl_scalar_int64(100), NULL));
        OK(ctx, sl_matrix_new(&At, ctx, SL_BOOL, size, size));
        OK(ctx, sl_transpose(At, NULL, NULL, A, NULL));
        OK(ctx, sl_vector_new(&u, ctx, SL_FP64, size));
        OK(ctx, sl_vector_new(&w, ctx, SL_FP64, size));
        OK(ctx, sl_vector_new(&wanted, ctx, SL_FP64, size));
        OK(ctx, sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
        OK(ctx,
           sl_vector_apply_index(u, NULL, NULL, SL_ROWINDEX_INT64, u, sl_scalar_int64(1), NULL));
        OK(ctx, sl_mxv(wanted, NULL, NULL, SL_PLUS_SECOND_FP64, At, u, NULL));
        for (int k = 0; k < 8; k++) {
            bool same;
            OK(ctx, sl_vxm(w, NULL, NULL, SL_PLUS_FIRST_FP64, u, A, NULL));
            OK(ctx, sl_vector_equal(&same, w, wanted));
            assert_true(same);
        }
        sl_vector_free(u);
        sl_vector_free(w);
        sl_vector_free(wanted);
        sl_matrix_free(A);
        sl_matrix_free(At);
    }
    undeclared = false;
}

static int cancel_at(void *questions, const sl_progress *progress)
{
    (void)progress;
    long *left = questions;
    return (*left)-- == 0;
}

/* Question 0 is the dispatcher's, the next is asked before the first piece of the product. */
static void cancelled(void **unused)
{
    (void)unused;
    for (long question = 0; question < 2; question++) {
        long left = question;
        assert_int_equal(try_product(sums, false, -1, cancel_at, &left), SL_CANCELLED);
        left = question;
        assert_int_equal(try_product(reached, true, -1, cancel_at, &left), SL_CANCELLED);
        left = question;
        assert_int_equal(try_product(pairs, false, -1, cancel_at, &left), SL_CANCELLED);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_memory),
        cmocka_unit_test(cancelled),
        cmocka_unit_test(sums_by_columns),
    };
    allocator_install();
    OK(NULL, sl_context_create(&ctx, SL_ENGINE_OPENMP));
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(ctx);
    return failed;
}
