/*
 * Reads a file on several threads. Each thread takes blocks in turn and stores the tuples in arrays
 * of its own; the position of each block's tuples is recorded, which gives the order of the file.
 * Blocks of a compressed file are decompressed by one thread at a time while the others scan.
 */
#include <inttypes.h>
#include <locale.h>

#include <omp.h>

#include "io/formats/label_table.h"
#include "io/formats/reader.h"

/*
 * Where the tuples of a block start in a thread's arrays; a block that continues in a new array has
 * a second one.
 */
typedef struct {
    uint64_t block, part, first;
} block_start;

/*
 * The tuples that one thread has read, in a list of arrays. A full array is kept and the next one
 * is started, because copying large arrays takes as long as filling them.
 */
struct thread_reader {
    reader reader; /* reader.edges is the last array */
    sl_edges *parts;
    uint64_t part_count, part_capacity;
    block_start *starts;
    uint64_t start_count, start_capacity;
};

typedef struct {
    reader *whole;
    block_scanner *scan;
    const void *format;
    locale_t locale;  /* of the calling thread, to be set in every thread */
    omp_lock_t lock;  /* protects reader->input and all members below */
    uint64_t blocks;  /* number of the next block to take */
    uint64_t last;    /* end of the range of blocks */
    sl_status status; /* SL_NO_MEMORY or SL_CANCELLED, or the first failure */
} parallel_read;

/* The lock must be held. */
static void record_status(parallel_read *w, sl_status status)
{
    if (w->status == SL_OK || status == SL_NO_MEMORY || status == SL_CANCELLED)
        w->status = status;
}

/*
 * Loads the next block, which may be empty; false at the end or after a failure in any thread.
 * Compressed data is decompressed in order, by one thread at a time.
 */
static bool take_block(parallel_read *w, thread_reader *mine, uint64_t *block)
{
    const input *whole = &w->whole->input;
    input *s = &mine->reader.input;
    bool more = true;
    const bool asks = omp_get_thread_num() == 0; /* the thread that called the public function */
    const sl_status interrupted = asks ? sl_interrupted(whole->ctx, "read") : SL_OK;
    omp_set_lock(&w->lock);
    record_status(w, interrupted);
    *block = w->blocks++;
    if (asks)
        w->whole->progress.done = input_position(whole, *block);
    if (w->status == SL_OK && whole->compressed) {
        record_status(w, input_part_next(s, &w->whole->input));
        more = s->begin != s->end;
    }
    more = more && w->status == SL_OK && *block < w->last;
    omp_unset_lock(&w->lock);
    if (!more || whole->compressed)
        return more;
    sl_status status = input_part_load(s, whole, *block, &more);
    if (status != SL_OK) {
        omp_set_lock(&w->lock);
        record_status(w, status);
        omp_unset_lock(&w->lock);
    }
    return more && status == SL_OK;
}

/*
 * Returns `list` with capacity for one more element than `count`, reallocated if necessary; NULL if
 * there is no memory, and `list` is then unchanged.
 */
static void *grow_list(void *list, uint64_t *capacity, uint64_t count, size_t size)
{
    if (count < *capacity)
        return list;
    const uint64_t more = 2 * count + 16;
    void *larger = sl_realloc(list, more * size);
    if (larger)
        *capacity = more;
    return larger;
}

static sl_status add_block_start(thread_reader *mine, uint64_t block)
{
    block_start *starts =
        grow_list(mine->starts, &mine->start_capacity, mine->start_count, sizeof *starts);
    if (!starts)
        return SL_NO_MEMORY;
    mine->starts = starts;
    mine->starts[mine->start_count++] =
        (block_start){block, mine->part_count, mine->reader.edges.count};
    return SL_OK;
}

sl_status thread_reader_grow(thread_reader *mine, uint64_t capacity, bool weighted)
{
    enum {
        LEAST = 1 << 16,
        MOST = 1 << 22
    }; /* limits of the capacity of an array, unless the caller needs more */
    reader *r = &mine->reader;
    sl_edges *e = &r->edges;
    const uint64_t block = mine->starts[mine->start_count - 1].block;
    const uint64_t needed = capacity > e->count ? capacity - e->count : 1;
    capacity = capacity > 2 * r->capacity ? capacity : 2 * r->capacity;
    capacity = capacity < LEAST ? LEAST : capacity < MOST ? capacity : MOST;
    capacity = capacity < needed ? needed : capacity;
    /* one element for the full array, one for the last, which is appended at the end */
    sl_edges *parts =
        grow_list(mine->parts, &mine->part_capacity, mine->part_count + 1, sizeof *parts);
    if (!parts)
        return SL_NO_MEMORY;
    mine->parts = parts;
    if (e->row) {
        mine->parts[mine->part_count++] = *e;
        e->row = e->col = e->values = NULL;
        e->count = r->capacity = 0;
        if (add_block_start(mine, block) != SL_OK)
            return SL_NO_MEMORY;
    }
    e->row = sl_malloc(capacity * 8);
    e->col = sl_malloc(capacity * 8);
    if (weighted)
        e->values = sl_malloc(capacity * 8);
    r->capacity = capacity;
    return e->row && e->col && (e->values || !weighted) ? SL_OK : SL_NO_MEMORY;
}

