/*
 * Cancelling of algorithms, checks, preparation and Graph500: the progress function cancels each scenario at
 * its first, second, ... question, on every engine. Each run returns SL_CANCELLED with a message and
 * leaves no allocation, and the next run succeeds. A thread cancels, too, and progress is reported
 * with its units.
 */
#include "cancel.h"
#include "cancelled_calls.h"

#include <semla/registry.h>

#include <pthread.h>
#include <unistd.h>

/* ---- computing ----------------------------------------------------------------------------- */

static sl_status run_sssp(void *data)
{
    sl_vector *distance = NULL, *parent = NULL;
    sl_status status = sl_sssp(&distance, &parent, data, 0);
    sl_vector_free(distance);
    sl_vector_free(parent);
    return status;
}

static sl_status run_scc(void *data)
{
    sl_vector *component = NULL;
    sl_status status = sl_scc(&component, NULL, data);
    sl_vector_free(component);
    return status;
}

static sl_status run_spanning_forest(void *data)
{
    sl_matrix *forest = NULL;
    sl_status status = sl_spanning_forest(&forest, NULL, data);
    sl_matrix_free(forest);
    return status;
}

static sl_status run_independent_set(void *data)
{
    sl_vector *set = NULL;
    sl_status status = sl_independent_set(&set, data, 1);
    sl_vector_free(set);
    return status;
}

static sl_status run_label_propagation(void *data)
{
    sl_vector *label = NULL;
    sl_status status = sl_label_propagation(&label, data, 3, NULL);
    sl_vector_free(label);
    return status;
}

static sl_status run_pagerank(void *data)
{
    sl_vector *rank = NULL;
    sl_status status = sl_pagerank(&rank, data, NULL, NULL);
    sl_vector_free(rank);
    return status;
}

static sl_status run_several_sources(void *data)
{
    const uint64_t sources[] = {3, 6};
    sl_matrix *parent = NULL, *level = NULL;
    sl_vector *near = NULL, *path = NULL;
    bool connected;
    sl_status status = sl_multi_source_bfs(&parent, &level, data, sources, 2, NULL);
    if (status == SL_OK)
        status = sl_khop(&near, data, sources, 2, 2);
    if (status == SL_OK)
        status = sl_st_connected(&connected, NULL, &path, data, 0, 5);
    sl_matrix_free(parent);
    sl_matrix_free(level);
    sl_vector_free(near);
    sl_vector_free(path);
    return status;
}

static sl_status run_shape(void *data)
{
    sl_vector *side = NULL, *cycle = NULL;
    sl_diameter d;
    bool bipartite;
    sl_status status = sl_pseudo_diameter(&d, data, NULL);
    if (status == SL_OK)
        status = sl_bipartite(&bipartite, &side, &cycle, data);
    sl_vector_free(side);
    sl_vector_free(cycle);
    return status;
}

static sl_status run_prepared(void *data)
{
    sl_matrix *A = NULL;
    sl_status status = sl_matrix_dup(&A, data);
    if (status == SL_OK)
        status = sl_matrix_optimize(A, SL_FOR_TRAVERSAL);
    if (status == SL_OK)
        status = run_bfs(A);
    sl_matrix_free(A);
    return status;
}

static sl_status run_graph500(void *data)
{
    sl_graph500_report report;
    (void)data;
    return sl_graph500(&report, ctx, &(sl_graph500_options){.scale = 6, .roots = 4, .sssp = true});
}

/* Three cycles of 4 vertices, each joined to the next by an edge. */
static sl_matrix *make_directed(void)
{
    uint64_t from[14], to[14];
    sl_matrix *A;
    for (uint64_t v = 0; v < 12; v++) {
        from[v] = v;
        to[v] = v % 4 == 3 ? v - 3 : v + 1;
    }
    from[12] = 3;
    to[12] = 4;
    from[13] = 7;
    to[13] = 8;
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 12, 12));
    OK(ctx, sl_matrix_build(A, from, to, NULL, 14, NULL));
    return A;
}

