/* Small things that readers and writers share. */
#ifndef SEMLA_IO_SHARED_H
#define SEMLA_IO_SHARED_H

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* True if the first `length` characters of a name end in `suffix`, in any case. */
static inline bool ends_in(const char *name, size_t length, const char *suffix)
{
    size_t n = strlen(suffix);
    return length >= n && strncasecmp(name + length - n, suffix, n) == 0;
}

#endif
