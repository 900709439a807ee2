/* Decides whether operations exchange data between devices, and counts what they have received. */
#include "dist/grid/devices.h"

#include <string.h>

#include "dist/grid/blocks.h"
#include "dist/grid/dist_switches.h"

/* ---- the decision ------------------------------------------------------------------------------- */

bool sl_grid_finds_on_device(const sl_grid *grid, const sl_object *const *objects, size_t count)
{
    if (!grid->device_engine || grid->switches & SL_DIST_NODEVICES)
        return false;
    for (size_t k = 0; k < count; k++) {
        const sl_object *block = sl_grid_block(objects[k]);
        if (block && sl_handle(block, grid->device_engine->store))
            return true;
    }
    return false;
}

/* Copies the blocks to the device. made[k]: block k was not there. */
static sl_status copy_blocks(bool *made, sl_object *const *blocks, size_t count,
                             const sl_store *device)
{
    sl_status status = SL_OK;
    for (size_t k = 0; k < count; k++) {
        made[k] = blocks[k] && !sl_handle(blocks[k], device);
        if (made[k] && status == SL_OK)
            status = sl_object_migrate(blocks[k], device);
    }
    return status;
}

sl_status sl_grid_move_to_devices(sl_grid *grid, const sl_object *const *objects, size_t count)
{
    const sl_store *device = grid->device_engine->store;
    sl_object *blocks[SL_MAX_OPERANDS];
    bool made[SL_MAX_OPERANDS];
    for (size_t k = 0; k < count; k++)
        blocks[k] = sl_grid_block(objects[k]);
    sl_status status = copy_blocks(made, blocks, count, device);
    if (status < 0)
        sl_grid_local_failed(grid, status);
    status = sl_grid_agree(grid, status);
    for (size_t k = 0; k < count; k++)
        if (blocks[k] && (status == SL_OK || made[k]))
            sl_object_drop(blocks[k], status == SL_OK ? &sl_store_host : device);
    grid->by_devices = grid->by_devices || status == SL_OK;
    return status;
}

/* ---- traffic -------------------------------------------------------------------------------------- */

bool sl_grid_carries_by_hosts(const char *transport)
{
    return strcmp(transport, "hosts") == 0;
}

void sl_grid_note_devices(sl_grid *grid, sl_phase phase)
{
    sl_device_traffic *by = &grid->device_traffic;
    sl_traffic *t = &grid->traffic;
    t->bytes[phase][SL_ENCODING_VALUES] += by->bytes;
    t->host_bytes[phase] += by->host_bytes;
    t->messages[phase] += by->messages;
    t->seconds[phase] += by->seconds;
    *by = (sl_device_traffic){.transport = by->transport};
}
