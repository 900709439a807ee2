/*
 * Number of threads per context (sl_context_set_threads). The number of threads that an operation
 * used is observed from outside: it runs in a new thread, which has no OpenMP workers yet; an
 * operation of k threads starts k - 1 workers, which exist until that thread ends.
 */
#include <dirent.h>
#include <omp.h>
#include <pthread.h>

#include "objects.h"

#include <semla/bfs.h>

static int tasks(void)
{
    DIR *folder = opendir("/proc/self/task");
    if (!folder)
        return -1;
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    closedir(folder);
    return count;
}

/* ---- operations large enough for several threads --------------------------------- */

enum { LOG = 19 }; /* SuiteSparse uses one thread per 65,536 entries */

typedef struct {
    sl_context *ctx;
    sl_matrix *A;
    sl_vector *u, *w, *pi, *q;
} operands;

static sl_status graph(sl_matrix **A, sl_context *context)
{
    static const sl_generator model = {.model = SL_MODEL_UNIFORM,
                                       .vertices = (uint64_t)1 << LOG,
                                       .edges = (uint64_t)2 << LOG,
                                       .seed = 1};
    static const sl_read_options symmetric = {.flags = SL_READ_SYMMETRIC};
    sl_edges edges;
    sl_status status = sl_generate(&edges, context, &model);
    if (status == SL_OK)
        status = sl_matrix_from_edges(A, context, &edges, &symmetric);
    sl_edges_free(&edges);
    return status;
}

static sl_status generation(operands *o)
{
    sl_matrix *A = NULL;
    sl_status status = graph(&A, o->ctx);
    sl_matrix_free(A);
    return status;
}

static sl_status product(operands *o)
{
    return sl_mxv(o->w, NULL, NULL, SL_PLUS_TIMES_FP64, o->A, o->u, NULL);
}

static sl_status masked(operands *o)
{
    return sl_vector_apply(o->w, o->u, NULL, SL_AINV_FP64, o->u,
                           sl_descriptor_get(SL_REPLACE | SL_STRUCTURE));
}

static sl_status row_sums(operands *o)
{
    return sl_matrix_reduce_rows(o->w, NULL, NULL, SL_PLUS_MONOID_FP64, o->A, NULL);
}

/* From vertex 1, on prepared objects. */
static sl_status search(operands *o)
{
    return sl_closure(o->pi, o->q, o->A, SL_ANY_SECONDI_INT64, NULL);
}

