/*
 * Reads a file sequentially as blocks of whole lines or records, decompressing it if necessary, and
 * formats messages that name a line or byte.
 */
#include "io/files/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/files/common.h"
#include "io/files/input_blocks.h"
#include "io/files/scope.h"
#include "io/files/stdin.h"
#include "io/files/wait.h"

#define LONE_RETURN                                                                                \
    "a carriage return without a line feed; lines end with LF or CR LF: convert the file"

/* Reads up to `capacity` bytes from disk; *got is 0 at the end of the file. */
static sl_status read_bytes(input *s, void *bytes, size_t capacity, size_t *got)
{
    ssize_t n;
    const bool waits = s->size == 0 && !(s->from_stdin && stdin_is_ahead());
    do {
        const sl_status waited = waits ? wait_for_file(s->ctx, s->fd, POLLIN, "read") : SL_OK;
        if (waited != SL_OK)
            return waited;
        n = s->from_stdin ? stdin_read(bytes, capacity) : read(s->fd, bytes, capacity);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        return sl_fail(s->ctx, SL_IO, "%s: cannot read: %s", s->path, strerror(errno));
    *got = (size_t)n;
    s->taken += *got;
    return SL_OK;
}

/* Fails with SL_IO for compressed data, with the number of bytes that were good. */
static sl_status damaged(const input *s, const char *how, const char *what)
{
    return sl_fail(s->ctx, SL_IO, "%s: %s %s data: %s (%llu bytes read, %llu decompressed)",
                   s->path, how, compression_title(s->decompressor.compression), what,
                   (unsigned long long)(s->taken - s->decompressor.available),
                   (unsigned long long)(s->offset + s->filled));
}

/* Appends the output for the next compressed bytes, which may be none, to the buffer. */
static sl_status fill_decompressed(input *s)
{
    decompressor *u = &s->decompressor;
    if (u->available == 0 && !u->pending) {
        sl_status status = read_bytes(s, s->compressed_bytes, COMPRESSED_BLOCK, &u->available);
        u->next = s->compressed_bytes;
        s->ended = status == SL_OK && u->available == 0;
        if (s->ended && !u->complete)
            return damaged(s, "truncated", "unexpected end of the file");
        if (status != SL_OK || s->ended)
            return status;
    }
    size_t produced;
    const char *reason;
    sl_status status =
        decompress(u, s->buffer + s->filled, s->capacity - s->filled, &produced, &reason);
    s->filled += produced;
    if (status == SL_NO_MEMORY)
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory to decompress the file", s->path);
    if (status == SL_UNSUPPORTED)
        return sl_fail(s->ctx, SL_UNSUPPORTED, "%s: unsupported %s data: %s", s->path,
                       compression_title(u->compression), reason);
    return status == SL_OK ? SL_OK : damaged(s, "damaged", reason);
}

/* Appends some bytes to the buffer, which has capacity left, or sets `ended`. */
static sl_status fill(input *s)
{
    if (s->compressed)
        return fill_decompressed(s);
    size_t got = 0;
    sl_status status = read_bytes(s, s->buffer + s->filled, s->capacity - s->filled, &got);
    if (status == SL_OK) {
        s->filled += got;
        s->ended = got == 0;
    }
    return status;
}

sl_status line_too_long(const input *s, const char *at)
{
    return sl_fail(s->ctx, SL_SYNTAX, "%s:%llu:1: the line is longer than the limit of %zu MiB",
                   s->path, (unsigned long long)input_line_number(s, at), s->max_line >> 20);
}

static sl_status grow_buffer(input *s)
{
    if (s->capacity >= s->max_line)
        return line_too_long(s, s->begin);
    char *larger = sl_realloc(s->buffer, 2 * s->capacity + INPUT_PADDING);
    if (!larger)
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory for a line", s->path);
    s->buffer = larger;
    s->capacity *= 2;
    return SL_OK;
}

sl_status input_next(input *s)
{
    if (omp_get_thread_num() == 0) { /* the thread that called the public function */
        const sl_status interrupted = sl_interrupted(s->ctx, "read");
        if (interrupted != SL_OK)
            return interrupted;
    }
    if (!s->record)
        s->lines += count_lines(s->begin, s->end);
    s->offset += (uint64_t)(s->end - s->buffer);
    s->filled -= (size_t)(s->end - s->buffer);
    memmove(s->buffer, s->end, s->filled); /* the start of an incomplete line or record */
    s->begin = s->end = s->buffer;
    for (;;) {
        sl_status status = SL_OK;
        while (!s->ended && s->filled < s->capacity && status == SL_OK)
            status = fill(s);
        if (status != SL_OK)
            return status;
        if (s->record) {
            s->end += s->filled - s->filled % s->record;
            return SL_OK;
        }
        if (s->ended && s->filled > 0 && s->buffer[s->filled - 1] != '\n')
            s->buffer[s->filled++] = '\n';
        const char *last = memrchr(s->buffer, '\n', s->filled);
        if (last || s->ended) {
            s->begin = s->buffer;
            s->end = last ? last + 1 : s->buffer;
            return SL_OK;
        }
        if ((status = grow_buffer(s)) != SL_OK)
            return status;
    }
}

/* Reads the first bytes, which show whether the file is compressed. */
static sl_status start(input *s)
{
    s->buffer = sl_calloc(1, BLOCK + INPUT_PADDING);
    if (!s->buffer)
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory for a buffer", s->path);
    s->capacity = BLOCK;
    s->begin = s->end = s->buffer;
    size_t wanted = COMPRESSED_BLOCK;
    sl_status status = SL_OK;
    while (!s->ended && s->filled < COMPRESSION_MAGIC &&
           status == SL_OK) { /* a pipe may return one byte at a time */
        size_t got = 0;
        status = read_bytes(s, s->buffer + s->filled, wanted - s->filled, &got);
        s->filled += got;
        s->ended = got == 0;
    }
    if (status != SL_OK)
        return status;
    if (s->raw)
        return SL_OK;
    compression_kind compression = compression_of_bytes(s->buffer, s->filled),
                     named = compression_of_name(s->path);
    if (named != COMPRESSION_NONE && compression != named)
        return sl_fail(s->ctx, SL_IO, "%s: the content is not %s data, but the name ends in %s",
                       s->path, compression_title(named), compression_suffix(named));
    if (compression == COMPRESSION_NONE)
        return SL_OK;

    s->compressed = decompressor_open(&s->decompressor, compression);
    s->compressed_bytes = sl_malloc(COMPRESSED_BLOCK);
    if (!s->compressed || !s->compressed_bytes)
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory to decompress the file", s->path);
    memcpy(s->compressed_bytes, s->buffer, s->filled);
    s->decompressor.next = s->compressed_bytes;
    s->decompressor.available = s->filled;
    s->filled = 0;
    s->ended = false;
    return SL_OK;
}

bool input_is_stream(const char *path)
{
    struct stat file;
    return is_stdin(path) || (stat(path, &file) == 0 && !S_ISREG(file.st_mode));
}

/* Opens the file; stdin is read as a pipe, whatever it is, because its position is not ours. */
static sl_status open_file(input *s)
{
    struct stat file;
    if (is_stdin(s->path)) {
        s->from_stdin = true;
        return stdin_take() ? SL_OK
                            : sl_fail(s->ctx, SL_IO, "-: standard input can be read only once");
    }
    s->fd = open(s->path, O_RDONLY | O_CLOEXEC);
    if (s->fd < 0)
        return sl_fail(s->ctx, SL_IO, "%s: cannot open: %s", s->path, strerror(errno));
    if (fstat(s->fd, &file) == 0 && S_ISREG(file.st_mode))
        s->size = (uint64_t)file.st_size;
    return SL_OK;
}

/*
 * Skips the mark of UTF-8 at the start of a text. Marks of other encodings are errors, which would
 * otherwise name a byte that no editor shows.
 */
static sl_status skip_mark(input *s)
{
    static const struct {
        const char *bytes;
        size_t length;
        const char *encoding;
    } marks[] = {{"\xff\xfe\0\0", 4, "UTF-32"}, /* before the UTF-16 mark that it starts with */
                 {"\0\0\xfe\xff", 4, "UTF-32"},
                 {"\xff\xfe", 2, "UTF-16"},
                 {"\xfe\xff", 2, "UTF-16"}};
    if (input_has_mark(s->begin, (size_t)(s->end - s->begin)))
        s->begin += sizeof UTF8_MARK - 1;
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
        if ((size_t)(s->end - s->begin) > marks[k].length &&
            memcmp(s->begin, marks[k].bytes, marks[k].length) == 0)
            return input_fail(s, s->begin, SL_SYNTAX,
                              "the file has the mark of %s; convert it to UTF-8 first",
                              marks[k].encoding);
    return SL_OK;
}

/* Refuses a text whose first line contains a carriage return, because all lines may end so: a comment would be the
 * whole file. A quoted field of CSV may contain one. */
static sl_status check_first_line(const input *s)
{
    const size_t size = (size_t)(s->end - s->begin);
    const char *feed = memchr(s->begin, '\n', size), *end = feed ? feed : s->end;
    const char *at = memchr(s->begin, '\r', (size_t)(end - s->begin)), *after = at;
    while (after && after < end && *after == '\r')
        after++;
    if (!at || after == end || memchr(s->begin, '"', (size_t)(at - s->begin)))
        return SL_OK;
    return input_fail(s, at, SL_SYNTAX, "expected the end of the line, found " LONE_RETURN);
}

static sl_status open_input(input *s)
{
    sl_status status = open_file(s);
    if (status != SL_OK)
        return status;
    status = start(s);
    if (status == SL_OK)
        status = input_next(s);
    if (status == SL_OK && s->record == 0)
        status = skip_mark(s);
    if (status == SL_OK && s->record == 0)
        status = check_first_line(s);
    if (status != SL_OK)
        input_close(s);
    return status;
}

sl_status input_open(input *s, sl_context *ctx, const char *path, size_t record)
{
    *s = (input){.ctx = ctx, .path = path, .record = record, .max_line = MAX_LINE};
    return open_input(s);
}

sl_status input_open_raw(input *s, sl_context *ctx, const char *path)
{
    *s = (input){.ctx = ctx, .path = path, .record = 1, .raw = true};
    return open_input(s);
}

sl_status input_check_damage(input *s, sl_status status)
{
    sl_status rest = SL_OK;
    while (s->compressed && rest == SL_OK && s->begin != s->end)
        rest = input_next(s);
    return rest == SL_OK ? status : rest;
}

void input_close(input *s)
{
    if (s->compressed)
        decompressor_close(&s->decompressor);
    sl_free(s->compressed_bytes);
    sl_free(s->buffer);
    if (!s->from_stdin)
        close(s->fd);
}

bool input_has_more(const input *s)
{
    return !s->ended || s->end < s->buffer + s->filled;
}

uint64_t input_line_number(const input *s, const char *at)
{
    return s->lines + count_lines(s->begin, at) + 1;
}

sl_status input_fail(const input *s, const char *at, sl_status status, const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (s->record)
        return sl_fail(s->ctx, status, "%s: byte %" PRIu64 ": %s", s->path,
                       s->offset + (uint64_t)(at - s->begin), what);
    const char *line = at > s->begin ? memrchr(s->begin, '\n', (size_t)(at - s->begin)) : NULL;
    line = line ? line + 1 : s->begin;
    return sl_fail(s->ctx, status, "%s:%" PRIu64 ":%td: %s", s->path, input_line_number(s, at),
                   at - line + 1, what);
}

sl_status input_expected(const input *s, const char *at, const char *what)
{
    unsigned char c = (unsigned char)*at;
    if (at == s->end)
        return input_fail(s, at, SL_SYNTAX, "expected %s, found the end of the file", what);
    if (c == '\r' && at[1] != '\n')
        return input_fail(s, at, SL_SYNTAX, "expected %s, found " LONE_RETURN, what);
    if (c == '\n' || c == '\r')
        return input_fail(s, at, SL_SYNTAX, "expected %s, found the end of the line", what);
    if (c < ' ' || c > '~')
        return input_fail(s, at, SL_SYNTAX, "expected %s, found byte 0x%02x", what, c);
    return input_fail(s, at, SL_SYNTAX, "expected %s, found '%c'", what, c);
}
