/* Repeated runs: the option --repeat, and the spread of their times. */
#include "cli/repeat.h"

#include <stdlib.h>

error_t option_repeat(uint64_t *repeat, const char *text)
{
    enum { MOST = 1000000 };
    if (parse_count(repeat, text) && *repeat >= 1 && *repeat <= MOST)
        return 0;
    return usage_error("--repeat takes a whole number from 1 to %d, not '%s'", (int)MOST, text);
}

void times_add(run_times *times, double seconds)
{
    if (times->count == times->room) {
        const uint64_t room = 2 * times->room + 8;
        double *larger = sl_realloc(times->seconds, room * sizeof *larger);
        if (!larger)
            out_of_memory();
        times->seconds = larger;
        times->room = room;
    }
    if (times->count == 0)
        times->first = seconds;
    times->seconds[times->count++] = seconds;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void times_spread(run_times *times)
{
    const uint64_t n = times->count;
    qsort(times->seconds, n, sizeof *times->seconds, compare);
    times->min = times->seconds[0];
    times->median = (times->seconds[(n - 1) / 2] + times->seconds[n / 2]) / 2;
    times->max = times->seconds[n - 1];
}

void times_free(run_times *times)
{
    sl_free(times->seconds);
    *times = (run_times){0};
}

times_text text_of_times(const run_times *times)
{
    times_text t;
    snprintf(t.text, sizeof t.text, "%s: min %s, median %s, max %s; the first, cold, took %s",
             text_of_count(times->count).text, text_of_seconds(times->min).text,
             text_of_seconds(times->median).text, text_of_seconds(times->max).text,
             text_of_seconds(times->first).text);
    return t;
}
