/*
 * A file read by several threads. Each takes block after block of it and keeps the
 * tuples that it finds; where the blocks' tuples begin is noted, which puts them in
 * order. Of a packed file one thread unpacks the next block while others scan.
 */
#include <locale.h>

#include <omp.h>

#include "reader.h"

/* Where the tuples of a block begin, or those of its rest that did not fit into a part. */
typedef struct {
    uint64_t block, part, first;
} mark;

/*
 * What one thread has read. Its arrays are parts that never move, as large ones cost
 * as much to move as to fill: where one is full, the next begins.
 */
struct share {
    reader reader; /* its edges are the last part */
    sl_edges *parts;
    uint64_t part_count, part_room;
    mark *marks;
    uint64_t mark_count, mark_room;
};

typedef struct {
    reader *whole;
    block_scanner *scan;
    const void *format;
    locale_t locale;  /* the caller's; a thread has its own */
    omp_lock_t lock;  /* for the whole's source and what follows */
    uint64_t blocks;  /* taken so far, or before the first */
    uint64_t last;    /* none from here on */
    sl_status status; /* SL_NO_MEMORY, or the failure that came first */
} work;

/* With the lock held. */
static void note_status(work *w, sl_status status)
{
    if (w->status == SL_OK || status == SL_NO_MEMORY)
        w->status = status;
}

/*
 * Loads the next block, which may be empty; false at the end, or if a thread has failed.
 * What is packed is unpacked by one thread at a time, in order.
 */
static bool take_block(work *w, share *mine, uint64_t *block)
{
    const source *whole = &w->whole->source;
    source *s = &mine->reader.source;
    bool more = true;
    omp_set_lock(&w->lock);
    *block = w->blocks++;
    if (w->status == SL_OK && whole->packed) {
        note_status(w, source_part_next(s, &w->whole->source));
        more = s->begin != s->end;
    }
    more = more && w->status == SL_OK && *block < w->last;
    omp_unset_lock(&w->lock);
    if (!more || whole->packed)
        return more;
    sl_status status = source_part_at(s, whole, *block, &more);
    if (status != SL_OK) {
        omp_set_lock(&w->lock);
        note_status(w, status);
        omp_unset_lock(&w->lock);
    }
    return more && status == SL_OK;
}

/* A list of `count` with room for one more; NULL, the list staying as it is, if there is no
 * memory. */
static void *grow_list(void *list, uint64_t *room, uint64_t count, size_t size)
{
    if (count < *room)
        return list;
    const uint64_t more = 2 * count + 16;
    void *larger = sl_realloc(list, more * size);
    if (larger)
        *room = more;
    return larger;
}

static sl_status note_block(share *mine, uint64_t block)
{
    mark *marks = grow_list(mine->marks, &mine->mark_room, mine->mark_count, sizeof *marks);
    if (!marks)
        return SL_NO_MEMORY;
    mine->marks = marks;
    mine->marks[mine->mark_count++] = (mark){block, mine->part_count, mine->reader.edges.count};
    return SL_OK;
}

sl_status share_grow(share *mine, uint64_t room, bool weighted)
{
    enum { LEAST = 1 << 16, MOST = 1 << 22 }; /* tuples of a part, unless more are asked for */
    reader *r = &mine->reader;
    sl_edges *e = &r->edges;
    const uint64_t block = mine->marks[mine->mark_count - 1].block;
    const uint64_t needed = room > e->count ? room - e->count : 1;
    room = room > 2 * r->room ? room : 2 * r->room;
    room = room < LEAST ? LEAST : room < MOST ? room : MOST;
    room = room < needed ? needed : room;
    /* one for the part that is full, one for the last, which is put there at the end */
    sl_edges *parts = grow_list(mine->parts, &mine->part_room, mine->part_count + 1, sizeof *parts);
    if (!parts)
        return SL_NO_MEMORY;
    mine->parts = parts;
    if (e->row) {
        mine->parts[mine->part_count++] = *e;
        e->row = e->col = e->values = NULL;
        e->count = r->room = 0;
        if (note_block(mine, block) != SL_OK)
            return SL_NO_MEMORY;
    }
    e->row = sl_malloc(room * 8);
    e->col = sl_malloc(room * 8);
    if (weighted)
        e->values = sl_malloc(room * 8);
    r->room = room;
    return e->row && e->col && (e->values || !weighted) ? SL_OK : SL_NO_MEMORY;
}

