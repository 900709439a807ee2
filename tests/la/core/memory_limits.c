/* Memory limits of a context: which memory is counted, the errors that a limit causes, and that
 * after every such error everything is freed and the context can be used again. */
#include "objects.h"

#include <inttypes.h>
#include <stdio.h>

#include <semla/bfs.h>

#include "try.h"

static uint64_t used_by(const sl_context *context)
{
    sl_context_memory memory;
    sl_context_get_memory(context, &memory);
    return memory.used;
}

/* A context of the host only, because memory of a GPU is not counted. */
static sl_context *limited(uint64_t bytes)
{
    sl_context *made;
    assert_int_equal(sl_context_create(&made, SL_ENGINE_OPENMP), SL_OK);
    OK(made, sl_context_set_memory_limit(made, bytes));
    return made;
}

/* ---- counted memory ----------------------------------------------------------- */

static void test_arguments(void **state)
{
    sl_context_memory memory = {1, 2, 3};
    sl_context_get_memory(NULL, &memory);
    assert_true(memory.limit == 0 && memory.used == 0 && memory.peak == 0);
    sl_context_get_memory(ctx, NULL);
    assert_int_equal(sl_context_set_memory_limit(NULL, 1), SL_INVALID);
    assert_null(sl_context_charge(NULL));

    /* Nothing is counted before a limit has been set for the first time. */
    sl_context *made;
    assert_int_equal(sl_context_create(&made, SL_ENGINE_AUTO), SL_OK);
    sl_vector *v;
    OK(made, sl_vector_new(&v, made, SL_FP64, 1000));
    assert_int_equal(used_by(made), 0);
    OK(made, sl_context_set_memory_limit(made, 12345));
    sl_context_get_memory(made, &memory);
    assert_true(memory.limit == 12345 && memory.used == 0 && memory.peak == 0);
    sl_vector_free(v);
    assert_int_equal(used_by(made), 0);
    sl_context_free(made);
}

