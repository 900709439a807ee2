/*
 * Closures with predecessors, on every engine present: shortest paths from a source in every type
 * of result, and other semirings that relax, from several vertices. Values are compared bit for bit
 * with SuiteSparse's iterations of Bellman and Ford, predecessors with their definition
 * (sl_closure), evaluated in plain loops. Graphs are random: grids, Kronecker graphs, paths, stars
 * and uniform ones, with self-loops and isolated vertices; lengths are uniform, heavy-tailed, equal,
 * 0 or of both signs, the same in both directions or not.
 */
#define _POSIX_C_SOURCE 200112L
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semla/io.h>

#include "support.h"

enum { TRIALS = 150 };

typedef enum { UNIFORM, HEAVY_TAIL, EQUAL, SOME_ZERO, ALL_ZERO, MIXED, LENGTHS } lengths;

/* The semirings, as monoid and operator. */
static const struct {
    sl_monoid_code add;
    sl_binary_code multiply;
} rings[] = {{SL_MONOID_MIN, SL_BINARY_PLUS},
             {SL_MONOID_MAX, SL_BINARY_MIN},
             {SL_MONOID_MIN, SL_BINARY_MAX},
             {SL_MONOID_MIN, SL_BINARY_FIRST}};

typedef struct {
    uint64_t seed, state, n;
    sl_edges edges;
    sl_type type, result; /* of the matrix and of pi */
    lengths lengths;
    bool mirrored;    /* edges in both directions, with the same length */
    bool from_source; /* min_plus from vertex `source`; otherwise some ring from several */
    int ring;
    sl_type parent; /* int64 or int32 */
    uint64_t source;
    double *length; /* by edge */
} trial;

static sl_context *maker;

static uint64_t below(trial *t, uint64_t bound)
{
    return test_random(&t->state) % bound;
}

static sl_generator choose_graph(trial *t)
{
    const uint64_t n = 1 + below(t, 300);
    switch (below(t, 6)) {
    case 0:
        return (sl_generator){.model = SL_MODEL_GRID,
                              .side = {1 + below(t, 40), 1 + below(t, 12), 0}};
    case 1:
        return (sl_generator){
            .model = SL_MODEL_KRONECKER, .seed = t->seed, .scale = 4 + (unsigned)below(t, 5)};
    case 2:
        return (sl_generator){.model = SL_MODEL_PATH, .vertices = n};
    case 3:
        return (sl_generator){.model = SL_MODEL_STAR, .vertices = 1 + n};
    default:
        return (sl_generator){.model = SL_MODEL_UNIFORM,
                              .seed = t->seed,
                              .vertices = n,
                              .edges = below(t, 6 * n + 1)};
    }
}

static double draw_length(trial *t)
{
    const double unit = (double)below(t, 1 << 20) / (1 << 20);
    const double most = t->type == SL_INT8 ? 100 : 250;
    switch (t->lengths) {
    case HEAVY_TAIL:
        return t->type == SL_INT8 || t->type == SL_UINT8 ? floor(exp(4.5 * unit))
                                                         : floor(exp(10 * unit));
    case EQUAL:
        return 3;
    case SOME_ZERO:
        return unit < 0.4 ? 0 : 1 + floor(4 * unit);
    case ALL_ZERO:
        return 0;
    default:
        return t->type == SL_FP32 || t->type == SL_FP64 ? unit : 1 + floor(most * unit);
    }
}

static void choose(trial *t)
{
    static const sl_type types[] = {SL_INT64, SL_FP64,  SL_FP32,   SL_INT32,
                                    SL_INT8,  SL_UINT8, SL_UINT64, SL_UINT32};
    static const sl_type results[] = {SL_INT64, SL_FP64, SL_INT32, SL_FP32, SL_UINT32};
    const sl_generator g = choose_graph(t);
    OK(maker, sl_generate(&t->edges, maker, &g));
    t->n = t->edges.nrows;
    t->type = types[below(t, sizeof types / sizeof *types)];
    t->result = results[below(t, sizeof results / sizeof *results)];
    t->lengths = below(t, LENGTHS);
    t->mirrored = below(t, 2);
    t->from_source = below(t, 3) > 0;
    t->ring = t->from_source ? 0 : (int)below(t, sizeof rings / sizeof *rings);
    t->parent = below(t, 4) ? SL_INT64 : SL_INT32;
    t->source = below(t, t->n);
    if (t->lengths == MIXED && (t->type == SL_UINT8 || t->type == SL_UINT32 ||
                                t->type == SL_UINT64 || t->result == SL_UINT32))
        t->lengths = UNIFORM;
    t->length = malloc((t->edges.count + 1) * sizeof *t->length);
    for (uint64_t k = 0; k < t->edges.count; k++) {
        uint64_t up = t->seed + t->edges.row[k], vp = t->seed + t->edges.col[k];
        t->length[k] = draw_length(t);
        if (t->lengths == MIXED) /* a difference of potentials: no cycle is negative */
            t->length[k] = (double)below(t, 3) + (double)(test_random(&up) % 8) -
                           (double)(test_random(&vp) % 8);
    }
}

