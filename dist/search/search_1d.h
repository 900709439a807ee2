/* Searches by the GPUs of all ranks in one dimension: each GPU has all edges into its rank's vertices. For dist/. */
#ifndef SEMLA_DIST_SEARCH_1D_H
#define SEMLA_DIST_SEARCH_1D_H

#include "dist/grid/grid.h"

/* True if the group can search a graph of so many vertices. Not collective. */
bool sl_grid_group_supports(const sl_grid *grid, uint64_t vertices);

/* Prepares a matrix for searches: *part is this rank's part of the graph, to be released by
 * grid->search.by_group. Collective; the ranks agree. */
sl_status sl_grid_group_prepare(void **part, sl_grid *grid, const sl_object *A);

/* Runs a closure on the blocks. Collective; the ranks agree on the status. */
sl_status sl_grid_group_search(void *part, sl_grid *grid, sl_call *call);

/* CHECK_TREE of a local call in which `a` is this rank's block of the parents. Likewise. */
sl_status sl_grid_group_check_tree(sl_grid *grid, sl_call *local, uint64_t vertices);

#endif
