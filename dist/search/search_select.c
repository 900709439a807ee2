/* Selects the search of a closure: the words of SEMLA_DIST, then the cost rule (search_choice.h). */
#include "dist/search/search_select.h"

#include <stdio.h>

#include "dist/grid/devices.h"
#include "dist/grid/dist_switches.h"
#include "dist/search/device_search.h"
#include "dist/search/processor_search.h"

static sl_status read_words(unsigned *switches, sl_grid *grid)
{
    sl_switches words; /* not used by processors of a grid, but unknown words are errors */
    sl_status status = sl_grid_read_switches(switches, grid, "closure");
    if (status == SL_OK && *switches & SL_DIST_1D && *switches & SL_DIST_2D)
        status = sl_fail(grid->ctx, SL_INVALID,
                         "closure: SEMLA_DIST has both '1d' and '2d'; at most one is allowed");
    if (status == SL_OK)
        status = sl_switches_read(&words, grid->ctx);
    const char *forced = grid->devices.group.forced_transport;
    return sl_grid_agree_on(grid, status, "closure\nSEMLA_DIST #%x-%s\n", *switches,
                            forced ? forced : "");
}

static sl_search_setting setting_of(const sl_grid *grid, uint64_t vertices)
{
    return (sl_search_setting){.rows = (uint32_t)grid->rows,
                               .cols = (uint32_t)grid->cols,
                               .vertices = vertices,
                               .one_host = grid->devices.group.one_host,
                               .group_possible = sl_grid_group_supports(grid, vertices),
                               .grid_possible = sl_grid_fits_device_grid(grid, vertices)};
}

static const char *name_of(sl_search_kind kind)
{
    static const char *const names[] = {[SL_BY_PROCESSORS] = "the ranks' processors",
                                        [SL_BY_GROUP] = "the ranks' devices in one dimension",
                                        [SL_BY_GRID] = "the ranks' devices in two dimensions",
                                        [SL_BY_PRODUCTS] = "products on the ranks' devices"};
    return names[kind];
}

static void note(sl_grid *grid, sl_search_kind kind, const char *why)
{
    snprintf(grid->search.note, sizeof grid->search.note, "by %s: %s", name_of(kind), why);
}

/* The search that a word asks for. */
static sl_status select_forced(sl_selection *s, sl_grid *grid, const sl_search_setting *setting)
{
    const bool two = s->switches & SL_DIST_2D;
    if (!(two ? setting->grid_possible : setting->group_possible))
        return sl_fail(grid->ctx, SL_UNSUPPORTED,
                       "closure: SEMLA_DIST asks for '%s', which %d ranks cannot do for a graph of "
                       "%llu vertices: every rank needs a device, and 1d at most 16 ranks and 2^32 "
                       "- 2 vertices",
                       two ? "2d" : "1d", grid->size, (unsigned long long)setting->vertices);
    s->kind = two ? SL_BY_GRID : SL_BY_GROUP;
    note(grid, s->kind, "SEMLA_DIST asks for it");
    return SL_OK;
}

static void select_by_cost(sl_selection *s, sl_grid *grid, const sl_search_setting *setting)
{
    char why[96] = "the only one that is possible";
    s->kind = sl_choose_search(setting);
    if (setting->group_possible && setting->grid_possible)
        snprintf(why, sizeof why, "expected %.3f ms in one dimension, %.3f ms in two",
                 sl_group_search_ms(setting), sl_grid_search_ms(setting));
    note(grid, s->kind, why);
    s->fell_back = s->kind == SL_BY_PROCESSORS;
    if (s->fell_back)
        note(grid, s->kind, "the blocks are too large for devices");
}

sl_status sl_select_search(sl_selection *s, sl_grid *grid, uint64_t vertices, bool any, bool pull)
{
    const sl_search_setting setting = setting_of(grid, vertices);
    *s = (sl_selection){.kind = SL_BY_PROCESSORS};
    SL_TRY(read_words(&s->switches, grid));
    const unsigned dimensions = s->switches & (SL_DIST_1D | SL_DIST_2D);
    if (s->switches & SL_DIST_NODEVICES) {
        note(grid, s->kind, "SEMLA_DIST asks for it");
    } else if (any && dimensions) {
        s->forced = true;
        return select_forced(s, grid, &setting);
    } else if (!grid->search.devices) {
        note(grid, s->kind, "not every rank has a device");
    } else if (!any) {
        const bool products = !pull && grid->device_engine && grid->device_engine->devices.vectors;
        s->kind = products ? SL_BY_PRODUCTS : SL_BY_PROCESSORS;
        s->fell_back = !products;
        note(grid, s->kind, "devices search for any parent, without targets");
    } else {
        s->forced = grid->devices.group.forced_transport != NULL;
        select_by_cost(s, grid, &setting);
    }
    return SL_OK;
}

bool sl_select_next(sl_selection *s, sl_grid *grid, uint64_t vertices)
{
    if (s->forced || s->kind == SL_BY_PROCESSORS)
        return false;
    const bool grid_is_next = s->kind == SL_BY_GROUP && sl_grid_fits_device_grid(grid, vertices);
    const bool products = s->kind == SL_BY_PRODUCTS;
    s->kind = grid_is_next ? SL_BY_GRID : SL_BY_PROCESSORS;
    s->fell_back = !grid_is_next;
    note(grid, s->kind,
         products ? "the devices have no room for the graph"
                  : "the graph is too large for other searches");
    return true;
}
