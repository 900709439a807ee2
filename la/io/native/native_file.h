/* An open native file and access to its arrays. */
#ifndef SEMLA_IO_NATIVE_FILE_H
#define SEMLA_IO_NATIVE_FILE_H

#include "io/native/native.h"

#pragma GCC visibility push(hidden)

typedef struct {
    sl_context *ctx;
    const char *path; /* borrowed from the caller */
    int fd;           /* of a regular file; else -1: */
    char *bytes;      /* the contents of a pipe */
    uint64_t size;
    native_header header; /* copy of the header; its sizes and offsets have been checked */
    sl_type type;
    uint64_t key;    /* a random number, the same on all processes */
    uint64_t stored; /* rows in the file: all rows, or rows with entries */
    /* on several processes: the stored rows and the entries that this process reads; else all */
    uint64_t first_row, nrows, first_entry, nvals;
    uint64_t
        *numbers; /* row number in the matrix of each of these rows; NULL: all rows are stored */
} native_file;

/* The number in the matrix of the i-th row that this process reads. */
static inline uint64_t native_row(const native_file *f, uint64_t i)
{
    return f->numbers ? f->numbers[i] : f->first_row + i;
}

/*
 * Opens a file and checks that the sizes and offsets in its header agree with the file. A pipe is
 * read to its end. `path` must outlive `f`. On failure there is nothing to close. Errors as of
 * sl_edges_read.
 */
sl_status native_open(native_file *f, sl_context *ctx, const char *path);
void native_close(native_file *f);

/* Copies bytes of the file; false if they cannot be read or the file ends before them. */
bool native_read_at(const native_file *f, void *to, uint64_t offset, uint64_t bytes);

/* The failure after native_read_at returned false. */
sl_status native_truncated(const native_file *f);

/*
 * On several processes: chooses the rows of this process, so that all processes read about the same
 * number of entries. SL_SYNTAX.
 */
sl_status native_choose_rows(native_file *f);

/* Reads and checks `numbers`: they increase and are in range. SL_SYNTAX, SL_OUT_OF_RANGE. */
sl_status native_load_numbers(native_file *f);

/*
 * Copies the rows of this process, values only if `valued`, and checks the copies: row pointers
 * increase, columns increase within each row and are in range, bools are 0 or 1, the pattern is
 * symmetric if the file is declared so. On success the arrays are owned by the caller and come from
 * sl_malloc. Collective: a failure on one process fails on all.
 */
sl_status native_load(sl_csr *csr, const native_file *f, bool valued);

/*
 * Fails with SL_IO if the checksum of a section differs from the one in the header. Collective:
 * each process computes the checksum of a part.
 */
sl_status native_verify(const native_file *f);

#pragma GCC visibility pop
#endif
