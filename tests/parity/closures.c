/*
 * Closures of several frontiers, on every engine present, compared with SuiteSparse's products of
 * matrices: random graphs of all kinds, with self-loops, isolated vertices, empty and repeated frontiers
 * and frontiers of several vertices, bounded or not, prepared or not. Larger graphs, whose levels are
 * divided among threads, or which have many levels, are compared with single searches and validated.
 */
#define _POSIX_C_SOURCE 200112L
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "edge_builder.h"
#include "graphs.h"
#include "host_and_engine.h"

enum { TRIALS = 80, MOST_ROWS = 130 };

/* What moves the choice of a GPU between lists and pulls. */
static const char *const switches[] = {"", "weight=1e-12", "noreorder"};
enum { SWITCHES = sizeof switches / sizeof *switches };

static void set_switch(unsigned number)
{
    assert_int_equal(setenv("SEMLA_TRAVERSAL", switches[number], 1), 0);
}

/* ---- frontiers, results ------------------------------------------------------------------ */

/* The entries of a matrix of frontiers. */
typedef struct {
    uint64_t rows, count;
    uint64_t *row, *col;
} frontiers;

static sl_matrix *matrix_of(sl_context *ctx, const frontiers *f, uint64_t n)
{
    sl_matrix *q;
    OK(ctx, sl_matrix_new(&q, ctx, SL_BOOL, f->rows, n));
    OK(ctx, sl_matrix_build(q, f->row, f->col, NULL, f->count, SL_LOR_BOOL));
    return q;
}

/* An array of rows x n values, -1 where the matrix has no entry. Frees the matrix. */
static int64_t *take_table(sl_matrix *M, uint64_t rows, uint64_t n)
{
    sl_context *ctx = sl_matrix_context(M);
    sl_arrays a;
    int64_t *table = malloc((rows * n + 1) * sizeof *table);
    OK(ctx, sl_matrix_give(&a, &M, SL_FORMAT_BITMAP));
    OK(ctx, sl_arrays_expand(ctx, &a));
    for (uint64_t k = 0; k < rows * n; k++)
        table[k] = !a.present[k]        ? -1
                   : a.type == SL_INT32 ? ((const int32_t *)a.values)[k]
                   : a.type == SL_INT64 ? ((const int64_t *)a.values)[k]
                                        : ((const bool *)a.values)[k];
    sl_arrays_free(&a);
    return table;
}

/* The tables of pi and level; either is NULL if it is not asked for. */
typedef struct {
    int64_t *pi, *level;
} tables;

static tables closures_of(sl_context *ctx, const sl_matrix *A, const frontiers *f,
                          sl_semiring semiring, bool pi, bool level, int64_t most)
{
    const uint64_t n = sl_matrix_nrows(A);
    const sl_type type = semiring->result == SL_INT32 ? SL_INT32 : SL_INT64;
    sl_matrix *q = matrix_of(ctx, f, n), *values = NULL, *levels = NULL;
    tables t = {0};
    if (pi)
        OK(ctx, sl_matrix_new(&values, ctx, semiring->result, f->rows, n));
    if (level)
        OK(ctx, sl_matrix_new(&levels, ctx, type, f->rows, n));
    const sl_closures_options o = {
        .bounded = most >= 0, .max_iterations = (uint64_t)most, .level = levels};
    OK(ctx, sl_closures(values, q, A, semiring, &o));
    t.pi = pi ? take_table(values, f->rows, n) : NULL;
    t.level = level ? take_table(levels, f->rows, n) : NULL;
    sl_matrix_free(q);
    return t;
}

static void free_tables(tables *t)
{
    free(t->pi);
    free(t->level);
}

static bool has_edge(const sl_csr *rows, uint64_t u, uint64_t v)
{
    for (uint64_t e = rows->start[u]; e < rows->start[u + 1]; e++)
        if (rows->index[e] == v)
            return true;
    return false;
}

