/*
 * Reads the arrays of a native file into memory, with pread, and checks them there: what is checked
 * cannot be changed by another process, and a file that is truncated meanwhile is an error.
 *
 * A declared symmetry is checked while the columns are read, by a sum of hashes with a random key (mirrors.h), so that
 * no file can be made that is accepted wrongly, but with a probability of 2^-64. The cost is a few ns for each entry,
 * without further memory.
 */
#include <inttypes.h>

#include <semla/mirrors.h>

#include "io/formats/reader.h"
#include "io/native/native_file.h"

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

/* Reads elements `begin` to `end` - 1 of `width` bytes of a section. */
static bool read_section(void *to, const native_file *f, const native_section *s, uint64_t begin,
                         uint64_t end, uint64_t width)
{
    return native_read_at(f, to, s->offset + begin * width, (end - begin) * width);
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
                       f->path, native_row(f, i), start[i], start[i + 1]);
    return sl_fail(f->ctx, SL_SYNTAX,
                   "%s: the last row ends at entry %" PRIu64 "; must be %" PRIu64, f->path,
                   start[nrows], f->header.nvals);
}

static sl_status load_start(uint64_t *to, const native_file *f)
{
    const uint64_t count = f->nrows + 1, end_of_all = f->first_entry + f->nvals;
    bool valid = true, whole = true;
    sl_status status = SL_OK;
    const uint64_t chunks = chunks_of(count);
#pragma omp parallel for num_threads(io_threads(f->ctx)) if (chunks > 1)                           \
    reduction(&& : valid, whole)
    for (uint64_t c = 0; c < chunks; c++) {
        const uint64_t begin = c * CHUNK, end = chunk_end(c, count);
        if (io_stopped(f->ctx, "read", &status))
            continue;
        whole = whole && read_section(to + begin, f, &f->header.start, f->first_row + begin,
                                      f->first_row + end, 8);
        for (uint64_t i = begin + 1; whole && i < end; i++)
            valid = valid && to[i - 1] <= to[i];
    }
    if (status != SL_OK)
        return status;
    if (!whole)
        return native_truncated(f);
    for (uint64_t c = 1; c < chunks; c++)
        valid = valid && to[c * CHUNK - 1] <= to[c * CHUNK];
    valid = valid && to[0] == f->first_entry && to[count - 1] == end_of_all;
    valid = valid && (f->first_row > 0 || to[0] == 0);
    valid = valid && (f->first_row + f->nrows < f->stored || end_of_all == f->header.nvals);
    if (!valid)
        return wrong_start(f, to);
    for (uint64_t i = 0; f->first_entry > 0 && i < count; i++)
        to[i] -= f->first_entry;
    return SL_OK;
}

/* ---- numbers of stored rows ------------------------------------------------ */

sl_status native_load_numbers(native_file *f)
{
    const native_header *h = &f->header;
    uint64_t before = 0;
    if (!(h->flags & NATIVE_NONEMPTY))
        return SL_OK;
    f->numbers = sl_malloc((f->nrows + 1) * sizeof *f->numbers);
    if (!f->numbers)
        return sl_fail(f->ctx, SL_NO_MEMORY, "%s: no memory for %" PRIu64 " rows", f->path,
                       f->nrows);
    const uint64_t first = f->first_row, end = first + f->nrows;
    if (!read_section(f->numbers, f, &h->rows, first, end, 8) ||
        (first > 0 && !read_section(&before, f, &h->rows, first - 1, first, 8)))
        return native_truncated(f);
    for (uint64_t i = 0; i < f->nrows; before = f->numbers[i++]) {
        if (f->numbers[i] >= h->nrows)
            return sl_fail(f->ctx, SL_OUT_OF_RANGE,
                           "%s: section 'rows' has row %" PRIu64 "; the matrix has %" PRIu64
                           " rows",
                           f->path, f->numbers[i], h->nrows);
        if (first + i > 0 && f->numbers[i] <= before)
            return sl_fail(f->ctx, SL_SYNTAX,
                           "%s: section 'rows' has row %" PRIu64 " after %" PRIu64
                           "; rows must increase",
                           f->path, f->numbers[i], before);
    }
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
                               f->path, native_row(f, i), index[k], h->ncols);
            if (k > start[i] && index[k] <= index[k - 1])
                return sl_fail(f->ctx, SL_SYNTAX,
                               "%s: row %" PRIu64 " has column %" PRIu64 " after %" PRIu64
                               "; columns must increase",
                               f->path, native_row(f, i), index[k], index[k - 1]);
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

/* Reads columns; 4-byte columns into the second half of their place, and widens them from there. */
static bool read_index(uint64_t *to, const native_file *f, uint64_t begin, uint64_t end)
{
    const uint64_t first = f->first_entry, count = end - begin;
    if (f->header.index_bytes == 8)
        return read_section(to + begin, f, &f->header.index, first + begin, first + end, 8);
    char *narrow = (char *)(to + begin) + 4 * count;
    if (!read_section(narrow, f, &f->header.index, first + begin, first + end, 4))
        return false;
    for (uint64_t k = 0; k < count; k++) {
        uint32_t column;
        memcpy(&column, narrow + 4 * k, sizeof column);
        to[begin + k] = column;
    }
    return true;
}

