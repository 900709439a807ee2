/* Matrices into native files. */
#include <inttypes.h>
#include <stddef.h>

#include <zlib.h>

#include "native.h"
#include "reader.h"

/* Columns in 32 bits, in the place of those in 64. */
static void narrow(uint64_t *index, uint64_t count)
{
    char *to = (char *)index;
    for (uint64_t k = 0; k < count; k++) {
        uint32_t column = (uint32_t)index[k];
        memcpy(to + 4 * k, &column, sizeof column);
    }
}

/* Some rows of a matrix, those that this process writes, and where they lie. */
typedef struct {
    sl_context *ctx;
    const char *path;
    uint64_t *start; /* the last process has one more than rows */
    uint64_t starts; /* how many */
    sl_arrays rows;
    bool valued;
} native_rows;

/* Bytes that a process has of a section, and their checksum. */
typedef struct {
    uint64_t bytes;
    uint32_t checksum;
} partial;

/* Lays a section behind the one that ends at *end, which moves; this process's bytes become
 * the extent. */
static sl_status lay_out(native_section *s, sl_file_part *extent, const native_rows *r,
                         const void *bytes, uint64_t count, uint64_t *end)
{
    partial mine = {.bytes = count}, *all;
    *s = (native_section){.offset =
                              (*end + NATIVE_ALIGNMENT - 1) / NATIVE_ALIGNMENT * NATIVE_ALIGNMENT};
    sl_status status = native_checksum(&mine.checksum, bytes, count, io_threads(r->ctx))
                           ? SL_OK
                           : sl_fail(r->ctx, SL_NO_MEMORY, "%s: no memory for checksums", r->path);
    status = sl_gather(r->ctx, status, (void **)&all, NULL, &mine, sizeof mine);
    if (status != SL_OK)
        return status;
    *extent = (sl_file_part){.offset = s->offset, .count = count, .bytes = bytes};
    uLong checksum = 0;
    for (uint64_t k = 0; k < sl_context_processes(r->ctx); k++) {
        if (k < io_process(r->ctx))
            extent->offset += all[k].bytes;
        s->bytes += all[k].bytes;
        checksum = crc32_combine(checksum, all[k].checksum, (z_off_t)all[k].bytes);
    }
    s->checksum = (uint32_t)checksum;
    *end = s->offset + s->bytes;
    sl_free(all);
    return SL_OK;
}

/* The head and its sections' places; extents of this process. */
static sl_status make_head(native_head *h, sl_file_part extents[4], const native_rows *r,
                           bool symmetric, uint64_t nvals)
{
    static const char zeros[NATIVE_ALIGNMENT];
    const sl_arrays *a = &r->rows;
    uint64_t end = NATIVE_HEAD;
    *h = (native_head){.order = NATIVE_ORDER,
                       .version = NATIVE_VERSION,
                       .head_bytes = NATIVE_HEAD,
                       .flags =
                           (r->valued ? 0 : NATIVE_PATTERN) | (symmetric ? NATIVE_SYMMETRIC : 0),
                       .nrows = a->nrows,
                       .ncols = a->ncols,
                       .nvals = nvals,
                       .index_bytes = a->ncols <= UINT64_C(1) << 32 ? 4 : 8,
                       .value_bytes = r->valued ? (uint32_t)sl_type_size(a->type) : 0};
    memcpy(h->magic, NATIVE_MAGIC, sizeof h->magic);
    memcpy(h->type, sl_type_name(a->type), strlen(sl_type_name(a->type)));
    if (h->index_bytes == 4)
        narrow(a->cols, a->nvals);
    sl_status status = lay_out(&h->start, &extents[1], r, r->start, r->starts * 8, &end);
    if (status == SL_OK)
        status = lay_out(&h->index, &extents[2], r, a->cols, a->nvals * h->index_bytes, &end);
    if (status == SL_OK)
        status = lay_out(&h->values, &extents[3], r, a->values, a->nvals * h->value_bytes, &end);
    h->checksum = (uint32_t)crc32_z(0, (const unsigned char *)h, offsetof(native_head, checksum));
    if (io_process(r->ctx) > 0)
        return status;
    const native_section *full = h->index.bytes > 0 ? &h->index : &h->start;
    const uint64_t behind = full->offset + full->bytes;
    if (h->values.bytes == 0) /* the file ends where they would begin */
        extents[3] = (sl_file_part){behind, h->values.offset - behind, zeros};
    extents[0] = (sl_file_part){.count = sizeof *h, .bytes = h};
    return status;
}