static sl_status scan_blocks(parallel_read *w, thread_reader *mine)
{
    const input *s = &mine->reader.input;
    for (uint64_t block; take_block(w, mine, &block);) {
        sl_status status = add_block_start(mine, block);
        if (status == SL_OK && s->begin != s->end)
            status = w->scan(&mine->reader, s->begin, w->format);
        if (status != SL_OK)
            return status;
    }
    return SL_OK;
}

/*
 * The work of one thread. The state is kept on the thread's stack, which avoids false sharing, and
 * copied to *result at the end.
 */
static void read_on_thread(parallel_read *w, thread_reader *result, int threads)
{
    const reader *whole = w->whole;
    sl_context *charged = sl_context_charge(whole->input.ctx);
    thread_reader mine = {
        .reader = {.options = whole->options, .edges = whole->edges, .processes = 1}};
    reader *r = &mine.reader;
    r->thread_reader = &mine;
    r->edges.row = r->edges.col = r->edges.values = NULL;
    r->edges.count = 0;
    omp_set_lock(&w->lock); /* other threads may already be taking blocks */
    sl_status status = input_part_open(&r->input, &whole->input);
    omp_unset_lock(&w->lock);
    r->input.size = reader_bytes(whole) / (unsigned)threads;
    locale_t before = uselocale(w->locale);
    if (status == SL_OK)
        status = scan_blocks(w, &mine);
    uselocale(before);
    input_part_close(&r->input);
    omp_set_lock(&w->lock);
    record_status(w, status);
    omp_unset_lock(&w->lock);
    if (r->edges.row || r->edges.col || r->edges.values)
        mine.parts[mine.part_count++] = r->edges;
    sl_context_charge(charged);
    *result = mine;
}

/* The tuples from start k to the next one; `first` is set later. */
static segment segment_after(const thread_reader *s, uint64_t k)
{
    const block_start *m = &s->starts[k];
    if (m->part == s->part_count) /* its block is the last one and has no tuples */
        return (segment){0};
    const sl_edges *e = &s->parts[m->part];
    const bool same = k + 1 < s->start_count && m[1].part == m->part;
    const uint64_t end = same ? m[1].first : e->count;
    if (m->first == end)
        return (segment){0};
    return (segment){0, end - m->first, e->row + m->first, e->col + m->first,
                     e->values ? (char *)e->values + 8 * m->first : NULL};
}

/*
 * Puts the segments of all threads in the order of the blocks; the first block has number `from`.
 * next: scratch of blocks + 1 zeros; next[b] becomes the position of the segments of block b.
 */
static void order_segments(reader *r, uint64_t *next, uint64_t from, uint64_t blocks)
{
    for (int t = 0; t < r->thread_count; t++)
        for (uint64_t k = 0; k < r->thread_readers[t].start_count; k++)
            next[r->thread_readers[t].starts[k].block - from + 1]++;
    next[0] = 1;
    for (uint64_t b = 0; b < blocks; b++)
        next[b + 1] += next[b];
    for (int t = 0; t < r->thread_count; t++)
        for (uint64_t k = 0; k < r->thread_readers[t].start_count; k++)
            r->segments[next[r->thread_readers[t].starts[k].block - from]++] =
                segment_after(&r->thread_readers[t], k);
    for (uint64_t i = 0, first = 0; i < r->segment_count; i++) {
        r->segments[i].first = first;
        first += r->segments[i].count;
    }
}

/* Combines the results of the threads: segments, number of tuples, greatest index, signs. */
static sl_status gather(reader *r, uint64_t from, uint64_t blocks)
{
    r->segment_count = 1;
    for (int t = 0; t < r->thread_count; t++) {
        const reader *part = &r->thread_readers[t].reader;
        r->segment_count += r->thread_readers[t].start_count;
        r->max_index = part->max_index > r->max_index ? part->max_index : r->max_index;
        r->negative_values |= part->negative_values;
        r->unsigned_values |= part->unsigned_values;
    }
    uint64_t *next = sl_calloc(blocks + 1, sizeof *next);
    r->segments = sl_calloc(r->segment_count, sizeof *r->segments);
    if (next && r->segments) {
        const sl_edges *first_block = &r->first_block;
        r->segments[0] = (segment){0, first_block->count, first_block->row, first_block->col,
                                   first_block->values};
        order_segments(r, next, from, blocks);
        const segment *last = &r->segments[r->segment_count - 1];
        r->edges.count = last->first + last->count;
    }
    sl_free(next);
    return next && r->segments ? SL_OK : SL_NO_MEMORY;
}

