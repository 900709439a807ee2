/*
 * advance and closure over semirings of the table and others made of its parts, over every type, in
 * every direction, on every engine that is present, compared with SuiteSparse: entries, levels,
 * iterations and errors bit for bit. SEMLA_TEST_SEED=n runs trial n only, SEMLA_TEST_TRIALS=n runs
 * n trials.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

enum { TRIALS = 600, MOST_EDGES = 40000 };

/* One traversal and its results on one engine. */
typedef struct {
    uint64_t seed, state, n, edges;
    uint64_t *rows, *cols;
    sl_type matrix_type, type; /* of the operator's operands */
    sl_type level;
    bool symmetric, real; /* values are arbitrary fractions instead of small numbers */
    sl_monoid_code add;
    sl_binary_code multiply;
    sl_direction direction;
    bool advances, q_is_pi, delta_is_q, leveled, targeted, logged;
    int more; /* calls of advance after the first, each with the frontier of the last */
    sl_closure_options options;
} trial;

typedef struct {
    sl_context *ctx;
    sl_status status;
    sl_vector *pi, *delta, *level;
    sl_iteration_log log;
} outcome;

static uint64_t below(trial *t, uint64_t bound)
{
    return test_random(&t->state) % bound;
}

/* ---- drawing a trial ------------------------------------------------------------- */

/* Draws the monoid and the operator: a semiring of the table, or any valid pair. */
static void choose_semiring(trial *t)
{
    static const struct {
        sl_monoid_code add;
        sl_binary_code multiply;
    } table[] = {{SL_MONOID_ANY, SL_BINARY_SECONDI}, {SL_MONOID_MIN, SL_BINARY_SECONDI},
                 {SL_MONOID_MAX, SL_BINARY_SECONDI}, {SL_MONOID_ANY, SL_BINARY_PAIR},
                 {SL_MONOID_LOR, SL_BINARY_LAND},    {SL_MONOID_MIN, SL_BINARY_PLUS},
                 {SL_MONOID_MAX, SL_BINARY_PLUS},    {SL_MONOID_MIN, SL_BINARY_FIRST},
                 {SL_MONOID_MIN, SL_BINARY_SECOND},  {SL_MONOID_MIN, SL_BINARY_TIMES},
                 {SL_MONOID_MAX, SL_BINARY_MIN}};
    static const sl_monoid_code monoids[] = {SL_MONOID_ANY, SL_MONOID_MIN, SL_MONOID_MAX,
                                             SL_MONOID_LOR, SL_MONOID_LAND};
    static const sl_binary_code operators[] = {
        SL_BINARY_FIRST,  SL_BINARY_SECOND, SL_BINARY_PAIR,    SL_BINARY_PLUS,    SL_BINARY_MINUS,
        SL_BINARY_TIMES,  SL_BINARY_MIN,    SL_BINARY_MAX,     SL_BINARY_LOR,     SL_BINARY_LAND,
        SL_BINARY_FIRSTI, SL_BINARY_FIRSTJ, SL_BINARY_SECONDI, SL_BINARY_SECONDJ, SL_BINARY_LXOR};
    if (below(t, 100) < 70) {
        size_t k = below(t, sizeof table / sizeof *table);
        t->add = table[k].add;
        t->multiply = table[k].multiply;
    } else {
        t->add = monoids[below(t, sizeof monoids / sizeof *monoids)];
        t->multiply = operators[below(t, sizeof operators / sizeof *operators)];
    }
    t->type = (sl_type)below(t, SL_TYPE_COUNT);
    if (t->add == SL_MONOID_LOR || t->add == SL_MONOID_LAND)
        t->type = SL_BOOL;
    else if (t->add != SL_MONOID_ANY && t->type == SL_BOOL)
        t->type = SL_FP64;
    bool positional = t->multiply >= SL_BINARY_FIRSTI && t->multiply <= SL_BINARY_SECONDJ;
    if (positional && t->type == SL_BOOL)
        t->add = SL_MONOID_MIN;
    if (positional)
        t->type = below(t, 2) ? SL_INT64 : SL_INT32;
    t->matrix_type = below(t, 2) ? t->type : (sl_type)below(t, SL_TYPE_COUNT);
}

