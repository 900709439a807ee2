/*
 * Searches of matrices prepared with SL_PRUNED, on every engine: levels are compared with
 * SuiteSparse's, trees are checked by the validator. The graphs have trees of all kinds: attached
 * to a core, components of their own, as high as the pruning allows and higher; with long rows and
 * with short rows.
 */
#define _POSIX_C_SOURCE 200112L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edge_builder.h"
#include "graphs.h"

static sl_context *host, *engine;
static const unsigned purpose = SL_FOR_TRAVERSAL | SL_PRUNED;

/* The number of vertices that are pruned if vertices of degree 1 are removed repeatedly. Of a
 * component that is one edge, both vertices stay. */
static uint64_t prunable_vertices(const sl_csr *rows)
{
    uint64_t n = rows->nrows, tail = 0, pruned = 0;
    uint64_t *left = test_calloc(n + 1, sizeof *left), *queue = test_calloc(n + 1, sizeof *queue);
    bool *is_pruned = test_calloc(n + 1, sizeof *is_pruned);
    for (uint64_t v = 0; v < n; v++)
        if ((left[v] = rows->start[v + 1] - rows->start[v]) == 1)
            queue[tail++] = v;
    for (uint64_t head = 0; head < tail; head++) {
        uint64_t v = queue[head], e = rows->start[v];
        while (is_pruned[rows->index[e]])
            e++;
        uint64_t w = rows->index[e];
        if (w == v || left[w] == 1)
            continue;
        is_pruned[v] = true;
        pruned++;
        if (--left[w] == 1)
            queue[tail++] = w;
    }
    test_free(left);
    test_free(queue);
    test_free(is_pruned);
    return pruned;
}

/* The cuda and openmp engines prune graphs with long rows if asked to, except for trees of more
 * than 32 levels. */
static void check_count(const graph *g)
{
    uint64_t greatest = 0;
    sl_placement placement;
    OK(engine, sl_matrix_placement(&placement, g->tested));
    for (uint64_t v = 0; v < g->rows.nrows; v++)
        if (g->rows.start[v + 1] - g->rows.start[v] > greatest)
            greatest = g->rows.start[v + 1] - g->rows.start[v];
    const bool prunes = greatest > 64 && strcmp(sl_context_engine(engine, 0), "suitesparse") != 0;
    const bool is_high = strncmp(g->name, "high", 4) == 0;
    const uint64_t expected = prunes ? prunable_vertices(&g->rows) : 0;
    if (placement.pruned > expected || (placement.pruned < expected && !is_high))
        fail_msg("%s: %d pruned vertices, not %d", g->name, (int)placement.pruned, (int)expected);
}

static graph checked(graph g)
{
    check_count(&g);
    return g;
}

enum { PLAIN = 11, LEAST = 19 };

/* Runs one search. `what` has bit 0 for parents and bit 1 for levels; PLAIN: both, by a loop of
 * products; LEAST: both, with the least parents. depth: the bound on levels, or -1. */
static void check_search(const graph *g, uint64_t source, sl_direction direction, int what,
                         int64_t depth)
{
    sl_vector *parent = NULL, *level = NULL, *expected;
    sl_bfs_options options = {.direction = direction,
                              .bounded = depth >= 0,
                              .max_depth = (uint64_t)depth,
                              .deterministic = what == LEAST,
                              .int32 = source % 2 && what != PLAIN};
    OK(engine, what == PLAIN ? sl_bfs_plain(&parent, &level, g->tested, source, false)
                             : sl_bfs(what & 1 ? &parent : NULL, what & 2 ? &level : NULL,
                                      g->tested, source, &options));
    options.direction = SL_AUTO;
    OK(host, sl_bfs(NULL, &expected, g->on_host, source, &options));
    uint64_t reached, entries;
    OK(host, sl_vector_nvals(&reached, expected));
    OK(engine, sl_vector_nvals(&entries, what & 1 ? parent : level));
    int64_t *parents = take_array(parent), *levels = take_array(level);
    int64_t *theirs = take_array(expected);
    sl_check_result verdict = validate(g, source, parents, levels, depth);
    if (!verdict.valid || entries != reached ||
        (levels && memcmp(levels, theirs, g->rows.nrows * sizeof *levels) != 0))
        fail_msg("%s from %d by %s, results %d, depth %d: %d entries, not %d; %s", g->name,
                 (int)source, sl_direction_name(direction), what, (int)depth, (int)entries,
                 (int)reached, verdict.valid ? "levels differ" : verdict.reason);
    sl_free(parents);
    sl_free(levels);
    sl_free(theirs);
}

