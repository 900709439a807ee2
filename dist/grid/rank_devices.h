/*
 * The ranks and their devices, as the engines of the devices know them (<semla/device_grid.h>): a group, a grid, and a
 * grid of one row. Members of the group and of the row are ordered by their blocks of vertices, so results are where
 * the vectors of the grid have them. For dist/ alone.
 */
#ifndef SEMLA_DIST_RANK_DEVICES_H
#define SEMLA_DIST_RANK_DEVICES_H

#include "dist/grid/grid.h"

/* True if every rank has such an engine. Collective. */
bool sl_grid_has_devices(sl_grid *grid);
/* True if there are more ranks than a row that searches has, or one that checks trees. */
bool sl_grid_exceeds_group(const sl_grid *grid);
bool sl_grid_exceeds_checks(const sl_grid *grid);

/* Describes the ranks to the engines of their devices, if every rank has such an engine. Collective. */
void sl_grid_make_devices(sl_grid *grid);

/* A closure as a call of the local context on this rank's blocks. */
typedef struct {
    sl_closure_options options;
    sl_traversal traversal;
    sl_call call;
} sl_grid_local_closure;
void sl_grid_localize_closure(sl_grid_local_closure *local, sl_grid *grid, const sl_call *call);
/* Marks the blocks of the results as written by the devices. */
void sl_grid_closure_written(const sl_grid_local_closure *local, const sl_grid *grid);

#endif
