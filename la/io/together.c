/*
 * One file of several processes. The first makes it under a name of its own and puts it in its
 * place at the end; in between all write what they have, each at its place. What is no regular
 * file the first process writes alone, and the others give it their bytes in turn.
 */
#include "sink.h"
#include "work.h"

/* The name under which all write, as the first process says; "" where it writes alone. */
static sl_status tell_name(sl_context *ctx, sl_status status, const sink *front, char **name)
{
    const char *mine = front->temporary ? front->temporary : "";
    const bool first = io_process(ctx) == 0;
    return sl_gather(ctx, status, (void **)name, NULL, mine, first ? strlen(mine) + 1 : 0);
}

/* Where an extent lies, and how long it is. */
typedef struct {
    uint64_t offset, count;
} place;

static void write_zeros(sink *s, uint64_t count)
{
    static const char zeros[64];
    for (uint64_t n; count > 0; count -= n) {
        n = count < sizeof zeros ? count : sizeof zeros;
        sink_write(s, zeros, n);
    }
}

/* Extent number k of each process in turn, which the first writes behind `*end`. */
static sl_status write_in_turn(sl_context *ctx, sink *front, const sl_file_part *extent,
                               uint64_t *end)
{
    const place mine = {extent->offset, extent->count};
    place *all;
    sl_status status = sl_gather(ctx, SL_OK, (void **)&all, NULL, &mine, sizeof mine);
    for (uint64_t k = 0; k < sl_context_processes(ctx) && status == SL_OK; k++) {
        void *bytes;
        status = sl_gather(ctx, SL_OK, &bytes, NULL, extent->bytes,
                           k == io_process(ctx) ? extent->count : 0);
        if (status == SL_OK && io_process(ctx) == 0 && all[k].count > 0) {
            write_zeros(front, all[k].offset - *end);
            sink_write(front, bytes, all[k].count);
            *end = all[k].offset + all[k].count;
        }
        sl_free(bytes);
    }
    sl_free(all);
    return status;
}

sl_status write_together(sl_context *ctx, sl_status status, const char *path,
                         const sl_file_part *extents, size_t count)
{
    const bool first = io_process(ctx) == 0;
    sink front = {0};
    char *name;
    if (first && status == SL_OK)
        status = sink_open_alone(&front, ctx, path);
    const bool opened = first && status == SL_OK;
    status = tell_name(ctx, status, &front, &name);
    if (status == SL_OK && *name) {
        status = sl_write_extents(ctx, name, extents, count);
    } else {
        uint64_t end = 0;
        for (size_t k = 0; k < count && status == SL_OK; k++)
            status = write_in_turn(ctx, &front, &extents[k], &end);
    }
    sl_free(name);
    if (opened)
        status = sink_close_alone(&front, status);
    return sl_agree(ctx, status);
}
