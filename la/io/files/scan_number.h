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
 * A decimal with optional sign, fraction and exponent, or inf, infinity, nan in any case. The
 * result is correctly rounded. The thread's locale must be "C".
 */
const char *scan_real(const char *p, double *value);

#pragma GCC visibility pop
#endif
