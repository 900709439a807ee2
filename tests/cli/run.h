/* Runs the command and keeps its output. */
#ifndef SEMLA_TEST_CLI_RUN_H
#define SEMLA_TEST_CLI_RUN_H

#include "support.h"

#include <cjson/cJSON.h>
#include <sys/types.h>

/* The last run: exit status (128 + signal if it was killed), stdout, stderr. */
extern int run_status;
extern char *run_out;
extern char *run_err;

/* A temporary folder of the test, made by run_setup and removed by run_teardown. */
extern char run_folder[32];
int run_setup(void **state);
int run_teardown(void **state);

/* Runs `semla` with arguments that are separated by single spaces. */
void run(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same with stdin from a file, or from a pipe that gets the file's bytes. */
void run_from(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));
void run_from_pipe(const char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Starts the command and returns at once; run_wait waits for it and keeps its output. */
pid_t run_start(const char *format, ...) __attribute__((format(printf, 1, 2)));
void run_wait(pid_t child);

/* The same, with stdout written to an open file. */
void run_to(int descriptor, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same with a library that has the fault (faulty.c). */
void run_faulty(const char *fault, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same with files limited to `bytes`: further writes fail as on a full disk. */
void run_limited(long bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Runs with stderr on a terminal of run_columns columns (0: unknown); its output is in run_err. */
extern unsigned short run_columns;
void run_on_terminal(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fails the test unless the last run ended with `status` and, not NULL, its
 * stdout or stderr contain the texts. */
void expect(int status, const char *out, const char *err);

/* Runs, expects exit status `status`, and parses stdout; to be deleted. The test fails if an object of the JSON
 * text has a key twice. */
cJSON *run_json(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Members of a JSON object; the test fails if there is none of that type. */
double json_get(const cJSON *object, const char *name);
bool json_is(const cJSON *object, const char *name);
const char *json_string(const cJSON *object, const char *name);

/* Files in run_folder: the path of a name (in one of 4 static buffers, used in turn), a new file
 * with this text, the text of a file, whether a file exists, the number of files. */
const char *in_folder(const char *name);
const char *write_file(const char *name, const char *text);
char *read_file(const char *path); /* to be freed */
bool file_exists(const char *name);
int files_in_folder(void);

#endif
