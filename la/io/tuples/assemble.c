/*
 * Converts tuples to compressed sparse rows in two steps, both stable, so that duplicates are
 * combined in file order whatever the number of threads:
 *
 *   1. partition: each entry's key, (row, column) in one 64-bit word, is moved to the partition of
 *      rows that contains it; a partition is small enough for the L2 cache;
 *   2. each partition is sorted on its own and its duplicates are combined.
 *
 * Mirror entries are added in step 1, directly behind their tuples. The array of keys becomes the
 * array of column indices. Cost: O(entries) time; 8 bytes per entry, 16 with values.
 */
#include <unistd.h>

#include "io/files/scope.h"
#include "io/tuples/assembly.h"
#include "io/tuples/close_gaps.h"

enum {
    PART_ENTRIES_LOG = 15, /* average entries per partition: keys and scratch fit in L2 */
    PARTS_LOG = 11,        /* more partitions would exceed the TLB in step 1 */
    SMALL = 1 << 14,       /* up to this number of tuples one thread is faster */
    CHUNKS = 4,            /* chunks per thread, for load balance */
    CHUNK_LOG = 22,        /* at most about 2^22 tuples per chunk: a fraction of a second */
    PASSES = 3             /* over the tuples: count, move, sort */
};

static unsigned bits_of(uint64_t n)
{
    return n > 1 ? 64 - (unsigned)__builtin_clzll(n - 1) : 0;
}

/* Chooses the number of partitions so that keys fit in 64 bits. */
static void plan_parts(assembly *a)
{
    unsigned row_bits = bits_of(a->nrows);
    uint64_t entries = a->count << (a->mirror != SL_MIRROR_NONE);
    unsigned parts_log = bits_of(entries >> PART_ENTRIES_LOG);
    parts_log = parts_log < PARTS_LOG ? parts_log : PARTS_LOG;
    parts_log = parts_log < row_bits ? parts_log : row_bits;
    a->rows.col_bits = bits_of(a->ncols);
    if (row_bits - parts_log + a->rows.col_bits > 64)
        parts_log = row_bits + a->rows.col_bits - 64;
    a->rows.shift = row_bits - parts_log;
    a->rows.key_bits = a->rows.shift + a->rows.col_bits;
    a->rows.parts = a->nrows > 0 ? ((a->nrows - 1) >> a->rows.shift) + 1 : 1;
    a->threads = a->count > SMALL ? io_threads(a->ctx) : 1;
    a->rows.chunks = (a->threads > 1 ? CHUNKS * a->threads : 1) + (int)(a->count >> CHUNK_LOG);
}

static uint64_t chunk_start(const assembly *a, int chunk)
{
    return (uint64_t)((unsigned __int128)a->count * (unsigned)chunk / (unsigned)a->rows.chunks);
}

/* Iterator over a chunk of the tuples, segment by segment. */
typedef struct {
    const segment *from;
    uint64_t skip, left; /* tuples to skip in `from`; tuples left in the chunk */
} tuple_iterator;

static tuple_iterator iterate_chunk(const assembly *a, int chunk)
{
    const uint64_t begin = chunk_start(a, chunk);
    tuple_iterator w = {.from = a->segments, .left = chunk_start(a, chunk + 1) - begin};
    while (w.left > 0 && w.from->first + w.from->count <= begin)
        w.from++;
    w.skip = begin - w.from->first;
    return w;
}

/* The next contiguous tuples, transposed if required; false at the end of the chunk. */
static bool next_run(const assembly *a, tuple_iterator *w, segment *run)
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

/* Counts the chunk's entries of each partition; false if an index is out of range. */
static bool count_chunk(const assembly *a, int chunk)
{
    uint64_t *next = a->rows.next + (uint64_t)chunk * a->rows.parts;
    tuple_iterator w = iterate_chunk(a, chunk);
    for (segment run; next_run(a, &w, &run);)
        for (uint64_t t = 0; t < run.count; t++) {
            uint64_t i = run.row[t], j = run.col[t];
            if (i >= a->nrows || j >= a->ncols)
                return false;
            if (i == j && a->drop_loops)
                continue;
            next[i >> a->rows.shift]++;
            if (i != j && a->mirror != SL_MIRROR_NONE)
                next[j >> a->rows.shift]++;
        }
    return true;
}

