/*
 * The native format, .semla: a matrix in compressed sparse rows as arrays.
 * docs/native-format.md describes it for programs that write such files themselves.
 */
#ifndef SEMLA_IO_NATIVE_H
#define SEMLA_IO_NATIVE_H

#include <semla/io.h>

#include "io/formats/writer.h"

#pragma GCC visibility push(hidden)

enum {
    NATIVE_VERSION = 1,
    NATIVE_ORDER = 0x01020304,
    NATIVE_HEADER_BYTES = 192, /* bytes */
    NATIVE_ALIGNMENT = 64,
    /* flags: */
    NATIVE_PATTERN = 1,   /* every value is 1 and none is stored */
    NATIVE_SYMMETRIC = 2, /* the pattern is declared symmetric */
    NATIVE_NONEMPTY = 4   /* only the rows that have entries are stored, with their numbers */
};

#define NATIVE_MAGIC "\x89SEMLA\r\n"

typedef struct {
    uint64_t offset, bytes;
    uint32_t checksum, reserved;
} native_section;

/* The header of a file, in the byte order of the machine that wrote it. */
typedef struct {
    char magic[8];
    uint32_t order, version, header_bytes, flags;
    char type[8]; /* name of the type, padded with zeros */
    uint64_t nrows, ncols, nvals;
    uint32_t index_bytes,
        value_bytes; /* bytes per element: 4 or 8; size of the type, or 0 for a pattern */
    native_section start, index, values;
    native_section rows; /* numbers of the stored rows; zeros without NATIVE_NONEMPTY */
    unsigned char reserved[28];
    uint32_t checksum; /* CRC-32 of the bytes before it */
} native_header;
_Static_assert(sizeof(native_header) == NATIVE_HEADER_BYTES, "the head's members leave no gaps");

/* True if the bytes from `begin` to `end` start with the magic number of a native file. */
bool has_native_magic(const char *begin, const char *end);

/*
 * Sets *native to true if the options, or else the name, specify the native format; of stdin the
 * first bytes do. Collective. SL_NO_MEMORY.
 */
sl_status find_native(bool *native, sl_context *ctx, const char *path, sl_file_format named,
                      const sl_read_options *options);

/* sl_matrix_read_with and sl_edges_read for a native file. */
sl_status native_read_matrix(sl_matrix **A, sl_context *ctx, const char *path,
                             const sl_read_options *options);
sl_status native_read_edges(sl_edges *edges, sl_context *ctx, const char *path,
                            const sl_read_options *options);

/* Writes a matrix and whether it is declared symmetric. */
sl_status native_write(const sl_matrix *A, const char *path, bool overwrite);

/* Fails with SL_UNSUPPORTED: tuples cannot be written. */
sl_status check_native(const writer *w);

#pragma GCC visibility pop
#endif