/* Draws the graph: few or many edges per vertex, or a hub connected to all. */
static void choose_graph(trial *t)
{
    bool large = below(t, 100) < 15;
    t->n = 1 + below(t, large ? 5000 : 40);
    uint64_t edges = below(t, large ? MOST_EDGES / 2 : 4 * t->n + 1);
    bool hub = below(t, 4) == 0, grid = below(t, 6) == 0;
    t->symmetric = below(t, 2);
    t->real = below(t, 4) == 0;
    t->rows = sl_malloc((2 * edges + 2 * t->n + 1) * sizeof *t->rows);
    t->cols = sl_malloc((2 * edges + 2 * t->n + 1) * sizeof *t->cols);
    if (grid)
        edges = 0; /* a path, which needs the most iterations */
    uint64_t chain = hub || grid ? t->n : 0;
    for (uint64_t k = 0; k < edges + chain; k++) {
        uint64_t u = k >= edges ? (hub ? 0 : k - edges) : below(t, t->n);
        uint64_t v = k >= edges ? (hub ? k - edges : (u + 1) % t->n) : below(t, t->n);
        t->rows[t->edges] = u;
        t->cols[t->edges++] = v;
        if (t->symmetric) {
            t->rows[t->edges] = v;
            t->cols[t->edges++] = u;
        }
    }
}

static void choose(trial *t)
{
    choose_semiring(t);
    choose_graph(t);
    t->advances = below(t, 2);
    t->direction = (sl_direction)below(t, 3);
    t->more = (int)below(t, 4);
    t->q_is_pi = below(t, 3) == 0;
    t->delta_is_q = below(t, 2);
    t->leveled = below(t, 2);
    t->level = below(t, 2) ? SL_INT64 : SL_INT32;
    t->logged = below(t, 2);
    t->targeted = below(t, 4) == 0;
    t->options.until = below(t, 2) ? SL_UNTIL_ALL : SL_UNTIL_ANY;
    /* Some semirings improve entries without end: bounded to n iterations. */
    t->options.bounded = t->n > 100 || below(t, 3) == 0;
    t->options.max_iterations = t->n > 100 ? 20 : below(t, 6);
}

/* ---- equal objects in any context ------------------------------------------------ */

/* The value at an index, the same for every engine: a small integer, so that sums are exact in any
 * type, or a fraction, whose sums are rounded. */
static sl_scalar value(const trial *t, uint64_t place, sl_type type)
{
    uint64_t state = t->seed * 7919 + place;
    uint64_t r = test_random(&state);
    double x = t->real ? (double)(r % 1000003) / 97.0 : (double)(r % 12);
    return sl_scalar_cast(sl_scalar_fp64(x), type);
}

static sl_matrix *matrix(const trial *t, sl_context *ctx)
{
    sl_matrix *A;
    size_t size = sl_type_size(t->matrix_type);
    char *values = sl_malloc(t->edges * size + 1);
    for (uint64_t k = 0; k < t->edges; k++) {
        uint64_t u = t->rows[k], v = t->cols[k];
        uint64_t place = u < v || !t->symmetric ? u * t->n + v : v * t->n + u;
        sl_scalar x = value(t, place, t->matrix_type);
        memcpy(values + k * size, &x.as, size);
    }
    OK(ctx, sl_matrix_new(&A, ctx, t->matrix_type, t->n, t->n));
    OK(ctx, sl_matrix_build(A, t->rows, t->cols, values, t->edges,
                            sl_binary_op_get(SL_BINARY_FIRST, t->matrix_type)));
    sl_free(values);
    return A;
}

/* Entries at random indices; at all of them if `share` is 100. */
static sl_vector *vector(const trial *t, sl_context *ctx, sl_type type, uint64_t salt,
                         uint64_t share)
{
    sl_vector *v;
    uint64_t state = t->seed + salt;
    OK(ctx, sl_vector_new(&v, ctx, type, t->n));
    for (uint64_t k = 0; k < t->n; k++)
        if (test_random(&state) % 100 < share || (share < 100 && k == t->seed % t->n))
            OK(ctx, sl_vector_set(v, k, value(t, salt + k, type)));
    return v;
}

