/* Products over a pattern: the direction that is chosen, and the order of the vectors. */
#include <semla/io.h>

#include "cuda/data/device_vector.h"
#include "support.h"

static sl_context *ctx;

/* ---- push or pull --------------------------------------------------------------------------- */

/* A complete bipartite graph of two sides, and vertices without edges, which a search does not reach. */
enum { SIDE = 300, ALONE = 60000, ALL = 2 * SIDE + ALONE, LEFT = 10 };

static sl_matrix *bipartite(void)
{
    static uint64_t rows[2 * SIDE * SIDE], cols[2 * SIDE * SIDE];
    bool symmetric;
    sl_matrix *A;
    for (uint64_t k = 0; k < SIDE * SIDE; k++) {
        rows[2 * k] = cols[2 * k + 1] = k / SIDE;
        cols[2 * k] = rows[2 * k + 1] = SIDE + k % SIDE;
    }
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, ALL, ALL));
    OK(ctx, sl_matrix_build(A, rows, cols, NULL, 2 * SIDE * SIDE, SL_LOR_BOOL));
    OK(ctx, sl_matrix_is_symmetric(&symmetric, A));
    assert_true(symmetric);
    return A;
}

/* The vertices 0 to count - 1. */
static sl_vector *first_vertices(uint64_t count)
{
    uint64_t index[2 * SIDE];
    int64_t value[2 * SIDE];
    sl_vector *v;
    for (uint64_t k = 0; k < count; k++)
        value[k] = (int64_t)(index[k] = k);
    OK(ctx, sl_vector_new(&v, ctx, SL_INT64, ALL));
    OK(ctx, sl_vector_build(v, index, value, count, NULL));
    return v;
}

/* One side has been found and is the frontier; of the other one LEFT vertices are missing. */
static void few_vertices_are_pulled(void **unused)
{
    (void)unused;
    if (!ctx)
        skip();
    sl_matrix *A = bipartite();
    sl_vector *pi = first_vertices(2 * SIDE - LEFT), *q = first_vertices(SIDE), *delta;
    sl_iteration iteration;
    uint64_t found;
    OK(ctx, sl_vector_new(&delta, ctx, SL_INT64, ALL));
    OK(ctx, sl_advance(delta, pi, q, A, SL_ANY_SECONDI_INT64, SL_AUTO, &iteration));
    assert_int_equal(iteration.direction, SL_PULL);
    OK(ctx, sl_vector_nvals(&found, delta));
    assert_int_equal(found, LEFT);
    sl_vector_free(delta);
    sl_vector_free(q);
    sl_vector_free(pi);
    sl_matrix_free(A);
}

/* A push of a few vertices does not wait for their counts: it reads the list that is made for it. */
static void a_few_vertices_are_pushed_at_once(void **unused)
{
    enum { FEW = 3 };
    (void)unused;
    if (!ctx)
        skip();
    sl_matrix *A = bipartite();
    sl_vector *q = first_vertices(FEW), *found;
    uint64_t index[SIDE], count = SIDE;
    int64_t parent[SIDE];
    OK(ctx, sl_vector_new(&found, ctx, SL_INT64, ALL));
    OK(ctx, sl_vxm(found, NULL, NULL, SL_MIN_SECONDI_INT64, q, A, NULL));
    const cuda_frontier_list *list = cuda_vector_of(sl_object_of_vector(q))->frontier_list;
    assert_true(list && list->frontier.list && !list->there);
    OK(ctx, sl_vector_extract_tuples(index, parent, &count, found));
    assert_int_equal(count, SIDE);
    for (uint64_t k = 0; k < SIDE; k++) {
        assert_int_equal(index[k], SIDE + k);
        assert_int_equal(parent[k], 0);
    }
    sl_vector_free(found);
    sl_vector_free(q);
    sl_matrix_free(A);
}

/* ---- the order ------------------------------------------------------------------------------ */

static bool is_ordered(sl_matrix *A, sl_semiring semiring)
{
    const uint64_t n = sl_matrix_nrows(A);
    sl_vector *q;
    OK(ctx, sl_vector_new(&q, ctx, SL_INT64, n));
    for (uint64_t v = 0; v < n; v += 2)
        OK(ctx, sl_vector_set(q, v, sl_scalar_int64(1)));
    OK(ctx, sl_vxm(q, NULL, NULL, semiring, q, A, sl_descriptor_get(SL_REPLACE)));
    const bool ordered = cuda_vector_of(sl_object_of_vector(q))->order;
    sl_vector_free(q);
    return ordered;
}

static void least_parents_keep_the_callers_order(void **unused)
{
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 10, .seed = 1};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    sl_matrix *A;
    (void)unused;
    if (!ctx)
        skip();
    OK(ctx, sl_matrix_generate(&A, ctx, &model, &options));
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    assert_true(is_ordered(A, SL_ANY_SECONDI_INT64));
    assert_false(is_ordered(A, SL_MIN_SECONDI_INT64));
    assert_false(is_ordered(A, SL_MAX_SECONDI_INT64));
    sl_matrix_free(A);
}

int main(void)
{
    if (sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK) {
        print_message("engine cuda skipped\n");
        ctx = NULL;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(few_vertices_are_pulled),
                                       cmocka_unit_test(a_few_vertices_are_pushed_at_once),
                                       cmocka_unit_test(least_parents_keep_the_callers_order)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(ctx);
    return failed;
}
