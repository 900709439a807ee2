/* Index lists on the device, and matrices made from sorted keys. */
#include <stdlib.h>

#include "cuda/operations/keys.h"

/* ---- lists ---------------------------------------------------------------------- */

static void examine(cuda_list *list, const uint64_t *items, uint64_t count)
{
    list->distinct = true;
    for (uint64_t k = 1; k < count && list->ascending; k++) {
        list->ascending = items[k] >= items[k - 1];
        list->distinct &= items[k] != items[k - 1];
    }
    list->distinct &= list->ascending;
}

sl_status sl_cuda_list(cuda_scratch *s, cuda_list *list, const sl_index_list *from)
{
    const uint64_t *items = from->items, count = from->count;
    *list = (cuda_list){.count = count, .ascending = true, .distinct = true};
    if (!items)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &list->item, count * sizeof *list->item));
    if (from->range) {
        list->ascending = (int64_t)items[2] > 0 || count < 2;
        return cuda_launched(s, "kernel range",
                             sl_cuda_range(list->item, items[0], items[2], count));
    }
    examine(list, items, count);
    CUDA_TRY(sl_cuda_upload(s->call->ctx, list->item, items, count * sizeof *items));
    return sl_cuda_is_read_later(items) ? sl_cuda_wait(s->call->ctx, "copy of an index list")
                                        : SL_OK;
}

sl_status sl_cuda_invert(cuda_scratch *s, uint32_t **place, bool *repeats, const cuda_list *list,
                         uint64_t bound)
{
    sl_context *ctx = s->call->ctx;
    unsigned *found, read;
    CUDA_TRY(sl_cuda_scratch_take(s, place, bound * sizeof **place));
    CUDA_TRY(sl_cuda_scratch_take(s, &found, sizeof *found));
    CUDA_TRY(sl_cuda_zero(ctx, found, sizeof *found));
    CUDA_TRY(cuda_launched(s, "kernel invert_list",
                           sl_cuda_invert_list(*place, found, list->item, list->count)));
    CUDA_TRY(sl_cuda_fetch(ctx, "kernel find_repeats", &read, found, sizeof read));
    *repeats = read;
    return SL_OK;
}

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Lists each item once, ascending, and its last position; returns their number. Items are below 2^32. */
static uint64_t list_last(uint64_t *position, uint64_t *item, const sl_index_list *from)
{
    uint64_t count = 0;
    for (uint64_t k = 0; k < from->count; k++)
        item[k] = from->items[k] << 32 | k;
    qsort(item, from->count, sizeof *item, by_value);
    for (uint64_t k = 0; k < from->count; k++)
        if (k + 1 == from->count || item[k] >> 32 != item[k + 1] >> 32) {
            position[count] = (uint32_t)item[k];
            item[count++] = item[k] >> 32;
        }
    return count;
}

/* *repeats: an item repeats, or the list is short, and the host looks for itself. */
static sl_status may_repeat(bool *repeats, cuda_scratch *s, const cuda_list *list, uint64_t bound)
{
    enum { SHORT = 512, SHARE = 32 };
    uint32_t *place;
    *repeats = !list->distinct;
    return list->distinct || list->count <= SHORT || list->count < bound / SHARE
               ? SL_OK
               : sl_cuda_invert(s, &place, repeats, list, bound);
}

sl_status sl_cuda_keep_last(cuda_scratch *s, cuda_list *positions, cuda_list *list,
                            const sl_index_list *from, uint64_t bound)
{
    bool repeats;
    *positions = (cuda_list){.count = list->count, .ascending = true, .distinct = true};
    CUDA_TRY(may_repeat(&repeats, s, list, bound));
    if (!repeats)
        return SL_OK;
    uint64_t *position = sl_malloc(from->count * sizeof *position);
    uint64_t *item = sl_malloc(from->count * sizeof *item);
    const uint64_t count = position && item ? list_last(position, item, from) : 0;
    sl_status status = count ? SL_OK : cuda_no_host_memory(s->call->ctx);
    if (status == SL_OK && count < from->count)
        status = sl_cuda_list(s, positions, &(sl_index_list){.items = position, .count = count});
    if (status == SL_OK && count < from->count)
        status = sl_cuda_list(s, list, &(sl_index_list){.items = item, .count = count});
    sl_free(position);
    sl_free(item);
    return status;
}

/* Indices are below 2^32. */
enum { ITEM_BITS = 32 };

