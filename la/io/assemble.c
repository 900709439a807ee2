/*
 * Tuples to compressed sparse rows. Two steps, both stable, so that equal
 * tuples meet in file order whatever the number of threads:
 *
 *   1. partition: each entry's key, (row, column) in one word, goes to the part
 *      of the matrix that its row lies in; a part is small enough for the cache;
 *   2. each part is sorted by itself, and its duplicates are combined.
 *
 * The mirror images are made on the way to the parts, right behind their
 * entries. The array of keys becomes the array of column indices.
 */
#include <unistd.h>

#include "assembly.h"
#include "gaps.h"
#include "work.h"

enum {
    PART_ENTRIES_LOG = 15, /* entries of a part, on average: keys and scratch fit in L2 */
    PARTS_LOG = 11,        /* more parts than that would spill the TLB in step 1 */
    SMALL = 1 << 14,       /* tuples that one thread handles sooner than many */
    CHUNKS = 4             /* per thread, as one may be slower than others */
};

static unsigned bits_of(uint64_t n)
{
    return n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;
}

/* Chooses the parts, so that keys fit in 64 bits. */
static void plan_parts(assembly *a)
{
    unsigned row_bits = bits_of(a->nrows);
    uint64_t entries = a->count << (a->mirror != SL_MIRROR_NONE);
    unsigned parts_log = bits_of(entries >> PART_ENTRIES_LOG);
    parts_log = parts_log < PARTS_LOG ? parts_log : PARTS_LOG;
    parts_log = parts_log < row_bits ? parts_log : row_bits;
    a->col_bits = bits_of(a->ncols);
    if (row_bits - parts_log + a->col_bits > 64)
        parts_log = row_bits + a->col_bits - 64;
    a->shift = row_bits - parts_log;
    a->key_bits = a->shift + a->col_bits;
    a->parts = a->nrows > 0 ? ((a->nrows - 1) >> a->shift) + 1 : 1;
    a->threads = a->count > SMALL ? io_threads(a->ctx) : 1;
    a->chunks = a->threads > 1 ? CHUNKS * a->threads : 1;
}

static uint64_t chunk_start(const assembly *a, int chunk)
{
    return (uint64_t)((unsigned __int128)a->count * (unsigned)chunk / (unsigned)a->chunks);
}

/* A walk over a chunk of the tuples, by what lies together. */
typedef struct {
    const stretch *from;
    uint64_t skip, left; /* tuples: of `from`, and of the chunk */
} walk;

static walk walk_chunk(const assembly *a, int chunk)
{
    const uint64_t begin = chunk_start(a, chunk);
    walk w = {.from = a->stretches, .left = chunk_start(a, chunk + 1) - begin};
    while (w.left > 0 && w.from->first + w.from->count <= begin)
        w.from++;
    w.skip = begin - w.from->first;
    return w;
}

/* The next tuples that lie together, rows and columns swapped if asked; false at the end. */
static bool walk_on(const assembly *a, walk *w, stretch *run)
{
    if (w->left == 0)
        return false;
    while (w->from->count == 0)
        w->from++;
    uint64_t most = w->from->count - w->skip;
    run->row = (a->transposed ? w->from->col : w->from->row) + w->skip;
    run->col = (a->transposed ? w->from->row : w->from->col) + w->skip;
    run->values = a->valued ? (const word *)w->from->values + w->skip : NULL;
    run->count = most < w->left ? most : w->left;
    w->left -= run->count;
    w->from++;
    w->skip = 0;
    return true;
}

/* Counts a chunk's entries of each part; false if an index is out of range. */
static bool count_chunk(const assembly *a, int chunk)
{
    uint64_t *next = a->next + (uint64_t)chunk * a->parts;
    walk w = walk_chunk(a, chunk);
    for (stretch run; walk_on(a, &w, &run);)
        for (uint64_t t = 0; t < run.count; t++) {
            uint64_t i = run.row[t], j = run.col[t];
            if (i >= a->nrows || j >= a->ncols)
                return false;
            if (i == j && a->drop_loops)
                continue;
            next[i >> a->shift]++;
            if (i != j && a->mirror != SL_MIRROR_NONE)
                next[j >> a->shift]++;
        }
    return true;
}

static inline void put(const assembly *a, uint64_t *next, uint64_t i, uint64_t j)
{
    uint64_t row = i & ((UINT64_C(1) << a->shift) - 1);
    a->entries.keys[next[i >> a->shift]++] = row << a->col_bits | j;
}

static inline void put_value(const assembly *a, uint64_t *next, uint64_t i, uint64_t j, word value)
{
    a->entries.values[next[i >> a->shift]] = value;
    put(a, next, i, j);
}

static word negated(word value, sl_type type)
{
    return type == SL_FP64 ? value ^ UINT64_C(1) << 63 : 0 - value;
}

