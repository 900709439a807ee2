/* The table of file formats: what each is called, who reads it and who writes it. */
#ifndef SEMLA_IO_FORMAT_H
#define SEMLA_IO_FORMAT_H

#include "reader.h"
#include "writer.h"

#pragma GCC visibility push(hidden)

typedef struct {
    sl_format_info info;
    bool in_order; /* what a line means hangs on those before it */
    size_t record; /* bytes of a record of a binary format; 0: lines of text */
    sl_status (*read)(reader *r);
    /* SL_UNSUPPORTED, with a message, for edges that the format cannot hold; NULL: it holds all */
    sl_status (*fits)(const writer *w);
    sl_status (*write)(writer *w);
    /* Where a matrix is written as it is, and not as tuples. NULL for all others. */
    sl_status (*write_matrix)(const sl_matrix *A, const char *path);
} format_entry;

/* The entry of a format, NULL where there is none (SL_FORMAT_AUTO, no such number). */
const format_entry *format_get(sl_file_format format);

/* The length of a name without .gz or .zst at its end. */
size_t unpacked_length(const char *path);

/* SL_UNSUPPORTED for a name that tells a format which is none of these. */
sl_status format_check_name(sl_context *ctx, const char *path);

#pragma GCC visibility pop
#endif
