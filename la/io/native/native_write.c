/*
 * Writes matrices to native files. On a grid each process writes its rows; checksums of the parts
 * are combined with crc32_combine.
 */
#include <inttypes.h>
#include <stddef.h>

#include <zlib.h>

#include "io/formats/reader.h"
#include "io/native/native.h"

/* CRC-32 as zlib computes it, on `threads` threads. False if there is no memory. */
static bool checksum_of(uint32_t *checksum, const void *bytes, uint64_t count, int threads)
{
    enum { CHUNK = 1 << 20 };
    const uint64_t chunks = (count + CHUNK - 1) / CHUNK;
    uint32_t *each = sl_malloc(chunks * sizeof *each);
    if (!each)
        return false;
#pragma omp parallel for num_threads(threads) if (chunks > 1)
    for (uint64_t c = 0; c < chunks; c++)
        each[c] = (uint32_t)crc32_z(0, (const unsigned char *)bytes + c * CHUNK,
                                    c + 1 < chunks ? CHUNK : count - c * CHUNK);
    uLong all = 0;
    for (uint64_t c = 0; c < chunks; c++)
        all = crc32_combine(all, each[c], (z_off_t)(c + 1 < chunks ? CHUNK : count - c * CHUNK));
    sl_free(each);
    *checksum = (uint32_t)all;
    return true;
}

/* Converts column indices from 64 to 32 bits, in place. */
static void narrow_indices(uint64_t *index, uint64_t count)
{
    char *to = (char *)index;
    for (uint64_t k = 0; k < count; k++) {
        uint32_t column = (uint32_t)index[k];
        memcpy(to + 4 * k, &column, sizeof column);
    }
}

/* The rows that this process writes. */
typedef struct {
    sl_context *ctx;
    const char *path;
    bool overwrite;
    uint64_t *start; /* row pointers; the last process also has the final one */
    uint64_t starts; /* number of row pointers */
    uint64_t *
        numbers; /* row number of each stored row, if only rows with entries are stored; else NULL */
    uint64_t stored;
    bool nonempty;
    sl_arrays rows;
    bool valued;
} native_rows;

/* Length and checksum of the part of a section that one process has. */
typedef struct {
    uint64_t bytes;
    uint32_t checksum;
} partial;

/*
 * Places a section after the one that ends at *end, and updates *end; `extent` becomes this
 * process's part of the section.
 */
static sl_status place_section(native_section *s, sl_file_part *extent, const native_rows *r,
                               const void *bytes, uint64_t count, uint64_t *end)
{
    partial mine = {.bytes = count}, *all;
    *s = (native_section){.offset =
                              (*end + NATIVE_ALIGNMENT - 1) / NATIVE_ALIGNMENT * NATIVE_ALIGNMENT};
    sl_status status = checksum_of(&mine.checksum, bytes, count, io_threads(r->ctx))
                           ? SL_OK
                           : sl_fail(r->ctx, SL_NO_MEMORY, "%s: no memory for checksums", r->path);
    status = sl_gather(r->ctx, status, (void **)&all, NULL, &mine, sizeof mine);
    if (status != SL_OK)
        return status;
    *extent = (sl_file_part){.offset = s->offset, .count = count, .bytes = bytes};
    uLong checksum = 0;
    for (uint64_t k = 0; k < sl_context_processes(r->ctx); k++) {
        if (k < io_rank(r->ctx))
            extent->offset += all[k].bytes;
        s->bytes += all[k].bytes;
        checksum = crc32_combine(checksum, all[k].checksum, (z_off_t)all[k].bytes);
    }
    s->checksum = (uint32_t)checksum;
    *end = s->offset + s->bytes;
    sl_free(all);
    return SL_OK;
}

