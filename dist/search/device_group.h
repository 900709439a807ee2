/*
 * Searches by the GPUs of all ranks together, which form a device group (sl_device_group in
 * <semla/engine.h>). For the group a grid of any shape is one column: each rank has all edges into
 * its vertices. Members are ordered by their blocks of vertices, so results are where the vectors
 * of the grid have them. For dist/ alone.
 */
#ifndef SEMLA_DIST_DEVICE_GROUP_H
#define SEMLA_DIST_DEVICE_GROUP_H

#include "grid.h"

/* The first engine of this rank that offers searches by several devices, or NULL. */
const sl_engine *sl_grid_searching_engine(const sl_grid *grid);

/* True if every rank has such an engine. Collective. */
bool sl_grid_has_devices(sl_grid *grid);
/* True if there are more ranks than a device group that searches has, or one that checks trees. */
bool sl_grid_exceeds_group(const sl_grid *grid);
bool sl_grid_exceeds_checks(const sl_grid *grid);

/* Describes the ranks to the engines of the devices, if every rank has such an engine. Collective. */
void sl_grid_make_device_group(sl_grid *grid);

/* True if the group can search a graph of so many vertices. Not collective. */
bool sl_grid_group_supports(const sl_grid *grid, uint64_t vertices);

/* A closure as a call of the local context on this rank's blocks. */
typedef struct {
    sl_closure_options options;
    sl_traversal traversal;
    sl_call call;
} sl_grid_local_closure;
void sl_grid_localize_closure(sl_grid_local_closure *local, sl_grid *grid, const sl_call *call);
/* Marks the blocks of the results as written by the devices. */
void sl_grid_closure_written(const sl_grid_local_closure *local, const sl_grid *grid);

/* Prepares a matrix for searches: *part is this rank's part of the graph, to be released by
 * grid->search.by_group. Collective; the ranks agree. */
sl_status sl_grid_group_prepare(void **part, sl_grid *grid, const sl_object *A);

/* Runs a closure on the blocks. Collective; the ranks agree on the status. */
sl_status sl_grid_group_search(void *part, sl_grid *grid, sl_call *call);

/* CHECK_TREE of a local call in which `a` is this rank's block of the parents. Likewise. */
sl_status sl_grid_group_check_tree(sl_grid *grid, sl_call *local, uint64_t vertices);

#endif