/* Each parent is in the level before; vertices of the frontier are their own parents. */
static bool are_parents(const graph *g, const int64_t *parent, const int64_t *level, uint64_t rows)
{
    const uint64_t n = sl_matrix_nrows(g->tested);
    for (uint64_t k = 0; k < rows * n; k++) {
        const int64_t v = (int64_t)(k % n), u = parent[k];
        if ((u < 0) != (level[k] < 0) || u >= (int64_t)n)
            return false;
        if (level[k] == 0 && u != v)
            return false;
        if (level[k] > 0 && (level[k - k % n + (uint64_t)u] != level[k] - 1 ||
                             !has_edge(&g->rows, (uint64_t)u, (uint64_t)v)))
            return false;
    }
    return true;
}

/* ---- random graphs ------------------------------------------------------------------------ */

static void require_equal(const int64_t *got, const int64_t *expected, uint64_t count,
                          const char *what, const char *semiring, uint64_t seed)
{
    for (uint64_t k = 0; got && k < count; k++)
        if (got[k] != expected[k])
            fail_msg("SEMLA_TEST_SEED=%" PRIu64 " %s, %s, %s: place %" PRIu64 " has %" PRId64
                     ", not %" PRId64,
                     seed, tested.name, semiring, what, k, got[k], expected[k]);
}

static void compare(const graph *g, uint64_t seed, const frontiers *f, int64_t most)
{
    static const struct {
        bool pi, level;
    } wanted[] = {{true, true}, {true, false}, {false, true}};
    const sl_semiring semirings[] = {SL_MIN_SECONDI_INT64, SL_MAX_SECONDI_INT64,
                                     SL_MIN_SECONDI_INT32, SL_ANY_PAIR_BOOL,
                                     SL_ANY_SECONDI_INT64, SL_ANY_SECONDI_INT32};
    const uint64_t places = f->rows * sl_matrix_nrows(g->tested);
    for (size_t k = 0; k < sizeof semirings / sizeof *semirings; k++) {
        tables expected = closures_of(host, g->on_host, f, semirings[k], true, true, most);
        const bool any = semirings[k]->add->any && semirings[k]->result_is_index;
        for (unsigned w = 0; w < 3; w++) {
            tables got = closures_of(engine, g->tested, f, semirings[k], wanted[w].pi,
                                     wanted[w].level, most);
            require_equal(got.level, expected.level, places, "level", semirings[k]->name, seed);
            if (!any)
                require_equal(got.pi, expected.pi, places, "pi", semirings[k]->name, seed);
            else if (got.pi && !are_parents(g, got.pi, expected.level, f->rows))
                fail_msg("SEMLA_TEST_SEED=%" PRIu64 " %s, %s: a wrong parent", seed, tested.name,
                         semirings[k]->name);
            free_tables(&got);
        }
        free_tables(&expected);
    }
}

static sl_generator choose_model(uint64_t seed, uint64_t *random)
{
    const uint64_t n = 1 + test_random(random) % 300;
    switch (test_random(random) % 6) {
    case 0:
        return (sl_generator){
            .model = SL_MODEL_GRID,
            .side = {1 + test_random(random) % 40, 1 + test_random(random) % 12, 0}};
    case 1:
        return (sl_generator){.model = SL_MODEL_KRONECKER,
                              .seed = seed,
                              .scale = 4 + (unsigned)(test_random(random) % 5)};
    case 2:
        return (sl_generator){.model = SL_MODEL_PATH, .vertices = n};
    case 3:
        return (sl_generator){.model = SL_MODEL_STAR, .vertices = 1 + 2 * n};
    default:
        return (sl_generator){.model = SL_MODEL_UNIFORM,
                              .seed = seed,
                              .vertices = n,
                              .edges = test_random(random) % (6 * n + 1)};
    }
}

/* Rows have one vertex, none, several, or the same as the row before. */
static frontiers choose_frontiers(uint64_t n, uint64_t *random)
{
    static const uint64_t counts[] = {1, 2, 5, 8, 63, 64, 65, MOST_ROWS};
    frontiers f = {.rows = counts[test_random(random) % 8]};
    f.row = malloc(3 * f.rows * sizeof *f.row);
    f.col = malloc(3 * f.rows * sizeof *f.col);
    for (uint64_t s = 0; s < f.rows; s++) {
        const uint64_t kind = test_random(random) % 10, entries = kind == 0 ? 0 : kind == 1 ? 3 : 1;
        for (uint64_t e = 0; e < entries; e++) {
            f.row[f.count] = s;
            f.col[f.count] =
                kind == 2 && f.count > 0 ? f.col[f.count - 1] : test_random(random) % n;
            f.count++;
        }
    }
    return f;
}

