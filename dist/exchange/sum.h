/* Non-blocking sums of counts over all ranks of a grid. For dist/. */
#ifndef SEMLA_DIST_SUM_H
#define SEMLA_DIST_SUM_H

#include "dist/exchange/traffic.h"
#include "dist/grid/grid.h"

typedef struct {
    sl_grid *grid;
    sl_traffic *traffic;
    MPI_Request request;
    uint64_t bytes;
} sl_sum;

/* Begins to replace `number` counts by their sums, which are valid after sl_sum_end. Collective. */
sl_status sl_sum_begin(sl_sum *sum, sl_grid *grid, sl_traffic *traffic, uint64_t *counts,
                       int number);
sl_status sl_sum_end(sl_sum *sum);

#endif
