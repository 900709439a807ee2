/*
 * Every operation of <semla/operations.h>, and building and reading of objects, on every engine
 * that is present, compared with the model. SEMLA_TEST_SEED=n runs only trial n of every operation;
 * SEMLA_TEST_TRIALS=n runs n trials of each instead of the default. SEMLA_TEST_PARALLEL makes
 * SuiteSparse use several threads even for the smallest objects.
 */
#include "operations.h"

#include <GraphBLAS.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRIALS = 3000, MAX_REPORTS = 10 };

static const struct {
    const char *name;
    void (*run)(trial *t);
} operations[] = {
#define X(name) {#name, try_##name},
    PARITY_OPERATIONS(X) PARITY_INDEX_VECTORS(X) PARITY_SORTS(X) PARITY_ENTRIES(X)
#undef X
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* Runs one operation with one seed; on a difference prints one line to stderr and returns false. */
static bool one_trial(sl_context *ctx, const user_operators *own, const char *engine, size_t op,
                      uint64_t seed)
{
    trial t = {.ctx = ctx,
               .user_operators = own,
               .seed = seed,
               .state = seed * OPERATIONS + op,
               .operation = operations[op].name};
    long overruns = guard_overruns();
    t.matrices = trial_chance(&t, 50);
    operations[op].run(&t);
    char why[256], what[512];
    bool agrees = trial_agrees(&t, why, sizeof why);
    trial_describe(&t, what, sizeof what);
    trial_end(&t);
    if (overruns == guard_overruns() && agrees)
        return true;
    fprintf(stderr, "SEMLA_TEST_SEED=%" PRIu64 " %s: %s: %s\n", seed, engine, what,
            agrees ? "memory was written past its end" : why);
    return false;
}

static void all_trials(sl_context *ctx, const user_operators *own, const char *engine)
{
    const test_seeds seeds = test_seeds_from(0, TRIALS);
    int wrong = 0;
    for (uint64_t seed = seeds.first; seed < seeds.end; seed++)
        for (size_t op = 0; op < OPERATIONS && wrong < MAX_REPORTS; op++)
            wrong += !one_trial(ctx, own, engine, op, seed);
    if (wrong)
        fail_msg("%s: %d trials or more differ from the model", engine, wrong);
}

static void test_engines(void **state)
{
    sl_engine_info info;
    size_t position = 0;
    while (next_engine(&info, &position)) {
        sl_context *ctx;
        user_operators own;
        assert_int_equal(sl_context_create(&ctx, info.choice), SL_OK);
        if (getenv("SEMLA_TEST_PARALLEL"))
            assert_int_equal(GxB_Global_Option_set(GxB_CHUNK, PARALLEL_CHUNK), GrB_SUCCESS);
        user_operators_define(&own, ctx);
        all_trials(ctx, &own, info.name);
        user_operators_free(&own);
        sl_context_free(ctx);
    }
    assert_true(position > 0);
    /* All combinations of flags, mask and accumulator must have been drawn. */
    if (!getenv("SEMLA_TEST_SEED") && !getenv("SEMLA_TEST_TRIALS"))
        assert_int_equal(trial_combinations_left(), 0);
}

int main(void)
{
    guard_install();
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_engines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
