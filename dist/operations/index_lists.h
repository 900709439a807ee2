/*
 * Index lists of assign and extract on the grid. Every rank has the whole list, as
 * arguments are the same everywhere, and finds in it what concerns its own blocks.
 */
#ifndef SEMLA_DIST_LISTS_H
#define SEMLA_DIST_LISTS_H

#include "tuples.h"

/* A list as a call has it: indices, a range {begin, end, step}, or NULL for all. */
typedef struct {
    const uint64_t *items;
    uint64_t count;
    bool range;
} sl_list;

static inline sl_list sl_list_rows(const sl_call *call)
{
    return (sl_list){.items = call->rows, .count = call->nrows, .range = call->rows_range};
}
static inline sl_list sl_list_cols(const sl_call *call)
{
    return (sl_list){.items = call->cols, .count = call->ncols, .range = call->cols_range};
}

/* The index at a position. */
static inline uint64_t sl_list_at(const sl_list *list, uint64_t position)
{
    if (!list->items)
        return position;
    return list->range ? list->items[0] + position * list->items[2] : list->items[position];
}

/* The positions of a list whose indices are in a rank's blocks, rising, and the local
 * numbers of these indices. */
typedef struct {
    uint64_t count, room;
    uint64_t *at;
    uint64_t *local;
} sl_selection;

/* Not collective. O(length of the list); of a range O(what is found). */
sl_status sl_selection_find(sl_selection *selection, sl_grid *grid, const sl_list *list,
                            const sl_local_blocks *blocks);
void sl_selection_free(sl_selection *selection);

/* Positions of a list become their places among the selection ones, which they are of; and
 * back. */
void sl_selection_to_local(const sl_selection *selection, uint64_t *positions, uint64_t count);
void sl_selection_to_positions(const sl_selection *selection, uint64_t *places, uint64_t count);

#endif
