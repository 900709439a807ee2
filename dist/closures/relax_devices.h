/* Closures that relax on the ranks' devices (la/cuda/grid_relax/). */
#ifndef SEMLA_DIST_RELAX_DEVICES_H
#define SEMLA_DIST_RELAX_DEVICES_H

#include "grid.h"

/*
 * Runs a closure that is not a search on the devices, if every rank has one and SEMLA_DIST does not
 * have the word nodevices. *served is false if they cannot, which counts as a fallback and has its
 * reason in the note of the call; or if there are no devices. Collective; the ranks agree on the
 * status and on *served.
 */
sl_status sl_grid_relax_on_devices(bool *served, sl_call *call);

#endif
