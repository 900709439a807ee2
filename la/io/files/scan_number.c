/*
 * Converts text to integers and floating-point numbers. Decimals with at most 19 digits and an
 * exponent of magnitude at most 19 take a fast path (Clinger, "How to read floating point numbers
 * accurately", PLDI 1990); all others use strtod.
 */
#include "scan_number.h"

#include <math.h>
#include <stdlib.h>
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

const char *scan_real(const char *p, double *value)
{
    const char *start = p;
    bool negative = *p == '-';
    p += *p == '-' || *p == '+';
    uint64_t digits = 0;
    const char *whole = p;
    for (; is_digit(*p); p++)
        digits = 10 * digits + (uint64_t)(*p - '0');
    int64_t count = p - whole, exponent = 0;
    if (*p == '.') {
        const char *fraction = ++p;
        for (; is_digit(*p); p++)
            digits = 10 * digits + (uint64_t)(*p - '0');
        exponent = fraction - p;
        count -= exponent;
    }
    if (count == 0)
        return p == whole ? scan_special(p, negative, value) : NULL;
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
    } else {
        double magnitude = scale(digits, (int)exponent);
        *value = negative ? -magnitude : magnitude;
    }
    return p;
}