static outcome run(const trial *t, sl_engine_choice engine)
{
    outcome o = {0};
    sl_semiring semiring;
    assert_int_equal(sl_context_create(&o.ctx, engine), SL_OK);
    sl_context *ctx = o.ctx;
    sl_binary_op multiply = sl_binary_op_get(t->multiply, t->type);
    OK(ctx, sl_semiring_new(&semiring, ctx, "tried", sl_monoid_get(t->add, t->type), multiply));
    sl_matrix *A = matrix(t, ctx);
    sl_type type = semiring->result;
    uint64_t share = t->seed % 7 == 0 ? 100 : t->n > 100 ? 1 : 20;
    o.pi = vector(t, ctx, type, 1, share);
    sl_vector *q = t->q_is_pi ? o.pi : vector(t, ctx, type, t->seed % 2 ? 1 : 2, share);
    if (t->advances) {
        sl_vector *fresh = vector(t, ctx, type, 3, 50);
        o.delta = t->delta_is_q && !t->q_is_pi ? q : fresh;
        o.log.iterations = sl_calloc(1, sizeof *o.log.iterations);
        o.log.count = o.log.room = 1;
        o.status = sl_advance(o.delta, o.pi, q, A, semiring, t->direction,
                              t->logged ? o.log.iterations : NULL);
        for (int k = 0; k < t->more && o.status == SL_OK; k++)
            o.status = sl_advance(o.delta, o.pi, o.delta, A, semiring, t->direction,
                                  t->logged ? o.log.iterations : NULL);
        if (o.delta == q && o.status == SL_OK)
            OK(ctx, sl_vector_dup(&o.delta, q));
        else if (o.delta == q)
            o.delta = NULL;
        if (o.delta != fresh)
            sl_vector_free(fresh);
    } else {
        sl_closure_options options = t->options;
        options.direction = t->direction;
        options.log = t->logged ? &o.log : NULL;
        sl_vector *targets = vector(t, ctx, SL_BOOL, 4, 5);
        if (t->targeted)
            options.targets = targets;
        if (t->leveled)
            options.level = o.level = vector(t, ctx, t->level, 5, 30);
        o.status = sl_closure(o.pi, q, A, semiring, &options);
        sl_vector_free(targets);
    }
    if (q != o.pi)
        sl_vector_free(q);
    sl_matrix_free(A);
    sl_semiring_free(semiring);
    return o;
}

static void end(outcome *o)
{
    sl_vector_free(o->pi);
    sl_vector_free(o->delta);
    sl_vector_free(o->level);
    sl_iteration_log_clear(&o->log);
    sl_context_free(o->ctx);
}

/* ---- comparison ------------------------------------------------------------------ */

static bool same_value(sl_type type, const char *x, const char *y)
{
    if (type == SL_FP64) {
        double a, b;
        memcpy(&a, x, sizeof a);
        memcpy(&b, y, sizeof b);
        return a == b || (isnan(a) && isnan(b));
    }
    if (type == SL_FP32) {
        float a, b;
        memcpy(&a, x, sizeof a);
        memcpy(&b, y, sizeof b);
        return a == b || (isnan(a) && isnan(b));
    }
    return memcmp(x, y, sl_type_size(type)) == 0;
}

