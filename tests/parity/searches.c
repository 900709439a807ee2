/*
 * Searches on every engine that is present, in every direction and variant, on random graphs and
 * corner cases, compared with a search by a queue: levels and least parents bit for bit, other
 * trees by the validator.
 */
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include <semla/bfs.h>

#include "support.h"

/* A graph as edges and as compressed rows. */
typedef struct {
    const char *name;
    sl_edges edges;
    bool undirected;
} graph;

static sl_context *maker; /* generates the graphs */

static graph model(const char *name, bool undirected, sl_generator generator)
{
    graph g = {.name = name, .undirected = undirected};
    OK(maker, sl_generate(&g.edges, maker, &generator));
    return g;
}

/* The graph of `count` pairs in an array. */
static graph pairs(const char *name, bool undirected, uint64_t n, const uint64_t *list,
                   uint64_t count)
{
    graph g = {.name = name, .undirected = undirected};
    g.edges = (sl_edges){.nrows = n, .ncols = n, .count = count, .type = SL_BOOL};
    g.edges.row = sl_malloc(count * sizeof(uint64_t));
    g.edges.col = sl_malloc(count * sizeof(uint64_t));
    for (uint64_t k = 0; k < count; k++) {
        g.edges.row[k] = list[2 * k];
        g.edges.col[k] = list[2 * k + 1];
    }
    return g;
}

/* The last vertex is connected to all others, by edges from it only or to it only. */
static graph directed_hub(const char *name, uint64_t n, bool outward)
{
    graph g = {.name = name};
    g.edges = (sl_edges){.nrows = n, .ncols = n, .count = n - 1, .type = SL_BOOL};
    g.edges.row = sl_malloc(n * sizeof(uint64_t));
    g.edges.col = sl_malloc(n * sizeof(uint64_t));
    for (uint64_t k = 0; k < n - 1; k++) {
        g.edges.row[k] = outward ? n - 1 : k;
        g.edges.col[k] = outward ? k : n - 1;
    }
    return g;
}

static sl_status copy_rows(sl_csr *rows, const graph *g, sl_context *ctx, sl_matrix **A)
{
    sl_read_options options = {.flags = g->undirected ? SL_READ_SYMMETRIC : 0};
    sl_status status = sl_matrix_from_edges(A, ctx, &g->edges, &options);
    return status == SL_OK ? sl_matrix_copy_csr(rows, *A) : status;
}

typedef struct {
    const char *graph, *engine;
    const sl_graph_view *view;
    uint64_t source;
    int64_t *level, *least; /* of the search by a queue */
} expectation;

static void check(const expectation *e, const char *form, sl_vector *parent, sl_vector *level,
                  bool least)
{
    sl_context *ctx = sl_vector_context(level);
    int64_t *parents, *levels;
    OK(ctx, sl_search_array(&parents, parent));
    OK(ctx, sl_search_array(&levels, level));
    for (uint64_t v = 0; v < e->view->vertices; v++) {
        if (levels[v] != e->level[v])
            fail_msg("%s from %d on %s, %s: vertex %d has level %d, not %d", e->graph,
                     (int)e->source, e->engine, form, (int)v, (int)levels[v], (int)e->level[v]);
        if (least && parents[v] != e->least[v])
            fail_msg("%s from %d on %s, %s: vertex %d has parent %d, not %d", e->graph,
                     (int)e->source, e->engine, form, (int)v, (int)parents[v], (int)e->least[v]);
    }
    sl_check_result verdict = {.valid = true};
    if (!least) /* else the parents are those of the search by a queue */
        OK(ctx, sl_validate_search(&verdict, e->view, e->source, parents, levels, -1));
    if (!verdict.valid)
        fail_msg("%s from %d on %s, %s: %s", e->graph, (int)e->source, e->engine, form,
                 verdict.reason);
    sl_free(parents);
    sl_free(levels);
    sl_vector_free(parent);
    sl_vector_free(level);
}

/* In every direction, and as loops over products if `plain`. */
static void check_forms(const expectation *e, sl_matrix *A, bool plain)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_vector *parent, *level;
    for (int direction = SL_AUTO; direction <= SL_PULL; direction++)
        for (int least = 0; least < 2; least++) {
            sl_bfs_options options = {.direction = direction,
                                      .deterministic = least,
                                      .int32 = (e->source + (uint64_t)direction) % 2};
            OK(ctx, sl_bfs(&parent, &level, A, e->source, &options));
            assert_int_equal(sl_vector_type(parent), options.int32 ? SL_INT32 : SL_INT64);
            check(e, sl_direction_name(direction), parent, level, least);
        }
    for (int least = 0; plain && least < 2; least++) {
        OK(ctx, sl_bfs_plain(&parent, &level, A, e->source, least));
        check(e, "plain", parent, level, least);
    }
}

static void check_graph_prepared(graph g, unsigned searches, uint64_t *random, bool prepare)
{
    sl_matrix *A;
    sl_csr rows;
    OK(maker, copy_rows(&rows, &g, maker, &A));
    sl_matrix_free(A);
    sl_graph_view view = sl_view_of(&rows);
    uint64_t n = view.vertices;
    expectation e = {.graph = g.name, .view = &view};
    e.level = sl_malloc(n * sizeof(int64_t));
    e.least = sl_malloc(n * sizeof(int64_t));

    sl_engine_info engine;
    for (size_t k = 0; next_engine(&engine, &k);) {
        sl_context *ctx;
        sl_csr unused;
        assert_int_equal(sl_context_create(&ctx, engine.choice), SL_OK);
        OK(ctx, copy_rows(&unused, &g, ctx, &A));
        e.engine = engine.name;
        if (prepare)
            OK(ctx, sl_matrix_optimize(A, SL_FOR_TRAVERSAL));
        /* SuiteSparse, for which nothing is prepared, reads all of a large graph in each level. */
        const unsigned most = prepare && engine.choice == SL_ENGINE_SUITESPARSE ? 1 : searches;
        for (unsigned s = 0; s < most; s++) {
            e.source = s == 0 ? 0 : s == 1 ? n - 1 : test_random(random) % n;
            OK(ctx, sl_queue_search(e.level, e.least, &view, e.source));
            /* On prepared graphs, which are large, loops over products take most of the time. */
            check_forms(&e, A, !prepare || s == 0);
        }
        sl_free(unused.start);
        sl_free(unused.index);
        sl_matrix_free(A);
        sl_context_free(ctx);
    }
    sl_free(e.level);
    sl_free(e.least);
    sl_free(rows.start);
    sl_free(rows.index);
    sl_edges_free(&g.edges);
}