/*
 * Compares a closure from several vertices, of which the first `visited_only` are visited but not
 * in the frontier, with that of SuiteSparse. With one source, `level` is full before: levels of
 * vertices that are not reached must stay.
 */
static void check_closure(const graph *g, const uint64_t *from, int count, int visited_only)
{
    int64_t *levels[2];
    for (int k = 0; k < 2; k++) {
        sl_context *ctx = k ? engine : host;
        uint64_t n = g->rows.nrows;
        sl_vector *pi, *q, *level;
        OK(ctx, sl_vector_new(&pi, ctx, SL_INT64, n));
        OK(ctx, sl_vector_new(&q, ctx, SL_INT64, n));
        OK(ctx, sl_vector_new(&level, ctx, SL_INT64, n));
        for (int i = 0; i < count; i++) {
            OK(ctx, sl_vector_set(pi, from[i], sl_scalar_int64((int64_t)from[i])));
            if (i >= visited_only)
                OK(ctx, sl_vector_set(q, from[i], sl_scalar_int64(0)));
        }
        if (count == 1)
            OK(ctx,
               sl_vector_assign_scalar(level, NULL, NULL, sl_scalar_int64(-7), SL_ALL, 0, NULL));
        sl_closure_options options = {.level = level};
        OK(ctx, sl_closure(pi, q, k ? g->tested : g->on_host, SL_ANY_SECONDI_INT64, &options));
        uint64_t settled, found;
        OK(ctx, sl_vector_nvals(&settled, pi));
        OK(ctx, sl_vector_nvals(&found, level));
        assert_true(count == 1 ? found == n : settled >= found);
        sl_vector_free(pi);
        sl_vector_free(q);
        levels[k] = take_array(level);
    }
    for (uint64_t v = 0; v < g->rows.nrows; v++)
        if (levels[0][v] != levels[1][v])
            fail_msg("%s, closure of %d vertices from %d, %d not in q: vertex %d has level %d, "
                     "not %d",
                     g->name, count, (int)from[0], visited_only, (int)v, (int)levels[1][v],
                     (int)levels[0][v]);
    sl_free(levels[0]);
    sl_free(levels[1]);
}

/* Checks up to `sources` searches; all vertices of a small graph. */
static void check_graph(graph g, uint64_t sources, uint64_t *random)
{
    uint64_t n = g.rows.nrows;
    for (uint64_t s = 0; s < sources && s < n; s++) {
        uint64_t source = n <= sources ? s : test_random(random) % n;
        check_search(&g, source, SL_AUTO, 3, -1);
        check_search(&g, source, SL_AUTO, 1 + (int)(s % 2), -1);
        check_search(&g, source, SL_AUTO, 7 - (int)(s % 3), -1);
        check_search(&g, source, SL_PUSH + s % 2, 3, -1);
        check_search(&g, source, SL_AUTO, PLAIN, -1);
        check_search(&g, source, SL_AUTO, LEAST, -1);
        uint64_t from[3] = {source, test_random(random) % n, test_random(random) % n};
        if (s % 4 == 0) {
            check_search(&g, source, SL_AUTO, 3, (int64_t)(test_random(random) % 5));
            check_closure(&g, from, 1 + (int)(test_random(random) % 3), 0);
            check_closure(&g, from, 3, 1);
        }
    }
    free_graph(&g);
}

static graph model(const char *name, sl_generator generator)
{
    return checked(graph_of_model(host, engine, name, &generator, SL_READ_SYMMETRIC, purpose));
}

/* ---- graphs with trees ----------------------------------------------------------- */

static void check_edges(const char *name, edge_builder *s, uint64_t sources, uint64_t *random)
{
    shuffle(s, random);
    const sl_edges edges = edges_of(s);
    graph g = graph_of_edges(host, engine, name, &edges, SL_READ_SYMMETRIC, purpose);
    check_graph(checked(g), sources, random);
}