/* Fills in the header with the offsets of the sections; `extents` are this process's parts. */
static sl_status make_header(native_header *h, sl_file_part extents[5], const native_rows *r,
                             bool symmetric, uint64_t nvals)
{
    static const char zeros[NATIVE_ALIGNMENT];
    const sl_arrays *a = &r->rows;
    uint64_t end = NATIVE_HEADER_BYTES;
    *h = (native_header){.order = NATIVE_ORDER,
                         .version = NATIVE_VERSION,
                         .header_bytes = NATIVE_HEADER_BYTES,
                         .flags = (r->valued ? 0 : NATIVE_PATTERN) |
                                  (symmetric ? NATIVE_SYMMETRIC : 0) |
                                  (r->nonempty ? NATIVE_NONEMPTY : 0),
                         .nrows = a->nrows,
                         .ncols = a->ncols,
                         .nvals = nvals,
                         .index_bytes = a->ncols <= UINT64_C(1) << 32 ? 4 : 8,
                         .value_bytes = r->valued ? (uint32_t)sl_type_size(a->type) : 0};
    memcpy(h->magic, NATIVE_MAGIC, sizeof h->magic);
    memcpy(h->type, sl_type_name(a->type), strlen(sl_type_name(a->type)));
    if (h->index_bytes == 4)
        narrow_indices(a->cols, a->nvals);
    sl_status status = SL_OK;
    if (r->nonempty)
        status = place_section(&h->rows, &extents[1], r, r->numbers, r->stored * 8, &end);
    if (status == SL_OK)
        status = place_section(&h->start, &extents[2], r, r->start, r->starts * 8, &end);
    if (status == SL_OK)
        status = place_section(&h->index, &extents[3], r, a->cols, a->nvals * h->index_bytes, &end);
    if (status == SL_OK)
        status =
            place_section(&h->values, &extents[4], r, a->values, a->nvals * h->value_bytes, &end);
    h->checksum = (uint32_t)crc32_z(0, (const unsigned char *)h, offsetof(native_header, checksum));
    if (io_rank(r->ctx) > 0)
        return status;
    const native_section *last_section = h->index.bytes > 0 ? &h->index : &h->start;
    const uint64_t end_of_data = last_section->offset + last_section->bytes;
    if (h->values.bytes == 0) /* pad the file to the offset of the empty section */
        extents[4] = (sl_file_part){end_of_data, h->values.offset - end_of_data, zeros};
    extents[0] = (sl_file_part){.count = sizeof *h, .bytes = h};
    return status;
}

/* Row pointers of all rows; `before` is the number of entries of the preceding processes. */
static void point_to_all(native_rows *r, uint64_t begin, uint64_t before)
{
    const sl_arrays *a = &r->rows;
    for (uint64_t i = 0, k = 0; i < r->starts; i++) {
        while (k < a->nvals && a->rows[k] < begin + i)
            k++;
        r->start[i] = before + k;
    }
}

/* Numbers and row pointers of the rows with entries. */
static void point_to_nonempty(native_rows *r, uint64_t before)
{
    const sl_arrays *a = &r->rows;
    uint64_t row = 0;
    for (uint64_t k = 0; k < a->nvals; k++)
        if (k == 0 || a->rows[k] != a->rows[k - 1]) {
            r->numbers[row] = a->rows[k];
            r->start[row++] = before + k;
        }
    r->start[row] = before + a->nvals;
}

static sl_status compute_row_pointers(native_rows *r, uint64_t before)
{
    uint64_t begin, end;
    sl_context_local_range(r->ctx, r->rows.nrows, &begin, &end);
    const bool last = io_rank(r->ctx) + 1 == sl_context_processes(r->ctx);
    r->starts = (r->nonempty ? r->stored : end - begin) + last;
    const bool fits = r->starts < SIZE_MAX / 8;
    r->start = fits ? sl_malloc((r->starts + 1) * sizeof *r->start) : NULL;
    r->numbers = fits && r->nonempty ? sl_malloc((r->stored + 1) * sizeof *r->numbers) : NULL;
    if (!r->start || (r->nonempty && !r->numbers))
        return sl_fail(r->ctx, SL_NO_MEMORY, "%s: no memory for %" PRIu64 " rows", r->path,
                       r->starts);
    if (r->nonempty)
        point_to_nonempty(r, before);
    else
        point_to_all(r, begin, before);
    return SL_OK;
}

/* Decides whether only rows with entries are stored: if pointers of all rows would take many times the memory
 * of the entries. `nvals` is the number of all entries. */
