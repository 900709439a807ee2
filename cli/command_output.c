/*
 * Output of the command: progress, numbers for people, files that appear complete or not at all,
 * and the end of the command by a signal.
 */
#include "cli/command_output.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- progress and warnings ------------------------------------------------ */

void progress(const common_options *o, const char *format, ...)
{
    if (o->quiet)
        return;
    va_list list;
    va_start(list, format);
    progress_show(format, list);
    va_end(list);
}

void progress_writing(const common_options *o, const char *path)
{
    if (strcmp(path, "-") != 0)
        progress(o, "writing %s", path);
}

void show_placement(const common_options *o, const sl_placement *placement)
{
    if (o->quiet || (!placement->ordered && placement->host_bytes == 0))
        return;
    const double device = 1e-9 * (double)placement->device_bytes;
    const double host = 1e-9 * (double)placement->host_bytes;
    if (placement->host_bytes == 0)
        warn("device memory is too small for two copies of the graph: only the reordered copy is "
             "kept (%.2f GB)",
             device);
    else
        warn("the graph is too large for device memory: %.2f GB are in device memory, %.2f GB in "
             "pinned host memory%s",
             device, host, placement->ordered ? "; only the reordered copy is kept" : "");
}

/* ---- numbers ------------------------------------------------------------ */

/* ---- files -------------------------------------------------------------- */

static bool silent;

bool output_silence(void)
{
    silent = true;
    return freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr);
}

/* Whether a file can be created in the folder of `path`; sets errno if not. */
static bool folder_is_writable(const char *path)
{
    char *copy = strdup(path);
    if (!copy)
        out_of_memory();
    char *slash = strrchr(copy, '/');
    if (slash)
        slash[slash == copy] = '\0';
    const bool writable = access(slash ? copy : ".", W_OK | X_OK) == 0;
    const int error = errno;
    free(copy);
    errno = error;
    return writable;
}

int output_check(const char *path, const char *graph, bool force)
{
    struct stat file, read;
    if (silent || !path || strcmp(path, "-") == 0)
        return EXIT_DONE;
    char *resolved =
        realpath(path, NULL); /* the file is created in the folder of a link's target */
    const char *target = resolved ? resolved : path;
    int exit_status = EXIT_DONE;
    const bool exists = stat(target, &file) == 0;
    if (exists && S_ISDIR(file.st_mode))
        exit_status = failed("%s: cannot be written: %s", path, strerror(EISDIR));
    else if (exists && graph && stat(graph, &read) == 0 && S_ISREG(file.st_mode) &&
             read.st_dev == file.st_dev && read.st_ino == file.st_ino)
        exit_status = failed("%s: this is the graph that is read; write to another file", path);
    else if (exists && S_ISREG(file.st_mode) && !force)
        exit_status = failed("%s exists; pass --force to overwrite it", path);
    else if (exists && !S_ISREG(file.st_mode) ? access(target, W_OK) != 0
                                              : !folder_is_writable(target))
        exit_status = failed("%s: cannot be written: %s", path, strerror(errno));
    free(resolved);
    return exit_status;
}

int output_open(output_file *file, sl_context *ctx, const char *path, bool force)
{
    *file = (output_file){.ctx = ctx, .path = path};
    if (strcmp(path, "-") == 0 && !silent) {
        file->stream = stdout;
        return EXIT_DONE;
    }
    int fd;
    sl_status status =
        sl_file_create(&file->file, &fd, ctx, silent ? "/dev/null" : path, force || silent);
    if (status != SL_OK)
        return failed_status(ctx, status);
    const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0); /* fclose closes the copy */
    file->stream = copy >= 0 ? fdopen(copy, "w") : NULL;
    if (file->stream)
        return EXIT_DONE;
    const int exit_status = failed("%s: cannot be written: %s", path, strerror(errno));
    if (copy >= 0)
        close(copy);
    sl_file_finish(file->file, SL_IO);
    return exit_status;
}

int output_close(output_file *file)
{
    if (file->stream == stdout)
        return EXIT_DONE; /* main checks it at exit */
    bool write_failed = ferror(file->stream) != 0;
    int error = errno;
    if (fclose(file->stream) != 0) {
        write_failed = true;
        error = errno;
    }
    if (write_failed)
        failed("%s: cannot be written: %s", file->path, strerror(error));
    sl_status status = sl_file_finish(file->file, write_failed ? SL_IO : SL_OK);
    if (status != SL_OK && !write_failed)
        failed_status(file->ctx, status);
    *file = (output_file){0};
    return status == SL_OK ? EXIT_DONE : EXIT_FAILED;
}

/* ---- ends ----------------------------------------------------------------- */

int output_failed(const sl_context *ctx, sl_status status, const char *path)
{
    if (strcmp(path, "-") == 0)
        output_end_if_unread();
    return failed_status(ctx, status);
}

void output_end_if_unread(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    if (poll(&out, 1, 0) != 1 || !(out.revents & POLLERR))
        return;
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

static void (*before_signal_ends)(int number);

void output_before_signal_ends(void (*call)(int number))
{
    before_signal_ends = call;
}

static void end_by_signal(int number)
{
    sl_files_discard();
    progress_end_by_signal();
    if (before_signal_ends)
        before_signal_ends(number);
    signal(number, SIG_DFL);
    raise(number); /* takes effect when the handler returns */
}

void output_discard_on_signals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        if (signal(numbers[k], end_by_signal) == SIG_IGN)
            signal(numbers[k], SIG_IGN); /* as nohup wants */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}
