/*
 * Loops of masked products and assignments on a GPU while memory runs out. Skipped without a GPU.
 */
#include <semla/bfs.h>

#include "support.h"
#include "try.h"

static sl_context *ctx;

static sl_status prepared(sl_matrix **A, const sl_edges *edges)
{
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    sl_status status = sl_matrix_from_edges(A, ctx, edges, &options);
    return status == SL_OK ? sl_matrix_optimize(*A, SL_FOR_TRAVERSAL) : status;
}

/* A few iterations on a new matrix, after which the entries are read. */
static sl_status with_little_memory(void *edges)
{
    sl_descriptor missing = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    sl_descriptor there = sl_descriptor_get(SL_STRUCTURE);
    const uint64_t n = ((const sl_edges *)edges)->nrows;
    sl_matrix *A = NULL;
    sl_vector *pi = NULL, *q = NULL, *copy = NULL;
    uint64_t reached;
    sl_status status;
    TRY_OR_OUT(prepared(&A, edges));
    TRY_OR_OUT(sl_vector_new(&pi, ctx, SL_INT64, n));
    TRY_OR_OUT(sl_vector_new(&q, ctx, SL_INT64, n));
    TRY_OR_OUT(sl_vector_set(pi, 0, sl_scalar_int64(0)));
    TRY_OR_OUT(sl_vector_set(q, 0, sl_scalar_int64(0)));
    for (int k = 0; k < 3; k++) {
        TRY_OR_OUT(sl_vxm(q, pi, NULL, SL_ANY_SECONDI_INT64, q, A, missing));
        TRY_OR_OUT(sl_vector_assign(pi, q, NULL, q, SL_ALL, 0, there));
    }
    TRY_OR_OUT(sl_vector_dup(&copy, pi));
    sl_matrix_free(A);
    A = NULL;
    TRY_OR_OUT(sl_vector_nvals(&reached, copy));
    assert_int_equal(reached, 4);
out:
    sl_matrix_free(A);
    sl_vector_free(pi);
    sl_vector_free(q);
    sl_vector_free(copy);
    return status;
}

static sl_status search_all(const sl_matrix *A, uint64_t source)
{
    sl_vector *pi = NULL, *level = NULL;
    uint64_t reached[2];
    sl_status status;
    TRY_OR_OUT(sl_bfs_plain(&pi, &level, A, source, false));
    TRY_OR_OUT(sl_vector_nvals(&reached[0], pi));
    TRY_OR_OUT(sl_vector_nvals(&reached[1], level));
    assert_int_equal(reached[0], sl_matrix_nrows(A));
    assert_int_equal(reached[1], sl_matrix_nrows(A));
out:
    sl_vector_free(pi);
    sl_vector_free(level);
    return status;
}

/* Two searches; the launch of the second writes vectors. */
static sl_status twice_with_little_memory(void *edges)
{
    sl_matrix *A = NULL;
    sl_status status = prepared(&A, edges);
    for (uint64_t k = 0; k < 2 && status == SL_OK; k++)
        status = search_all(A, k);
    sl_matrix_free(A);
    return status;
}

static void fails_each(sl_status (*scenario)(void *edges), sl_generator model)
{
    sl_edges edges;
    OK(ctx, sl_generate(&edges, ctx, &model));
    /* The first call allocates what the process keeps: kernels, the counter of frontier lists. */
    OK(ctx, scenario(&edges));
    assert_true(allocator_fail_each(scenario, &edges) > 20);
    sl_edges_free(&edges);
}

static void little_memory(void **state)
{
    (void)state;
    if (!has_gpu())
        skip();
    assert_int_equal(sl_context_create(&ctx, SL_ENGINE_CUDA), SL_OK);
    fails_each(with_little_memory, (sl_generator){.model = SL_MODEL_PATH, .vertices = 50});
    fails_each(twice_with_little_memory,
               (sl_generator){.model = SL_MODEL_COMPLETE, .vertices = 40});
    sl_context_free(ctx);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {cmocka_unit_test(little_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
