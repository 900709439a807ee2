/* Small graphs for tests: adjacency tables, random graphs, and distances by brute force. */
#ifndef SEMLA_TESTS_SMALL_GRAPHS_H
#define SEMLA_TESTS_SMALL_GRAPHS_H

#include <string.h>

#include <semla/bfs.h>

#include "support.h"

enum { MOST_VERTICES = 16 };

/* A graph as a table of its edges, and a view of its compressed rows. */
typedef struct {
    uint64_t n;
    bool edge[MOST_VERTICES][MOST_VERTICES];
    uint64_t start[MOST_VERTICES + 1], index[MOST_VERTICES * MOST_VERTICES];
} small_graph;

static inline sl_graph_view view_of(small_graph *g)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < g->n; i++) {
        g->start[i] = count;
        for (uint64_t j = 0; j < g->n; j++)
            if (g->edge[i][j])
                g->index[count++] = j;
    }
    g->start[g->n] = count;
    return (sl_graph_view){g->n, g->start, g->index, NULL, NULL};
}

/* The graph of pairs (from, to), terminated by -1; with mirror edges if undirected. */
static inline small_graph graph_of(uint64_t n, bool undirected, const int *pairs)
{
    small_graph g = {.n = n};
    for (; pairs[0] >= 0; pairs += 2) {
        g.edge[pairs[0]][pairs[1]] = true;
        if (undirected)
            g.edge[pairs[1]][pairs[0]] = true;
    }
    return g;
}

#define PAIRS(...) ((const int[]){__VA_ARGS__, -1})

/* A random graph of 1 to 10 vertices, sparse or dense, with self-loops. */
static inline small_graph random_graph(uint64_t *random)
{
    small_graph g = {.n = 1 + test_random(random) % 10};
    bool undirected = test_random(random) % 2;
    uint64_t density = test_random(random) % 80;
    for (uint64_t i = 0; i < g.n; i++)
        for (uint64_t j = 0; j < g.n; j++)
            if (test_random(random) % 100 < density) {
                g.edge[i][j] = true;
                g.edge[j][i] |= undirected;
            }
    return g;
}

/* Distances by relaxing every edge n times, an algorithm independent of the searches under test. */
static inline void distances(const small_graph *g, uint64_t source, int64_t *level)
{
    for (uint64_t v = 0; v < g->n; v++)
        level[v] = v == source ? 0 : SL_UNREACHED;
    for (uint64_t round = 0; round < g->n; round++)
        for (uint64_t i = 0; i < g->n; i++)
            for (uint64_t j = 0; j < g->n; j++)
                if (g->edge[i][j] && level[i] != SL_UNREACHED &&
                    (level[j] == SL_UNREACHED || level[j] > level[i] + 1))
                    level[j] = level[i] + 1;
}

#endif
