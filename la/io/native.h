/*
 * The native format, .semla: a matrix's compressed rows as arrays that can be
 * mapped. docs/native-format.md has it for those who write such files themselves.
 */
#ifndef SEMLA_IO_NATIVE_H
#define SEMLA_IO_NATIVE_H

#include <semla/io.h>

#include "writer.h"

#pragma GCC visibility push(hidden)

enum {
    NATIVE_VERSION = 1,
    NATIVE_ORDER = 0x01020304,
    NATIVE_HEAD = 192, /* bytes */
    NATIVE_ALIGNMENT = 64,
    /* flags */
    NATIVE_PATTERN = 1,  /* every value is 1, and none is stored */
    NATIVE_SYMMETRIC = 2 /* the pattern is symmetric */
};

#define NATIVE_MAGIC "\x89SEMLA\r\n"

typedef struct {
    uint64_t offset, bytes;
    uint32_t checksum, reserved;
} native_section;

/* The first bytes of a file, all in the byte order of the machine that wrote it. */
typedef struct {
    char magic[8];
    uint32_t order, version, head_bytes, flags;
    char type[8]; /* its name, zeros behind */
    uint64_t nrows, ncols, nvals;
    uint32_t index_bytes, value_bytes; /* of one: 4 or 8, the type's or 0 */
    native_section start, index, values;
    unsigned char reserved[52];
    uint32_t checksum; /* of the bytes before it */
} native_head;
_Static_assert(sizeof(native_head) == NATIVE_HEAD, "the head's members leave no gaps");

/* CRC-32 as zlib has it, by `threads` threads. False if there is no memory. */
bool native_checksum(uint32_t *checksum, const void *bytes, uint64_t count, int threads);

/* True if a native file's magic starts the bytes from `begin` to `end`. */
bool native_begins(const char *begin, const char *end);

/* True if the options, or else the name, say the native format. */
bool native_is(const char *path, const sl_read_options *options);

/* What sl_matrix_read_with and sl_edges_read do of a native file. */
sl_status native_read_matrix(sl_matrix **A, sl_context *ctx, const char *path,
                             const sl_read_options *options);
sl_status native_read_edges(sl_edges *edges, sl_context *ctx, const char *path,
                            const sl_read_options *options);

/* Writes a matrix, and what is known of its symmetry, which is found out if it is not. */
sl_status native_write(const sl_matrix *A, const char *path);

/* Tuples do not fit: SL_UNSUPPORTED. */
sl_status fits_native(const writer *w);

#pragma GCC visibility pop
#endif
