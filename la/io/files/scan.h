/*
 * Scanners for the words of a line of text. On entry *p is at the first character of a word. On
 * success *p is moved to the next word or to the end of the line; on failure it is at the error.
 */
#ifndef SEMLA_IO_SCAN_H
#define SEMLA_IO_SCAN_H

#include "io/files/input.h"
#include "io/files/scan_number.h"

/* Skips the blanks after a word; fails if there is neither a blank nor the end of the line. */
static inline sl_status scan_blank(const input *s, const char **p, const char *what)
{
    const char *next = skip_blanks(*p);
    if (__builtin_expect(next == *p && **p != '\n', false))
        return input_expected(s, *p, what);
    *p = next;
    return SL_OK;
}

/* Scans an unsigned decimal number up to `most`. `what` names it in messages, with its article. */
static inline sl_status scan_count(const input *s, const char **p, const char *what, uint64_t most,
                                   uint64_t *value)
{
    bool overflow = false;
    const char *end = scan_digits(*p, value, &overflow);
    if (__builtin_expect(!end && !overflow, false))
        return input_expected(s, *p, what);
    if (__builtin_expect(overflow || *value > most, false))
        return input_fail(s, *p, SL_OUT_OF_RANGE, "%s is above the limit %llu", what,
                          (unsigned long long)most);
    *p = end;
    return scan_blank(s, p, "a blank");
}

/* Scans a vertex of a graph with n vertices: 1 to n in the file, 0 to n - 1 in *vertex. */
static inline sl_status scan_vertex(const input *s, const char **p, const char *what, uint64_t n,
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
        return input_fail(s, word, SL_OUT_OF_RANGE,
                          "vertex 0 is out of range: vertices are numbered from 1");
    return input_fail(s, word, SL_OUT_OF_RANGE,
                      "vertex %llu is out of range: the graph has %llu vertices",
                      (unsigned long long)number, (unsigned long long)n);
}

/* Scans a signed 64-bit integer of at least `least`. */
static inline sl_status scan_weight(const input *s, const char **p, const char *what, int64_t least,
                                    int64_t *weight)
{
    bool overflow = false;
    const char *end = scan_int64(*p, weight, &overflow);
    if (__builtin_expect(overflow, false))
        return input_fail(s, *p, SL_OUT_OF_RANGE,
                          "%s, %.*s, does not fit in a signed 64-bit integer", what,
                          word_length(*p, 40), *p);
    if (__builtin_expect(!end, false))
        return input_expected(s, *p, what);
    if (__builtin_expect(*weight < least, false))
        return input_fail(s, *p, SL_OUT_OF_RANGE, "%s is %lld; the minimum is %lld", what,
                          (long long)*weight, (long long)least);
    *p = end;
    return scan_blank(s, p, "a blank or the end of the line");
}

/* Fails with the reason why the number at p is not stored as it is written. */
static inline sl_status number_fails(const input *s, const char *p, number_fault fault,
                                     const char *type)
{
    const int length = word_length(p, 40);
    if (fault == NUMBER_INEXACT)
        return input_fail(s, p, SL_OUT_OF_RANGE,
                          "the integer %.*s is not a value of the type %s, which would round it",
                          length, p, type);
    return input_fail(s, p, SL_OUT_OF_RANGE, "the value %.*s is too %s for the type %s", length, p,
                      fault == NUMBER_TOO_LARGE ? "large" : "small", type);
}

/*
 * Scans a decimal number, inf or nan, but not the blanks after it. Fails if it would be stored as
 * infinity, as 0 or, an integer, as another integer. `what` names it in messages.
 */
static inline sl_status scan_fp64(const input *s, const char **p, const char *what, double *value)
{
    number_fault fault;
    const char *end = scan_real(*p, value, &fault);
    if (__builtin_expect(!end, false))
        return input_expected(s, *p, what);
    if (__builtin_expect(fault != NUMBER_STORED, false))
        return number_fails(s, *p, fault, "fp64");
    *p = end;
    return SL_OK;
}

static inline sl_status scan_end_of_line(const input *s, const char **p)
{
    if (__builtin_expect(**p != '\n', false))
        return input_expected(s, *p, "the end of the line");
    ++*p;
    return SL_OK;
}

#endif
