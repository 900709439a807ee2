/*
 * sl_matrix_optimize: on every engine, searches give the same results with a prepared matrix and
 * without; the reordered graph is freed when the matrix is written; its memory is counted; and if
 * memory runs out, the matrix is unchanged.
 */
#include <stdlib.h>
#include <string.h>

#include <semla/bfs.h>

#include "library_context.h"

static unsigned purpose;
static sl_engine_choice choice;

/*
 * Vertex 2 has edges to all vertices from 100 to 299; each of these has edges to vertex 2, if
 * undirected, and to the next one. Because vertex 2 is a hub, the graph is reordered by degree.
 * Vertices 0, 1, 3 to 99 and 300 are isolated.
 */
enum { HUB = 2, FIRST = 100, LAST = 299, N = 301, EDGES = 2 * (LAST - FIRST) + 1 };

static sl_status wheel(sl_matrix **A, sl_context *on, bool undirected)
{
    uint64_t row[2 * EDGES], col[2 * EDGES], count = 0;
    for (uint64_t v = FIRST; v <= LAST; v++) {
        row[count] = HUB;
        col[count++] = v;
        if (v == LAST)
            break;
        row[count] = v;
        col[count++] = v + 1;
    }
    for (uint64_t e = 0; undirected && e < EDGES; e++) {
        row[count] = col[e];
        col[count++] = row[e];
    }
    sl_status status = sl_matrix_new(A, on, SL_BOOL, N, N);
    if (status == SL_OK)
        status = sl_matrix_build(*A, row, col, NULL, count, NULL);
    if (status != SL_OK) {
        sl_matrix_free(*A);
        *A = NULL;
    }
    return status;
}

/* Checks the levels of a search from a vertex of the rim: all of the wheel is reached if
 * undirected, otherwise the rim after the source. */
static void assert_searched(const sl_matrix *A, bool undirected)
{
    const uint64_t source = 150;
    sl_vector *parent, *level;
    int64_t *parents, *levels;
    OK(ctx, sl_bfs(&parent, &level, A, source, NULL));
    OK(ctx, sl_search_array(&parents, parent));
    OK(ctx, sl_search_array(&levels, level));
    for (int64_t v = 0; v < N; v++) {
        bool rim = v >= FIRST && v <= LAST;
        int64_t away = v > (int64_t)source ? v - (int64_t)source : (int64_t)source - v;
        int64_t expected = -1;
        if (undirected && (rim || v == HUB))
            expected = v == HUB ? 1 : away < 2 ? away : 2;
        if (!undirected && rim && v >= (int64_t)source)
            expected = away;
        assert_int_equal(levels[v], expected);
        if (expected > 0)
            assert_int_equal(levels[parents[v]], expected - 1);
        else
            assert_int_equal(parents[v], expected < 0 ? -1 : v);
    }
    sl_free(parents);
    sl_free(levels);
    sl_vector_free(parent);
    sl_vector_free(level);
}

static void searches_have_equal_results(void **state)
{
    (void)state;
    for (int undirected = 0; undirected < 2; undirected++) {
        sl_matrix *A;
        OK(ctx, wheel(&A, ctx, undirected));
        assert_searched(A, undirected);
        for (int k = 0; k < 2; k++) {
            OK(ctx, sl_matrix_optimize(A, purpose));
            assert_searched(A, undirected);
        }
        sl_matrix_free(A);
    }
}

/* Vertices that the reordered graph omits can be sources and targets, and edges can be added to
 * them. */
