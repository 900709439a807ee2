/*
 * Messages on stderr, and a failure as a JSON object on stdout. Each message has the form `semla
 * COMMAND: the fault; what is allowed or what to do`, and replaces a line of progress if one is
 * shown. Characters that control a terminal are escaped (shown.h).
 */
#ifndef SEMLA_CLI_MESSAGES_H
#define SEMLA_CLI_MESSAGES_H

#include <errno.h>
#include <semla/la.h>
#include <stdarg.h>

/* Exit statuses of the command. EXIT_FAILED also reports a result that validation found wrong. */
enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_TIMEOUT = 124 };

/* Sets the name before each message: "semla" (the default) or "semla bfs". Kept, not copied. */
void messages_set_command(const char *command);
const char *messages_command(void);

/* Sets the limit of --timeout that messages about cancelled calls name. Nothing else cancels a call
 * of the command. */
void messages_set_timeout(double seconds);

/* Prints a message and returns EXIT_FAILED. */
int failed(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the message of the last failure in `ctx`, or the text of `status` if there is none.
 * Returns EXIT_FAILED; EXIT_TIMEOUT if --timeout ended the call. */
int failed_status(const sl_context *ctx, sl_status status);

/* Prints "warning: ..." as a message. */
void warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a message about the command line and returns EINVAL, which makes argp stop parsing. */
int usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Reports that a small allocation of the command failed, and exits with EXIT_FAILED. */
_Noreturn void out_of_memory(void);

/* Registers a function that out_of_memory calls before it exits. On a grid it aborts the other
 * ranks, which would wait for this one forever. */
void messages_before_abort(void (*call)(void));

/* ---- failures as JSON --------------------------------------------------- */

/*
 * With --json a command writes exactly one JSON text to stdout: its result, or, if it fails before
 * it has one, {"error": MESSAGE, "status": EXIT STATUS}. messages_as_json requests that;
 * json_print calls messages_json_printed; main calls messages_end with the exit status.
 */
void messages_as_json(void);
void messages_json_printed(void);
void messages_end(int exit_status);

#endif
