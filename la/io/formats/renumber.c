/*
 * Renumbers sparse vertex ids as 0, 1, 2, ... in increasing order. If the range of the ids is not
 * much larger than the number of tuples, a bitmap with a rank directory is used: O(tuples + range /
 * 64). Otherwise the ids are sorted and looked up by binary search: O(tuples * log ids).
 */
#include "io/files/put_number.h"
#include "io/formats/reader.h"
#include "io/tuples/sort.h"

/* 64 bits of the bitmap of ids, and the number of ids in all words before it. */
typedef struct {
    uint64_t bits, below;
} rank_word;

typedef struct {
    reader *r;
    unsigned base;
    const segment *segments;
    uint64_t segment_count;
} tuples;

static inline uint64_t rank_of(const rank_word *ranks, uint64_t id)
{
    const rank_word *w = &ranks[id >> 6];
    return w->below + (uint64_t)__builtin_popcountll(w->bits & ((UINT64_C(1) << (id & 63)) - 1));
}

/* Several threads may set bits of a word, but mostly find the bit already set. */
static inline void set_bit(rank_word *ranks, uint64_t id)
{
    uint64_t *bits = &ranks[id >> 6].bits, bit = UINT64_C(1) << (id & 63);
    if (!(__atomic_load_n(bits, __ATOMIC_RELAXED) & bit))
        __atomic_fetch_or(bits, bit, __ATOMIC_RELAXED);
}

static sl_status no_memory(const reader *r)
{
    return sl_fail(r->input.ctx, SL_NO_MEMORY, "%s: no memory to renumber the vertex ids",
                   r->input.path);
}

static uint64_t count_bits(const rank_word *ranks, uint64_t begin, uint64_t end)
{
    uint64_t n = 0;
    for (uint64_t w = begin; w < end; w++)
        n += (uint64_t)__builtin_popcountll(ranks[w].bits);
    return n;
}

/* Fills in `below`, and the ids of words `begin` to `end` - 1; the first id has number n. */
static void number_words(rank_word *ranks, uint64_t begin, uint64_t end, uint64_t n, uint64_t *ids,
                         unsigned base)
{
    for (uint64_t w = begin; w < end; w++) {
        ranks[w].below = n;
        for (uint64_t bits = ranks[w].bits; bits; bits &= bits - 1)
            ids[n++] = 64 * w + (uint64_t)__builtin_ctzll(bits) + base;
    }
}

/* Numbers the ids of which the bits are set. */
static sl_status number_ids(const tuples *t, rank_word *ranks, uint64_t words)
{
    reader *r = t->r;
    enum { CHUNK = 1 << 12 };
    const uint64_t chunks = (words + CHUNK - 1) / CHUNK;
    uint64_t *first = sl_malloc(chunks * sizeof *first), n = 0;
    if (!first)
        return no_memory(r);
#pragma omp parallel for num_threads(r->threads) if (chunks > 1)
    for (uint64_t c = 0; c < chunks; c++)
        first[c] = count_bits(ranks, c * CHUNK, c + 1 < chunks ? (c + 1) * CHUNK : words);
    for (uint64_t c = 0; c < chunks; c++) {
        uint64_t count = first[c];
        first[c] = n;
        n += count;
    }
    uint64_t *ids = r->edges.ids = sl_malloc((n + 1) * sizeof *ids);
    r->edges.nrows = r->edges.ncols = n;
    if (ids) {
#pragma omp parallel for num_threads(r->threads) if (chunks > 1)
        for (uint64_t c = 0; c < chunks; c++)
            number_words(ranks, c * CHUNK, c + 1 < chunks ? (c + 1) * CHUNK : words, first[c], ids,
                         t->base);
    }
    sl_free(first);
    return ids ? SL_OK : no_memory(r);
}

