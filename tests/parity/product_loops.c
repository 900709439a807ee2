/*
 * Loops of masked products and assignments, as a user writes a search with vxm, mxv, advance and
 * assign. The same random calls, with other operations between them, run by each engine and by
 * SuiteSparse; the vectors must have the same entries. A parent that may be any of several vertices must
 * be one of these.
 */
#define _POSIX_C_SOURCE 200112L
#include <stdlib.h>
#include <string.h>

#include <semla/bfs.h>

#include "support.h"

static const char *const switches[] = {"", "nosmallfrontier", "noreorder"};
enum { SWITCHES = sizeof switches / sizeof *switches };

/* The vectors of a loop: visited entries, two frontiers, levels, reached vertices. */
enum { PI, Q, R, DEPTH, SEEN, VECTORS };
enum { HOST, TESTED, SIDES };

typedef struct {
    uint64_t seed, random;
    const char *off; /* SEMLA_TRAVERSAL */
    uint64_t n;
    bool parents; /* the semiring selects ids, else any_pair */
    enum {
        ANY_ID,
        LEAST_ID,
        GREATEST_ID,
        LEAST_VALUE,
        IDS
    } choice;       /* LEAST_VALUE: of indices, by min_first */
    bool first;     /* the first loop on a matrix: exactly as sl_bfs_plain */
    bool is_search; /* one source, which is its own parent at level 0 */
    sl_type type[VECTORS];
    sl_context *ctx[SIDES];
    sl_matrix *A[SIDES];
    sl_vector *v[SIDES][VECTORS];
    sl_csr rows;
    char calls[4096]; /* the names of all calls, for messages */
} loop;

static sl_context *contexts[SIDES];

static uint64_t below(loop *l, uint64_t bound)
{
    return test_random(&l->random) % bound;
}

static void note(loop *l, const char *call)
{
    strncat(l->calls, call, sizeof l->calls - strlen(l->calls) - 1);
    strncat(l->calls, " ", sizeof l->calls - strlen(l->calls) - 1);
}

#define ON_BOTH(l, call)                                                                           \
    for (int side = 0; side < SIDES; side++) {                                                     \
        sl_context *ctx = (l)->ctx[side];                                                          \
        sl_vector **v = (l)->v[side];                                                              \
        (void)v;                                                                                   \
        OK(ctx, call);                                                                             \
    }

static void fail_loop(const loop *l, const char *what, int vector, uint64_t at)
{
    fail_msg("seed %d, SEMLA_TRAVERSAL=%s: vector %d: %s at %d after: %s", (int)l->seed, l->off,
             vector, what, (int)at, l->calls);
}

/* ---- comparison ------------------------------------------------------------------ */

static bool is_edge(const loop *l, uint64_t u, uint64_t v)
{
    if (u >= l->n)
        return false;
    for (uint64_t e = l->rows.start[u]; e < l->rows.start[u + 1]; e++)
        if (l->rows.index[e] == v)
            return true;
    return false;
}

typedef struct {
    uint64_t count;
    uint64_t *index;
    double *value;
} entries;

static entries entries_of(sl_context *ctx, const sl_vector *v)
{
    entries e;
    sl_vector *wide;
    uint64_t n = sl_vector_size(v);
    OK(ctx, sl_vector_new(&wide, ctx, SL_FP64, n));
    OK(ctx,
       sl_vector_apply(wide, NULL, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, SL_FP64), v, NULL));
    OK(ctx, sl_vector_nvals(&e.count, wide));
    e.index = sl_malloc((e.count + 1) * sizeof *e.index);
    e.value = sl_malloc((e.count + 1) * sizeof *e.value);
    OK(ctx, sl_vector_extract_tuples(e.index, e.value, &e.count, wide));
    sl_vector_free(wide);
    return e;
}

