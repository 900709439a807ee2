/*
 * An output file, plain or compressed, that is written completely or not at all, or stdout. Bytes
 * are collected in a buffer of 256 KiB.
 */
#ifndef SEMLA_IO_OUTPUT_H
#define SEMLA_IO_OUTPUT_H

#include <string.h>

#include <semla/io.h>

#include "io/files/compression.h"

#pragma GCC visibility push(hidden)

typedef struct {
    sl_context *ctx;
    const char *path; /* borrowed from the caller */
    bool overwrite;
    sl_file *file;   /* NULL: stdout */
    char *temporary; /* path of the file while it is written, for other processes; else NULL */
    int fd;
    char *buffer;
    size_t filled;
    bool shared; /* several processes: bytes are collected until all processes close the output */
    char *collected;
    uint64_t collected_count, collected_capacity;
    bool compressed;
    void *compressed_bytes;
    compressor compressor;
    sl_status status; /* the first failure; nothing is written after it */
} output;

enum { OUTPUT_RESERVE = 128 }; /* maximum number of bytes that output_reserve can reserve */

/*
 * Opens an output; "-" is stdout; a path that ends in .gz or .zst is compressed. A device or pipe
 * is written in place. Without `overwrite` an existing file is SL_IO. `path` must outlive the
 * output. On failure there is nothing to close. Errors: SL_IO, SL_NO_MEMORY.
 *
 * If several processes share the context, opening and closing are collective and fail on all
 * processes. The bytes of the processes are concatenated in the order of the processes; compressed,
 * the bytes of each process are a gzip member or Zstandard frame of their own.
 */
sl_status output_open(output *s, sl_context *ctx, const char *path, bool overwrite);

/*
 * Returns space for OUTPUT_RESERVE bytes; output_commit keeps the first `length` of them. Never
 * fails: bytes after a failure are lost.
 */
char *output_reserve(output *s);
static inline void output_commit(output *s, size_t length)
{
    s->filled += length;
}

/* Writes a text of less than OUTPUT_RESERVE characters; writes any number of bytes. */
void output_print(output *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void output_write(output *s, const void *bytes, size_t count);

/*
 * Writes the rest and gives the file its final name, or removes it if a write failed or `status`,
 * the status of the caller, is a failure. Returns the first failure.
 */
sl_status output_close(output *s, sl_status status);

/* Writes the buffer out, and frees what the output has but its file: steps of closing it. */
void output_flush(output *s, bool last);
void output_release(output *s);

/* Like output_open and output_close, for this process alone and without compression. */
sl_status output_open_alone(output *s, sl_context *ctx, const char *path, bool overwrite);
sl_status output_close_alone(output *s, sl_status status);

/*
 * Writes a file, completely or not at all. Every process of the context has `count` parts of it.
 * Part k of a process precedes part k of the next process, and all parts k precede all parts k + 1;
 * gaps are filled with zeros. `status` is the status of this process so far. Collective; a failure
 * on one process fails on all. Errors: SL_IO, SL_NO_MEMORY, SL_ENGINE_FAULT.
 */
sl_status write_shared_file(sl_context *ctx, sl_status status, const char *path, bool overwrite,
                            const sl_file_part *extents, size_t count);

#pragma GCC visibility pop
#endif
