/* Where a writer's bytes go: a file that appears whole or not at all, or stdout. */
#ifndef SEMLA_IO_SINK_H
#define SEMLA_IO_SINK_H

#include <zlib.h>

#include <semla/context.h>

#pragma GCC visibility push(hidden)

typedef struct {
    sl_context *ctx;
    const char *path; /* the caller's */
    char *target;     /* where the file shall be: `path` with symbolic links followed */
    char *temporary;  /* beside the target; NULL where bytes go straight to `fd` */
    int fd;
    char *buffer;
    size_t filled;
    bool packed;
    unsigned char *packed_bytes;
    z_stream stream;
    sl_status status; /* the first failure, told to the context; nothing is written after it */
} sink;

enum { SINK_LONGEST = 128 }; /* bytes that may be reserved at a time */

/*
 * Opens a sink; "-" is stdout, a path that ends in .gz is packed. A path that is
 * a device or a pipe is written to in place. `path` has to outlive the sink. On
 * failure there is nothing to close. Errors: SL_IO, SL_NO_MEMORY.
 */
sl_status sink_open(sink *s, sl_context *ctx, const char *path);

/* Room for SINK_LONGEST bytes, of which sink_keep keeps the first ones. Never
 * fails: what is put in after a failure is lost. */
char *sink_reserve(sink *s);
static inline void sink_keep(sink *s, size_t length)
{
    s->filled += length;
}

/*
 * Writes what is left and puts the file in its place, or removes it if there
 * was a failure or `status`, the caller's own, is one; returns the first failure.
 */
sl_status sink_close(sink *s, sl_status status);

#pragma GCC visibility pop
#endif