static void free_frontiers(frontiers *f)
{
    free(f->row);
    free(f->col);
}

static void one_trial(uint64_t seed)
{
    uint64_t random = seed;
    const sl_generator model = choose_model(seed, &random);
    const bool undirected = test_random(&random) % 2;
    const uint64_t prepared = test_random(&random) % 4;
    const int64_t most = test_random(&random) % 3 == 0 ? (int64_t)(test_random(&random) % 5) : -1;
    graph g = graph_of_model(host, engine, undirected ? "undirected" : "directed", &model,
                             undirected ? SL_READ_SYMMETRIC : 0,
                             prepared == 0   ? 0
                             : prepared == 1 ? SL_FOR_TRAVERSAL | SL_PRUNED
                                             : SL_FOR_TRAVERSAL);
    frontiers f = choose_frontiers(sl_matrix_nrows(g.tested), &random);
    set_switch(seed % SWITCHES);
    compare(&g, seed, &f, most);
    set_switch(0);
    free_frontiers(&f);
    free_graph(&g);
}

static void random_graphs(void **state)
{
    (void)state;
    const test_seeds seeds = test_seeds_from(1, TRIALS);
    for (uint64_t seed = seeds.first; seed < seeds.end; seed++)
        one_trial(seed);
}

/* ---- hostile graphs ------------------------------------------------------------------------ */

static void check_edges(const char *name, edge_builder *s, unsigned flags)
{
    const sl_edges edges = edges_of(s);
    const uint64_t n = s->n;
    uint64_t row[] = {0, 1, 1, 3, 4}, col[] = {0, n - 1, n / 2, 0, n / 3};
    const frontiers f = {.rows = 6, .count = 5, .row = row, .col = col};
    graph g = graph_of_edges(host, engine, name, &edges, flags, SL_FOR_TRAVERSAL);
    compare(&g, 0, &f, -1);
    free_graph(&g);
}

static void degenerate(void **state)
{
    (void)state;
    edge_builder *s = test_calloc(1, sizeof *s);
    *s = (edge_builder){.n = 1};
    check_edges("a vertex", s, 0);
    add_edge(s, 0, 0);
    check_edges("a loop", s, 0);
    build_core_with_loops(s);
    check_edges("a core with loops", s, SL_READ_SYMMETRIC);
    check_edges("a directed core with loops", s, 0);
    test_free(s);
}

static void empty_shapes(void **state)
{
    (void)state;
    const frontiers none = {0}, three = {.rows = 3};
    sl_matrix *A;
    OK(engine, sl_matrix_new(&A, engine, SL_BOOL, 0, 0));
    tables t = closures_of(engine, A, &none, SL_ANY_PAIR_BOOL, true, true, -1);
    free_tables(&t);
    t = closures_of(engine, A, &three, SL_ANY_PAIR_BOOL, true, true, -1);
    free_tables(&t);
    sl_matrix_free(A);
    OK(engine, sl_matrix_new(&A, engine, SL_BOOL, 5, 5));
    t = closures_of(engine, A, &none, SL_MIN_SECONDI_INT64, true, true, -1);
    free_tables(&t);
    t = closures_of(engine, A, &three, SL_MIN_SECONDI_INT64, true, true, -1);
    for (unsigned k = 0; k < 15; k++)
        assert_true(t.pi[k] == -1 && t.level[k] == -1);
    free_tables(&t);
    sl_matrix_free(A);
}

/* ---- large graphs --------------------------------------------------------------------------- */

/* The rows have the levels of single searches; parents are valid. SuiteSparse, whose kernels are not chosen by the
 * number of rows, gets fewer. */
