/*
 * Output files: buffering, compression, temporary names. A regular file is written under a
 * temporary name in the same directory and renamed when it is complete.
 */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scope.h"
#include "wait.h"

enum { BLOCK = 256 << 10 };

static void fail(output *s, const char *what)
{
    if (s->status == SL_OK)
        s->status = sl_fail(s->ctx, SL_IO, "%s: %s: %s", s->path, what, strerror(errno));
}

/* Appends bytes to the collected bytes of this process. */
static void collect(output *s, const void *bytes, size_t count)
{
    const uint64_t needed = s->collected_count + count;
    if (count == 0)
        return;
    if (needed > s->collected_capacity) {
        const uint64_t capacity =
            needed > 2 * s->collected_capacity ? needed : 2 * s->collected_capacity;
        char *larger = sl_realloc(s->collected, capacity);
        if (!larger) {
            s->status =
                sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory to collect the output", s->path);
            return;
        }
        s->collected = larger;
        s->collected_capacity = capacity;
    }
    memcpy(s->collected + s->collected_count, bytes, count);
    s->collected_count = needed;
}

static void write_bytes(void *to, const void *bytes, size_t count)
{
    output *s = to;
    if (s->shared && s->status == SL_OK)
        collect(s, bytes, count);
    if (s->shared)
        return;
    for (const char *p = bytes; count > 0 && s->status == SL_OK;) {
        s->status = wait_for_file(s->ctx, s->fd, POLLOUT, "write");
        if (s->status != SL_OK)
            return;
        ssize_t n = write(s->fd, p, count);
        if (n >= 0) {
            p += n;
            count -= (size_t)n;
        } else if (errno != EINTR) {
            fail(s, "cannot write");
        }
    }
}

static void flush(output *s, bool last)
{
    if (s->status == SL_OK)
        s->status = sl_interrupted(s->ctx, "write");
    if (!s->compressed)
        write_bytes(s, s->buffer, s->filled);
    else if (s->status == SL_OK && !compress_bytes(&s->compressor, s->buffer, s->filled, last,
                                                   s->compressed_bytes, write_bytes, s))
        s->status = sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory to compress the output", s->path);
    s->filled = 0;
}

char *output_reserve(output *s)
{
    if (s->filled + OUTPUT_RESERVE > BLOCK)
        flush(s, false);
    return s->buffer + s->filled;
}

void output_print(output *s, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    output_commit(s, (size_t)vsnprintf(output_reserve(s), OUTPUT_RESERVE, format, list));
    va_end(list);
}

void output_write(output *s, const void *bytes, size_t count)
{
    for (const char *p = bytes; count > 0;) {
        if (s->filled == BLOCK)
            flush(s, false);
        size_t capacity = BLOCK - s->filled, part = count < capacity ? count : capacity;
        memcpy(s->buffer + s->filled, p, part);
        s->filled += part;
        p += part;
        count -= part;
    }
}

/* Creates a temporary file in the directory of the target. */
static sl_status create_temporary(output *s)
{
    size_t capacity = strlen(s->target) + 48;
    s->temporary = sl_malloc(capacity);
    if (!s->temporary)
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory for a file name", s->path);
    for (int attempt = 0; attempt < 100; attempt++) {
        snprintf(s->temporary, capacity, "%s.%ld-%d.tmp", s->target, (long)getpid(), attempt);
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

static sl_status open_file(output *s)
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
        return sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory for a file name", s->path);
    strcpy(s->target, target);
    return create_temporary(s);
}

static void release(output *s)
{
    if (s->compressed)
        compressor_close(&s->compressor);
    sl_free(s->compressed_bytes);
    sl_free(s->collected);
    sl_free(s->buffer);
    sl_free(s->target);
    sl_free(s->temporary);
}

/* Allocates the buffer, and a compressor if the name ends in .gz or .zst. */
static sl_status prepare(output *s, bool may_compress)
{
    compression_kind compression = may_compress ? compression_of_name(s->path) : COMPRESSION_NONE;
    s->buffer = sl_malloc(BLOCK);
    bool enough = s->buffer;
    if (compression != COMPRESSION_NONE) {
        s->compressed_bytes = sl_malloc(COMPRESSOR_BUFFER);
        s->compressed = compressor_open(&s->compressor, compression);
        enough = enough && s->compressed && s->compressed_bytes;
    }
    return enough ? SL_OK : sl_fail(s->ctx, SL_NO_MEMORY, "%s: no memory for a buffer", s->path);
}

sl_status output_open(output *s, sl_context *ctx, const char *path)
{
    *s = (output){.ctx = ctx, .path = path, .fd = -1, .shared = sl_context_processes(ctx) > 1};
    sl_status status = prepare(s, true);
    if (status == SL_OK && !s->shared)
        status = open_file(s);
    status = sl_agree(ctx, status);
    if (status != SL_OK)
        release(s);
    return status;
}

sl_status output_open_alone(output *s, sl_context *ctx, const char *path)
{
    *s = (output){.ctx = ctx, .path = path, .fd = -1};
    sl_status status = prepare(s, false);
    if (status == SL_OK)
        status = open_file(s);
    if (status != SL_OK)
        release(s);
    return status;
}

sl_status output_close_alone(output *s, sl_status status)
{
    if (s->status == SL_OK)
        s->status = status;
    if (s->status == SL_OK)
        flush(s, true);
    if (s->fd != STDOUT_FILENO && close(s->fd) != 0)
        fail(s, "cannot write");
    if (s->temporary && s->status == SL_OK && rename(s->temporary, s->target) != 0)
        fail(s, "cannot rename the temporary file");
    if (s->temporary && s->status != SL_OK)
        unlink(s->temporary);
    release(s);
    return s->status;
}

/* Moves a part behind the parts of the preceding processes. */
static sl_status set_offset(const output *s, sl_file_part *mine)
{
    uint64_t *counts;
    sl_status status =
        sl_gather(s->ctx, s->status, (void **)&counts, NULL, &mine->count, sizeof mine->count);
    for (uint64_t k = 0; status == SL_OK && k < io_rank(s->ctx); k++)
        mine->offset += counts[k];
    sl_free(counts);
    return status;
}

sl_status output_close(output *s, sl_status status)
{
    if (!s->shared)
        return output_close_alone(s, status);
    if (s->status == SL_OK)
        s->status = status;
    if (s->status == SL_OK)
        flush(s, true);
    sl_file_part mine = {.count = s->collected_count, .bytes = s->collected};
    s->status = set_offset(s, &mine);
    if (s->status == SL_OK)
        s->status = write_shared_file(s->ctx, SL_OK, s->path, &mine, 1);
    release(s);
    return s->status;
}