static void cancel_algorithms(void **state)
{
    (void)state;
    sl_matrix *A = make(SL_MODEL_KRONECKER, 6, SL_BOOL), *lengths = make(SL_MODEL_GRID, 9, SL_FP64);
    sl_matrix *path = make(SL_MODEL_PATH, 40, SL_BOOL), *directed = make_directed();
    uint64_t before, after;
    OK(ctx, sl_matrix_nvals(&before, A));
    cancel_at_each(run_bfs, A, 3);
    const bool gpu = strcmp(sl_context_engine(ctx, 0), "cuda") == 0;
    cancel_at_each(run_bfs, path, gpu ? 3 : 40); /* at each level; on a GPU at each launch */
    cancel_at_each(run_sssp, lengths, gpu ? 2 : 5);
    cancel_at_each(run_components, A, gpu ? 2 : 3);
    cancel_at_each(run_scc, directed, 60);
    cancel_at_each(run_spanning_forest, lengths, 60);
    cancel_at_each(run_independent_set, A, 20);
    cancel_at_each(run_label_propagation, directed, 30);
    cancel_at_each(run_pagerank, A, 30);
    cancel_at_each(run_betweenness, A, 10);
    cancel_at_each(run_betweenness, path, 10);
    if (strcmp(sl_context_engine(ctx, 0), "openmp") ==
        0) { /* asks within levels of a vertex, too */
        sl_matrix *long_path = make(SL_MODEL_PATH, 5000, SL_BOOL);
        cancel_at_each(run_betweenness, long_path, 20);
        sl_matrix_free(long_path);
    }
    cancel_at_each(run_closeness, A, 20);
    cancel_at_each(run_triangles, A, 8);
    cancel_at_each(run_local_clustering, A, 20);
    cancel_at_each(run_core_numbers, A, 40);
    cancel_at_each(run_ktruss, A, 10);
    cancel_at_each(run_several_sources, A, 10);
    cancel_at_each(run_shape, path, 20);
    cancel_at_each(run_prepared, A, 4);
    cancel_at_each(run_graph500, NULL, 10);
    OK(ctx, sl_matrix_nvals(&after, A));
    assert_int_equal(before, after);
    sl_matrix_free(A);
    sl_matrix_free(lengths);
    sl_matrix_free(path);
    sl_matrix_free(directed);
}

/* A call with its results, and the rows that its check reads. */
typedef struct {
    sl_algorithm_call call;
    sl_csr rows;
} checked_call;

static sl_status run_check(void *data)
{
    checked_call *c = data;
    sl_check_result result;
    sl_status status = sl_algorithm_check(&result, &c->call, &c->rows);
    assert_int_equal(result.valid, status == SL_OK);
    return status;
}

/* Checks that take more than one step for each edge ask in their loops, and tell how far they are. */
static void cancel_checks(void **state)
{
    static const char *const names[] = {"betweenness",       "closeness",      "triangles",
                                        "local_clustering",  "ktruss",         "multi_source_bfs",
                                        "label_propagation", "pseudo_diameter"};
    (void)state;
    sl_matrix *A = make(SL_MODEL_KRONECKER, 5, SL_BOOL);
    checked_call c;
    OK(ctx, sl_matrix_copy_csr(&c.rows, A));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        question q;
        sl_algorithm_begin(&c.call, sl_algorithm_find(names[k]), A);
        OK(ctx, sl_algorithm_prepare(&c.call));
        OK(ctx, sl_algorithm_run(&c.call));
        cancel_at_each(run_check, &c, 1);
        OK(ctx, run_until(&q, run_check, &c, UINT64_MAX));
        assert_string_equal(q.last.operation, "check");
        assert_true(q.last.total > 0);
        sl_algorithm_end(&c.call);
    }
    sl_free(c.rows.start);
    sl_free(c.rows.index);
    sl_free(c.rows.values);
    sl_matrix_free(A);
}

/* ---- the functions of the context ---------------------------------------------------------------
 */

static void cancel_and_resume(void **state)
{
    (void)state;
    sl_matrix *A = make(SL_MODEL_KRONECKER, 6, SL_BOOL);
    sl_vector *rank;
    sl_edges edges;
    uint64_t count;
    assert_false(sl_context_is_cancelled(ctx));
    sl_context_cancel(ctx);
    assert_true(sl_context_is_cancelled(ctx));
    for (int k = 0; k < 2; k++) {
        assert_int_equal(sl_pagerank(&rank, A, NULL, NULL), SL_CANCELLED);
        assert_null(rank);
        assert_string_equal(sl_context_message(ctx), "pagerank: cancelled after 0 of 100");
        assert_int_equal(sl_matrix_nvals(&count, A), SL_CANCELLED);
        assert_int_equal(sl_generate(&edges, ctx, &(sl_generator){.scale = 4}), SL_CANCELLED);
        assert_null(edges.row);
    }
    assert_int_equal(sl_matrix_nrows(A), 64);
    sl_context_resume(ctx);
    assert_false(sl_context_is_cancelled(ctx));
    OK(ctx, sl_pagerank(&rank, A, NULL, NULL));
    sl_vector_free(rank);
    sl_matrix_free(A);

    sl_context_cancel(NULL);
    sl_context_resume(NULL);
    assert_false(sl_context_is_cancelled(NULL));
    assert_int_equal(sl_interrupted(NULL, "x"), SL_OK);
    assert_int_equal(sl_context_set_progress(NULL, NULL, NULL, 0), SL_INVALID);
    assert_int_equal(sl_context_set_progress(ctx, ask, NULL, -1), SL_INVALID);
    sl_progress_begin(NULL, &(sl_progress){0});
    sl_progress_end(NULL, &(sl_progress){0});
}