static sl_status scan_blocks(work *w, share *mine)
{
    const source *s = &mine->reader.source;
    for (uint64_t block; take_block(w, mine, &block);) {
        sl_status status = note_block(mine, block);
        if (status == SL_OK && s->begin != s->end)
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
    share mine = {.reader = {.options = whole->options, .edges = whole->edges, .processes = 1}};
    reader *r = &mine.reader;
    r->share = &mine;
    r->edges.row = r->edges.col = r->edges.values = NULL;
    r->edges.count = 0;
    omp_set_lock(&w->lock); /* others may be taking blocks already */
    sl_status status = source_part_open(&r->source, &whole->source);
    omp_unset_lock(&w->lock);
    r->source.size = reader_bytes(whole) / (unsigned)threads;
    locale_t before = uselocale(w->locale);
    if (status == SL_OK)
        status = scan_blocks(w, &mine);
    uselocale(before);
    source_part_close(&r->source);
    omp_set_lock(&w->lock);
    note_status(w, status);
    omp_unset_lock(&w->lock);
    if (r->edges.row || r->edges.col || r->edges.values)
        mine.parts[mine.part_count++] = r->edges;
    sl_context_charge(charged);
    *result = mine;
}

/* The tuples that mark k of a share begins, without their number. */
static stretch stretch_of(const share *s, uint64_t k)
{
    const mark *m = &s->marks[k];
    if (m->part == s->part_count) /* its block is the last, and has no tuple */
        return (stretch){0};
    const sl_edges *e = &s->parts[m->part];
    const bool same = k + 1 < s->mark_count && m[1].part == m->part;
    const uint64_t end = same ? m[1].first : e->count;
    if (m->first == end)
        return (stretch){0};
    return (stretch){0, end - m->first, e->row + m->first, e->col + m->first,
                     e->values ? (char *)e->values + 8 * m->first : NULL};
}

/* Puts the shares' stretches in the order of the blocks, of which number `from` is the
 * first; next[b]: where those of b go. */
static void order_stretches(reader *r, uint64_t *next, uint64_t from, uint64_t blocks)
{
    for (int t = 0; t < r->share_count; t++)
        for (uint64_t k = 0; k < r->shares[t].mark_count; k++)
            next[r->shares[t].marks[k].block - from + 1]++;
    next[0] = 1;
    for (uint64_t b = 0; b < blocks; b++)
        next[b + 1] += next[b];
    for (int t = 0; t < r->share_count; t++)
        for (uint64_t k = 0; k < r->shares[t].mark_count; k++)
            r->stretches[next[r->shares[t].marks[k].block - from]++] = stretch_of(&r->shares[t], k);
    for (uint64_t i = 0, first = 0; i < r->stretch_count; i++) {
        r->stretches[i].first = first;
        first += r->stretches[i].count;
    }
}

/* Brings the shares together: stretches, the count and the greatest index. */
static sl_status gather(reader *r, uint64_t from, uint64_t blocks)
{
    r->stretch_count = 1;
    for (int t = 0; t < r->share_count; t++) {
        const reader *part = &r->shares[t].reader;
        r->stretch_count += r->shares[t].mark_count;
        r->greatest = part->greatest > r->greatest ? part->greatest : r->greatest;
    }
    uint64_t *next = sl_calloc(blocks + 1, sizeof *next);
    r->stretches = sl_calloc(r->stretch_count, sizeof *r->stretches);
    if (next && r->stretches) {
        const sl_edges *own = &r->own;
        r->stretches[0] = (stretch){0, own->count, own->row, own->col, own->values};
        order_stretches(r, next, from, blocks);
        const stretch *last = &r->stretches[r->stretch_count - 1];
        r->edges.count = last->first + last->count;
    }
    sl_free(next);
    return next && r->stretches ? SL_OK : SL_NO_MEMORY;
}

sl_status read_on_threads(reader *r, block_scanner *scan, const void *format, uint64_t first,
                          uint64_t last)
{
    work w = {.whole = r,
              .scan = scan,
              .format = format,
              .locale = uselocale((locale_t)0),
              .blocks = first,
              .last = last};
    const int threads = r->threads;
    r->shares = sl_calloc((size_t)threads, sizeof *r->shares);
    w.status = r->shares ? source_share(&r->source) : SL_NO_MEMORY;
    if (w.status == SL_OK) {
        r->share_count = threads;
        r->own = r->edges;
        r->edges.row = r->edges.col = r->edges.values = NULL;
        omp_init_lock(&w.lock);
#pragma omp parallel num_threads(threads)
        do_share(&w, &r->shares[omp_get_thread_num()], threads);
        omp_destroy_lock(&w.lock);
        if (!r->source.packed)
            source_skip(&r->source);
    }
    if (w.status == SL_OK)
        w.status = gather(r, first, w.blocks - first);
    if (w.status == SL_NO_MEMORY)
        return sl_fail(r->source.ctx, SL_NO_MEMORY, "%s: no memory for its edges", r->source.path);
    return w.status;
}

sl_status read_blocks(reader *r, const char *p, block_scanner *scan, const void *format)
{
    source *s = &r->source;
    if (r->processes > 1)
        return read_slice(r, p, scan, format);
    sl_status status = scan(r, p, format);
    if (status == SL_OK && r->threads > 1 && source_goes_on(s))
        status = read_on_threads(r, scan, format, 0, UINT64_MAX);
    else
        while (status == SL_OK && (status = source_next(s)) == SL_OK && s->begin != s->end)
            status = scan(r, s->begin, format);
    r->total = r->edges.count;
    return status;
}

sl_status reader_join(reader *r)
{
    sl_edges *edges = &r->edges;
    if (edges->count == 0 || !r->stretches)
        return SL_OK;
    const bool valued = stretches_valued(r->stretches, r->stretch_count);
    reader whole = {.source = r->source, .processes = 1};
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
    sl_edges_free(&r->own);
    for (int t = 0; t < r->share_count; t++) {
        for (uint64_t k = 0; k < r->shares[t].part_count; k++)
            sl_edges_free(&r->shares[t].parts[k]);
        sl_free(r->shares[t].parts);
        sl_free(r->shares[t].marks);
    }
    sl_free(r->shares);
    sl_free(r->stretches);
}
