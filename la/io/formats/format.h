/* The table of file formats with their readers and writers. */
#ifndef SEMLA_IO_FORMAT_H
#define SEMLA_IO_FORMAT_H

#include "io/formats/reader.h"
#include "io/formats/writer.h"

#pragma GCC visibility push(hidden)

typedef struct {
    sl_format_info info;
    bool sequential; /* true: one process reads the whole file, because the meaning of a line
                        depends on others */
    size_t record;   /* bytes per record of a binary format; 0: lines of text */
    sl_status (*read)(reader *r);
    /*
     * Fails with SL_UNSUPPORTED for edges that the format cannot represent. NULL: it can represent
     * all.
     */
    sl_status (*check)(const writer *w);
    sl_status (*write)(writer *w);
    /* Writes a matrix directly, not as tuples. NULL for formats that are written as tuples. */
    sl_status (*write_matrix)(const sl_matrix *A, const char *path, bool overwrite);
} format_entry;

/* The entry of a format; NULL for SL_FORMAT_AUTO and unknown numbers. */
const format_entry *format_find(sl_file_format format);

/* The length of a name without .gz or .zst at its end. */
size_t uncompressed_length(const char *path);

/*
 * Fails with SL_UNSUPPORTED if the ending of the name belongs to a format that semla cannot read.
 */
sl_status format_check_name(sl_context *ctx, const char *path);

/*
 * The title of the format of a text that semla cannot read, such as "Pajek", by its first characters;
 * NULL if none is recognised.
 */
const char *format_of_text(const char *begin, const char *end);

#pragma GCC visibility pop
#endif
