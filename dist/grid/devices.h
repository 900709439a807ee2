/*
 * Decides whether an operation on objects of a grid exchanges its data between the ranks' devices, or
 * between their hosts. It does so by devices if
 *   - every rank has an engine with a device that offers the exchanges (grid->device_engine),
 *   - SEMLA_DIST does not have the word nodevices, and
 *   - the block of an operand is in a device's memory, on some rank.
 * The ranks learn this from the agreement with which every operation begins. For dist/.
 */
#ifndef SEMLA_DIST_DEVICES_H
#define SEMLA_DIST_DEVICES_H

#include "dist/grid/grid.h"

/* Whether this rank has the block of one of the objects, which may be NULL, in a device's memory, and the
 * exchanges may use devices at all. Not collective: sl_grid_agree_call has the ranks agree. */
bool sl_grid_finds_on_device(const sl_grid *grid, const sl_object *const *objects, size_t count);

/*
 * Moves this rank's blocks of objects, which may be NULL, from the hosts to the devices, between which the running
 * operation exchanges its data from then on (grid->by_devices). After a failure no block has moved. At most
 * SL_MAX_OPERANDS objects. Every rank must have a device_engine. Collective; the ranks agree. SL_NO_MEMORY and
 * SL_UNSUPPORTED: a device has no room for a block.
 */
sl_status sl_grid_move_to_devices(sl_grid *grid, const sl_object *const *objects, size_t count);

/* Whether a transport of the devices (dist.h) passes data through the memory of hosts. */
bool sl_grid_carries_by_hosts(const char *transport);
/* Adds what exchanges between devices have received since the last call to a phase of the grid's
 * traffic. Not collective. */
void sl_grid_note_devices(sl_grid *grid, sl_phase phase);

#endif
