/* The default grid of so many ranks. Arithmetic; no MPI. */
#ifndef SEMLA_DIST_SHAPE_H
#define SEMLA_DIST_SHAPE_H

#include <stdint.h>

/*
 * What a search costs on R x C ranks: what each of them receives, in bitmaps of a block of
 * vertices, as it was counted for Kronecker graphs (docs/performance.md), for one number of ranks.
 * The two or three wide frontiers come from R - 1 ranks of a column, 2 bitmaps from each; two pulls
 * pass missing vertices on C - 1 times, and each time the next has to wait, which is taken to cost
 * as much again: 4. At the end parents are fetched of vertices that were found on other columns, (C
 * - 1) / C of all, 9 bits each.
 */
double sl_shape_cost(uint32_t rows, uint32_t cols);

/* The grid for which that is least; of equals the one of more rows. */
void sl_shape_default(uint32_t ranks, uint32_t *rows, uint32_t *cols);

#endif
