/* The words of a line of text, for readers. `*p` stands at a word on entry and at
 * the next one, or the line's end, on return; at what is wrong on failure. */
#ifndef SEMLA_IO_SCAN_H
#define SEMLA_IO_SCAN_H

#include "number.h"
#include "source.h"

/* Moves *p, behind a word, to the next one. */
static inline sl_status scan_blank(const source *s, const char **p, const char *what)
{
    const char *next = skip_blanks(*p);
    if (__builtin_expect(next == *p && **p != '\n', false))
        return source_expected(s, *p, what);
    *p = next;
    return SL_OK;
}

/* Decimal digits of a number up to `most`; `what` it is for messages, with its article. */
static inline sl_status scan_count(const source *s, const char **p, const char *what, uint64_t most,
                                   uint64_t *value)
{
    bool overflow = false;
    const char *end = scan_digits(*p, value, &overflow);
    if (__builtin_expect(!end && !overflow, false))
        return source_expected(s, *p, what);
    if (__builtin_expect(overflow || *value > most, false))
        return source_fail(s, *p, SL_OUT_OF_RANGE, "%s above %llu", what, (unsigned long long)most);
    *p = end;
    return scan_blank(s, p, "a blank");
}

/* A vertex of a graph with `n`, numbered from 1 in the file and from 0 in *vertex. */
static inline sl_status scan_vertex(const source *s, const char **p, const char *what, uint64_t n,
                                    uint64_t *vertex)
{
    const char *word = *p;
    uint64_t number;
    sl_status status = scan_count(s, p, what, UINT64_MAX, &number);
    if (__builtin_expect(status != SL_OK, false))
        return status;
    *vertex = number - 1;
    if (__builtin_expect(*vertex < n, true))
        return SL_OK;
    if (number == 0)
        return source_fail(s, word, SL_OUT_OF_RANGE, "vertex 0: they are numbered from 1");
    return source_fail(s, word, SL_OUT_OF_RANGE, "vertex %llu of a graph with %llu",
                       (unsigned long long)number, (unsigned long long)n);
}

/* A whole number from `least` up that fits in 64 bits with sign. */
static inline sl_status scan_weight(const source *s, const char **p, const char *what,
                                    int64_t least, int64_t *weight)
{
    bool overflow = false;
    const char *end = scan_int64(*p, weight, &overflow);
    if (__builtin_expect(overflow, false))
        return source_fail(s, *p, SL_OUT_OF_RANGE, "%s of more than 64 bits", what);
    if (__builtin_expect(!end, false))
        return source_expected(s, *p, what);
    if (__builtin_expect(*weight < least, false))
        return source_fail(s, *p, SL_OUT_OF_RANGE, "%s of %lld: the least is %lld", what,
                           (long long)*weight, (long long)least);
    *p = end;
    return scan_blank(s, p, "a blank or the end of the line");
}

static inline sl_status scan_end_of_line(const source *s, const char **p)
{
    if (__builtin_expect(**p != '\n', false))
        return source_expected(s, *p, "the end of the line");
    ++*p;
    return SL_OK;
}

#endif
