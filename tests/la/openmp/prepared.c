/*
 * Reordered graphs prepared by sl_matrix_optimize, as reported by sl_matrix_placement and by the
 * memory count, in a context of one process: the number of vertices in pruned trees, and the memory
 * per isolated vertex. The reordered graph is freed when the matrix is written. The second search of
 * a matrix that was not prepared prepares it, and so do many products.
 */
#include <semla/bfs.h>
#include <semla/io.h>

#include "library_context.h"

static sl_matrix *generated(sl_context *on, sl_generator model)
{
    sl_edges edges;
    sl_matrix *A;
    OK(on, sl_generate(&edges, on, &model));
    OK(on, sl_matrix_from_edges(&A, on, &edges, &(sl_read_options){.flags = SL_READ_SYMMETRIC}));
    sl_edges_free(&edges);
    return A;
}

static uint64_t pruned_vertices(const sl_matrix *A)
{
    sl_placement placement;
    assert_int_equal(sl_matrix_placement(&placement, A), SL_OK);
    return placement.pruned;
}

/* The number of vertices with edges; the pattern is symmetric. */
static uint64_t vertices_with_edges(const sl_matrix *A)
{
    sl_vector *degree;
    uint64_t count;
    OK(ctx, sl_vector_new(&degree, ctx, SL_INT64, sl_matrix_nrows(A)));
    OK(ctx, sl_matrix_reduce_rows(degree, NULL, NULL, SL_PLUS_MONOID_INT64, A, NULL));
    OK(ctx, sl_vector_nvals(&count, degree));
    sl_vector_free(degree);
    return count;
}

static void pruned_vertices_are_counted_until_a_write(void **unused)
{
    sl_matrix *A = generated(
        ctx, (sl_generator){.model = SL_MODEL_KRONECKER, .scale = 9, .edge_factor = 4, .seed = 1});
    assert_int_equal(pruned_vertices(A), 0);
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    assert_int_equal(pruned_vertices(A), 0);
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL | SL_PRUNED));
    assert_true(pruned_vertices(A) > 0);
    assert_true(pruned_vertices(A) < vertices_with_edges(A));
    OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_bool(true)));
    assert_int_equal(pruned_vertices(A), 0);
    sl_matrix_free(A);
}

/* The bytes allocated to prepare a star and `isolated` further vertices without edges; checks that
 * a write frees them. */
