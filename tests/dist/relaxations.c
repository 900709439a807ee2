/*
 * Closures that the grid runs by iterations, on every grid of the ranks, compared with SuiteSparse
 * in one process: semirings that relax and that settle, built-in and user-defined, on random and
 * hostile graphs, with bounds, targets, levels, logs and predecessors. Trials are numbered by a seed:
 * SEMLA_TEST_SEED and SEMLA_TEST_TRIALS choose others.
 */
#include "ranks.h"
#include "support.h"

#ifdef __SANITIZE_ADDRESS__ /* ten times slower, and the same functions */
enum { TRIALS = 40 };
#else
enum { TRIALS = 80 };
#endif
enum { EDGES = 400 };

static sl_context *one; /* a context of one process */

/* One trial: the same on all ranks. */
typedef struct {
    uint64_t seed, random, n, edges;
    uint64_t *from, *to;
    sl_type type;
    sl_semiring_code semiring;
    bool user; /* the semiring's addition is user-defined */
    sl_closure_options options;
    uint64_t zeros, longest; /* percentage of the lengths that are 0; bound of the others */
    uint64_t share; /* percentage of the vertices that are in pi at the start; 0: from a source */
    bool targets, level, log, parent;
    unsigned purpose; /* of sl_matrix_optimize on the grid; 0: not prepared */
} trial;

/* The trial in one context. */
typedef struct {
    sl_context *ctx;
    sl_matrix *A;
    sl_vector *pi, *q, *targets, *level, *parent;
    sl_iteration_log log;
    sl_semiring semiring;
    sl_monoid monoid;
    sl_binary_op add;
    sl_status status;
} side;

static uint64_t below(trial *t, uint64_t bound)
{
    return test_random(&t->random) % bound;
}

static void add_edge(trial *t, uint64_t from, uint64_t to)
{
    t->from[t->edges] = from;
    t->to[t->edges++] = to;
}

static void choose_edges(trial *t)
{
    static const uint64_t sizes[] = {1, 2, 7, 33, 33, 130};
    t->n = sizes[below(t, 6)];
    t->from = malloc(2 * EDGES * sizeof *t->from);
    t->to = malloc(2 * EDGES * sizeof *t->to);
    switch (below(t, 7)) {
    case 0: /* no edges */
        break;
    case 1: /* a path */
        for (uint64_t v = 0; v + 1 < t->n; v++)
            add_edge(t, v, v + 1);
        break;
    case 2: /* a star, and a loop at its centre */
        for (uint64_t v = 0; v < t->n; v++) {
            add_edge(t, t->n / 2, v);
            add_edge(t, v, t->n / 2);
        }
        break;
    case 3: /* a path with short cuts, and edges back */
        for (uint64_t v = 0; v + 1 < t->n; v++) {
            add_edge(t, v, v + 1);
            add_edge(t, v, v + 1 + below(t, t->n - v - 1));
            add_edge(t, v + 1, below(t, v + 2));
        }
        break;
    default: /* random edges, with duplicates, loops and isolated vertices */
        for (uint64_t k = 1 + below(t, EDGES), e = 0; e < k; e++)
            add_edge(t, below(t, t->n), below(t, t->n / 2 + 1));
    }
}

