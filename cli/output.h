/* Output of the command: progress, numbers for people, files. */
#ifndef SEMLA_CLI_OUTPUT_H
#define SEMLA_CLI_OUTPUT_H

#include <stdio.h>

#include "options.h"

/* ---- progress and warnings ------------------------------------------------ */

/*
 * Shows a line of progress on stderr, which the next line of progress or message replaces. Only if
 * stderr is a terminal and --quiet was not given. progress_end (messages.h) removes the line.
 */
void progress(const common_options *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Warns on stderr, unless --quiet was given, if the graph does not fit into device memory as usual.
 */
void show_placement(const common_options *o, const sl_placement *placement);

/* Seconds of a clock that never goes back; only differences have a meaning. */
double seconds_now(void);

/* ---- numbers for people ------------------------------------------------- */

typedef struct {
    char text[32];
} number_text;

/* 1234567 as "1,234,567". */
number_text text_of_count(uint64_t count);
/* "12.3 us", "4.56 ms", "7.890 s". */
number_text text_of_seconds(double seconds);

/* ---- files -------------------------------------------------------------- */

/*
 * Sends stdout, stderr and all output files to /dev/null from now on. For the ranks of a grid other
 * than rank 0. False if that failed.
 */
bool output_silence(void);

/*
 * An output file. It is written under a temporary name in the same folder and renamed when it is
 * closed, so that it is complete or absent. Devices and pipes are written to directly; "-" is
 * stdout.
 */
typedef struct {
    FILE *stream;    /* print to this */
    char *path;      /* the final path, with links resolved; NULL for stdout */
    char *temporary; /* the path that is written to; NULL if the final path is */
} output_file;

/*
 * Checks, before any work is done, that a file can be written: its folder exists and is writable,
 * and it is not `graph`, the file that is read. Either path may be NULL and is then not checked.
 * EXIT_DONE, or EXIT_FAILED with a message printed.
 */
int output_check(const char *path, const char *graph);

/* Opens a file. EXIT_DONE, or EXIT_FAILED with a message printed and nothing to close. */
int output_open(output_file *file, const char *path);
/* Writes buffered data, renames the file to its final path, and frees `file` even on failure.
 * EXIT_DONE, or EXIT_FAILED with a message printed. */
int output_close(output_file *file);

#endif
