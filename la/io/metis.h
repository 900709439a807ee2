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

/*
 * Both ends of an edge have to name each other. Given the vertices in rising order, and
 * the neighbours of each, an edge is first named by its lesser end: these come to stand
 * in `col`, ascending for each vertex. So a vertex's next edge that its greater end has
 * not answered is known at any time, and is the one that the next such end has to name.
 */
typedef struct {
    const uint64_t *col;
    const int64_t *weight; /* or NULL */
} named_edges;

/* The edges of one vertex that are not answered: from `next` to `end`. */
typedef struct {
    uint64_t next, end;
} open_edges;

/* In what the neighbours of an undirected graph's vertices are wrong. */
typedef struct {
    enum { ENDS_UNANSWERED, ENDS_WEIGHTS } fault;
    uint64_t vertex, neighbour; /* the first names the second */
    int64_t weight, answer;     /* ENDS_WEIGHTS: the first's and the second's */
} ends_fault;

/* True if `vertex`, naming a lesser neighbour, answers the next of that one's edges. */
static inline bool answers(const named_edges *edges, open_edges *open, uint64_t vertex,
                           int64_t weight)
{
    const uint64_t k = open->next;
    if (k == open->end || edges->col[k] != vertex || (edges->weight && edges->weight[k] != weight))
        return false;
    open->next++;
    return true;
}

/* What is wrong where it does not. */
ends_fault unanswering(const named_edges *edges, open_edges open, uint64_t vertex,
                       uint64_t neighbour, int64_t weight);

/* What is wrong at the end with a vertex that has edges left. */
ends_fault unanswered(const named_edges *edges, open_edges open, uint64_t vertex);

#pragma GCC visibility pop
#endif
