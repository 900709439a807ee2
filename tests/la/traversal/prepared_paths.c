/*
 * Matrices that sl_matrix_optimize has prepared for shortest paths (SL_FOR_PATHS), on every engine:
 * closures give the same results with and without the preparation, also after A was written and after
 * an allocation has failed; the first closure of a prepared matrix sorts nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "library_context.h"

static sl_engine_choice choice;

static const sl_type types[] = {SL_INT32, SL_INT64, SL_FP32, SL_FP64};
enum { TYPES = 4 };
static const unsigned purposes[] = {SL_FOR_PATHS, SL_FOR_TRAVERSAL | SL_FOR_PATHS,
                                    SL_FOR_TRAVERSAL | SL_PRUNED | SL_FOR_PATHS};
enum { PURPOSES = 3 };

/* ---- graphs -------------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    uint64_t n, edges;
    bool undirected;
    int64_t least, greatest; /* lengths; negative ones only from lesser to greater vertices */
} model;

static const model empty = {"empty", 40, 0, true, 0, 0}, one = {"one vertex", 1, 0, true, 0, 0},
                   loop = {"loop", 1, 1, true, 5, 5}, dense = {"dense", 150, 3000, true, 0, 1000},
                   directed = {"directed", 150, 3000, false, 1, 200},
                   sparse = {"sparse", 300, 420, true, 0, 50},
                   equal = {"equal lengths", 90, 500, true, 1, 1},
                   negative = {"negative lengths", 60, 200, false, -40, 90};
static const model *const models[] = {&empty,    &one,    &loop,  &dense,
                                      &directed, &sparse, &equal, &negative};
enum { MODELS = sizeof models / sizeof *models };

static sl_matrix *matrix_of(sl_context *on, const model *m, sl_type type)
{
    const uint64_t room = 2 * m->edges + 1;
    uint64_t *row = malloc(room * sizeof *row), *col = malloc(room * sizeof *col), count = 0,
             random = 7;
    int64_t *length = malloc(room * sizeof *length);
    sl_matrix *whole, *A;
    for (uint64_t e = 0; e < m->edges; e++) {
        uint64_t u = test_random(&random) % m->n, v = test_random(&random) % m->n;
        const uint64_t lengths = (uint64_t)(m->greatest - m->least + 1);
        const int64_t x = m->least + (int64_t)(test_random(&random) % lengths);
        if (m->least < 0 && u == v)
            continue;
        if (m->least < 0 && u > v) {
            const uint64_t lesser = v;
            v = u;
            u = lesser;
        }
        for (int mirror = 0; mirror <= m->undirected; mirror++) {
            row[count] = mirror ? v : u;
            col[count] = mirror ? u : v;
            length[count++] = x;
        }
    }
    OK(on, sl_matrix_new(&whole, on, SL_INT64, m->n, m->n));
    OK(on, sl_matrix_build(whole, row, col, length, count, SL_MIN_INT64));
    OK(on, sl_matrix_new(&A, on, type, m->n, m->n));
    OK(on, sl_matrix_apply(A, NULL, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, type), whole, NULL));
    sl_matrix_free(whole);
    free(row);
    free(col);
    free(length);
    return A;
}

/* ---- closures ------------------------------------------------------------------------------------ */

typedef struct {
    sl_vector *distance, *parent;
} paths;

static void free_paths(paths *p)
{
    sl_vector_free(p->distance);
    sl_vector_free(p->parent);
    *p = (paths){NULL, NULL};
}

/* Frees the vectors if it fails. */
static sl_status find_paths(paths *p, const sl_matrix *A, uint64_t source, bool parents)
{
    sl_context *on = sl_matrix_context(A);
    const sl_type type = sl_matrix_type(A);
    const uint64_t n = sl_matrix_nrows(A);
    *p = (paths){NULL, NULL};
    sl_status status = sl_vector_new(&p->distance, on, type, n);
    if (status == SL_OK && parents)
        status = sl_vector_new(&p->parent, on, SL_INT64, n);
    const sl_closure_options options = {.from_source = true,
                                        .source = source,
                                        .source_value = sl_scalar_cast(sl_scalar_int64(0), type),
                                        .parent = p->parent};
    if (status == SL_OK)
        status =
            sl_closure(p->distance, NULL, A, sl_semiring_get(SL_SEMIRING_MIN_PLUS, type), &options);
    if (status != SL_OK)
        free_paths(p);
    return status;
}