static void move_run(const assembly *a, uint64_t *next, const stretch *run)
{
    const word *values = run->values;
    for (uint64_t t = 0; t < run->count; t++) {
        uint64_t i = run->row[t], j = run->col[t];
        if (i == j && a->drop_loops)
            continue;
        bool mirrored = i != j && a->mirror != SL_MIRROR_NONE;
        if (!a->valued) {
            put(a, next, i, j);
            if (mirrored)
                put(a, next, j, i);
        } else {
            put_value(a, next, i, j, values[t]);
            if (mirrored)
                put_value(a, next, j, i,
                          a->mirror == SL_MIRROR_NEGATED ? negated(values[t], a->type) : values[t]);
        }
    }
}

static void move_chunk(const assembly *a, int chunk)
{
    walk w = walk_chunk(a, chunk);
    for (stretch run; walk_on(a, &w, &run);)
        move_run(a, a->next + (uint64_t)chunk * a->parts, &run);
}

/* The counts of step 1 to places: parts in order, and in a part the chunks. */
static void place_chunks(assembly *a)
{
    uint64_t sum = 0;
    for (uint64_t p = 0; p < a->parts; p++) {
        a->offset[p] = sum;
        for (int c = 0; c < a->chunks; c++) {
            uint64_t *next = &a->next[(uint64_t)c * a->parts + p];
            uint64_t count = *next;
            *next = sum;
            sum += count;
        }
    }
    a->offset[a->parts] = sum;
}

/* A failure with the matrix's shape and a way out, as ids may be enormous. */
static sl_status no_memory(const assembly *a)
{
    return sl_fail(a->ctx, SL_NO_MEMORY,
                   "no memory for a matrix of %llu rows; sparse vertex ids take less if they are "
                   "read as compact ids (SL_READ_COMPACT, --compact)",
                   (unsigned long long)a->nrows);
}

/* Memory for n words. More than the machine has is refused at once, since the
 * system may hand it out and end the process when it is used. */
static void *words(uint64_t n)
{
    uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES), page = (uint64_t)sysconf(_SC_PAGESIZE);
    return n / (page / 8) < pages ? sl_malloc((n + 1) * 8) : NULL;
}

/* Names the first tuple of a chunk that is out of range. */
static sl_status refuse(const assembly *a, int chunk)
{
    uint64_t number = chunk_start(a, chunk);
    walk w = walk_chunk(a, chunk);
    for (stretch run; walk_on(a, &w, &run);)
        for (uint64_t t = 0; t < run.count; t++, number++)
            if (run.row[t] >= a->nrows || run.col[t] >= a->ncols)
                return sl_fail(a->ctx, SL_OUT_OF_RANGE,
                               "edge %llu, (%llu, %llu), is not in the matrix",
                               (unsigned long long)number, (unsigned long long)run.row[t],
                               (unsigned long long)run.col[t]);
    return SL_OK;
}

static sl_status partition(assembly *a)
{
    int refused = a->chunks;
    a->offset = words(a->parts + 1);
    a->place = words(a->parts + 1);
    a->next = sl_calloc((uint64_t)a->chunks * a->parts, sizeof *a->next);
    if (!a->offset || !a->place || !a->next)
        return no_memory(a);
#pragma omp parallel for schedule(dynamic) num_threads(a->threads) reduction(min : refused)
    for (int c = 0; c < a->chunks; c++)
        if (!count_chunk(a, c))
            refused = c < refused ? c : refused;
    if (refused < a->chunks)
        return refuse(a, refused);
    place_chunks(a);
    a->entries.keys = words(a->offset[a->parts]);
    if (a->valued)
        a->entries.values = words(a->offset[a->parts]);
    if (!a->entries.keys || (a->valued && !a->entries.values))
        return no_memory(a);
#pragma omp parallel for schedule(dynamic) num_threads(a->threads)
    for (int c = 0; c < a->chunks; c++)
        move_chunk(a, c);
    return SL_OK;
}

/* Keeps the least entry of those that occur more than once. */
static void note_repeated(assembly *a, uint64_t i, uint64_t j)
{
#pragma omp critical(sl_io_repeated)
    if (i < a->repeated[0] || (i == a->repeated[0] && j < a->repeated[1])) {
        a->repeated[0] = i;
        a->repeated[1] = j;
    }
}

/*
 * Writes a sorted part's columns, values and row starts to where the part lies,
 * each entry once. Row starts are those without what other parts leave out. Returns
 * the number of entries.
 */
