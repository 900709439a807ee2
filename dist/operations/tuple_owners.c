/* Owners of entries, and the sending of tuples to them or to all ranks, between devices or between hosts. */
#include "dist/operations/rank_tuples.h"

#include "dist/grid/devices.h"

sl_owner_rule sl_owner_rule_of(const sl_grid *grid, const sl_object *object, sl_target target,
                               uint64_t line)
{
    return (sl_owner_rule){.target =
                               target == SL_TO_MATRIX && !object->is_matrix ? SL_TO_VECTOR : target,
                           .rows = sl_grid_distribution(grid, object->nrows),
                           .cols = sl_grid_distribution(grid, object->ncols),
                           .row_places = {.step = 1},
                           .col_places = {.step = 1},
                           .line = line};
}

static sl_status find_owners(uint32_t **to, sl_grid *grid, const sl_tuples *t,
                             const sl_owner_rule *rule)
{
    const sl_tuple_memory *memory = sl_tuples_memory(t);
    SL_TRY(sl_tuples_array((void **)to, grid, memory, t->count * sizeof **to));
    SL_TRY_LOCAL(grid, memory->owners(grid->local, *to, t, rule));
    return SL_OK;
}

/* Tuples whose places are in no list have indices of the object: those of a row or a column of a matrix
 * are its columns or rows. */
static sl_frame frame_of(const sl_places *places, sl_frame_kind kind, const sl_distribution *of)
{
    const bool listed = places->items || places->first != 0 || places->step != 1;
    return (sl_frame){.kind = listed ? SL_FRAME_NONE : kind, .of = *of};
}

static void find_frames(sl_frame frames[2], const sl_owner_rule *rule)
{
    const bool across = rule->target == SL_TO_ROW;
    frames[0] = frame_of(&rule->row_places,
                         across                         ? SL_FRAME_COLUMNS
                         : rule->target == SL_TO_VECTOR ? SL_FRAME_VECTOR
                                                        : SL_FRAME_ROWS,
                         across ? &rule->cols : &rule->rows);
    frames[1] =
        frame_of(&rule->col_places, rule->target == SL_TO_MATRIX ? SL_FRAME_COLUMNS : SL_FRAME_NONE,
                 &rule->cols);
}

/* Converts indices between this rank's block and the object, as far as they have a frame. */
static sl_status convert(sl_tuples *t, sl_grid *grid, const sl_frame frames[2], bool to_local)
{
    const sl_tuple_memory *memory = sl_tuples_memory(t);
    for (int k = 0; k < 2; k++) {
        uint64_t *numbers = k == 0 ? t->rows : t->cols;
        if (!numbers || frames[k].kind == SL_FRAME_NONE)
            continue;
        const sl_local_blocks blocks = sl_frame_blocks(&frames[k], (uint32_t)grid->rank);
        SL_TRY_LOCAL(grid, (to_local ? memory->to_local : memory->to_global)(grid->local, numbers,
                                                                             t->count, &blocks));
    }
    return SL_OK;
}

/* Before an exchange between devices: the engine reports failures in its own context. */
static const sl_device_tuples *open_devices(sl_grid *grid, sl_status status)
{
    if (status < 0)
        sl_fail(grid->local, status, "%s", sl_context_message(grid->ctx));
    return grid->device_engine->devices.tuples;
}

static sl_status close_devices(sl_grid *grid, sl_status status)
{
    sl_grid_note_devices(grid, SL_PHASE_TUPLES);
    return status < 0 ? sl_grid_local_failed(grid, status) : status;
}

static sl_status send_by_devices(sl_tuples *received, sl_grid *grid, const sl_tuples *sent,
                                 const uint32_t *to, const sl_frame frames[2], sl_status status)
{
    const sl_device_tuples *devices = open_devices(grid, status);
    return close_devices(
        grid, devices->send(received, &grid->devices.grid, grid->local, sent, to, frames, status));
}

sl_status sl_tuples_send(sl_tuples *received, sl_grid *grid, const sl_tuples *sent,
                         const sl_owner_rule *rule, bool local, sl_status status)
{
    uint32_t *to = NULL;
    sl_frame frames[2];
    find_frames(frames, rule);
    if (status == SL_OK)
        status = find_owners(&to, grid, sent, rule);
    const sl_tuple_memory *memory = sl_tuples_memory(sent);
    const bool by_devices = memory != &sl_host_tuple_memory;
    status = by_devices ? send_by_devices(received, grid, sent, to, frames, status)
                        : sl_tuples_route(received, grid, grid->all, sent, to, status);
    memory->release(to);
    if (status == SL_OK && local != by_devices)
        status = convert(received, grid, frames, local);
    if (status != SL_OK)
        sl_tuples_free(received);
    return status;
}

sl_status sl_tuples_broadcast(sl_tuples *received, sl_grid *grid, int root, const sl_tuples *sent,
                              sl_status status)
{
    if (sl_tuples_memory(sent) == &sl_host_tuple_memory)
        return sl_tuples_share(received, grid, root, sent, status);
    const sl_device_tuples *devices = open_devices(grid, status);
    return close_devices(grid, devices->broadcast(received, &grid->devices.grid, grid->local,
                                                  (uint32_t)root, sent, status));
}

sl_status sl_tuples_to_owners(sl_tuples *received, sl_grid *grid, const sl_tuples *sent,
                              uint64_t nrows, uint64_t ncols, sl_status status)
{
    const sl_object shape = {.is_matrix = sent->cols, .nrows = nrows, .ncols = ncols};
    const sl_owner_rule rule = sl_owner_rule_of(grid, &shape, SL_TO_MATRIX, 0);
    return sl_tuples_send(received, grid, sent, &rule, true, status);
}
