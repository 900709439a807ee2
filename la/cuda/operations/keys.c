/* Index lists on the device, and matrices made from sorted keys. */
#include <string.h>

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

/* Lists the last position of each item, ascending, and its item; returns how many they are. seen: zeros. */
static uint64_t list_last(uint64_t *position, uint64_t *item, uint8_t *seen,
                          const sl_index_list *from)
{
    uint64_t first = from->count;
    for (uint64_t k = from->count; k-- > 0;) {
        const uint64_t index = from->items[k];
        if (!(seen[index / 8] >> (index % 8) & 1))
            position[--first] = k;
        seen[index / 8] |= (uint8_t)(1 << (index % 8));
    }
    const uint64_t count = from->count - first;
    memmove(position, position + first, count * sizeof *position);
    for (uint64_t k = 0; k < count; k++)
        item[k] = from->items[position[k]];
    return count;
}

sl_status sl_cuda_keep_last(cuda_scratch *s, cuda_list *positions, cuda_list *list,
                            const sl_index_list *from, uint64_t bound)
{
    uint32_t *place;
    bool repeats;
    *positions = (cuda_list){.count = list->count, .ascending = true, .distinct = true};
    if (list->distinct)
        return SL_OK;
    CUDA_TRY(sl_cuda_invert(s, &place, &repeats, list, bound));
    if (!repeats)
        return SL_OK;
    uint64_t *position = sl_malloc(from->count * sizeof *position);
    uint64_t *item = sl_malloc(from->count * sizeof *item);
    uint8_t *seen = sl_calloc(bound / 8 + 1, 1);
    const bool enough = position && item && seen;
    const uint64_t count = enough ? list_last(position, item, seen, from) : 0;
    sl_status status = enough ? SL_OK : cuda_no_host_memory(s->call->ctx);
    if (status == SL_OK)
        status = sl_cuda_list(s, positions, &(sl_index_list){.items = position, .count = count});
    if (status == SL_OK)
        status = sl_cuda_list(s, list, &(sl_index_list){.items = item, .count = count});
    sl_free(position);
    sl_free(item);
    sl_free(seen);
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
