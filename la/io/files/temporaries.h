/*
 * Names of temporary files in a table that a signal handler can read, so that a program which ends
 * by a signal leaves none behind (sl_files_discard).
 */
#ifndef SEMLA_IO_TEMPORARIES_H
#define SEMLA_IO_TEMPORARIES_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>

#pragma GCC visibility push(hidden)

/*
 * A temporary name is created, renamed and removed between these two calls. In between the calling
 * thread receives no signals, and sl_files_discard in another thread waits. False after
 * sl_files_discard: nothing may be created, and temporaries_leave must not be called.
 */
bool temporaries_enter(sigset_t *before);
void temporaries_leave(const sigset_t *before);

/*
 * Records the file `name` in a folder, which is an open descriptor, and returns the number of the
 * record; -1 if all records are in use. Between temporaries_enter and temporaries_leave.
 */
enum { TEMPORARIES = 64, TEMPORARY_NAME = 64 };
int temporary_record(int folder, const char name[TEMPORARY_NAME]);
void temporary_forget(int number);

#pragma GCC visibility pop
#endif
