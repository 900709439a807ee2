/* Random numbers of the system, as keys of hashes. */
#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include <semla/engine.h>
#include <semla/mirrors.h>

sl_status sl_draw_key(uint64_t *key, sl_context *ctx, const char *what)
{
    return getrandom(key, sizeof *key, 0) == sizeof *key
               ? SL_OK
               : sl_fail(ctx, SL_IO, "%s: no random numbers: %s", what, strerror(errno));
}

sl_status sl_common_key(uint64_t *key, sl_context *ctx, const char *what)
{
    void *all;
    uint64_t own = 0;
    const sl_status status =
        sl_gather(ctx, sl_draw_key(&own, ctx, what), &all, NULL, &own, sizeof own);
    if (status == SL_OK)
        memcpy(key, all, sizeof *key);
    sl_free(all);
    return status;
}
