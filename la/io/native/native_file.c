/* Native files: opening, checks of the header, checksums. */
#include "io/native/native_file.h"

#include <byteswap.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "io/files/input.h"
#include "io/formats/reader.h"

/* ---- header ------------------------------------------------------------- */

bool has_native_magic(const char *begin, const char *end)
{
    const size_t length = sizeof((native_header *)0)->magic;
    return (size_t)(end - begin) >= length && memcmp(begin, NATIVE_MAGIC, length) == 0;
}

static sl_status wrong(const native_file *f, sl_status status, const char *what)
{
    return sl_fail(f->ctx, status, "%s: %s", f->path, what);
}

/* Checks that the file is a complete native file of a supported version. */
static sl_status check_kind(const native_file *f)
{
    const native_header *h = &f->header;
    const char *bytes = (const char *)h;
    const size_t count = f->size < sizeof *h ? (size_t)f->size : sizeof *h;
    if (!has_native_magic(bytes, bytes + count)) {
        if (compression_of_bytes(bytes, count) != COMPRESSION_NONE)
            return wrong(f, SL_UNSUPPORTED,
                         "native files cannot be compressed; decompress the file first");
        return wrong(f, SL_SYNTAX, "not a native semla file: the magic number is missing");
    }
    if (f->size < NATIVE_HEADER_BYTES)
        return sl_fail(f->ctx, SL_IO,
                       "%s: truncated: the file has %" PRIu64 " bytes; the header has %d", f->path,
                       f->size, NATIVE_HEADER_BYTES);
    if (h->order == bswap_32(NATIVE_ORDER))
        return wrong(f, SL_UNSUPPORTED, "written by a machine with the other byte order");
    if (h->order != NATIVE_ORDER)
        return wrong(f, SL_SYNTAX, "the byte order mark is invalid");
    if (h->version != NATIVE_VERSION)
        return sl_fail(f->ctx, SL_UNSUPPORTED,
                       "%s: version %u of the format is not supported; must be %d", f->path,
                       h->version, NATIVE_VERSION);
    const size_t covered = offsetof(native_header, checksum);
    if (crc32_z(0, (const unsigned char *)h, covered) != h->checksum)
        return wrong(f, SL_IO, "damaged: the checksum of the header is wrong");
    return SL_OK;
}

static bool find_type(sl_type *type, const char name[8])
{
    for (int t = 0; t < SL_TYPE_COUNT; t++) {
        char padded[8] = {0};
        memcpy(padded, sl_type_name((sl_type)t), strlen(sl_type_name((sl_type)t)));
        *type = (sl_type)t;
        if (memcmp(padded, name, sizeof padded) == 0)
            return true;
    }
    return false;
}

/* Checks that a section has `count` elements of `width` bytes and lies within the file. */
static sl_status check_section(const native_file *f, const char *name, const native_section *s,
                               uint64_t count, uint32_t width)
{
    uint64_t bytes, end;
    if (__builtin_mul_overflow(count, width, &bytes) || bytes != s->bytes)
        return sl_fail(f->ctx, SL_SYNTAX,
                       "%s: section '%s' has %" PRIu64 " bytes; expected %" PRIu64
                       " elements of %u bytes",
                       f->path, name, s->bytes, count, width);
    if (s->offset % NATIVE_ALIGNMENT != 0 || s->offset < NATIVE_HEADER_BYTES)
        return sl_fail(f->ctx, SL_SYNTAX,
                       "%s: section '%s' is at byte %" PRIu64
                       "; must be a multiple of %d after the header",
                       f->path, name, s->offset, NATIVE_ALIGNMENT);
    if (__builtin_add_overflow(s->offset, bytes, &end) || end > f->size)
        return sl_fail(f->ctx, SL_IO,
                       "%s: truncated: section '%s' has %" PRIu64 " bytes at byte %" PRIu64
                       "; the file has %" PRIu64,
                       f->path, name, bytes, s->offset, f->size);
    return SL_OK;
}

