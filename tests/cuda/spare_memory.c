/* Where memory is short, data that the engine derives from a matrix are freed: no call fails because of them, results
 * stay the same, and they are made again. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semla/algorithms.h>
#include <semla/bfs.h>
#include <semla/io.h>

#include "cuda/paths/lengths.h"
#include "cuda/reorder/reordered_graph.h"
#include "device_filling.h"
#include "support.h"

enum { TRIALS = 24, MEGABYTE = 1 << 20 };

static sl_context *ctx;
static sl_matrix *A;
static unsigned scale; /* smaller on the emulator, which has little memory */
static uint64_t source, vertices;

static cuda_matrix *on_device(const sl_matrix *M)
{
    return cuda_matrix_of(sl_object_of_matrix(M));
}

static uint64_t placed(const sl_matrix *M)
{
    sl_placement placement;
    OK(ctx, sl_matrix_placement(&placement, M));
    return placement.device_bytes;
}

/* ---- operations ---------------------------------------------------------------------------- */

static int64_t *values_of(sl_vector *v)
{
    int64_t *values = calloc(vertices, sizeof *values);
    uint64_t *index = malloc(vertices * sizeof *index), count = vertices;
    int64_t *found = malloc(vertices * sizeof *found);
    assert_true(values && index && found);
    OK(ctx, sl_vector_extract_tuples(index, found, &count, v));
    for (uint64_t k = 0; k < count; k++)
        values[index[k]] = found[k] + 1;
    free(index);
    free(found);
    sl_vector_free(v);
    return values;
}

static sl_status find_levels(sl_vector **levels)
{
    return sl_bfs(NULL, levels, A, source, NULL);
}

static sl_status find_distances(sl_vector **distances)
{
    return sl_sssp(distances, NULL, A, source);
}

static sl_status sum_values(sl_vector **sums)
{
    sl_vector *ones;
    OK(ctx, sl_vector_new(&ones, ctx, SL_INT64, vertices));
    OK(ctx, sl_vector_new(sums, ctx, SL_INT64, vertices));
    sl_status status =
        sl_vector_assign_scalar(ones, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, NULL);
    if (status == SL_OK)
        status = sl_vxm(*sums, NULL, NULL, SL_PLUS_TIMES_INT64, ones, A, NULL);
    sl_vector_free(ones);
    if (status != SL_OK)
        sl_vector_free(*sums);
    return status;
}

static sl_status sum_copy(sl_vector **sums)
{
    sl_matrix *C;
    *sums = NULL;
    OK(ctx, sl_matrix_new(&C, ctx, SL_INT64, vertices, vertices));
    sl_status status = sl_matrix_apply(C, NULL, NULL, SL_AINV_INT64, A, NULL);
    if (status == SL_OK)
        OK(ctx, sl_vector_new(sums, ctx, SL_INT64, vertices));
    if (status == SL_OK)
        status = sl_matrix_reduce_rows(*sums, NULL, NULL, sl_monoid_get(SL_MONOID_MIN, SL_INT64), C,
                                       NULL);
    if (status != SL_OK)
        sl_vector_free(*sums);
    sl_matrix_free(C);
    return status;
}

static const struct {
    const char *name;
    sl_status (*run)(sl_vector **result);
} operations[] = {{"levels", find_levels},
                  {"distances", find_distances},
                  {"sums", sum_values},
                  {"a copy", sum_copy}};
enum { LEVELS, DISTANCES, SUMS, COPY, OPERATIONS };
static int64_t *expected[OPERATIONS];

static void check(int k, sl_vector *result)
{
    int64_t *values = values_of(result);
    if (memcmp(values, expected[k], vertices * sizeof *values) != 0)
        fail_msg("%s: another result", operations[k].name);
    free(values);
}

static void run(int k)
{
    sl_vector *result;
    OK(ctx, operations[k].run(&result));
    check(k, result);
}

/* ---- the matrix ---------------------------------------------------------------------------- */

