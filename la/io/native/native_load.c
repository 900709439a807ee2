/*
 * Copies the arrays of a mapped native file to memory and checks the copies. They are copied
 * because SuiteSparse takes ownership of arrays and needs 64-bit indices, and because a copy cannot
 * be changed by another process after the check.
 */
#include <inttypes.h>

#include "native_file.h"
#include "reader.h"

enum {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* small inputs of the fuzzer must have several    \
                                                   chunks, too */
    CHUNK = 4
#else
    CHUNK = 1 << 15 /* elements at a time: both copies stay in the cache */
#endif
};

static uint64_t chunks_of(uint64_t count)
{
    return (count + CHUNK - 1) / CHUNK;
}

static uint64_t chunk_end(uint64_t chunk, uint64_t count)
{
    return chunk + 1 < chunks_of(count) ? (chunk + 1) * CHUNK : count;
}

static const void *section(const native_file *f, const native_section *s)
{
    return f->bytes + s->offset;
}

/* ---- row pointers ------------------------------------------------------- */

static sl_status wrong_start(const native_file *f, const uint64_t *start)
{
    const uint64_t nrows = f->nrows;
    uint64_t i = 0;
    if (f->first_row == 0 && start[0] != 0)
        return sl_fail(f->ctx, SL_SYNTAX,
                       "%s: the first row starts at entry %" PRIu64 "; must be 0", f->path,
                       start[0]);
    while (i < nrows && start[i] <= start[i + 1])
        i++;
    if (i < nrows)
        return sl_fail(f->ctx, SL_SYNTAX,
                       "%s: row %" PRIu64 " starts at entry %" PRIu64 " and ends at %" PRIu64,
                       f->path, f->first_row + i, start[i], start[i + 1]);
    return sl_fail(f->ctx, SL_SYNTAX,
                   "%s: the last row ends at entry %" PRIu64 "; must be %" PRIu64, f->path,
                   start[nrows], f->header.nvals);
}

static sl_status load_start(uint64_t *to, const native_file *f)
{
    const uint64_t *from = (const uint64_t *)section(f, &f->header.start) + f->first_row;
    const uint64_t count = f->nrows + 1, end_of_all = f->first_entry + f->nvals;
    bool valid = true;
    sl_status status = SL_OK;
    const uint64_t chunks = chunks_of(count);
#pragma omp parallel for num_threads(io_threads(f->ctx)) if (chunks > 1) reduction(&& : valid)
    for (uint64_t c = 0; c < chunks; c++) {
        const uint64_t begin = c * CHUNK, end = chunk_end(c, count);
        if (io_stopped(f->ctx, "read", &status))
            continue;
        memcpy(to + begin, from + begin, (end - begin) * 8);
        for (uint64_t i = begin + 1; i < end; i++)
            valid = valid && to[i - 1] <= to[i];
    }
    if (status != SL_OK)
        return status;
    for (uint64_t c = 1; c < chunks; c++)
        valid = valid && to[c * CHUNK - 1] <= to[c * CHUNK];
    valid = valid && to[0] == f->first_entry && to[count - 1] == end_of_all;
    if (!valid)
        return wrong_start(f, to);
    for (uint64_t i = 0; f->first_entry > 0 && i < count; i++)
        to[i] -= f->first_entry;
    return SL_OK;
}

/* ---- column indices ----------------------------------------------------- */

static sl_status wrong_index(const native_file *f, const uint64_t *start, const uint64_t *index)
{
    const native_header *h = &f->header;
    for (uint64_t i = 0; i < f->nrows; i++)
        for (uint64_t k = start[i]; k < start[i + 1]; k++) {
            if (index[k] >= h->ncols)
                return sl_fail(f->ctx, SL_OUT_OF_RANGE,
                               "%s: row %" PRIu64 " has column %" PRIu64 "; the matrix has %" PRIu64
                               " columns",
                               f->path, f->first_row + i, index[k], h->ncols);
            if (k > start[i] && index[k] <= index[k - 1])
                return sl_fail(f->ctx, SL_SYNTAX,
                               "%s: row %" PRIu64 " has column %" PRIu64 " after %" PRIu64
                               "; columns must increase",
                               f->path, f->first_row + i, index[k], index[k - 1]);
        }
    return sl_fail(f->ctx, SL_IO, "%s: the file was changed while it was being read", f->path);
}

