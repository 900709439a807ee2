/* Index lists on the device, and matrices made from sorted keys. */
#include "cuda/operations/keys.h"

/* ---- lists ---------------------------------------------------------------------- */

static bool ascends(const uint64_t *list, uint64_t count)
{
    for (uint64_t k = 1; k < count; k++)
        if (list[k] < list[k - 1])
            return false;
    return true;
}

sl_status sl_cuda_list(cuda_scratch *s, cuda_list *list, const sl_index_list *from)
{
    const uint64_t *items = from->items, count = from->count;
    *list = (cuda_list){.count = count, .ascending = true};
    if (!items)
        return SL_OK;
    CUDA_TRY(sl_cuda_scratch_take(s, &list->item, count * sizeof *list->item));
    if (from->range) {
        list->ascending = (int64_t)items[2] > 0 || count < 2;
        return cuda_launched(s, "kernel range",
                             sl_cuda_range(list->item, items[0], items[2], count));
    }
    list->ascending = ascends(items, count);
    CUDA_TRY(sl_cuda_upload(s->call->ctx, list->item, items, count * sizeof *items));
    return sl_cuda_is_read_later(items) ? sl_cuda_wait(s->call->ctx, "copy of an index list")
                                        : SL_OK;
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
