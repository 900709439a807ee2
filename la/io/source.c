#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared.h"

enum {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* small inputs, too, have several */
    BLOCK = 64,
    PACKED_BLOCK = 16,
    SHARED_BLOCK = 128,
#else
    BLOCK = 256 << 10,       /* bytes at a time: a block and its tuples stay in the cache */
    PACKED_BLOCK = 64 << 10, /* compressed bytes at a time */
    SHARED_BLOCK = 2 << 20,  /* unpacked bytes at a time, where threads take turns: what an
                                unpacker looks back to has to follow it from core to core */
#endif
    LONGEST_LINE = 16 << 20 /* unless the format's reader says otherwise */
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
    s->taken += *got;
    return SL_OK;
}

/* What is wrong with packed data, and how much was good. */
static sl_status damaged(const source *s, const char *how, const char *what)
{
    return sl_fail(s->ctx, SL_IO, "%s: %s %s data: %s (%llu bytes of it read, %llu unpacked)",
                   s->path, how, packing_title(s->unpacker.packing), what,
                   (unsigned long long)(s->taken - s->unpacker.available),
                   (unsigned long long)(s->offset + s->filled));
}

/* Appends what the next packed bytes unpack to, which may be nothing. */
static sl_status fill_unpacked(source *s)
{
    unpacker *u = &s->unpacker;
    if (u->available == 0 && !u->pending) {
        sl_status status = read_bytes(s, s->packed_bytes, PACKED_BLOCK, &u->available);
        u->next = s->packed_bytes;
        s->ended = status == SL_OK && u->available == 0;
        if (s->ended && !u->whole)
            return damaged(s, "truncated", "the file ends too early");
        if (status != SL_OK || s->ended)
            return status;
    }
    size_t made;
    const char *fault;
    sl_status status = unpack(u, s->buffer + s->filled, s->room - s->filled, &made, &fault);
    s->filled += made;
    if (status == SL_NO_MEMORY)
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory to unpack it", s->path);
    if (status == SL_UNSUPPORTED)
        return sl_fail(s->ctx, SL_UNSUPPORTED, "%s: %s data that is not supported: %s", s->path,
                       packing_title(u->packing), fault);
    return status == SL_OK ? SL_OK : damaged(s, "damaged", fault);
}

