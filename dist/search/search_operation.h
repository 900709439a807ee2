/* A search as an operation of the grid's engine. For dist/. */
#ifndef SEMLA_DIST_SEARCH_OPERATION_H
#define SEMLA_DIST_SEARCH_OPERATION_H

#include "dist/grid/grid.h"

/*
 * Runs a closure over a semiring of searches, unless devices can only do it by products, to which its operands
 * are then moved, or the graph has few entries for its vertices: then *by_products is true. Collective; the ranks
 * agree on it.
 */
sl_status sl_grid_search(bool *by_products, sl_call *call);

#endif
