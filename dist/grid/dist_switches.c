/* Reads the words of SEMLA_DIST. */
#include "dist/grid/dist_switches.h"

#include <stdlib.h>
#include <string.h>

#include <semla/agreement.h>

/* The position of a word in a list that ends with NULL, or -1. */
static int position_of(const char *const *list, const char *word, size_t length)
{
    for (int k = 0; list[k]; k++)
        if (strlen(list[k]) == length && strncmp(list[k], word, length) == 0)
            return k;
    return -1;
}

sl_status sl_dist_switches_parse(unsigned *switches, const char **transport, const char *text,
                                 const char **bad)
{
    static const char *const words[] = {"nocodecs", "novisited", "nodeferred", "nodevices",
                                        "codecs",   "noorder",   "1d",         "2d",
                                        "stages",   NULL};
    static const char *const transports[] = {"peers", "nccl", "hosts", NULL};
    *switches = 0;
    *transport = *bad = NULL;
    for (const char *at = text; at && *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        const int off = position_of(words, at, length), by = position_of(transports, at, length);
        if (off >= 0)
            *switches |= 1U << off;
        else if (by >= 0)
            *transport = transports[by];
        else if (length) {
            *bad = at;
            return SL_INVALID;
        }
        at += length;
    }
    return SL_OK;
}

sl_status sl_grid_read_switches(unsigned *switches, sl_grid *grid, const char *what)
{
    const char *bad = NULL;
    sl_device_group *group = &grid->devices.group;
    sl_status status =
        sl_dist_switches_parse(switches, &group->forced_transport, getenv("SEMLA_DIST"), &bad);
    if (status != SL_OK)
        status = sl_fail(grid->ctx, SL_INVALID,
                         "%s: SEMLA_DIST: unknown word '%.*s'; semla(1) lists the words", what,
                         (int)strcspn(bad, ","), bad);
    group->encodes = *switches & SL_DIST_CODECS && !(*switches & SL_DIST_NOCODECS);
    return status;
}

sl_status sl_grid_read_device_switches(sl_grid *grid, const sl_call *call)
{
    grid->switches = 0;
    return grid->device_engine
               ? sl_grid_read_switches(&grid->switches, grid, sl_operation_name(call->op))
               : SL_OK;
}

uint64_t sl_grid_device_switches_hash(const sl_grid *grid)
{
    const char *forced = grid->devices.group.forced_transport;
    return grid->device_engine ? sl_hash_text(sl_hash(1, grid->switches), forced ? forced : "") : 0;
}