/* Compares the paths of two matrices from the same source. */
static void assert_same_paths(const char *name, const sl_matrix *A, const sl_matrix *B,
                              uint64_t source, bool parents)
{
    sl_context *on = sl_matrix_context(A);
    paths a, b;
    bool same = false;
    OK(on, find_paths(&a, A, source, parents));
    OK(on, find_paths(&b, B, source, parents));
    OK(on, sl_vector_equal(&same, a.distance, b.distance));
    if (!same)
        fail_msg("%s: other distances", name);
    if (parents)
        OK(on, sl_vector_equal(&same, a.parent, b.parent));
    if (!same)
        fail_msg("%s: other parents", name);
    free_paths(&a);
    free_paths(&b);
}

/* ---- results ------------------------------------------------------------------------------------- */

static void try_model(const model *m, sl_type type, unsigned purpose)
{
    sl_matrix *A = matrix_of(ctx, m, type), *plain = matrix_of(ctx, m, type);
    const bool parents = m->least >= 0;
    for (int again = 0; again < 2; again++) {
        OK(ctx, sl_matrix_optimize(A, purpose));
        assert_same_paths(m->name, plain, A, m->n / 2, parents);
        assert_same_paths(m->name, plain, A, 0, false);
    }
    /* Written: what was prepared is no longer valid. */
    const sl_scalar x = sl_scalar_cast(sl_scalar_int64(2), type);
    OK(ctx, sl_matrix_set(A, 0, m->n - 1, x));
    OK(ctx, sl_matrix_set(plain, 0, m->n - 1, x));
    assert_same_paths(m->name, plain, A, 0, parents);
    OK(ctx, sl_matrix_optimize(A, purpose));
    assert_same_paths(m->name, plain, A, m->n / 2, parents);
    sl_matrix_free(A);
    sl_matrix_free(plain);
}

/* Each model with each type and each purpose, and each type with each purpose. */
static void results_are_equal(void **unused)
{
    for (int k = 0; k < MODELS; k++)
        for (int type = 0; type < TYPES; type++)
            try_model(models[k], types[type], purposes[(k + type) % PURPOSES]);
}

/* A closure of another type than that of A, and one after it, of the type of A. */
static void another_type(void **unused)
{
    sl_matrix *A = matrix_of(ctx, &dense, SL_INT32), *plain = matrix_of(ctx, &dense, SL_INT32);
    sl_vector *wide;
    const sl_closure_options options = {.from_source = true, .source_value = sl_scalar_int64(0)};
    uint64_t reached;
    OK(ctx, sl_matrix_optimize(A, SL_FOR_PATHS));
    OK(ctx, sl_vector_new(&wide, ctx, SL_INT64, dense.n));
    OK(ctx, sl_closure(wide, NULL, A, SL_MIN_PLUS_INT64, &options));
    OK(ctx, sl_vector_nvals(&reached, wide));
    assert_true(reached > dense.n / 2);
    assert_same_paths("another type", plain, A, 3, true);
    sl_vector_free(wide);
    sl_matrix_free(A);
    sl_matrix_free(plain);
}

/* Matrices without shortest paths, or without those that engines sort for. */
static void nothing_to_prepare(void **unused)
{
    static const sl_type others[] = {SL_BOOL, SL_INT8, SL_UINT16, SL_UINT64};
    sl_matrix *A;
    for (int k = 0; k < 4; k++) {
        A = matrix_of(ctx, &equal, others[k]);
        for (int purpose = 0; purpose < PURPOSES; purpose++)
            OK(ctx, sl_matrix_optimize(A, purposes[purpose]));
        sl_matrix_free(A);
    }
    OK(ctx, sl_matrix_new(&A, ctx, SL_INT64, 3, 7));
    OK(ctx, sl_matrix_set(A, 1, 6, sl_scalar_int64(4)));
    OK(ctx, sl_matrix_optimize(A, SL_FOR_PATHS));
    sl_matrix_free(A);
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP64, 0, 0));
    OK(ctx, sl_matrix_optimize(A, SL_FOR_PATHS));
    sl_matrix_free(A);
}

