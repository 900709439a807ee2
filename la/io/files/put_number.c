/* Formats numbers as text for the writers. */
#include "io/files/put_number.h"

#include <stdio.h>
#include <stdlib.h>

char *put_index(char *out, uint64_t n)
{
    char digits[20];
    int count = 0;
    do
        digits[count++] = (char)('0' + n % 10);
    while (n /= 10);
    while (count > 0)
        *out++ = digits[--count];
    return out;
}

/* Writes the shortest decimal that reads back as x (as a float if `single`). */
static char *put_real(char *out, double x, bool single)
{
    if (isnan(x))
        return out + snprintf(out, MAX_NUMBER_TEXT, "nan");
    int length = 0;
    for (int precision = single ? 6 : 15; precision <= 17; precision++) {
        length = snprintf(out, MAX_NUMBER_TEXT, "%.*g", precision, x);
        if (single ? strtof(out, NULL) == (float)x : strtod(out, NULL) == x)
            break;
    }
    return out + length;
}

char *put_value(char *out, sl_scalar value)
{
    if (value.type == SL_FP32 || value.type == SL_FP64)
        return put_real(out, sl_scalar_cast(value, SL_FP64).as.fp64_, value.type == SL_FP32);
    if (value.type == SL_UINT64)
        return put_index(out, value.as.uint64_);
    int64_t n = sl_scalar_cast(value, SL_INT64).as.int64_;
    if (n < 0)
        *out++ = '-';
    return put_index(out, n < 0 ? 0 - (uint64_t)n : (uint64_t)n);
}
