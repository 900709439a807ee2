/*
 * A file read by several threads. Each takes block after block of it, so that one
 * unpacks or copies the next while others scan, and keeps the tuples that it finds;
 * where the blocks' tuples begin is noted, which puts them in order.
 */
#include <locale.h>

#include <omp.h>

#include "reader.h"

/* Where a block's tuples begin among those of the thread that scanned it. */
typedef struct {
    uint64_t block, first;
} mark;

typedef struct {
    reader reader;
    mark *marks;
    uint64_t mark_count, mark_room;
} share;

typedef struct {
    reader *whole;
    block_scanner *scan;
    const void *format;
    locale_t locale;  /* the caller's; a thread has its own */
    omp_lock_t lock;  /* for the whole's source and what follows */
    uint64_t blocks;  /* taken so far */
    sl_status status; /* SL_NO_MEMORY, or the failure that came first */
} work;

/* With the lock held. */
static void note_status(work *w, sl_status status)
{
    if (w->status == SL_OK || status == SL_NO_MEMORY)
        w->status = status;
}

/* Loads the next block; an empty one at the end, or if a thread has failed. */
static void take_block(work *w, share *mine, uint64_t *block)
{
    source *s = &mine->reader.source;
    omp_set_lock(&w->lock);
    *block = w->blocks++;
    if (w->status == SL_OK)
        note_status(w, source_part_next(s, &w->whole->source));
    if (w->status != SL_OK)
        s->begin = s->end;
    omp_unset_lock(&w->lock);
}

static sl_status note_block(share *mine, uint64_t block)
{
    if (mine->mark_count == mine->mark_room) {
        uint64_t room = 2 * mine->mark_room + 64;
        mark *larger = sl_realloc(mine->marks, room * sizeof *larger);
        if (!larger)
            return SL_NO_MEMORY;
        mine->marks = larger;
        mine->mark_room = room;
    }
    mine->marks[mine->mark_count++] = (mark){block, mine->reader.edges.count};
    return SL_OK;
}

static sl_status scan_blocks(work *w, share *mine)
{
    source *s = &mine->reader.source;
    uint64_t block;
    for (take_block(w, mine, &block); s->begin != s->end; take_block(w, mine, &block)) {
        sl_status status = note_block(mine, block);
        if (status == SL_OK)
            status = w->scan(&mine->reader, s->begin, w->format);
        if (status != SL_OK)
            return status;
    }
    return SL_OK;
}

/* One thread's part of the work, kept on its own stack, and in *result at the end. */
static void do_share(work *w, share *result, int threads)
{
    const reader *whole = w->whole;
    sl_context *charged = sl_context_charge(whole->source.ctx);
    share mine = {.reader = {.options = whole->options, .edges = whole->edges}};
    reader *r = &mine.reader;
    r->edges.row = r->edges.col = r->edges.values = NULL;
    r->edges.count = 0;
    sl_status status = source_part_open(&r->source, &whole->source);
    r->source.size = whole->source.size / (unsigned)threads;
    locale_t before = uselocale(w->locale);
    if (status == SL_OK)
        status = scan_blocks(w, &mine);
    uselocale(before);
    source_part_close(&r->source);
    omp_set_lock(&w->lock);
    note_status(w, status);
    omp_unset_lock(&w->lock);
    sl_context_charge(charged);
    *result = mine;
}

/* Brings the shares together: stretches, the count and the greatest index. */
static sl_status gather(reader *r, const share *shares, int threads, uint64_t blocks)
{
    stretch *stretches = r->stretches = sl_calloc(blocks + 1, sizeof *stretches);
    if (!stretches)
        return SL_NO_MEMORY;
    r->stretch_count = blocks + 1;
    const sl_edges *own = &r->parts[0];
    stretches[0] = (stretch){0, own->count, own->row, own->col, own->values};
    for (int t = 0; t < threads; t++) {
        const share *s = &shares[t];
        const sl_edges *e = &s->reader.edges;
        for (uint64_t k = 0; k < s->mark_count; k++) {
            uint64_t first = s->marks[k].first;
            uint64_t end = k + 1 < s->mark_count ? s->marks[k + 1].first : e->count;
            if (first < end)
                stretches[s->marks[k].block + 1] =
                    (stretch){0, end - first, e->row + first, e->col + first,
                              e->values ? (char *)e->values + 8 * first : NULL};
        }
        r->greatest = s->reader.greatest > r->greatest ? s->reader.greatest : r->greatest;
    }
    r->edges.count = 0;
    for (uint64_t i = 0; i <= blocks; i++) {
        stretches[i].first = r->edges.count;
        r->edges.count += stretches[i].count;
    }
    return SL_OK;
}

static sl_status read_on_threads(reader *r, block_scanner *scan, const void *format)
{
    work w = {.whole = r, .scan = scan, .format = format, .locale = uselocale((locale_t)0)};
    const int threads = r->threads;
    share *shares = sl_calloc((size_t)threads, sizeof *shares);
    r->parts = sl_calloc((size_t)threads + 1, sizeof *r->parts);
    if (shares && r->parts) {
        r->part_count = threads + 1;
        r->parts[0] = r->edges;
        r->edges.row = r->edges.col = r->edges.values = NULL;
        omp_init_lock(&w.lock);
#pragma omp parallel num_threads(threads)
        do_share(&w, &shares[omp_get_thread_num()], threads);
        omp_destroy_lock(&w.lock);
        for (int t = 0; t < threads; t++)
            r->parts[t + 1] = shares[t].reader.edges;
        if (w.status == SL_OK)
            w.status = gather(r, shares, threads, w.blocks);
    } else {
        w.status = SL_NO_MEMORY;
    }
    for (int t = 0; shares && t < threads; t++)
        sl_free(shares[t].marks);
    sl_free(shares);
    if (w.status == SL_NO_MEMORY)
        return sl_fail(r->source.ctx, SL_NO_MEMORY, "%s: no memory for its edges", r->source.path);
    return w.status;
}

sl_status read_blocks(reader *r, const char *p, block_scanner *scan, const void *format)
{
    source *s = &r->source;
    sl_status status = scan(r, p, format);
    if (status == SL_OK && r->threads > 1 && source_goes_on(s))
        return read_on_threads(r, scan, format);
    while (status == SL_OK && (status = source_next(s)) == SL_OK && s->begin != s->end)
        status = scan(r, s->begin, format);
    return status;
}

sl_status reader_join(reader *r)
{
    sl_edges *edges = &r->edges;
    if (!r->stretches)
        return SL_OK;
    const bool valued = stretches_valued(r->stretches, r->stretch_count);
    reader whole = {.source = r->source};
    sl_status status = reader_grow(&whole, edges->count, valued);
    edges->row = whole.edges.row;
    edges->col = whole.edges.col;
    edges->values = whole.edges.values;
    if (status != SL_OK)
        return status;
#pragma omp parallel for schedule(dynamic) num_threads(r->threads)
    for (uint64_t i = 0; i < r->stretch_count; i++) {
        const stretch *s = &r->stretches[i];
        if (s->count == 0)
            continue;
        memcpy(edges->row + s->first, s->row, s->count * 8);
        memcpy(edges->col + s->first, s->col, s->count * 8);
        if (valued)
            memcpy((char *)edges->values + 8 * s->first, s->values, s->count * 8);
    }
    return SL_OK;
}

void reader_free(reader *r)
{
    sl_edges_free(&r->edges);
    for (int k = 0; k < r->part_count; k++)
        sl_edges_free(&r->parts[k]);
    sl_free(r->parts);
    sl_free(r->stretches);
}
