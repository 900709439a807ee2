/* Standard input as the file "-", which can be read once; its first bytes can be read ahead. */
#ifndef SEMLA_IO_STDIN_H
#define SEMLA_IO_STDIN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

#pragma GCC visibility push(hidden)

static inline bool is_stdin(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* True if the first bytes are `bytes`; they are read and kept for stdin_read. */
enum { STDIN_AHEAD = 32 };
bool stdin_starts_with(const char *bytes, size_t count);

/* False if it was called before. */
bool stdin_take(void);

/* True if bytes that were read ahead are left: stdin_read does not wait then. */
bool stdin_is_ahead(void);

/* As read. */
ssize_t stdin_read(void *bytes, size_t capacity);

#pragma GCC visibility pop
#endif
