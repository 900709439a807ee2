/* A cache folder of a test's own. */
#ifndef SEMLA_TEST_CACHE_FOLDER_H
#define SEMLA_TEST_CACHE_FOLDER_H

#include "support.h"

extern char folder[64]; /* the path; SEMLA_CACHE_DIR names it */

/* Creates the folder; removes it with its files. */
int folder_begin(void **state);
int folder_end(void **state);

/* The number of files in a folder; last (may be NULL): the name of one of them. */
size_t files_in(const char *path, char last[512]);
void empty_folder(const char *path);

/* Changes one bit of the byte at an offset of a file, counted from the end if negative. */
void change_byte(const char *path, long at);

#endif