typedef sl_status (*operation)(operands *o);
static const operation operations[] = {generation, product, masked, row_sums, search};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static void make_operands(operands *o, sl_engine_choice choice)
{
    *o = (operands){0};
    assert_int_equal(sl_context_create(&o->ctx, choice), SL_OK);
    OK(o->ctx, graph(&o->A, o->ctx));
    sl_matrix *values;
    OK(o->ctx, sl_matrix_new(&values, o->ctx, SL_FP64, (uint64_t)1 << LOG, (uint64_t)1 << LOG));
    OK(o->ctx, sl_matrix_apply_index(values, NULL, NULL, SL_COLINDEX_INT64, o->A,
                                     sl_scalar_int64(1), NULL));
    sl_matrix_free(o->A);
    o->A = values;
    OK(o->ctx, sl_matrix_promise_symmetric(o->A));
    OK(o->ctx, sl_vector_new(&o->u, o->ctx, SL_FP64, (uint64_t)1 << LOG));
    OK(o->ctx, sl_vector_new(&o->w, o->ctx, SL_FP64, (uint64_t)1 << LOG));
    OK(o->ctx, sl_vector_assign_scalar(o->u, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
    OK(o->ctx,
       sl_vector_apply_index(o->u, NULL, NULL, SL_ROWINDEX_INT64, o->u, sl_scalar_int64(1), NULL));
    OK(o->ctx, sl_vector_new(&o->pi, o->ctx, SL_INT64, (uint64_t)1 << LOG));
    OK(o->ctx, sl_vector_new(&o->q, o->ctx, SL_INT64, (uint64_t)1 << LOG));
    OK(o->ctx, sl_vector_set(o->q, 1, sl_scalar_int64(1)));
    OK(o->ctx, sl_vector_set(o->pi, 1, sl_scalar_int64(1)));
    for (int k = 0; k < OPERATIONS; k++)
        OK(o->ctx, operations[k](o)); /* prepares whatever the first call prepares */
}

/* Resets the vectors for another search: one visited vertex. */
static void reset_search(operands *o)
{
    OK(o->ctx, sl_vector_clear(o->pi));
    OK(o->ctx, sl_vector_set(o->pi, 1, sl_scalar_int64(1)));
}

static void free_operands(operands *o)
{
    sl_matrix_free(o->A);
    sl_vector_free(o->u);
    sl_vector_free(o->w);
    sl_vector_free(o->pi);
    sl_vector_free(o->q);
    sl_context_free(o->ctx);
}

/* ---- observing one operation ----------------------------------------------------- */

typedef struct {
    operands *operands;
    operation run;
    int threads; /* out: the number of threads observed */
    sl_status status;
} watch;

static void *observed(void *data)
{
    watch *w = data;
    int before = tasks();
    w->status = w->run(w->operands);
    w->threads = 1 + tasks() - before;
    return NULL;
}

static int threads_of(operands *o, operation run)
{
    watch w = {.operands = o, .run = run};
    pthread_t thread;
    int before = tasks();
    assert_int_equal(pthread_create(&thread, NULL, observed, &w), 0);
    pthread_join(thread, NULL);
    OK(o->ctx, w.status);
    while (tasks() > before) /* wait until its workers have ended */
        sched_yield();
    return w.threads;
}

/* Searches are observed on the openmp engine: SuiteSparse may use fewer threads than the number
 * set. */
static void test_numbers(void **state)
{
    static const sl_engine_choice choices[] = {SL_ENGINE_OPENMP, SL_ENGINE_SUITESPARSE};
    static const int numbers[] = {1, 3, 2};
    for (int c = 0; c < 2; c++) {
        operands few, more;
        make_operands(&few, choices[c]);
        make_operands(&more, choices[c]);
        for (int n = 0; n < 3; n++) {
            OK(few.ctx, sl_context_set_threads(few.ctx, numbers[n]));
            OK(more.ctx, sl_context_set_threads(more.ctx, numbers[n] + 2));
            assert_int_equal(sl_context_threads(few.ctx), numbers[n]);
            for (int k = 0; k < OPERATIONS - c; k++) {
                reset_search(&few);
                reset_search(&more);
                assert_int_equal(threads_of(&few, operations[k]), numbers[n]);
                assert_int_equal(threads_of(&more, operations[k]), numbers[n] + 2);
            }
        }
        free_operands(&few);
        free_operands(&more);
    }
}

static void make_uniform(operands *o, uint64_t vertices, uint64_t edges)
{
    const sl_generator model = {.model = SL_MODEL_UNIFORM, .vertices = vertices, .edges = edges};
    const sl_read_options symmetric = {.flags = SL_READ_SYMMETRIC};
    *o = (operands){0};
    assert_int_equal(sl_context_create(&o->ctx, SL_ENGINE_OPENMP), SL_OK);
    OK(o->ctx, sl_matrix_generate(&o->A, o->ctx, &model, &symmetric));
    OK(o->ctx, sl_matrix_optimize(o->A, SL_FOR_TRAVERSAL));
}

static sl_status search_from_0(operands *o)
{
    sl_vector *parents = NULL, *levels = NULL;
    sl_status status = sl_bfs(&parents, &levels, o->A, 0, NULL);
    sl_vector_free(parents);
    sl_vector_free(levels);
    return status;
}

/* A search uses one thread for each 2^16 vertices and edges, so that small ones are not slowed down
 * by waking threads. */
static void test_threads_by_size(void **state)
{
    static const struct {
        uint64_t vertices, edges; /* stored in both directions */
        int most;
    } cases[] = {{1 << 10, 1 << 12, 1}, {1 << 13, 20000, 1}, {1 << 15, 1 << 16, 3}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        operands o;
        make_uniform(&o, cases[k].vertices, cases[k].edges);
        OK(o.ctx, sl_context_set_threads(o.ctx, 8));
        assert_in_range(threads_of(&o, search_from_0), 1, cases[k].most);
        free_operands(&o);
    }
    operands o;
    make_uniform(&o, 1 << 18, 1 << 20);
    OK(o.ctx, sl_context_set_threads(o.ctx, 8));
    assert_int_equal(threads_of(&o, search_from_0), 8);
    free_operands(&o);
}

/* The levels of a search do not depend on the number of threads, in each direction. */
static void test_levels_do_not_depend_on_threads(void **state)
{
    static const sl_direction directions[] = {SL_AUTO, SL_PUSH, SL_PULL};
    operands o;
    make_uniform(&o, 1 << 18, 1 << 20); /* with frontiers of more than 2^16 vertices */
    for (int d = 0; d < 3; d++) {
        sl_vector *levels[2] = {NULL};
        const sl_bfs_options options = {.direction = directions[d]};
        bool same = false;
        for (int k = 0; k < 2; k++) {
            OK(o.ctx, sl_context_set_threads(o.ctx, k ? 3 : 1));
            OK(o.ctx, sl_bfs(NULL, &levels[k], o.A, 0, &options));
        }
        OK(o.ctx, sl_vector_equal(&same, levels[0], levels[1]));
        assert_true(same);
        sl_vector_free(levels[0]);
        sl_vector_free(levels[1]);
    }
    free_operands(&o);
}

/* A context without a number of threads of its own uses OpenMP's number, whatever other contexts
 * have set. */
static void test_default(void **state)
{
    operands o;
    make_operands(&o, SL_ENGINE_SUITESPARSE);
    sl_context *other;
    assert_int_equal(sl_context_create(&other, SL_ENGINE_AUTO), SL_OK);
    OK(other, sl_context_set_threads(other, 5));
    int all = omp_get_max_threads();
    assert_int_equal(sl_context_threads(o.ctx), all);
    assert_int_equal(threads_of(&o, product), all);
    OK(o.ctx, sl_context_set_threads(o.ctx, all + 1));
    assert_int_equal(threads_of(&o, product), all + 1);
    OK(o.ctx, sl_context_set_threads(o.ctx, 0));
    assert_int_equal(threads_of(&o, product), all);
    sl_context_free(other);
    free_operands(&o);
}

/* Each combination of descriptor flags has the same effect with a number of threads and without. */
static void test_descriptors(void **state)
{
    enum { N = 6 };
    sl_context *plain, *numbered;
    assert_int_equal(sl_context_create(&plain, SL_ENGINE_SUITESPARSE), SL_OK);
    assert_int_equal(sl_context_create(&numbered, SL_ENGINE_SUITESPARSE), SL_OK);
    OK(numbered, sl_context_set_threads(numbered, 2));
    for (unsigned flags = 0; flags < 32; flags++) {
        sl_context *const contexts[] = {plain, numbered};
        uint64_t rows[2][N * N], cols[2][N * N], count[2] = {N * N, N * N};
        double values[2][N * N];
        for (int c = 0; c < 2; c++) {
            sl_matrix *M[4];
            for (int m = 0; m < 4; m++)
                OK(contexts[c], sl_matrix_new(&M[m], contexts[c], SL_FP64, N, N));
            for (uint64_t k = 0; k < N * N; k++)
                for (unsigned m = 0; m < 4; m++)
                    if ((k * 7 + m * 3) % 11 < 5)
                        OK(contexts[c], sl_matrix_set(M[m], k / N, k % N,
                                                      sl_scalar_fp64((double)((k + m) % 3))));
            OK(contexts[c], sl_matrix_ewise_add(M[0], M[1], NULL, SL_MINUS_FP64, M[2], M[3],
                                                sl_descriptor_get(flags)));
            OK(contexts[c], sl_matrix_extract_tuples(rows[c], cols[c], values[c], &count[c], M[0]));
            for (int m = 0; m < 4; m++)
                sl_matrix_free(M[m]);
        }
        assert_int_equal(count[0], count[1]);
        assert_memory_equal(rows[0], rows[1], count[0] * sizeof **rows);
        assert_memory_equal(cols[0], cols[1], count[0] * sizeof **cols);
        assert_memory_equal(values[0], values[1], count[0] * sizeof **values);
    }
    sl_context_free(plain);
    sl_context_free(numbered);
}

static void test_arguments(void **state)
{
    assert_int_equal(sl_context_set_threads(NULL, 1), SL_INVALID);
    assert_int_equal(sl_context_set_threads(ctx, -1), SL_INVALID);
    SAYS("invalid number of threads -1; allowed are 0 to 4096");
    assert_int_equal(sl_context_set_threads(ctx, 4097), SL_INVALID);
    OK(ctx, sl_context_set_threads(ctx, 4096));
    assert_int_equal(sl_context_threads(ctx), 4096);
    OK(ctx, sl_context_set_threads(ctx, 0));
    assert_int_equal(sl_context_threads(NULL), omp_get_max_threads());
}

static sl_status set_and_reset(void *data)
{
    sl_context *made;
    sl_status status = sl_context_create(&made, SL_ENGINE_AUTO);
    if (status == SL_OK) {
        status = sl_context_set_threads(made, 3);
        assert_int_equal(sl_context_threads(made), status == SL_OK ? 3 : omp_get_max_threads());
    }
    if (status == SL_OK)
        status = sl_context_set_threads(made, 2);
    sl_context_free(made);
    return status;
}

static void test_memory_runs_out(void **state)
{
    assert_true(allocator_fail_each(set_and_reset, NULL) > 0);
}

int main(void)
{
    allocator_install_only();
    omp_set_num_threads(3); /* OpenMP's number, on machines with any number of cores */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_threads_by_size),
        cmocka_unit_test(test_levels_do_not_depend_on_threads),
        cmocka_unit_test(test_default),
        cmocka_unit_test(test_descriptors),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