static inline void put_key(const assembly *a, uint64_t *next, uint64_t i, uint64_t j)
{
    uint64_t row = i & ((UINT64_C(1) << a->rows.shift) - 1);
    a->entries.keys[next[i >> a->rows.shift]++] = row << a->rows.col_bits | j;
}

static inline void put_value(const assembly *a, uint64_t *next, uint64_t i, uint64_t j, word value)
{
    a->entries.values[next[i >> a->rows.shift]] = value;
    put_key(a, next, i, j);
}

static void scatter_run(const assembly *a, uint64_t *next, const segment *run)
{
    const word *values = run->values;
    for (uint64_t t = 0; t < run->count; t++) {
        uint64_t i = run->row[t], j = run->col[t];
        if (i == j && a->drop_loops)
            continue;
        bool mirrored = i != j && a->mirror != SL_MIRROR_NONE;
        if (!a->valued) {
            put_key(a, next, i, j);
            if (mirrored)
                put_key(a, next, j, i);
        } else {
            put_value(a, next, i, j, values[t]);
            if (mirrored)
                put_value(a, next, j, i,
                          a->mirror == SL_MIRROR_NEGATED ? negated(values[t], a->type) : values[t]);
        }
    }
}

static void scatter_chunk(const assembly *a, int chunk)
{
    tuple_iterator w = iterate_chunk(a, chunk);
    for (segment run; next_run(a, &w, &run);)
        scatter_run(a, a->rows.next + (uint64_t)chunk * a->rows.parts, &run);
}

/* Turns the counts of step 1 into positions: ordered by partition, within a partition by chunk. */
static void chunk_offsets(assembly *a)
{
    uint64_t sum = 0;
    for (uint64_t p = 0; p < a->rows.parts; p++) {
        a->rows.offset[p] = sum;
        for (int c = 0; c < a->rows.chunks; c++) {
            uint64_t *next = &a->rows.next[(uint64_t)c * a->rows.parts + p];
            uint64_t count = *next;
            *next = sum;
            sum += count;
        }
    }
    a->rows.offset[a->rows.parts] = sum;
}

/*
 * Fails with SL_NO_MEMORY; sparse ids can be the reason, so the message mentions SL_READ_RENUMBER.
 */
static sl_status no_memory(const assembly *a)
{
    return sl_fail(a->ctx, SL_NO_MEMORY,
                   "matrix_from_edges: no memory for a matrix of %llu rows; renumber sparse vertex "
                   "ids with SL_READ_RENUMBER (--renumber)",
                   (unsigned long long)a->nrows);
}

/*
 * Allocates n words. A request for more than the physical memory fails at once, because an
 * overcommitting system would grant it and kill the process later.
 */
static void *alloc_words(uint64_t n)
{
    uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES), page = (uint64_t)sysconf(_SC_PAGESIZE);
    return n / (page / 8) < pages ? sl_malloc((n + 1) * 8) : NULL;
}

/* Adds a part of a pass to the progress. */
static void note_done(assembly *a, uint64_t tuples)
{
    __atomic_fetch_add(&a->progress.done, tuples, __ATOMIC_RELAXED);
}

static void note_chunk(assembly *a, int chunk)
{
    note_done(a, chunk_start(a, chunk + 1) - chunk_start(a, chunk));
}

/* Fails with the first tuple of a chunk that is out of range. */
static sl_status report_out_of_range(const assembly *a, int chunk)
{
    uint64_t number = chunk_start(a, chunk);
    tuple_iterator w = iterate_chunk(a, chunk);
    for (segment run; next_run(a, &w, &run);)
        for (uint64_t t = 0; t < run.count; t++, number++)
            if (run.row[t] >= a->nrows || run.col[t] >= a->ncols)
                return sl_fail(a->ctx, SL_OUT_OF_RANGE,
                               "matrix_from_edges: edge %llu, (%llu, %llu), is out of range",
                               (unsigned long long)number, (unsigned long long)run.row[t],
                               (unsigned long long)run.col[t]);
    return SL_OK;
}

