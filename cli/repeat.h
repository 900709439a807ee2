/* Repeated runs: the option --repeat, and the spread of their times. */
#ifndef SEMLA_CLI_REPEAT_H
#define SEMLA_CLI_REPEAT_H

#include "cli/command_output.h"

/* The description of the option, for argp. `key` is the caller's. */
#define REPEAT_OPTION(key)                                                                         \
    {                                                                                              \
        "repeat", key, "N", 0,                                                                     \
            "Run N times on the graph in memory, and print the least, median and greatest time "   \
            "and "                                                                                 \
            "that of the first run, which is cold: it is the first to use its memory and the "     \
            "engine, and makes what the engine keeps for later runs",                              \
            0                                                                                      \
    }

error_t option_repeat(uint64_t *repeat, const char *text);

/* The times of the runs, in seconds. Start with {0}; times_free frees it. */
typedef struct {
    double *seconds;
    uint64_t count, room;
    double first, min, median, max; /* set by times_spread */
} run_times;

void times_add(run_times *times, double seconds);

/* Sorts the times and sets the spread. The median of an even number of times is the mean of the two
 * in the middle. There is at least one time. */
void times_spread(run_times *times);
void times_free(run_times *times);

/* "10: min 1.20 ms, median 1.31 ms, max 5.10 ms; the first, cold, took 5.10 ms" */
typedef struct {
    char text[240];
} times_text;
times_text text_of_times(const run_times *times);

#endif
