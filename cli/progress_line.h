/*
 * The line of progress on stderr: what the command does, and after a second how far it has come, in
 * numbers, per cent and time left. Only on a terminal: without one, nothing is written. On a grid rank 0
 * writes it, and the launcher's terminal counts, to which the launcher passes stderr on. A thread
 * redraws the line, as checks and single operations of an engine ask nothing for a long time.
 */
#ifndef SEMLA_CLI_PROGRESS_H
#define SEMLA_CLI_PROGRESS_H

#include <semla/la.h>
#include <stdarg.h>

/* Takes a terminal of the launcher for stderr's, where stderr is a pipe to it. For rank 0 of a grid. */
void progress_use_launcher(void);

/* True if a line can be shown. */
bool progress_has_terminal(void);

/*
 * Begins a step: shows a line, cut to the width of the terminal, which the next step or message
 * replaces. Control characters are escaped (shown.h).
 */
void progress_show(const char *format, va_list list);

/* Says that `done` of the `total` parts of a loop are done. The line has the number of the part; the steps
 * follow each other without progress_end. */
void progress_part(uint64_t done, uint64_t total);

/* Notes how far a call of the library has come; called by the progress functions of contexts. */
void progress_note(const sl_progress *progress);

/* Removes the line. Call it before anything else is printed. */
void progress_end(void);

/* The same in a signal handler before it ends the process. */
void progress_end_by_signal(void);

#endif
