/*
 * Comma- and tab-separated edge lists (RFC 4180): the fields of a line, and the columns that the
 * first line names. A quoted field ends on its line.
 */
#ifndef SEMLA_IO_CSV_H
#define SEMLA_IO_CSV_H

#include "io/formats/reader.h"

#pragma GCC visibility push(hidden)

/* The columns that are read. */
enum { CSV_SOURCE, CSV_TARGET, CSV_WEIGHT, CSV_COLUMNS };

/* Properties of a file: the delimiter, the number of fields of every line, and the positions of the
 * columns, counted from 0; -1: there is none. */
typedef struct {
    char delimiter;
    int fields;
    int position[CSV_COLUMNS];
    bool header; /* the first line names the columns */
} csv_form;

/* A field of a line, without its quotes and without blanks around it. */
typedef struct {
    const char *begin, *end;
    bool quoted;
    bool doubled; /* it has doubled quotes, which stand for one */
} csv_field;

/*
 * Scans the field at *p, which is the start of a field in the current block. *p becomes its
 * delimiter or the '\n' of the line. SL_SYNTAX.
 */
static inline sl_status csv_scan_field(const input *s, const char **p, char delimiter,
                                       csv_field *field);

/* Finds delimiter and columns from the line at `line`, the first of the file, and the options; sets
 * options->unread. */
sl_status csv_read_form(csv_form *form, const reader *r, const char *line);

/* ---- fields -------------------------------------------------------------- */

static inline bool csv_is_blank(char c, char delimiter)
{
    return c == ' ' || (c == '\t' && delimiter != '\t');
}

/* At the end of a line: p is at '\n', or at the '\r' before it. */
static inline bool csv_at_end(const char *p)
{
    return *p == '\n' || (*p == '\r' && p[1] == '\n');
}

/* The line behind the one that contains p. */
static inline const char *csv_after(const input *s, const char *p)
{
    return (const char *)memchr(p, '\n', (size_t)(s->end - p)) + 1;
}

sl_status csv_scan_quoted(const input *s, const char **p, char delimiter, csv_field *field);

static inline sl_status csv_scan_field(const input *s, const char **p, char delimiter,
                                       csv_field *field)
{
    const char *q = *p;
    while (csv_is_blank(*q, delimiter))
        q++;
    if (__builtin_expect(*q == '"', false)) {
        *p = q;
        return csv_scan_quoted(s, p, delimiter, field);
    }
    *field = (csv_field){.begin = q};
    while (*q != delimiter && *q != '\n' && *q != '"')
        q++;
    if (__builtin_expect(*q == '"', false))
        return input_fail(s, q, SL_SYNTAX,
                          "a quote inside a field; quote the whole field and double the quote");
    *p = q;
    if (*q == '\n' && q > field->begin && q[-1] == '\r')
        q--;
    while (q > field->begin && csv_is_blank(q[-1], delimiter))
        q--;
    field->end = q;
    return SL_OK;
}

#pragma GCC visibility pop
#endif
