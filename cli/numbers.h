/* Numbers for people, and the clock. */
#ifndef SEMLA_CLI_NUMBERS_H
#define SEMLA_CLI_NUMBERS_H

#include <stdint.h>

/* Seconds of a clock that never goes back; only differences have a meaning. */
double seconds_now(void);

typedef struct {
    char text[32];
} number_text;

/* 1234567 as "1,234,567". */
number_text text_of_count(uint64_t count);
/* "12.3 us", "4.56 ms", "7.890 s". */
number_text text_of_seconds(double seconds);

#endif
