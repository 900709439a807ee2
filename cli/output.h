/* What the command shows: progress, numbers for people, JSON, files. */
#ifndef SEMLA_CLI_OUTPUT_H
#define SEMLA_CLI_OUTPUT_H

#include <stdio.h>

#include <semla/la.h>

#include "options.h"

/* ---- progress ----------------------------------------------------------- */

/* Shows what is going on, on a line of its own that the next call replaces:
 * on stderr, if that is a terminal and --quiet was not given. */
void progress(const common_options *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Removes the line; before anything else is printed. */
void progress_end(void);

/* Wall-clock seconds since some moment in the past. */
double seconds_now(void);

/* ---- numbers for people ------------------------------------------------- */

typedef struct {
    char text[32];
} number_text;

/* 1234567 as "1,234,567". */
number_text text_of_count(uint64_t count);
/* "12.3 us", "4.56 ms", "7.890 s". */
number_text text_of_seconds(double seconds);

/* Tells on stderr, unless --quiet was given, of a graph that the device has no room for. */
void show_placement(const common_options *o, const sl_placement *placement);

/* ---- silence ------------------------------------------------------------- */

/* From now on nothing is printed, and files are written to nowhere: for ranks of a grid
 * other than the first. False where that cannot be had. */
bool output_silence(void);

/* Has this called before the process exits in the middle of its work, for want of memory. */
void output_before_lone_exit(void (*call)(void));

/* ---- files -------------------------------------------------------------- */

/*
 * A text file that appears under its name whole, when it is closed, or not at
 * all: it is written beside it and renamed. What is no plain file (a device, a
 * pipe) is written to directly; "-" is stdout.
 */
typedef struct {
    FILE *stream;    /* to print to */
    char *path;      /* where it will stand, links followed */
    char *temporary; /* where it is written; NULL if directly */
} output_file;

/*
 * Whether a file can be written, as far as that can be told before the work is done: its folder
 * is there and may be written to, and it is not `graph`, the file that is read. NULL for either
 * is none. EXIT_DONE, or EXIT_FAILED with the message printed.
 */
int output_check(const char *path, const char *graph);

/* EXIT_DONE, or EXIT_FAILED with the message printed. */
int output_open(output_file *file, const char *path);
/* Writes what is left and puts the file in its place; frees `file` in any case. */
int output_close(output_file *file);

#endif