static void check_graph(graph g, unsigned searches, uint64_t *random)
{
    check_graph_prepared(g, searches, random, false);
}

static void corner_cases(void **state)
{
    (void)state;
    uint64_t random = 1;
    check_graph(pairs("one vertex", true, 1, NULL, 0), 1, &random);
    check_graph(pairs("one vertex with a loop", true, 1, (uint64_t[]){0, 0}, 1), 1, &random);
    check_graph(pairs("two vertices, no edge", true, 2, NULL, 0), 2, &random);
    check_graph(pairs("an edge from 0 to 1", false, 2, (uint64_t[]){0, 1}, 1), 2, &random);
    check_graph(pairs("65 vertices, one edge", true, 65, (uint64_t[]){0, 64}, 1), 3, &random);
    check_graph(pairs("loops and duplicates", true, 4,
                      (uint64_t[]){0, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 2, 3, 3}, 7),
                4, &random);
    check_graph(pairs("a directed cycle", false, 5, (uint64_t[]){0, 1, 1, 2, 2, 3, 3, 4, 4, 0}, 5),
                5, &random);
    check_graph(model("path", true, (sl_generator){.model = SL_MODEL_PATH, .vertices = 2000}), 3,
                &random);
    check_graph(
        model("directed path", false, (sl_generator){.model = SL_MODEL_PATH, .vertices = 2000}), 3,
        &random);
    check_graph(
        model("complete", true, (sl_generator){.model = SL_MODEL_COMPLETE, .vertices = 300}), 3,
        &random);
    check_graph(model("star", true, (sl_generator){.model = SL_MODEL_STAR, .vertices = 50000}), 3,
                &random);
    check_graph(directed_hub("hub, outward", 40000, true), 3, &random);
    check_graph(directed_hub("hub, inward", 40000, false), 3, &random);
}

static void models(void **state)
{
    (void)state;
    uint64_t random = 2;
    check_graph(
        model("grid 64 x 33", true, (sl_generator){.model = SL_MODEL_GRID, .side = {64, 33, 0}}), 4,
        &random);
    check_graph(
        model("grid 9 x 8 x 7", true, (sl_generator){.model = SL_MODEL_GRID, .side = {9, 8, 7}}), 4,
        &random);
    check_graph(
        model("road", true, (sl_generator){.model = SL_MODEL_ROAD, .seed = 3, .side = {90, 70, 0}}),
        4, &random);
    for (int undirected = 0; undirected < 2; undirected++) {
        check_graph(model("kronecker 15", undirected,
                          (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 5, .scale = 15}),
                    4, &random);
        check_graph(
            model("uniform", undirected,
                  (sl_generator){
                      .model = SL_MODEL_UNIFORM, .seed = 6, .vertices = 30000, .edges = 200000}),
            4, &random);
        check_graph(
            model("sparse uniform", undirected,
                  (sl_generator){
                      .model = SL_MODEL_UNIFORM, .seed = 7, .vertices = 30000, .edges = 20000}),
            4, &random);
    }
}

/* Prepared matrices, among them large ones without hubs, which are reordered by clusters. */
static void prepared(void **state)
{
    (void)state;
    uint64_t random = 3;
    check_graph_prepared(
        model("prepared grid", true, (sl_generator){.model = SL_MODEL_GRID, .side = {300, 301, 0}}),
        3, &random, true);
    check_graph_prepared(
        model("prepared road", true,
              (sl_generator){.model = SL_MODEL_ROAD, .seed = 4, .side = {280, 290, 0}}),
        3, &random, true);
    check_graph_prepared(
        model("prepared, directed and sparse", false,
              (sl_generator){
                  .model = SL_MODEL_UNIFORM, .seed = 8, .vertices = 90000, .edges = 180000}),
        3, &random, true);
    check_graph_prepared(model("prepared kronecker 12", true,
                               (sl_generator){.model = SL_MODEL_KRONECKER, .seed = 9, .scale = 12}),
                         3, &random, true);
}

/* 200 seeded random graphs of 1 to 4096 vertices. */
static void random_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        uint64_t n = (test_random(&random) % 4096 >> test_random(&random) % 12) + 1;
        sl_generator g = {.model = SL_MODEL_UNIFORM,
                          .seed = seed,
                          .vertices = n,
                          .edges = test_random(&random) % (4 * n + 1)};
        char name[32];
        snprintf(name, sizeof name, "seed %d", (int)seed);
        check_graph(model(name, seed % 2, g), 2, &random);
    }
}

int main(void)
{
    /* More threads than this machine may have, so that threads do interact. */
    omp_set_num_threads(4);
    if (sl_context_create(&maker, SL_ENGINE_AUTO) != SL_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corner_cases),
        cmocka_unit_test(models),
        cmocka_unit_test(prepared),
        cmocka_unit_test(random_graphs),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sl_context_free(maker);
    return failed;
}