static uint64_t finish_part(assembly *a, uint64_t part, records sorted)
{
    const uint64_t n = a->offset[part + 1] - a->offset[part];
    const uint64_t mask = (UINT64_C(1) << a->col_bits) - 1;
    const uint64_t last = (part + 1) << a->shift, row_end = last < a->nrows ? last : a->nrows;
    uint64_t *index = a->entries.keys + a->offset[part];
    word *values = a->valued ? a->entries.values + a->offset[part] : NULL;
    uint64_t row = part << a->shift, kept = 0, previous = 0;
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t key = sorted.keys[k];
        if (k > 0 && key == previous) {
            if (values) {
                word sum;
                a->combine->eval(&sum, &values[kept - 1], &sorted.values[k]);
                values[kept - 1] = sum;
            }
            if (a->duplicates == SL_DUPLICATES_ERROR)
                note_repeated(a, row - 1, key & mask);
            continue;
        }
        previous = key;
        for (const uint64_t i = (part << a->shift) + (key >> a->col_bits); row <= i; row++)
            a->start[row] = a->offset[part] + kept;
        index[kept] = key & mask;
        if (values)
            values[kept] = sorted.values[k];
        kept++;
    }
    for (; row < row_end; row++)
        a->start[row] = a->offset[part] + kept;
    return kept;
}

/* Scratch memory of one thread, as large as its largest part so far. */
static bool ensure_scratch(records *scratch, uint64_t *room, uint64_t n, bool valued)
{
    if (n <= *room)
        return true;
    sl_free(scratch->keys);
    sl_free(scratch->values);
    *scratch = (records){words(n), valued ? words(n) : NULL};
    *room = n;
    return scratch->keys && (!valued || scratch->values);
}

static sl_status sort_parts(assembly *a)
{
    bool enough = true;
#pragma omp parallel num_threads(a->threads) reduction(&& : enough)
    {
        sl_context *before = sl_context_charge(a->ctx);
        records scratch = {0};
        uint64_t room = 0;
#pragma omp for schedule(dynamic)
        for (uint64_t p = 0; p < a->parts; p++) {
            uint64_t n = a->offset[p + 1] - a->offset[p];
            if (!enough || !(enough = ensure_scratch(&scratch, &room, n, a->valued)))
                continue;
            records part = {a->entries.keys + a->offset[p],
                            a->valued ? a->entries.values + a->offset[p] : NULL};
            a->place[p + 1] = finish_part(a, p, sort_records(part, scratch, n, a->key_bits));
        }
        sl_free(scratch.keys);
        sl_free(scratch.values);
        sl_context_charge(before);
    }
    return enough ? SL_OK : no_memory(a);
}

static void *shrunk(void *array, uint64_t count)
{
    void *smaller = sl_realloc(array, (count + 1) * 8);
    return smaller ? smaller : array; /* which is only larger than it has to be */
}

/* Closes the gaps that duplicates left between the parts, of which `place` has the sizes. */
static sl_status leave_out_duplicates(assembly *a)
{
    const uint64_t *from = a->offset, *to = a->place;
    a->place[0] = 0;
    for (uint64_t p = 0; p < a->parts; p++)
        a->place[p + 1] += a->place[p];
    const uint64_t kept = a->start[a->nrows] = to[a->parts];
    if (kept == from[a->parts])
        return SL_OK;
    if (!close_gaps(a->ctx, a->entries.keys, from, to, a->parts, a->threads) ||
        (a->valued && !close_gaps(a->ctx, a->entries.values, from, to, a->parts, a->threads)))
        return no_memory(a);
#pragma omp parallel for num_threads(a->threads)
    for (uint64_t i = 0; i < a->nrows; i++)
        a->start[i] -= from[i >> a->shift] - to[i >> a->shift];
    a->entries.keys = shrunk(a->entries.keys, kept);
    if (a->valued)
        a->entries.values = shrunk(a->entries.values, kept);
    return SL_OK;
}

sl_status assembly_make(assembly *a, sl_matrix **A)
{
    a->start = words(a->nrows + 1);
    if (!a->start)
        return no_memory(a);
    plan_parts(a);
    sl_status status = partition(a);
    if (status == SL_OK)
        status = sort_parts(a);
    if (status == SL_OK && a->repeated[0] != UINT64_MAX)
        return sl_fail(a->ctx, SL_SYNTAX, "entry (%llu, %llu), 0-based, occurs more than once",
                       (unsigned long long)a->repeated[0], (unsigned long long)a->repeated[1]);
    if (status == SL_OK)
        status = leave_out_duplicates(a);
    if (status != SL_OK)
        return status;
    sl_csr csr = {.nrows = a->nrows,
                  .ncols = a->ncols,
                  .type = a->type,
                  .start = a->start,
                  .index = a->entries.keys,
                  .values = a->entries.values};
    status = sl_matrix_take_csr(A, a->ctx, &csr);
    if (status != SL_OK)
        return status;
    a->start = NULL;
    a->entries = (records){0};
    if (a->mirror != SL_MIRROR_NONE && (status = sl_matrix_promise_symmetric(*A)) != SL_OK) {
        sl_matrix_free(*A);
        *A = NULL;
    }
    return status;
}