static void test_objects_are_counted(void **state)
{
    enum { N = 10000 };
    sl_context *made = limited(0), *other = limited(0);
    sl_vector *v, *w;
    OK(made, sl_vector_new(&v, made, SL_FP64, N));
    uint64_t empty = used_by(made);
    assert_true(empty > 0);
    OK(made, sl_vector_assign_scalar(v, NULL, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
    OK(made, sl_vector_apply_index(v, NULL, NULL, SL_ROWINDEX_INT64, v, sl_scalar_int64(0), NULL));
    uint64_t one = used_by(made);
    assert_true(one >= empty + N * sizeof(double));
    OK(made, sl_vector_dup(&w, v));
    assert_true(used_by(made) >= one + N * sizeof(double));
    sl_context_memory memory;
    sl_context_get_memory(made, &memory);
    assert_true(memory.limit == 0 && memory.peak >= memory.used);
    assert_int_equal(used_by(other), 0);
    sl_vector_free(w);
    assert_int_equal(used_by(made), one);
    sl_vector_free(v);
    assert_int_equal(used_by(made), 0);
    sl_context_get_memory(made, &memory);
    assert_true(memory.peak >= 2 * N * sizeof(double));
    sl_context_free(made);
    sl_context_free(other);
}

/* Blocks allocated by the program, counted for a context or for none. */
static void test_charged_blocks(void **state)
{
    sl_context *made = limited(1000), *none = NULL;
    assert_ptr_equal(sl_context_charge(made), none);
    char *a = sl_malloc(400), *b = sl_calloc(10, 40);
    assert_int_equal(used_by(made), 800);
    assert_null(sl_malloc(201));
    assert_null(sl_calloc(SIZE_MAX / 2, 3));
    assert_null(sl_realloc(a, 601));
    assert_int_equal(used_by(made), 800);
    a = sl_realloc(a, 600);
    assert_int_equal(used_by(made), 1000);
    memset(a, 1, 600);
    a = sl_realloc(a, 1);
    assert_int_equal(used_by(made), 401);
    char *c = sl_realloc(NULL, 0);
    assert_int_equal(used_by(made), 402);
    assert_ptr_equal(sl_context_charge(none), made);
    char *d = sl_malloc(5000); /* counted for no context, also later */
    sl_context_charge(made);
    d = sl_realloc(d, 7000);
    assert_non_null(d);
    sl_context_charge(none);
    assert_int_equal(used_by(made), 402);
    sl_free(d);
    sl_free(a);
    sl_free(b);
    sl_free(c);
    assert_int_equal(used_by(made), 0);
    sl_context_free(made);
}

/* Exported arrays may be freed after the context for which they are counted. */
static void test_arrays_outlive_the_context(void **state)
{
    sl_context *made = limited(1 << 20);
    sl_matrix *A;
    sl_csr rows;
    OK(made, sl_matrix_new(&A, made, SL_INT32, 50, 50));
    OK(made, sl_matrix_set(A, 3, 4, sl_scalar_int32(5)));
    OK(made, sl_matrix_copy_csr(&rows, A));
    sl_matrix_free(A);
    assert_true(used_by(made) >= 51 * sizeof(uint64_t));
    sl_context_free(made);
    assert_int_equal(rows.start[4], 1);
    rows.start = sl_realloc(rows.start, 2000);
    assert_int_equal(rows.start[4], 1);
    free_rows(&rows);
}

/* Arrays are counted for the context into which they were imported last. */
static void test_arrays_change_owners(void **state)
{
    enum { N = 1000 };
    sl_context *small = limited(N), *first = limited(100 * N), *second = limited(100 * N);
    sl_arrays arrays = {.format = SL_FORMAT_FULL, .type = SL_FP64, .nrows = N, .ncols = 1};
    arrays.values = sl_calloc(N, sizeof(double));
    const void *values = arrays.values;
    sl_vector *v;
    assert_int_equal(sl_vector_take(&v, small, &arrays), SL_NO_MEMORY);
    assert_non_null(strstr(sl_context_message(small), "limit of 1000"));
    assert_ptr_equal(arrays.values, values);
    assert_int_equal(used_by(small), 0);

    OK(first, sl_vector_take(&v, first, &arrays));
    uint64_t taken = used_by(first);
    assert_true(taken >= N * sizeof(double) && taken < 2 * N * sizeof(double));
    for (int round = 0; round < 20; round++) { /* each import counts once */
        OK(first, sl_vector_give(&arrays, &v, SL_FORMAT_FULL));
        assert_ptr_equal(arrays.values, values);
        assert_int_equal(used_by(first), N * sizeof(double));
        OK(first, sl_vector_take(&v, first, &arrays));
        assert_int_equal(used_by(first), taken);
    }
    OK(first, sl_vector_give(&arrays, &v, SL_FORMAT_FULL));
    OK(second, sl_vector_take(&v, second, &arrays));
    assert_int_equal(used_by(first), 0);
    assert_int_equal(used_by(second), taken);
    OK(second, sl_vector_give(&arrays, &v, SL_FORMAT_FULL));
    OK(ctx, sl_vector_take(&v, ctx, &arrays)); /* this context does not count memory */
    assert_int_equal(used_by(second), 0);
    sl_vector_free(v);
    sl_context_free(small);
    sl_context_free(first);
    sl_context_free(second);
}

/* ---- effects of a limit ---------------------------------------------------------- */

/* The numbers in the message of the last error: bytes needed, in use, requested, and the limit. */
static void message_numbers(const sl_context *context, uint64_t number[4])
{
    const char *tail = strstr(sl_context_message(context), "(needs ");
    if (!tail || sscanf(tail,
                        "(needs %" SCNu64 " bytes, %" SCNu64 " in use and %" SCNu64
                        " asked for, above the context's limit of %" SCNu64 ")",
                        &number[0], &number[1], &number[2], &number[3]) != 4)
        fail_msg("no numbers in \"%s\"", sl_context_message(context));
}

static void test_limit_exceeded(void **state)
{
    enum { N = 10000 };
    sl_context *made = limited(N * sizeof(double) / 2);
    sl_vector *v;
    OK(made, sl_vector_new(&v, made, SL_FP64, N));
    sl_scalar one = sl_scalar_fp64(1), value;
    for (int round = 0; round < 3; round++) {
        uint64_t before = used_by(made), number[4], count;
        assert_int_equal(sl_vector_apply_index(v, NULL, NULL, SL_ROWINDEX_INT64, v, one, NULL),
                         SL_OK);
        assert_int_equal(sl_vector_assign_scalar(v, NULL, NULL, one, SL_ALL, 0, NULL), SL_OK);
        assert_int_equal(sl_vector_set(v, 7, sl_scalar_fp64(2)), SL_NO_MEMORY);
        message_numbers(made, number);
        assert_int_equal(number[0], number[1] + number[2]);
        assert_true(number[0] > number[3]);
        assert_int_equal(number[3], N * sizeof(double) / 2);
        assert_true(number[2] >= N * sizeof(double));
        OK(made, sl_vector_nvals(&count, v)); /* the vector is still valid */
        OK(made, sl_vector_clear(v));
        assert_true(used_by(made) <= before || round == 0);
    }
    /* With a greater limit the same call succeeds. */
    OK(made, sl_context_set_memory_limit(made, 10 * N * sizeof(double)));
    OK(made, sl_vector_assign_scalar(v, NULL, NULL, one, SL_ALL, 0, NULL));
    OK(made, sl_vector_set(v, 7, sl_scalar_fp64(2)));
    OK(made, sl_vector_get(&value, v, 7));
    assert_true(value.as.fp64_ == 2);
    /* A limit below the memory in use frees nothing; limit 0 is no limit. */
    OK(made, sl_context_set_memory_limit(made, 1));
    OK(made, sl_vector_get(&value, v, 7));
    sl_vector *w = (sl_vector *)1;
    assert_int_equal(sl_vector_dup(&w, v), SL_NO_MEMORY);
    assert_null(w);
    OK(made, sl_context_set_memory_limit(made, 0));
    OK(made, sl_vector_dup(&w, v));
    sl_vector_free(w);
    sl_vector_free(v);
    assert_int_equal(used_by(made), 0);
    sl_context_free(made);
}

/* The message of a failure that is not caused by the limit does not mention it. */
static void test_other_failures(void **state)
{
    sl_context *made = limited(2000);
    sl_matrix *A;
    OK(made, sl_matrix_new(&A, made, SL_FP64, 10, 10));
    assert_int_equal(sl_matrix_build(A, (uint64_t[]){10}, (uint64_t[]){0}, NULL, 1, NULL),
                     SL_OUT_OF_RANGE);
    assert_null(strstr(sl_context_message(made), "limit"));
    sl_status status = SL_OK;
    for (uint64_t k = 0; k < 100 && status == SL_OK; k++)
        status = sl_matrix_set(A, k % 10, k / 10, sl_scalar_fp64(1));
    assert_int_equal(status, SL_NO_MEMORY);
    assert_non_null(strstr(sl_context_message(made), "limit of 2000"));
    OK(made, sl_context_set_memory_limit(made, 0));
    allocator_fail_after(0);
    sl_vector *v;
    assert_int_equal(sl_vector_new(&v, made, SL_FP64, 1 << 20), SL_NO_MEMORY);
    allocator_fail_after(-1);
    assert_null(strstr(sl_context_message(made), "limit"));
    sl_matrix_free(A);
    sl_context_free(made);
}

/* ---- a workflow under every limit ------------------------------------------------ */

/* Reads a graph, searches it and multiplies. Everything is freed, whether it succeeds or fails. */
static sl_status workflow(sl_context *made)
{
    sl_matrix *A = NULL;
    sl_vector *parent = NULL, *level = NULL, *w = NULL;
    sl_status status;
    uint64_t reached;
    TRY_OR_OUT(sl_matrix_read(&A, made, SEMLA_TEST_DATA "/karate.mtx", SL_READ_SYMMETRIC));
    TRY_OR_OUT(sl_bfs(&parent, &level, A, 0, NULL));
    TRY_OR_OUT(sl_vector_nvals(&reached, parent));
    assert_int_equal(reached, 34);
    TRY_OR_OUT(sl_vector_new(&w, made, SL_FP64, 34));
    TRY_OR_OUT(sl_vxm(w, level, NULL, SL_PLUS_SECOND_FP64, parent, A, NULL));
    TRY_OR_OUT(sl_mxv(w, NULL, SL_MIN_FP64, SL_MIN_PLUS_INT64, A, level, NULL));
    TRY_OR_OUT(sl_matrix_set(A, 0, 33, sl_scalar_bool(true)));
    TRY_OR_OUT(sl_matrix_reduce_rows(w, NULL, NULL, SL_PLUS_MONOID_FP64, A, NULL));
out:
    sl_matrix_free(A);
    sl_vector_free(parent);
    sl_vector_free(level);
    sl_vector_free(w);
    return status;
}

/* The same with several threads that allocate. */
static sl_status parallel_workflow(sl_context *made)
{
    static const sl_generator model = {
        .model = SL_MODEL_UNIFORM, .vertices = 5000, .edges = 20000, .seed = 1};
    static const sl_read_options symmetric = {.flags = SL_READ_SYMMETRIC};
    sl_edges edges = {0};
    sl_matrix *A = NULL;
    sl_vector *parent = NULL;
    sl_status status;
    TRY_OR_OUT(sl_generate(&edges, made, &model));
    TRY_OR_OUT(sl_matrix_from_edges(&A, made, &edges, &symmetric));
    TRY_OR_OUT(sl_bfs(&parent, NULL, A, 0, NULL));
out:
    sl_edges_free(&edges);
    sl_matrix_free(A);
    sl_vector_free(parent);
    return status;
}

/* Tries limits from 1 byte until the workflow succeeds; each limit is larger than the last by one
 * byte and a fraction. */
static void sweep(sl_status (*workflow_function)(sl_context *), sl_engine_choice choice,
                  int threads, uint64_t share)
{
    long alive = allocator_alive();
    sl_context *made;
    assert_int_equal(sl_context_create(&made, choice), SL_OK);
    OK(made, sl_context_set_memory_limit(made, 0));
    OK(made, sl_context_set_threads(made, threads));
    uint64_t own = used_by(made);
    OK(made, workflow_function(made));
    sl_context_memory memory;
    sl_context_get_memory(made, &memory);
    assert_int_equal(memory.used, own);
    uint64_t enough = 2 * memory.peak, refusals = 0;

    sl_vector *kept; /* a vector that failures of the workflow must not change */
    OK(made, sl_vector_new(&kept, made, SL_INT64, 10));
    OK(made, sl_vector_set(kept, 3, sl_scalar_int64(33)));
    uint64_t before = used_by(made);
    for (uint64_t limit = 1; limit < before + enough; limit += 1 + limit / share) {
        OK(made, sl_context_set_memory_limit(made, limit));
        sl_status status = workflow_function(made);
        if (status == SL_NO_MEMORY) {
            uint64_t number[4];
            message_numbers(made, number);
            assert_int_equal(number[3], limit);
            refusals++;
        } else {
            OK(made, status);
        }
        assert_int_equal(used_by(made), before);
    }
    assert_true(refusals > share / 2);
    OK(made, workflow_function(made));
    assert_true(vector_value_at(kept, 3) == 33);
    sl_vector_free(kept);
    sl_context_free(made);
    assert_int_equal(allocator_alive(), alive);
}

static void test_every_limit(void **state)
{
    sweep(workflow, SL_ENGINE_AUTO, 0, 200);
    sweep(workflow, SL_ENGINE_SUITESPARSE, 0, 200);
    sweep(parallel_workflow, SL_ENGINE_AUTO, 3, 20);
}

/* Each allocation fails in turn, also those of the memory accounting, while there is a limit as
 * well. */
static sl_status limited_workflow(void *data)
{
    sl_context *made;
    sl_status status = sl_context_create(&made, SL_ENGINE_AUTO);
    if (status == SL_OK)
        status = sl_context_set_memory_limit(made, 1 << 30);
    if (status == SL_OK)
        status = workflow(made);
    if (made)
        assert_int_equal(used_by(made), 0);
    sl_context_free(made);
    return status;
}

static void test_every_allocation(void **state)
{
    assert_true(allocator_fail_each(limited_workflow, NULL) > 20);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_objects_are_counted),
        cmocka_unit_test(test_charged_blocks),
        cmocka_unit_test(test_arrays_outlive_the_context),
        cmocka_unit_test(test_arrays_change_owners),
        cmocka_unit_test(test_limit_exceeded),
        cmocka_unit_test(test_other_failures),
        cmocka_unit_test(test_every_limit),
        cmocka_unit_test(test_every_allocation),
    };
    return cmocka_run_group_tests(tests, make_context, free_context);
}
