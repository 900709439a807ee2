/* The edges into a rank's vertices, from those of its grid row. For dist/ alone. */
#ifndef SEMLA_DIST_COLUMNS_H
#define SEMLA_DIST_COLUMNS_H

#include "grid.h"

/*
 * A pattern of the local context with all entries of a square matrix A whose columns are this
 * rank's vertices: a row for each vertex, a column for each of its own. All of them are on its grid
 * row, whose ranks exchange them through the hosts. Collective, the ranks agree on the result.
 */
sl_status sl_grid_in_edges(sl_matrix **made, sl_grid *grid, const sl_object *A);

#endif