static sl_status partition(assembly *a)
{
    int bad_chunk = a->rows.chunks;
    sl_status status = SL_OK;
    a->rows.offset = alloc_words(a->rows.parts + 1);
    a->rows.kept_offset = alloc_words(a->rows.parts + 1);
    a->rows.next = sl_calloc((uint64_t)a->rows.chunks * a->rows.parts, sizeof *a->rows.next);
    if (!a->rows.offset || !a->rows.kept_offset || !a->rows.next)
        return no_memory(a);
#pragma omp parallel for schedule(dynamic) num_threads(a->threads) reduction(min : bad_chunk)
    for (int c = 0; c < a->rows.chunks; c++) {
        if (!io_stopped(a->ctx, "matrix_from_edges", &status) && !count_chunk(a, c))
            bad_chunk = c < bad_chunk ? c : bad_chunk;
        note_chunk(a, c);
    }
    if (status == SL_OK && bad_chunk < a->rows.chunks)
        return report_out_of_range(a, bad_chunk);
    if (status != SL_OK)
        return status;
    chunk_offsets(a);
    a->entries.keys = alloc_words(a->rows.offset[a->rows.parts]);
    if (a->valued)
        a->entries.values = alloc_words(a->rows.offset[a->rows.parts]);
    if (!a->entries.keys || (a->valued && !a->entries.values))
        return no_memory(a);
#pragma omp parallel for schedule(dynamic) num_threads(a->threads)
    for (int c = 0; c < a->rows.chunks; c++) {
        if (!io_stopped(a->ctx, "matrix_from_edges", &status))
            scatter_chunk(a, c);
        note_chunk(a, c);
    }
    return status;
}

/* Records the smallest entry that is refused. */
static void record_refused(assembly *a, uint64_t i, uint64_t j)
{
#pragma omp critical(sl_io_refused)
    if (i < a->refused[0] || (i == a->refused[0] && j < a->refused[1])) {
        a->refused[0] = i;
        a->refused[1] = j;
    }
}

sl_status assembly_refuse(const assembly *a, uint64_t i, uint64_t j)
{
    const bool sum = a->duplicates == SL_DUPLICATES_SUM;
    const char *what =
        sum ? "has duplicates whose sum its integer type does not have" : "occurs more than once";
    const sl_status status = sum ? SL_OUT_OF_RANGE : SL_SYNTAX;
    if (a->ids)
        return sl_fail(a->ctx, status, "matrix_from_edges: the edge from %llu to %llu %s",
                       (unsigned long long)a->ids[i], (unsigned long long)a->ids[j], what);
    return sl_fail(a->ctx, status, "matrix_from_edges: entry (%llu, %llu), 0-based, %s",
                   (unsigned long long)i, (unsigned long long)j, what);
}

/* How often the sum of two integers passes the end of their type: -1, 0 or 1. */
static int carry_of(word x, word y, sl_type type)
{
    int64_t sum;
    if (type == SL_UINT64)
        return x + y < x;
    return __builtin_add_overflow((int64_t)x, (int64_t)y, &sum) ? ((int64_t)y > 0 ? 1 : -1) : 0;
}

/*
 * Writes the columns, values and row pointers of a sorted partition, combining duplicates, to where
 * the partition is. Row pointers do not yet account for duplicates in other partitions. Returns the
 * number of entries.
 */
static uint64_t finish_part(assembly *a, uint64_t part, records sorted)
{
    const uint64_t n = a->rows.offset[part + 1] - a->rows.offset[part];
    const uint64_t mask = (UINT64_C(1) << a->rows.col_bits) - 1;
    const uint64_t last = (part + 1) << a->rows.shift, row_end = last < a->nrows ? last : a->nrows;
    uint64_t *index = a->entries.keys + a->rows.offset[part];
    word *values = a->valued ? a->entries.values + a->rows.offset[part] : NULL;
    const bool carries = values && a->duplicates == SL_DUPLICATES_SUM && a->type != SL_FP64;
    uint64_t row = part << a->rows.shift, kept = 0, previous = 0;
    int64_t carry = 0; /* of the sum of the entry so far, in units of 2^64 */
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t key = sorted.keys[k];
        if (k > 0 && key == previous) {
            if (carries)
                carry += carry_of(values[kept - 1], sorted.values[k], a->type);
            if (values) {
                word sum;
                a->combine->eval(&sum, &values[kept - 1], &sorted.values[k]);
                values[kept - 1] = sum;
            }
            if (a->duplicates == SL_DUPLICATES_ERROR)
                record_refused(a, row - 1, key & mask);
            continue;
        }
        if (carry != 0)
            record_refused(a, row - 1, previous & mask);
        carry = 0;
        previous = key;
        for (const uint64_t i = (part << a->rows.shift) + (key >> a->rows.col_bits); row <= i;
             row++)
            a->start[row] = a->rows.offset[part] + kept;
        index[kept] = key & mask;
        if (values)
            values[kept] = sorted.values[k];
        kept++;
    }
    if (carry != 0)
        record_refused(a, row - 1, previous & mask);
    for (; row < row_end; row++)
        a->start[row] = a->rows.offset[part] + kept;
    return kept;
}

