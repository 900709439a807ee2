/* The division of a graph's vertices into pieces of about equal work. Private to the OpenMP engine. */
#ifndef SEMLA_OPENMP_PIECES_H
#define SEMLA_OPENMP_PIECES_H

#include <stdint.h>

/* The first vertex of a piece: pieces have about as many edges and vertices. */
static inline uint64_t sl_openmp_piece_begin(const uint64_t *start, uint64_t n, uint64_t piece,
                                             uint64_t pieces)
{
    const uint64_t before = (start[n] + n) / pieces * piece;
    uint64_t from = 0, to = n;
    if (piece == pieces)
        return n;
    while (from < to) {
        const uint64_t middle = (from + to) / 2;
        if (start[middle] + middle < before)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

#endif