/* The first row that starts at entry k or later. */
static uint64_t first_row(const uint64_t *start, uint64_t nrows, uint64_t k)
{
    uint64_t low = 0, high = nrows;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (start[middle] < k)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/*
 * True if columns increase from entry to entry except at the start of rows, and are in range.
 * Counts all decreases, without branches, and subtracts those at the start of rows.
 */
static bool columns_valid(const uint64_t *start, const uint64_t *index, const native_file *f,
                          uint64_t begin, uint64_t end)
{
    uint64_t max_column = index[begin], decreases = 0;
    for (uint64_t k = begin + 1; k < end; k++) {
        max_column = index[k] > max_column ? index[k] : max_column;
        decreases += index[k] <= index[k - 1];
    }
    for (uint64_t i = first_row(start, f->nrows, begin + 1); i < f->nrows && start[i] < end; i++)
        if (start[i] < start[i + 1])
            decreases -= index[start[i]] <= index[start[i] - 1];
    return decreases == 0 && max_column < f->header.ncols;
}

/* The same check between two chunks. */
static bool seam_valid(const uint64_t *start, const uint64_t *index, const native_file *f,
                       uint64_t k)
{
    return index[k] > index[k - 1] || start[first_row(start, f->nrows, k)] == k;
}

static void copy_index(uint64_t *to, const native_file *f, uint64_t begin, uint64_t end)
{
    const void *index = section(f, &f->header.index);
    if (f->header.index_bytes == 8) {
        memcpy(to + begin, (const uint64_t *)index + f->first_entry + begin, (end - begin) * 8);
    } else {
        const uint32_t *from = (const uint32_t *)index + f->first_entry;
        for (uint64_t k = begin; k < end; k++)
            to[k] = from[k];
    }
}

static sl_status load_index(uint64_t *to, const uint64_t *start, const native_file *f)
{
    const uint64_t chunks = chunks_of(f->nvals);
    bool valid = true;
    sl_status status = SL_OK;
#pragma omp parallel for num_threads(io_threads(f->ctx)) if (chunks > 1) reduction(&& : valid)
    for (uint64_t c = 0; c < chunks; c++) {
        if (io_stopped(f->ctx, "read", &status))
            continue;
        copy_index(to, f, c * CHUNK, chunk_end(c, f->nvals));
        valid = valid && columns_valid(start, to, f, c * CHUNK, chunk_end(c, f->nvals));
    }
    if (status != SL_OK)
        return status;
    for (uint64_t c = 1; c < chunks; c++)
        valid = valid && seam_valid(start, to, f, c * CHUNK);
    return valid ? SL_OK : wrong_index(f, start, to);
}

/* ---- values ------------------------------------------------------------- */

static sl_status wrong_bool(const native_file *f, const unsigned char *values)
{
    uint64_t k = 0;
    while (k < f->nvals && values[k] <= 1)
        k++;
    return sl_fail(f->ctx, SL_SYNTAX,
                   "%s: the value of entry %" PRIu64 " is %u; a bool must be 0 or 1", f->path,
                   f->first_entry + k, values[k]);
}

static sl_status load_values(unsigned char *to, const native_file *f)
{
    const uint64_t width = f->header.value_bytes, bytes = f->nvals * width;
    const uint64_t chunks = chunks_of(bytes);
    const unsigned char *from = section(f, &f->header.values);
    from += f->first_entry * width;
    bool valid = true;
    sl_status status = SL_OK;
#pragma omp parallel for num_threads(io_threads(f->ctx)) if (chunks > 1) reduction(&& : valid)
    for (uint64_t c = 0; c < chunks; c++) {
        const uint64_t begin = c * CHUNK, end = chunk_end(c, bytes);
        if (io_stopped(f->ctx, "read", &status))
            continue;
        memcpy(to + begin, from + begin, end - begin);
        for (uint64_t k = begin; f->type == SL_BOOL && k < end; k++)
            valid = valid && to[k] <= 1;
    }
    if (status != SL_OK)
        return status;
    return valid ? SL_OK : wrong_bool(f, to);
}

sl_status native_choose_rows(native_file *f)
{
    const native_header *h = &f->header;
    const uint64_t *start = section(f, &h->start);
    uint64_t begin, end;
    sl_context_local_range(f->ctx, h->nvals, &begin, &end);
    if (sl_context_processes(f->ctx) == 1)
        return SL_OK;
    /* the first and last process also take the empty rows at the ends of the file */
    const uint64_t first = begin > 0 ? first_row(start, h->nrows, begin) : 0;
    const uint64_t last = end < h->nvals ? first_row(start, h->nrows, end) : h->nrows;
    f->first_row = first;
    f->nrows = last > first ? last - first : 0;
    f->first_entry = start[first];
    f->nvals = start[first + f->nrows] - start[first];
    if (start[first] <= start[first + f->nrows] && start[first + f->nrows] <= h->nvals &&
        (first > 0 || start[0] == 0) && (last < h->nrows || start[last] == h->nvals))
        return SL_OK;
    return wrong_start(f, start + first);
}

sl_status native_load(sl_csr *csr, const native_file *f, bool valued)
{
    const native_header *h = &f->header;
    const bool pattern = h->flags & NATIVE_PATTERN || !valued;
    *csr = (sl_csr){.nrows = f->nrows, .ncols = h->ncols, .type = f->type};
    csr->start = sl_malloc((f->nrows + 1) * 8);
    csr->index = f->nvals <= SIZE_MAX / 8 ? sl_malloc(f->nvals * 8) : NULL;
    csr->values = pattern ? NULL : sl_malloc(f->nvals * h->value_bytes);
    sl_status status = SL_OK;
    if (!csr->start || !csr->index || (!pattern && !csr->values))
        status = sl_fail(f->ctx, SL_NO_MEMORY, "%s: no memory for %" PRIu64 " entries", f->path,
                         f->nvals);
    if (status == SL_OK)
        status = load_start(csr->start, f);
    if (status == SL_OK)
        status = load_index(csr->index, csr->start, f);
    if (status == SL_OK && !pattern)
        status = load_values(csr->values, f);
    if (status != SL_OK) {
        sl_free(csr->start);
        sl_free(csr->index);
        sl_free(csr->values);
        *csr = (sl_csr){0};
    }
    return status;
}