/* Grows the scratch memory of a thread to n records. */
static bool ensure_scratch(records *scratch, uint64_t *capacity, uint64_t n, bool valued)
{
    if (n <= *capacity)
        return true;
    sl_free(scratch->keys);
    sl_free(scratch->values);
    *scratch = (records){alloc_words(n), valued ? alloc_words(n) : NULL};
    *capacity = n;
    return scratch->keys && (!valued || scratch->values);
}

static sl_status sort_parts(assembly *a)
{
    bool enough = true;
    sl_status status = SL_OK;
#pragma omp parallel num_threads(a->threads) reduction(&& : enough)
    {
        sl_context *before = sl_context_charge(a->ctx);
        records scratch = {0};
        uint64_t capacity = 0;
#pragma omp for schedule(dynamic)
        for (uint64_t p = 0; p < a->rows.parts; p++) {
            uint64_t n = a->rows.offset[p + 1] - a->rows.offset[p];
            if (io_stopped(a->ctx, "matrix_from_edges", &status))
                continue;
            if (!enough || !(enough = ensure_scratch(&scratch, &capacity, n, a->valued)))
                continue;
            records part = {a->entries.keys + a->rows.offset[p],
                            a->valued ? a->entries.values + a->rows.offset[p] : NULL};
            a->rows.kept_offset[p + 1] =
                finish_part(a, p, sort_records(part, scratch, n, a->rows.key_bits));
            note_done(a, a->mirror == SL_MIRROR_NONE ? n : n / 2);
        }
        sl_free(scratch.keys);
        sl_free(scratch.values);
        sl_context_charge(before);
    }
    return enough ? status : no_memory(a);
}

static void *shrink(void *array, uint64_t count)
{
    void *smaller = sl_realloc(array, (count + 1) * 8);
    return smaller ? smaller : array; /* keep the larger array */
}

/* Closes the gaps that duplicates left between the partitions; `kept_offset` has their sizes. */
static sl_status remove_duplicate_gaps(assembly *a)
{
    const uint64_t *from = a->rows.offset, *to = a->rows.kept_offset;
    a->rows.kept_offset[0] = 0;
    for (uint64_t p = 0; p < a->rows.parts; p++)
        a->rows.kept_offset[p + 1] += a->rows.kept_offset[p];
    const uint64_t kept = a->start[a->nrows] = to[a->rows.parts];
    if (kept == from[a->rows.parts])
        return SL_OK;
    if (!close_gaps(a->ctx, a->entries.keys, from, to, a->rows.parts, a->threads) ||
        (a->valued && !close_gaps(a->ctx, a->entries.values, from, to, a->rows.parts, a->threads)))
        return no_memory(a);
#pragma omp parallel for num_threads(a->threads)
    for (uint64_t i = 0; i < a->nrows; i++)
        a->start[i] -= from[i >> a->rows.shift] - to[i >> a->rows.shift];
    a->entries.keys = shrink(a->entries.keys, kept);
    if (a->valued)
        a->entries.values = shrink(a->entries.values, kept);
    return SL_OK;
}

sl_status assembly_make(assembly *a, sl_matrix **A)
{
    a->start = alloc_words(a->nrows + 1);
    if (!a->start)
        return no_memory(a);
    plan_parts(a);
    a->progress = (sl_progress){.operation = "matrix_from_edges", .total = PASSES * a->count};
    sl_progress_begin(a->ctx, &a->progress);
    sl_status status = partition(a);
    if (status == SL_OK)
        status = sort_parts(a);
    sl_progress_end(a->ctx, &a->progress);
    if (status == SL_OK && a->refused[0] != UINT64_MAX)
        return assembly_refuse(a, a->refused[0], a->refused[1]);
    if (status == SL_OK)
        status = remove_duplicate_gaps(a);
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
