/*
 * Searches by the GPUs of all ranks together, which form a device group (sl_device_group in
 * <semla/engine.h>). For the group a grid of any shape is one column: each rank has all edges into
 * its vertices. Members are ordered by their blocks of vertices, so results are where the vectors
 * of the grid have them. For dist/ alone.
 */
#ifndef SEMLA_DIST_DEVICE_GROUP_H
#define SEMLA_DIST_DEVICE_GROUP_H

#include "grid.h"

/* True if every rank has an engine that offers searches by device groups. Collective. */
bool sl_grid_has_devices(sl_grid *grid);

/* Creates the device group, if every rank has such an engine. Collective. */
void sl_grid_make_device_group(sl_grid *grid);

/* True if the group can search a matrix. Not collective. */
bool sl_grid_group_supports(const sl_grid *grid, const sl_object *A);

/* Prepares a matrix for searches: *part is this rank's part of the graph, to be released by
 * grid->group_search. Collective; the ranks agree. */
sl_status sl_grid_group_prepare(void **part, sl_grid *grid, const sl_object *A);

/* Runs a closure on the blocks. Collective; the ranks agree on the status. */
sl_status sl_grid_group_search(void *part, sl_grid *grid, sl_call *call);

/* CHECK_TREE of a local call in which `a` is this rank's block of the parents. Likewise. */
sl_status sl_grid_group_check_tree(sl_grid *grid, sl_call *local, uint64_t vertices);

#endif
