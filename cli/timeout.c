/*
 * --timeout: the progress function of every context compares the clock with the limit, and tells the
 * line of progress how far the call has come. During checks, which have no context, a timer's
 * signal ends the process.
 */
#include "cli/timeout.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "cli/command_messages.h"
#include "cli/progress_line.h"

static double limit,
    end; /* seconds: the limit, 0 if there is none; the monotonic clock at its end */

static double now(void)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    return (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
}

static int ask(void *data, const sl_progress *progress)
{
    (void)data;
    progress_note(progress);
    return limit > 0 && now() >= end;
}

void timeout_start(double seconds)
{
    limit = seconds;
    messages_set_timeout(seconds);
    end = now() + seconds;
}

void timeout_watch(sl_context *ctx)
{
    /* At every question, about 50 ns: otherwise the one before a long operation, which names it, may be lost. */
    if (limit > 0 || progress_has_terminal())
        sl_context_set_progress(ctx, ask, NULL, 0);
}

/* Written by a signal handler, which cannot format it. */
static char message[160];

static void end_process(int signal_number)
{
    (void)signal_number;
    const ssize_t written = write(STDERR_FILENO, message, strlen(message));
    (void)written;
    _exit(EXIT_TIMEOUT);
}

static void set_timer(double seconds)
{
    const double whole = floor(seconds);
    const struct itimerval timer = {
        .it_value = {(time_t)whole, (suseconds_t)(1e6 * (seconds - whole))}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

void timeout_begin_check(void)
{
    const double least = 1e-6; /* 0 would stop the timer */
    if (limit == 0)
        return;
    snprintf(message, sizeof message, "%s%s: stopped after %g s (--timeout): checking the result\n",
             isatty(STDERR_FILENO) ? "\r\033[K" : "", messages_command(), limit);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = end_process}, NULL);
    set_timer(fmax(end - now(), least));
}

void timeout_end_check(void)
{
    if (limit > 0)
        set_timer(0);
}
