/*
 * Graphs for tests of dependencies and betweenness: hostile shapes, and layers that have more shortest
 * paths than fp64 has numbers; and the checks of sl_dependencies on them.
 */
#ifndef SEMLA_TESTS_DEPENDENCY_GRAPHS_H
#define SEMLA_TESTS_DEPENDENCY_GRAPHS_H

#include "edge_list.h"

#include <math.h>
#include <semla/checks.h>

enum { GRAPH_KINDS = 18, DEEP_KINDS = 15, LAYERS = 280, WIDTH = 16 };

static inline void add_grid(edge_list *g, uint64_t rows, uint64_t cols, uint64_t percent,
                            uint64_t *random)
{
    for (uint64_t v = 0; v < rows * cols; v++) {
        if (v % cols + 1 < cols && test_random(random) % 100 < percent)
            add_edge(g, v, v + 1);
        if (v + cols < rows * cols && test_random(random) % 100 < percent)
            add_edge(g, v, v + cols);
    }
}

/* Vertex k of a layer. */
static inline uint64_t in_layer(uint64_t layer, uint64_t k)
{
    return 1 + layer * WIDTH + k;
}

/*
 * LAYERS layers of WIDTH vertices; vertex 0 leads to the first layer, and each vertex of a layer to all of
 * the next: 2^1116 paths lead to the last. If `uneven`, some of these edges are missing, so that
 * numbers of paths in a layer differ, and some but not others exceed a limit.
 */
static inline void add_layers(edge_list *g, bool uneven)
{
    for (uint64_t k = 0; k < WIDTH; k++)
        add_edge(g, 0, in_layer(0, k));
    for (uint64_t l = 0; l + 1 < LAYERS; l++)
        for (uint64_t k = 0; k < WIDTH; k++)
            for (uint64_t j = 0; j < WIDTH; j++)
                if (!uneven || k % (1 + j * 7 % WIDTH / 2) == 0)
                    add_edge(g, in_layer(l, k), in_layer(l + 1, j));
}

/* 256 layers of 4 vertices beside the layers: 2^510 paths lead to each vertex of their last, from
 * which the only edges are to a vertex with 2^1024. */
static inline void add_slower_layers(edge_list *g)
{
    const uint64_t first = in_layer(LAYERS, 0);
    for (uint64_t k = 0; k < 4; k++)
        add_edge(g, 0, first + k);
    for (uint64_t l = 0; l + 1 < 256; l++)
        for (uint64_t k = 0; k < 16; k++)
            add_edge(g, first + 4 * l + k / 4, first + 4 * (l + 1) + k % 4);
    for (uint64_t k = 0; k < 4; k++)
        add_edge(g, first + 4 * 255 + k, in_layer(256, 3));
}

/* A path beside the layers, so that numbers of paths of a level differ by up to 2^1116; every
 * `crossing` layers the path leads to a layer, and a layer to the path. */
static inline void add_path_beside_layers(edge_list *g, uint64_t crossing)
{
    const uint64_t path = in_layer(LAYERS, 0);
    add_edge(g, 0, path);
    for (uint64_t l = 0; l + 1 < LAYERS; l++) {
        add_edge(g, path + l, path + l + 1);
        if (l % crossing == crossing / 2)
            add_edge(g, path + l, in_layer(l + 1, 3));
        if (l % crossing == crossing - 1)
            add_edge(g, in_layer(l, 5), path + l + 1);
    }
}

/* Graph number `kind`; from and to are malloc'ed. */
static inline edge_list make_graph(int kind, uint64_t *random)
{
    static const struct {
        const char *name;
        uint64_t n;
    } kinds[GRAPH_KINDS] = {{"no vertex", 0},
                            {"one vertex", 1},
                            {"one vertex with a self-loop", 1},
                            {"no edge", 50},
                            {"self-loops", 50},
                            {"a path", 120},
                            {"a path from the last vertex", 120},
                            {"a star around the first vertex", 300},
                            {"a star around the last vertex", 300},
                            {"a complete graph", 24},
                            {"a ladder", 160},
                            {"a grid with missing edges", 15 * 17},
                            {"a sparse random graph with isolated vertices", 400},
                            {"a random graph", 500},
                            {"a dense random graph", 90},
                            {"uneven layers and a path beside them", 1 + LAYERS * (WIDTH + 1)},
                            {"layers and a path that crosses them", 1 + LAYERS * (WIDTH + 1)},
                            {"layers and slower layers", 1 + LAYERS * WIDTH + 4 * 256}};
    edge_list g = new_graph(kinds[kind].name, kinds[kind].n);
    for (uint64_t v = 0; v < g.n; v++) {
        if (kind == 2 || kind == 4)
            add_edge(&g, v, v);
        if (kind == 5 && v > 0)
            add_edge(&g, v - 1, v);
        if (kind == 6 && v > 0)
            add_edge(&g, v, v - 1);
        if (kind == 7 || kind == 8)
            add_edge(&g, kind == 7 ? 0 : g.n - 1, v);
        for (uint64_t u = 0; kind == 9 && u < g.n; u++)
            add_edge(&g, u, v);
    }
    if (kind == 10)
        add_grid(&g, 80, 2, 100, random);
    if (kind == 11)
        add_grid(&g, 15, 17, 80, random);
    if (kind == 12)
        add_random(&g, 380, random);
    if (kind == 13)
        add_random(&g, 2000, random);
    if (kind == 14)
        add_random(&g, 2500, random);
    if (kind >= DEEP_KINDS)
        add_layers(&g, kind == 15);
    if (kind == 15 || kind == 16)
        add_path_beside_layers(&g, kind == 15 ? 10 * LAYERS : 70);
    if (kind == 17)
        add_slower_layers(&g);
    return g;
}