static void trees_on_a_core(void **state)
{
    (void)state;
    uint64_t random = 1;
    edge_builder *s = test_calloc(1, sizeof *s);
    for (int loops = 0; loops < 2; loops++) {
        *s = (edge_builder){0};
        add_core(s, 70);
        for (uint64_t k = 0; k < 20; k++)
            add_tree(s, test_random(&random) % 70, 1 + test_random(&random) % 12, &random);
        add_path(s, 3, 5);
        add_tree(s, s->n, 9, &random); /* a component that is a tree, */
        add_edge(s, s->n, s->n + 1);   /* a component of one edge, */
        s->n += 3;                     /* and isolated vertices */
        for (uint64_t v = 0; loops && v < s->n; v += 2)
            add_edge(s, v, v); /* loops at every other vertex */
        check_edges(loops ? "trees on a core, loops" : "trees on a core", s, 40, &random);
    }
    test_free(s);
}

/* Trees about as high as can be pruned, and much higher. */
static void high_trees(void **state)
{
    (void)state;
    uint64_t random = 2;
    edge_builder *s = test_calloc(1, sizeof *s);
    add_core(s, 70);
    for (uint64_t length = 31; length < 34; length++)
        add_path(s, length, length);
    add_path(s, 1, 90);
    add_tree(s, s->n - 45, 12, &random);
    check_edges("high trees", s, 24, &random);
    test_free(s);
}

static void hubs_of_trees(void **state)
{
    (void)state;
    uint64_t random = 3;
    edge_builder *s = test_calloc(1, sizeof *s); /* a star of stars, which is a tree */
    for (uint64_t k = 0; k < 40; k++) {
        uint64_t hub = s->n + (k == 0);
        add_edge(s, 0, hub);
        for (uint64_t leaf = 0; leaf < k; leaf++)
            add_edge(s, hub, s->n);
    }
    check_edges("a star of stars", s, 20, &random);
    *s = (edge_builder){0}; /* forests of edges, of paths, of stars */
    for (uint64_t k = 0; k < 50; k++)
        add_edge(s, s->n, s->n + 1);
    for (uint64_t k = 0; k < 10; k++)
        add_path(s, s->n, k);
    for (uint64_t k = 0, hub; k < 3; k++)
        for (uint64_t leaf = (hub = s->n, 0); leaf < 100; leaf++)
            add_edge(s, hub, hub + 1 + leaf);
    check_edges("a forest", s, 20, &random);
    test_free(s);
}

static void degenerate(void **state)
{
    (void)state;
    uint64_t random = 4;
    edge_builder *s = test_calloc(1, sizeof *s);
    *s = (edge_builder){.n = 1};
    check_edges("a vertex", s, 1, &random);
    *s = (edge_builder){0};
    add_edge(s, 0, 0);
    check_edges("a loop", s, 1, &random);
    *s = (edge_builder){0};
    for (uint64_t v = 0; v < 100; v++)
        add_edge(s, v, v);
    check_edges("loops alone", s, 3, &random);
    *s = (edge_builder){0};
    add_edge(s, 0, 1);
    check_edges("an edge", s, 2, &random);
    *s = (edge_builder){.n = 500};
    check_edges("no edge", s, 2, &random);
    test_free(s);
}

static void models(void **state)
{
    (void)state;
    uint64_t random = 5;
    check_graph(model("star", (sl_generator){.model = SL_MODEL_STAR, .vertices = 3000}), 3,
                &random);
    check_graph(model("path", (sl_generator){.model = SL_MODEL_PATH, .vertices = 200}), 3, &random);
    check_graph(
        model("kronecker", (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 1, .scale = 11}), 12,
        &random);
    check_graph(
        model("road", (sl_generator){.model = SL_MODEL_ROAD, .seed = 2, .side = {30, 20, 0}}), 6,
        &random);
}

