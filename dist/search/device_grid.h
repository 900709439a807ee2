/*
 * Searches by the GPUs of all ranks in two dimensions (sl_device_grid in <semla/engine.h>): each GPU
 * has its rank's block of the matrix. This file provides MPI and the blocks. For dist/ alone.
 */
#ifndef SEMLA_DIST_DEVICE_GRID_H
#define SEMLA_DIST_DEVICE_GRID_H

#include "grid.h"

/* Describes the ranks to the engines of their devices, as a device group (device_group.h) and as a
 * device grid, if every rank has a device. Collective. */
void sl_grid_make_devices(sl_grid *grid);

/* True if the blocks of a graph of so many vertices have 32-bit local indices. Not collective. */
bool sl_grid_fits_device_grid(const sl_grid *grid, uint64_t vertices);

/* Prepares a matrix for searches: *part is this rank's part, to be released by grid->search.by_grid.
 * SL_UNSUPPORTED: the graph has too many vertices with edges for 32-bit ids. Collective; the ranks
 * agree. */
sl_status sl_grid_prepare_part(void **part, sl_grid *grid, const sl_matrix *A);

/* Runs a closure on the blocks. Collective; the ranks agree on the status. */
sl_status sl_grid_search_part(void *part, sl_grid *grid, sl_call *call);

#endif
