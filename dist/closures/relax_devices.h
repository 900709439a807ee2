/* Closures that relax on the ranks' devices (la/cuda/paths/). */
#ifndef SEMLA_DIST_RELAX_DEVICES_H
#define SEMLA_DIST_RELAX_DEVICES_H

#include "dist/grid/grid.h"

/*
 * Runs a closure that is not a search on the devices, if every rank has one and SEMLA_DIST does not
 * have the word nodevices. *served is false if they cannot, which counts as a fallback and has its
 * reason in the note of the call; or if there are no devices. Collective; the ranks agree on the
 * status and on *served.
 */
sl_status sl_grid_relax_on_devices(bool *served, sl_call *call);

/*
 * The operation `predecessors`, if the devices keep what it reads. *found: a block of the least predecessors of the own
 * vertices, which the caller owns, or NULL if they do not. Collective; the ranks agree.
 */
sl_status sl_grid_predecessors_on_devices(sl_vector **found, const sl_call *call);

#endif
