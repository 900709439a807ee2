/*
 * Operations on grids whose ranks have devices, with every transport that is available: the trials of
 * tests/parity, whose operands are on the devices of some of the ranks, on all or on none, compared
 * with the model. Ranks may share a device.
 */
#include "operations.h"

#include <inttypes.h>

#include "device_places.h"

static const struct {
    const char *name;
    void (*run)(trial *t);
} operations[] = {
#define X(name) {#name, try_##name},
    PARITY_OPERATIONS(X) PARITY_INDEX_VECTORS(X) PARITY_ENTRIES(X)
#undef X
};
enum { OPERATIONS = sizeof operations / sizeof *operations, TRIALS = 6 };

static int owner(const operand *o, uint64_t i, uint64_t j)
{
    int rank = -1;
    if (o->A)
        assert_int_equal(sl_grid_matrix_owner(&rank, o->A, i, j), SL_OK);
    else
        assert_int_equal(sl_grid_vector_owner(&rank, o->v, i), SL_OK);
    return rank;
}

/* Places an operand on all devices, on those of some ranks, or on none. */
static void place_operand(trial *t, const operand *o)
{
    const uint64_t how = (t->seed + (uint64_t)t->count) % 4;
    if (how < 2 || (how == 2 && (world_rank() + t->count) % 2 == 0))
        place(o->A ? sl_object_of_matrix(o->A) : sl_object_of_vector(o->v));
}

static void one_trial(sl_context *ctx, const user_operators *own, const char *where, size_t op,
                      uint64_t seed)
{
    trial t = {.ctx = ctx,
               .user_operators = own,
               .seed = seed,
               .state = seed * OPERATIONS + op,
               .operation = operations[op].name,
               .rank = world_rank(),
               .owner = owner,
               .on_operand = place_operand};
    t.matrices = trial_chance(&t, 50);
    operations[op].run(&t);
    char why[256], what[512];
    const bool agrees = trial_agrees(&t, why, sizeof why);
    trial_describe(&t, what, sizeof what);
    trial_end(&t);
    if (!agrees)
        fail_msg("SEMLA_TEST_SEED=%" PRIu64 " %s, rank %d: %s: %s", seed, where, world_rank(), what,
                 why);
}

static void test_trials(void **unused)
{
    for (int rows = 0, cols; next_grid(&rows, &cols);) {
        sl_context *ctx;
        user_operators own;
        assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, SL_ENGINE_CUDA));
        user_operators_define(&own, ctx);
        for (size_t k = 0; k < TRANSPORTS; k++) {
            if (!is_available(ctx, k))
                continue;
            char where[64];
            snprintf(where, sizeof where, "grid %dx%d by %s", rows, cols, transports[k].words);
            const test_seeds seeds = test_seeds_from((uint64_t)rows * TRIALS, TRIALS);
            for (uint64_t seed = seeds.first; seed < seeds.end; seed++)
                for (size_t op = 0; op < OPERATIONS; op++)
                    one_trial(ctx, &own, where, op, seed);
        }
        unsetenv("SEMLA_DIST");
        user_operators_free(&own);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_trials)};
    if (!start_with_gpu())
        return 0;
    return run_ranks("device_operations", tests, 1);
}
