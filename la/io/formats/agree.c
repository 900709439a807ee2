/*
 * Agreement of several processes on the file that they are about to read. What a process does next
 * depends on the name, the options, and the kind, size and first bytes of the file, so all must see
 * the same file.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/files/stdin.h"
#include "io/formats/reader.h"

enum { FIRST_WORDS = 512 }; /* words at the beginning of the file that are compared */

/* What a process sees at a path. */
typedef struct {
    bool regular;
    uint64_t size;
    unsigned long long hash; /* of the first bytes */
} file_identity;

static sl_status cannot_open(sl_context *ctx, const char *path)
{
    return sl_fail(ctx, SL_IO, "%s: cannot open: %s", path, strerror(errno));
}

/* Only the first process reads a pipe or stdin, so nothing is read from it here. */
static sl_status identify(file_identity *seen, sl_context *ctx, const char *path)
{
    struct stat file;
    uint64_t words[FIRST_WORDS] = {0};
    if (is_stdin(path))
        return SL_OK;
    if (stat(path, &file) != 0)
        return cannot_open(ctx, path);
    seen->regular = S_ISREG(file.st_mode);
    if (!seen->regular)
        return SL_OK;
    seen->size = (uint64_t)file.st_size;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return cannot_open(ctx, path);
    const bool read = pread(fd, words, sizeof words, 0) >= 0;
    seen->hash = sl_list_hash(ctx, words, FIRST_WORDS);
    close(fd);
    return read ? SL_OK : sl_fail(ctx, SL_IO, "%s: cannot read: %s", path, strerror(errno));
}

/* Compares what the processes see; the message is the same on all. */
static sl_status compare(sl_context *ctx, const char *path, const file_identity *all)
{
    for (uint64_t k = 1; k < sl_context_processes(ctx); k++) {
        char bytes[80] = "";
        const char *other = "another beginning of the file";
        if (all[k].regular == all[0].regular && all[k].size == all[0].size &&
            all[k].hash == all[0].hash)
            continue;
        if (all[k].regular != all[0].regular)
            other = "another kind of file";
        else if (all[k].size != all[0].size)
            other = "another size of the file";
        if (all[k].size != all[0].size)
            snprintf(bytes, sizeof bytes, " (%" PRIu64 " and %" PRIu64 " bytes)", all[k].size,
                     all[0].size);
        return sl_fail(ctx, SL_MISMATCH,
                       "%s: rank %" PRIu64 " sees %s than rank 0%s; all ranks must see the same "
                       "file",
                       path, k, other, bytes);
    }
    return SL_OK;
}

sl_status agree_on_file(sl_context *ctx, sl_status status, const char *path,
                        const sl_read_options *options)
{
    file_identity seen = {0}, *all;
    if (sl_context_processes(ctx) == 1)
        return status;
    status = sl_agree_arguments(
        ctx, status, "read",
        "path %s\nformat %d\nflags 0x%x\nduplicates %d\nbase %u\nvertices %llu\n"
        "source_column %s\ntarget_column %s\nweight_column %s\nno_header %d\nunread %d\n",
        path ? path : "", (int)options->format, options->flags, (int)options->duplicates,
        options->base, (unsigned long long)options->vertices,
        options->source_column ? options->source_column : "",
        options->target_column ? options->target_column : "",
        options->weight_column ? options->weight_column : "", options->no_header,
        options->unread != NULL);
    if (status != SL_OK)
        return status;
    status = sl_gather(ctx, identify(&seen, ctx, path), (void **)&all, NULL, &seen, sizeof seen);
    if (status == SL_OK)
        status = compare(ctx, path, all);
    sl_free(all);
    return status;
}