static int set_up(void **state)
{
    const sl_generator kronecker = {.model = SL_MODEL_KRONECKER,
                                    .seed = 5,
                                    .scale = scale,
                                    .weighted = true,
                                    .integer_weights = true,
                                    .least_weight = 1,
                                    .greatest_weight = 255};
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC, .duplicates = SL_DUPLICATES_MIN};
    sl_edges edges;
    sl_vector *result;
    (void)state;
    OK(ctx, sl_generate(&edges, ctx, &kronecker));
    source = edges.row[0];
    OK(ctx, sl_matrix_from_edges(&A, ctx, &edges, &options));
    sl_edges_free(&edges);
    for (int k = 0; k < OPERATIONS; k++) {
        OK(ctx, operations[k].run(&result));
        expected[k] = values_of(result);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    empty_memory(ctx);
    for (int k = 0; k < OPERATIONS; k++) {
        free(expected[k]);
        expected[k] = NULL;
    }
    sl_matrix_free(A);
    return 0;
}

/* A new matrix with the same entries, of which nothing is derived. */
static void forget_derived(void)
{
    sl_matrix *copy;
    OK(ctx, sl_matrix_new(&copy, ctx, SL_INT64, vertices, vertices));
    OK(ctx, sl_matrix_apply(copy, NULL, NULL, SL_IDENTITY_INT64, A, NULL));
    OK(ctx, sl_matrix_promise_symmetric(copy));
    sl_matrix_free(A);
    A = copy;
}

/* ---- tests --------------------------------------------------------------------------------- */

/* Lets the engine use `left` bytes more than now, by its own count; 0: any number. */
static void limit_memory(uint64_t left)
{
    uint64_t used;
    char bytes[32] = "";
    OK(ctx, sl_cuda_wait(ctx, "test"));
    assert_int_equal(
        cudaMemPoolGetAttribute(sl_cuda_device()->pool, cudaMemPoolAttrUsedMemCurrent, &used),
        cudaSuccess);
    if (left > 0)
        snprintf(bytes, sizeof bytes, "%" PRIu64, used + left);
    setenv("SEMLA_CUDA_MEMORY", bytes, 1);
    OK(ctx, sl_cuda_read_limit(ctx));
}

/* Sorted rows take the place of the reordered graph where only one of them has room. The graph is made again later. */
static void paths_replace_a_graph(void **state)
{
    bool replaced = false;
    (void)state;
    setenv("SEMLA_TRAVERSAL", "degreeorder", 1); /* asks whether there is room */
    for (unsigned left = 75; left > 0 && !replaced; left -= 3) {
        forget_derived();
        OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
        assert_non_null(cuda_reordered_of(on_device(A)));
        limit_memory(on_device(A)->nnz * left);
        run(DISTANCES);
        assert_non_null(cuda_lengths_of(on_device(A)));
        replaced = !cuda_reordered_of(on_device(A));
        if (!replaced)
            limit_memory(0);
    }
    assert_true(replaced);
    run(LEVELS);
    assert_null(cuda_reordered_of(on_device(A)));
    limit_memory(0);
    run(LEVELS);
    assert_non_null(cuda_reordered_of(on_device(A)));
    assert_non_null(cuda_lengths_of(on_device(A)));
    unsetenv("SEMLA_TRAVERSAL");
}

static int set_up_large(void **state)
{
    scale += 3;
    vertices *= 8;
    return set_up(state);
}

static int tear_down_large(void **state)
{
    scale -= 3;
    vertices /= 8;
    return tear_down(state);
}

/* Where there is no room to sort all rows at once: in the order of the matrix, and by degree. */
static void rows_are_sorted_in_segments(void **state)
{
    (void)state;
    for (int by_degree = 0; by_degree < 2; by_degree++) {
        setenv("SEMLA_TRAVERSAL", by_degree ? "degreeorder" : "", 1);
        forget_derived();
        fill_memory(ctx, on_device(A)->nnz * (by_degree ? 44 : 16));
        run(DISTANCES);
        const cuda_lengths *lengths = cuda_lengths_of(on_device(A));
        assert_true(lengths && !lengths->order.old_id == !by_degree);
        empty_memory(ctx);
    }
    unsetenv("SEMLA_TRAVERSAL");
}

/* An operation that has nothing to do with the derived data gets their memory. */
static void any_operation_gets_the_memory(void **state)
{
    bool smaller = false;
    (void)state;
    for (int left = 20; left >= 0 && !smaller; left -= 4) {
        forget_derived();
        OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
        run(DISTANCES);
        const uint64_t before = placed(A);
        fill_memory(ctx, on_device(A)->nnz * (unsigned)left);
        run(COPY);
        smaller = placed(A) < before;
        run(COPY);
        empty_memory(ctx);
    }
    assert_true(smaller);
}

