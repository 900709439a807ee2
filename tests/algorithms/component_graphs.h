/* Hostile graphs for tests of components, and their components by union-find. */
#ifndef SEMLA_TESTS_COMPONENT_GRAPHS_H
#define SEMLA_TESTS_COMPONENT_GRAPHS_H

#include "edge_list.h"

enum { GRAPH_KINDS = 15 };

/* A path through all vertices in a random order. */
static inline void add_shuffled_path(edge_list *g, uint64_t *random)
{
    uint64_t *order = malloc(g->n * sizeof *order);
    assert_non_null(order);
    for (uint64_t k = 0; k < g->n; k++) {
        uint64_t l = test_random(random) % (k + 1);
        order[k] = k;
        order[k] = order[l];
        order[l] = k;
    }
    for (uint64_t k = 0; k + 1 < g->n; k++)
        add_edge(g, order[k], order[k + 1]);
    free(order);
}

/* A grid of side x side, of which `percent` of the edges exist. */
static inline void add_grid(edge_list *g, uint64_t side, uint64_t percent, uint64_t *random)
{
    for (uint64_t v = 0; v < side * side; v++) {
        if (v % side + 1 < side && test_random(random) % 100 < percent)
            add_edge(g, v, v + 1);
        if (v + side < side * side && test_random(random) % 100 < percent)
            add_edge(g, v, v + side);
    }
}

/* Every vertex is joined to `hub`. */
static inline void add_star(edge_list *g, uint64_t hub)
{
    for (uint64_t v = 0; v < g->n; v++)
        add_edge(g, hub, v);
}

/* Vertices of long paths and large stars on one process, and on grids, where ranks share processors. */
enum { LENGTH = 20000, LENGTH_ON_GRIDS = 1000 };

/* Graph number `kind`, of which `length` is the number of vertices of the long ones; free_graph. */
static inline edge_list make_graph(int kind, uint64_t length, uint64_t *random)
{
    uint64_t side = 1;
    while ((side + 1) * (side + 1) <= length)
        side++;
    const struct {
        const char *name;
        uint64_t n;
    } kinds[GRAPH_KINDS] = {{"no vertex", 0},
                            {"one vertex", 1},
                            {"no edge", 1000},
                            {"self-loops", 1000},
                            {"a path", length},
                            {"a path from the last vertex", length},
                            {"a shuffled path", length},
                            {"a star around the first vertex", length},
                            {"a star around the last vertex", length},
                            {"pairs", length + 1},
                            {"a grid with missing edges", side * side},
                            {"a whole grid", side * side},
                            {"a sparse random graph", length},
                            {"a random graph with isolated vertices", 3000},
                            {"two stars joined by their last vertices", length / 2}};
    edge_list g = new_graph(kinds[kind].name, kinds[kind].n);
    for (uint64_t v = 0; v < g.n; v++) {
        if (kind == 3)
            add_edge(&g, v, v);
        if (kind == 4 && v > 0)
            add_edge(&g, v - 1, v);
        if (kind == 5 && v > 0)
            add_edge(&g, v, v - 1);
        if (kind == 9 && v >= g.n / 2 + 1)
            add_edge(&g, v, v - g.n / 2 - 1);
        if (kind == 14)
            add_edge(&g, v, v < g.n / 2 ? g.n / 2 - 1 : g.n - 1);
    }
    if (kind == 6)
        add_shuffled_path(&g, random);
    if (kind == 7 || kind == 8)
        add_star(&g, kind == 7 ? 0 : g.n - 1);
    if (kind == 10)
        add_grid(&g, side, 60, random);
    if (kind == 11)
        add_grid(&g, side, 100, random);
    if (kind == 12)
        add_random(&g, g.n / 2 + g.n / 20, random);
    if (kind == 13)
        add_random(&g, 20000, random);
    if (kind == 14)
        add_edge(&g, g.n / 2 - 1, g.n - 1);
    return g;
}

