/* The edges into a rank's vertices, collected from its grid row. For dist/ alone. */
#ifndef SEMLA_DIST_IN_EDGES_H
#define SEMLA_DIST_IN_EDGES_H

#include "dist/grid/grid.h"

/*
 * *made is a new pattern in the local context with the columns of a square matrix A that belong to
 * this rank's vertices: one row for each vertex of the graph, one column for each own vertex. The
 * devices of the grid row exchange the entries, in pieces. grid->device_engine must have
 * device_matrices. Collective; the ranks agree.
 */
sl_status sl_grid_in_edges(sl_matrix **made, sl_grid *grid, const sl_object *A);

#endif
