#include "sink.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "work.h"

enum { BLOCK = 256 << 10 };

static void fail(sink *s, const char *what)
{
    if (s->status == SL_OK)
        s->status = sl_fail(s->ctx, SL_IO, "%s: %s: %s", s->path, what, strerror(errno));
}

/* Appends to what is collected. */
static void collect(sink *s, const void *bytes, size_t count)
{
    const uint64_t needed = s->collected_count + count;
    if (count == 0)
        return;
    if (needed > s->collected_room) {
        const uint64_t room = needed > 2 * s->collected_room ? needed : 2 * s->collected_room;
        char *larger = sl_realloc(s->collected, room);
        if (!larger) {
            s->status = sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory for what to write", s->path);
            return;
        }
        s->collected = larger;
        s->collected_room = room;
    }
    memcpy(s->collected + s->collected_count, bytes, count);
    s->collected_count = needed;
}

static void write_bytes(void *to, const void *bytes, size_t count)
{
    sink *s = to;
    if (s->shared && s->status == SL_OK)
        collect(s, bytes, count);
    if (s->shared)
        return;
    for (const char *p = bytes; count > 0 && s->status == SL_OK;) {
        ssize_t n = write(s->fd, p, count);
        if (n >= 0) {
            p += n;
            count -= (size_t)n;
        } else if (errno != EINTR) {
            fail(s, "cannot write");
        }
    }
}

static void flush(sink *s, bool last)
{
    if (!s->packed)
        write_bytes(s, s->buffer, s->filled);
    else if (s->status == SL_OK &&
             !pack(&s->packer, s->buffer, s->filled, last, s->packed_bytes, write_bytes, s))
        s->status = sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory to pack it", s->path);
    s->filled = 0;
}

char *sink_reserve(sink *s)
{
    if (s->filled + SINK_LONGEST > BLOCK)
        flush(s, false);
    return s->buffer + s->filled;
}

void sink_print(sink *s, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    sink_keep(s, (size_t)vsnprintf(sink_reserve(s), SINK_LONGEST, format, list));
    va_end(list);
}

void sink_write(sink *s, const void *bytes, size_t count)
{
    for (const char *p = bytes; count > 0;) {
        if (s->filled == BLOCK)
            flush(s, false);
        size_t room = BLOCK - s->filled, part = count < room ? count : room;
        memcpy(s->buffer + s->filled, p, part);
        s->filled += part;
        p += part;
        count -= part;
    }
}

/* Creates a file of a new name beside the target. */
static sl_status create_temporary(sink *s)
{
    size_t room = strlen(s->target) + 48;
    s->temporary = sl_malloc(room);
    if (!s->temporary)
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory for a name", s->path);
    for (int attempt = 0; attempt < 100; attempt++) {
        snprintf(s->temporary, room, "%s.%ld-%d.tmp", s->target, (long)getpid(), attempt);
        s->fd = open(s->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (s->fd >= 0)
            return SL_OK;
        if (errno != EEXIST)
            break;
    }
    sl_status status = sl_fail(s->ctx, SL_IO, "%s: cannot create: %s", s->path, strerror(errno));
    sl_free(s->temporary);
    s->temporary = NULL;
    return status;
}

static sl_status open_file(sink *s)
{
    struct stat file;
    if (strcmp(s->path, "-") == 0) {
        fflush(stdout);
        s->fd = STDOUT_FILENO;
        return SL_OK;
    }
    if (stat(s->path, &file) == 0 && !S_ISREG(file.st_mode)) {
        s->fd = open(s->path, O_WRONLY | O_CLOEXEC);
        return s->fd >= 0 ? SL_OK
                          : sl_fail(s->ctx, SL_IO, "%s: cannot open: %s", s->path, strerror(errno));
    }
    char resolved[PATH_MAX];
    const char *target = realpath(s->path, resolved) ? resolved : s->path;
    s->target = sl_malloc(strlen(target) + 1);
    if (!s->target)
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory for a name", s->path);
    strcpy(s->target, target);
    return create_temporary(s);
}

static void release(sink *s)
{
    if (s->packed)
        packer_close(&s->packer);
    sl_free(s->packed_bytes);
    sl_free(s->collected);
    sl_free(s->buffer);
    sl_free(s->target);
    sl_free(s->temporary);
}

/* The buffer, and a packer if the name asks for one. */
static sl_status prepare(sink *s, bool may_pack)
{
    packing_kind packing = may_pack ? packing_of_name(s->path) : PACKING_NONE;
    s->buffer = sl_malloc(BLOCK);
    bool enough = s->buffer;
    if (packing != PACKING_NONE) {
        s->packed_bytes = sl_malloc(PACKER_BLOCK);
        s->packed = packer_open(&s->packer, packing);
        enough = enough && s->packed && s->packed_bytes;
    }
    return enough ? SL_OK : sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory for a buffer", s->path);
}

sl_status sink_open(sink *s, sl_context *ctx, const char *path)
{
    *s = (sink){.ctx = ctx, .path = path, .fd = -1, .shared = sl_context_processes(ctx) > 1};
    sl_status status = prepare(s, true);
    if (status == SL_OK && !s->shared)
        status = open_file(s);
    status = sl_agree(ctx, status);
    if (status != SL_OK)
        release(s);
    return status;
}

sl_status sink_open_alone(sink *s, sl_context *ctx, const char *path)
{
    *s = (sink){.ctx = ctx, .path = path, .fd = -1};
    sl_status status = prepare(s, false);
    if (status == SL_OK)
        status = open_file(s);
    if (status != SL_OK)
        release(s);
    return status;
}

sl_status sink_close_alone(sink *s, sl_status status)
{
    if (s->status == SL_OK)
        s->status = status;
    if (s->status == SL_OK)
        flush(s, true);
    if (s->fd != STDOUT_FILENO && close(s->fd) != 0)
        fail(s, "cannot write");
    if (s->temporary && s->status == SL_OK && rename(s->temporary, s->target) != 0)
        fail(s, "cannot put the file in its place");
    if (s->temporary && s->status != SL_OK)
        unlink(s->temporary);
    release(s);
    return s->status;
}

/* An extent behind those of the processes before. */
static sl_status behind_others(const sink *s, sl_file_part *mine)
{
    uint64_t *counts;
    sl_status status =
        sl_gather(s->ctx, s->status, (void **)&counts, NULL, &mine->count, sizeof mine->count);
    for (uint64_t k = 0; status == SL_OK && k < io_process(s->ctx); k++)
        mine->offset += counts[k];
    sl_free(counts);
    return status;
}

sl_status sink_close(sink *s, sl_status status)
{
    if (!s->shared)
        return sink_close_alone(s, status);
    if (s->status == SL_OK)
        s->status = status;
    if (s->status == SL_OK)
        flush(s, true);
    sl_file_part mine = {.count = s->collected_count, .bytes = s->collected};
    s->status = behind_others(s, &mine);
    if (s->status == SL_OK)
        s->status = write_together(s->ctx, SL_OK, s->path, &mine, 1);
    release(s);
    return s->status;
}
