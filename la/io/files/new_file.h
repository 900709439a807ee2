/* A new file, for the writers of the library: sl_file_create with the choice of a named file. */
#ifndef SEMLA_IO_NEW_FILE_H
#define SEMLA_IO_NEW_FILE_H

#include <semla/io.h>

#pragma GCC visibility push(hidden)

/*
 * sl_file_create. If `name` is not NULL, the file has a temporary name while it is written, and
 * *name becomes its path, by which other processes can open it; from sl_malloc, owned by the
 * caller. *name is NULL for a device or pipe.
 */
sl_status new_file(sl_file **file, int *fd, char **name, sl_context *ctx, const char *path,
                   bool overwrite);

#pragma GCC visibility pop
#endif
