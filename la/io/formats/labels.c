/*
 * The order of labels, their final numbers, and the search for a label. Integers are sorted by their
 * value and other labels by their first 8 bytes with the radix sort of tuples; labels that agree in
 * these are then sorted by comparison.
 */
#include <stdlib.h>

#include "io/files/scan_number.h"
#include "io/formats/label_table.h"
#include "io/tuples/sort.h"

/* The first 8 bytes, such that numbers compare as the bytes do. */
static uint64_t first_bytes(const char *label)
{
    uint64_t key = 0;
    for (int k = 0; k < 8; k++) {
        key = key << 8 | (unsigned char)*label;
        label += *label != '\0';
    }
    return key;
}

/* The kinds of labels, in their order. */
typedef enum { LABEL_NEGATIVE, LABEL_NUMBER, LABEL_TEXT, LABEL_KINDS } label_kind;

/*
 * The kind of a label. Integers have 64 bits and one spelling: no plus sign, no leading zeros, no -0.
 * Labels of a kind compare as their keys do, texts if their keys differ.
 */
static label_kind kind_of(const char *label, uint64_t *key)
{
    bool negative, overflow = false;
    const char *digits = label + (*label == '-');
    const char *end = is_digit(*digits) ? scan_integer(label, key, &negative, &overflow) : NULL;
    if (end && *end == '\0' && (*digits != '0' || (end == digits + 1 && !negative)))
        return negative ? LABEL_NEGATIVE : LABEL_NUMBER;
    *key = first_bytes(label);
    return LABEL_TEXT;
}

int compare_labels(const char *a, const char *b)
{
    uint64_t x, y;
    const label_kind first = kind_of(a, &x), second = kind_of(b, &y);
    if (first != second)
        return first < second ? -1 : 1;
    return first == LABEL_TEXT ? strcmp(a, b) : (x > y) - (x < y);
}

sl_status sl_labels_find(uint64_t *vertex, const sl_labels *labels, const char *label)
{
    if (!vertex || !labels || !label)
        return SL_INVALID;
    uint64_t low = 0, high = labels->count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const int order = compare_labels(labels->text + labels->start[middle], label);
        if (order == 0) {
            *vertex = middle;
            return SL_OK;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return SL_NO_VALUE;
}

/* ---- final numbers -------------------------------------------------------- */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts labels that agree in their first 8 bytes. `order` has their numbers, `pointers` is scratch.
 */
static void sort_equal(const label_table *all, word *order, uint64_t n, const char **pointers)
{
    for (uint64_t k = 0; k < n; k++)
        pointers[k] = all->text + all->start[order[k]];
    qsort(pointers, n, sizeof *pointers, compare_texts);
    /* the number of a label follows from its position in the text */
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t at = (uint64_t)(pointers[k] - all->text);
        uint64_t low = 0, high = all->count;
        while (high - low > 1) {
            const uint64_t middle = low + (high - low) / 2;
            if (all->start[middle] <= at)
                low = middle;
            else
                high = middle;
        }
        order[k] = low;
    }
}

/* Scratch arrays of the sort, with an element per label. */
typedef struct {
    uint64_t *keys, *other_keys;
    word *order, *other_order;
    const char **pointers;
} sort_space;

static void free_space(sort_space *s)
{
    sl_free(s->keys);
    sl_free(s->other_keys);
    sl_free(s->order);
    sl_free(s->other_order);
    sl_free(s->pointers);
}

static bool make_space(sort_space *s, uint64_t n)
{
    s->keys = sl_malloc((n + 1) * sizeof *s->keys);
    s->other_keys = sl_malloc((n + 1) * sizeof *s->other_keys);
    s->order = sl_malloc((n + 1) * sizeof *s->order);
    s->other_order = sl_malloc((n + 1) * sizeof *s->other_order);
    s->pointers = sl_malloc((n + 1) * sizeof *s->pointers);
    return s->keys && s->other_keys && s->order && s->other_order && s->pointers;
}

/* Sorts labels `from` to `to` - 1 of the order by their keys; sets s->order and s->keys. */
static void sort_range(sort_space *s, uint64_t from, uint64_t to)
{
    const records sorted =
        sort_records((records){s->keys + from, s->order + from},
                     (records){s->other_keys + from, s->other_order + from}, to - from, 64);
    if (sorted.keys != s->keys + from) {
        memcpy(s->keys + from, sorted.keys, (to - from) * sizeof *s->keys);
        memcpy(s->order + from, sorted.values, (to - from) * sizeof *s->order);
    }
}

