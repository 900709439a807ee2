/* Searches by the GPUs of all ranks: in one dimension each GPU has all edges into its rank's vertices, in two its
 * rank's block of the matrix. `kind` is SL_BY_GROUP or SL_BY_GRID. For dist/. */
#ifndef SEMLA_DIST_DEVICE_SEARCH_H
#define SEMLA_DIST_DEVICE_SEARCH_H

#include "dist/grid/grid.h"
#include "dist/search/search_choice.h"

/* True if the GPUs can search a graph of so many vertices in one dimension; in two. Not collective. */
bool sl_grid_group_supports(const sl_grid *grid, uint64_t vertices);
bool sl_grid_fits_device_grid(const sl_grid *grid, uint64_t vertices);

/* The engine's search of a kind. */
const sl_device_search *sl_device_search_of(const sl_device_searches *searches,
                                            sl_search_kind kind);

/* Prepares a matrix for searches: *part is this rank's part of the graph, to be released by the engine.
 * SL_UNSUPPORTED: the graph has too many vertices with edges for 32-bit ids. Collective; the ranks agree. */
sl_status sl_device_search_prepare(void **part, sl_grid *grid, const sl_matrix *A,
                                   sl_search_kind kind);

/* Runs a closure on the blocks. Collective; the ranks agree on the status. */
sl_status sl_device_search_run(void *part, sl_grid *grid, sl_call *call, sl_search_kind kind);

/* CHECK_TREE of a local call in which `a` is this rank's block of the parents. Likewise. */
sl_status sl_device_check_tree(sl_grid *grid, sl_call *local, uint64_t vertices);

#endif
