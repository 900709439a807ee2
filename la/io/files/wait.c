/* Waiting for a pipe, a terminal or a socket. Regular files never block. */
#include "io/files/wait.h"

#include <errno.h>
#include <poll.h>

enum { ASK_MILLISECONDS = 50 };

sl_status wait_for_file(sl_context *ctx, int file, short events, const char *operation)
{
    struct pollfd waiting = {.fd = file, .events = events};
    for (;;) {
        const sl_status status = sl_interrupted(ctx, operation);
        if (status != SL_OK)
            return status;
        const int ready = poll(&waiting, 1, ASK_MILLISECONDS);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            return SL_OK;
    }
}