static void check_large(const graph *g, uint64_t most)
{
    const uint64_t n = sl_matrix_nrows(g->tested), rows = is_reference() ? 1 + most / 8 : most;
    frontiers f = {.rows = rows, .count = rows};
    f.row = malloc(rows * sizeof *f.row);
    f.col = malloc(rows * sizeof *f.col);
    for (uint64_t s = 0; s < rows; s++) {
        f.row[s] = s;
        f.col[s] = s * (n / rows);
    }
    const sl_semiring semirings[] = {SL_ANY_SECONDI_INT64, SL_MIN_SECONDI_INT64};
    for (unsigned k = 0; k < 2; k++) {
        const sl_bfs_options o = {.deterministic = k == 1};
        tables got = closures_of(engine, g->tested, &f, semirings[k], true, true, -1);
        tables levels = closures_of(engine, g->tested, &f, semirings[k], false, true, -1);
        require_equal(levels.level, got.level, rows * n, g->name, "levels alone", 0);
        for (uint64_t s = 0; s < rows; s++) {
            sl_vector *parent, *level;
            OK(engine, sl_bfs(&parent, &level, g->tested, f.col[s], &o));
            int64_t *parents = take_array(parent), *expected = take_array(level);
            require_equal(got.level + s * n, expected, n, g->name, semirings[k]->name, 0);
            if (k == 1)
                require_equal(got.pi + s * n, parents, n, g->name, semirings[k]->name, 0);
            const sl_check_result check =
                validate(g, f.col[s], got.pi + s * n, got.level + s * n, -1);
            if (!check.valid)
                fail_msg("%s, %s, %s: %s", tested.name, g->name, semirings[k]->name, check.reason);
            sl_free(parents);
            sl_free(expected);
        }
        free_tables(&levels);
        free_tables(&got);
    }
    free_frontiers(&f);
}

static void check_model(const char *name, const sl_generator *model, unsigned flags, uint64_t rows)
{
    for (unsigned prepared = 0; prepared < 2; prepared++) {
        graph g = graph_of_model(host, engine, name, model, flags, prepared ? SL_FOR_TRAVERSAL : 0);
        check_large(&g, rows);
        free_graph(&g);
    }
}

static void large_graphs(void **state)
{
    (void)state;
    const sl_generator kronecker = {.model = SL_MODEL_KRONECKER, .seed = 3, .scale = 13},
                       uniform = {.model = SL_MODEL_UNIFORM,
                                  .seed = 5,
                                  .vertices = 30000,
                                  .edges = 120000};
    check_model("Kronecker", &kronecker, SL_READ_SYMMETRIC, 64);
    check_model("directed Kronecker", &kronecker, 0, 20);
    check_model("uniform", &uniform, SL_READ_SYMMETRIC, 70);
    check_model("directed uniform", &uniform, 0, 9);
    check_model("grid", &(sl_generator){.model = SL_MODEL_GRID, .side = {90, 110, 0}},
                SL_READ_SYMMETRIC, 7);
    check_model("path", &(sl_generator){.model = SL_MODEL_PATH, .vertices = 3000},
                SL_READ_SYMMETRIC, 5);
    check_model("star", &(sl_generator){.model = SL_MODEL_STAR, .vertices = 100000},
                SL_READ_SYMMETRIC, 6);
}

