/* Where a writer's bytes go: a file that appears whole or not at all, or stdout. */
#ifndef SEMLA_IO_SINK_H
#define SEMLA_IO_SINK_H

#include <string.h>

#include "packing.h"

#pragma GCC visibility push(hidden)

typedef struct {
    sl_context *ctx;
    const char *path; /* the caller's */
    char *target;     /* where the file shall be: `path` with symbolic links followed */
    char *temporary;  /* beside the target; NULL where bytes go straight to `fd` */
    int fd;
    char *buffer;
    size_t filled;
    bool shared; /* of several processes: bytes are collected, until all are closed */
    char *collected;
    uint64_t collected_count, collected_room;
    bool packed;
    void *packed_bytes;
    packer packer;
    sl_status status; /* the first failure, told to the context; nothing is written after it */
} sink;

enum { SINK_LONGEST = 128 }; /* bytes that may be reserved at a time */

/*
 * Where several processes share the context their bytes stand behind each other in the file, in the
 * order of the processes; packed, each process's are a member or a frame of their own. To
 * open and to close are collective then, and fail on all.
 *
 * Opens a sink; "-" is stdout, a path that ends in .gz or .zst is packed. A path that is
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

/* A text below SINK_LONGEST characters; any number of bytes. */
void sink_print(sink *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sink_write(sink *s, const void *bytes, size_t count);

/*
 * Writes what is left and puts the file in its place, or removes it if there
 * was a failure or `status`, the caller's own, is one; returns the first failure.
 */
sl_status sink_close(sink *s, sl_status status);

/* The same without a thought of other processes, and without packing. */
sl_status sink_open_alone(sink *s, sl_context *ctx, const char *path);
sl_status sink_close_alone(sink *s, sl_status status);

/*
 * Writes a file of which every process of the context has `count` extents, whole or not
 * at all, as a sink does; extent k of one process lies before that of the next, and of all
 * before extent k + 1, with zeros between. `status` is what this process says so far. Collective,
 * and so is a failure. Errors: SL_IO, SL_NO_MEMORY, SL_ENGINE_FAULT.
 */
sl_status write_together(sl_context *ctx, sl_status status, const char *path,
                         const sl_file_part *extents, size_t count);

#pragma GCC visibility pop
#endif
