/*
 * Closures over min_plus and max_plus, which an engine may compute by delta-stepping
 * (SEMLA_TRAVERSAL: nodelta, delta), on every engine present. Results are compared bit for bit
 * with SuiteSparse's iterations of Bellman and Ford: all types; lengths of any size, zero, of the
 * other sign, and such that sums overflow the type; models and random graphs; from one source and
 * from many.
 */
#define _POSIX_C_SOURCE 200112L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <semla/io.h>

#include "support.h"

enum { TRIALS = 60 };

/* One random test case. */
typedef struct {
    uint64_t seed, state;
    sl_edges edges;
    sl_type type;
    bool greatest; /* max_plus over lengths <= 0; otherwise min_plus over lengths >= 0 */
    bool mixed;    /* lengths of both signs, without a cycle that improves itself */
    double most;   /* the greatest absolute length */
    int share;     /* percentage of the vertices that pi has at the start */
} trial;

static sl_context *maker; /* generates the graphs */

static uint64_t below(trial *t, uint64_t bound)
{
    return test_random(&t->state) % bound;
}

static sl_generator choose_graph(trial *t)
{
    switch (below(t, 4)) {
    case 0:
        return (sl_generator){.model = SL_MODEL_GRID,
                              .side = {1 + below(t, 40), 1 + below(t, 9), 0}};
    case 1:
        return (sl_generator){
            .model = SL_MODEL_KRONECKER, .seed = t->seed, .scale = 4 + (unsigned)below(t, 6)};
    case 2:
        return (sl_generator){.model = SL_MODEL_PATH, .vertices = 1 + below(t, 200)};
    default: {
        const uint64_t n = 1 + below(t, 400);
        return (sl_generator){.model = SL_MODEL_UNIFORM,
                              .seed = t->seed,
                              .vertices = n,
                              .edges = below(t, 6 * n + 1)};
    }
    }
}

static void choose(trial *t)
{
    static const sl_type types[] = {SL_INT64, SL_FP64,  SL_FP32,  SL_INT32,
                                    SL_INT8,  SL_UINT8, SL_UINT64};
    static const double sizes[] = {1, 12, 255, 1e6, 0};
    const sl_generator g = choose_graph(t);
    OK(maker, sl_generate(&t->edges, maker, &g));
    t->type = types[below(t, sizeof types / sizeof *types)];
    t->most = sizes[below(t, sizeof sizes / sizeof *sizes)];
    t->mixed = below(t, 5) == 0;
    t->greatest = !t->mixed && t->type != SL_UINT8 && t->type != SL_UINT64 && below(t, 3) == 0;
    t->share = below(t, 3) ? 0 : (int)below(t, 100);
}

/* The length of edge k from u to v. Lengths of both signs are a difference of potentials plus a
 * length of one sign, so that there is no cycle of negative length. */
static double length_of(const trial *t, uint64_t k, uint64_t u, uint64_t v)
{
    uint64_t state = t->seed * 7919 + k, up = t->seed + u, vp = t->seed + v;
    double x = (double)(test_random(&state) % 1000003) / 1000003 * t->most;
    if (t->type != SL_FP64 && t->type != SL_FP32)
        x = (double)(int64_t)x;
    if (t->mixed)
        x += (double)(test_random(&up) % 8) - (double)(test_random(&vp) % 8);
    return t->greatest ? -x : x;
}

static sl_matrix *matrix_of(const trial *t, sl_context *on)
{
    const sl_edges *e = &t->edges;
    const size_t size = sl_type_size(t->type);
    char *values = sl_malloc(e->count * size + 1);
    for (uint64_t k = 0; k < e->count; k++) {
        const sl_scalar x =
            sl_scalar_cast(sl_scalar_fp64(length_of(t, k, e->row[k], e->col[k])), t->type);
        memcpy(values + k * size, &x.as, size);
    }
    sl_matrix *A;
    OK(on, sl_matrix_new(&A, on, t->type, e->nrows, e->ncols));
    OK(on, sl_matrix_build(A, e->row, e->col, values, e->count,
                           sl_binary_op_get(SL_BINARY_FIRST, t->type)));
    sl_free(values);
    return A;
}