sl_status read_blocks_on_threads(reader *r, block_scanner *scan, const void *format, uint64_t first,
                                 uint64_t last)
{
    parallel_read w = {.whole = r,
                       .scan = scan,
                       .format = format,
                       .locale = uselocale((locale_t)0),
                       .blocks = first,
                       .last = last};
    const int threads = r->threads;
    r->thread_readers = sl_calloc((size_t)threads, sizeof *r->thread_readers);
    w.status = r->thread_readers ? input_prepare_parts(&r->input) : SL_NO_MEMORY;
    if (w.status == SL_OK) {
        r->thread_count = threads;
        r->first_block = r->edges;
        r->edges.row = r->edges.col = r->edges.values = NULL;
        omp_init_lock(&w.lock);
#pragma omp parallel num_threads(threads)
        read_on_thread(&w, &r->thread_readers[omp_get_thread_num()], threads);
        omp_destroy_lock(&w.lock);
        if (!r->input.compressed)
            input_skip(&r->input);
    }
    if (w.status == SL_OK)
        w.status = gather(r, first, w.blocks - first);
    if (w.status == SL_NO_MEMORY)
        return sl_fail(r->input.ctx, SL_NO_MEMORY, "%s: no memory for the edges", r->input.path);
    return w.status;
}

reader *reader_of_thread(reader *r, int t, const sl_edges **parts, uint64_t *count)
{
    thread_reader *mine = &r->thread_readers[t];
    *parts = mine->parts;
    *count = mine->part_count;
    return &mine->reader;
}

sl_status reader_join(reader *r)
{
    sl_edges *edges = &r->edges;
    if (edges->count == 0 || !r->segments)
        return SL_OK;
    const bool valued = segments_valued(r->segments, r->segment_count);
    reader whole = {.input = r->input, .processes = 1};
    sl_status status = reader_grow(&whole, edges->count, valued);
    edges->row = whole.edges.row;
    edges->col = whole.edges.col;
    edges->values = whole.edges.values;
    if (status != SL_OK)
        return status;
#pragma omp parallel for schedule(dynamic) num_threads(r->threads)
    for (uint64_t i = 0; i < r->segment_count; i++) {
        const segment *s = &r->segments[i];
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
    sl_edges_free(&r->first_block);
    label_table_free(r->labels);
    r->labels = NULL;
    for (int t = 0; t < r->thread_count; t++) {
        for (uint64_t k = 0; k < r->thread_readers[t].part_count; k++)
            sl_edges_free(&r->thread_readers[t].parts[k]);
        label_table_free(r->thread_readers[t].reader.labels);
        sl_free(r->thread_readers[t].parts);
        sl_free(r->thread_readers[t].starts);
    }
    sl_free(r->thread_readers);
    sl_free(r->segments);
}

static sl_status grow_array(reader *r, void **array, uint64_t capacity)
{
    void *larger = capacity <= SIZE_MAX / 8 ? sl_realloc(*array, capacity * 8) : NULL;
    if (!larger)
        return sl_fail(r->input.ctx, SL_NO_MEMORY, "%s: no memory for %llu edges", r->input.path,
                       (unsigned long long)capacity);
    *array = larger;
    return SL_OK;
}

sl_status reader_grow(reader *r, uint64_t capacity, bool weighted)
{
    if (r->thread_reader)
        return thread_reader_grow(r->thread_reader, capacity, weighted);
    capacity = capacity > 2 * r->capacity ? capacity : 2 * r->capacity;
    void *row = r->edges.row, *col = r->edges.col;
    sl_status status = grow_array(r, &row, capacity);
    r->edges.row = row;
    if (status == SL_OK)
        status = grow_array(r, &col, capacity);
    r->edges.col = col;
    if (status == SL_OK && weighted)
        status = grow_array(r, &r->edges.values, capacity);
    if (status == SL_OK)
        r->capacity = capacity;
    return status;
}

sl_status reader_set_size(reader *r, unsigned base)
{
    sl_edges *edges = &r->edges;
    const uint64_t vertices = r->total > 0 ? r->max_index + 1 : 0, given = r->options->vertices;
    if (r->options->flags & SL_READ_RENUMBER)
        return renumber_ids(r, base);
    r->size_implied = true;
    edges->nrows = edges->ncols = given ? given : vertices;
    if (vertices <= edges->nrows)
        return SL_OK;
    return sl_fail(r->input.ctx, SL_OUT_OF_RANGE,
                   "%s: vertex id %" PRIu64 " is out of range: the options give %" PRIu64
                   " vertices",
                   r->input.path, r->max_index + base, given);
}
