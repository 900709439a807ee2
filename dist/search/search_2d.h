/* Searches by the GPUs of all ranks in two dimensions: each GPU has its rank's block of the matrix. For dist/ alone. */
#ifndef SEMLA_DIST_SEARCH_2D_H
#define SEMLA_DIST_SEARCH_2D_H

#include "dist/grid/grid.h"

/* True if the blocks of a graph of so many vertices have 32-bit local indices. Not collective. */
bool sl_grid_fits_device_grid(const sl_grid *grid, uint64_t vertices);

/* Prepares a matrix for searches: *part is this rank's part, to be released by grid->search.by_grid.
 * SL_UNSUPPORTED: the graph has too many vertices with edges for 32-bit ids. Collective; the ranks
 * agree. */
sl_status sl_grid_prepare_part(void **part, sl_grid *grid, const sl_matrix *A);

/* Runs a closure on the blocks. Collective; the ranks agree on the status. */
sl_status sl_grid_search_part(void *part, sl_grid *grid, sl_call *call);

#endif