/* What the dependencies of the sources are by Brandes's algorithm with a queue; from malloc. */
static inline double *right_dependencies(const edge_list *g, bool symmetric,
                                         const uint64_t *sources, uint64_t count)
{
    sl_context *alone;
    sl_csr rows;
    double *right = malloc((g->n + 1) * sizeof *right);
    assert_non_null(right);
    assert_int_equal(sl_context_create(&alone, SL_ENGINE_SUITESPARSE), SL_OK);
    sl_matrix *A = matrix_of(alone, g, symmetric);
    OK(alone, sl_matrix_copy_csr(&rows, A));
    const sl_graph_view view = sl_view_of(&rows);
    assert_int_equal(sl_plain_betweenness(right, &view, count ? sources : (uint64_t[1]){0}, count),
                     SL_OK);
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    sl_matrix_free(A);
    sl_context_free(alone);
    return right;
}

/* The sum has an entry for every vertex, and `initial` + right. Rounding alone may differ: small
 * values are as exact as large ones. */
static inline void check_sum(sl_context *ctx, const char *name, const sl_vector *sum,
                             const double *right, const double *initial)
{
    sl_arrays got;
    OK(ctx, sl_vector_copy_whole(&got, sum));
    OK(ctx, sl_arrays_expand(ctx, &got));
    assert_int_equal(got.nvals, sl_vector_size(sum));
    for (uint64_t v = 0; v < got.nvals; v++) {
        const double value = ((double *)got.values)[v];
        const double wanted = right[v] + (initial ? initial[v] : 0);
        if (!(fabs(value - wanted) <= 1e-12 * wanted + 1e-300))
            fail_msg("%s: the dependency on vertex %zu is %.17g, not %.17g", name, (size_t)v, value,
                     wanted);
    }
    sl_arrays_free(&got);
}

/* Dependencies of sources, some of them twice, are right, and added to the entries of a vector of
 * which every third vertex has one. */
static inline void check_graph(sl_context *ctx, const edge_list *g, bool symmetric, uint64_t count,
                               unsigned optimize_flags, uint64_t *random)
{
    sl_matrix *A = matrix_of(ctx, g, symmetric);
    sl_vector *sum;
    uint64_t *sources = malloc((count + 1) * sizeof *sources);
    double *initial = calloc(g->n + 1, sizeof *initial);
    assert_true(sources && initial);
    count = g->n ? count : 0;
    for (uint64_t k = 0; k < count; k++)
        sources[k] = k == 0 ? 0 : k == 5 ? sources[2] : test_random(random) % g->n;
    double *right = right_dependencies(g, symmetric, sources, count);
    if (optimize_flags)
        OK(ctx, sl_matrix_optimize(A, optimize_flags));
    OK(ctx, sl_vector_new(&sum, ctx, SL_FP64, g->n));
    OK(ctx, sl_dependencies(sum, A, sources, count));
    check_sum(ctx, g->name, sum, right, NULL);
    sl_vector_free(sum);
    OK(ctx, sl_vector_new(&sum, ctx, SL_FP64, g->n));
    for (uint64_t v = 0; v < g->n && v < 60; v += 3) {
        initial[v] = (double)v / 8;
        OK(ctx, sl_vector_set(sum, v, sl_scalar_fp64(initial[v])));
    }
    OK(ctx, sl_dependencies(sum, A, sources, count));
    check_sum(ctx, g->name, sum, right, initial);
    sl_vector_free(sum);
    sl_matrix_free(A);
    free(sources);
    free(initial);
    free(right);
}

/* All graphs, directed and undirected, from several numbers of sources, not prepared and prepared. */
static inline void check_all_graphs(sl_context *ctx, uint64_t *random)
{
    static const uint64_t counts[] = {1, 0, 3, 8, 40};
    static const unsigned flags[] = {0, SL_FOR_TRAVERSAL, SL_FOR_TRAVERSAL | SL_PRUNED};
    for (int kind = 0; kind < GRAPH_KINDS; kind++) {
        edge_list g = make_graph(kind, random);
        const bool large = kind >= DEEP_KINDS;
        for (int k = 0; k < (large ? 1 : 5); k++) {
            check_graph(ctx, &g, false, counts[k], flags[k % 3], random);
            if (!large)
                check_graph(ctx, &g, true, counts[k], flags[(k + 1) % 3], random);
        }
        free_graph(&g);
    }
}

/* The layers alone: the exact dependency of vertex 0 is known, the number of later layers. */
static inline void check_layers(sl_context *ctx)
{
    edge_list g = {.name = "layers", .n = 1 + LAYERS * WIDTH};
    sl_vector *sum;
    double *right = calloc(g.n, sizeof *right);
    g.from = malloc(MOST_EDGES * 8);
    g.to = malloc(MOST_EDGES * 8);
    assert_true(right && g.from && g.to);
    add_layers(&g, false);
    for (uint64_t v = 1; v < g.n; v++)
        right[v] = (double)(LAYERS - 1 - (v - 1) / WIDTH);
    sl_matrix *A = matrix_of(ctx, &g, false);
    OK(ctx, sl_vector_new(&sum, ctx, SL_FP64, g.n));
    OK(ctx, sl_dependencies(sum, A, (const uint64_t[]){0}, 1));
    check_sum(ctx, g.name, sum, right, NULL);
    sl_vector_free(sum);
    sl_matrix_free(A);
    free(right);
    free_graph(&g);
}

#endif