static void isolated_vertices(void **state)
{
    (void)state;
    sl_matrix *A;
    OK(ctx, wheel(&A, ctx, true));
    OK(ctx, sl_matrix_optimize(A, purpose));
    for (uint64_t source = 0; source < 2; source++) {
        sl_vector *parent, *level;
        sl_scalar x;
        uint64_t count;
        OK(ctx, sl_bfs(&parent, &level, A, source, NULL));
        OK(ctx, sl_vector_nvals(&count, parent));
        assert_int_equal(count, 1);
        OK(ctx, sl_vector_get(&x, parent, source));
        assert_int_equal(x.as.int64_, source);
        OK(ctx, sl_vector_nvals(&count, level));
        assert_int_equal(count, 1);
        sl_vector_free(parent);
        sl_vector_free(level);
    }
    const uint64_t targets[] = {300, HUB};
    for (int until = SL_UNTIL_ANY; until <= SL_UNTIL_ALL; until++) {
        sl_bfs_options options = {.targets = targets, .ntargets = 2, .until = (sl_until)until};
        sl_vector *level;
        uint64_t count;
        OK(ctx, sl_bfs(NULL, &level, A, 200, &options));
        OK(ctx, sl_vector_nvals(&count, level));
        assert_int_equal(count, until == SL_UNTIL_ANY ? 4 : LAST - FIRST + 2);
        sl_vector_free(level);
    }
    OK(ctx, sl_matrix_set(A, 0, HUB, sl_scalar_bool(true)));
    OK(ctx, sl_matrix_set(A, HUB, 0, sl_scalar_bool(true)));
    for (int k = 0; k < 2; k++) {
        sl_vector *level;
        sl_scalar x;
        OK(ctx, sl_bfs(NULL, &level, A, 0, NULL));
        OK(ctx, sl_vector_get(&x, level, LAST));
        assert_int_equal(x.as.int64_, 2);
        sl_vector_free(level);
        OK(ctx, sl_matrix_optimize(A, purpose));
    }
    sl_matrix_free(A);
}

/* ---- memory ---------------------------------------------------------------------- */

static sl_status prepare_and_search(void *data)
{
    const uint64_t targets[] = {300, LAST};
    const sl_bfs_options options = {.targets = targets, .ntargets = 2, .until = SL_UNTIL_ALL};
    sl_vector *parent = NULL, *level = NULL;
    sl_matrix *A = NULL;
    sl_status status = wheel(&A, ctx, *(const bool *)data);
    if (status == SL_OK)
        status = sl_matrix_optimize(A, purpose);
    if (status == SL_OK)
        status = sl_bfs(&parent, &level, A, HUB, &options);
    sl_vector_free(parent);
    sl_vector_free(level);
    sl_matrix_free(A);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    for (int undirected = 0; undirected < 2; undirected++) {
        bool data = undirected;
        /* The first call allocates what SuiteSparse keeps between calls. */
        OK(ctx, prepare_and_search(&data));
        assert_true(allocator_fail_each(prepare_and_search, &data) > 10);
    }
}

static void failure_leaves_matrix_unchanged(void **state)
{
    (void)state;
    for (int undirected = 0; undirected < 2; undirected++) {
        sl_status status = SL_NO_MEMORY;
        for (long n = 0; status == SL_NO_MEMORY; n++) {
            sl_matrix *A;
            OK(ctx, wheel(&A, ctx, undirected));
            allocator_fail_after(n);
            status = sl_matrix_optimize(A, purpose);
            allocator_fail_after(-1);
            assert_true(status == SL_OK || status == SL_NO_MEMORY);
            assert_searched(A, undirected);
            sl_matrix_free(A);
        }
    }
}

/* Adds a tree to the wheel: edges 51 - 50 and 50 - 150, where vertex 150 is on the rim. */
static sl_status add_tree(sl_matrix *A)
{
    const uint64_t path[] = {51, 50, 150};
    sl_status status = SL_OK;
    for (int k = 0; k < 2 && status == SL_OK; k++) {
        status = sl_matrix_set(A, path[k], path[k + 1], sl_scalar_bool(true));
        if (status == SL_OK)
            status = sl_matrix_set(A, path[k + 1], path[k], sl_scalar_bool(true));
    }
    return status;
}

static sl_status prepare_and_search_from_tree(void *data)
{
    sl_vector *parent = NULL, *level = NULL;
    sl_matrix *A = NULL;
    sl_status status = wheel(&A, ctx, true);
    if (status == SL_OK)
        status = add_tree(A);
    if (status == SL_OK)
        status = sl_matrix_optimize(A, purpose);
    if (status == SL_OK)
        status = sl_bfs(&parent, &level, A, 51, NULL);
    sl_vector_free(parent);
    sl_vector_free(level);
    sl_matrix_free(A);
    return status;
}

static int64_t level_of_last(const sl_matrix *A)
{
    sl_vector *level;
    sl_scalar x;
    OK(ctx, sl_bfs(NULL, &level, A, 51, NULL));
    OK(ctx, sl_vector_get(&x, level, LAST));
    sl_vector_free(level);
    return x.as.int64_;
}

