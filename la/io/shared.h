/* Small things that readers and writers share. */
#ifndef SEMLA_IO_SHARED_H
#define SEMLA_IO_SHARED_H

#include <locale.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* True if the first `length` characters of a name end in `suffix`, in any case. */
static inline bool ends_in(const char *name, size_t length, const char *suffix)
{
    size_t n = strlen(suffix);
    return length >= n && strncasecmp(name + length - n, suffix, n) == 0;
}

/* The thread's locale becomes "C", where decimals have a point, whatever the program's
 * says; false if there is no memory, and then there is nothing to leave. */
typedef struct {
    locale_t c, before;
} plain_locale;

static inline bool plain_locale_enter(plain_locale *l)
{
    l->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (l->c)
        l->before = uselocale(l->c);
    return l->c;
}

static inline void plain_locale_leave(plain_locale *l)
{
    uselocale(l->before);
    freelocale(l->c);
}

#endif