static void compare(loop *l, int vector)
{
    entries host = entries_of(l->ctx[HOST], l->v[HOST][vector]);
    entries tested = entries_of(l->ctx[TESTED], l->v[TESTED][vector]);
    bool any = l->parents && l->choice == ANY_ID && vector <= R;
    uint64_t least = host.count < tested.count ? host.count : tested.count;
    for (uint64_t k = 0; k < least; k++) {
        if (host.index[k] != tested.index[k])
            fail_loop(l, "another index", vector, k);
        uint64_t at = tested.index[k];
        bool same = host.value[k] == tested.value[k];
        if (!same && !(any && is_edge(l, (uint64_t)tested.value[k], at)))
            fail_loop(l, "another value", vector, at);
    }
    if (host.count != tested.count)
        fail_loop(l, "another number of entries", vector, least);
    sl_free(host.index);
    sl_free(host.value);
    sl_free(tested.index);
    sl_free(tested.value);
}

static void compare_counts(loop *l, int vector)
{
    uint64_t count[SIDES];
    ON_BOTH(l, sl_vector_nvals(&count[side], v[vector]));
    if (count[HOST] != count[TESTED])
        fail_loop(l, "another count", vector, count[TESTED]);
}

/* ---- the calls -------------------------------------------------------------------------- */

static sl_semiring semiring_of(const loop *l)
{
    static const sl_semiring_code of_ids[IDS] = {SL_SEMIRING_ANY_SECONDI, SL_SEMIRING_MIN_SECONDI,
                                                 SL_SEMIRING_MAX_SECONDI, SL_SEMIRING_MIN_SECONDI};
    return sl_semiring_get(l->parents ? of_ids[l->choice] : SL_SEMIRING_ANY_PAIR, l->type[PI]);
}

/* As LAGraph's searches do: the values of the frontier become its indices, of which the least is taken. */
static void multiply_values(loop *l, int from, int to)
{
    const sl_descriptor missing = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    const sl_type type = l->type[PI];
    const sl_index_op index = type == SL_INT32 ? SL_ROWINDEX_INT32 : SL_ROWINDEX_INT64;
    ON_BOTH(l,
            sl_vector_apply_index(v[from], NULL, NULL, index, v[from], sl_scalar_int64(0), NULL));
    if (below(l, 4) == 0)
        compare(l, from);
    if (below(l, 2))
        ON_BOTH(l, sl_vxm(v[to], v[PI], NULL, sl_semiring_get(SL_SEMIRING_MIN_FIRST, type), v[from],
                          l->A[side], missing))
    else
        ON_BOTH(l, sl_mxv(v[to], v[PI], NULL, sl_semiring_get(SL_SEMIRING_MIN_SECOND, type),
                          l->A[side], v[from], missing))
    note(l, "values");
}

static void multiply(loop *l, int from, int to)
{
    sl_descriptor missing = sl_descriptor_get(SL_REPLACE | SL_STRUCTURE | SL_COMPLEMENT);
    sl_semiring semiring = semiring_of(l);
    if (below(l, 2))
        ON_BOTH(l, sl_vxm(v[to], v[PI], NULL, semiring, v[from], l->A[side], missing))
    else
        ON_BOTH(l, sl_mxv(v[to], v[PI], NULL, semiring, l->A[side], v[from], missing))
    note(l, "multiply");
}

/* A level and the assignment to pi in one call. */
static void advance(loop *l, int from, int to)
{
    sl_semiring semiring = semiring_of(l);
    bool asks = below(l, 2);
    sl_iteration did = {0};
    uint64_t frontier;
    OK(l->ctx[HOST], sl_vector_nvals(&frontier, l->v[HOST][from]));
    ON_BOTH(l,
            sl_advance(v[to], v[PI], v[from], l->A[side], semiring, SL_AUTO, asks ? &did : NULL));
    if (asks && did.frontier != frontier)
        fail_loop(l, "another frontier", from, did.frontier);
    note(l, "advance");
}

static void assign(loop *l, int to, int q)
{
    ON_BOTH(l,
            sl_vector_assign(v[to], v[q], NULL, v[q], SL_ALL, 0, sl_descriptor_get(SL_STRUCTURE)));
    note(l, to == PI ? "pi" : "assign");
}

static void assign_scalar(loop *l, int to, int q, double number)
{
    ON_BOTH(l, sl_vector_assign_scalar(v[to], v[q], NULL, sl_scalar_fp64(number), SL_ALL, 0,
                                       sl_descriptor_get(SL_STRUCTURE)));
    note(l, "scalar");
}