/* s->order: the numbers of the labels of the table in the order of compare_labels. */
static void sort_labels(const label_table *all, sort_space *s)
{
    uint64_t next[LABEL_KINDS + 1] = {0}, key;
    for (uint64_t k = 0; k < all->count; k++)
        next[kind_of(all->text + all->start[k], &key) + 1]++;
    for (int kind = 0; kind < LABEL_KINDS; kind++)
        next[kind + 1] += next[kind];
    const uint64_t numbers = next[LABEL_NUMBER], texts = next[LABEL_TEXT];
    for (uint64_t k = 0; k < all->count; k++) {
        const uint64_t at = next[kind_of(all->text + all->start[k], &key)]++;
        s->keys[at] = key;
        s->order[at] = k;
    }
    sort_range(s, 0, numbers);
    sort_range(s, numbers, texts);
    sort_range(s, texts, all->count);
    for (uint64_t k = texts, end; k < all->count; k = end) {
        for (end = k + 1; end < all->count && s->keys[end] == s->keys[k]; end++)
            ;
        if (end - k > 1)
            sort_equal(all, s->order + k, end - k, s->pointers);
    }
}

/* Makes the labels of the graph, and the final number of each label of the table in `final`. */
static bool make_labels(sl_labels *labels, const label_table *all, uint64_t *final)
{
    sort_space s = {0};
    labels->text = sl_malloc(all->used + 1);
    labels->start = sl_malloc((all->count + 1) * sizeof *labels->start);
    const bool ready = make_space(&s, all->count) && labels->text && labels->start;
    if (ready) {
        uint64_t used = 0;
        sort_labels(all, &s);
        for (uint64_t k = 0; k < all->count; k++) {
            const char *label = all->text + all->start[s.order[k]];
            const size_t bytes = strlen(label) + 1;
            final[s.order[k]] = k;
            labels->start[k] = used;
            memcpy(labels->text + used, label, bytes);
            used += bytes;
        }
        labels->count = all->count;
    }
    free_space(&s);
    return ready;
}

/* The tables and the arrays of tuples of the calling thread (0) and of the others (from 1). */
typedef struct {
    const label_table *table;
    const sl_edges *parts;
    uint64_t part_count;
} thread_tuples;

static thread_tuples tuples_of(reader *r, int t)
{
    thread_tuples own = {r->labels, r->thread_readers ? &r->first_block : &r->edges, 1};
    if (t > 0)
        own.table = reader_of_thread(r, t - 1, &own.parts, &own.part_count)->labels;
    return own;
}

/* Puts the labels of all threads in one table; map[k] becomes the number of label k of a thread. */
static sl_status join_table(label_table *all, const label_table *own, uint64_t *map)
{
    for (uint64_t k = 0; k < own->count; k++) {
        const char *label = own->text + own->start[k];
        const size_t length = strlen(label);
        sl_status status =
            label_table_number(all, label, length, label_hash(label, length), &map[k]);
        if (status != SL_OK)
            return status;
    }
    return SL_OK;
}

static void replace(const thread_tuples *own, const uint64_t *map, const uint64_t *final)
{
    for (uint64_t p = 0; p < own->part_count; p++)
        for (uint64_t k = 0; k < own->parts[p].count; k++) {
            own->parts[p].row[k] = final[map[own->parts[p].row[k]]];
            own->parts[p].col[k] = final[map[own->parts[p].col[k]]];
        }
}

static sl_status number(reader *r, label_table *all, uint64_t **maps, int threads)
{
    sl_status status = SL_OK;
    for (int t = 0; status == SL_OK && t < threads; t++) {
        const label_table *own = tuples_of(r, t).table;
        if (!own)
            continue;
        maps[t] = sl_malloc((own->count + 1) * sizeof *maps[t]);
        status = maps[t] ? join_table(all, own, maps[t]) : SL_NO_MEMORY;
    }
    uint64_t *final = sl_malloc((all->count + 1) * sizeof *final);
    if (status == SL_OK && !(final && make_labels(&r->edges.labels, all, final)))
        status = SL_NO_MEMORY;
    if (status == SL_OK) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
        for (int t = 0; t < threads; t++) {
            const thread_tuples own = tuples_of(r, t);
            if (maps[t])
                replace(&own, maps[t], final);
        }
    }
    sl_free(final);
    return status;
}

sl_status number_labels(reader *r)
{
    const int threads = r->thread_readers ? r->thread_count + 1 : 1;
    label_table *all = sl_calloc(1, sizeof *all);
    uint64_t **maps = sl_calloc((size_t)threads, sizeof *maps);
    sl_status status = all && maps ? number(r, all, maps, threads) : SL_NO_MEMORY;
    for (int t = 0; maps && t < threads; t++)
        sl_free(maps[t]);
    sl_free(maps);
    label_table_free(all);
    if (status != SL_OK)
        return sl_fail(r->input.ctx, status, "%s: no memory for the labels of the vertices",
                       r->input.path);
    r->edges.nrows = r->edges.ncols = r->edges.labels.count;
    return SL_OK;
}
