/* Fuzz target for numbers in text; compares the results with those of the C library. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "io/files/scan_number.h"

static void check_real(const char *text)
{
    double x = 0, y;
    char *expected;
    number_fault fault;
    const char *end = scan_real(text, &x, &fault);
    if (!end)
        return;
    if (end[0] == 'x' || end[0] == 'X')
        return; /* strtod accepts hexadecimal numbers; scan_real does not */
    y = strtod(text, &expected);
    if (x != x && y != y)
        return; /* all NaNs are equal */
    if (memcmp(&x, &y, sizeof x) != 0 || end != expected)
        abort();
    const bool spelled = strpbrk(text, "nN") && strpbrk(text, "nN") < end; /* inf, nan */
    if (spelled ? fault != NUMBER_STORED : (fault == NUMBER_TOO_LARGE) != (isinf(x) != 0))
        abort();
    if (fault == NUMBER_TOO_SMALL && x != 0)
        abort();
}

static void check_integer(const char *text)
{
    int64_t x = 0;
    char *expected;
    bool overflow = false;
    const char *end = scan_int64(text, &x, &overflow);
    if (end && (x != strtoll(text, &expected, 10) || end != expected))
        abort();
}

static void check_any_integer(const char *text)
{
    uint64_t bits = 0;
    int64_t x = 0;
    bool negative, overflow = false, too_large = false;
    const char *end = scan_integer(text, &bits, &negative, &overflow);
    const char *signed_end = scan_int64(text, &x, &too_large);
    if (signed_end && (end != signed_end || bits != (uint64_t)x))
        abort();
    if (end && !signed_end && (negative || bits <= INT64_MAX))
        abort();
}

static void check_digits(const char *text)
{
    uint64_t x = 0;
    char *expected;
    bool overflow = false;
    const char *end = scan_digits(text, &x, &overflow);
    if (end && (x != strtoull(text, &expected, 10) || end != expected))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 16);
    memcpy(text, data, size);
    memset(text + size, '\0', 16);
    text[size] = '\n';
    check_real(text);
    check_integer(text);
    check_any_integer(text);
    check_digits(text);
    free(text);
    return 0;
}
