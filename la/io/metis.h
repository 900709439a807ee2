/*
 * METIS graph files (Karypis, "METIS 5.1.0 manual", 2013, section 4.1.1), which
 * Chaco and the 10th DIMACS Implementation Challenge use too:
 *
 *     % a comment, anywhere
 *     VERTICES EDGES [FMT [NCON]]
 *     [SIZE] [WEIGHT ... ] NEIGHBOUR [EDGE WEIGHT] NEIGHBOUR [EDGE WEIGHT] ...
 *
 * with a line of the last kind for each vertex, empty where it has no neighbour.
 * FMT is up to three binary digits: vertices have a size, vertices have NCON (1)
 * weights, edges have a weight. The graph is undirected: EDGES counts each edge
 * once, both of its ends name the other. There are no self-loops. Vertices are
 * numbered from 1; weights are whole numbers, an edge's from 1, a vertex's from 0.
 */
#ifndef SEMLA_IO_METIS_H
#define SEMLA_IO_METIS_H

#include <semla/io.h>

#pragma GCC visibility push(hidden)

/* The neighbours of vertices: row[k] names col[k], ascending by row. */
typedef struct {
    uint64_t vertices, count;
    uint64_t *row, *col;
    int64_t *weight; /* or NULL */
} neighbour_lists;

/* Fills in `to`, whose arrays have room for `from`'s: col[k] is named by row[k],
 * ascending by col and stably so by row. Twice is sorted by both. False if there is no memory. */
bool transpose_lists(neighbour_lists *to, const neighbour_lists *from);

/* Arrays for the same number of entries; false if there is no memory, and lists to
 * be freed in any case. */
bool lists_like(neighbour_lists *lists, const neighbour_lists *other);
void lists_free(neighbour_lists *lists);

/* In what an undirected graph's lists are wrong. */
typedef struct {
    enum { LISTS_RIGHT, LISTS_UNANSWERED, LISTS_TWICE, LISTS_WEIGHTS } fault;
    uint64_t vertex, neighbour; /* the first names the second */
    int64_t weight, answer;     /* LISTS_WEIGHTS: of the two entries */
} lists_fault;

/* Compares sorted lists with their transpose. */
lists_fault find_fault(const neighbour_lists *lists, const neighbour_lists *transpose);

#pragma GCC visibility pop
#endif
