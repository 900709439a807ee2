/* The bytes of a file, plain or packed, in blocks of whole lines or records. */
#ifndef SEMLA_IO_SOURCE_H
#define SEMLA_IO_SOURCE_H

#include <string.h>

#include <semla/context.h>

#include "packing.h"

#pragma GCC visibility push(hidden)

/*
 * `begin` to `end` is the current block: lines that each end in '\n' (the file's
 * last is given one if it has none), so a scanner needs no test for the block's
 * end within a line. SOURCE_PADDING more bytes may be read, not interpreted. An
 * empty block is the end of the file. Of a binary file a block is a number of
 * records of `record` bytes; at its end, what is left and no whole record stands
 * behind the empty block (source_rest).
 */
typedef struct {
    sl_context *ctx;
    const char *path; /* the caller's */
    const char *begin, *end;
    uint64_t size;   /* of the file as it lies on disk; 0 where it is not known */
    bool packed;     /* gzip or Zstandard */
    size_t record;   /* bytes of a record; 0: the file is text */
    uint64_t lines;  /* before `begin` */
    uint64_t offset; /* bytes before `begin`, unpacked */
    size_t longest;  /* a longer line is no text, and might never end: SL_SYNTAX */
    /* private to source.c */
    int fd;
    bool ended; /* no more bytes will come */
    char *buffer;
    size_t room, filled;
    uint64_t taken; /* bytes of the file, as it lies on disk */
    unsigned char *packed_bytes;
    unpacker unpacker;
} source;

enum { SOURCE_PADDING = 16 };

/*
 * Opens a file and loads its first block: records of `record` bytes, or lines if
 * it is 0. `path` has to outlive the source. On failure there is nothing to
 * close. Errors: SL_IO, SL_SYNTAX, SL_NO_MEMORY.
 */
sl_status source_open(source *s, sl_context *ctx, const char *path, size_t record);

/* Loads the next block; pointers into the last one become invalid. Same errors. */
sl_status source_next(source *s);

/* The same where a block is read up to `at` alone: what follows are records of
 * `record` bytes. */
static inline sl_status source_next_from(source *s, const char *at, size_t record)
{
    s->end = at;
    s->record = record;
    return source_next(s);
}

/* At the end of a binary file, the bytes that are left. */
static inline size_t source_rest(const source *s)
{
    return s->filled - (size_t)(s->end - s->buffer);
}

/* After a failure of what has read the source: what ails a packed file is damage, if
 * there is any, and not what the text looks like then. */
sl_status source_blame_damage(source *s, sl_status status);

void source_close(source *s);

/* True if another block may follow the current one. */
bool source_goes_on(const source *s);

/* Has threads share the file from here on; the current block has been read. SL_NO_MEMORY. */
sl_status source_share(source *whole);

/*
 * For threads that share a file: `part` becomes a source of no blocks yet. Its
 * failures give a status and no message, which could not be told from another
 * thread's, and it does not know its lines' numbers. Closed with source_part_close.
 */
sl_status source_part_open(source *part, const source *whole);

/* Loads the next block of `whole` into `part`; `whole` has none then. By one thread at a
 * time: it is the way of packed files. An empty block is the end. */
sl_status source_part_next(source *part, source *whole);

/*
 * Loads what starts in stretch number `block` of a plain file, behind the current block
 * of `whole`, which stays as it is. By any number of threads at a time. The block is
 * empty where no line starts; *more is false behind the end of the file.
 */
sl_status source_part_at(source *part, const source *whole, uint64_t block, bool *more);

/* The number of those stretches. */
uint64_t source_blocks(const source *whole);

/*
 * For a message about a part's block that one thread has loaded, which then sets its ctx:
 * has the part know the number of lines before its block, for which the file is read up to
 * there. SL_IO, SL_NO_MEMORY, without a message.
 */
sl_status source_number_lines(source *part, const source *whole);

/* Says what source_part_at or source_number_lines failed with; returns it. */
sl_status source_part_fail(const source *part, sl_status status);

/* Moves `whole` to the end of the plain file that parts have read. */
void source_skip(source *whole);

void source_part_close(source *part);

/* Fails with "path:line:column: message", `at` being within the current block; of
 * a binary file, with "path: byte OFFSET: message". */
sl_status source_fail(const source *s, const char *at, sl_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The number of the line that `at` stands in, from 1. */
uint64_t source_line_number(const source *s, const char *at);

/* SL_SYNTAX: "expected WHAT, found ...", naming the character at `at`. */
sl_status source_expected(const source *s, const char *at, const char *what);

static inline const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\v' || *p == '\f')
        p++;
    return p;
}

/*
 * Moves *p, at the start of a line, to the first character that counts: past
 * blanks, blank lines and lines that start with one of the two comment marks.
 * False at the end of the block.
 */
static inline bool block_line(const source *s, const char **p, const char marks[2])
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

/* The same across blocks: *p == s->end afterwards is the end of the file. */
static inline sl_status source_line(source *s, const char **p, const char marks[2])
{
    while (!block_line(s, p, marks)) {
        sl_status status = source_next(s);
        *p = s->begin;
        if (status != SL_OK || s->begin == s->end)
            return status;
    }
    return SL_OK;
}

#pragma GCC visibility pop
#endif