static void choose_semiring(trial *t)
{
    static const struct {
        sl_semiring_code code;
        sl_type types[3];
    } all[] = {{SL_SEMIRING_MIN_PLUS, {SL_INT64, SL_FP64, SL_INT32}},
               {SL_SEMIRING_MIN_PLUS, {SL_FP64, SL_INT64, SL_UINT16}},
               {SL_SEMIRING_MAX_MIN, {SL_INT64, SL_FP32, SL_UINT8}},
               {SL_SEMIRING_MIN_FIRST, {SL_INT64, SL_FP64, SL_UINT64}},
               {SL_SEMIRING_LOR_LAND, {SL_BOOL, SL_BOOL, SL_BOOL}},
               {SL_SEMIRING_MIN_SECOND, {SL_INT64, SL_FP64, SL_INT8}},
               {SL_SEMIRING_MIN_SECONDI, {SL_INT64, SL_INT32, SL_INT64}},
               {SL_SEMIRING_MAX_SECONDI, {SL_INT64, SL_INT32, SL_INT32}},
               {SL_SEMIRING_ANY_PAIR, {SL_INT64, SL_BOOL, SL_FP64}}};
    const bool paths = t->seed % 2; /* half of the trials */
    const uint64_t k = paths ? 0 : below(t, sizeof all / sizeof *all);
    t->semiring = all[k].code;
    t->type = all[k].types[below(t, 3)];
    t->user = t->semiring == SL_SEMIRING_MIN_PLUS && t->type == SL_INT64 && below(t, 3) == 0;
}

static bool relaxes(const trial *t)
{
    return t->semiring == SL_SEMIRING_MIN_PLUS || t->semiring == SL_SEMIRING_MAX_MIN ||
           t->semiring == SL_SEMIRING_MIN_FIRST || t->semiring == SL_SEMIRING_LOR_LAND;
}

static trial make_trial(uint64_t seed)
{
    static const uint64_t zeros[] = {10, 33, 95}, longest[] = {4, 50};
    static const unsigned purposes[] = {0, 0, SL_FOR_PATHS, SL_FOR_TRAVERSAL | SL_FOR_PATHS};
    trial t = {.seed = seed, .random = seed};
    choose_edges(&t);
    choose_semiring(&t);
    t.zeros = zeros[below(&t, 3)];
    t.longest = longest[below(&t, 2)];
    t.share = below(&t, 2) ? 0 : 1 + below(&t, 100);
    t.options.from_source = t.share == 0;
    t.options.source = below(&t, t.n);
    t.options.source_value = sl_scalar_cast(sl_scalar_int64((int64_t)below(&t, 9)), t.type);
    t.options.direction = below(&t, 3) == 0 ? SL_PUSH : SL_AUTO;
    t.options.until = below(&t, 2) ? SL_UNTIL_ALL : SL_UNTIL_ANY;
    t.level = below(&t, 3) == 0;
    t.log = below(&t, 4) == 0;
    t.parent = relaxes(&t) && below(&t, 3);
    t.targets = !t.parent && below(&t, 4) == 0;
    t.options.bounded = !t.parent && below(&t, 4) == 0;
    t.options.max_iterations = below(&t, 4);
    t.purpose = purposes[below(&t, 4)];
    return t;
}

/* ---- one context ------------------------------------------------------------------------------- */

static void least(void *z, const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    *(int64_t *)z = a < b ? a : b;
}

/* A vector with some of the vertices: rank 0 passes its entries. */
static sl_vector *some(sl_context *ctx, trial *t, sl_type type, uint64_t share, bool indices)
{
    uint64_t *index = malloc((t->n + 1) * sizeof *index), count = 0;
    int64_t *value = malloc((t->n + 1) * sizeof *value);
    sl_vector *whole, *v;
    for (uint64_t k = 0; k < t->n; k++) {
        const bool in = below(t, 100) < share;
        const int64_t x = indices ? (int64_t)k : (int64_t)below(t, 100);
        if (!in || (ctx != one && world_rank() > 0))
            continue;
        value[count] = x;
        index[count++] = k;
    }
    assert_ok(ctx, sl_vector_new(&whole, ctx, SL_INT64, t->n));
    assert_ok(ctx, sl_vector_build(whole, index, value, count, NULL));
    assert_ok(ctx, sl_vector_new(&v, ctx, type, t->n));
    assert_ok(
        ctx, sl_vector_apply(v, NULL, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, type), whole, NULL));
    sl_vector_free(whole);
    free(index);
    free(value);
    return v;
}