static void get(loop *l, int vector, uint64_t index)
{
    sl_status found[SIDES];
    sl_scalar value[SIDES];
    for (int side = 0; side < SIDES; side++)
        found[side] = sl_vector_get(&value[side], l->v[side][vector], index);
    if (found[HOST] != found[TESTED])
        fail_loop(l, "an entry of one side only", vector, index);
    if (found[HOST] == SL_OK && !(l->parents && l->choice == ANY_ID && vector <= R) &&
        sl_scalar_cast(value[HOST], SL_FP64).as.fp64_ !=
            sl_scalar_cast(value[TESTED], SL_FP64).as.fp64_)
        fail_loop(l, "another single value", vector, index);
}

/* The greatest level. */
static void greatest(loop *l)
{
    sl_scalar value[SIDES];
    sl_monoid max = sl_monoid_get(SL_MONOID_MAX, l->type[DEPTH]);
    ON_BOTH(l, sl_vector_reduce(&value[side], NULL, max, v[DEPTH]));
    if (sl_scalar_cast(value[HOST], SL_FP64).as.fp64_ !=
        sl_scalar_cast(value[TESTED], SL_FP64).as.fp64_)
        fail_loop(l, "another greatest value", DEPTH, 0);
}

/* The entries of one vector at falling indices. */
static void extract_reversed(loop *l)
{
    uint64_t *index = sl_malloc(l->n * sizeof *index);
    for (uint64_t k = 0; k < l->n; k++)
        index[k] = l->n - 1 - k;
    ON_BOTH(l, sl_vector_extract(v[SEEN], NULL, NULL, v[DEPTH], index, l->n, NULL));
    sl_free(index);
}

/* A random operation that is not part of a search. */
static void other_operation(loop *l, int q)
{
    uint64_t vertex = below(l, l->n), other = below(l, VECTORS);
    sl_vector *copy[SIDES], *level[SIDES];
    sl_unary_op negate = sl_unary_op_get(SL_UNARY_AINV, SL_INT64);
    sl_binary_op plus = sl_binary_op_get(SL_BINARY_PLUS, l->type[DEPTH]);
    switch (below(l, 14)) {
    case 9:
        note(l, "indices"); /* the position of an entry is the caller's */
        ON_BOTH(l, sl_vector_apply_index(v[DEPTH], v[q], NULL, SL_ROWINDEX_INT64, v[other],
                                         sl_scalar_int64(3), sl_descriptor_get(SL_STRUCTURE)));
        break;
    case 10:
        note(l, "get");
        get(l, (int)other, vertex);
        break;
    case 11:
        note(l, "greatest");
        greatest(l);
        break;
    case 12:
        note(l, "select");
        ON_BOTH(l, sl_vector_select(v[DEPTH], NULL, NULL,
                                    sl_index_op_get(SL_INDEX_VALUEGT, l->type[DEPTH]), v[DEPTH],
                                    sl_scalar_int64(1), NULL));
        break;
    case 13:
        note(l, "extract");
        extract_reversed(l);
        break;
    case 0:
        note(l, "dup");
        ON_BOTH(l, sl_vector_dup(&copy[side], v[other]));
        ON_BOTH(l, (sl_vector_free(v[other]), v[other] = copy[side], SL_OK));
        break;
    case 1:
        note(l, "remove");
        ON_BOTH(l, sl_vector_remove(v[other], vertex));
        break;
    case 2:
        note(l, "set");
        ON_BOTH(l, sl_vector_set(v[PI], vertex, sl_scalar_int64(7)));
        break;
    case 3:
        note(l, "sum");
        ON_BOTH(l, sl_vector_ewise_add(v[DEPTH], NULL, NULL, plus, v[DEPTH], v[SEEN], NULL));
        break;
    case 4:
        note(l, "clear");
        ON_BOTH(l, sl_vector_clear(v[SEEN]));
        break;
    case 5: /* the values of the other frontier are not read */
        note(l, "negate");
        if (!l->parents)
            ON_BOTH(l, sl_vector_apply(v[R], v[q], NULL, negate, v[q], NULL));
        break;
    case 6:
        note(l, "search");
        ON_BOTH(l, sl_bfs(NULL, &level[side], l->A[side], vertex, NULL));
        ON_BOTH(l, (sl_vector_free(level[side]), SL_OK));
        break;
    case 7:
        note(l, "optimize");
        ON_BOTH(l, sl_matrix_optimize(l->A[side], SL_FOR_TRAVERSAL));
        break;
    default:
        note(l, "compare");
        compare(l, (int)other);
    }
}

