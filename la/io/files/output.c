/* Output files: buffering, compression, collecting the bytes of several processes. */
#include "io/files/output.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/files/new_file.h"
#include "io/files/scope.h"
#include "io/files/wait.h"

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

void output_flush(output *s, bool last)
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
        output_flush(s, false);
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
    if (count >= BLOCK && !s->compressed && !s->shared) { /* without a copy */
        output_flush(s, false);
        write_bytes(s, bytes, count);
        return;
    }
    for (const char *p = bytes; count > 0;) {
        if (s->filled == BLOCK)
            output_flush(s, false);
        size_t capacity = BLOCK - s->filled, part = count < capacity ? count : capacity;
        memcpy(s->buffer + s->filled, p, part);
        s->filled += part;
        p += part;
        count -= part;
    }
}

/* Opens the file; with a temporary name, if other processes open it too. */
static sl_status open_file(output *s, bool named)
{
    if (strcmp(s->path, "-") == 0) {
        fflush(stdout);
        s->fd = STDOUT_FILENO;
        return SL_OK;
    }
    return new_file(&s->file, &s->fd, named ? &s->temporary : NULL, s->ctx, s->path, s->overwrite);
}

void output_release(output *s)
{
    if (s->compressed)
        compressor_close(&s->compressor);
    sl_free(s->compressed_bytes);
    sl_free(s->collected);
    sl_free(s->buffer);
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

sl_status output_open(output *s, sl_context *ctx, const char *path, bool overwrite)
{
    *s = (output){.ctx = ctx,
                  .path = path,
                  .overwrite = overwrite,
                  .fd = -1,
                  .shared = sl_context_processes(ctx) > 1};
    sl_status status = prepare(s, true);
    if (status == SL_OK && !s->shared)
        status = open_file(s, false);
    status = sl_agree(ctx, status);
    if (status != SL_OK)
        output_release(s);
    return status;
}

sl_status output_open_alone(output *s, sl_context *ctx, const char *path, bool overwrite)
{
    *s = (output){.ctx = ctx, .path = path, .overwrite = overwrite, .fd = -1};
    sl_status status = prepare(s, false);
    if (status == SL_OK)
        status = open_file(s, sl_context_processes(ctx) > 1);
    if (status != SL_OK)
        output_release(s);
    return status;
}

sl_status output_close_alone(output *s, sl_status status)
{
    if (s->status == SL_OK)
        s->status = status;
    if (s->status == SL_OK)
        output_flush(s, true);
    s->status = sl_file_finish(s->file, s->status);
    output_release(s);
    return s->status;
}
