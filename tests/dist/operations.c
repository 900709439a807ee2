/*
 * Every operation of <semla/operations.h> on grids of MPI ranks, compared with the model, by the
 * trials of tests/parity. SEMLA_TEST_SEED=n runs trial n of every operation; SEMLA_TEST_TRIALS=n
 * runs n trials of each on each grid. The operations of the grid's engine are counted: all must
 * have been run, except those that other tests run, on every grid of the ranks.
 */
#include "operations.h"
#include "ranks.h"

#include <inttypes.h>

#include <semla/engine.h>

enum {
    TRIALS = 24, /* trials per operation and grid; fewer with many ranks, which mostly wait */
    MORE = 20    /* at most so many further trials for an operation that was not run */
};

static const struct {
    const char *name;
    void (*run)(trial *t);
} operations[] = {
#define X(name) {#name, try_##name},
    PARITY_OPERATIONS(X) PARITY_INDEX_VECTORS(X) PARITY_ENTRIES(X)
#undef X
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

/* ---- counts of operations ------------------------------------------------------------- */

static const sl_engine *counted;   /* the grid's engine */
static uint64_t done[SL_OP_COUNT]; /* runs of each operation on the current grid */

static sl_status count_and_run(sl_call *call)
{
    done[call->op]++;
    return counted->run[call->op](call);
}

/* Replaces the engine of the context by a copy that counts its operations. */
static void count_operations(sl_context *ctx)
{
    static sl_engine counting;
    counted = ctx->chain[0];
    counting = *counted;
    for (unsigned op = 0; op < SL_OP_COUNT; op++)
        if (counted->run[op])
            counting.run[op] = count_and_run;
    ctx->chain[0] = &counting;
    memset(done, 0, sizeof done);
}

/* Operations with arrays, sorts and gathers of matrices are for one rank, slices for several
 * (dist.entries, dist.written); the others are for GPUs (dist.device_group). */
static bool is_for_others(sl_operation op)
{
    const bool slices = op == SL_OP_SLICE || op == SL_OP_LOCAL_NVALS;
    const bool whole = op == SL_OP_SORT || op == SL_OP_GATHER_MATRIX;
    return (whole && world_size() > 1) || op == SL_OP_TAKE || op == SL_OP_GIVE ||
           op == SL_OP_COPY_OUT || op == SL_OP_GENERATE || op == SL_OP_EDGE_DEGREES ||
           op == SL_OP_CHECK_TREE || (slices && world_size() == 1);
}

/* The name of an operation that was not run; NULL: all were run. */
static const char *not_done(void)
{
    for (unsigned op = 0; op < SL_OP_COUNT; op++)
        if (counted->run[op] && !is_for_others((sl_operation)op) && done[op] == 0)
            return sl_operation_name((sl_operation)op);
    return NULL;
}

/* Closures from vertex 0 of a path of three vertices. */
static void close_path(sl_context *ctx, const sl_matrix *A)
{
    sl_matrix *q, *pi;
    sl_vector *lengths, *source, *parent;
    uint64_t reached;
    assert_ok(ctx, sl_matrix_new(&q, ctx, SL_BOOL, 2, 40));
    assert_ok(ctx, sl_matrix_set(q, 1, 0, sl_scalar_bool(true)));
    assert_ok(ctx, sl_matrix_new(&pi, ctx, SL_INT64, 2, 40));
    assert_ok(ctx, sl_closures(pi, q, A, SL_ANY_SECONDI_INT64, NULL));
    assert_ok(ctx, sl_matrix_nvals(&reached, pi));
    assert_int_equal(reached, 3);
    assert_ok(ctx, sl_vector_new(&lengths, ctx, SL_INT64, 40));
    assert_ok(ctx, sl_vector_set(lengths, 0, sl_scalar_int64(0)));
    assert_ok(ctx, sl_vector_dup(&source, lengths));
    assert_ok(ctx, sl_vector_new(&parent, ctx, SL_INT64, 40));
    assert_ok(ctx, sl_closure(lengths, source, A, SL_MIN_PLUS_INT64,
                              &(sl_closure_options){.parent = parent}));
    assert_ok(ctx, sl_vector_nvals(&reached, parent));
    assert_int_equal(reached, 3);
    assert_ok(ctx, sl_advance(source, lengths, source, A, SL_MIN_PLUS_INT64, SL_AUTO, NULL));
    assert_ok(ctx, sl_vector_nvals(&reached, source));
    assert_int_equal(reached, 0); /* nothing improves */
    sl_vector_free(lengths);
    sl_vector_free(source);
    sl_vector_free(parent);
    sl_matrix_free(q);
    sl_matrix_free(pi);
}

static void prepare_lengths(sl_context *ctx)
{
    sl_matrix *lengths;
    assert_ok(ctx, sl_matrix_new(&lengths, ctx, SL_INT64, 40, 40));
    assert_ok(ctx, sl_matrix_optimize(lengths, SL_FOR_PATHS));
    sl_matrix_free(lengths);
}

/* Runs operations without a trial, which other tests compare (dist.closure, dist.sources, dist.written,
 * dist.workflows). */
static void do_the_rest(sl_context *ctx)
{
    sl_matrix *A;
    sl_vector *level;
    sl_arrays slice;
    sl_plan plan;
    const uint64_t row[] = {0, 1, 5}, col[] = {1, 5, 0};
    bool pattern;
    assert_ok(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 40, 40));
    assert_ok(ctx, sl_matrix_build(A, row, col, NULL, world_rank() == 0 ? 3 : 0, NULL));
    assert_ok(ctx, sl_matrix_is_pattern(&pattern, A));
    assert_true(pattern);
    assert_ok(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    prepare_lengths(ctx);
    assert_ok(ctx, sl_bfs(NULL, &level, A, 0, NULL));
    assert_ok(ctx, sl_plan_iteration(&plan, level, level, A));
    assert_int_equal(plan.push_edges, 3);
    close_path(ctx, A);
    sl_scalar sum;
    assert_ok(ctx, sl_vector_reduce_pair(&sum, NULL, SL_PLUS_MONOID_INT64, NULL, SL_TIMES_INT64,
                                         level, level));
    assert_int_equal(sum.as.int64_, 0 + 1 + 4); /* levels 0, 1 and 2 */
    if (world_size() == 1) {
        sl_vector *order;
        assert_ok(ctx, sl_vector_new(&order, ctx, SL_INT64, 40));
        assert_ok(ctx, sl_vector_sort(NULL, order, SL_LT_INT64, level));
        assert_ok(ctx,
                  sl_vector_assign_scalar(order, NULL, NULL, sl_scalar_int64(1), SL_ALL, 0, NULL));
        assert_ok(ctx, sl_matrix_gather(A, NULL, NULL, A, order, NULL));
        sl_vector_free(order);
    }
    assert_ok(ctx, sl_vector_copy_slice(&slice, level));
    sl_arrays_free(&slice);
    sl_vector_free(level);
    sl_matrix_free(A);
}

/* ---- trials ---------------------------------------------------------------------------- */

static int owner(const operand *o, uint64_t i, uint64_t j)
{
    int rank = -1;
    if (o->A)
        assert_int_equal(sl_grid_matrix_owner(&rank, o->A, i, j), SL_OK);
    else
        assert_int_equal(sl_grid_vector_owner(&rank, o->v, i), SL_OK);
    return rank;
}

/* One trial of one operation, the same on all ranks, each of which checks its own entries. */
static void one_trial(sl_context *ctx, const user_operators *own, const char *grid, size_t op,
                      uint64_t seed)
{
    trial t = {.ctx = ctx,
               .user_operators = own,
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
    const bool needs_all = !getenv("SEMLA_TEST_SEED");
    uint64_t grid = (uint64_t)world_size(), grids = 0, divisors = 0;
    for (int rows = 0, cols; next_grid(&rows, &cols); grid++) {
        sl_context *ctx;
        user_operators own;
        char name[32];
        snprintf(name, sizeof name, "%dx%d", rows, cols);
        /* The engines on the ranks are an argument. */
        sl_engine_choice local = grid % 2 ? SL_ENGINE_AUTO : SL_ENGINE_SUITESPARSE;
        assert_int_equal(sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, local), SL_OK);
        count_operations(ctx);
        user_operators_define(&own, ctx);
        /* Other seeds on each grid, unless one is requested. */
        const test_seeds seeds = test_seeds_from(grid * count, count);
        do_the_rest(ctx);
        for (uint64_t seed = seeds.first; seed < seeds.end || (needs_all && not_done()); seed++) {
            if (seed == seeds.end + MORE)
                fail_msg("grid %s: %s was not run", name, not_done());
            for (size_t op = 0; op < OPERATIONS; op++)
                one_trial(ctx, &own, name, op, seed);
        }
        grids++;
        user_operators_free(&own);
        sl_context_free(ctx);
    }
    for (uint64_t rows = 1; rows <= (uint64_t)world_size(); rows++)
        divisors += (uint64_t)world_size() % rows == 0;
    assert_int_equal(grids, divisors); /* 1x1 to 8x1, of 1, 2, 3, 4, 6 and 8 ranks */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_operation_on_every_grid)};
    return run_ranks("operations", tests, 1);
}