static void trees_without_memory(void **state)
{
    (void)state;
    OK(ctx, prepare_and_search_from_tree(NULL));
    assert_true(allocator_fail_each(prepare_and_search_from_tree, NULL) > 10);
    sl_status status = SL_NO_MEMORY;
    for (long n = 0; status == SL_NO_MEMORY; n++) {
        sl_matrix *A;
        OK(ctx, wheel(&A, ctx, true));
        OK(ctx, add_tree(A));
        OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
        assert_int_equal(level_of_last(A), 4);
        allocator_fail_after(n);
        status = sl_matrix_optimize(A, purpose);
        allocator_fail_after(-1);
        assert_true(status == SL_OK || status == SL_NO_MEMORY);
        assert_int_equal(level_of_last(A), 4);
        sl_matrix_free(A);
    }
}

/* A context of the host only, because memory of a GPU is not counted. */
static void memory_is_counted(void **state)
{
    (void)state;
    sl_context *counted;
    sl_context_memory before, with, after;
    sl_matrix *A;
    assert_int_equal(sl_context_create(&counted, SL_ENGINE_OPENMP), SL_OK);
    OK(counted, sl_context_set_memory_limit(counted, 0));
    OK(counted, wheel(&A, counted, true));
    OK(counted, sl_matrix_promise_symmetric(A));
    sl_context_get_memory(counted, &before);
    OK(counted, sl_context_set_memory_limit(counted, before.used + 4 * 2 * EDGES));
    assert_int_equal(sl_matrix_optimize(A, purpose), SL_NO_MEMORY);
    sl_context_get_memory(counted, &after);
    assert_int_equal(after.used, before.used);
    OK(counted, sl_context_set_memory_limit(counted, 0));
    OK(counted, sl_matrix_optimize(A, purpose));
    sl_context_get_memory(counted, &with);
    assert_true(with.used >= before.used + 2 * EDGES);
    OK(counted, sl_matrix_clear(A));
    sl_context_get_memory(counted, &after);
    assert_true(after.used < before.used);
    sl_matrix_free(A);
    sl_context_free(counted);
}

/* Column indices in pinned memory are counted as memory of the host. */
static void pinned_memory_is_counted(void **state)
{
    (void)state;
    sl_context *counted;
    sl_context_memory before, with, after;
    sl_matrix *A;
    if (choice != SL_ENGINE_CUDA)
        return;
    setenv("SEMLA_TRAVERSAL", "pinned", 1);
    assert_int_equal(sl_context_create(&counted, SL_ENGINE_CUDA), SL_OK);
    OK(counted, sl_context_set_memory_limit(counted, 0));
    OK(counted, wheel(&A, counted, true));
    OK(counted, sl_matrix_promise_symmetric(A));
    sl_context_get_memory(counted, &before);
    OK(counted, sl_context_set_memory_limit(counted, before.used + EDGES));
    assert_int_equal(sl_matrix_optimize(A, SL_FOR_TRAVERSAL), SL_NO_MEMORY);
    assert_non_null(strstr(sl_context_message(counted), "above the context's limit"));
    sl_context_get_memory(counted, &after);
    assert_true(after.used <= before.used + 4096);
    OK(counted, sl_context_set_memory_limit(counted, 0));
    OK(counted, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    sl_context_get_memory(counted, &with);
    assert_true(with.used >= before.used + 2 * EDGES); /* half of the columns, 4 bytes each */
    OK(counted, sl_matrix_clear(A));
    sl_context_get_memory(counted, &after);
    assert_true(after.used <= before.used + 4096);
    sl_matrix_free(A);
    sl_context_free(counted);
    unsetenv("SEMLA_TRAVERSAL");
}

int main(void)
{
    allocator_install();
    static const unsigned purposes[] = {SL_FOR_TRAVERSAL, SL_FOR_TRAVERSAL | SL_PRUNED};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_have_equal_results),
        cmocka_unit_test(isolated_vertices),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(failure_leaves_matrix_unchanged),
        cmocka_unit_test(trees_without_memory),
        cmocka_unit_test(memory_is_counted),
        cmocka_unit_test(pinned_memory_is_counted),
    };
    int failed = 0;
    sl_engine_info engine;
    for (size_t k = 0; next_engine(&engine, &k);) {
        choice = engine.choice;
        if (sl_context_create(&ctx, choice) != SL_OK)
            return 1;
        for (size_t j = 0; j < sizeof purposes / sizeof *purposes; j++) {
            purpose = purposes[j];
            print_message("engine %s, purpose %u\n", engine.name, purpose);
            failed += cmocka_run_group_tests_name(engine.name, tests, NULL, NULL);
        }
        sl_context_free(ctx);
    }
    return failed;
}