/* Short rows: a path with a tooth at each vertex, and a separate path. */
static void combs(void **state)
{
    (void)state;
    uint64_t random = 7;
    edge_builder *s = test_calloc(1, sizeof *s);
    *s = (edge_builder){.n = 1};
    add_path(s, 0, 600);
    for (uint64_t v = 0; v < 600; v += 5)
        add_path(s, v, 1 + v % 7);
    add_path(s, s->n + 3, 20);
    check_edges("combs", s, 8, &random);
    test_free(s);
}

/* Random graphs with few edges per vertex, so that there are many components and trees. */
static void random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        uint64_t random = seed;
        edge_builder *s = test_calloc(1, sizeof *s);
        uint64_t n = 100 + test_random(&random) % 500;
        add_core(s, seed % 3 ? 70 : 0);
        for (uint64_t e = test_random(&random) % n; e > 0; e--)
            add_edge(s, test_random(&random) % n, test_random(&random) % n);
        s->n = n;
        char name[32];
        snprintf(name, sizeof name, "seed %d", (int)seed);
        check_edges(name, s, 6, &random);
        test_free(s);
    }
}

/* The option is read when the matrix is prepared. */
static void pruning_off(void **state)
{
    (void)state;
    graph g =
        model("kronecker", (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 3, .scale = 10});
    sl_placement placement;
    setenv("SEMLA_TRAVERSAL", "nopruning", 1);
    OK(engine, sl_matrix_optimize(g.tested, purpose));
    OK(engine, sl_matrix_placement(&placement, g.tested));
    assert_int_equal(placement.pruned, 0);
    check_search(&g, 5, SL_AUTO, 3, -1);
    unsetenv("SEMLA_TRAVERSAL");
    OK(engine, sl_matrix_optimize(g.tested, purpose));
    check_count(&g);
    check_search(&g, 5, SL_AUTO, 3, -1);
    free_graph(&g);
}

/* Other techniques are switched off. */
static void switches(void **state)
{
    (void)state;
    static const char *const words[] = {"noell", "kolganov", "noreorder", "nohubs", "nopersistent"};
    uint64_t random = 8;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        unsetenv("SEMLA_TRAVERSAL"); /* the graph is prepared with all techniques */
        graph g =
            model(words[k], (sl_generator){.model = SL_MODEL_KRONECKER, .seed = k, .scale = 9});
        setenv("SEMLA_TRAVERSAL", words[k], 1);
        check_graph(g, 4, &random);
    }
    unsetenv("SEMLA_TRAVERSAL");
}

/* The last call of sl_matrix_optimize counts; a write drops the prepared graph. */
static void optimized_again(void **state)
{
    (void)state;
    uint64_t random = 6;
    graph g =
        model("kronecker", (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 3, .scale = 8});
    for (int k = 0; k < 4; k++) {
        OK(engine, sl_matrix_optimize(g.tested, k % 2 ? purpose : SL_FOR_TRAVERSAL));
        check_search(&g, test_random(&random) % 256, SL_AUTO, 3, -1);
    }
    sl_vector *level;
    uint64_t reached;
    OK(engine, sl_matrix_clear(g.tested));
    OK(engine, sl_bfs(NULL, &level, g.tested, 0, NULL));
    OK(engine, sl_vector_nvals(&reached, level));
    assert_int_equal(reached, 1);
    sl_vector_free(level);
    assert_int_equal(sl_matrix_optimize(g.tested, SL_PRUNED), SL_INVALID);
    free_graph(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_on_a_core), cmocka_unit_test(high_trees),
        cmocka_unit_test(hubs_of_trees),   cmocka_unit_test(degenerate),
        cmocka_unit_test(models),          cmocka_unit_test(random_graphs),
        cmocka_unit_test(optimized_again), cmocka_unit_test(combs),
        cmocka_unit_test(pruning_off),     cmocka_unit_test(switches),
    };
    int failed = 0;
    sl_engine_info info;
    if (sl_context_create(&host, SL_ENGINE_SUITESPARSE) != SL_OK)
        return 1;
    for (size_t k = 0; next_engine(&info, &k);) {
        if (sl_context_create(&engine, info.choice) != SL_OK)
            return 1;
        failed += cmocka_run_group_tests_name(info.name, tests, NULL, NULL);
        sl_context_free(engine);
    }
    sl_context_free(host);
    return failed;
}