static void make_matrix(side *s, trial *t)
{
    int64_t *value = malloc((t->edges + 1) * sizeof *value);
    sl_matrix *whole;
    for (uint64_t k = 0; k < t->edges; k++)
        value[k] = below(t, 100) < t->zeros ? 0 : (int64_t)below(t, t->longest);
    const uint64_t count = s->ctx == one || world_rank() == 0 ? t->edges : 0;
    assert_ok(s->ctx, sl_matrix_new(&whole, s->ctx, SL_INT64, t->n, t->n));
    assert_ok(s->ctx, sl_matrix_build(whole, t->from, t->to, value, count, SL_MIN_INT64));
    assert_ok(s->ctx, sl_matrix_new(&s->A, s->ctx, t->type, t->n, t->n));
    assert_ok(s->ctx, sl_matrix_apply(s->A, NULL, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, t->type),
                                      whole, NULL));
    sl_matrix_free(whole);
    free(value);
}

static void make_semiring(side *s, const trial *t)
{
    if (!t->user) {
        s->semiring = sl_semiring_get(t->semiring, t->type);
        return;
    }
    assert_ok(s->ctx, sl_binary_op_new(&s->add, s->ctx, "least", SL_INT64, SL_INT64, SL_INT64,
                                       least, NULL));
    assert_ok(s->ctx,
              sl_monoid_new(&s->monoid, s->ctx, "least", s->add, sl_scalar_int64(INT64_MAX), NULL));
    assert_ok(s->ctx, sl_monoid_promise_idempotent(s->monoid));
    assert_ok(s->ctx,
              sl_semiring_new(&s->semiring, s->ctx, "least_plus", s->monoid, SL_PLUS_INT64));
}

/* Runs the trial in a context; the random numbers are the same in every context. */
static side run_side(sl_context *ctx, trial t)
{
    side s = {.ctx = ctx};
    const bool indices =
        t.semiring == SL_SEMIRING_MIN_SECONDI || t.semiring == SL_SEMIRING_MAX_SECONDI;
    make_matrix(&s, &t);
    make_semiring(&s, &t);
    if (ctx != one && t.purpose)
        assert_ok(ctx, sl_matrix_optimize(s.A, t.purpose));
    s.pi = some(ctx, &t, t.type, t.share, indices);
    if (t.share > 0 && below(&t, 2)) {
        assert_ok(ctx, sl_vector_new(&s.q, ctx, t.type, t.n));
        assert_ok(ctx, sl_vector_select(s.q, NULL, NULL, sl_index_op_get(SL_INDEX_ROWLE, t.type),
                                        s.pi, sl_scalar_int64((int64_t)(t.n / 2)), NULL));
    } else if (t.share > 0) {
        assert_ok(ctx, sl_vector_dup(&s.q, s.pi));
    }
    s.targets = some(ctx, &t, SL_BOOL, 20, false);
    assert_ok(ctx, sl_vector_new(&s.level, ctx, SL_INT64, t.n));
    assert_ok(ctx, sl_vector_new(&s.parent, ctx, below(&t, 2) ? SL_INT64 : SL_INT32, t.n));
    t.options.targets = t.targets ? s.targets : NULL;
    t.options.level = t.level ? s.level : NULL;
    t.options.parent = t.parent ? s.parent : NULL;
    t.options.log = t.log ? &s.log : NULL;
    s.status = sl_closure(s.pi, s.q, s.A, s.semiring, &t.options);
    return s;
}

static void free_side(side *s)
{
    sl_matrix_free(s->A);
    sl_vector_free(s->pi);
    sl_vector_free(s->q);
    sl_vector_free(s->targets);
    sl_vector_free(s->level);
    sl_vector_free(s->parent);
    sl_iteration_log_clear(&s->log);
    if (s->add) {
        sl_semiring_free(s->semiring);
        sl_monoid_free(s->monoid);
        sl_binary_op_free(s->add);
    }
}

/* ---- comparing --------------------------------------------------------------------------------- */