static sl_matrix *matrix_of(const trial *t, sl_context *on)
{
    const sl_edges *e = &t->edges;
    const bool both = t->mirrored && t->lengths != MIXED;
    sl_matrix *A;
    OK(on, sl_matrix_new(&A, on, t->type, t->n, t->n));
    for (uint64_t k = 0; k < e->count; k++) {
        OK(on, sl_matrix_set(A, e->row[k], e->col[k], sl_scalar_fp64(t->length[k])));
        if (both)
            OK(on, sl_matrix_set(A, e->col[k], e->row[k], sl_scalar_fp64(t->length[k])));
    }
    return A;
}

/* ---- closures --------------------------------------------------------------------------- */

typedef struct {
    sl_vector *pi, *parent;
    sl_status status;
} result;

static void free_result(result *r)
{
    sl_vector_free(r->pi);
    sl_vector_free(r->parent);
}

/* pi on entry, where the closure does not start at a source. */
static sl_vector *initial_values(const trial *t, sl_context *on)
{
    sl_vector *pi;
    uint64_t state = t->seed;
    OK(on, sl_vector_new(&pi, on, t->result, t->n));
    for (uint64_t v = 0; v < t->n; v++)
        if (v == t->source || test_random(&state) % 100 < t->seed % 40)
            OK(on, sl_vector_set(pi, v, sl_scalar_int64((int64_t)(v % 16))));
    return pi;
}

/* With a log, which makes engines run iterations, or with predecessors. */
static result close_graph(const trial *t, sl_context *on, const sl_matrix *A, bool plain)
{
    result r = {0};
    sl_iteration_log log = {0};
    sl_closure_options o = {.from_source = t->from_source,
                            .source = t->source,
                            .source_value = sl_scalar_int64(t->seed % 3 ? 0 : 5)};
    sl_semiring semiring;
    sl_vector *q = NULL;
    OK(on, sl_semiring_new(&semiring, on, "ring", sl_monoid_get(rings[t->ring].add, t->result),
                           sl_binary_op_get(rings[t->ring].multiply, t->result)));
    if (plain) {
        o.log = &log;
    } else {
        OK(on, sl_vector_new(&r.parent, on, t->parent, t->n));
        o.parent = r.parent;
    }
    if (t->from_source) {
        OK(on, sl_vector_new(&r.pi, on, t->result, t->n));
    } else {
        r.pi = initial_values(t, on);
        OK(on, sl_vector_dup(&q, r.pi));
    }
    r.status = sl_closure(r.pi, q, A, semiring, &o);
    sl_iteration_log_clear(&log);
    sl_vector_free(q);
    sl_semiring_free(semiring);
    return r;
}

/* ---- the definition of predecessors ------------------------------------------------------- */

typedef struct {
    const trial *t;
    sl_csr rows;
    double *pi, *first; /* NaN: no entry; first: on entry */
    int64_t *parent;    /* -1: none */
} model;

static double *values_of(const trial *t, const sl_vector *v)
{
    double *values = malloc(t->n * sizeof *values);
    sl_scalar x;
    for (uint64_t k = 0; k < t->n; k++)
        values[k] = sl_vector_get(&x, v, k) == SL_OK ? sl_scalar_cast(x, SL_FP64).as.fp64_ : NAN;
    return values;
}

