/* Hostile directed graphs for tests of strongly connected components, and the comparison with
 * Tarjan's search. */
#ifndef SEMLA_TESTS_SCC_GRAPHS_H
#define SEMLA_TESTS_SCC_GRAPHS_H

#include <semla/checks.h>

#include "component_graphs.h"

enum { DIRECTED_KINDS = 17 };

/* A cycle through the vertices from `first` to before `end`. */
static inline void add_cycle(edge_list *g, uint64_t first, uint64_t end)
{
    for (uint64_t v = first; v < end; v++)
        add_edge(g, v, v + 1 < end ? v + 1 : first);
}

/* The place of vertex k of a path whose ends are the least numbers: 0, 2, 4, ..., 5, 3, 1. */
static inline uint64_t from_both_ends(uint64_t k, uint64_t n)
{
    return 2 * k < n ? 2 * k : 2 * (n - 1 - k) + 1;
}

/* Graph number `kind`, of which `length` is the number of vertices of the long ones. */
static inline edge_list make_directed_graph(int kind, uint64_t length, uint64_t *random)
{
    assert_true(length % 2 == 0 && 4 * length < MOST_EDGES);
    const struct {
        const char *name;
        uint64_t n;
    } kinds[DIRECTED_KINDS] = {{"no vertex", 0},
                               {"one vertex", 1},
                               {"self-loops", 100},
                               {"a path", length},
                               {"a path from the last vertex", length},
                               {"a path from both ends", length},
                               {"a shuffled path", length},
                               {"a cycle", length},
                               {"a shuffled cycle", length},
                               {"a ladder without rungs back", length},
                               {"pairs in both directions", length},
                               {"out of a hub and back from some", 2000},
                               {"cycles joined by edges", length},
                               {"a grid", 60 * 60},
                               {"a sparse random graph", 3000},
                               {"a random graph with a giant component", 3000},
                               {"a random graph, dense", 50}};
    edge_list g = new_graph(kinds[kind].name, kinds[kind].n);
    for (uint64_t v = 0; v < g.n; v++) {
        if (kind == 2)
            add_edge(&g, v, v);
        if (kind == 3 && v > 0)
            add_edge(&g, v - 1, v);
        if (kind == 4 && v > 0)
            add_edge(&g, v, v - 1);
        if (kind == 5 && v > 0)
            add_edge(&g, from_both_ends(v - 1, g.n), from_both_ends(v, g.n));
        if (kind == 9 && v + 2 < g.n) { /* rails of even and odd vertices */
            add_edge(&g, v, v + 2);
            add_edge(&g, v, (v + 2) ^ 1);
        }
        if (kind == 10)
            add_edge(&g, v, v ^ 1);
        if (kind == 11 && v != 7) {
            add_edge(&g, 7, v);
            if (v % 3 == 0)
                add_edge(&g, v, 7);
        }
        if (kind == 12 && v % 10 == 0) {
            add_cycle(&g, v, v + 10 < g.n ? v + 10 : g.n);
            if (v > 0)
                add_edge(&g, v - 1, v);
        }
    }
    if (kind == 6 || kind == 8)
        add_shuffled_path(&g, random);
    if (kind == 8)
        add_edge(&g, g.to[g.count - 1], g.from[0]);
    if (kind == 7)
        add_cycle(&g, 0, g.n);
    if (kind == 13)
        add_grid(&g, 60, 100, random);
    if (kind >= 14)
        add_random(&g, kind == 14 ? g.n + g.n / 4 : kind == 15 ? 3 * g.n : 10 * g.n, random);
    return g;
}

/* Checks sl_scc of the graph by the rows of the same matrix in a context of one process. */
static inline void check_graph_scc(sl_context *ctx, sl_context *local, const edge_list *g)
{
    sl_matrix *A = matrix_of(ctx, g, false), *L = matrix_of(local, g, false);
    sl_vector *component;
    sl_arrays got;
    sl_csr rows;
    sl_check_result result;
    uint64_t count = 77;
    OK(ctx, sl_scc(&component, &count, A));
    OK(ctx, sl_vector_copy_whole(&got, component));
    assert_int_equal(got.nvals, g->n);
    OK(local, sl_matrix_copy_csr(&rows, L));
    const sl_graph_view view = sl_view_of(&rows);
    const int64_t *found = g->n ? got.values : (const int64_t[]){0};
    assert_int_equal(sl_check_scc(&result, &view, found, count), SL_OK);
    if (!result.valid)
        fail_msg("%s: %s", g->name, result.reason);
    sl_arrays_free(&got);
    free_rows(&rows);
    sl_vector_free(component);
    sl_matrix_free(A);
    sl_matrix_free(L);
}

static inline void check_all_scc(sl_context *ctx, uint64_t length, uint64_t *random)
{
    sl_context *local;
    assert_int_equal(sl_context_create(&local, SL_ENGINE_SUITESPARSE), SL_OK);
    for (int kind = 0; kind < DIRECTED_KINDS; kind++) {
        edge_list g = make_directed_graph(kind, length, random);
        check_graph_scc(ctx, local, &g);
        free_graph(&g);
    }
    sl_context_free(local);
}

#endif
