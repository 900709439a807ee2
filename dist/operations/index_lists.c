/* Selects the part of an index list that a rank owns; ranges are intersected with its blocks. */
#include "index_lists.h"

/* Appends the positions from..to of a list, which are all in `blocks`. */
static sl_status add(sl_selection *c, sl_grid *grid, const sl_list *list,
                     const sl_local_blocks *blocks, uint64_t from, uint64_t to)
{
    if (from >= to)
        return SL_OK;
    if (to - from > c->room - c->count) {
        uint64_t room = c->count + (to - from) > 2 * c->room ? c->count + (to - from) : 2 * c->room;
        uint64_t *at = sl_realloc(c->at, room * sizeof *at);
        c->at = at ? at : c->at;
        uint64_t *local = at ? sl_realloc(c->local, room * sizeof *local) : NULL;
        c->local = local ? local : c->local;
        if (!local)
            return sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory for %zu indices", (size_t)room);
        c->room = room;
    }
    for (uint64_t k = from; k < to; k++) {
        c->at[c->count] = k;
        c->local[c->count++] = sl_local_index(blocks, sl_list_at(list, k));
    }
    return SL_OK;
}

/* The least position of an ascending range with an index of at least `bound`. */
static uint64_t first_rising(const sl_list *list, uint64_t bound)
{
    uint64_t begin = list->items ? list->items[0] : 0, step = list->items ? list->items[2] : 1;
    uint64_t k = bound <= begin ? 0 : (bound - begin - 1) / step + 1;
    return k < list->count ? k : list->count;
}

/* The least position of a descending range with an index less than `bound`. */
static uint64_t first_falling(const sl_list *list, uint64_t bound)
{
    uint64_t begin = list->items[0], size = 0 - list->items[2];
    uint64_t k = begin < bound ? 0 : (begin - bound) / size + 1;
    return k < list->count ? k : list->count;
}

static sl_status find_in_blocks(sl_selection *c, sl_grid *grid, const sl_list *list,
                                const sl_local_blocks *blocks)
{
    bool falls = list->items && (int64_t)list->items[2] < 0;
    for (uint32_t m = 0; m < blocks->count; m++) {
        uint64_t block =
            blocks->first + (uint64_t)blocks->stride * (falls ? blocks->count - 1 - m : m);
        uint64_t begin = sl_distribution_begin(&blocks->of, block),
                 end = sl_distribution_begin(&blocks->of, block + 1);
        if (begin == end)
            continue;
        if (falls)
            SL_TRY(
                add(c, grid, list, blocks, first_falling(list, end), first_falling(list, begin)));
        else
            SL_TRY(add(c, grid, list, blocks, first_rising(list, begin), first_rising(list, end)));
    }
    return SL_OK;
}

sl_status sl_selection_find(sl_selection *selection, sl_grid *grid, const sl_list *list,
                            const sl_local_blocks *blocks)
{
    *selection = (sl_selection){.room = 8,
                                .at = sl_malloc(8 * sizeof *selection->at),
                                .local = sl_malloc(8 * sizeof *selection->local)};
    sl_status status = SL_OK;
    if (!selection->at || !selection->local)
        status = sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory");
    else if (list->count > 0 && (!list->items || list->range))
        status = find_in_blocks(selection, grid, list, blocks);
    for (uint64_t k = 0; list->items && !list->range && k < list->count && status == SL_OK; k++)
        if (sl_local_blocks_contain(blocks, list->items[k]))
            status = add(selection, grid, list, blocks, k, k + 1);
    if (status != SL_OK)
        sl_selection_free(selection);
    return status;
}

void sl_selection_free(sl_selection *selection)
{
    sl_free(selection->at);
    sl_free(selection->local);
    *selection = (sl_selection){0};
}

void sl_selection_to_local(const sl_selection *selection, uint64_t *positions, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++) {
        uint64_t low = 0, high = selection->count;
        while (low + 1 < high) {
            uint64_t middle = low + (high - low) / 2;
            if (selection->at[middle] <= positions[k])
                low = middle;
            else
                high = middle;
        }
        positions[k] = low;
    }
}

void sl_selection_to_positions(const sl_selection *selection, uint64_t *places, uint64_t count)
{
    for (uint64_t k = 0; k < count; k++)
        places[k] = selection->at[places[k]];
}
