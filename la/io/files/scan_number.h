/*
 * Converts text to numbers. Each scanner reads at p and returns the end of the number, or NULL if
 * there is no number; an integer that does not fit also returns NULL and sets *overflow. The text
 * must end in a character that cannot be part of a number (lines of a block end in '\n').
 */
#ifndef SEMLA_IO_SCAN_NUMBER_H
#define SEMLA_IO_SCAN_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Continues scan_digits for numbers of 20 or more digits, with checks for overflow. */
const char *scan_long_digits(const char *p, uint64_t *value, bool *overflow);

/* Decimal digits without a sign. */
static inline const char *scan_digits(const char *p, uint64_t *value, bool *overflow)
{
    const char *start = p;
    uint64_t sum = 0;
    for (; is_digit(*p); p++)
        sum = 10 * sum + (uint64_t)(*p - '0');
    *value = sum;
    if (p - start > 19) /* 19 digits always fit: 10^19 - 1 < 2^64 */
        return scan_long_digits(start, value, overflow);
    return p > start ? p : NULL;
}

/* An integer with an optional sign. */
const char *scan_int64(const char *p, int64_t *value, bool *overflow);

/*
 * An integer with an optional sign from -2^63 to 2^64 - 1. *bits becomes its value modulo 2^64:
 * the bits of an int64_t if *negative, otherwise of a uint64_t.
 */
const char *scan_integer(const char *p, uint64_t *bits, bool *negative, bool *overflow);

/* Why a number is not stored as it is written. */
typedef enum {
    NUMBER_STORED,    /* it is: exactly, or as the nearest double of a decimal */
    NUMBER_TOO_LARGE, /* the nearest double is infinite */
    NUMBER_TOO_SMALL, /* the nearest double is 0, the number is not */
    NUMBER_INEXACT    /* an integer, written without point and exponent, that is no double */
} number_fault;

/*
 * A decimal with optional sign, fraction and exponent, or inf, infinity, nan in any case. The
 * result is correctly rounded; *fault says whether it is the number that the text means. The
 * thread's locale must be "C".
 */
const char *scan_real(const char *p, double *value, number_fault *fault);

/* Likewise for the nearest float of `value`, which scan_real has read from p without a fault. */
number_fault float_fault(const char *p, double value);

/* The length of the word at p, up to `most` characters; for messages. */
static inline int word_length(const char *p, int most)
{
    int length = 0;
    while (length < most && (unsigned char)p[length] > ' ')
        length++;
    return length;
}

#pragma GCC visibility pop
#endif