/* The result of the closure. With a log, which makes engines run the iterations of Bellman and
 * Ford, or without. */
static sl_vector *closed(const trial *t, sl_context *on, const sl_matrix *A, bool logged,
                         sl_status *status)
{
    sl_iteration_log log = {0};
    const sl_closure_options options = {.log = logged ? &log : NULL};
    const uint64_t n = t->edges.nrows;
    uint64_t state = t->seed;
    sl_semiring semiring;
    sl_vector *pi, *q;
    OK(on, sl_semiring_new(&semiring, on, "paths",
                           sl_monoid_get(t->greatest ? SL_MONOID_MAX : SL_MONOID_MIN, t->type),
                           sl_binary_op_get(SL_BINARY_PLUS, t->type)));
    OK(on, sl_vector_new(&pi, on, t->type, n));
    for (uint64_t v = 0; v < n; v++)
        if (v == t->seed % n || (int)(test_random(&state) % 100) < t->share)
            OK(on, sl_vector_set(pi, v, sl_scalar_cast(sl_scalar_fp64((double)(v % 16)), t->type)));
    OK(on, sl_vector_dup(&q, pi));
    *status = sl_closure(pi, q, A, semiring, &options);
    sl_iteration_log_clear(&log);
    sl_vector_free(q);
    sl_semiring_free(semiring);
    return pi;
}

static bool same(const sl_vector *x, const sl_vector *y, uint64_t *at)
{
    const size_t size = sl_type_size(sl_vector_type(x));
    const uint64_t n = sl_vector_size(x);
    uint64_t count[2] = {n, n}, *index[2];
    char *values[2];
    const sl_vector *v[2] = {x, y};
    for (int k = 0; k < 2; k++) {
        index[k] = sl_malloc(n * sizeof **index);
        values[k] = sl_malloc(n * size);
        OK(sl_vector_context(v[k]), sl_vector_extract_tuples(index[k], values[k], &count[k], v[k]));
    }
    bool equal = count[0] == count[1];
    for (*at = 0; equal && *at < count[0]; *at += equal)
        equal = index[0][*at] == index[1][*at] &&
                memcmp(values[0] + *at * size, values[1] + *at * size, size) == 0;
    for (int k = 0; k < 2; k++) {
        sl_free(index[k]);
        sl_free(values[k]);
    }
    return equal;
}

static void one_trial(uint64_t seed, sl_context *host, sl_context *tried, const char *engine)
{
    static const char *const words[] = {"", "nodelta", "delta=0.01", "delta=100"};
    trial t = {.seed = seed, .state = seed};
    choose(&t);
    sl_matrix *A = matrix_of(&t, host), *B = matrix_of(&t, tried);
    sl_status right, status;
    uint64_t at = 0;
    setenv("SEMLA_TRAVERSAL", "", 1);
    sl_vector *x = closed(&t, host, A, true, &right);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        setenv("SEMLA_TRAVERSAL", words[k], 1);
        sl_vector *y = closed(&t, tried, B, false, &status);
        if (status != right || (right == SL_OK && !same(x, y, &at)))
            fail_msg("SEMLA_TEST_SEED=%" PRIu64 " %s, SEMLA_TRAVERSAL=%s: %s, %s, lengths to %g%s, "
                     "%" PRIu64 " vertices: %s and %s, entry number %" PRIu64,
                     seed, engine, words[k], t.greatest ? "max" : "min", sl_type_name(t.type),
                     t.most, t.mixed ? " of both signs" : "", t.edges.nrows,
                     sl_status_string(right), sl_status_string(status), at);
        sl_vector_free(y);
    }
    unsetenv("SEMLA_TRAVERSAL");
    sl_vector_free(x);
    sl_matrix_free(A);
    sl_matrix_free(B);
    sl_edges_free(&t.edges);
}

static void engines_agree(void **state)
{
    (void)state;
    const test_seeds seeds = test_seeds_from(0, TRIALS);
    sl_engine_info engine;
    sl_context *tried;
    for (size_t k = 0; next_engine(&engine, &k);) {
        assert_int_equal(sl_context_create(&tried, engine.choice), SL_OK);
        for (uint64_t seed = seeds.first; seed < seeds.end; seed++)
            one_trial(seed, maker, tried, engine.name);
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