/* Where the rows start, in entries of the whole matrix, of which `before` are other processes'. */
static sl_status find_starts(native_rows *r, uint64_t before)
{
    const sl_arrays *a = &r->rows;
    uint64_t begin, end, k = 0;
    sl_context_local_range(r->ctx, a->nrows, &begin, &end);
    const bool last = io_process(r->ctx) + 1 == sl_context_processes(r->ctx);
    r->starts = end - begin + last;
    r->start = r->starts < SIZE_MAX / 8 ? sl_malloc((r->starts + 1) * sizeof *r->start) : NULL;
    if (!r->start)
        return sl_fail(r->ctx, SL_NO_MEMORY, "%s: no memory for %" PRIu64 " rows", r->path,
                       r->starts);
    for (uint64_t i = 0; i < r->starts; i++) {
        while (k < a->nvals && a->rows[k] < begin + i)
            k++;
        r->start[i] = before + k;
    }
    return SL_OK;
}

/* Entries of all, and of the processes before this; whether there are values. */
static sl_status count_rows(native_rows *r, sl_status status, uint64_t *before, uint64_t *nvals)
{
    struct {
        uint64_t nvals;
        bool valued;
    } mine = {r->rows.nvals, r->rows.values}, *all;
    *before = *nvals = 0;
    status = sl_gather(r->ctx, status, (void **)&all, NULL, &mine, sizeof mine);
    for (uint64_t k = 0; status == SL_OK && k < sl_context_processes(r->ctx); k++) {
        *before += k < io_process(r->ctx) ? all[k].nvals : 0;
        *nvals += all[k].nvals;
        r->valued |= all[k].valued;
    }
    sl_free(all);
    return status;
}

static sl_status write_rows(native_rows *r, bool symmetric)
{
    native_head head;
    sl_file_part extents[4] = {{0}};
    uint64_t before, nvals;
    sl_status status = r->rows.values ? sl_arrays_expand(r->ctx, &r->rows) : SL_OK;
    status = count_rows(r, status, &before, &nvals);
    if (status == SL_OK)
        status = sl_agree(r->ctx, find_starts(r, before));
    if (status == SL_OK)
        status = make_head(&head, extents, r, symmetric, nvals);
    return status == SL_OK ? write_together(r->ctx, status, r->path, extents, 4) : status;
}

sl_status native_write(const sl_matrix *A, const char *path)
{
    native_rows r = {.ctx = sl_matrix_context(A), .path = path};
    bool symmetric = false;
    if (packing_of_name(path) != PACKING_NONE)
        return sl_fail(r.ctx, SL_UNSUPPORTED, "%s: native files are mapped, and not packed", path);
    sl_status status = SL_OK;
    if (sl_matrix_nrows(A) == sl_matrix_ncols(A))
        status = sl_matrix_is_symmetric(&symmetric, A);
    if (status == SL_OK)
        status = sl_matrix_copy_slice(&r.rows, A);
    if (status == SL_OK)
        status = write_rows(&r, symmetric);
    sl_arrays_free(&r.rows);
    sl_free(r.start);
    return status;
}

sl_status fits_native(const writer *w)
{
    return sl_fail(w->ctx, SL_UNSUPPORTED,
                   "%s: a native file holds a matrix's rows: tuples have to be made a matrix for "
                   "that",
                   w->path);
}
