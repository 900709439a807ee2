/*
 * Selects the part of an index list that a rank owns; ranges are intersected with its blocks. A range may have
 * 2^60 indices, so the part of it is a range again where the local indices of all blocks have the same step.
 */
#include "dist/operations/index_lists.h"

/* Appends the positions from..to of a list, which are all in `blocks`. */
static sl_status add(sl_selection *c, sl_grid *grid, const sl_index_list *list,
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
static uint64_t first_rising(const sl_index_list *list, uint64_t bound)
{
    uint64_t begin = list->items[0], step = list->items[2];
    uint64_t k = bound <= begin ? 0 : (bound - begin - 1) / step + 1;
    return k < list->count ? k : list->count;
}

/* The least position of a descending range with an index less than `bound`. */
static uint64_t first_falling(const sl_index_list *list, uint64_t bound)
{
    uint64_t begin = list->items[0], size = 0 - list->items[2];
    uint64_t k = begin < bound ? 0 : (begin - bound) / size + 1;
    return k < list->count ? k : list->count;
}

/* The positions *from to *to - 1 of a range have their indices in the m-th block in the range's direction. */
static void intersect(uint64_t *from, uint64_t *to, const sl_index_list *list,
                      const sl_local_blocks *blocks, uint32_t m)
{
    const bool falls = (int64_t)list->items[2] < 0;
    const uint64_t block =
        blocks->first + (uint64_t)blocks->stride * (falls ? blocks->count - 1 - m : m);
    const uint64_t begin = sl_distribution_begin(&blocks->of, block),
                   end = sl_distribution_begin(&blocks->of, block + 1);
    *from = falls ? first_falling(list, end) : first_rising(list, begin);
    *to = falls ? first_falling(list, begin) : first_rising(list, end);
    if (begin == end)
        *to = *from;
}

static sl_status find_in_range(sl_selection *c, sl_grid *grid, const sl_index_list *list,
                               const sl_local_blocks *blocks)
{
    c->room = 8;
    c->at = sl_malloc(c->room * sizeof *c->at);
    c->local = sl_malloc(c->room * sizeof *c->local);
    if (!c->at || !c->local)
        return sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory");
    for (uint32_t m = 0; list->count > 0 && m < blocks->count; m++) {
        uint64_t from, to;
        intersect(&from, &to, list, blocks, m);
        SL_TRY(add(c, grid, list, blocks, from, to));
    }
    return SL_OK;
}

/* Indices that a thread looks at at once. */
enum { PIECE = 1 << 14 };

static uint64_t count_in_piece(const uint64_t *items, uint64_t count, const sl_local_blocks *blocks)
{
    uint64_t found = 0;
    for (uint64_t k = 0; k < count; k++)
        found += sl_local_blocks_contain(blocks, items[k]);
    return found;
}

static void take_piece(sl_selection *c, uint64_t to, const uint64_t *items, uint64_t first,
                       uint64_t count)
{
    for (uint64_t k = first; k < first + count; k++)
        if (sl_local_blocks_contain(&c->blocks, items[k])) {
            c->at[to] = k;
            c->local[to++] = sl_local_index(&c->blocks, items[k]);
        }
}

/* The part of a list that is no range, on all threads: pieces are counted, then taken. */
static sl_status find_in_list(sl_selection *c, sl_grid *grid, const sl_index_list *list)
{
    const uint64_t pieces = (list->count + PIECE - 1) / PIECE;
    const int threads = sl_context_threads(grid->local);
    uint64_t *begin = sl_calloc(pieces + 1, sizeof *begin);
    if (!begin)
        return sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory");
#pragma omp parallel for num_threads(threads) if (pieces > 1)
    for (uint64_t p = 0; p < pieces; p++) {
        const uint64_t first = p * PIECE, left = list->count - first;
        begin[p + 1] = count_in_piece(list->items + first, left < PIECE ? left : PIECE, &c->blocks);
    }
    for (uint64_t p = 0; p < pieces; p++)
        begin[p + 1] += begin[p];
    c->count = begin[pieces];
    c->at = sl_malloc((c->count + 1) * sizeof *c->at);
    c->local = sl_malloc((c->count + 1) * sizeof *c->local);
    const bool enough = c->at && c->local;
#pragma omp parallel for num_threads(threads) if (pieces > 1)
    for (uint64_t p = 0; p < (enough ? pieces : 0); p++) {
        const uint64_t first = p * PIECE, left = list->count - first;
        take_piece(c, begin[p], list->items, first, left < PIECE ? left : PIECE);
    }
    sl_free(begin);
    return enough ? SL_OK
                  : sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory for %zu indices",
                            (size_t)c->count);
}