static sl_status check_sections(native_file *f)
{
    const native_header *h = &f->header;
    const uint64_t most = UINT64_C(1) << MAX_DIMENSION_LOG;
    static const unsigned char zeros[sizeof h->reserved];
    if (!find_type(&f->type, h->type))
        return sl_fail(f->ctx, SL_UNSUPPORTED, "%s: unknown type '%.8s'", f->path, h->type);
    const bool pattern = h->flags & NATIVE_PATTERN;
    if (h->flags & ~(unsigned)(NATIVE_PATTERN | NATIVE_SYMMETRIC | NATIVE_NONEMPTY))
        return sl_fail(f->ctx, SL_UNSUPPORTED, "%s: unknown flags 0x%x", f->path, h->flags);
    if (h->nrows > most || h->ncols > most || h->nvals > most)
        return wrong(f, SL_OUT_OF_RANGE,
                     "a dimension or the number of entries is above the limit 2^60");
    if (h->flags & NATIVE_SYMMETRIC && h->nrows != h->ncols)
        return wrong(f, SL_SYNTAX, "the file is declared symmetric, but the matrix is not square");
    if (h->header_bytes != NATIVE_HEADER_BYTES || memcmp(h->reserved, zeros, sizeof zeros) != 0)
        return wrong(f, SL_SYNTAX, "the reserved bytes of the header are not 0");
    if (h->index_bytes != 4 && h->index_bytes != 8)
        return sl_fail(f->ctx, SL_SYNTAX, "%s: column indices have %u bytes; must be 4 or 8",
                       f->path, h->index_bytes);
    if (h->value_bytes != (pattern ? 0 : sl_type_size(f->type)))
        return sl_fail(f->ctx, SL_SYNTAX, "%s: values have %u bytes in a matrix of type %s%s",
                       f->path, h->value_bytes, sl_type_name(f->type),
                       pattern ? ", a pattern" : "");
    const bool nonempty = h->flags & NATIVE_NONEMPTY;
    if (!nonempty && memcmp(&h->rows, zeros, sizeof h->rows) != 0)
        return wrong(f, SL_SYNTAX, "the reserved bytes of the header are not 0");
    f->stored = nonempty ? h->rows.bytes / 8 : h->nrows;
    if (f->stored > h->nrows)
        return sl_fail(f->ctx, SL_SYNTAX,
                       "%s: section 'rows' has %" PRIu64 " rows; the matrix has %" PRIu64, f->path,
                       f->stored, h->nrows);
    sl_status status = nonempty ? check_section(f, "rows", &h->rows, f->stored, 8) : SL_OK;
    if (status == SL_OK)
        status = check_section(f, "start", &h->start, f->stored + 1, 8);
    if (status == SL_OK)
        status = check_section(f, "index", &h->index, h->nvals, h->index_bytes);
    if (status == SL_OK)
        status = check_section(f, "values", &h->values, h->nvals, h->value_bytes);
    return status;
}

/* ---- file --------------------------------------------------------------- */

/* Reads a pipe, or stdin, to its end into memory, because sections are at any offsets. */
static sl_status read_pipe(native_file *f)
{
    input pipe;
    uint64_t capacity = 0;
    sl_status status = input_open_raw(&pipe, f->ctx, f->path);
    if (status != SL_OK)
        return status;
    for (; status == SL_OK && pipe.begin != pipe.end; status = input_next(&pipe)) {
        const uint64_t count = (uint64_t)(pipe.end - pipe.begin);
        if (f->size + count > capacity) {
            capacity = f->size + count > 2 * capacity ? f->size + count : 2 * capacity;
            char *larger = sl_realloc(f->bytes, capacity);
            if (!larger) {
                status = wrong(f, SL_NO_MEMORY, "no memory for the contents of the pipe");
                break;
            }
            f->bytes = larger;
        }
        memcpy(f->bytes + f->size, pipe.begin, count);
        f->size += count;
    }
    input_close(&pipe);
    return status;
}

static sl_status open_file(native_file *f)
{
    struct stat file;
    if (input_is_stream(f->path))
        return read_pipe(f);
    f->fd = open(f->path, O_RDONLY | O_CLOEXEC);
    if (f->fd < 0 || fstat(f->fd, &file) != 0)
        return sl_fail(f->ctx, SL_IO, "%s: cannot open: %s", f->path, strerror(errno));
    f->size = (uint64_t)file.st_size;
    return SL_OK;
}

bool native_read_at(const native_file *f, void *to, uint64_t offset, uint64_t bytes)
{
    if (f->fd < 0) {
        if (bytes > 0)
            memcpy(to, f->bytes + offset, bytes);
        return true;
    }
    for (char *p = to; bytes > 0;) {
        const ssize_t n = pread(f->fd, p, bytes, (off_t)offset);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        p += n > 0 ? n : 0;
        offset += n > 0 ? (uint64_t)n : 0;
        bytes -= n > 0 ? (uint64_t)n : 0;
    }
    return true;
}