/* pi(u) (x) the value of edge e, rounded to the type of the result. */
static double product(const model *m, uint64_t u, uint64_t e)
{
    const sl_type type = m->rows.type;
    const char *values = m->rows.values;
    const sl_scalar stored =
        values ? sl_scalar_load(type, values + e * sl_type_size(type)) : sl_scalar_int64(1);
    const double y = sl_scalar_cast(sl_scalar_cast(stored, m->t->result), SL_FP64).as.fp64_;
    double z = m->pi[u];
    switch (rings[m->t->ring].multiply) {
    case SL_BINARY_PLUS:
        z += y;
        break;
    case SL_BINARY_MIN:
        z = fmin(z, y);
        break;
    case SL_BINARY_MAX:
        z = fmax(z, y);
        break;
    default:
        break;
    }
    return m->t->result == SL_FP32 ? (double)(float)z : z;
}

static bool is_better(const model *m, double x, double than)
{
    return rings[m->t->ring].add == SL_MONOID_MIN ? x < than : x > than;
}

typedef enum { BETTER, FLAT, ANY } edge_kind;

static bool is_edge(const model *m, uint64_t u, uint64_t e, edge_kind kind)
{
    const uint64_t v = m->rows.index[e];
    return product(m, u, e) == m->pi[v] &&
           (kind == ANY ||
            (kind == FLAT ? m->pi[u] == m->pi[v] : is_better(m, m->pi[u], m->pi[v])));
}

/* One level from the vertices with `level` == number: true if it reached a vertex. */
static bool search_level(model *m, int *level, int number, edge_kind kind)
{
    bool any = false;
    for (uint64_t u = 0; u < m->t->n; u++)
        for (uint64_t e = m->rows.start[u]; level[u] == number && e < m->rows.start[u + 1]; e++) {
            const uint64_t v = m->rows.index[e];
            if (!is_edge(m, u, e, kind) || (m->parent[v] >= 0 && level[v] != number + 1))
                continue;
            if (m->parent[v] < 0 || (int64_t)u < m->parent[v])
                m->parent[v] = (int64_t)u;
            level[v] = number + 1;
            any = true;
        }
    return any;
}

/* Sets the roots' parents and the others by one level per number; false if some have none. */
static bool search(model *m, edge_kind kind)
{
    int *level = malloc(m->t->n * sizeof *level), number = 0;
    bool complete = true;
    for (uint64_t v = 0; v < m->t->n; v++)
        level[v] = m->parent[v] >= 0 ? 0 : -1;
    while (search_level(m, level, number, kind))
        number++;
    for (uint64_t v = 0; v < m->t->n; v++)
        complete &= isnan(m->pi[v]) || m->parent[v] >= 0;
    free(level);
    return complete;
}

static void begin(model *m)
{
    for (uint64_t v = 0; v < m->t->n; v++)
        m->parent[v] = !isnan(m->first[v]) && m->first[v] == m->pi[v] ? (int64_t)v : -1;
}

static void define_parents(model *m)
{
    begin(m);
    for (uint64_t u = 0; u < m->t->n; u++)
        for (uint64_t e = m->rows.start[u]; e < m->rows.start[u + 1]; e++) {
            const uint64_t v = m->rows.index[e];
            if (is_edge(m, u, e, BETTER) && m->parent[v] < 0)
                m->parent[v] = (int64_t)u; /* u ascends: the least */
        }
    if (search(m, FLAT))
        return;
    begin(m);
    search(m, ANY);
}

static void check_parents(const trial *t, const sl_matrix *A, const result *r, const char *what)
{
    model m = {.t = t};
    sl_vector *first = NULL;
    sl_scalar p;
    OK(maker, sl_matrix_copy_csr(&m.rows, A));
    m.pi = values_of(t, r->pi);
    if (t->from_source) {
        m.first = malloc(t->n * sizeof *m.first);
        for (uint64_t v = 0; v < t->n; v++)
            m.first[v] = v == t->source ? m.pi[v] : NAN;
    } else {
        first = initial_values(t, maker);
        m.first = values_of(t, first);
    }
    m.parent = malloc(t->n * sizeof *m.parent);
    define_parents(&m);
    for (uint64_t v = 0; v < t->n; v++) {
        const bool has = sl_vector_get(&p, r->parent, v) == SL_OK;
        const int64_t got = has ? sl_scalar_cast(p, SL_INT64).as.int64_ : -1;
        if (got != m.parent[v])
            fail_msg("SEMLA_TEST_SEED=%" PRIu64 " %s: the predecessor of %" PRIu64 " is %" PRId64
                     ", not %" PRId64,
                     t->seed, what, v, got, m.parent[v]);
    }
    free_rows(&m.rows);
    free(m.pi);
    free(m.first);
    free(m.parent);
    sl_vector_free(first);
}

