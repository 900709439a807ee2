/* Small things that readers and writers share. */
#ifndef SEMLA_IO_SHARED_H
#define SEMLA_IO_SHARED_H

#include <string.h>
#include <strings.h>

#include <semla/context.h>

/* True if the first `length` characters of a name end in `suffix`, in any case. */
static inline bool ends_in(const char *name, size_t length, const char *suffix)
{
    size_t n = strlen(suffix);
    return length >= n && strncasecmp(name + length - n, suffix, n) == 0;
}

/* The length of a name without .gz at its end. */
static inline size_t unpacked_length(const char *name)
{
    size_t length = strlen(name);
    return ends_in(name, length, ".gz") ? length - 3 : length;
}

/* zlib's memory, through the library's allocator. */
static inline void *zlib_allocate(void *opaque, unsigned count, unsigned size)
{
    return sl_malloc((size_t)count * size);
}

static inline void zlib_release(void *opaque, void *memory)
{
    sl_free(memory);
}

#endif
