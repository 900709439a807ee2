/*
 * Out of memory on one rank while the GPUs of a grid exchange vectors, at one allocation after another: all ranks
 * return the same error with the number of that rank, none waits for ever, and the same operations then work. Short
 * vectors are exchanged without an agreement, so a rank that fails takes part in the exchanges that follow.
 * SEMLA_TEST_EVERY fails every allocation instead of a sample.
 */
#include "ranks.h"
#include "support.h"
#include "try.h"

enum { N = 90, ALL_UP_TO = 40, STRIDE = 7 };

static int rank, ranks;
static sl_context *ctx;
static sl_matrix *A, *pattern_matrix;
static sl_vector *u, *mask, *w, *pattern, *ids;

/* The ranks share orders from the second call on. The pattern is symmetric, so that vectors stay in the order of a
 * rank's vertices. */
static sl_status sum(sl_vector *to)
{
    TRY(sl_vxm(to, NULL, NULL, SL_PLUS_FIRST_FP64, u, pattern_matrix, NULL));
    return sl_mxv(to, NULL, NULL, SL_PLUS_SECOND_FP64, pattern_matrix, u, NULL);
}

static void make(void)
{
    sl_generator model = {
        .model = SL_MODEL_UNIFORM, .vertices = N, .edges = 4 * N, .seed = 3, .weighted = true};
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC};
    bool symmetric;
    assert_ok(ctx, sl_matrix_generate(&A, ctx, &model, NULL));
    assert_ok(ctx, sl_vector_new(&u, ctx, SL_FP64, N));
    assert_ok(ctx, sl_vector_new(&mask, ctx, SL_BOOL, N));
    assert_ok(ctx, sl_vector_new(&w, ctx, SL_FP64, N));
    assert_ok(ctx, sl_vector_new(&pattern, ctx, SL_BOOL, N));
    assert_ok(ctx, sl_vector_new(&ids, ctx, SL_INT64, N));
    assert_ok(ctx, sl_vector_assign_scalar(u, NULL, NULL, sl_scalar_fp64(2), SL_ALL, 0, NULL));
    for (uint64_t k = 0; k < N; k += 3)
        assert_ok(ctx, sl_vector_set(mask, k, sl_scalar_bool(true)));
    assert_ok(ctx, sl_vxm(w, NULL, NULL, SL_PLUS_TIMES_FP64, u, A, NULL)); /* moves A to the GPUs */
    model.weighted = false;
    model.edges = 40 * N;
    assert_ok(ctx, sl_matrix_generate(&pattern_matrix, ctx, &model, &undirected));
    assert_ok(ctx, sl_matrix_is_symmetric(&symmetric, pattern_matrix));
    assert_true(symmetric);
    assert_ok(ctx, sl_matrix_optimize(pattern_matrix, SL_FOR_TRAVERSAL));
    assert_ok(ctx, sum(w));
}

static void free_all(void)
{
    sl_matrix_free(A);
    sl_matrix_free(pattern_matrix);
    sl_vector_free(u);
    sl_vector_free(mask);
    sl_vector_free(w);
    sl_vector_free(pattern);
    sl_vector_free(ids);
}

/* Values, values in an order, a pattern, by blocks and by parts of a search, masks, indices, sums of rows, and
 * operations that exchange nothing. */
static sl_status run(uint64_t *count)
{
    const sl_descriptor not_under = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    TRY(sl_vector_assign_scalar(u, mask, NULL, sl_scalar_fp64(1), SL_ALL, 0, NULL));
    TRY(sl_vxm(w, mask, NULL, SL_PLUS_TIMES_FP64, u, A, not_under));
    TRY(sl_vxm(pattern, mask, NULL, SL_ANY_PAIR_BOOL, u, A, not_under));
    TRY(sl_mxv(w, NULL, SL_PLUS_FP64, SL_MIN_SECONDI_INT64, A, u, NULL));
    TRY(sum(w));
    TRY(sl_vxm(pattern, mask, NULL, SL_ANY_PAIR_BOOL, u, pattern_matrix, not_under));
    TRY(sl_vxm(ids, pattern, NULL, SL_ANY_SECONDI_INT64, pattern, pattern_matrix, not_under));
    TRY(sl_matrix_reduce_rows(w, NULL, NULL, SL_PLUS_MONOID_FP64, A, NULL));
    return sl_vector_nvals(count, pattern);
}

/* Allocation n of one rank fails, and all after it. Returns whether there was one. */
static bool attempt(int failing, long n)
{
    uint64_t count = 0, right;
    make();
    if (rank == failing)
        allocator_fail_after(n);
    const sl_status status = run(&count);
    allocator_fail_after(-1);
    int codes[] = {status, -status};
    MPI_Allreduce(MPI_IN_PLACE, codes, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    assert_int_equal(codes[0], -codes[1]);
    if (status != SL_OK) {
        char name[32];
        snprintf(name, sizeof name, "rank %d: ", failing);
        assert_int_equal(status, SL_NO_MEMORY);
        if (ranks > 1)
            assert_non_null(strstr(sl_context_message(ctx), name));
    }
    assert_ok(ctx, run(&right));
    if (status == SL_OK)
        assert_int_equal(count, right);
    free_all();
    return status != SL_OK;
}

static void memory_runs_out(void **unused)
{
    for (int rows = 0, cols, grid = 0; next_grid(&rows, &cols); grid++) {
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        const long stride = getenv("SEMLA_TEST_EVERY") ? 1 : STRIDE;
        long n = 0;
        while (attempt((ranks - 1 + grid) % ranks, n))
            n += n < ALL_UP_TO ? 1 : stride;
        assert_true(n > ALL_UP_TO);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(memory_runs_out)};
    allocator_install();
    setenv("SEMLA_TRAVERSAL", "tiles", 1);
    setenv("SEMLA_DIST", "1d", 1);
    if (!start_with_gpu())
        return 0;
    rank = world_rank();
    ranks = world_size();
    return run_ranks("device_vectors_memory", tests, 1);
}