static void progress_has_units(void **state)
{
    (void)state;
    sl_matrix *A = make(SL_MODEL_KRONECKER, 6, SL_BOOL);
    question q;
    OK(ctx, run_until(&q, run_betweenness, A, UINT64_MAX));
    assert_string_equal(q.last.operation, "betweenness");
    assert_int_equal(q.last.total, 4);
    assert_int_equal(q.last.done, 4);
    assert_int_equal(run_until(&q, run_betweenness, A, q.calls - 1), SL_CANCELLED);
    assert_string_equal(sl_context_message(ctx), "betweenness: cancelled after 4 of 4");
    assert_int_equal(run_until(&q, run_bfs, A, 1), SL_CANCELLED); /* no units: operations */
    assert_int_equal(q.last.total, 0);

    /* the function is called at most once in an hour */
    q = (question){.cancel_at = UINT64_MAX};
    OK(ctx, sl_context_set_progress(ctx, ask, &q, 3600));
    OK(ctx, run_betweenness(A));
    assert_int_equal(q.calls, 1);
    OK(ctx, sl_context_set_progress(ctx, NULL, NULL, 0));
    sl_matrix_free(A);
}

/* The count of one operation that a scenario reports: the greatest one, and its total. */
typedef struct {
    const char *operation;
    uint64_t most, total;
} reported;

static int note_count(void *data, const sl_progress *progress)
{
    reported *r = data;
    assert_true(progress->total == 0 || progress->done <= progress->total);
    if (strcmp(progress->operation, r->operation) == 0 && progress->done >= r->most) {
        r->most = progress->done;
        r->total = progress->total;
    }
    return 0;
}

static sl_status run_building(void *data)
{
    sl_matrix *A = NULL;
    const sl_status status = sl_matrix_from_edges(&A, ctx, data, NULL);
    sl_matrix_free(A);
    return status;
}

/* Traversals and the assembly of a matrix tell how far they are, of `total` or less (a search leaves out vertices
 * without edges). On one thread, the one that reports. */
static void progress_of_one_call(void **state)
{
    (void)state;
    sl_matrix *A = make(SL_MODEL_KRONECKER, 14, SL_BOOL),
              *lengths = make(SL_MODEL_GRID, 60, SL_FP64);
    sl_edges edges;
    const uint64_t n = sl_matrix_nrows(A);
    const int threads = sl_context_threads(ctx);
    OK(ctx, sl_context_set_threads(ctx, 1));
    const bool on_openmp = strcmp(sl_context_engine(ctx, 0), "openmp") == 0;
    OK(ctx, sl_generate(&edges, ctx, &(sl_generator){.model = SL_MODEL_KRONECKER, .scale = 14}));
    const struct {
        const char *operation;
        sl_status (*run)(void *data);
        void *data;
        uint64_t least, total;
    } cases[] = {
        {"matrix_from_edges", run_building, &edges, edges.count, 3 * edges.count},
        {"closure", run_bfs, A, 1000, n},
        {"closure", run_sssp, lengths, 1000, 0},
        {"components", run_components, A, on_openmp, on_openmp ? 2 * n : 0},
    };
    /* On a GPU a launch does the whole traversal. */
    const size_t count =
        strcmp(sl_context_engine(ctx, 0), "cuda") == 0 ? 1 : sizeof cases / sizeof *cases;
    for (size_t k = 0; k < count; k++) {
        reported r = {.operation = cases[k].operation};
        OK(ctx, sl_context_set_progress(ctx, note_count, &r, 0));
        OK(ctx, cases[k].run(cases[k].data));
        OK(ctx, sl_context_set_progress(ctx, NULL, NULL, 0));
        if (r.most < cases[k].least || r.total > cases[k].total ||
            (cases[k].total > 0 && r.total == 0))
            fail_msg("case %zu, %s: %llu of %llu", k, r.operation, (unsigned long long)r.most,
                     (unsigned long long)r.total);
    }
    OK(ctx, sl_context_set_threads(ctx, threads));
    sl_edges_free(&edges);
    sl_matrix_free(A);
    sl_matrix_free(lengths);
}

static void *cancel_soon(void *data)
{
    usleep(50000);
    sl_context_cancel(data);
    return NULL;
}

/* A run of minutes, which another thread cancels. */
static void cancel_from_a_thread(void **state)
{
    (void)state;
    sl_matrix *A = make(SL_MODEL_KRONECKER, 14, SL_BOOL);
    sl_vector *centrality;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, ctx), 0);
    assert_int_equal(sl_betweenness(&centrality, A, NULL, 0, NULL), SL_CANCELLED);
    assert_null(centrality);
    assert_int_equal(pthread_join(thread, NULL), 0);
    sl_context_resume(ctx);
    sl_matrix_free(A);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cancel_algorithms),    cmocka_unit_test(cancel_checks),
        cmocka_unit_test(cancel_and_resume),    cmocka_unit_test(progress_has_units),
        cmocka_unit_test(progress_of_one_call), cmocka_unit_test(cancel_from_a_thread),
    };
    return run_on_engines(tests, sizeof tests / sizeof *tests);
}
