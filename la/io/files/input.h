/*
 * An input file, plain or compressed, as a sequence of blocks of whole lines or records. Regular
 * uncompressed files can also be read by several threads at a time, each with an input of its own
 * (a "part"), by block number.
 */
#ifndef SEMLA_IO_INPUT_H
#define SEMLA_IO_INPUT_H

#include <string.h>

#include <semla/context.h>

#include "io/files/compression.h"

#pragma GCC visibility push(hidden)

/*
 * One open file. The current block is `begin` to `end`.
 *   Text: a block is a number of whole lines, each ending in '\n' (one is appended to the last line
 *   of the file if it has none), so scanners need not test for the end of the block within a line.
 *   Binary: a block is a number of whole records of `record` bytes; the bytes of an incomplete last
 *   record follow the empty block at the end of the file (input_remainder).
 * The mark of UTF-8 at the start of a text is no part of the first block.
 * An empty block is the end of the file. INPUT_PADDING more bytes after `end` may be read but have
 * no meaning.
 */
typedef struct {
    sl_context *ctx;
    const char *path; /* borrowed from the caller */
    const char *begin, *end;
    uint64_t size;   /* size on disk in bytes; 0 if it is no regular file */
    bool compressed; /* gzip or Zstandard */
    size_t record;   /* bytes per record; 0: text */
    uint64_t lines;  /* number of lines before `begin` */
    uint64_t offset; /* number of (decompressed) bytes before the buffer */
    size_t max_line; /* maximum length of a line in bytes; a longer one is SL_SYNTAX */
    /* private to input.c and input_part.c */
    int fd;
    bool from_stdin; /* `fd` is not used: stdin_read */
    bool raw;        /* not to be decompressed */
    bool ended;      /* the end of the file was reached */
    char *buffer;
    size_t capacity, filled;
    uint64_t taken; /* bytes read from disk */
    unsigned char *compressed_bytes;
    decompressor decompressor;
} input;

enum { INPUT_PADDING = 16 };

#define UTF8_MARK "\xef\xbb\xbf"

/* True if a text starts with the mark of UTF-8 (U+FEFF, the byte order mark). */
static inline bool input_has_mark(const char *text, size_t length)
{
    return length >= sizeof UTF8_MARK - 1 && memcmp(text, UTF8_MARK, sizeof UTF8_MARK - 1) == 0;
}

/* True for "-", which is stdin, and for files that cannot be read twice: pipes, devices. */
bool input_is_stream(const char *path);

/*
 * Opens a file and loads its first block: records of `record` bytes, or lines if it is 0. `path`
 * must outlive the input. On failure there is nothing to close. Errors: SL_IO, SL_SYNTAX,
 * SL_NO_MEMORY, SL_CANCELLED.
 */
sl_status input_open(input *s, sl_context *ctx, const char *path, size_t record);

/* The same for bytes, which are not decompressed. */
sl_status input_open_raw(input *s, sl_context *ctx, const char *path);

/* Loads the next block and invalidates pointers into the current one. Errors as input_open. */
sl_status input_next(input *s);

/*
 * Like input_next, but the next block starts at `at` in the current block and consists of records
 * of `record` bytes.
 */
static inline sl_status input_next_records(input *s, const char *at, size_t record)
{
    s->end = at;
    s->record = record;
    return input_next(s);
}

/* At the end of a binary file: the number of bytes of an incomplete last record. */
static inline size_t input_remainder(const input *s)
{
    return s->filled - (size_t)(s->end - s->buffer);
}

/*
 * Called after a reader failed with `status`: reads the rest of a compressed file and returns SL_IO
 * if the compressed data is damaged, since the reader's error is then only a consequence; otherwise
 * returns `status`.
 */
sl_status input_check_damage(input *s, sl_status status);

void input_close(input *s);

/* True if there may be another block after the current one. */
bool input_has_more(const input *s);

/* Prepares for reading by several threads; the current block has been read. SL_NO_MEMORY. */
sl_status input_prepare_parts(input *whole);

/*
 * Opens a part, which has no block yet. Failures of a part return a status without a message,
 * because messages of several threads could not be told apart. A part does not know its line
 * numbers. Close it with input_part_close.
 */
sl_status input_part_open(input *part, const input *whole);

/*
 * Moves the next block of `whole` into `part`; `whole` then has no block. Only one thread at a
 * time. Used for compressed files. An empty block is the end of the file.
 */
sl_status input_part_next(input *part, input *whole);

/*
 * Loads the lines (or records) that start in block number `block` after the current block of
 * `whole`, which is not changed. Any number of threads at a time. The block is empty if no line
 * starts in it. *more becomes false behind the end of the file. Plain files only.
 */
sl_status input_part_load(input *part, const input *whole, uint64_t block, bool *more);

/* Number of blocks after the current one, for input_part_load. */
uint64_t input_blocks(const input *whole);

/*
 * Counts the lines before the block of a part by reading the file up to it, so that messages can
 * name the line. The caller sets part->ctx. SL_IO or SL_NO_MEMORY, without a message.
 */
sl_status input_number_lines(input *part, const input *whole);

/* Sets the message for a failure of input_part_load or input_number_lines; returns `status`. */
sl_status input_part_fail(const input *part, sl_status status);

/* The approximate number of bytes of the file before block number `block`. */
uint64_t input_position(const input *whole, uint64_t block);

/* Moves `whole` to the end of the plain file that parts have read. */
void input_skip(input *whole);

void input_part_close(input *part);

/*
 * Fails with "path:line:column: message" for the position `at` in the current block; for a binary
 * file with "path: byte OFFSET: message".
 */
sl_status input_fail(const input *s, const char *at, sl_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Fails with SL_SYNTAX for the line that starts at `at`, which is longer than s->max_line. */
sl_status line_too_long(const input *s, const char *at);

/* Number of the line that contains `at`, counted from 1. */
uint64_t input_line_number(const input *s, const char *at);

/* Fails with SL_SYNTAX: "expected WHAT, found ..." and the character at `at`. */
sl_status input_expected(const input *s, const char *at, const char *what);

/* Carriage returns are blanks before the end of the line only: alone they end lines in files of old systems. */
static inline const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\v' || *p == '\f' ||
           (*p == '\r' && (p[1] == '\n' || p[1] == '\r')))
        p++;
    return p;
}

/*
 * Skips blanks, blank lines and lines that start with one of the two comment characters. *p must be
 * at the start of a line and is moved to the first other character. False at the end of the block.
 */
static inline bool block_line(const input *s, const char **p, const char marks[2])
{
    while (*p != s->end) {
        *p = skip_blanks(*p);
        if (**p == '\n')
            ++*p;
        else if (**p == marks[0] || **p == marks[1])
            *p = (const char *)memchr(*p, '\n', (size_t)(s->end - *p)) + 1;
        else
            return true;
    }
    return false;
}

/* block_line across blocks; at the end of the file *p == s->end. */
static inline sl_status input_line(input *s, const char **p, const char marks[2])
{
    while (!block_line(s, p, marks)) {
        sl_status status = input_next(s);
        *p = s->begin;
        if (status != SL_OK || s->begin == s->end)
            return status;
    }
    return SL_OK;
}

#pragma GCC visibility pop
#endif
