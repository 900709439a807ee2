/* Tests of cancelling: a progress function that cancels a scenario at its first, second, ... question.
 * For programs with allocator_install and a static `ctx`. */
#ifndef SEMLA_TEST_CANCEL_H
#define SEMLA_TEST_CANCEL_H

#include "support.h"

#include <semla/io.h>
#include <string.h>

static sl_context *ctx;

typedef struct {
    uint64_t calls, cancel_at; /* questions so far; the number of the one that cancels, from 0 */
    sl_progress last;
} question;

static inline int ask(void *data, const sl_progress *progress)
{
    question *q = data;
    assert_non_null(progress->operation);
    assert_true(progress->total == 0 || progress->done <= progress->total);
    q->last = *progress;
    return q->calls++ >= q->cancel_at;
}

/* Runs the scenario and cancels it at question number `at`. */
static inline sl_status run_until(question *q, sl_status (*scenario)(void *data), void *data,
                                  uint64_t at)
{
    *q = (question){.cancel_at = at};
    OK(ctx, sl_context_set_progress(ctx, ask, q, 0));
    sl_status status = scenario(data);
    OK(ctx, sl_context_set_progress(ctx, NULL, NULL, 0));
    return status;
}

/* Several threads do not ask the same number of questions in each run; only one does. */
static inline void cancel_at_each(sl_status (*scenario)(void *data), void *data, uint64_t least)
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

/* An undirected graph of a model without self-loops; fp64 edges have lengths from 1 to 7. */
static inline sl_matrix *make(sl_model model, uint64_t size, sl_type type)
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

/* Runs the tests on every engine of the machine, on one thread and on two. */
static inline int run_on_engines(const struct CMUnitTest *tests, size_t count)
{
    int failed = 0;
    sl_engine_info engine;
    for (size_t at = 0; next_engine(&engine, &at);)
        for (int threads = 1; threads <= 2; threads++) {
            print_message("engine %s, %d threads\n", engine.name, threads);
            if (sl_context_create(&ctx, engine.choice) != SL_OK ||
                sl_context_set_threads(ctx, threads) != SL_OK)
                return 1;
            failed += _cmocka_run_group_tests(engine.name, tests, count, NULL, NULL);
            sl_context_free(ctx);
        }
    return failed;
}

#endif
