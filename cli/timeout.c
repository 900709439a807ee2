/* --timeout: the progress function of every context compares the clock with the limit. */
#include "timeout.h"

#include <time.h>

enum { ASKS_PER_SECOND = 50 };

static double limit,
    end; /* seconds: the limit, 0 if there is none; the monotonic clock at its end */

static double now(void)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    return (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
}

static int is_over(void *data, const sl_progress *progress)
{
    (void)data;
    (void)progress;
    return now() >= end;
}

void timeout_start(double seconds)
{
    limit = seconds;
    end = now() + seconds;
}

void timeout_watch(sl_context *ctx)
{
    if (limit > 0)
        sl_context_set_progress(ctx, is_over, NULL, 1.0 / ASKS_PER_SECOND);
}

double timeout_limit(void)
{
    return limit;
}
