/* Waiting for a pipe, a terminal or a socket. */
#ifndef SEMLA_IO_WAIT_H
#define SEMLA_IO_WAIT_H

#include <semla/progress.h>

#pragma GCC visibility push(hidden)

/*
 * Waits until read (POLLIN) or write (POLLOUT) on a file would not block, and asks 20 times a
 * second whether the call is cancelled. `operation` is as in sl_interrupted. Errors of the file are
 * left to read and write. Errors: SL_CANCELLED.
 */
sl_status wait_for_file(sl_context *ctx, int file, short events, const char *operation);

#pragma GCC visibility pop
#endif
