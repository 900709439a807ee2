/*
 * Dependencies, on every engine present, compared with SuiteSparse's products of matrices: random
 * graphs of all kinds, with self-loops, isolated vertices and repeated sources, prepared or not, and
 * with the choice of listed levels and passes moved to both ends. Larger graphs are compared with
 * formulas: a chain of diamonds with more paths than fp64 can count, beside a path with one; a long
 * path; a grid; a hub.
 */
#define _POSIX_C_SOURCE 200112L
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "edge_builder.h"
#include "graphs.h"
#include "host_and_engine.h"

enum { TRIALS = 60, MOST_SOURCES = 70 };

/* What moves the choice: passes for all levels that have many edges in proportion to the weight. */
static const char *const switches[] = {"", "weight=1e-12", "weight=1e-5", "noreorder,weight=1e-12"};
enum { SWITCHES = sizeof switches / sizeof *switches };

static void set_switch(unsigned number)
{
    assert_int_equal(setenv("SEMLA_TRAVERSAL", switches[number], 1), 0);
}

/* What sl_dependencies adds to a vector that has every third entry, with value v at v. */
static double *dependencies_of(sl_context *ctx, const sl_matrix *A, const uint64_t *sources,
                               uint64_t count)
{
    const uint64_t n = sl_matrix_nrows(A);
    uint64_t *index = malloc((n + 1) * sizeof *index), present = 0;
    double *values = malloc((n + 1) * sizeof *values);
    sl_vector *sum;
    sl_arrays out;
    for (uint64_t v = 0; v < n; v += 3, present++) {
        index[present] = v;
        values[present] = (double)v;
    }
    OK(ctx, sl_vector_new(&sum, ctx, SL_FP64, n));
    OK(ctx, sl_vector_build(sum, index, values, present, NULL));
    OK(ctx, sl_dependencies(sum, A, sources, count));
    OK(ctx, sl_vector_copy_out(&out, sum, SL_FORMAT_FULL));
    OK(ctx, sl_arrays_expand(ctx, &out));
    for (uint64_t v = 0; v < n; v++)
        values[v] = ((const double *)out.values)[v] - (v % 3 ? 0 : (double)v);
    sl_arrays_free(&out);
    sl_vector_free(sum);
    free(index);
    return values;
}

static bool differ(double got, double expected)
{
    return !(fabs(got - expected) <= 1e-9 * (1 + fabs(expected)));
}

/* ---- random graphs ------------------------------------------------------------------------ */

/* Up to 70 sources, which may repeat. */
static uint64_t choose_sources(uint64_t *sources, uint64_t n, uint64_t *random)
{
    static const uint64_t counts[] = {1, 2, 5, 16, 31, 32, 33, MOST_SOURCES};
    const uint64_t count = counts[test_random(random) % 8];
    for (uint64_t k = 0; k < count; k++)
        sources[k] =
            k > 0 && test_random(random) % 8 == 0 ? sources[k - 1] : test_random(random) % n;
    return count;
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
                              .scale = 4 + (unsigned)(test_random(random) % 7)};
    case 2:
        return (sl_generator){.model = SL_MODEL_PATH, .vertices = n};
    case 3:
        return (sl_generator){.model = SL_MODEL_STAR, .vertices = 1 + 5 * n};
    default:
        return (sl_generator){.model = SL_MODEL_UNIFORM,
                              .seed = seed,
                              .vertices = n,
                              .edges = test_random(random) % (6 * n + 1)};
    }
}

static void compare(const graph *g, uint64_t seed, const uint64_t *sources, uint64_t count)
{
    double *expected = dependencies_of(host, g->on_host, sources, count);
    for (unsigned k = 0; k < SWITCHES; k++) {
        set_switch(k);
        double *got = dependencies_of(engine, g->tested, sources, count);
        for (uint64_t v = 0; v < sl_matrix_nrows(g->tested); v++)
            if (differ(got[v], expected[v]))
                fail_msg("SEMLA_TEST_SEED=%" PRIu64 " %s, SEMLA_TRAVERSAL=%s, %s: %" PRIu64
                         " sources: vertex %" PRIu64 " has %.17g, not %.17g",
                         seed, tested.name, switches[k], g->name, count, v, got[v], expected[v]);
        free(got);
    }
    set_switch(0);
    free(expected);
}

static void one_trial(uint64_t seed)
{
    uint64_t random = seed, sources[MOST_SOURCES];
    const sl_generator model = choose_model(seed, &random);
    const bool undirected = test_random(&random) % 2, pruned = test_random(&random) % 3 == 0;
    graph g = graph_of_model(host, engine, undirected ? "undirected" : "directed", &model,
                             undirected ? SL_READ_SYMMETRIC : 0,
                             pruned ? SL_FOR_TRAVERSAL | SL_PRUNED : SL_FOR_TRAVERSAL);
    const uint64_t n = sl_matrix_nrows(g.tested), count = choose_sources(sources, n, &random);
    compare(&g, seed, sources, count);
    free_graph(&g);
}

