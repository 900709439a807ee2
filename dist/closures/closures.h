/* Closures on the grid. */
#ifndef SEMLA_DIST_CLOSURES_H
#define SEMLA_DIST_CLOSURES_H

#include "dist/grid/grid.h"

/*
 * Runs a closure by iterations of the grid: one product and operations on blocks in each, and one
 * agreement of the ranks on their status, on the end, and on targets. Collective.
 */
sl_status sl_grid_iterations(sl_call *call);

/* The operation `closure`: a search (search_operation.h), relaxation on the ranks' devices
 * (relax_devices.h), or iterations. */
sl_status sl_grid_closure(sl_call *call);

/* The operations `predecessors` and, over semirings of searches, `closures`. */
sl_status sl_grid_predecessors(sl_call *call);
sl_status sl_grid_closures(sl_call *call);

#endif
