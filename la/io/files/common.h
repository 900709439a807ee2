/* Helpers for both readers and writers: file name endings and the C locale. */
#ifndef SEMLA_IO_COMMON_H
#define SEMLA_IO_COMMON_H

#include <locale.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* True if the first `length` characters of a name end in `suffix`, ignoring case. */
static inline bool has_suffix(const char *name, size_t length, const char *suffix)
{
    size_t n = strlen(suffix);
    return length >= n && strncasecmp(name + length - n, suffix, n) == 0;
}

/*
 * Sets the locale of the calling thread to "C", so that numbers have a decimal point whatever the
 * locale of the program is. Returns false if there is no memory; c_locale_leave must then not be
 * called.
 */
typedef struct {
    locale_t c, caller;
} c_locale;

static inline bool c_locale_enter(c_locale *l)
{
    l->c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (l->c)
        l->caller = uselocale(l->c);
    return l->c;
}

static inline void c_locale_leave(c_locale *l)
{
    uselocale(l->caller);
    freelocale(l->c);
}

#endif
