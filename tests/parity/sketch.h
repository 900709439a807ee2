/* Graphs of a few thousand edges, drawn edge by edge. */
#ifndef SEMLA_TESTS_PARITY_SKETCH_H
#define SEMLA_TESTS_PARITY_SKETCH_H

#include <semla/io.h>

enum { MOST_EDGES = 8192 };

/* Vertices 0 ... n - 1. */
typedef struct {
    uint64_t n, count, row[MOST_EDGES], col[MOST_EDGES];
} sketch;

void join(sketch *s, uint64_t u, uint64_t v);
/* Every two of the first `vertices`: such a graph is ordered by degree. */
void add_core(sketch *s, uint64_t vertices);
/* New vertices that hang from `from`. */
void add_path(sketch *s, uint64_t from, uint64_t length);
void add_tree(sketch *s, uint64_t from, uint64_t vertices, uint64_t *random);
/* Numbers the vertices anew, so that a tree's are anywhere. */
void shuffle(sketch *s, uint64_t *random);
/* The arrays are the sketch's. */
sl_edges edges_of(sketch *s);

#endif
