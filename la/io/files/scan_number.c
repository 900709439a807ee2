/*
 * Converts text to integers and floating-point numbers. Decimals with at most 19 digits and an
 * exponent of magnitude at most 19 take a fast path (Clinger, "How to read floating point numbers
 * accurately", PLDI 1990); all others use strtod.
 */
#include "io/files/scan_number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *scan_long_digits(const char *p, uint64_t *value, bool *overflow)
{
    uint64_t sum = 0;
    for (; is_digit(*p); p++) {
        if (__builtin_mul_overflow(sum, 10, &sum) ||
            __builtin_add_overflow(sum, (uint64_t)(*p - '0'), &sum)) {
            *overflow = true;
            return NULL;
        }
    }
    *value = sum;
    return p;
}

const char *scan_int64(const char *p, int64_t *value, bool *overflow)
{
    bool negative = *p == '-';
    uint64_t magnitude;
    p = scan_digits(p + (*p == '-' || *p == '+'), &magnitude, overflow);
    if (p && magnitude > (uint64_t)INT64_MAX + negative) {
        *overflow = true;
        return NULL;
    }
    if (p)
        *value = (int64_t)(negative ? 0 - magnitude : magnitude);
    return p;
}

const char *scan_integer(const char *p, uint64_t *bits, bool *negative, bool *overflow)
{
    int64_t value;
    *negative = *p == '-';
    if (!*negative)
        return scan_digits(p + (*p == '+'), bits, overflow);
    p = scan_int64(p, &value, overflow);
    if (p)
        *bits = (uint64_t)value;
    return p;
}

static const char *scan_special(const char *p, bool negative, double *value)
{
    static const struct {
        const char *word;
        size_t length;
        double value;
    } specials[] = {{"infinity", 8, INFINITY}, {"inf", 3, INFINITY}, {"nan", 3, NAN}};
    for (size_t k = 0; k < sizeof specials / sizeof *specials; k++)
        if (strncasecmp(p, specials[k].word, specials[k].length) == 0) {
            *value = negative ? -specials[k].value : specials[k].value;
            return p + specials[k].length;
        }
    return NULL;
}

/*
 * Computes digits * 10^exponent, |exponent| <= 19, with a single rounding. If digits and the power
 * are exact doubles, their product or quotient is correctly rounded (Clinger). Otherwise the
 * product or quotient is computed in 128-bit integers and rounded by the conversion to double.
 */
static double scale(uint64_t digits, int exponent)
{
    /* clang-format off */
    static const uint64_t power[] = {
        1u, 10u, 100u, 1000u, 10000u, 100000u, 1000000u, 10000000u, 100000000u, 1000000000u,
        10000000000u, 100000000000u, 1000000000000u, 10000000000000u, 100000000000000u,
        1000000000000000u, 10000000000000000u, 100000000000000000u, 1000000000000000000u,
        10000000000000000000u};
    /* clang-format on */
    uint64_t ten = power[abs(exponent)];
    if (digits <= UINT64_C(1) << 53) /* every power of the table is exact as a double */
        return exponent < 0 ? (double)digits / (double)ten : (double)digits * (double)ten;
    if (exponent >= 0)
        return (double)((unsigned __int128)digits * ten);
    int zeros = __builtin_clzll(digits);
    unsigned __int128 dividend = (unsigned __int128)(digits << zeros) << 64;
    unsigned __int128 quotient = dividend / ten; /* has at least 64 significant bits */
    quotient |= quotient * ten != dividend;      /* sticky bit: the remainder is not 0 */
    return ldexp((double)quotient, -64 - zeros);
}

/* True if the integer x is that of the `count` digits at p. A double has at most 309 digits. */
static bool is_exact(const char *p, int64_t count, double x)
{
    char digits[320];
    for (; count > 1 && *p == '0'; count--)
        p++;
    return snprintf(digits, sizeof digits, "%.0f", fabs(x)) == count &&
           memcmp(digits, p, (size_t)count) == 0;
}

/* True if a digit other than 0 occurs between `whole` and `end`, which do not include the exponent.
 */
static bool is_nonzero(const char *whole, const char *end)
{
    while (whole < end && (*whole == '0' || *whole == '.'))
        whole++;
    return whole < end;
}

/* The fault of a number that strtod has read: the digits are from `whole` to `end`. */
static number_fault fault_of(const char *whole, const char *end, double value)
{
    if (isinf(value))
        return NUMBER_TOO_LARGE;
    return value == 0 && is_nonzero(whole, end) ? NUMBER_TOO_SMALL : NUMBER_STORED;
}

/* The first character of a number behind its sign, and the end of its digits and its point. */
static const char *skip_sign(const char *p)
{
    return p + (*p == '-' || *p == '+');
}

static const char *skip_decimal(const char *p)
{
    while (is_digit(*p) || *p == '.')
        p++;
    return p;
}

number_fault float_fault(const char *p, double value)
{
    const float nearest = (float)value;
    if (!isfinite(value))
        return NUMBER_STORED; /* infinity or NaN by name */
    p = skip_sign(p);
    const char *end = skip_decimal(p);
    const number_fault fault = fault_of(p, end, nearest);
    const bool whole = !memchr(p, '.', (size_t)(end - p)) && *end != 'e' && *end != 'E';
    return fault == NUMBER_STORED && whole && nearest != value ? NUMBER_INEXACT : fault;
}

const char *scan_real(const char *p, double *value, number_fault *fault)
{
    const char *start = p;
    *fault = NUMBER_STORED;
    bool negative = *p == '-';
    p += *p == '-' || *p == '+';
    uint64_t digits = 0;
    const char *whole = p;
    for (; is_digit(*p); p++)
        digits = 10 * digits + (uint64_t)(*p - '0');
    int64_t count = p - whole, exponent = 0;
    const bool integer = *p != '.' && *p != 'e' && *p != 'E';
    if (*p == '.') {
        const char *fraction = ++p;
        for (; is_digit(*p); p++)
            digits = 10 * digits + (uint64_t)(*p - '0');
        exponent = fraction - p;
        count -= exponent;
    }
    if (count == 0)
        return p == whole ? scan_special(p, negative, value) : NULL;
    const char *last = p;
    if (*p == 'e' || *p == 'E') {
        bool below = p[1] == '-';
        p += 1 + (p[1] == '-' || p[1] == '+');
        if (!is_digit(*p))
            return NULL;
        int64_t power = 0;
        for (; is_digit(*p); p++)
            power = power < 100000 ? 10 * power + (*p - '0') : power;
        exponent += below ? -power : power;
    }
    if (count > 19 || exponent < -19 || exponent > 19) {
        *value = strtod(start, NULL);
        *fault = fault_of(whole, last, *value);
    } else {
        double magnitude = scale(digits, (int)exponent);
        *value = negative ? -magnitude : magnitude;
    }
    if (integer && count > DBL_DIG && *fault == NUMBER_STORED && !is_exact(whole, count, *value))
        *fault = NUMBER_INEXACT;
    return p;
}
