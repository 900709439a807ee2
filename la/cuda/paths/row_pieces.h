/* A list of pieces of rows, whose edges are relaxed. Included by C and CUDA sources. */
#ifndef SEMLA_CUDA_ROW_PIECES_H
#define SEMLA_CUDA_ROW_PIECES_H

#include <stdint.h>

/* The first edge of each piece, and the inclusive sums of the numbers of their edges, none of which is 0; in device
 * memory. Pieces and edges are counted together, packed like the counts of a frontier. */
typedef struct {
    uint64_t *begin, *ends;
} row_pieces;

#endif