static void random_graphs(void **state)
{
    (void)state;
    const test_seeds seeds = test_seeds_from(1, TRIALS);
    for (uint64_t seed = seeds.first; seed < seeds.end; seed++)
        one_trial(seed);
}

static void check_edges(const char *name, edge_builder *s, unsigned flags)
{
    const sl_edges edges = edges_of(s);
    const uint64_t n = s->n, sources[] = {0, n - 1, n / 2, 0, n / 3};
    graph g = graph_of_edges(host, engine, name, &edges, flags, SL_FOR_TRAVERSAL);
    compare(&g, 0, sources, sizeof sources / sizeof *sources);
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

static void no_vertices(void **state)
{
    (void)state;
    sl_matrix *A;
    OK(engine, sl_matrix_new(&A, engine, SL_BOOL, 0, 0));
    free(dependencies_of(engine, A, NULL, 0));
    sl_matrix_free(A);
}

/* ---- formulas ------------------------------------------------------------------------------- */

/*
 * DIAMONDS diamonds in a row: junction j is vertex 3 j, and two vertices lie between two junctions.
 * 2^j paths lead from junction 0 to junction j. A path of as many edges leads from junction 0 to the
 * last one: one more path, which does not count beside 2^DIAMONDS.
 */
enum { DIAMONDS = 1100, LAST_JUNCTION = 3 * DIAMONDS };

static void build_diamonds(edge_builder *s)
{
    *s = (edge_builder){.n = 1};
    for (uint64_t j = 0; j < LAST_JUNCTION; j += 3)
        for (uint64_t side = 1; side <= 2; side++) {
            add_edge(s, j, j + side);
            add_edge(s, j + side, j + 3);
        }
    add_path(s, 0, 2 * DIAMONDS - 1);
    add_edge(s, s->n - 1, LAST_JUNCTION);
}

/* The dependency of junction 0 on vertex v. */
static double dependency_in_diamonds(uint64_t v)
{
    if (v == 0)
        return 0;
    if (v > LAST_JUNCTION) /* the path: the vertices behind v */
        return 2 * DIAMONDS - 1 - (double)(v - LAST_JUNCTION);
    if (v % 3 == 0)
        return (double)(LAST_JUNCTION - v);
    const uint64_t next = v + 3 - v % 3;
    return (1 + (double)(LAST_JUNCTION - next)) / 2;
}

static void large_diamonds(void **state)
{
    (void)state;
    edge_builder *s = test_calloc(1, sizeof *s);
    build_diamonds(s);
    const sl_edges edges = edges_of(s);
    const uint64_t sources[] = {0, 0};
    sl_matrix *A;
    sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    OK(engine, sl_matrix_from_edges(&A, engine, &edges, &options));
    for (unsigned k = 0; k < SWITCHES; k++) {
        set_switch(k);
        double *got = dependencies_of(engine, A, sources, 2);
        for (uint64_t v = 0; v < s->n; v++)
            if (differ(got[v], 2 * dependency_in_diamonds(v)))
                fail_msg("%s, SEMLA_TRAVERSAL=%s: vertex %" PRIu64 " has %.17g, not %.17g",
                         tested.name, switches[k], v, got[v], 2 * dependency_in_diamonds(v));
        free(got);
    }
    set_switch(0);
    sl_matrix_free(A);
    test_free(s);
}

/* The dependencies of a source add up to its distances to all targets, less 1 each. */
static void check_total(const char *name, const sl_generator *model, uint64_t source, double total)
{
    sl_edges edges;
    sl_matrix *A;
    sl_read_options options = {.flags = SL_READ_SYMMETRIC};
    OK(engine, sl_generate(&edges, engine, model));
    OK(engine, sl_matrix_from_edges(&A, engine, &edges, &options));
    OK(engine, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
    double *got = dependencies_of(engine, A, &source, 1), sum = 0;
    for (uint64_t v = 0; v < sl_matrix_nrows(A); v++)
        sum += got[v];
    if (differ(sum, total))
        fail_msg("%s, %s: the dependencies add up to %.17g, not %.17g", tested.name, name, sum,
                 total);
    free(got);
    sl_matrix_free(A);
    sl_edges_free(&edges);
}

static void large_graphs(void **state)
{
    (void)state;
    const double path = 5000, side = 560, hub = 100000;
    check_total("a path", &(sl_generator){.model = SL_MODEL_PATH, .vertices = 5000}, 0,
                (path - 1) * (path - 2) / 2);
    check_total("a grid", &(sl_generator){.model = SL_MODEL_GRID, .side = {560, 560, 0}}, 0,
                side * side * (side - 1) - (side * side - 1));
    check_total("a star", &(sl_generator){.model = SL_MODEL_STAR, .vertices = 100000}, 5, hub - 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_vertices),   cmocka_unit_test(degenerate),
        cmocka_unit_test(random_graphs), cmocka_unit_test(large_diamonds),
        cmocka_unit_test(large_graphs),
    };
    return compare_engines(tests, sizeof tests / sizeof *tests, true);
}
