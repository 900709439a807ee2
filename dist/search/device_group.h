/*
 * Searches by the devices of all ranks together. For them a grid of any shape is one of one column:
 * each rank has all edges into its vertices, and its engine goes along with those of the others
 * (sl_device_group in <semla/engine.h>), numbered by the blocks of vertices that they have; so what
 * is found is where the grid's vectors have it. For dist/ alone.
 */
#ifndef SEMLA_DIST_TEAM_H
#define SEMLA_DIST_TEAM_H

#include "grid.h"

/* Whether every rank has an engine that such searches take. Collective. */
bool sl_grid_has_devices(sl_grid *grid);

/* Makes the team, where every rank has such an engine. Collective. */
void sl_grid_make_device_group(sl_grid *grid);

/* Whether the team may search a matrix. */
bool sl_grid_group_supports(const sl_grid *grid, const sl_object *A);

/* What the team has prepared of a matrix: for sl_grid_group_search. Collective, the ranks
 * agree on the result. */
sl_status sl_grid_group_prepare(void **part, sl_grid *grid, const sl_object *A);

/* The closure, on the pieces; *done false: nothing has changed. Likewise. */
sl_status sl_grid_group_search(void *part, sl_grid *grid, sl_call *call, bool *done);

/* CHECK_TREE of a local call whose `a` is this rank's piece of the parents. Likewise. */
sl_status sl_grid_group_check_tree(sl_grid *grid, sl_call *local, uint64_t vertices);

#endif
