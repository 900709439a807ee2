/* Sparse vertex ids to 0, 1, 2, ... in rising order. */
#include "reader.h"
#include "sort.h"

/* The rank of each id: a bit per possible id, and the ids below each word of bits. */
typedef struct {
    uint64_t bits, below;
} rank_word;

static inline uint64_t rank_of(const rank_word *ranks, uint64_t id)
{
    const rank_word *w = &ranks[id >> 6];
    return w->below + (uint64_t)__builtin_popcountll(w->bits & ((UINT64_C(1) << (id & 63)) - 1));
}

static sl_status compact_by_bits(sl_edges *edges, sl_context *ctx, uint64_t words)
{
    rank_word *ranks = sl_calloc(words, sizeof *ranks);
    if (!ranks)
        return sl_fail(ctx, SL_NO_MEMORY, "no memory to number vertex ids");
    for (uint64_t k = 0; k < edges->count; k++) {
        ranks[edges->row[k] >> 6].bits |= UINT64_C(1) << (edges->row[k] & 63);
        ranks[edges->col[k] >> 6].bits |= UINT64_C(1) << (edges->col[k] & 63);
    }
    uint64_t n = 0;
    for (uint64_t w = 0; w < words; w++) {
        ranks[w].below = n;
        n += (uint64_t)__builtin_popcountll(ranks[w].bits);
    }
    edges->ids = sl_malloc((n + 1) * sizeof *edges->ids);
    if (!edges->ids) {
        sl_free(ranks);
        return sl_fail(ctx, SL_NO_MEMORY, "no memory for the ids of %llu vertices",
                       (unsigned long long)n);
    }
    n = 0;
    for (uint64_t w = 0; w < words; w++)
        for (uint64_t bits = ranks[w].bits; bits; bits &= bits - 1)
            edges->ids[n++] = 64 * w + (uint64_t)__builtin_ctzll(bits);
    for (uint64_t k = 0; k < edges->count; k++) {
        edges->row[k] = rank_of(ranks, edges->row[k]);
        edges->col[k] = rank_of(ranks, edges->col[k]);
    }
    sl_free(ranks);
    edges->nrows = edges->ncols = n;
    return SL_OK;
}

static uint64_t search(const uint64_t *ids, uint64_t n, uint64_t id)
{
    uint64_t low = 0;
    while (n > 1) {
        uint64_t half = n / 2;
        low = ids[low + half] <= id ? low + half : low;
        n -= half;
    }
    return low;
}

static sl_status compact_by_sorting(sl_edges *edges, sl_context *ctx, uint64_t greatest)
{
    uint64_t ends = 2 * edges->count;
    records all = {.keys = sl_malloc(ends * 8)}, scratch = {.keys = sl_malloc(ends * 8)};
    if (!all.keys || !scratch.keys) {
        sl_free(all.keys);
        sl_free(scratch.keys);
        return sl_fail(ctx, SL_NO_MEMORY, "no memory to number vertex ids");
    }
    memcpy(all.keys, edges->row, edges->count * 8);
    memcpy(all.keys + edges->count, edges->col, edges->count * 8);
    records sorted = sort_records(all, scratch, ends, 64 - (unsigned)__builtin_clzll(greatest | 1));
    sl_free(sorted.keys == all.keys ? scratch.keys : all.keys);
    uint64_t n = 0;
    for (uint64_t k = 0; k < ends; k++)
        if (k == 0 || sorted.keys[k] != sorted.keys[n - 1])
            sorted.keys[n++] = sorted.keys[k];
    edges->ids = sorted.keys;
    for (uint64_t k = 0; k < edges->count; k++) {
        edges->row[k] = search(edges->ids, n, edges->row[k]);
        edges->col[k] = search(edges->ids, n, edges->col[k]);
    }
    edges->nrows = edges->ncols = n;
    return SL_OK;
}

sl_status compact_ids(sl_edges *edges, sl_context *ctx, uint64_t greatest)
{
    if (edges->count == 0)
        greatest = 0;
    /* bits take no more memory than the tuples, or little */
    uint64_t words = greatest / 64 + 1;
    return words <= edges->count + 4096 ? compact_by_bits(edges, ctx, words)
                                        : compact_by_sorting(edges, ctx, greatest);
}