static uint64_t prepared_bytes(sl_context *counted, uint64_t isolated)
{
    enum { HUB_EDGES = 200 };
    uint64_t row[2 * HUB_EDGES], col[2 * HUB_EDGES];
    sl_context_memory before, with, after;
    sl_matrix *A;
    for (uint64_t k = 0; k < HUB_EDGES; k++) {
        row[2 * k] = col[2 * k + 1] = 0;
        col[2 * k] = row[2 * k + 1] = k + 1;
    }
    OK(counted,
       sl_matrix_new(&A, counted, SL_BOOL, HUB_EDGES + 1 + isolated, HUB_EDGES + 1 + isolated));
    OK(counted, sl_matrix_build(A, row, col, NULL, 2 * HUB_EDGES, NULL));
    OK(counted, sl_matrix_promise_symmetric(A));
    sl_context_get_memory(counted, &before);
    OK(counted, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    sl_context_get_memory(counted, &with);
    OK(counted, sl_matrix_clear(A));
    sl_context_get_memory(counted, &after);
    assert_true(after.used <= before.used);
    sl_matrix_free(A);
    return with.used - before.used;
}

/*
 * The reordered graph has no rows for vertices without edges. Each of them takes 4 bytes in new_id
 * and old_id, and 8 in the row starts of the matrix, which are stored for every row from then on;
 * with a row and scratch of its own it would take 20 bytes more.
 */
static void isolated_vertices_have_ids_only(void **unused)
{
    enum { ISOLATED = 100000 };
    sl_context *counted;
    assert_int_equal(sl_context_create(&counted, SL_ENGINE_OPENMP), SL_OK);
    OK(counted, sl_context_set_memory_limit(counted, 0));
    const uint64_t without = prepared_bytes(counted, 0), with = prepared_bytes(counted, ISOLATED);
    assert_true(without > 0);
    assert_true(with - without <= 16 * ISOLATED + 4096);
    sl_context_free(counted);
}

/* A context with SuiteSparse only prepares nothing. */
static void an_engine_without_reordered_graphs(void **unused)
{
    sl_context *plain;
    assert_int_equal(sl_context_create(&plain, SL_ENGINE_SUITESPARSE), SL_OK);
    sl_matrix *A =
        generated(plain, (sl_generator){.model = SL_MODEL_KRONECKER, .scale = 7, .seed = 1});
    OK(plain, sl_matrix_optimize(A, SL_FOR_TRAVERSAL | SL_PRUNED));
    assert_int_equal(pruned_vertices(A), 0);
    sl_matrix_free(A);
    sl_context_free(plain);
}

/* The bytes that a context has allocated. */
static uint64_t used(const sl_context *on)
{
    sl_context_memory memory;
    sl_context_get_memory(on, &memory);
    return memory.used;
}

static void search(sl_context *on, const sl_matrix *A, const sl_bfs_options *options)
{
    sl_vector *level;
    OK(on, sl_bfs(NULL, &level, A, 0, options));
    sl_vector_free(level);
}

/* The bytes that a search adds to what a context has allocated. */
static uint64_t bytes_of_search(sl_context *on, const sl_matrix *A, const sl_bfs_options *options)
{
    const uint64_t before = used(on);
    search(on, A, options);
    return used(on) - before;
}

/* Before the first search a matrix gets what sl_matrix_optimize makes, once until it is written; a
 * first search with a bound leaves it as it is. */
static void the_first_search_prepares(void **unused)
{
    const sl_generator models[] = {
        {.model = SL_MODEL_KRONECKER, .scale = 14, .edge_factor = 8, .seed = 1},
        {.model = SL_MODEL_GRID, .side = {300, 300}, .seed = 1}};
    for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
        sl_context *asked, *unasked;
        assert_int_equal(sl_context_create(&asked, SL_ENGINE_OPENMP), SL_OK);
        assert_int_equal(sl_context_create(&unasked, SL_ENGINE_OPENMP), SL_OK);
        OK(asked, sl_context_set_memory_limit(asked, 0)); /* counts memory */
        OK(unasked, sl_context_set_memory_limit(unasked, 0));
        sl_matrix *A = generated(asked, models[m]), *B = generated(unasked, models[m]);
        OK(asked, sl_matrix_promise_symmetric(A));
        OK(unasked, sl_matrix_promise_symmetric(B));
        OK(asked, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
        search(asked, A, NULL);
        const uint64_t first = bytes_of_search(unasked, B, NULL);
        assert_int_equal(used(unasked), used(asked));
        for (int k = 0; k < 2; k++)
            assert_int_equal(bytes_of_search(unasked, B, NULL), 0);
        const sl_bfs_options near = {.bounded = true, .max_depth = 2};
        OK(unasked, sl_matrix_set(B, 0, 1, sl_scalar_bool(true)));
        OK(unasked, sl_matrix_set(B, 1, 0, sl_scalar_bool(true)));
        OK(unasked, sl_matrix_promise_symmetric(B));
        const uint64_t bounded = bytes_of_search(unasked, B, &near);
        assert_true(bounded < first);
        assert_true(bytes_of_search(unasked, B, &near) > 0);
        assert_int_equal(bytes_of_search(unasked, B, NULL), 0);
        sl_matrix_free(A);
        sl_matrix_free(B);
        sl_context_free(asked);
        sl_context_free(unasked);
    }
}

/* The number of vertices that the even ones reach, by a product that pulls. */
static uint64_t reached_by_product(sl_context *on, const sl_matrix *A)
{
    uint64_t count;
    sl_vector *reached;
    OK(on, sl_vector_new(&reached, on, SL_INT64, sl_matrix_nrows(A)));
    for (uint64_t v = 0; v < sl_matrix_nrows(A); v += 2)
        OK(on, sl_vector_set(reached, v, sl_scalar_int64(1)));
    OK(on, sl_vxm(reached, NULL, NULL, SL_ANY_SECONDI_INT64, reached, A,
                  sl_descriptor_get(SL_REPLACE)));
    OK(on, sl_vector_nvals(&count, reached));
    sl_vector_free(reached);
    return count;
}

/* A matrix whose products pull often gets what sl_matrix_optimize makes, once. */
static void many_products_prepare(void **unused)
{
    enum { PRODUCTS = 100 };
    sl_context *counted;
    unsigned changes = 0;
    assert_int_equal(sl_context_create(&counted, SL_ENGINE_OPENMP), SL_OK);
    OK(counted, sl_context_set_memory_limit(counted, 0)); /* counts memory */
    sl_matrix *A =
        generated(counted, (sl_generator){.model = SL_MODEL_KRONECKER, .scale = 11, .seed = 1});
    const uint64_t reached = reached_by_product(counted, A);
    for (unsigned k = 0; k < PRODUCTS; k++) {
        const uint64_t before = used(counted);
        assert_int_equal(reached_by_product(counted, A), reached);
        changes += used(counted) != before;
    }
    assert_int_equal(changes, 1);
    const uint64_t before = used(counted);
    OK(counted, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    assert_int_equal(used(counted), before);
    sl_matrix_free(A);
    sl_context_free(counted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pruned_vertices_are_counted_until_a_write),
        cmocka_unit_test(isolated_vertices_have_ids_only),
        cmocka_unit_test(an_engine_without_reordered_graphs),
        cmocka_unit_test(the_first_search_prepares),
        cmocka_unit_test(many_products_prepare),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