static sl_status renumber_by_bitmap(const tuples *t, uint64_t words)
{
    reader *r = t->r;
    rank_word *ranks = sl_calloc(words, sizeof *ranks);
    if (!ranks)
        return no_memory(r);
#pragma omp parallel for schedule(dynamic) num_threads(r->threads) if (t->segment_count > 1)
    for (uint64_t i = 0; i < t->segment_count; i++) {
        const segment *s = &t->segments[i];
        for (uint64_t k = 0; k < s->count; k++) {
            set_bit(ranks, s->row[k]);
            set_bit(ranks, s->col[k]);
        }
    }
    sl_status status = number_ids(t, ranks, words);
    if (status == SL_OK) {
#pragma omp parallel for schedule(dynamic) num_threads(r->threads) if (t->segment_count > 1)
        for (uint64_t i = 0; i < t->segment_count; i++) {
            const segment *s = &t->segments[i];
            for (uint64_t k = 0; k < s->count; k++) {
                s->row[k] = rank_of(ranks, s->row[k]);
                s->col[k] = rank_of(ranks, s->col[k]);
            }
        }
    }
    sl_free(ranks);
    return status;
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

/* Sorted ids without duplicates. */
typedef struct {
    uint64_t *keys, count;
} id_list;

/*
 * Collects and sorts the ids of segments `begin` to `end` - 1; `buffer` receives the result,
 * `scratch` has the same capacity.
 */
static id_list sort_ids(const tuples *t, uint64_t begin, uint64_t end, uint64_t *buffer,
                        uint64_t *scratch)
{
    uint64_t n = 0;
    for (const segment *s = &t->segments[begin]; s < &t->segments[end]; s++) {
        if (s->count > 0) {
            memcpy(buffer + n, s->row, s->count * 8);
            memcpy(buffer + n + s->count, s->col, s->count * 8);
        }
        n += 2 * s->count;
    }
    const unsigned bits = 64 - (unsigned)__builtin_clzll(t->r->max_index | 1);
    const uint64_t *sorted =
        sort_records((records){.keys = buffer}, (records){.keys = scratch}, n, bits).keys;
    uint64_t kept = 0;
    for (uint64_t k = 0; k < n; k++)
        if (kept == 0 || sorted[k] != buffer[kept - 1])
            buffer[kept++] = sorted[k];
    return (id_list){buffer, kept};
}

static id_list merge_ids(id_list a, id_list b, uint64_t *to)
{
    uint64_t i = 0, j = 0, n = 0;
    while (i < a.count && j < b.count) {
        const uint64_t x = a.keys[i], y = b.keys[j];
        to[n++] = x < y ? x : y;
        i += x <= y;
        j += y <= x;
    }
    for (; i < a.count; i++)
        to[n++] = a.keys[i];
    for (; j < b.count; j++)
        to[n++] = b.keys[j];
    return (id_list){to, n};
}

/*
 * Collects all ids, sorted and without duplicates. Each thread sorts the ids of some segments, then
 * neighbouring lists are merged in pairs. Each list stays in its range of the two arrays and moves
 * from one array to the other with every merge. The result is in one of the two arrays.
 */
static id_list collect_ids(const tuples *t, uint64_t *buffer, uint64_t *scratch, id_list *lists,
                           int count)
{
    const int threads = count;
#pragma omp parallel for schedule(static, 1) num_threads(threads) if (threads > 1)
    for (int c = 0; c < count; c++) {
        const uint64_t begin = t->segment_count * (unsigned)c / (unsigned)count;
        const uint64_t end = t->segment_count * ((unsigned)c + 1) / (unsigned)count;
        const uint64_t offset =
            2 * t->segments[begin].first; /* begin is below the number of segments */
        lists[c] = sort_ids(t, begin, end, buffer + offset, scratch + offset);
    }
    while (count > 1) {
        const int pairs = (count + 1) / 2;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
        for (int c = 0; c < pairs; c++) {
            id_list a = lists[2 * c],
                    b = 2 * c + 1 < count ? lists[2 * c + 1] : (id_list){a.keys, 0};
            lists[2 * c] = merge_ids(a, b, scratch + (a.keys - buffer));
        }
        for (int c = 0; c < pairs; c++)
            lists[c] = lists[2 * c];
        count = pairs;
        uint64_t *other = buffer;
        buffer = scratch;
        scratch = other;
    }
    return lists[0];
}

/* Collects the ids of all tuples, sorted and without duplicates, in an array from sl_malloc. */
static sl_status all_ids(const tuples *t, id_list *all)
{
    const reader *r = t->r;
    const uint64_t buffer = (2 * r->edges.count + 1) * 8;
    const int count = t->segment_count > 1 ? r->threads : 1;
    uint64_t *keys = sl_malloc(buffer), *scratch = sl_malloc(buffer);
    id_list *lists = sl_calloc((size_t)count, sizeof *lists);
    if (!keys || !scratch || !lists) {
        sl_free(keys);
        sl_free(scratch);
        sl_free(lists);
        return no_memory(r);
    }
    *all = collect_ids(t, keys, scratch, lists, count);
    sl_free(all->keys == keys ? scratch : keys);
    sl_free(lists);
    return SL_OK;
}

/* Sorts the concatenated lists of several processes and removes duplicates. */
static id_list join_ids(id_list lists, uint64_t *scratch, unsigned bits)
{
    const uint64_t *sorted =
        sort_records((records){.keys = lists.keys}, (records){.keys = scratch}, lists.count, bits)
            .keys;
    uint64_t kept = 0;
    for (uint64_t k = 0; k < lists.count; k++)
        if (kept == 0 || sorted[k] != lists.keys[kept - 1])
            lists.keys[kept++] = sorted[k];
    return (id_list){lists.keys, kept};
}

/* On several processes that each have a slice of the tuples: collects the ids of all. */
static sl_status ids_of_all_slices(const tuples *t, id_list *all)
{
    const reader *r = t->r;
    const uint64_t processes = r->processes;
    uint64_t *starts = sl_calloc(processes + 1, sizeof *starts), *scratch = NULL;
    id_list own = {0};
    void *gathered = NULL;
    sl_status status = starts ? all_ids(t, &own) : no_memory(r);
    status = sl_gather(r->input.ctx, status, &gathered, starts, own.keys, own.count * 8);
    sl_free(own.keys);
    if (status == SL_OK && !(scratch = sl_malloc(starts[processes] + 8)))
        status = no_memory(r);
    if (status == SL_OK)
        *all = join_ids((id_list){gathered, starts[processes] / 8}, scratch,
                        64 - (unsigned)__builtin_clzll(r->max_index | 1));
    else
        sl_free(gathered);
    sl_free(scratch);
    sl_free(starts);
    return status;
}

static sl_status renumber_by_sorting(const tuples *t)
{
    reader *r = t->r;
    id_list all;
    sl_status status = (r->processes > 1 ? ids_of_all_slices : all_ids)(t, &all);
    if (status != SL_OK)
        return status;
    r->edges.ids = all.keys;
    r->edges.nrows = r->edges.ncols = all.count;
#pragma omp parallel for schedule(dynamic) num_threads(r->threads) if (t->segment_count > 1)
    for (uint64_t i = 0; i < t->segment_count; i++) {
        const segment *s = &t->segments[i];
        for (uint64_t k = 0; k < s->count; k++) {
            s->row[k] = search(all.keys, all.count, s->row[k]);
            s->col[k] = search(all.keys, all.count, s->col[k]);
        }
    }
    for (uint64_t k = 0; k < all.count; k++)
        all.keys[k] += t->base;
    return SL_OK;
}

/* ---- negative ids ------------------------------------------------------- */

#define SIGN (UINT64_C(1) << 63)

/* Exchanges the order of ids below and above 0, so that unsigned comparison sorts signed ids. */
static void flip_signs(const tuples *t)
{
    reader *r = t->r;
#pragma omp parallel for schedule(dynamic) num_threads(r->threads) if (t->segment_count > 1)
    for (uint64_t i = 0; i < t->segment_count; i++) {
        const segment *s = &t->segments[i];
        for (uint64_t k = 0; k < s->count; k++) {
            s->row[k] ^= SIGN;
            s->col[k] ^= SIGN;
        }
    }
    r->max_index = UINT64_MAX;
}

/* Replaces ids with flipped signs by labels. */
static sl_status label_ids(reader *r)
{
    sl_edges *e = &r->edges;
    const uint64_t n = e->nrows;
    char *text = sl_malloc(n * MAX_NUMBER_TEXT + 1), *end = text;
    uint64_t *start = sl_malloc((n + 1) * sizeof *start);
    if (!text || !start) {
        sl_free(text);
        sl_free(start);
        return no_memory(r);
    }
    for (uint64_t v = 0; v < n; v++) {
        start[v] = (uint64_t)(end - text);
        end = put_value(end, sl_scalar_int64((int64_t)(e->ids[v] ^ SIGN)));
        *end++ = '\0';
    }
    char *smaller = sl_realloc(text, (size_t)(end - text) + 1);
    e->labels = (sl_labels){n, smaller ? smaller : text, start};
    sl_free(e->ids);
    e->ids = NULL;
    return SL_OK;
}

sl_status renumber_ids(reader *r, unsigned base)
{
    tuples t = {.r = r, .base = base};
    t.segments = reader_segments(r, &t.segment_count);
    if (r->negative_values && r->unsigned_values)
        return sl_fail(r->input.ctx, SL_OUT_OF_RANGE,
                       "%s: no 64-bit integer type holds negative ids and ids above 2^63 - 1, and "
                       "the file has both",
                       r->input.path);
    if (r->negative_values)
        flip_signs(&t);
    /* the bitmap then takes little more memory than the tuples */
    uint64_t words = r->max_index / 64 + 1;
    sl_status status = r->processes == 1 && words <= r->edges.count + 4096
                           ? renumber_by_bitmap(&t, words)
                           : renumber_by_sorting(&t);
    return status == SL_OK && r->negative_values ? label_ids(r) : status;
}
