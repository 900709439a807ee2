/*
 * Cancellation: the progress function cancels each scenario at its first, second, ... question, on
 * every engine. Each run returns SL_CANCELLED with a message, leaves no allocation and no file, and
 * the next run succeeds. A thread cancels, too, and progress is reported with its units.
 */
#include "support.h"

#include <semla/algorithms.h>
#include <semla/bfs.h>
#include <semla/io.h>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static sl_context *ctx;
static char folder[] = "/tmp/semla-cancel-XXXXXX";

/* ---- a progress function that cancels ------------------------------------------------------ */

typedef struct {
    uint64_t calls, cancel_at; /* questions so far; the number of the one that cancels, from 0 */
    sl_progress last;
} question;

static int ask(void *data, const sl_progress *progress)
{
    question *q = data;
    assert_non_null(progress->operation);
    assert_true(progress->total == 0 || progress->done <= progress->total);
    q->last = *progress;
    return q->calls++ >= q->cancel_at;
}

/* Runs the scenario and cancels it at question number `at`. */
static sl_status run_until(question *q, sl_status (*scenario)(void *data), void *data, uint64_t at)
{
    *q = (question){.cancel_at = at};
    OK(ctx, sl_context_set_progress(ctx, ask, q, 0));
    sl_status status = scenario(data);
    OK(ctx, sl_context_set_progress(ctx, NULL, NULL, 0));
    return status;
}

/* Several threads do not ask the same number of questions in each run; only one does. */
static void cancel_at_each(sl_status (*scenario)(void *data), void *data, uint64_t least)
{
    question q;
    OK(ctx,
       run_until(&q, scenario, data, UINT64_MAX)); /* later runs reuse what this one prepares */
    OK(ctx, run_until(&q, scenario, data, UINT64_MAX));
    const uint64_t questions = q.calls;
    const bool exact = sl_context_threads(ctx) == 1;
    assert_true(questions >= least);
    const long alive = allocator_alive();
    for (uint64_t n = 0; n < questions; n += n < 60 ? 1 : 1 + questions / 20) {
        sl_status status = run_until(&q, scenario, data, n);
        if (status != SL_CANCELLED && (exact || status != SL_OK))
            fail_msg("question %llu of %llu: %s (%s)", (unsigned long long)n,
                     (unsigned long long)questions, sl_status_string(status),
                     sl_context_message(ctx));
        if (status == SL_CANCELLED)
            assert_non_null(strstr(sl_context_message(ctx), "cancelled"));
    }
    OK(ctx, run_until(&q, scenario, data, UINT64_MAX));
    if (exact)
        assert_int_equal(q.calls, questions);
    assert_true(allocator_alive() <= alive + 8); /* SuiteSparse may keep a little with a matrix */
}

/* ---- computing ----------------------------------------------------------------------------- */

static sl_status run_bfs(void *data)
{
    sl_vector *parent = NULL, *level = NULL;
    sl_status status = sl_bfs(&parent, &level, data, 0, NULL);
    sl_vector_free(parent);
    sl_vector_free(level);
    return status;
}

static sl_status run_sssp(void *data)
{
    sl_vector *distance = NULL, *parent = NULL;
    sl_status status = sl_sssp(&distance, &parent, data, 0);
    sl_vector_free(distance);
    sl_vector_free(parent);
    return status;
}

static sl_status run_components(void *data)
{
    sl_vector *component = NULL;
    sl_status status = sl_components(&component, data);
    sl_vector_free(component);
    return status;
}

static sl_status run_pagerank(void *data)
{
    sl_vector *rank = NULL;
    sl_status status = sl_pagerank(&rank, data, NULL, NULL);
    sl_vector_free(rank);
    return status;
}

static sl_status run_betweenness(void *data)
{
    sl_vector *centrality = NULL;
    sl_status status = sl_betweenness(&centrality, data, (const uint64_t[]){0, 1, 2, 3}, 4,
                                      &(sl_betweenness_options){.batch = 2});
    sl_vector_free(centrality);
    return status;
}

static sl_status run_triangles(void *data)
{
    sl_vector *per_vertex = NULL;
    uint64_t count;
    sl_status status = sl_triangles(&count, &per_vertex, data);
    sl_vector_free(per_vertex);
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
    return sl_graph500(&report, ctx, &(sl_graph500_options){.scale = 6, .roots = 4});
}

static sl_matrix *make(sl_model model, uint64_t size, sl_type type)
{
    const sl_generator g = {
        .model = model, .scale = (unsigned)size, .vertices = size, .side = {size, size}, .seed = 1};
    sl_edges edges;
    sl_matrix *A;
    OK(ctx, sl_generate(&edges, ctx, &g));
    edges.type = type;
    if (type == SL_FP64) {
        double *values = sl_malloc(edges.count * sizeof *values);
        for (uint64_t k = 0; k < edges.count; k++)
            values[k] = (double)(1 + k % 7);
        edges.values = values;
    }
    OK(ctx,
       sl_matrix_from_edges(&A, ctx, &edges,
                            &(sl_read_options){.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS}));
    sl_edges_free(&edges);
    return A;
}

