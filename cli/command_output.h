/* Output of the command: progress and files; numbers.h has numbers for people. */
#ifndef SEMLA_CLI_OUTPUT_H
#define SEMLA_CLI_OUTPUT_H

#include <semla/io.h>
#include <stdio.h>

#include "cli/numbers.h"
#include "cli/options.h"
#include "cli/progress_line.h"

/* ---- progress and warnings ------------------------------------------------ */

/* progress_show, unless --quiet was given. progress_end removes the line. */
void progress(const common_options *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for a step that writes a file; nothing if the file is stdout, which may be the terminal, too. */
void progress_writing(const common_options *o, const char *path);

/* Warns on stderr, unless --quiet was given, if the graph does not fit into device memory as usual.
 */
void show_placement(const common_options *o, const sl_placement *placement);

/* ---- files -------------------------------------------------------------- */

/*
 * Sends stdout, stderr and all output files to /dev/null from now on. For the ranks of a grid other
 * than rank 0. False if that failed.
 */
bool output_silence(void);

/*
 * An output file, which appears complete or not at all (sl_file_create). Devices and pipes are
 * written to directly; "-" is stdout.
 */
typedef struct {
    FILE *stream; /* print to this */
    sl_context *ctx;
    const char *path; /* borrowed */
    sl_file *file;
} output_file;

/* The option of every subcommand that writes a file, and the meaning of `force` below. */
#define FORCE_OPTION                                                                               \
    {                                                                                              \
        "force", 'f', NULL, 0, "Overwrite existing files", 0                                       \
    }

/*
 * Checks, before any work is done, that a file can be written: its folder exists and is writable,
 * it is not `graph`, the file that is read, and it does not exist, unless `force`. Either path may
 * be NULL and is then not checked. EXIT_DONE, or EXIT_FAILED with a message printed.
 */
int output_check(const char *path, const char *graph, bool force);

/* Opens a file. EXIT_DONE, or EXIT_FAILED with a message printed and nothing to close. */
int output_open(output_file *file, sl_context *ctx, const char *path, bool force);
/* Writes buffered data, gives the file its name, and frees `file` even on failure. EXIT_DONE, or
 * EXIT_FAILED with a message printed. */
int output_close(output_file *file);

/* ---- ends ----------------------------------------------------------------- */

/* failed_status after writing to `path`, but output_end_if_unread if that is stdout. */
int output_failed(const sl_context *ctx, sl_status status, const char *path);

/* Ends the process by SIGPIPE, without a message, if the reader of stdout has closed its pipe. */
void output_end_if_unread(void);

/*
 * Lets the process leave no temporary files behind if a signal ends it. A closed pipe and the limit
 * of a file's size become errors of write.
 */
void output_discard_on_signals(void);

/* Has the handler of these signals call a function, which must be safe in signal handlers. */
void output_before_signal_ends(void (*call)(int number));

#endif
