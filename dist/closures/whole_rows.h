/* The rows of each rank's vertices, for closures by the ranks' devices (whole_rows.c). For dist/ alone. */
#ifndef SEMLA_DIST_WHOLE_ROWS_H
#define SEMLA_DIST_WHOLE_ROWS_H

#include <semla/device_relaxations.h>

#include "dist/grid/grid.h"

/* Sets the processes of a closure, and its blocks of a matrix of so many vertices. */
void sl_relax_on_grid(sl_device_relaxation *x, const sl_device_grid *grid, uint64_t vertices);

/*
 * *rows: a matrix of the local context with the rows of this rank's vertices and all columns of
 * call->a, a matrix of a grid of several rows, if shortest paths are faster with it; made at first
 * use, and owned by call->a; or NULL. `local` is the closure on the blocks. Then the processes of
 * the closure are sl_grid.devices.row. Collective; the ranks agree.
 */
sl_status sl_grid_whole_rows(sl_matrix **rows, sl_grid *grid, const sl_call *call, sl_call *local,
                             sl_device_relaxation *x);
/* The same if they have been made, else NULL. */
sl_status sl_grid_kept_whole_rows(sl_matrix **rows, sl_grid *grid, const sl_call *call);

#endif