sl_status native_truncated(const native_file *f)
{
    return wrong(f, SL_IO,
                 "cannot read: the disk failed, or the file was truncated while it was "
                 "being read");
}

sl_status native_open(native_file *f, sl_context *ctx, const char *path)
{
    *f = (native_file){.ctx = ctx, .path = path, .fd = -1};
    sl_status status = open_file(f);
    const uint64_t count = f->size < NATIVE_HEADER_BYTES ? f->size : NATIVE_HEADER_BYTES;
    if (status == SL_OK && !native_read_at(f, &f->header, 0, count))
        status = native_truncated(f);
    if (status == SL_OK)
        status = check_kind(f);
    if (status == SL_OK)
        status = check_sections(f);
    if (status != SL_OK)
        native_close(f);
    f->nrows = f->stored;
    f->nvals = f->header.nvals;
    return status;
}

void native_close(native_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    sl_free(f->bytes);
    sl_free(f->numbers);
}

/* ---- checksums ------------------------------------------------------------ */

/* CRC-32 of `count` bytes at an offset of the file, on all threads. SL_NO_MEMORY, SL_IO. */
static sl_status checksum_at(uint32_t *checksum, const native_file *f, uint64_t offset,
                             uint64_t count)
{
    enum { CHUNK = 1 << 20 };
    const uint64_t chunks = (count + CHUNK - 1) / CHUNK;
    uint32_t *each = sl_malloc(chunks * sizeof *each);
    bool enough = each, whole = true;
#pragma omp parallel num_threads(io_threads(f->ctx)) if (chunks > 1)
    {
        sl_context *charged = sl_context_charge(f->ctx);
        unsigned char *bytes = sl_malloc(CHUNK);
#pragma omp for reduction(&& : enough, whole)
        for (uint64_t c = 0; c < chunks; c++) {
            const uint64_t part = c + 1 < chunks ? CHUNK : count - c * CHUNK;
            enough = enough && bytes;
            if (!enough || !whole)
                continue;
            whole = native_read_at(f, bytes, offset + c * CHUNK, part);
            each[c] = (uint32_t)crc32_z(0, bytes, part);
        }
        sl_free(bytes);
        sl_context_charge(charged);
    }
    uLong all = 0;
    for (uint64_t c = 0; enough && whole && c < chunks; c++)
        all = crc32_combine(all, each[c], (z_off_t)(c + 1 < chunks ? CHUNK : count - c * CHUNK));
    sl_free(each);
    *checksum = (uint32_t)all;
    if (!enough)
        return wrong(f, SL_NO_MEMORY, "no memory for checksums");
    return whole ? SL_OK : native_truncated(f);
}

/* Length and checksum of the part of a section that one process has. */
typedef struct {
    uint64_t bytes;
    uint32_t checksum;
} partial;

/* Computes the checksum of a section; each process computes that of a part. */
static sl_status checksum_of(uint32_t *checksum, const native_file *f, const native_section *s)
{
    uint64_t begin, end;
    partial mine, *all;
    sl_context_local_range(f->ctx, s->bytes, &begin, &end);
    mine.bytes = end - begin;
    sl_status status = checksum_at(&mine.checksum, f, s->offset + begin, end - begin);
    status = sl_gather(f->ctx, status, (void **)&all, NULL, &mine, sizeof mine);
    if (status != SL_OK)
        return status;
    uLong sum = 0;
    for (uint64_t k = 0; k < sl_context_processes(f->ctx); k++)
        sum = crc32_combine(sum, all[k].checksum, (z_off_t)all[k].bytes);
    sl_free(all);
    *checksum = (uint32_t)sum;
    return SL_OK;
}

sl_status native_verify(const native_file *f)
{
    const native_header *h = &f->header;
    const struct {
        const char *name;
        const native_section *section;
    } sections[] = {
        {"start", &h->start}, {"index", &h->index}, {"values", &h->values}, {"rows", &h->rows}};
    const size_t count = h->flags & NATIVE_NONEMPTY ? 4 : 3;
    for (size_t k = 0; k < count; k++) {
        const native_section *s = sections[k].section;
        uint32_t checksum;
        sl_status status = checksum_of(&checksum, f, s);
        if (status != SL_OK)
            return status;
        if (checksum != s->checksum)
            return sl_fail(f->ctx, SL_IO,
                           "%s: damaged: the checksum of section '%s' is %08x, not %08x", f->path,
                           sections[k].name, checksum, s->checksum);
    }
    return SL_OK;
}
