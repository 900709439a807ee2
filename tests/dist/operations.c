/*
 * Every operation of <semla/operations.h> on grids of MPI ranks against the model, by the
 * trials of tests/parity. SEMLA_TEST_SEED=n does trial n alone, of every operation;
 * SEMLA_TEST_TRIALS=n does n of each on each grid instead of as few as below.
 */
#include "operations.h"
#include "ranks.h"

#include <inttypes.h>

enum { TRIALS = 24 }; /* on each grid; fewer of many ranks, whose time goes into waiting */

static const struct {
    const char *name;
    void (*run)(trial *t);
} operations[] = {
#define X(name) {#name, try_##name},
    PARITY_OPERATIONS(X) PARITY_ENTRIES(X)
#undef X
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static int owner(const operand *o, uint64_t i, uint64_t j)
{
    sl_layout layout;
    if (o->A)
        assert_int_equal(sl_matrix_layout(&layout, o->A), SL_OK);
    else
        assert_int_equal(sl_vector_layout(&layout, o->v), SL_OK);
    return sl_layout_owner(&layout, i, j);
}

/* One operation at one seed, the same on all ranks, each of which looks at its own. */
static void one_trial(sl_context *ctx, const users *own, const char *grid, size_t op, uint64_t seed)
{
    trial t = {.ctx = ctx,
               .users = own,
               .seed = seed,
               .state = seed * OPERATIONS + op,
               .operation = operations[op].name,
               .rank = world_rank(),
               .owner = owner};
    t.matrices = trial_chance(&t, 50);
    operations[op].run(&t);
    char why[256], what[512];
    bool agrees = trial_agrees(&t, why, sizeof why);
    trial_describe(&t, what, sizeof what);
    trial_end(&t);
    if (!agrees)
        fail_msg("SEMLA_TEST_SEED=%" PRIu64 " grid %s, rank %d: %s: %s", seed, grid, world_rank(),
                 what, why);
}

static void every_operation_on_every_grid(void **unused)
{
    const uint64_t few = TRIALS / (uint64_t)(world_size() * world_size()) + 1;
    const uint64_t count = test_number("SEMLA_TEST_TRIALS", few);
    uint64_t grid = (uint64_t)world_size();
    for (int rows = 0, cols; next_grid(&rows, &cols); grid++) {
        sl_context *ctx;
        users own;
        char name[32];
        snprintf(name, sizeof name, "%dx%d", rows, cols);
        /* The engines on the ranks are a parameter, and so they are here. */
        sl_engine_choice local = grid % 2 ? SL_ENGINE_AUTO : SL_ENGINE_SUITESPARSE;
        assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, local), SL_OK);
        users_define(&own, ctx);
        /* Other seeds on each grid, unless one is asked for. */
        const test_seeds seeds = test_seeds_from(grid * count, count);
        for (uint64_t seed = seeds.first; seed < seeds.end; seed++)
            for (size_t op = 0; op < OPERATIONS; op++)
                one_trial(ctx, &own, name, op, seed);
        users_free(&own);
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_operation_on_every_grid)};
    return run_ranks("operations", tests, 1);
}
