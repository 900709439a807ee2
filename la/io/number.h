/*
 * Numbers in text. Each scanner reads at `p`, in text that ends in a character
 * that belongs to no number (a block's lines do), and returns where the number
 * ends; NULL where there is none or, for integers, where it does not fit and
 * *overflow is set.
 */
#ifndef SEMLA_IO_NUMBER_H
#define SEMLA_IO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* The digits at p, if there are more than surely fit. */
const char *scan_long_digits(const char *p, uint64_t *value, bool *overflow);

/* Decimal digits without a sign. */
static inline const char *scan_digits(const char *p, uint64_t *value, bool *overflow)
{
    const char *start = p;
    uint64_t sum = 0;
    for (; is_digit(*p); p++)
        sum = 10 * sum + (uint64_t)(*p - '0');
    *value = sum;
    if (p - start > 19) /* 10^19 - 1 < 2^64 */
        return scan_long_digits(start, value, overflow);
    return p > start ? p : NULL;
}

/* An integer with an optional sign. */
const char *scan_int64(const char *p, int64_t *value, bool *overflow);

/*
 * A decimal with an optional sign, fraction and exponent, or inf, infinity, nan
 * in any case; correctly rounded. The thread's locale has to be "C".
 */
const char *scan_real(const char *p, double *value);

#pragma GCC visibility pop
#endif
