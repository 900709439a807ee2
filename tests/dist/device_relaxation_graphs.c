/* Random and hostile graphs for shortest paths: with mirror edges and without, skewed degrees, edges of length 0. */
#include "device_relaxation_graphs.h"

#include "support.h"

#include <stdlib.h>

enum { VERTICES = 900, EDGES = 20000 };

uint64_t below(graph *g, uint64_t bound)
{
    return test_random(&g->random) % bound;
}

void add_edge(graph *g, uint64_t from, uint64_t to, int64_t length)
{
    g->from[g->edges] = from;
    g->to[g->edges] = to;
    g->length[g->edges++] = length;
}

/* An edge and its mirror edge. */
static void join(graph *g, uint64_t a, uint64_t b, int64_t length)
{
    add_edge(g, a, b, length);
    add_edge(g, b, a, length);
}

/* Random edges between the first `n` vertices; with a hub every other edge leads to vertex n / 2. */
static void add_random(graph *g, uint64_t n, uint64_t edges, uint64_t longest, bool hub)
{
    for (uint64_t k = 0; k < edges; k++)
        join(g, below(g, n), hub && k % 2 ? n / 2 : below(g, n), (int64_t)below(g, longest));
}

/* A dense core or two without edges between them, and other vertices with few edges each, to the
 * first core or to each other. */
static void add_skewed(graph *g)
{
    const uint64_t core = 20 + below(g, 40), longest = below(g, 2) ? 9 : 100000;
    const bool two = below(g, 2);
    g->n += 3 * core;
    add_random(g, core, two ? 1500 : 4500, longest, false);
    for (uint64_t k = 0; two && k < 4500; k++)
        join(g, core + below(g, core), core + below(g, core), (int64_t)below(g, longest));
    for (uint64_t v = 2 * core; v < g->n; v++)
        for (uint64_t k = below(g, 4); k > 0; k--)
            join(g, v, below(g, 3) ? below(g, core) : 2 * core + below(g, v - 2 * core + 1),
                 (int64_t)below(g, longest));
    g->source = below(g, 2) ? g->n - 1 : 0;
}

/* Paths of edges of length 0, cycles and edges between the paths: many vertices have equal distances. */
static void add_flat(graph *g)
{
    const uint64_t path = 3 + below(g, 9), paths = (g->n + path - 1) / path;
    for (uint64_t v = 0; v + 1 < g->n; v++)
        if ((v + 1) % path != 0)
            add_edge(g, v, v + 1, 0);
        else if (v >= path && below(g, 3) == 0) /* back to the path's first vertex */
            add_edge(g, v, v + 1 - path, 0);
    for (uint64_t k = 0; k < 3 * paths; k++)
        add_edge(g, below(g, g->n), below(g, g->n), (int64_t)below(g, 4));
}

static void choose_edges(graph *g, unsigned shape)
{
    static const char *const names[SHAPES] = {
        "empty",      "one vertex", "path",      "star",           "dense",
        "dense, hub", "sparse",     "two parts", "short lengths",  "flat paths",
        "some zeros", "directed",   "skewed",    "one way shorter"};
    g->shape = names[shape];
    g->n = shape == 1 ? 1 : 2 + below(g, VERTICES);
    switch (shape) {
    case 0:
        break;
    case 1:
        add_edge(g, 0, 0, 3);
        break;
    case 2:
        g->n = 2 + below(g, 60);
        for (uint64_t v = 0; v + 1 < g->n; v++)
            add_edge(g, v, v + 1, (int64_t)below(g, 9));
        break;
    case 3:
        for (uint64_t v = 0; v < g->n; v++)
            join(g, g->n / 2, v, (int64_t)below(g, 99));
        break;
    case 4:
    case 5:
        add_random(g, g->n, 7500, 1000, shape == 5);
        break;
    case 6:
        add_random(g, g->n, g->n, 1000, false);
        break;
    case 7: /* only the first half is connected; the rest has edges and isolated vertices */
        add_random(g, (g->n + 1) / 2, 6000, 1 << 20, false);
        for (uint64_t v = g->n / 2 + 2; v + 5 < g->n; v += 3)
            join(g, v, v + 1, 1);
        break;
    case 8:
        add_random(g, g->n, 7500, 2, true);
        break;
    case 9:
        add_flat(g);
        break;
    case 10: /* the rows are long enough for columns to be pulled */
        g->n = 150 + below(g, 100);
        for (uint64_t k = 0; k < 7500; k++)
            join(g, below(g, g->n), below(g, g->n),
                 below(g, 100) == 0 ? 0 : 1 + (int64_t)below(g, 12));
        break;
    case 11:
        for (uint64_t k = 0; k < 12000; k++)
            add_edge(g, below(g, g->n), below(g, g->n), (int64_t)below(g, 5000));
        break;
    case 12:
        add_skewed(g);
        break;
    default: /* all edges but a few have a mirror edge of the same length */
        add_random(g, g->n, 7000, 1000, true);
        for (uint64_t k = 1 + below(g, 3); k > 0; k--)
            add_edge(g, g->n / 2, below(g, g->n), 0);
    }
}

graph make_graph(uint64_t seed)
{
    static const sl_type types[] = {SL_INT32, SL_INT64, SL_FP32, SL_FP64};
    graph g = {.seed = seed, .random = seed, .type = types[seed / SHAPES % 4]};
    g.from = malloc(EDGES * sizeof *g.from);
    g.to = malloc(EDGES * sizeof *g.to);
    g.length = malloc(EDGES * sizeof *g.length);
    choose_edges(&g, (unsigned)(seed % SHAPES));
    if (below(&g, 2))
        g.source = below(&g, g.n);
    return g;
}

void free_graph(graph *g)
{
    free(g->from);
    free(g->to);
    free(g->length);
}