/* The part of a range as runs; *same_step is false if its local indices are no range. */
static sl_status find_runs(sl_selection *c, bool *same_step, sl_grid *grid,
                           const sl_index_list *list, const sl_local_blocks *blocks)
{
    *same_step = true;
    c->runs = sl_malloc((blocks->count + 1) * sizeof *c->runs);
    if (!c->runs)
        return sl_fail(grid->ctx, SL_NO_MEMORY, "out of memory");
    c->range[2] = list->items[2];
    for (uint32_t m = 0; m < blocks->count; m++) {
        uint64_t from, to;
        intersect(&from, &to, list, blocks, m);
        if (from >= to)
            continue;
        const uint64_t local = sl_local_index(blocks, sl_list_at(list, from));
        if (c->count == 0)
            c->range[0] = local;
        *same_step = *same_step && local == c->range[0] + c->count * c->range[2];
        c->runs[c->run_count++] = (sl_run){.at = from, .first = c->count};
        c->count += to - from;
    }
    c->range[1] = c->range[0] + c->count * c->range[2];
    return SL_OK;
}

sl_status sl_selection_find(sl_selection *selection, sl_grid *grid, const sl_index_list *list,
                            const sl_local_blocks *blocks, const sl_tuple_memory *memory)
{
    *selection = (sl_selection){.blocks = *blocks};
    if (!list->items) {
        selection->count = sl_local_blocks_length(blocks);
        return SL_OK;
    }
    if (list->range && list->count > 0 && memory == &sl_host_tuple_memory) {
        bool same_step;
        SL_TRY(find_runs(selection, &same_step, grid, list, blocks));
        if (same_step)
            return SL_OK;
        sl_selection_free(selection);
        selection->blocks = *blocks;
    }
    const sl_status status = list->range ? find_in_range(selection, grid, list, blocks)
                                         : find_in_list(selection, grid, list);
    if (status != SL_OK)
        sl_selection_free(selection);
    return status;
}

void sl_selection_free(sl_selection *selection)
{
    sl_free(selection->at);
    sl_free(selection->local);
    sl_free(selection->runs);
    *selection = (sl_selection){0};
}

/* ---- in the memory of tuples --------------------------------------------------------- */

/* *there is a host array in the memory, which is *copied unless the memory is the host's. */
static sl_status bring(const uint64_t **there, uint64_t **copied, sl_grid *grid,
                       const sl_tuple_memory *memory, const uint64_t *array, uint64_t count)
{
    const uint64_t bytes = count * sizeof *array;
    *copied = NULL;
    *there = array;
    if (memory == &sl_host_tuple_memory)
        return SL_OK;
    SL_TRY(sl_tuples_array((void **)copied, grid, memory, bytes));
    *there = *copied;
    SL_TRY_LOCAL(grid, memory->copy(grid->local, *copied, array, bytes));
    return SL_OK;
}

sl_status sl_list_places(sl_places *places, uint64_t **copied, sl_grid *grid,
                         const sl_tuple_memory *memory, const sl_index_list *list)
{
    *places = (sl_places){.step = 1};
    *copied = NULL;
    if (list->items && list->range)
        *places = (sl_places){.first = list->items[0], .step = list->items[2]};
    else if (list->items)
        return bring(&places->items, copied, grid, memory, list->items, list->count);
    return SL_OK;
}

sl_status sl_selection_to_local(const sl_selection *selection, sl_grid *grid,
                                const sl_tuple_memory *memory, uint64_t *numbers, uint64_t count)
{
    const uint64_t *at;
    uint64_t *copied;
    for (uint64_t k = 0; selection->runs && k < count; k++) {
        const sl_run *run = &selection->runs[selection->run_count - 1];
        while (run->at > numbers[k])
            run--;
        numbers[k] += run->first - run->at;
    }
    if (selection->runs)
        return SL_OK;
    if (!selection->at) {
        SL_TRY_LOCAL(grid, memory->to_local(grid->local, numbers, count, &selection->blocks));
        return SL_OK;
    }
    sl_status status = bring(&at, &copied, grid, memory, selection->at, selection->count);
    if (status == SL_OK)
        status = memory->find(grid->local, numbers, count, at, selection->count);
    memory->release(copied);
    return status < 0 ? sl_grid_local_failed(grid, status) : status;
}

sl_status sl_selection_to_positions(const sl_selection *selection, sl_grid *grid,
                                    const sl_tuple_memory *memory, uint64_t *numbers,
                                    uint64_t count)
{
    const uint64_t *at;
    uint64_t *copied;
    for (uint64_t k = 0; selection->runs && k < count; k++) {
        const sl_run *run = &selection->runs[selection->run_count - 1];
        while (run->first > numbers[k])
            run--;
        numbers[k] += run->at - run->first;
    }
    if (selection->runs)
        return SL_OK;
    if (!selection->at) {
        SL_TRY_LOCAL(grid, memory->to_global(grid->local, numbers, count, &selection->blocks));
        return SL_OK;
    }
    sl_status status = bring(&at, &copied, grid, memory, selection->at, selection->count);
    if (status == SL_OK)
        status = memory->look_up(grid->local, numbers, count, at);
    memory->release(copied);
    return status < 0 ? sl_grid_local_failed(grid, status) : status;
}