static void cancel_algorithms(void **state)
{
    (void)state;
    sl_matrix *A = make(SL_MODEL_KRONECKER, 6, SL_BOOL), *lengths = make(SL_MODEL_GRID, 9, SL_FP64);
    sl_matrix *path = make(SL_MODEL_PATH, 40, SL_BOOL);
    uint64_t before, after;
    OK(ctx, sl_matrix_nvals(&before, A));
    cancel_at_each(run_bfs, A, 3);
    const bool gpu = strcmp(sl_context_engine(ctx, 0), "cuda") == 0;
    cancel_at_each(run_bfs, path, gpu ? 3 : 40); /* at each level; on a GPU at each launch */
    cancel_at_each(run_sssp, lengths, 5);
    cancel_at_each(run_components, A, 5);
    cancel_at_each(run_pagerank, A, 30);
    cancel_at_each(run_betweenness, A, 20);
    cancel_at_each(run_triangles, A, 8);
    cancel_at_each(run_several_sources, A, 10);
    cancel_at_each(run_shape, path, 20);
    cancel_at_each(run_prepared, A, 4);
    cancel_at_each(run_graph500, NULL, 10);
    OK(ctx, sl_matrix_nvals(&after, A));
    assert_int_equal(before, after);
    sl_matrix_free(A);
    sl_matrix_free(lengths);
    sl_matrix_free(path);
}

/* ---- generating, reading, writing ------------------------------------------------------------ */

static sl_status run_generate(void *data)
{
    sl_matrix *A = NULL;
    sl_edges edges = {0};
    sl_status status = sl_generate(&edges, ctx, data);
    if (status == SL_OK)
        status = sl_matrix_generate(&A, ctx, data, NULL);
    sl_edges_free(&edges);
    sl_matrix_free(A);
    return status;
}

static void cancel_generators(void **state)
{
    (void)state;
    sl_generator models[] = {
        {.model = SL_MODEL_KRONECKER, .scale = 8},
        {.model = SL_MODEL_UNIFORM, .vertices = 50, .edges = 200},
        {.model = SL_MODEL_GRID, .side = {5, 6, 7}},
        {.model = SL_MODEL_PATH, .vertices = 30},
        {.model = SL_MODEL_STAR, .vertices = 30},
        {.model = SL_MODEL_COMPLETE, .vertices = 12},
        {.model = SL_MODEL_ROAD, .side = {9, 9}},
    };
    for (size_t k = 0; k < sizeof models / sizeof *models; k++)
        cancel_at_each(run_generate, &models[k], 2);
}

static char path[128];

static const char *in_folder(const char *name)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static unsigned files(void)
{
    unsigned count = 0;
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (const struct dirent *entry; (entry = readdir(open));)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

static sl_status run_read(void *data)
{
    (void)data;
    sl_matrix *A = NULL;
    sl_status status = sl_matrix_read(&A, ctx, path, 0);
    sl_matrix_free(A);
    return status;
}

static sl_status run_write(void *data)
{
    return sl_matrix_write(data, path, SL_FORMAT_AUTO);
}

static void cancel_files(void **state)
{
    (void)state;
    static const char *const names[] = {"g.el",   "g.mtx",   "g.gr",    "g.graph",
                                        "g.g500", "g.semla", "g.el.gz", "g.mtx.zst"};
    sl_matrix *A = make(SL_MODEL_KRONECKER, 12, SL_BOOL);
    assert_non_null(mkdtemp(folder));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        in_folder(names[k]);
        cancel_at_each(run_write, A, 1);
        cancel_at_each(run_read, NULL, 2);
        assert_int_equal(files(), 1);
        assert_int_equal(unlink(path), 0);
    }
    /* what a cancelled call should have created does not exist */
    question q;
    assert_int_equal(run_until(&q, run_write, A, 0), SL_CANCELLED);
    assert_int_equal(files(), 0);
    assert_int_equal(rmdir(folder), 0);
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    sl_matrix_free(A);
}

/* A pipe that its writer leaves open and empty, and one that its reader leaves full, do not keep a
 * call from being cancelled. */
static void cancel_pipes(void **state)
{
    (void)state;
    question q;
    sl_matrix *A = make(SL_MODEL_KRONECKER, 12, SL_BOOL);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(run_until(&q, run_read, NULL, 3), SL_CANCELLED);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    char zeros[4096] = {0};
    while (write(ends[1], zeros, sizeof zeros) > 0)
        ;
    assert_int_equal(run_until(&q, run_write, A, 6), SL_CANCELLED);
    assert_int_equal(q.calls, 7);
    close(ends[0]);
    close(ends[1]);
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
        cmocka_unit_test(cancel_algorithms),    cmocka_unit_test(cancel_generators),
        cmocka_unit_test(cancel_files),         cmocka_unit_test(cancel_pipes),
        cmocka_unit_test(cancel_and_resume),    cmocka_unit_test(progress_has_units),
        cmocka_unit_test(cancel_from_a_thread),
    };
    int failed = 0;
    sl_engine_info engine;
    for (size_t at = 0; next_engine(&engine, &at);)
        for (int threads = 1; threads <= 2; threads++) {
            print_message("engine %s, %d threads\n", engine.name, threads);
            if (sl_context_create(&ctx, engine.choice) != SL_OK ||
                sl_context_set_threads(ctx, threads) != SL_OK)
                return 1;
            failed += cmocka_run_group_tests(tests, NULL, NULL);
            sl_context_free(ctx);
        }
    return failed;
}