/* Compares entries; without `values`, only their indices. */
static bool same_entries(sl_context *ctx, const char *what, const sl_vector *x, const sl_vector *y,
                         bool values, char *why, size_t room)
{
    if (!x || !y)
        return true;
    uint64_t a, b, first = UINT64_MAX;
    OK(ctx, sl_vector_nvals(&a, x));
    OK(ctx, sl_vector_nvals(&b, y));
    size_t size = sl_type_size(sl_vector_type(x));
    uint64_t *at[2] = {sl_malloc(8 * a + 8), sl_malloc(8 * b + 8)}, counts[2] = {a, b};
    char *as[2] = {sl_malloc(8 * a + 8), sl_malloc(8 * b + 8)};
    OK(ctx, sl_vector_extract_tuples(at[0], as[0], &counts[0], x));
    OK(ctx, sl_vector_extract_tuples(at[1], as[1], &counts[1], y));
    for (uint64_t k = 0; k < a && k < b && first == UINT64_MAX; k++)
        if (at[0][k] != at[1][k] ||
            (values && !same_value(sl_vector_type(x), as[0] + k * size, as[1] + k * size)))
            first = at[0][k];
    bool same = a == b && first == UINT64_MAX;
    if (!same)
        snprintf(why, room, "%s: %" PRIu64 " and %" PRIu64 " entries, first difference at %" PRIu64,
                 what, a, b, first);
    for (int k = 0; k < 2; k++) {
        sl_free(at[k]);
        sl_free(as[k]);
    }
    return same;
}

static bool same_steps(const trial *t, const outcome *x, const outcome *y, char *why, size_t room)
{
    if (!t->logged)
        return true;
    snprintf(why, room, "%zu and %zu steps", x->log.count, y->log.count);
    if (x->log.count != y->log.count)
        return false;
    for (size_t k = 0; k < x->log.count; k++) {
        const sl_iteration *a = &x->log.iterations[k], *b = &y->log.iterations[k];
        bool exact = a->edges_exact && b->edges_exact && a->direction == b->direction &&
                     a->direction == SL_PUSH;
        snprintf(why, room,
                 "step %zu: frontiers of %" PRIu64 " and %" PRIu64 ", edges %" PRIu64
                 " and %" PRIu64,
                 k + 1, a->frontier, b->frontier, a->edges, b->edges);
        if (a->frontier != b->frontier || (exact && a->edges != b->edges))
            return false;
    }
    return true;
}

static bool agree(const trial *t, const outcome *x, const outcome *y, char *why, size_t room)
{
    /* If any of several values may be taken, indices and iterations must still be equal. */
    bool determined = t->add != SL_MONOID_ANY || t->multiply == SL_BINARY_PAIR ||
                      t->multiply == SL_BINARY_FIRSTI || t->multiply == SL_BINARY_SECONDJ;
    snprintf(why, room, "%s and %s", sl_status_string(x->status), sl_status_string(y->status));
    return x->status == y->status &&
           same_entries(x->ctx, "pi", x->pi, y->pi, determined, why, room) &&
           same_entries(x->ctx, "delta", x->delta, y->delta, determined, why, room) &&
           same_entries(x->ctx, "level", x->level, y->level, true, why, room) &&
           same_steps(t, x, y, why, room);
}

static bool one_trial(uint64_t seed, const sl_engine_info *engine)
{
    trial t = {.seed = seed, .state = seed};
    char why[256];
    choose(&t);
    outcome right = run(&t, SL_ENGINE_SUITESPARSE), tried = run(&t, engine->choice);
    bool same = agree(&t, &right, &tried, why, sizeof why);
    if (!same)
        fprintf(stderr,
                "SEMLA_TEST_SEED=%" PRIu64 " %s: %s, monoid %d, operator %d, %s, matrix %s, %s, "
                "n %" PRIu64 ", %" PRIu64 " edges: %s\n",
                seed, engine->name, t.advances ? "advance" : "closure", (int)t.add, (int)t.multiply,
                sl_type_name(t.type), sl_type_name(t.matrix_type), sl_direction_name(t.direction),
                t.n, t.edges, why);
    end(&right);
    end(&tried);
    sl_free(t.rows);
    sl_free(t.cols);
    return same;
}

static void engines_agree(void **state)
{
    (void)state;
    const test_seeds seeds = test_seeds_from(0, TRIALS);
    sl_engine_info engine;
    for (size_t k = 0; next_engine(&engine, &k);) {
        int wrong = 0;
        for (uint64_t seed = seeds.first; seed < seeds.end && wrong < 10; seed++)
            wrong += !one_trial(seed, &engine);
        assert_int_equal(wrong, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(engines_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