/* So does a matrix that comes from the host, also after a call that has used the data. */
static void imports_get_the_memory(void **state)
{
    sl_csr rows;
    sl_matrix *B;
    sl_vector *sums;
    (void)state;
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    forget_derived();
    OK(ctx, sl_matrix_copy_csr(&rows, A));
    OK(ctx, sl_matrix_take_csr(&B, ctx, &rows));
    OK(ctx, sum_values(&sums));
    const uint64_t before = placed(A);
    fill_memory(ctx, on_device(A)->nnz * 8);
    OK(ctx,
       sl_matrix_reduce_rows(sums, NULL, NULL, sl_monoid_get(SL_MONOID_MIN, SL_INT64), B, NULL));
    assert_true(placed(A) < before);
    sl_vector_free(sums);
    sl_matrix_free(B);
    unsetenv("SEMLA_TRAVERSAL");
}

/* What a call uses stays. */
static void data_in_use_stay(void **state)
{
    (void)state;
    forget_derived();
    run(DISTANCES);
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    run(DISTANCES);
    fill_memory(ctx, vertices * sizeof(uint64_t));
    const cuda_lengths *lengths = cuda_lengths_of(on_device(A));
    run(DISTANCES);
    assert_null(cuda_reordered_of(on_device(A)));
    assert_ptr_equal(cuda_lengths_of(on_device(A)), lengths);
}

static unsigned next_random(unsigned *state, unsigned most)
{
    *state = *state * 1103515245 + 12345;
    return (*state >> 16) % most;
}

/* Whatever is left, calls succeed or have no memory, and leave the matrix as it is. */
static void results_do_not_depend_on_memory(void **state)
{
    unsigned random = 1;
    int succeeded = 0, failed = 0;
    (void)state;
    forget_derived();
    const uint64_t nnz = on_device(A)->nnz;
    for (int trial = 0; trial < TRIALS; trial++) {
        enum { STEPS = 3 };
        sl_vector *results[STEPS];
        int chosen[STEPS];
        if (trial % 8 == 0)
            OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL | (trial % 16 ? SL_PRUNED : 0)));
        fill_memory(ctx, trial == 0 ? 0 : nnz * next_random(&random, 40));
        for (int step = 0; step < STEPS; step++) {
            chosen[step] = (int)next_random(&random, OPERATIONS);
            const sl_status status = operations[chosen[step]].run(&results[step]);
            assert_true(status == SL_OK || status == SL_NO_MEMORY);
            results[step] = status == SL_OK ? results[step] : NULL;
            failed += status != SL_OK;
            succeeded += status == SL_OK;
        }
        empty_memory(ctx);
        for (int step = 0; step < STEPS; step++)
            if (results[step])
                check(chosen[step], results[step]);
    }
    printf("%d calls succeeded, %d had no memory\n", succeeded, failed);
    assert_true(succeeded > TRIALS && failed > 0);
    for (int k = 0; k < OPERATIONS; k++)
        run(k);
}

/* Data of another context stay, as its thread may use them. */
static void other_contexts_keep_theirs(void **state)
{
    sl_context *other;
    sl_matrix *B;
    (void)state;
    forget_derived();
    OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    assert_int_equal(sl_context_create(&other, SL_ENGINE_CUDA), SL_OK);
    OK(other, sl_matrix_new(&B, other, SL_FP64, 10, 10));
    fill_memory(ctx, MEGABYTE);
    void *memory;
    sl_cuda_begin_call();
    assert_int_equal(sl_cuda_alloc(other, &memory, 4 * MEGABYTE), SL_NO_MEMORY);
    assert_non_null(cuda_reordered_of(on_device(A)));
    sl_cuda_end_call();
    sl_matrix_free(B);
    sl_context_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(paths_replace_a_graph, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rows_are_sorted_in_segments, set_up_large, tear_down_large),
        cmocka_unit_test_setup_teardown(any_operation_gets_the_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(imports_get_the_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(data_in_use_stay, set_up, tear_down),
        cmocka_unit_test_setup_teardown(results_do_not_depend_on_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_contexts_keep_theirs, set_up, tear_down)};
    if (!has_gpu()) {
        printf("engine cuda skipped: no GPU\n");
        return 0;
    }
    if (sl_context_create(&ctx, SL_ENGINE_CUDA) != SL_OK)
        return 1;
    scale = sl_cuda_free_bytes() < 1024ull * MEGABYTE ? 13 : 18;
    vertices = (uint64_t)1 << scale;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(ctx);
    return failures;
}
