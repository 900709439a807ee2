/*
 * One rank cancels each scenario, at its first, second, ... question: all ranks return SL_CANCELLED
 * with the message of that rank, no rank waits for ever, and the next run succeeds.
 */
#include "cancelled_calls.h"
#include "ranks.h"

#include <unistd.h>

static sl_context *ctx;
static char path[64];

typedef struct {
    uint64_t calls, cancel_at;
} question;

static int ask(void *data, const sl_progress *progress)
{
    question *q = data;
    assert_non_null(progress->operation);
    return q->calls++ >= q->cancel_at;
}

static sl_status run_pagerank(void *A)
{
    sl_vector *rank = NULL;
    sl_status status = sl_pagerank(&rank, A, &(sl_pagerank_options){.max_iterations = 3}, NULL);
    sl_vector_free(rank);
    return status;
}

static sl_status run_generate(void *unused)
{
    (void)unused;
    sl_matrix *A = NULL;
    const sl_generator models[] = {{.model = SL_MODEL_KRONECKER, .scale = 6},
                                   {.model = SL_MODEL_ROAD, .side = {7, 7}},
                                   {.model = SL_MODEL_COMPLETE, .vertices = 9}};
    sl_status status = SL_OK;
    for (size_t k = 0; k < sizeof models / sizeof *models && status == SL_OK; k++) {
        status = sl_matrix_generate(&A, ctx, &models[k], NULL);
        sl_matrix_free(A);
    }
    return status;
}

static sl_status run_files(void *A)
{
    sl_matrix *B = NULL;
    sl_status status = sl_matrix_write(A, path, SL_FORMAT_MATRIX_MARKET);
    if (status == SL_OK)
        status = sl_matrix_read(&B, ctx, path, 0);
    sl_matrix_free(B);
    return status;
}

static sl_status run_native_files(void *A)
{
    sl_matrix *B = NULL;
    sl_status status = sl_matrix_write(A, path, SL_FORMAT_NATIVE);
    if (status == SL_OK)
        status = sl_matrix_read_with(&B, NULL, ctx, path,
                                     &(sl_read_options){.format = SL_FORMAT_NATIVE});
    sl_matrix_free(B);
    return status;
}

static sl_status run_graph500(void *unused)
{
    (void)unused;
    sl_graph500_report report;
    return sl_graph500(&report, ctx, &(sl_graph500_options){.scale = 5, .roots = 2});
}

/* Runs the scenario; rank `canceller` cancels it at question number `at`. Returns the number of
 * questions of that rank, or 0 if it was cancelled. */
static uint64_t attempt(sl_status (*scenario)(void *), sl_matrix *A, int canceller, uint64_t at)
{
    question q = {.cancel_at = world_rank() == canceller ? at : UINT64_MAX};
    assert_ok(ctx, sl_context_set_progress(ctx, ask, &q, 0));
    sl_status status = scenario(A);
    assert_ok(ctx, sl_context_set_progress(ctx, NULL, NULL, 0));
    int codes[] = {status, -status};
    MPI_Allreduce(MPI_IN_PLACE, codes, 2, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (codes[0] != -codes[1])
        fail_msg("rank %d: %s; other ranks differ", world_rank(), sl_status_string(status));
    if (status == SL_CANCELLED) {
        char name[32];
        snprintf(name, sizeof name, "rank %d: ", canceller);
        assert_non_null(strstr(sl_context_message(ctx), "cancelled"));
        if (world_size() > 1)
            assert_non_null(strstr(sl_context_message(ctx), name));
        return 0;
    }
    assert_ok(ctx, status);
    MPI_Bcast(&q.calls, 1, MPI_UINT64_T, canceller, MPI_COMM_WORLD);
    return q.calls;
}

static void cancel_at_each(sl_status (*scenario)(void *), sl_matrix *A, int canceller)
{
    attempt(scenario, A, canceller, UINT64_MAX); /* later runs reuse what this one prepares */
    const uint64_t questions = attempt(scenario, A, canceller, UINT64_MAX);
    assert_true(questions >= 2);
    for (uint64_t n = 0; n < questions; n += n < 6 ? 1 : 1 + questions / 5)
        assert_int_equal(attempt(scenario, A, canceller, n), 0);
    assert_int_equal(attempt(scenario, A, canceller, UINT64_MAX), questions);
}

static void one_rank_cancels(void **state)
{
    (void)state;
    sl_status (*const scenarios[])(void *) = {
        run_bfs,       run_components,       run_pagerank,     run_betweenness, run_closeness,
        run_triangles, run_local_clustering, run_core_numbers, run_ktruss,      run_generate,
        run_files,     run_native_files,     run_graph500};
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 5};
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_matrix *A;
        assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_OPENMP),
                         SL_OK);
        assert_ok(ctx, sl_matrix_generate(&A, ctx, &model,
                                          &(sl_read_options){.flags = SL_READ_SYMMETRIC}));
        for (size_t k = 0; k < sizeof scenarios / sizeof *scenarios; k++)
            cancel_at_each(scenarios[k], A, (int)k % world_size());
        sl_matrix_free(A);
        sl_context_free(ctx);
    }
}

/* sl_context_cancel on the last rank holds until that rank resumes. */
static void one_rank_cancels_and_resumes(void **state)
{
    (void)state;
    sl_matrix *A;
    const bool last = world_rank() == world_size() - 1;
    const sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 5};
    assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, some_rows(), 0, SL_ENGINE_OPENMP),
                     SL_OK);
    assert_ok(ctx, sl_matrix_generate(&A, ctx, &model, NULL));
    if (last)
        sl_context_cancel(ctx);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(run_bfs(A), SL_CANCELLED);
        assert_int_equal(run_generate(NULL), SL_CANCELLED);
    }
    assert_int_equal(sl_context_is_cancelled(ctx), last);
    if (last)
        sl_context_resume(ctx);
    assert_ok(ctx, run_bfs(A));
    sl_matrix_free(A);
    sl_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_rank_cancels),
        cmocka_unit_test(one_rank_cancels_and_resumes),
    };
    MPI_Init(NULL, NULL);
    int id = (int)getpid();
    MPI_Bcast(&id, 1, MPI_INT, 0, MPI_COMM_WORLD);
    snprintf(path, sizeof path, "/tmp/semla-cancel-%d.graph", id);
    const int failed = run_some_ranks("cancel", tests, sizeof tests / sizeof *tests);
    if (world_rank() == 0)
        unlink(path);
    MPI_Finalize();
    return failed;
}
