/* The default shapes of grids. Arithmetic only, no MPI. */
#ifndef SEMLA_DIST_SHAPE_H
#define SEMLA_DIST_SHAPE_H

#include <stdint.h>

/*
 * The expected cost of a search on R x C ranks: what a rank receives, in bitmaps of a block of
 * vertices. The weights were counted for Kronecker graphs (docs/notes/performance-grid.md):
 *   2 (R - 1)      expand: 2 bitmaps from each other rank of the column, for the 2 or 3 levels with
 *                  large frontiers
 *   4 (C - 1)      pulls: 2 levels pass the missing vertices on C - 1 times; each time the next
 *                  rank waits, which is assumed to cost as much again
 *   9 (C - 1) / C  parents: of the vertices reached on another column, 9 bits for each vertex
 */
double sl_shape_cost(uint32_t rows, uint32_t cols);

/* The shape of least cost; of equal costs the one with more rows. */
void sl_shape_default(uint32_t ranks, uint32_t *rows, uint32_t *cols);

/* The shape for ranks with GPUs that search in one dimension, which no shape slows down: the squarest, with at least as
 * many columns as rows. Other operations receive the least there, and a row of the matrix is in as few pieces as a
 * column or in fewer (docs/notes/performance-grid.md). */
void sl_shape_of_devices(uint32_t ranks, uint32_t *rows, uint32_t *cols);

#endif
