/*
 * Writes one file from several processes. The first process creates it under a temporary name and
 * renames it at the end; in between every process writes its parts at their offsets. If the path is
 * not a regular file, the first process writes everything, and the others send it their bytes in
 * turn. One process alone writes its parts in order.
 */
#include <semla/process.h>

#include "io/files/output.h"
#include "io/files/scope.h"

/*
 * Sends the name of the temporary file from the first process to all; "" if the first process
 * writes alone.
 */
static sl_status broadcast_name(sl_context *ctx, sl_status status, const output *out, char **name)
{
    const char *mine = out->temporary ? out->temporary : "";
    const bool first = io_rank(ctx) == 0;
    return sl_gather(ctx, status, (void **)name, NULL, mine, first ? strlen(mine) + 1 : 0);
}

/* Offset and length of a part, in bytes. */
typedef struct {
    uint64_t offset, count;
} extent_range;

static void write_zeros(output *s, uint64_t count)
{
    static const char zeros[64];
    for (uint64_t n; count > 0; count -= n) {
        n = count < sizeof zeros ? count : sizeof zeros;
        output_write(s, zeros, n);
    }
}

/*
 * Sends part k of each process in turn to the first process, which writes it. *end is the end of
 * the bytes written so far.
 */
static sl_status gather_and_write(sl_context *ctx, output *out, const sl_file_part *extent,
                                  uint64_t *end)
{
    const extent_range mine = {extent->offset, extent->count};
    extent_range *all;
    sl_status status;
    if (sl_context_processes(ctx) == 1) {
        if (extent->count > 0) {
            write_zeros(out, extent->offset - *end);
            output_write(out, extent->bytes, extent->count);
            *end = extent->offset + extent->count;
        }
        return SL_OK;
    }
    status = sl_gather(ctx, SL_OK, (void **)&all, NULL, &mine, sizeof mine);
    for (uint64_t k = 0; k < sl_context_processes(ctx) && status == SL_OK; k++) {
        void *bytes;
        status = sl_gather(ctx, SL_OK, &bytes, NULL, extent->bytes,
                           k == io_rank(ctx) ? extent->count : 0);
        if (status == SL_OK && io_rank(ctx) == 0 && all[k].count > 0) {
            write_zeros(out, all[k].offset - *end);
            output_write(out, bytes, all[k].count);
            *end = all[k].offset + all[k].count;
        }
        sl_free(bytes);
    }
    sl_free(all);
    return status;
}

sl_status write_shared_file(sl_context *ctx, sl_status status, const char *path, bool overwrite,
                            const sl_file_part *extents, size_t count)
{
    const bool first = io_rank(ctx) == 0;
    output out = {0};
    char *temporary;
    if (first && status == SL_OK)
        status = output_open_alone(&out, ctx, path, overwrite);
    const bool opened = first && status == SL_OK;
    status = broadcast_name(ctx, status, &out, &temporary);
    if (status == SL_OK && *temporary) {
        status = sl_write_extents_as(ctx, temporary, path, extents, count);
    } else {
        uint64_t end = 0;
        for (size_t k = 0; k < count && status == SL_OK; k++)
            status = gather_and_write(ctx, &out, &extents[k], &end);
    }
    sl_free(temporary);
    if (opened)
        status = output_close_alone(&out, status);
    return sl_agree(ctx, status);
}

/* Moves a part behind the parts of the preceding processes. */
static sl_status set_offset(const output *s, sl_file_part *mine)
{
    uint64_t *counts;
    sl_status status =
        sl_gather(s->ctx, s->status, (void **)&counts, NULL, &mine->count, sizeof mine->count);
    for (uint64_t k = 0; status == SL_OK && k < io_rank(s->ctx); k++)
        mine->offset += counts[k];
    sl_free(counts);
    return status;
}

sl_status output_close(output *s, sl_status status)
{
    if (!s->shared)
        return output_close_alone(s, status);
    if (s->status == SL_OK)
        s->status = status;
    if (s->status == SL_OK)
        output_flush(s, true);
    sl_file_part mine = {.count = s->collected_count, .bytes = s->collected};
    s->status = set_offset(s, &mine);
    if (s->status == SL_OK)
        s->status = write_shared_file(s->ctx, SL_OK, s->path, s->overwrite, &mine, 1);
    output_release(s);
    return s->status;
}