/* least[v]: the least vertex of v's component; [g->n + 1] from malloc. */
static inline uint64_t *least_vertices(const edge_list *g)
{
    uint64_t *least = malloc((g->n + 1) * sizeof *least);
    assert_non_null(least);
    for (uint64_t v = 0; v < g->n; v++)
        least[v] = v;
    for (uint64_t k = 0; k < g->count; k++) {
        uint64_t a = g->from[k], b = g->to[k];
        while (least[a] != a)
            a = least[a] = least[least[a]];
        while (least[b] != b)
            b = least[b] = least[least[b]];
        least[a > b ? a : b] = a > b ? b : a;
    }
    for (uint64_t v = 0; v < g->n; v++)
        least[v] = least[least[v]];
    return least;
}

/* sl_components of the graph is `least`. */
static inline void check_graph_components(sl_context *ctx, const edge_list *g,
                                          const uint64_t *least, bool symmetric)
{
    sl_matrix *A = matrix_of(ctx, g, symmetric);
    sl_vector *component;
    sl_arrays got;
    OK(ctx, sl_components(&component, A));
    OK(ctx, sl_vector_copy_whole(&got, component));
    if (got.nvals != g->n)
        fail_msg("%s: %zu of %zu vertices have a component", g->name, (size_t)got.nvals,
                 (size_t)g->n);
    for (uint64_t v = 0; v < g->n; v++)
        if (((int64_t *)got.values)[v] != (int64_t)least[v])
            fail_msg("%s: the component of vertex %zu is %zu, not %zu", g->name, (size_t)v,
                     (size_t)((int64_t *)got.values)[v], (size_t)least[v]);
    sl_arrays_free(&got);
    sl_vector_free(component);
    sl_matrix_free(A);
}

/* The closure over min_first gives each vertex the least label of its component. `percent` of the
 * vertices have labels. */
static inline void check_graph_labels(sl_context *ctx, const edge_list *g, const uint64_t *least,
                                      uint64_t percent, uint64_t *random)
{
    enum { NONE = 1000 };
    sl_matrix *A = matrix_of(ctx, g, true);
    sl_vector *pi;
    sl_arrays got;
    bool symmetric;
    int *label = malloc((g->n + 1) * sizeof *label), *right = malloc((g->n + 1) * sizeof *right);
    int32_t *values = malloc((g->n + 1) * sizeof *values);
    uint64_t *index = malloc((g->n + 1) * sizeof *index), count = 0, k = 0, first, last;
    assert_true(label && right && values && index);
    for (uint64_t v = 0; v < g->n; v++)
        right[v] = NONE;
    for (uint64_t v = 0; v < g->n; v++) {
        label[v] =
            test_random(random) % 100 < percent ? (int)(test_random(random) % 999) - 500 : NONE;
        if (label[v] == NONE)
            continue;
        index[count] = v;
        values[count++] = label[v];
        if (label[v] < right[least[v]])
            right[least[v]] = label[v];
    }
    sl_context_local_range(ctx, count, &first, &last);
    OK(ctx, sl_vector_new(&pi, ctx, SL_INT32, g->n));
    OK(ctx, sl_vector_build(pi, index + first, values + first, last - first, NULL));
    OK(ctx, sl_matrix_is_symmetric(&symmetric, A));
    OK(ctx, sl_closure(pi, pi, A, SL_MIN_FIRST_INT32, NULL));
    OK(ctx, sl_vector_copy_whole(&got, pi));
    for (uint64_t v = 0; v < g->n; v++) {
        bool has = k < got.nvals && got.rows[k] == v;
        int value = has ? ((int32_t *)got.values)[k++] : NONE;
        if (value != right[least[v]])
            fail_msg("%s: the label of vertex %zu is %d, not %d", g->name, (size_t)v, value,
                     right[least[v]]);
    }
    sl_arrays_free(&got);
    free(label);
    free(right);
    free(values);
    free(index);
    sl_vector_free(pi);
    sl_matrix_free(A);
}

/* All graphs as undirected and as directed ones. */
static inline void check_all_graphs(sl_context *ctx, uint64_t length, uint64_t *random)
{
    for (int kind = 0; kind < GRAPH_KINDS; kind++) {
        edge_list g = make_graph(kind, length, random);
        uint64_t *least = least_vertices(&g);
        check_graph_components(ctx, &g, least, true);
        check_graph_components(ctx, &g, least, false);
        check_graph_labels(ctx, &g, least, 100, random);
        check_graph_labels(ctx, &g, least, 40, random);
        free(least);
        free_graph(&g);
    }
}

#endif
