/* The division of a graph's vertices into pieces of about equal work, and loops over them that end when a
 * call is cancelled. Private to the OpenMP engine. */
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

/* Loops over the vertices v of all pieces of b, which has n and `pieces`; the outer loop is divided among
 * threads. Once ends(b) is true, pieces are empty. */
#define SL_FOR_PIECES(b, start, v, ends)                                                           \
    for (uint64_t piece = 0; piece < (b)->pieces; piece++)                                         \
        for (uint64_t v = sl_openmp_piece_begin(start, (b)->n, piece, (b)->pieces),                \
                      end_ = ends(b)                                                               \
                                 ? v                                                               \
                                 : sl_openmp_piece_begin(start, (b)->n, piece + 1, (b)->pieces);   \
             v < end_; v++)

#endif