static void run_loop(loop *l)
{
    int q = Q;
    bool calm = l->first || below(l, 2), doubles = below(l, 3) == 0, levels = below(l, 4) > 0;
    uint64_t depth = calm ? 5000 : 1 + below(l, 12), found[SIDES] = {1, 1};
    double number = l->is_search ? 1 : (double)below(l, 5),
           rise = l->is_search ? 1 : (double)below(l, 3);
    for (uint64_t d = 0; d < depth && found[HOST] > 0; d++) {
        int to = doubles ? Q + R - q : q;
        bool advances = !l->first && below(l, 4) == 0;
        if (advances)
            advance(l, q, to);
        else if (l->parents && l->choice == LEAST_VALUE)
            multiply_values(l, q, to);
        else
            multiply(l, q, to);
        q = to;
        ON_BOTH(l, sl_vector_nvals(&found[side], v[q]));
        if (found[HOST] != found[TESTED])
            fail_loop(l, "another count", q, found[TESTED]);
        if (!calm && below(l, 4) == 0)
            other_operation(l, q);
        if (!advances && (calm || below(l, 8)))
            assign(l, PI, q);
        if (levels && (calm || below(l, 4)))
            assign_scalar(l, DEPTH, q, number);
        if (!calm && below(l, 4))
            assign_scalar(l, SEEN, q, 1);
        if (!calm && below(l, 4) == 0)
            compare_counts(l, (int)below(l, VECTORS));
        number += calm || below(l, 6) ? rise : 1;
        if (!calm && below(l, 6) == 0)
            other_operation(l, q);
    }
}

static void begin_loop(loop *l)
{
    static const sl_type types[] = {SL_INT64, SL_INT8, SL_UINT32, SL_FP64, SL_FP32, SL_INT16};
    const sl_type integers = below(l, 2) ? SL_INT64 : SL_INT32;
    l->is_search = l->first || below(l, 2);
    uint64_t sources = l->is_search ? 1 : 1 + below(l, 3);
    l->parents = below(l, 3) > 0;
    l->choice = below(l, IDS);
    l->type[PI] = l->type[Q] = l->type[R] = l->parents || below(l, 2) ? integers : SL_BOOL;
    l->type[DEPTH] = l->is_search ? (below(l, 4) ? integers : SL_INT32)
                                  : types[below(l, sizeof types / sizeof *types)];
    l->type[SEEN] = SL_BOOL;
    for (int k = 0; k < VECTORS; k++)
        ON_BOTH(l, sl_vector_new(&v[k], ctx, l->type[k], l->n));
    if (!l->first && below(l, 6) == 0) /* full */
        ON_BOTH(
            l, sl_vector_assign_scalar(v[DEPTH], NULL, NULL, sl_scalar_int64(99), SL_ALL, 0, NULL));
    for (uint64_t k = 0; k < sources; k++) {
        uint64_t vertex = below(l, l->n);
        bool stray = !l->is_search && below(l, 12) == 0;
        int64_t number = l->parents ? (int64_t)vertex : 1;
        ON_BOTH(l, sl_vector_set(v[Q], vertex, sl_scalar_int64(0)));
        if (!stray)
            ON_BOTH(l, sl_vector_set(v[PI], vertex, sl_scalar_int64(number)));
        if (l->is_search)
            ON_BOTH(l, sl_vector_set(v[DEPTH], vertex, sl_scalar_int64(0)));
    }
    for (uint64_t k = 0; k < 12 && below(l, 4) == 0; k++) { /* further entries */
        uint64_t vertex = below(l, l->n), other = below(l, 2) ? DEPTH : SEEN;
        ON_BOTH(l, sl_vector_set(v[other], vertex, sl_scalar_int64(1)));
    }
}

