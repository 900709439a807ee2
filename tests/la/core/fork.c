/*
 * Children of fork(). Whether a child may compute depends on what the process did before, so the
 * tests run in the order of main(): first before the process has used threads, then after. Contexts are of the host:
 * after work with a GPU no child may compute.
 */
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <semla/algorithms.h>
#include <semla/checks.h>

#include "support.h"

enum { SECONDS = 600, LOG = 18 };

/* Runs a function in a child and returns what it returned; -1 if it hung or crashed. */
static int in_child(int (*function)(void *), void *data)
{
    const pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS);
        _exit(function(data));
    }
    int status = 0;
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static sl_status make_graph(sl_matrix **A, sl_context *ctx)
{
    const sl_generator model = {
        .model = SL_MODEL_UNIFORM, .vertices = (uint64_t)1 << LOG, .edges = (uint64_t)4 << LOG};
    return sl_matrix_generate(A, ctx, &model, &(sl_read_options){.flags = SL_READ_SYMMETRIC});
}

/* The status of work for which SuiteSparse and semla start threads. */
static sl_status compute(sl_context *ctx)
{
    sl_matrix *A = NULL;
    sl_vector *rank = NULL, *parents = NULL;
    sl_status status = make_graph(&A, ctx);
    if (status == SL_OK)
        status = sl_pagerank(&rank, A, NULL, NULL);
    if (status == SL_OK)
        status = sl_bfs(&parents, NULL, A, 0, NULL);
    sl_vector_free(rank);
    sl_vector_free(parents);
    sl_matrix_free(A);
    return status;
}

static int compute_in_new_context(void *data)
{
    sl_context *ctx = NULL;
    sl_status status = sl_context_create(&ctx, SL_ENGINE_SUITESPARSE);
    if (status == SL_OK)
        status = compute(ctx);
    sl_context_free(ctx);
    return status != SL_OK;
}

/* ---- a parent that has not used threads ------------------------------------------ */

static void test_before_any_work(void **state)
{
    assert_int_equal(in_child(compute_in_new_context, NULL), 0);
}

static int forks_after_work_on_one_thread(void *data)
{
    omp_set_num_threads(1);
    return compute_in_new_context(NULL) || in_child(compute_in_new_context, NULL);
}

static void test_work_on_one_thread(void **state)
{
    assert_int_equal(in_child(forks_after_work_on_one_thread, NULL), 0);
}

/* An operation that is too small for a second thread. */
static int forks_after_small_work(void *data)
{
    sl_context *ctx = NULL;
    sl_vector *v = NULL;
    int failed = sl_context_create(&ctx, SL_ENGINE_SUITESPARSE) ||
                 sl_vector_new(&v, ctx, SL_FP64, 4) || sl_vector_set(v, 2, sl_scalar_fp64(1)) ||
                 in_child(compute_in_new_context, NULL);
    sl_vector_free(v);
    sl_context_free(ctx);
    return failed;
}

static void test_work_too_small_for_threads(void **state)
{
    assert_int_equal(in_child(forks_after_small_work, NULL), 0);
}

/* ---- a parent that has used threads ----------------------------------------------- */

typedef struct {
    sl_context *ctx;
    sl_matrix *A;
    sl_vector *v;
} objects;

