#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared.h"

enum {
    BLOCK = 256 << 10,       /* bytes at a time: a block and its tuples stay in the cache */
    PACKED_BLOCK = 64 << 10, /* compressed bytes at a time */
    LONGEST_LINE = 16 << 20  /* a longer one is no text, and might never end */
};

/* Up to `room` bytes of the file as it lies on disk; *got == 0 at its end. */
static sl_status read_bytes(source *s, void *bytes, size_t room, size_t *got)
{
    ssize_t n;
    do
        n = read(s->fd, bytes, room);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return sl_fail(s->ctx, SL_IO, "%s: cannot read: %s", s->path, strerror(errno));
    *got = (size_t)n;
    return SL_OK;
}

/* Appends what inflate makes of the next packed bytes to the buffer. */
static sl_status inflate_bytes(source *s)
{
    z_stream *z = &s->stream;
    if (z->avail_in == 0) {
        size_t got = 0;
        sl_status status = read_bytes(s, s->packed_bytes, PACKED_BLOCK, &got);
        if (status != SL_OK)
            return status;
        z->next_in = s->packed_bytes;
        z->avail_in = (unsigned)got;
        if (got == 0) {
            s->ended = true;
            if (!s->fresh)
                return sl_fail(s->ctx, SL_IO, "%s: truncated gzip data: the file ends too early",
                               s->path);
            return SL_OK;
        }
    }
    s->fresh = false;
    z->next_out = (unsigned char *)s->buffer + s->filled;
    z->avail_out = (unsigned)(s->room - s->filled);
    int code = inflate(z, Z_NO_FLUSH);
    s->filled = s->room - z->avail_out;
    if (code == Z_STREAM_END) { /* another member may follow */
        s->fresh = true;
        inflateReset(z);
    } else if (code == Z_MEM_ERROR) {
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory to unpack it", s->path);
    } else if (code != Z_OK && code != Z_BUF_ERROR) {
        return sl_fail(s->ctx, SL_IO, "%s: damaged gzip data: %s", s->path,
                       z->msg ? z->msg : "not a deflate stream");
    }
    return SL_OK;
}

/* Appends some bytes to the buffer, which has room, or sets `ended`. */
static sl_status fill(source *s)
{
    if (s->packed)
        return inflate_bytes(s);
    size_t got = 0;
    sl_status status = read_bytes(s, s->buffer + s->filled, s->room - s->filled, &got);
    if (status == SL_OK) {
        s->filled += got;
        s->ended = got == 0;
    }
    return status;
}

static uint64_t count_lines(const char *begin, const char *end)
{
    uint64_t lines = 0;
    for (const char *p = begin; p < end; p++)
        lines += *p == '\n';
    return lines;
}

static sl_status grow_buffer(source *s)
{
    if (s->room >= LONGEST_LINE)
        return sl_fail(s->ctx, SL_SYNTAX, "%s:%llu:1: a line longer than %d MiB", s->path,
                       (unsigned long long)s->lines + 1, LONGEST_LINE >> 20);
    char *larger = sl_realloc(s->buffer, 2 * s->room + SOURCE_PADDING);
    if (!larger)
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory for a line", s->path);
    s->buffer = larger;
    s->room *= 2;
    return SL_OK;
}

sl_status source_next(source *s)
{
    s->lines += count_lines(s->begin, s->end);
    s->filled -= (size_t)(s->end - s->buffer);
    memmove(s->buffer, s->end, s->filled); /* the start of a line */
    s->begin = s->end = s->buffer;
    for (;;) {
        sl_status status = SL_OK;
        while (!s->ended && s->filled < s->room && status == SL_OK)
            status = fill(s);
        if (status != SL_OK)
            return status;
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

/* Takes the first bytes, which tell whether the file is packed. */
static sl_status start(source *s)
{
    s->buffer = sl_calloc(1, BLOCK + SOURCE_PADDING);
    if (!s->buffer)
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory for a buffer", s->path);
    s->room = BLOCK;
    s->begin = s->end = s->buffer;
    size_t wanted = PACKED_BLOCK;
    sl_status status = SL_OK;
    while (!s->ended && s->filled < 2 && status == SL_OK) { /* a pipe may give one byte */
        size_t got = 0;
        status = read_bytes(s, s->buffer + s->filled, wanted - s->filled, &got);
        s->filled += got;
        s->ended = got == 0;
    }
    if (status != SL_OK)
        return status;
    bool magic = s->filled >= 2 && memcmp(s->buffer, "\x1f\x8b", 2) == 0;
    if (!magic && ends_in(s->path, strlen(s->path), ".gz"))
        return sl_fail(s->ctx, SL_IO, "%s: not gzip data, though its name ends in .gz", s->path);
    if (!magic)
        return SL_OK;

    s->packed_bytes = sl_malloc(PACKED_BLOCK);
    s->stream = (z_stream){.zalloc = zlib_allocate, .zfree = zlib_release};
    s->packed = s->packed_bytes && inflateInit2(&s->stream, 16 + MAX_WBITS) == Z_OK;
    if (!s->packed)
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory to unpack it", s->path);
    memcpy(s->packed_bytes, s->buffer, s->filled);
    s->stream.next_in = s->packed_bytes;
    s->stream.avail_in = (unsigned)s->filled;
    s->filled = 0;
    s->ended = false;
    return SL_OK;
}

sl_status source_open(source *s, sl_context *ctx, const char *path)
{
    *s = (source){.ctx = ctx, .path = path};
    s->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (s->fd < 0)
        return sl_fail(ctx, SL_IO, "%s: cannot open: %s", path, strerror(errno));
    struct stat file;
    if (fstat(s->fd, &file) == 0 && S_ISREG(file.st_mode))
        s->size = (uint64_t)file.st_size;
    sl_status status = start(s);
    if (status == SL_OK)
        status = source_next(s);
    if (status != SL_OK)
        source_close(s);
    return status;
}

void source_close(source *s)
{
    if (s->packed)
        inflateEnd(&s->stream);
    sl_free(s->packed_bytes);
    sl_free(s->buffer);
    close(s->fd);
}

sl_status source_fail(const source *s, const char *at, sl_status status, const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    const char *line = at > s->begin ? memrchr(s->begin, '\n', (size_t)(at - s->begin)) : NULL;
    line = line ? line + 1 : s->begin;
    return sl_fail(s->ctx, status, "%s:%llu:%llu: %s", s->path,
                   (unsigned long long)(s->lines + count_lines(s->begin, at) + 1),
                   (unsigned long long)(at - line + 1), what);
}

sl_status source_expected(const source *s, const char *at, const char *what)
{
    unsigned char c = (unsigned char)*at;
    if (at == s->end)
        return source_fail(s, at, SL_SYNTAX, "expected %s, found the end of the file", what);
    if (c == '\n' || c == '\r')
        return source_fail(s, at, SL_SYNTAX, "expected %s, found the end of the line", what);
    if (c < ' ' || c > '~')
        return source_fail(s, at, SL_SYNTAX, "expected %s, found byte 0x%02x", what, c);
    return source_fail(s, at, SL_SYNTAX, "expected %s, found '%c'", what, c);
}