/* A dense core, most vertices of the graph, with a path of many levels. */
static void core_with_path(void **state)
{
    (void)state;
    edge_builder *s = test_calloc(1, sizeof *s);
    *s = (edge_builder){.n = 100};
    add_core(s, 100);
    add_path(s, 0, 60);
    for (uint64_t v = 0; v < 2000; v++)
        add_edge(s, v % 100, s->n++);
    const sl_edges edges = edges_of(s);
    graph g = graph_of_edges(host, engine, "core with a path", &edges, SL_READ_SYMMETRIC,
                             SL_FOR_TRAVERSAL);
    check_large(&g, 3);
    free_graph(&g);
    test_free(s);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void arguments(void **state)
{
    (void)state;
    sl_matrix *A, *wide, *q, *small, *pi, *level, *reals, *full;
    OK(engine, sl_matrix_new(&A, engine, SL_BOOL, 4, 4));
    OK(engine, sl_matrix_new(&wide, engine, SL_BOOL, 4, 5));
    OK(engine, sl_matrix_new(&q, engine, SL_BOOL, 2, 4));
    OK(engine, sl_matrix_new(&small, engine, SL_BOOL, 1, 4));
    OK(engine, sl_matrix_new(&pi, engine, SL_BOOL, 2, 4));
    OK(engine, sl_matrix_new(&level, engine, SL_INT64, 2, 4));
    OK(engine, sl_matrix_new(&reals, engine, SL_FP64, 2, 4));
    OK(engine, sl_matrix_new(&full, engine, SL_BOOL, 2, 4));
    OK(engine, sl_matrix_set(q, 0, 1, sl_scalar_bool(true)));
    OK(engine, sl_matrix_set(full, 1, 2, sl_scalar_bool(true)));
    const sl_semiring search = SL_ANY_PAIR_BOOL;
    const sl_closures_options with_level = {.level = level}, with_reals = {.level = reals},
                              with_small = {.level = small}, with_q = {.level = q};
#define FAILS(status, ...) assert_int_equal(sl_closures(__VA_ARGS__), status)
    FAILS(SL_INVALID, NULL, q, A, search, NULL);
    FAILS(SL_INVALID, pi, NULL, A, search, NULL);
    FAILS(SL_INVALID, pi, q, NULL, search, NULL);
    FAILS(SL_INVALID, pi, q, A, NULL, NULL);
    FAILS(SL_INVALID, q, q, A, search, NULL);
    FAILS(SL_INVALID, pi, q, A, search, &with_q);
    FAILS(SL_INVALID, full, q, A, search, &with_level);
    FAILS(SL_MISMATCH, pi, q, wide, search, NULL);
    FAILS(SL_MISMATCH, small, q, A, search, NULL);
    FAILS(SL_MISMATCH, pi, q, A, search, &with_small);
    FAILS(SL_MISMATCH, pi, q, A, search, &with_reals);
    FAILS(SL_MISMATCH, level, q, A, search, NULL);
    FAILS(SL_UNSUPPORTED, reals, q, A, SL_MIN_PLUS_FP64, NULL);
    FAILS(SL_UNSUPPORTED, reals, q, A, SL_PLUS_TIMES_FP64, NULL);
#undef FAILS
    uint64_t entries;
    OK(engine, sl_matrix_nvals(&entries, full));
    assert_int_equal(entries, 1);
    OK(engine, sl_matrix_nvals(&entries, pi));
    assert_int_equal(entries, 0);
    OK(engine, sl_closures(NULL, q, A, search, &with_level));
    sl_scalar value;
    OK(engine, sl_matrix_get(&value, level, 0, 1));
    assert_int_equal(value.as.int64_, 0);
    sl_matrix *const all[] = {A, wide, q, small, pi, level, reals, full};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        sl_matrix_free(all[k]);
}

/* A semiring that settles and is no search: products, with the values of q. */
static void other_semirings(void **state)
{
    (void)state;
    sl_matrix *A, *q, *pi;
    sl_scalar value;
    OK(engine, sl_matrix_new(&A, engine, SL_FP64, 3, 3));
    OK(engine, sl_matrix_new(&q, engine, SL_FP64, 1, 3));
    OK(engine, sl_matrix_new(&pi, engine, SL_FP64, 1, 3));
    OK(engine, sl_matrix_set(A, 0, 1, sl_scalar_fp64(2.5)));
    OK(engine, sl_matrix_set(A, 1, 2, sl_scalar_fp64(3.5)));
    OK(engine, sl_matrix_set(q, 0, 0, sl_scalar_fp64(7)));
    OK(engine, sl_closures(pi, q, A, SL_MIN_SECOND_FP64, NULL));
    const double expected[] = {7, 2.5, 3.5};
    for (uint64_t v = 0; v < 3; v++) {
        OK(engine, sl_matrix_get(&value, pi, 0, v));
        assert_true(value.as.fp64_ == expected[v]);
    }
    sl_matrix_free(A);
    sl_matrix_free(q);
    sl_matrix_free(pi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments),      cmocka_unit_test(empty_shapes),
        cmocka_unit_test(degenerate),     cmocka_unit_test(other_semirings),
        cmocka_unit_test(random_graphs),  cmocka_unit_test(large_graphs),
        cmocka_unit_test(core_with_path),
    };
    return compare_engines(tests, sizeof tests / sizeof *tests, true);
}
