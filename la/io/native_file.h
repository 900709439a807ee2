/* A native file that is mapped, and its arrays. */
#ifndef SEMLA_IO_NATIVE_FILE_H
#define SEMLA_IO_NATIVE_FILE_H

#include "native.h"

#pragma GCC visibility push(hidden)

typedef struct {
    sl_context *ctx;
    const char *path; /* the caller's */
    const char *bytes;
    uint64_t size;
    native_head head; /* checked */
    sl_type type;
    /* Of several processes: the rows, and entries, that this one reads. Else all. */
    uint64_t first_row, nrows, first_entry, nvals;
} native_file;

/*
 * Maps a file and checks its head: what it says of sizes and places is true of the
 * file. `path` has to outlive it. On failure there is nothing to close. Errors as of
 * sl_edges_read.
 */
sl_status native_open(native_file *f, sl_context *ctx, const char *path);
void native_close(native_file *f);

/* Where several processes share the context, each takes some rows of the file, with about as
 * many entries as the others. SL_SYNTAX. */
sl_status native_slice(native_file *f);

/*
 * Copies the arrays of the rows that are read, values only if they are wanted, and checks them on
 * the way: rows that follow each other, ascending columns within the matrix, bools that are 0 or 1.
 * On success they are the caller's, from sl_malloc.
 */
sl_status native_load(sl_csr *csr, const native_file *f, bool valued);

/* SL_IO if a section's checksum is not the one that the head has. Collective: each process
 * adds up its part. */
sl_status native_verify(const native_file *f);

#pragma GCC visibility pop
#endif