/* Appends some bytes to the buffer, which has room, or sets `ended`. */
static sl_status fill(source *s)
{
    if (s->packed)
        return fill_unpacked(s);
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

/* The line that starts at `at`. */
static sl_status source_too_long(const source *s, const char *at)
{
    return sl_fail(s->ctx, SL_SYNTAX, "%s:%llu:1: a line longer than %zu MiB", s->path,
                   (unsigned long long)source_line_number(s, at), s->longest >> 20);
}

static sl_status grow_buffer(source *s)
{
    if (s->room >= s->longest)
        return source_too_long(s, s->begin);
    char *larger = sl_realloc(s->buffer, 2 * s->room + SOURCE_PADDING);
    if (!larger)
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory for a line", s->path);
    s->buffer = larger;
    s->room *= 2;
    return SL_OK;
}

sl_status source_next(source *s)
{
    if (!s->record)
        s->lines += count_lines(s->begin, s->end);
    s->offset += (uint64_t)(s->end - s->buffer);
    s->filled -= (size_t)(s->end - s->buffer);
    memmove(s->buffer, s->end, s->filled); /* the start of a line or record */
    s->begin = s->end = s->buffer;
    for (;;) {
        sl_status status = SL_OK;
        while (!s->ended && s->filled < s->room && status == SL_OK)
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
    while (!s->ended && s->filled < PACKING_MAGIC &&
           status == SL_OK) { /* a pipe may give one byte */
        size_t got = 0;
        status = read_bytes(s, s->buffer + s->filled, wanted - s->filled, &got);
        s->filled += got;
        s->ended = got == 0;
    }
    if (status != SL_OK)
        return status;
    packing_kind packing = packing_of_bytes(s->buffer, s->filled), named = packing_of_name(s->path);
    if (named != PACKING_NONE && packing != named)
        return sl_fail(s->ctx, SL_IO, "%s: not %s data, though its name ends in %s", s->path,
                       packing_title(named), packing_suffix(named));
    if (packing == PACKING_NONE)
        return SL_OK;

    s->packed = unpacker_open(&s->unpacker, packing);
    s->packed_bytes = sl_malloc(PACKED_BLOCK);
    if (!s->packed || !s->packed_bytes)
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory to unpack it", s->path);
    memcpy(s->packed_bytes, s->buffer, s->filled);
    s->unpacker.next = s->packed_bytes;
    s->unpacker.available = s->filled;
    s->filled = 0;
    s->ended = false;
    return SL_OK;
}

sl_status source_open(source *s, sl_context *ctx, const char *path, size_t record)
{
    *s = (source){.ctx = ctx, .path = path, .record = record, .longest = LONGEST_LINE};
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

sl_status source_blame_damage(source *s, sl_status status)
{
    sl_status rest = SL_OK;
    while (s->packed && rest == SL_OK && s->begin != s->end)
        rest = source_next(s);
    return rest == SL_OK ? status : rest;
}

void source_close(source *s)
{
    if (s->packed)
        unpacker_close(&s->unpacker);
    sl_free(s->packed_bytes);
    sl_free(s->buffer);
    close(s->fd);
}

bool source_goes_on(const source *s)
{
    return !s->ended || s->end < s->buffer + s->filled;
}

sl_status source_share(source *whole)
{
    if (!whole->packed || whole->room >= SHARED_BLOCK)
        return SL_OK;
    const size_t begin = (size_t)(whole->begin - whole->buffer);
    const size_t end = (size_t)(whole->end - whole->buffer);
    char *larger = sl_realloc(whole->buffer, SHARED_BLOCK + SOURCE_PADDING);
    if (!larger)
        return SL_NO_MEMORY;
    whole->buffer = larger;
    whole->begin = larger + begin;
    whole->end = larger + end;
    whole->room = SHARED_BLOCK;
    return SL_OK;
}

sl_status source_part_open(source *part, const source *whole)
{
    *part = (source){.path = whole->path,
                     .packed = whole->packed,
                     .record = whole->record,
                     .longest = whole->longest,
                     /* a block and most lines that it ends with */
                     .room = whole->packed ? whole->room : BLOCK + BLOCK / 4};
    part->buffer = sl_calloc(1, part->room + SOURCE_PADDING);
    part->begin = part->end = part->buffer;
    return part->buffer ? SL_OK : SL_NO_MEMORY;
}

sl_status source_part_next(source *part, source *whole)
{
    sl_status status = source_next(whole);
    if (status != SL_OK)
        return status;
    /* the buffers change places, and what follows the block stays with `whole` */
    size_t rest = whole->filled - (size_t)(whole->end - whole->buffer);
    if (part->room < whole->room) {
        char *larger = sl_realloc(part->buffer, whole->room + SOURCE_PADDING);
        if (!larger)
            return SL_NO_MEMORY;
        part->buffer = larger;
        part->room = whole->room;
    }
    source old = *part;
    part->begin = part->buffer = whole->buffer;
    part->end = whole->end;
    part->room = whole->room;
    whole->begin = whole->end = whole->buffer = old.buffer;
    whole->room = old.room;
    whole->filled = rest;
    memcpy(whole->buffer, part->end, rest);
    return SL_OK;
}

/* Where the file goes on behind the current block. */
static uint64_t end_of_block(const source *s)
{
    return s->offset + (uint64_t)(s->end - s->buffer);
}

/* Appends the file's bytes from `place` on, up to `room` bytes in all; fewer at its end. */
static sl_status read_at(source *part, const source *whole, uint64_t place, size_t room)
{
    while (part->filled < room) {
        ssize_t n = pread(whole->fd, part->buffer + part->filled, room - part->filled,
                          (off_t)(place + part->filled));
        if (n < 0 && errno != EINTR)
            return SL_IO;
        if (n == 0)
            break;
        part->filled += n > 0 ? (size_t)n : 0;
    }
    return SL_OK;
}

/*
 * Has the line that the first `length` bytes end in end: reads on, or gives the file's last
 * line its '\n'. The buffer's first byte is the file's at `place`.
 */
static sl_status complete_line(source *part, const source *whole, uint64_t place, size_t length)
{
    enum { STEP = BLOCK / 16 };
    const char *before = memrchr(part->buffer, '\n', length - 1);
    const size_t start = before ? (size_t)(before + 1 - part->buffer) : 0;
    for (size_t seen = length - 1;; seen = part->filled) {
        if (seen == part->filled) {
            if (seen + STEP > part->room) {
                char *larger = sl_realloc(part->buffer, 2 * part->room + SOURCE_PADDING);
                if (!larger)
                    return SL_NO_MEMORY;
                part->buffer = larger;
                part->room *= 2;
            }
            if (read_at(part, whole, place, seen + STEP) != SL_OK)
                return SL_IO;
            if (seen == part->filled)
                part->buffer[part->filled++] = '\n';
        }
        const char *end = memchr(part->buffer + seen, '\n', part->filled - seen);
        part->end = end ? end + 1 : part->buffer + part->filled;
        if ((size_t)(part->end - part->buffer) - start > part->longest)
            return SL_SYNTAX;
        if (end)
            return SL_OK;
    }
}

sl_status source_part_at(source *part, const source *whole, uint64_t block, bool *more)
{
    const size_t record = whole->record ? whole->record : 1;
    const uint64_t size = BLOCK - BLOCK % record, origin = end_of_block(whole);
    uint64_t from = origin + block * size;
    part->filled = 0;
    part->offset = from;
    part->begin = part->end = part->buffer;
    *more = from < whole->size;
    if (!*more)
        return SL_OK;
    /* a line starts here if the byte before is the end of another */
    const bool look_back = !whole->record && block > 0;
    const size_t length = size < whole->size - from ? size : whole->size - from;
    sl_status status = read_at(part, whole, from - look_back, length + look_back);
    if (status != SL_OK || part->filled < length + look_back)
        return SL_IO; /* the file has become shorter */
    if (whole->record) {
        part->end += length - length % record;
        return SL_OK;
    }
    if (look_back) {
        const char *before = memchr(part->buffer, '\n', length);
        if (!before)
            return SL_OK;
        part->begin = before + 1;
    }
    const size_t skipped = (size_t)(part->begin - part->buffer);
    part->offset = from - look_back + skipped;
    status = complete_line(part, whole, from - look_back, length + look_back);
    part->begin = part->buffer + skipped; /* the buffer may be another */
    return status;
}

uint64_t source_blocks(const source *whole)
{
    const size_t record = whole->record ? whole->record : 1;
    const uint64_t size = BLOCK - BLOCK % record, origin = end_of_block(whole);
    return origin < whole->size ? (whole->size - origin + size - 1) / size : 0;
}

sl_status source_number_lines(source *part, const source *whole)
{
    char *bytes = sl_malloc(BLOCK);
    sl_status status = bytes ? SL_OK : SL_NO_MEMORY;
    part->lines = 0;
    for (uint64_t at = 0; at < part->offset && status == SL_OK;) {
        const uint64_t left = part->offset - at;
        const ssize_t n = pread(whole->fd, bytes, left < BLOCK ? left : BLOCK, (off_t)at);
        if (n == 0 || (n < 0 && errno != EINTR))
            status = SL_IO;
        if (n > 0) {
            part->lines += count_lines(bytes, bytes + n);
            at += (uint64_t)n;
        }
    }
    sl_free(bytes);
    return status;
}

sl_status source_part_fail(const source *part, sl_status status)
{
    if (status == SL_NO_MEMORY)
        return sl_fail(part->ctx, status, "%s: no memory for a block of it", part->path);
    if (status == SL_SYNTAX) /* the block ends within the line, or with it */
        return source_too_long(part, part->end - 1);
    return sl_fail(part->ctx, status, "%s: cannot read: it has become shorter", part->path);
}

void source_skip(source *whole)
{
    const uint64_t left = whole->size - end_of_block(whole);
    whole->offset = whole->size;
    whole->begin = whole->end = whole->buffer;
    whole->filled = whole->record ? left % whole->record : 0;
    whole->offset -= whole->filled;
    whole->ended = true;
}

void source_part_close(source *part)
{
    sl_free(part->buffer);
}

uint64_t source_line_number(const source *s, const char *at)
{
    return s->lines + count_lines(s->begin, at) + 1;
}

sl_status source_fail(const source *s, const char *at, sl_status status, const char *format, ...)
{
    char what[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (s->record)
        return sl_fail(s->ctx, status, "%s: byte %llu: %s", s->path,
                       (unsigned long long)(s->offset + (uint64_t)(at - s->begin)), what);
    const char *line = at > s->begin ? memrchr(s->begin, '\n', (size_t)(at - s->begin)) : NULL;
    line = line ? line + 1 : s->begin;
    return sl_fail(s->ctx, status, "%s:%llu:%llu: %s", s->path,
                   (unsigned long long)source_line_number(s, at),
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