/* The value of an entry of a list; arrays without values have ones. */
static sl_scalar value_at(const sl_arrays *a, uint64_t k)
{
    const char *values = a->values;
    return values ? sl_scalar_load(a->type, values + (a->iso ? 0 : k * sl_type_size(a->type)))
                  : sl_scalar_cast(sl_scalar_bool(true), a->type);
}

static void same_vector(const trial *t, const char *name, const sl_vector *got,
                        const sl_vector *expected)
{
    sl_arrays a, b;
    assert_ok(NULL, sl_grid_gather_vector(&a, got, 0));
    if (world_rank() == 0) {
        assert_ok(one, sl_vector_copy_out(&b, expected, SL_FORMAT_LIST));
        if (a.nvals != b.nvals)
            fail_msg("trial %llu: %s has %llu entries, not %llu", (unsigned long long)t->seed, name,
                     (unsigned long long)a.nvals, (unsigned long long)b.nvals);
        for (uint64_t k = 0; k < a.nvals; k++) {
            const sl_scalar x = value_at(&a, k), y = value_at(&b, k);
            if (a.rows[k] != b.rows[k] || memcmp(&x.as, &y.as, sl_type_size(a.type)) != 0)
                fail_msg("trial %llu: %s differs at entry %llu", (unsigned long long)t->seed, name,
                         (unsigned long long)k);
        }
        sl_arrays_free(&b);
    }
    sl_arrays_free(&a);
}

static void compare(const trial *t, const side *got, const side *expected)
{
    if (got->status != expected->status)
        fail_msg("trial %llu: %s (%s) instead of %s", (unsigned long long)t->seed,
                 sl_status_string(got->status), sl_context_message(got->ctx),
                 sl_status_string(expected->status));
    if (got->status != SL_OK)
        return;
    same_vector(t, "pi", got->pi, expected->pi);
    same_vector(t, "level", got->level, expected->level);
    same_vector(t, "parent", got->parent, expected->parent);
    if (got->log.count != expected->log.count)
        fail_msg("trial %llu: %zu iterations, not %zu", (unsigned long long)t->seed, got->log.count,
                 expected->log.count);
    for (size_t k = 0; k < got->log.count; k++) {
        const sl_iteration *g = &got->log.iterations[k], *e = &expected->log.iterations[k];
        if (g->frontier != e->frontier ||
            (g->direction == e->direction && e->edges_exact && g->edges != e->edges))
            fail_msg("trial %llu: iteration %zu of %s reads %llu entries and %llu edges, not %llu "
                     "and %llu",
                     (unsigned long long)t->seed, k, got->semiring->name,
                     (unsigned long long)g->frontier, (unsigned long long)g->edges,
                     (unsigned long long)e->frontier, (unsigned long long)e->edges);
    }
}

static void run_grid(int rows, int cols, sl_engine_choice engine)
{
    sl_context *ctx;
    const test_seeds seeds = test_seeds_from(1 + 1000 * (uint64_t)rows, TRIALS);
    assert_ok(NULL, sl_grid_context_create(&ctx, MPI_COMM_WORLD, rows, cols, engine));
    for (uint64_t seed = seeds.first; seed < seeds.end; seed++) {
        trial t = make_trial(seed);
        side expected = run_side(one, t), got = run_side(ctx, t);
        compare(&t, &got, &expected);
        free_side(&got);
        free_side(&expected);
        free(t.from);
        free(t.to);
    }
    sl_context_free(ctx);
}

static void on_every_grid(void **unused)
{
    for (int rows = 0, cols, grid = 0; next_grid(&rows, &cols); grid++)
        run_grid(rows, cols,
                 has_gpu()  ? SL_ENGINE_CUDA
                 : grid % 2 ? SL_ENGINE_SUITESPARSE
                            : SL_ENGINE_AUTO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_every_grid)};
    assert_int_equal(sl_context_create(&one, SL_ENGINE_SUITESPARSE), SL_OK);
    const int failures = run_ranks("relaxations", tests, sizeof tests / sizeof *tests);
    sl_context_free(one);
    return failures;
}
