/*
 * Index lists of assign and extract. Every rank has the whole list, as arguments are equal on all
 * ranks, and selects the positions of the indices that it owns.
 */
#ifndef SEMLA_DIST_INDEX_LISTS_H
#define SEMLA_DIST_INDEX_LISTS_H

#include "dist/operations/rank_tuples.h"

/* The index at a position of a list. */
static inline uint64_t sl_list_at(const sl_index_list *list, uint64_t position)
{
    if (!list->items)
        return position;
    return list->range ? list->items[0] + position * list->items[2] : list->items[position];
}

/* A list in the memory of tuples, for an sl_owner_rule. *copied, to be released there, is its array if
 * it had to be copied, else NULL. Not collective. */
sl_status sl_list_places(sl_places *places, uint64_t **copied, sl_grid *grid,
                         const sl_tuple_memory *memory, const sl_index_list *list);

/* Positions of a range, from `at` on, whose indices are in one block; `first` is the number of the first in
 * the selection. */
typedef struct {
    uint64_t at, first;
} sl_run;

/* The part of a list that a rank owns: ascending positions, and the local indices there, in the host's
 * memory. Both are NULL for a list of all indices: then positions are global indices. The local indices of
 * most ranges are a range, too: then `at` and `local` are NULL, and there are runs, one for each block. */
typedef struct {
    uint64_t count, room;
    uint64_t *at;
    uint64_t *local;
    sl_run *runs;
    uint32_t run_count;
    uint64_t range[3]; /* of local indices, as in a call */
    sl_local_blocks blocks;
} sl_selection;

/* The local indices for a call on the block. */
static inline sl_index_list sl_selection_list(const sl_selection *selection)
{
    return (sl_index_list){.items = selection->runs ? selection->range : selection->local,
                           .count = selection->count,
                           .range = selection->runs};
}

/* `memory` has the numbers that the functions below convert. O(length of the list), for a range that
 * stays a range O(blocks), for another one O(length of the selection), for all indices O(1). Not collective. */
sl_status sl_selection_find(sl_selection *selection, sl_grid *grid, const sl_index_list *list,
                            const sl_local_blocks *blocks, const sl_tuple_memory *memory);
void sl_selection_free(sl_selection *selection);

/* Convert positions in a list, which must be in the selection, to positions in the selection; and
 * back. The numbers are in the memory. Not collective. */
sl_status sl_selection_to_local(const sl_selection *selection, sl_grid *grid,
                                const sl_tuple_memory *memory, uint64_t *numbers, uint64_t count);
sl_status sl_selection_to_positions(const sl_selection *selection, sl_grid *grid,
                                    const sl_tuple_memory *memory, uint64_t *numbers,
                                    uint64_t count);

#endif
