/* Numbers for people, and the clock. */
#include "cli/numbers.h"

#include <stdio.h>
#include <time.h>

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

number_text text_of_count(uint64_t count)
{
    char digits[24];
    number_text number = {0};
    size_t length = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    char *out = number.text;
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    return number;
}

number_text text_of_seconds(double seconds)
{
    number_text number;
    if (seconds < 1e-3)
        snprintf(number.text, sizeof number.text, "%.1f us", 1e6 * seconds);
    else if (seconds < 1)
        snprintf(number.text, sizeof number.text, "%.2f ms", 1e3 * seconds);
    else
        snprintf(number.text, sizeof number.text, "%.3f s", seconds);
    return number;
}