static void flags_are_checked(void **unused)
{
    static const unsigned wrong[] = {0, SL_PRUNED, SL_PRUNED | SL_FOR_PATHS, 8, 8 | SL_FOR_PATHS};
    sl_matrix *A = matrix_of(ctx, &loop, SL_INT64);
    for (int k = 0; k < 5; k++)
        assert_int_equal(sl_matrix_optimize(A, wrong[k]), SL_INVALID);
    sl_matrix_free(A);
}

/* ---- what is kept -------------------------------------------------------------------------------- */

static uint64_t device_bytes(const sl_matrix *A)
{
    sl_placement placement;
    assert_int_equal(sl_matrix_placement(&placement, A), SL_OK);
    return placement.device_bytes;
}

static void first_closure_on_device(sl_type type)
{
    sl_matrix *A = matrix_of(ctx, &dense, type);
    paths p;
    uint64_t entries;
    OK(ctx, sl_matrix_nvals(&entries, A));
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    const uint64_t before = device_bytes(A);
    OK(ctx, sl_matrix_optimize(A, SL_FOR_PATHS));
    const uint64_t with = device_bytes(A);
    assert_int_equal(with, before + 8 * entries); /* these lengths fit 32 bits */
    OK(ctx, find_paths(&p, A, 1, true));
    free_paths(&p);
    assert_int_equal(device_bytes(A), with);
    OK(ctx, sl_matrix_optimize(A, SL_FOR_PATHS));
    assert_int_equal(device_bytes(A), with);
    OK(ctx, sl_matrix_clear(A));
    assert_true(device_bytes(A) < before);
    sl_matrix_free(A);
}

static uint64_t used_bytes(const sl_context *on)
{
    sl_context_memory memory;
    sl_context_get_memory(on, &memory);
    return memory.used;
}

/* Memory that remains is compared: a closure that made something would keep it. */
static void first_closure_on_host(sl_type type)
{
    sl_context *counted;
    paths p;
    uint64_t entries;
    assert_int_equal(sl_context_create(&counted, SL_ENGINE_OPENMP), SL_OK);
    OK(counted, sl_context_set_memory_limit(counted, 0));
    sl_matrix *A = matrix_of(counted, &dense, type), *other = matrix_of(counted, &dense, type);
    OK(counted, find_paths(&p, other, 1, true)); /* what the process keeps between calls */
    free_paths(&p);
    OK(counted, sl_matrix_nvals(&entries, A));
    const uint64_t before = used_bytes(counted);
    OK(counted, sl_matrix_optimize(A, SL_FOR_PATHS));
    const uint64_t with = used_bytes(counted);
    assert_true(with >= before + 8 * entries);
    OK(counted, find_paths(&p, A, 1, true));
    free_paths(&p);
    assert_int_equal(used_bytes(counted), with);
    OK(counted, sl_matrix_clear(A));
    assert_true(used_bytes(counted) < before);
    sl_matrix_free(A);
    sl_matrix_free(other);
    sl_context_free(counted);
}

static void first_closure_sorts_nothing(void **unused)
{
    for (int type = 0; type < TYPES; type++)
        if (choice == SL_ENGINE_CUDA)
            first_closure_on_device(types[type]);
        else if (choice == SL_ENGINE_OPENMP)
            first_closure_on_host(types[type]);
}

/* Negative lengths, and sums beyond the range of the type, are not sorted. */
static void not_sorted(void **unused)
{
    sl_matrix *A = matrix_of(ctx, &negative, SL_INT64);
    if (choice == SL_ENGINE_CUDA) {
        for (int k = 0; k < 2; k++) {
            uint64_t entries;
            OK(ctx, sl_matrix_nvals(&entries, A));
            OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
            const uint64_t before = device_bytes(A);
            OK(ctx, sl_matrix_optimize(A, SL_FOR_PATHS));
            assert_int_equal(device_bytes(A), before);
            OK(ctx, sl_matrix_apply(A, NULL, NULL, SL_ABS_INT64, A, NULL));
            OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_int64(INT64_MAX)));
        }
    }
    sl_matrix_free(A);
}

/* ---- too little memory --------------------------------------------------------------------------- */