/* ---- trials ----------------------------------------------------------------------------- */

static void compare(const trial *t, const result *right, const result *got, const char *what)
{
    double *x, *y;
    if (got->status != right->status)
        fail_msg("SEMLA_TEST_SEED=%" PRIu64 " %s: %s, not %s", t->seed, what,
                 sl_status_string(got->status), sl_status_string(right->status));
    x = values_of(t, right->pi);
    y = values_of(t, got->pi);
    for (uint64_t v = 0; v < t->n; v++)
        if (!(x[v] == y[v] || (isnan(x[v]) && isnan(y[v]))))
            fail_msg("SEMLA_TEST_SEED=%" PRIu64 " %s: value of %" PRIu64 " is %g, not %g", t->seed,
                     what, v, y[v], x[v]);
    free(x);
    free(y);
}

static void one_trial(uint64_t seed, sl_context *tried, const char *engine)
{
    trial t = {.seed = seed, .state = seed};
    char what[200];
    choose(&t);
    for (int turn = 0; turn < 2; turn++) { /* the second: after a write */
        sl_matrix *A = matrix_of(&t, maker), *B = matrix_of(&t, tried);
        static const char *const words[] = {"", "", "delta=0.01", "delta=100", "nodelta"};
        if (turn == 1) {
            result before = close_graph(&t, tried, B, false);
            free_result(&before);
            OK(maker, sl_matrix_set(A, t.source, t.n - 1, sl_scalar_int64(1)));
            OK(tried, sl_matrix_set(B, t.source, t.n - 1, sl_scalar_int64(1)));
        }
        /* Every third graph is read in the order of degrees, where its shape allows it. */
        const char *order = seed % 3 ? "" : "degreeorder";
        setenv("SEMLA_TRAVERSAL", order, 1);
        if (seed % 2)
            OK(tried, sl_matrix_optimize(B, seed % 4 == 1 ? SL_FOR_TRAVERSAL
                                                          : SL_FOR_TRAVERSAL | SL_FOR_PATHS));
        setenv("SEMLA_TRAVERSAL", "", 1);
        result right = close_graph(&t, maker, A, true);
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            char chosen[40];
            snprintf(chosen, sizeof chosen, "%s%s%s", order, *order && *words[k] ? "," : "",
                     words[k]);
            setenv("SEMLA_TRAVERSAL", chosen, 1);
            result got = close_graph(&t, tried, B, false);
            snprintf(what, sizeof what, "%s '%s' %s over %s, ring %d, lengths %d%s", engine, chosen,
                     sl_type_name(t.result), sl_type_name(t.type), t.ring, (int)t.lengths,
                     turn ? ", written" : "");
            compare(&t, &right, &got, what);
            if (got.status == SL_OK)
                check_parents(&t, A, &got, what);
            free_result(&got);
        }
        unsetenv("SEMLA_TRAVERSAL");
        free_result(&right);
        sl_matrix_free(A);
        sl_matrix_free(B);
    }
    free(t.length);
    sl_edges_free(&t.edges);
}

static void engines_agree(void **state)
{
    (void)state;
    const test_seeds seeds = test_seeds_from(0, TRIALS);
    sl_engine_info engine;
    sl_context *tried;
    for (size_t k = 0; next_engine(&engine, &k);)
        for (int threads = 1; threads <= 4; threads += 3) {
            assert_int_equal(sl_context_create(&tried, engine.choice), SL_OK);
            OK(tried, sl_context_set_threads(tried, threads));
            /* a GPU takes a second for a trial, most of it to launch kernels */
            const bool gpu = engine.choice == SL_ENGINE_CUDA;
            for (uint64_t seed = seeds.first; seed < seeds.end; seed += gpu ? 7 : 1)
                one_trial(seed, tried, engine.name);
            sl_context_free(tried);
        }
}

int main(void)
{
    if (sl_context_create(&maker, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(engines_agree)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(maker);
    return failed;
}