/* The sum of these entries: mirrors.h. */
static uint64_t mirror_sum(const native_file *f, const uint64_t *start, const uint64_t *index,
                           uint64_t begin, uint64_t end)
{
    uint64_t sum = 0, k = begin;
    for (uint64_t i = first_row(start, f->nrows, begin + 1) - 1; k < end; i++) {
        const uint64_t row = native_row(f, i), row_end = start[i + 1] < end ? start[i + 1] : end;
        for (; k < row_end; k++)
            sum += sl_mirror_term(f->key, row, index[k]);
    }
    return sum;
}

static sl_status load_index(uint64_t *to, const uint64_t *start, const native_file *f,
                            uint64_t *sum)
{
    const uint64_t chunks = chunks_of(f->nvals);
    const bool symmetric = f->header.flags & NATIVE_SYMMETRIC;
    bool valid = true, whole = true;
    sl_status status = SL_OK;
    uint64_t total = 0;
#pragma omp parallel for num_threads(io_threads(f->ctx)) if (chunks > 1)                           \
    reduction(&& : valid, whole) reduction(+ : total)
    for (uint64_t c = 0; c < chunks; c++) {
        const uint64_t begin = c * CHUNK, end = chunk_end(c, f->nvals);
        if (io_stopped(f->ctx, "read", &status))
            continue;
        whole = whole && read_index(to, f, begin, end);
        valid = valid && whole && columns_valid(start, to, f, begin, end);
        if (symmetric && valid)
            total += mirror_sum(f, start, to, begin, end);
    }
    if (status != SL_OK)
        return status;
    if (!whole)
        return native_truncated(f);
    for (uint64_t c = 1; c < chunks; c++)
        valid = valid && seam_valid(start, to, f, c * CHUNK);
    *sum = total;
    return valid ? SL_OK : wrong_index(f, start, to);
}

/* Checks a declared symmetry, of which each process has the sum of its rows. Collective. */
static sl_status check_symmetry(const native_file *f, sl_status status, uint64_t sum)
{
    uint64_t *all, total = 0;
    status = sl_gather(f->ctx, status, (void **)&all, NULL, &sum, sizeof sum);
    if (status != SL_OK)
        return status;
    for (uint64_t k = 0; k < sl_context_processes(f->ctx); k++)
        total += all[k];
    sl_free(all);
    if (total == 0)
        return SL_OK;
    return sl_fail(f->ctx, SL_SYNTAX, "%s: the file is declared symmetric, but the pattern is not",
                   f->path);
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
    const uint64_t chunks = chunks_of(bytes), first = f->first_entry * width;
    bool valid = true, whole = true;
    sl_status status = SL_OK;
#pragma omp parallel for num_threads(io_threads(f->ctx)) if (chunks > 1)                           \
    reduction(&& : valid, whole)
    for (uint64_t c = 0; c < chunks; c++) {
        const uint64_t begin = c * CHUNK, end = chunk_end(c, bytes);
        if (io_stopped(f->ctx, "read", &status))
            continue;
        whole =
            whole && read_section(to + begin, f, &f->header.values, first + begin, first + end, 1);
        for (uint64_t k = begin; whole && f->type == SL_BOOL && k < end; k++)
            valid = valid && to[k] <= 1;
    }
    if (status != SL_OK)
        return status;
    if (!whole)
        return native_truncated(f);
    return valid ? SL_OK : wrong_bool(f, to);
}

/* The first row of the file that starts at entry k or later. */
static bool find_row(uint64_t *row, const native_file *f, uint64_t k)
{
    uint64_t low = 0, high = f->stored, start;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (!read_section(&start, f, &f->header.start, middle, middle + 1, 8))
            return false;
        if (start < k)
            low = middle + 1;
        else
            high = middle;
    }
    *row = low;
    return true;
}

sl_status native_choose_rows(native_file *f)
{
    const native_header *h = &f->header;
    uint64_t begin, end, first = 0, last = f->stored, start[2];
    sl_context_local_range(f->ctx, h->nvals, &begin, &end);
    if (sl_context_processes(f->ctx) == 1)
        return SL_OK;
    /* the first and last process also take the empty rows at the ends of the file */
    if ((begin > 0 && !find_row(&first, f, begin)) || (end < h->nvals && !find_row(&last, f, end)))
        return native_truncated(f);
    f->first_row = first;
    f->nrows = last > first ? last - first : 0;
    last = first + f->nrows;
    if (!read_section(&start[0], f, &h->start, first, first + 1, 8) ||
        !read_section(&start[1], f, &h->start, last, last + 1, 8))
        return native_truncated(f);
    f->first_entry = start[0];
    f->nvals = start[1] - start[0];
    if (start[0] <= start[1] && start[1] <= h->nvals)
        return SL_OK;
    return sl_fail(f->ctx, SL_SYNTAX,
                   "%s: row %" PRIu64 " starts at entry %" PRIu64 " and row %" PRIu64 " at %" PRIu64
                   "; the file has %" PRIu64 " entries",
                   f->path, first, start[0], last, start[1], h->nvals);
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
    uint64_t mirrored = 0;
    if (!csr->start || !csr->index || (!pattern && !csr->values))
        status = sl_fail(f->ctx, SL_NO_MEMORY, "%s: no memory for %" PRIu64 " entries", f->path,
                         f->nvals);
    if (status == SL_OK)
        status = load_start(csr->start, f);
    if (status == SL_OK)
        status = load_index(csr->index, csr->start, f, &mirrored);
    if (status == SL_OK && !pattern)
        status = load_values(csr->values, f);
    status = check_symmetry(f, status, mirrored);
    if (status != SL_OK) {
        sl_free(csr->start);
        sl_free(csr->index);
        sl_free(csr->values);
        *csr = (sl_csr){0};
    }
    return status;
}
