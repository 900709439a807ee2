/* SEMLA_TRAVERSAL: techniques of searches, switched off to see what each gives. */
#include <stdlib.h>
#include <string.h>

#include <semla/engine.h>

sl_status sl_switches_read(unsigned *off, sl_context *ctx)
{
    static const char *const words[] = {
#define X(NAME, name) #name,
        SL_SWITCHES(X)
#undef X
    };
    const char *at = getenv("SEMLA_TRAVERSAL");
    *off = 0;
    for (size_t length; at && *at; at += length + (at[length] == ',')) {
        length = strcspn(at, ",");
        size_t k = 0;
        while (k < SL_SWITCH_COUNT &&
               (strlen(words[k]) != length || memcmp(words[k], at, length) != 0))
            k++;
        if (k < SL_SWITCH_COUNT)
            *off |= 1U << k;
        else if (length > 0)
            return sl_fail(ctx, SL_INVALID, "SEMLA_TRAVERSAL: '%.*s' is no switch of a search",
                           (int)length, at);
    }
    return SL_OK;
}