/* Several loops on one matrix: what the engine caches of one loop must not change the next. */
static void check_loops(sl_generator generator, uint64_t seed, const char *off)
{
    loop l = {.seed = seed, .random = seed, .off = off, .ctx = {contexts[HOST], contexts[TESTED]}};
    sl_edges edges;
    sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    OK(l.ctx[HOST], sl_generate(&edges, l.ctx[HOST], &generator));
    ON_BOTH(&l, sl_matrix_from_edges(&l.A[side], ctx, &edges, &options));
    ON_BOTH(&l, sl_matrix_optimize(l.A[side], SL_FOR_TRAVERSAL));
    sl_edges_free(&edges);
    OK(l.ctx[HOST], sl_matrix_copy_csr(&l.rows, l.A[HOST]));
    l.n = l.rows.nrows;
    for (int k = 0; k < 4; k++) {
        note(&l, "begin");
        l.first = k == 0;
        begin_loop(&l);
        run_loop(&l);
        bool early = k == 3; /* the vectors are used after the matrix was freed */
        if (early)
            ON_BOTH(&l, (sl_matrix_free(l.A[side]), SL_OK));
        for (int x = 0; x < VECTORS; x++)
            compare(&l, x);
        for (int x = 0; x < VECTORS; x++)
            ON_BOTH(&l, (sl_vector_free(v[x]), SL_OK));
    }
    free_rows(&l.rows);
}

static void check_with(sl_generator generator, uint64_t seed, const char *off)
{
    setenv("SEMLA_TRAVERSAL", off, 1);
    check_loops(generator, seed, off);
    unsetenv("SEMLA_TRAVERSAL");
}

static void check_with_all_switches(sl_generator generator, uint64_t seed)
{
    for (int k = 0; k < SWITCHES; k++)
        check_with(generator, seed, switches[k]);
}

/* With few trials (as under compute-sanitizer) each model runs with one switch only. */
static void models(void **state)
{
    (void)state;
    const uint64_t seeds = test_number("SEMLA_TEST_TRIALS", 2);
    const sl_generator list[] = {
        {.model = SL_MODEL_KRONECKER, .seed = 1, .scale = 8},
        {.model = SL_MODEL_GRID, .side = {23, 11, 0}},
        {.model = SL_MODEL_ROAD, .seed = 2, .side = {20, 12, 0}},
        {.model = SL_MODEL_STAR, .vertices = 100},
        {.model = SL_MODEL_PATH, .vertices = 1400},
        {.model = SL_MODEL_COMPLETE, .vertices = 40},
    };
    for (uint64_t k = 0; k < sizeof list / sizeof *list; k++)
        for (uint64_t seed = 1; seed <= 2; seed++)
            if (seeds >= 2)
                check_with_all_switches(list[k], 10 * k + seed);
            else if (seed <= seeds)
                check_with(list[k], 10 * k + seed, switches[(k + SWITCHES - seed) % SWITCHES]);
}

static void random_graphs(void **state)
{
    (void)state;
    const uint64_t count = test_number("SEMLA_TEST_TRIALS", 60);
    for (uint64_t seed = 100; seed < 100 + count; seed++) {
        uint64_t random = seed, n = (test_random(&random) % 1024 >> test_random(&random) % 10) + 1;
        sl_generator g = {.model = SL_MODEL_UNIFORM,
                          .seed = seed,
                          .vertices = n,
                          .edges = test_random(&random) % (8 * n + 1)};
        check_with(g, seed, switches[(seed - 100) % SWITCHES]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models),
        cmocka_unit_test(random_graphs),
    };
    sl_engine_info engine;
    int failed = 0;
    OK(NULL, sl_context_create(&contexts[HOST], SL_ENGINE_SUITESPARSE));
    for (size_t position = 0; next_engine(&engine, &position);) {
        if (engine.choice == SL_ENGINE_SUITESPARSE)
            continue;
        OK(NULL, sl_context_create(&contexts[TESTED], engine.choice));
        failed +=
            _cmocka_run_group_tests(engine.name, tests, sizeof tests / sizeof *tests, NULL, NULL);
        sl_context_free(contexts[TESTED]);
    }
    sl_context_free(contexts[HOST]);
    return failed;
}