/* The number of the first call that does not fail as it must; 0: all do. */
static int everything_is_refused(void *data)
{
    objects *o = data;
    const sl_generator model = {.model = SL_MODEL_PATH, .vertices = 9};
    sl_context *made = NULL;
    sl_vector *copy = NULL, *parents = NULL;
    sl_matrix *A = NULL;
    sl_edges edges;
    sl_vector_view view;
    sl_engine_info engine;
    uint64_t nvals;
    const char *reason = "forked after its parent had used threads";
#define REFUSED(call)                                                                              \
    if ((call) != SL_UNSUPPORTED || !strstr(sl_context_message(o->ctx), reason))                   \
        return __LINE__ % 256;                                                                     \
    sl_fail(o->ctx, SL_OK, "none")
    REFUSED(sl_vector_nvals(&nvals, o->v));
    REFUSED(sl_vector_set(o->v, 0, sl_scalar_fp64(1)));
    REFUSED(sl_vector_dup(&copy, o->v));
    REFUSED(sl_vector_lend(&view, o->v, SL_MEMORY_HOST));
    REFUSED(sl_bfs(&parents, NULL, o->A, 0, NULL));
    REFUSED(sl_matrix_generate(&A, o->ctx, &model, NULL));
    REFUSED(sl_generate(&edges, o->ctx, &model));
    REFUSED(sl_matrix_read(&A, o->ctx, SEMLA_TEST_DATA "/karate.mtx", 0));
    REFUSED(sl_matrix_write(o->A, "/dev/null", SL_FORMAT_EDGE_LIST));
    if (sl_context_create(&made, SL_ENGINE_AUTO) != SL_UNSUPPORTED || made ||
        sl_engine_describe(0, &engine) != SL_OK || engine.present ||
        !strstr(engine.unavailable_reason, reason) || sl_context_threads(o->ctx) != 1)
        return __LINE__ % 256;
    sl_vector_free(o->v);
    sl_matrix_free(o->A);
    sl_context_free(o->ctx);
    return 0;
}

/* Checks a path of vertices, on arrays without a context. */
static int validation_runs(void *data)
{
    enum { VERTICES = 100000 };
    uint64_t *start = malloc((VERTICES + 1) * sizeof *start);
    uint64_t *index = malloc(VERTICES * sizeof *index);
    int64_t *parent = malloc(VERTICES * sizeof *parent);
    if (!start || !index || !parent)
        return 1;
    for (uint64_t v = 0; v < VERTICES; v++) {
        start[v] = v;
        index[v] = v + 1;
        parent[v] = v ? (int64_t)v - 1 : 0;
    }
    start[VERTICES - 1] = start[VERTICES] = VERTICES - 1;
    sl_check_result result;
    const sl_graph_view graph = {VERTICES, start, index, NULL, NULL};
    int failed = sl_validate_search(&result, &graph, 0, parent, NULL, -1) != SL_OK || !result.valid;
    free(start);
    free(index);
    free(parent);
    return failed;
}

static void *computes_in_thread(void *data)
{
    *(int *)data = compute_in_new_context(NULL);
    return NULL;
}

static void test_after_work_on_threads(void **state)
{
    objects o = {0};
    assert_int_equal(sl_context_create(&o.ctx, SL_ENGINE_SUITESPARSE), SL_OK);
    OK(o.ctx, make_graph(&o.A, o.ctx));
    OK(o.ctx, sl_vector_new(&o.v, o.ctx, SL_FP64, 4));
    OK(o.ctx, sl_vector_set(o.v, 2, sl_scalar_fp64(1)));
    OK(o.ctx, compute(o.ctx));
    assert_int_equal(in_child(everything_is_refused, &o), 0);
    assert_int_equal(in_child(compute_in_new_context, NULL), 1);
    assert_int_equal(in_child(validation_runs, NULL), 0);

    /* The parent is not affected. */
    OK(o.ctx, compute(o.ctx));
    pthread_t thread;
    int failed = 1;
    assert_int_equal(pthread_create(&thread, NULL, computes_in_thread, &failed), 0);
    pthread_join(thread, NULL);
    assert_int_equal(failed, 0);
    sl_vector_free(o.v);
    sl_matrix_free(o.A);
    sl_context_free(o.ctx);
}

int main(void)
{
    omp_set_num_threads(3); /* on machines with any number of cores */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before_any_work),
        cmocka_unit_test(test_work_on_one_thread),
        cmocka_unit_test(test_work_too_small_for_threads),
        cmocka_unit_test(test_after_work_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
