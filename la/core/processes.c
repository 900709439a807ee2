/* Contexts of several processes: position, division of indices, agreement, exchange, a shared file.
 */
#include <semla/engine.h>
#include <semla/process.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

sl_grid_position sl_grid_position_of(const sl_context *ctx)
{
    const sl_engine *engine = ctx ? ctx->chain[0] : NULL;
    return engine && engine->position ? engine->position(ctx)
                                      : (sl_grid_position){.rows = 1, .cols = 1, .on_host = 1};
}

uint64_t sl_context_processes(const sl_context *ctx)
{
    const sl_grid_position place = sl_grid_position_of(ctx);
    return (uint64_t)place.rows * place.cols;
}

uint64_t sl_host_bytes_for_each(const sl_context *ctx)
{
    return sl_host_bytes_present() / sl_grid_position_of(ctx).on_host;
}

void sl_context_local_range(const sl_context *ctx, uint64_t count, uint64_t *begin, uint64_t *end)
{
    const uint64_t process = sl_grid_position_of(ctx).process,
                   processes = sl_context_processes(ctx);
    uint64_t whole = count / processes, extra = count % processes;
    const uint64_t first = process * whole + (process < extra ? process : extra);
    if (begin)
        *begin = first;
    if (end)
        *end = first + whole + (process < extra);
}

sl_status sl_agree(sl_context *ctx, sl_status status)
{
    const sl_engine *engine = ctx ? ctx->chain[0] : NULL;
    return engine && engine->agree ? engine->agree(ctx, status, NULL) : status;
}

sl_status sl_agree_arguments(sl_context *ctx, sl_status status, const char *function,
                             const char *format, ...)
{
    const sl_engine *engine = ctx ? ctx->chain[0] : NULL;
    if (!engine || !engine->agree_arguments)
        return status;
    char text[SL_ARGUMENTS_TEXT];
    const int begin = snprintf(text, sizeof text, "%s\n", function);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + begin, sizeof text - (size_t)begin, format, arguments);
    va_end(arguments);
    return engine->agree_arguments(ctx, status, text);
}

unsigned long long sl_list_hash(const sl_context *ctx, const uint64_t *list, uint64_t count)
{
    if (!list || sl_context_processes(ctx) == 1)
        return 0;
    uint64_t hash = sl_hash(1, count);
    for (uint64_t k = 0; k < count; k++)
        hash = sl_hash(hash, list[k]);
    return hash;
}

sl_status sl_gather(sl_context *ctx, sl_status status, void **all, uint64_t *starts,
                    const void *mine, uint64_t bytes)
{
    const sl_engine *engine = ctx ? ctx->chain[0] : NULL;
    if (all)
        *all = NULL;
    if (status >= 0 && (!all || (!mine && bytes > 0)))
        status = sl_fail(ctx, SL_INVALID, "gather: %s is NULL", all ? "mine" : "all");
    status = sl_agree(ctx, status);
    if (status < 0)
        return status;
    if (engine && engine->gather)
        return engine->gather(ctx, all, starts, mine, bytes);
    *all = sl_malloc(bytes + 1);
    if (!*all)
        return sl_fail(ctx, SL_NO_MEMORY, "gather: out of memory");
    if (bytes > 0)
        memcpy(*all, mine, bytes);
    if (starts) {
        starts[0] = 0;
        starts[1] = bytes;
    }
    return SL_OK;
}

static bool write_at(int fd, const sl_file_part *extent)
{
    for (uint64_t at = 0; at < extent->count;) {
        const ssize_t n = pwrite(fd, (const char *)extent->bytes + at, extent->count - at,
                                 (off_t)(extent->offset + at));
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? (uint64_t)n : 0;
    }
    return true;
}

/* Some file systems keep nothing back and have no fsync, which is then EINVAL. */
static bool synchronise(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL;
}

static sl_status write_own(sl_context *ctx, const char *path, const char *name,
                           const sl_file_part *extents, size_t count)
{
    const bool several = sl_context_processes(ctx) > 1;
    if (!path || (!extents && count > 0))
        return sl_fail(ctx, SL_INVALID, "write_extents: %s is NULL", path ? "extents" : "path");
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return sl_fail(ctx, SL_IO, "%s: cannot open: %s%s", name, strerror(errno),
                       several ? "; all ranks must see the same files" : "");
    bool written = true;
    for (size_t k = 0; k < count && written; k++)
        written = write_at(fd, &extents[k]);
    /* One process may rename the file as soon as all have returned. */
    if (written && several)
        written = synchronise(fd);
    sl_status status = SL_OK;
    if (!written)
        status = sl_fail(ctx, SL_IO, "%s: cannot write: %s", name, strerror(errno));
    if (close(fd) != 0 && status == SL_OK)
        status = sl_fail(ctx, SL_IO, "%s: cannot write: %s", name, strerror(errno));
    return status;
}

sl_status sl_write_extents_as(sl_context *ctx, const char *path, const char *name,
                              const sl_file_part *extents, size_t count)
{
    return sl_agree(ctx, write_own(ctx, path, name, extents, count));
}

sl_status sl_write_extents(sl_context *ctx, const char *path, const sl_file_part *extents,
                           size_t count)
{
    return sl_write_extents_as(ctx, path, path, extents, count);
}