static void count_stored(native_rows *r, uint64_t nvals)
{
    enum { SMALL = 1024, LEAST_ROWS = 16 }; /* rows, for each entry */
    const sl_arrays *a = &r->rows;
    r->nonempty = a->nrows > SMALL && a->nrows / LEAST_ROWS > nvals;
    for (uint64_t k = 0; r->nonempty && k < a->nvals; k++)
        r->stored += k == 0 || a->rows[k] != a->rows[k - 1];
}

/* Finds the number of all entries and those of the preceding processes. */
static sl_status count_rows(native_rows *r, sl_status status, uint64_t *before, uint64_t *nvals)
{
    uint64_t *all;
    *before = *nvals = 0;
    status = sl_gather(r->ctx, status, (void **)&all, NULL, &r->rows.nvals, sizeof r->rows.nvals);
    for (uint64_t k = 0; status == SL_OK && k < sl_context_processes(r->ctx); k++) {
        *before += k < io_rank(r->ctx) ? all[k] : 0;
        *nvals += all[k];
    }
    sl_free(all);
    return status;
}

static sl_status write_rows(native_rows *r, bool symmetric)
{
    native_header head;
    sl_file_part extents[5] = {{0}};
    uint64_t before, nvals;
    sl_status status = r->valued ? sl_arrays_expand(r->ctx, &r->rows) : SL_OK;
    status = count_rows(r, status, &before, &nvals);
    if (status == SL_OK)
        count_stored(r, nvals);
    if (status == SL_OK)
        status = sl_agree(r->ctx, compute_row_pointers(r, before));
    if (status == SL_OK)
        status = make_header(&head, extents, r, symmetric, nvals);
    return status == SL_OK ? write_shared_file(r->ctx, status, r->path, r->overwrite, extents, 5)
                           : status;
}

/*
 * True if every value is 1; the file then has the type, but no values. This depends on the values
 * alone, not on how an engine stores them, so that a grid writes the file of one process.
 * Collective.
 */
static sl_status all_ones(bool *all, const sl_matrix *A)
{
    const sl_type type = sl_matrix_type(A);
    const sl_scalar one = sl_scalar_cast(sl_scalar_bool(true), type);
    sl_scalar result = sl_scalar_bool(false);
    sl_matrix *equal;
    sl_status status = sl_matrix_is_pattern(all, A); /* a shortcut */
    if (status != SL_OK || *all)
        return status;
    status = sl_matrix_new(&equal, sl_matrix_context(A), SL_BOOL, sl_matrix_nrows(A),
                           sl_matrix_ncols(A));
    if (status == SL_OK)
        status = sl_matrix_apply_second(equal, NULL, NULL, sl_binary_op_get(SL_BINARY_EQ, type), A,
                                        one, NULL);
    if (status == SL_OK)
        status = sl_matrix_reduce(&result, NULL, SL_LAND_MONOID_BOOL, equal);
    sl_matrix_free(equal);
    *all = result.as.bool_;
    return status;
}

sl_status native_write(const sl_matrix *A, const char *path, bool overwrite)
{
    native_rows r = {.ctx = sl_matrix_context(A), .path = path, .overwrite = overwrite};
    bool pattern = false;
    if (compression_of_name(path) != COMPRESSION_NONE)
        return sl_fail(r.ctx, SL_UNSUPPORTED,
                       "%s: native files cannot be compressed; remove the ending .gz or .zst",
                       path);
    sl_status status = all_ones(&pattern, A);
    if (status == SL_OK)
        status = sl_matrix_copy_slice(&r.rows, A);
    r.valued = !pattern;
    if (status == SL_OK)
        status = write_rows(&r, sl_matrix_is_declared_symmetric(A));
    sl_arrays_free(&r.rows);
    sl_free(r.start);
    sl_free(r.numbers);
    return status;
}

sl_status check_native(const writer *w)
{
    return sl_fail(w->ctx, SL_UNSUPPORTED,
                   "%s: native files store rows of a matrix, not tuples; make a matrix of them "
                   "(sl_matrix_from_edges)",
                   w->path);
}
