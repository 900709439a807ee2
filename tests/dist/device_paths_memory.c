/*
 * Out of memory on one rank while a grid of devices prepares a matrix for shortest paths, at one
 * allocation after another: the preparation is advice, so that every rank succeeds; no rank keeps
 * sorted lengths that another lacks; the closure that follows gives the right distances, and nothing
 * leaks. The same for a generated graph that gives up its entries, and while a product generates them again.
 * SEMLA_TEST_EVERY fails every allocation instead of a sample.
 */
#include <semla/engine.h>

#include "dist/grid/blocks.h"
#include "ranks.h"
#include "support.h"

enum { N = 60, SAMPLES = 12 };

static int rank, ranks;
static sl_context *ctx;

/* A cycle with edges of length 1, and edges of length 100 between all other vertices. */
static sl_matrix *make_matrix(void)
{
    static uint64_t rows[N * N], cols[N * N];
    static double lengths[N * N];
    uint64_t count = 0;
    sl_matrix *A;
    for (uint64_t k = 0; k < N * N && rank == 0; k++) {
        rows[count] = k / N;
        cols[count] = k % N;
        lengths[count++] = k % N == (k / N + 1) % N ? 1 : 100;
    }
    assert_ok(ctx, sl_matrix_new(&A, ctx, SL_FP64, N, N));
    assert_ok(ctx, sl_matrix_build(A, rows, cols, lengths, count, NULL));
    return A;
}

static void check_distances(const sl_matrix *A)
{
    const sl_closure_options options = {
        .from_source = true, .source = 5, .source_value = sl_scalar_fp64(0)};
    sl_vector *distance;
    sl_scalar sum;
    assert_ok(ctx, sl_vector_new(&distance, ctx, SL_FP64, N));
    assert_ok(ctx, sl_closure(distance, NULL, A, SL_MIN_PLUS_FP64, &options));
    assert_ok(ctx, sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, distance));
    assert_true(sum.as.fp64_ == N * (N - 1) / 2);
    sl_vector_free(distance);
}

/* Bytes of this rank's block on the device. */
static uint64_t device_bytes(const sl_matrix *A)
{
    sl_placement placement;
    const sl_object *block = sl_grid_block(sl_object_of_matrix((sl_matrix *)A));
    assert_ok(NULL, sl_matrix_placement(&placement, (const sl_matrix *)block));
    return placement.device_bytes;
}

static bool on_all(bool yes)
{
    int all = yes;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

/* Allocation n of one rank fails, and all after it. Returns whether there was one. */
static bool attempt(int failing, long n)
{
    const long before = allocator_alive();
    sl_matrix *A = make_matrix();
    sl_value_range range;
    assert_ok(ctx, sl_matrix_value_range(&range, A)); /* the block moves to the device */
    const uint64_t without = device_bytes(A);
    if (rank == failing)
        allocator_fail_after(n);
    const sl_status status = sl_matrix_optimize(A, SL_FOR_PATHS);
    const bool failed = allocator_has_failed();
    allocator_fail_after(-1);
    assert_ok(ctx, status);
    assert_true(on_all(device_bytes(A) > without) || on_all(device_bytes(A) == without));
    check_distances(A);
    sl_matrix_free(A);
    if (n >= 0 && allocator_alive() != before)
        fail_msg("allocation %ld of rank %d failing: rank %d leaked %ld", n, failing, rank,
                 allocator_alive() - before);
    return !on_all(!(rank == failing && failed));
}

static void memory_runs_out(void **unused)
{
    for (int row = 0; row < 2; row++) {
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, row ? 1 : ranks,
                                               row ? ranks : 1, SL_ENGINE_CUDA));
        attempt(-1, -1); /* what the process and the grid keep between calls */
        long all = 0;
        while (attempt(ranks - 1, all))
            all++;
        assert_true(all > 5);
        const long stride = getenv("SEMLA_TEST_EVERY") ? 1 : 1 + all / SAMPLES;
        for (int failing = 0; failing + 1 < ranks; failing++)
            for (long n = failing; n < all; n += stride)
                attempt(failing, n);
        sl_context_free(ctx);
    }
}

/* ---- generated graphs --------------------------------------------------------------------------- */

static const sl_generator model = {
    .model = SL_MODEL_KRONECKER, .scale = 12, .seed = 3, .weighted = true};

/* With this much device memory: the limit holds until it is read again. */
static sl_matrix *generate(const char *memory)
{
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC, .duplicates = SL_DUPLICATES_MIN};
    sl_matrix *A;
    setenv("SEMLA_CUDA_MEMORY", memory, 1);
    assert_ok(ctx, sl_matrix_generate(&A, ctx, &model, &options));
    unsetenv("SEMLA_CUDA_MEMORY");
    return A;
}

