/*
 * METIS graph files (Karypis, "METIS 5.1.0 manual", 2013, section 4.1.1), also used by Chaco and
 * the 10th DIMACS Implementation Challenge:
 *
 *     % a comment, anywhere
 *     VERTICES EDGES [FMT [NCON]]
 *     [SIZE] [WEIGHT ... ] NEIGHBOUR [EDGE WEIGHT] NEIGHBOUR [EDGE WEIGHT] ...
 *
 * with one line of the last kind per vertex, empty if it has no neighbour. FMT has up to three
 * binary digits: vertices have a size, vertices have NCON (default 1) weights, edges have a weight.
 * The graph is undirected without self-loops: EDGES counts each edge once, and both endpoints list
 * each other. Vertices are numbered from 1. Weights are integers, of edges from 1, of vertices from
 * 0.
 *
 * This header has the check that both endpoints list each other, which reader and writer share.
 */
#ifndef SEMLA_IO_METIS_H
#define SEMLA_IO_METIS_H

#include <semla/io.h>

#pragma GCC visibility push(hidden)

/*
 * State of the symmetry check. The rows are visited in increasing order. The edges from a vertex v
 * to greater neighbours ("upper edges") are in `col`, in increasing order. The first of them that
 * its other endpoint has not yet listed is known at any time; since rows are visited in increasing
 * order, the next greater vertex that lists v must be that endpoint. The check takes O(edges) time.
 */
typedef struct {
    const uint64_t *col;
    const int64_t *weight; /* weights of the upper edges, or NULL */
} upper_edges;

/* The upper edges of one vertex that are not yet matched: indices `next` to `end` - 1. */
typedef struct {
    uint64_t next, end;
} unmatched_edges;

/* A violation of symmetry. */
typedef struct {
    enum { MISSING_MIRROR, WEIGHTS_DIFFER } kind;
    uint64_t vertex, neighbour;    /* `vertex` lists `neighbour` */
    int64_t weight, mirror_weight; /* WEIGHTS_DIFFER: the weight in the row of `vertex`, and in the
                                      row of `neighbour` */
} symmetry_error;

/*
 * Matches the entry (vertex, neighbour), vertex > neighbour, with the next unmatched upper edge of
 * the neighbour; false if that edge is another one or has another weight.
 */
static inline bool match_mirror(const upper_edges *edges, unmatched_edges *open, uint64_t vertex,
                                int64_t weight)
{
    const uint64_t k = open->next;
    if (k == open->end || edges->col[k] != vertex || (edges->weight && edges->weight[k] != weight))
        return false;
    open->next++;
    return true;
}

/* The violation after match_mirror has returned false. */
symmetry_error mirror_mismatch(const upper_edges *edges, unmatched_edges open, uint64_t vertex,
                               uint64_t neighbour, int64_t weight);

/* The violation for a vertex that has unmatched edges at the end. */
symmetry_error missing_mirror(const upper_edges *edges, unmatched_edges open, uint64_t vertex);

#pragma GCC visibility pop
#endif
