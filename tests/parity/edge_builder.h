/* Builds graphs of a few thousand edges, edge by edge. */
#ifndef SEMLA_TESTS_PARITY_EDGE_BUILDER_H
#define SEMLA_TESTS_PARITY_EDGE_BUILDER_H

#include <semla/io.h>

enum { MOST_EDGES = 8192 };

/* A list of edges between vertices 0 ... n - 1. */
typedef struct {
    uint64_t n, count, row[MOST_EDGES], col[MOST_EDGES];
} edge_builder;

void add_edge(edge_builder *s, uint64_t u, uint64_t v);
/* A complete graph of the first `vertices`, so that the graph is reordered by degree. */
void add_core(edge_builder *s, uint64_t vertices);
/* A path or a random tree of new vertices, attached to vertex `from`. */
void add_path(edge_builder *s, uint64_t from, uint64_t length);
void add_tree(edge_builder *s, uint64_t from, uint64_t vertices, uint64_t *random);
/* A new graph of 700 vertices: a core, self-loops, isolated vertices and a path. */
void build_core_with_loops(edge_builder *s);
/* Renumbers the vertices at random. */
void shuffle(edge_builder *s, uint64_t *random);
/* The edges; the arrays belong to the builder. */
sl_edges edges_of(edge_builder *s);

#endif