/* With allocation number n failing, the preparation succeeds without what it lacks. */
static void allocations_fail(void **unused)
{
    sl_matrix *plain = matrix_of(ctx, &dense, SL_FP64);
    bool failed = true;
    long n = 0;
    for (; failed; n++) {
        sl_matrix *A = matrix_of(ctx, &dense, SL_FP64);
        allocator_fail_after(n);
        const sl_status status = sl_matrix_optimize(A, SL_FOR_PATHS);
        failed = allocator_has_failed();
        allocator_fail_after(-1);
        OK(ctx, status);
        assert_same_paths("after a failure", plain, A, 9, true);
        sl_matrix_free(A);
    }
    assert_true(n > 1 || choice == SL_ENGINE_SUITESPARSE);
    sl_matrix_free(plain);
}

static sl_status prepare_and_find_paths(void *data)
{
    paths p;
    sl_matrix *A = NULL;
    sl_status status = sl_matrix_dup(&A, data);
    if (status == SL_OK)
        status = sl_matrix_optimize(A, SL_FOR_TRAVERSAL | SL_FOR_PATHS);
    if (status == SL_OK)
        status = find_paths(&p, A, 4, true);
    if (status == SL_OK)
        free_paths(&p);
    sl_matrix_free(A);
    return status;
}

/* Nothing leaks. The preparation for paths may do without memory, so that a run with a failure may
 * succeed. */
static void nothing_leaks(void **unused)
{
    sl_matrix *A = matrix_of(ctx, &dense, SL_FP64);
    bool failed = true;
    OK(ctx, prepare_and_find_paths(A)); /* what the process keeps between calls */
    for (long n = 0; failed; n++) {
        const long alive = allocator_alive();
        allocator_fail_after(n);
        const sl_status status = prepare_and_find_paths(A);
        failed = allocator_has_failed();
        allocator_fail_after(-1);
        assert_true(status == SL_OK || status == SL_NO_MEMORY);
        assert_int_equal(allocator_alive(), alive);
    }
    sl_matrix_free(A);
}

/* A limit of the context's memory. */
static void memory_is_limited(void **unused)
{
    sl_context *counted;
    assert_int_equal(sl_context_create(&counted, SL_ENGINE_OPENMP), SL_OK);
    OK(counted, sl_context_set_memory_limit(counted, 0));
    sl_matrix *A = matrix_of(counted, &dense, SL_FP64);
    OK(counted, sl_matrix_value_range(&(sl_value_range){0}, A));
    const uint64_t before = used_bytes(counted);
    OK(counted, sl_context_set_memory_limit(counted, before + 4096));
    OK(counted, sl_matrix_optimize(A, SL_FOR_PATHS));
    assert_int_equal(used_bytes(counted), before);
    sl_matrix_free(A);
    sl_context_free(counted);
}

/* A matrix in pinned memory: there is no room for sorted rows. */
static void device_memory_is_limited(void **unused)
{
    if (choice != SL_ENGINE_CUDA)
        return;
    setenv("SEMLA_CUDA_MEMORY", "1", 1);
    sl_matrix *A = matrix_of(ctx, &dense, SL_INT64), *plain = matrix_of(ctx, &dense, SL_INT64);
    paths p;
    OK(ctx, find_paths(&p, A, 2, false)); /* A migrates */
    free_paths(&p);
    const uint64_t before = device_bytes(A);
    OK(ctx, sl_matrix_optimize(A, SL_FOR_PATHS));
    assert_int_equal(device_bytes(A), before);
    assert_same_paths("pinned", plain, A, 2, false);
    unsetenv("SEMLA_CUDA_MEMORY");
    sl_matrix_free(A);
    sl_matrix_free(plain);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_equal),
        cmocka_unit_test(another_type),
        cmocka_unit_test(nothing_to_prepare),
        cmocka_unit_test(flags_are_checked),
        cmocka_unit_test(first_closure_sorts_nothing),
        cmocka_unit_test(not_sorted),
        cmocka_unit_test(allocations_fail),
        cmocka_unit_test(nothing_leaks),
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(device_memory_is_limited),
    };
    int failed = 0;
    sl_engine_info engine;
    for (size_t k = 0; next_engine(&engine, &k);) {
        choice = engine.choice;
        if (sl_context_create(&ctx, choice) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests_name(engine.name, tests, NULL, NULL);
        sl_context_free(ctx);
    }
    return failed;
}