static bool gave_up_entries(const sl_matrix *A)
{
    sl_placement placement;
    const sl_object *block = sl_grid_block(sl_object_of_matrix((sl_matrix *)A));
    assert_ok(NULL, sl_matrix_placement(&placement, (const sl_matrix *)block));
    return placement.ordered;
}

static double sum_of(const sl_vector *v)
{
    sl_scalar sum;
    assert_ok(ctx, sl_vector_reduce(&sum, NULL, SL_PLUS_MONOID_FP64, v));
    return sum.as.fp64_;
}

static sl_vector *distances_of(const sl_matrix *A)
{
    const sl_closure_options options = {.from_source = true, .source_value = sl_scalar_fp64(0)};
    sl_vector *distance;
    assert_ok(ctx, sl_vector_new(&distance, ctx, SL_FP64, sl_matrix_nrows(A)));
    assert_ok(ctx, sl_closure(distance, NULL, A, SL_MIN_PLUS_FP64, &options));
    return distance;
}

/* What A gives: sums of the distances from vertex 0, and of the least distance + length over the edges to each. */
typedef struct {
    double distance, least;
} sums;

/* An allocation of the preparation fails, or one of the product after it. Returns whether there was one. */
static bool attempt_generated(int failing, long n, bool in_product, const sums *right)
{
    const long before = allocator_alive();
    sl_matrix *A = generate("64M");
    sl_value_range range;
    sl_vector *least;
    bool failed = false;
    setenv("SEMLA_CUDA_MEMORY", "64M", 1);
    assert_ok(ctx, sl_matrix_value_range(&range, A));
    if (!in_product && rank == failing)
        allocator_fail_after(n);
    sl_status status = sl_matrix_optimize(A, SL_FOR_PATHS);
    failed |= !in_product && rank == failing && allocator_has_failed();
    allocator_fail_after(-1);
    unsetenv("SEMLA_CUDA_MEMORY");
    assert_ok(ctx, status);
    const bool gave_up = gave_up_entries(A);
    assert_true(on_all(gave_up) || on_all(!gave_up));
    assert_true(gave_up || !in_product);
    sl_vector *distance = distances_of(A);
    assert_true(sum_of(distance) == right->distance);
    sl_matrix_free(generate("100G"));
    assert_ok(ctx, sl_vector_new(&least, ctx, SL_FP64, sl_matrix_nrows(A)));
    if (in_product && rank == failing)
        allocator_fail_after(n);
    status = sl_vxm(least, NULL, NULL, SL_MIN_PLUS_FP64, distance, A, NULL);
    failed |= in_product && rank == failing && allocator_has_failed();
    allocator_fail_after(-1);
    assert_true(status == SL_OK || (in_product && status == SL_NO_MEMORY));
    assert_ok(ctx, sl_vxm(least, NULL, NULL, SL_MIN_PLUS_FP64, distance, A, NULL));
    assert_true(sum_of(least) == right->least);
    assert_int_equal(gave_up_entries(A), gave_up);
    sl_matrix_free(A);
    sl_vector_free(distance);
    sl_vector_free(least);
    if (n >= 0 && allocator_alive() != before)
        fail_msg("allocation %ld of rank %d failing: rank %d leaked %ld", n, failing, rank,
                 allocator_alive() - before);
    return !on_all(!failed);
}

static sums right_sums(void)
{
    sl_matrix *A = generate("100G");
    sl_vector *distance = distances_of(A), *least;
    assert_ok(ctx, sl_vector_new(&least, ctx, SL_FP64, sl_matrix_nrows(A)));
    assert_ok(ctx, sl_vxm(least, NULL, NULL, SL_MIN_PLUS_FP64, distance, A, NULL));
    const sums right = {sum_of(distance), sum_of(least)};
    sl_matrix_free(A);
    sl_vector_free(distance);
    sl_vector_free(least);
    return right;
}

static void memory_runs_out_while_entries_are_given_up(void **unused)
{
    assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, 1, ranks, SL_ENGINE_CUDA));
    const sums right = right_sums();
    for (int in_product = 0; in_product < 2; in_product++) {
        attempt_generated(-1, -1, in_product, &right);
        long all = 0;
        while (attempt_generated(ranks - 1, all, in_product, &right))
            all += getenv("SEMLA_TEST_EVERY") ? 1 : 3;
        assert_true(all > 5);
    }
    sl_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(memory_runs_out_while_entries_are_given_up)};
    allocator_install();
    if (!start_with_gpu())
        return 0;
    rank = world_rank();
    ranks = world_size();
    return run_ranks("device_paths_memory", tests, sizeof tests / sizeof *tests);
}
