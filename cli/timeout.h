/* The limit of time that --timeout gives to the command. */
#ifndef SEMLA_CLI_TIMEOUT_H
#define SEMLA_CLI_TIMEOUT_H

#include <semla/la.h>

/* The limit of a command is the process's, and is counted from this call on. */
void timeout_start(double seconds);

/* Makes calls that use the context tell the line of progress how far they have come, and end with
 * SL_CANCELLED when the time is over. No effect without a limit and a terminal. */
void timeout_watch(sl_context *ctx);

/*
 * A check of a result is code on plain arrays, which does not ask. Between these two calls the
 * process prints a message and exits with EXIT_TIMEOUT when the time is over; no file may be open
 * for writing. No effect without a limit.
 */
void timeout_begin_check(void);
void timeout_end_check(void);

#endif