sl_status sl_cuda_sorted_list(cuda_scratch *s, const cuda_list *list, const uint64_t **sorted,
                              const uint64_t **origin)
{
    cuda_keys k = {.count = list->count, .key = list->item, .bits = ITEM_BITS};
    if (!list->ascending)
        CUDA_TRY(sl_cuda_sort_keys(s, &k));
    *sorted = k.key;
    if (origin)
        *origin = k.origin;
    return SL_OK;
}

sl_status sl_cuda_list_bits(cuda_scratch *s, uint32_t **bits, const cuda_list *list, uint64_t n)
{
    uint64_t bytes = cuda_words(n) * sizeof **bits;
    *bits = NULL;
    if (!list->item)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, bits, bytes));
    CUDA_TRY(sl_cuda_zero(s->call->ctx, *bits, bytes));
    return cuda_launched(s, "kernel mark", sl_cuda_mark(*bits, list->item, list->count));
}

/* ---- keys ------------------------------------------------------------------------- */

/* Bits of the numbers below n. */
static int bits_below(uint64_t n)
{
    int bits = 0;
    while (bits < 64 && n > (uint64_t)1 << bits)
        bits++;
    return bits;
}

sl_status sl_cuda_new_keys(cuda_scratch *s, cuda_keys *k, uint64_t count, uint64_t nrows,
                           uint64_t ncols)
{
    int shift = bits_below(ncols), bits = shift + bits_below(nrows);
    *k = (cuda_keys){.count = count, .shift = (unsigned)shift, .bits = bits ? bits : 1};
    return sl_cuda_scratch_take(s, &k->key, count * sizeof *k->key);
}

sl_status sl_cuda_sort_keys(cuda_scratch *s, cuda_keys *k)
{
    uint64_t *sorted, *origin, *composed, bytes = k->count * sizeof *sorted;
    size_t scratch_bytes;
    void *scratch;
    if (k->count == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &sorted, bytes));
    CUDA_TRY(sl_cuda_scratch_take(s, &origin, bytes));
    CUDA_TRY(cuda_launched(s, "scratch of a sort",
                           sl_cuda_sort_scratch(&scratch_bytes, k->count, k->bits)));
    CUDA_TRY(sl_cuda_scratch_take(s, &scratch, scratch_bytes));
    CUDA_TRY(cuda_launched(
        s, "sort",
        sl_cuda_sort(sorted, origin, k->key, k->count, k->bits, scratch, scratch_bytes)));
    k->key = sorted;
    if (!k->origin) {
        k->origin = origin;
        return SL_OK;
    }
    CUDA_TRY(sl_cuda_scratch_take(s, &composed, bytes));
    CUDA_TRY(cuda_launched(s, "kernel gather_keys",
                           sl_cuda_gather_keys(composed, k->origin, origin, k->count)));
    k->origin = composed;
    return SL_OK;
}

sl_status sl_cuda_sort_bare_keys(cuda_scratch *s, cuda_keys *k, unsigned from)
{
    uint64_t *other;
    if (k->count == 0)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &other, k->count * sizeof *other));
    const cuda_sort sort = {
        .keys = k->key, .other = other, .count = k->count, .from = from, .bits = (unsigned)k->bits};
    return sl_cuda_sort_entries(s->call->ctx, &s->arena, &sort, &k->key);
}

sl_status sl_cuda_values_of_keys(cuda_scratch *s, void **to, const cuda_keys *k, void *values,
                                 sl_type type)
{
    size_t size = sl_type_size(type);
    *to = values;
    if (!values || !k->origin)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, to, k->count * size));
    return cuda_launched(s, "kernel gather_partners",
                         sl_cuda_gather_partners(*to, values, k->origin, size, k->count));
}

sl_status sl_cuda_rows_of_keys(cuda_scratch *s, cuda_rows *rows, const cuda_keys *k, uint64_t nrows,
                               void *values, sl_type type)
{
    *rows = (cuda_rows){.type = type, .nrows = nrows, .nnz = k->count};
    CUDA_TRY(sl_cuda_scratch_take(s, &rows->start, (nrows + 1) * sizeof *rows->start));
    CUDA_TRY(sl_cuda_scratch_take(s, &rows->index, k->count * sizeof *rows->index));
    CUDA_TRY(cuda_launched(
        s, "kernel key_rows",
        sl_cuda_key_rows(rows->start, rows->index, k->key, k->shift, k->count, nrows)));
    return sl_cuda_values_of_keys(s, &rows->values, k, values, type);
}
