#include "output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- messages and progress ---------------------------------------------- */

static bool progress_shown;

void progress(const common_options *o, const char *format, ...)
{
    if (o->quiet || !isatty(STDERR_FILENO))
        return;
    va_list list;
    progress_end();
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fflush(stderr);
    progress_shown = true;
}

void progress_end(void)
{
    if (progress_shown)
        fputs("\r\033[K", stderr);
    progress_shown = false;
}

void show_placement(const common_options *o, const sl_placement *placement)
{
    if (o->quiet || (!placement->ordered && placement->host_bytes == 0))
        return;
    const double device = 1e-9 * (double)placement->device_bytes;
    const double host = 1e-9 * (double)placement->host_bytes;
    progress_end();
    if (placement->host_bytes == 0)
        fprintf(
            stderr,
            "semla: the device has no room for the graph twice: %.2f GB of it are there, in the "
            "order of searches alone\n",
            device);
    else
        fprintf(stderr,
                "semla: the graph is too large for the device: %.2f GB of it are there, %.2f GB in "
                "pinned memory of the host%s\n",
                device, host, placement->ordered ? ", in the order of searches alone" : "");
}

int failed(const char *format, ...)
{
    va_list list;
    progress_end();
    fputs("semla: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    return EXIT_FAILED;
}

int failed_status(const sl_context *ctx, sl_status status)
{
    const char *message = sl_context_message(ctx);
    return failed("%s", *message ? message : sl_status_string(status));
}

static void (*before_lone_exit)(void);

void output_before_lone_exit(void (*call)(void))
{
    before_lone_exit = call;
}

_Noreturn void out_of_memory(void)
{
    const int status = failed("out of memory");
    fflush(NULL);
    if (before_lone_exit)
        before_lone_exit();
    exit(status);
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- numbers ------------------------------------------------------------ */

number_text text_of_count(uint64_t count)
{
    char digits[24];
    number_text number;
    size_t length = (size_t)snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    char *out = number.text;
    for (size_t i = 0; i < length; i++) {
        if (i && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return number;
}

number_text text_of_seconds(double seconds)
{
    number_text number;
    if (seconds < 1e-3)
        snprintf(number.text, sizeof number.text, "%.1f us", 1e6 * seconds);
    else if (seconds < 1)
        snprintf(number.text, sizeof number.text, "%.2f ms", 1e3 * seconds);
    else
        snprintf(number.text, sizeof number.text, "%.3f s", seconds);
    return number;
}

/* ---- files -------------------------------------------------------------- */

static int output_abandon(output_file *file)
{
    int status = failed("%s: cannot be written: %s", file->path, strerror(errno));
    if (file->stream && file->stream != stdout)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    free(file->temporary);
    free(file->path);
    *file = (output_file){0};
    return status;
}

/* A new file beside the path, with the permissions that fopen would give. */
static int open_temporary(char **temporary, const char *path)
{
    char *name;
    if (asprintf(&name, "%s.XXXXXX", path) < 0)
        out_of_memory();
    int descriptor = mkstemp(name);
    if (descriptor < 0) {
        free(name);
        return -1;
    }
    *temporary = name;
    mode_t mask = umask(0);
    umask(mask);
    struct stat old;
    fchmod(descriptor, stat(path, &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask);
    return descriptor;
}

static bool silent;

bool output_silence(void)
{
    silent = true;
    return freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr);
}

/* Whether a new file can be made beside `path`. */
static bool folder_takes_files(const char *path)
{
    char *copy = strdup(path);
    if (!copy)
        out_of_memory();
    char *slash = strrchr(copy, '/');
    if (slash)
        slash[slash == copy] = '\0';
    const bool takes = access(slash ? copy : ".", W_OK | X_OK) == 0;
    const int error = errno;
    free(copy);
    errno = error;
    return takes;
}

int output_check(const char *path, const char *graph)
{
    struct stat file, read;
    if (silent || !path || strcmp(path, "-") == 0)
        return EXIT_DONE;
    char *resolved = realpath(path, NULL); /* a link's folder is not written to */
    const char *target = resolved ? resolved : path;
    int exit_status = EXIT_DONE;
    const bool there = stat(target, &file) == 0;
    if (there && S_ISDIR(file.st_mode))
        exit_status = failed("%s: cannot be written: %s", path, strerror(EISDIR));
    else if (there && graph && stat(graph, &read) == 0 && S_ISREG(file.st_mode) &&
             read.st_dev == file.st_dev && read.st_ino == file.st_ino)
        exit_status = failed("%s is the graph itself, and is not overwritten", path);
    else if (there && !S_ISREG(file.st_mode) ? access(target, W_OK) != 0
                                             : !folder_takes_files(target))
        exit_status = failed("%s: cannot be written: %s", path, strerror(errno));
    free(resolved);
    return exit_status;
}

int output_open(output_file *file, const char *path)
{
    *file = (output_file){0};
    if (silent)
        path = "/dev/null"; /* rank 0 writes it */
    if (strcmp(path, "-") == 0) {
        file->stream = stdout;
        return EXIT_DONE;
    }
    char *resolved = realpath(path, NULL); /* so that a link is kept */
    file->path = resolved ? resolved : strdup(path);
    if (!file->path)
        out_of_memory();
    struct stat there;
    if (stat(file->path, &there) == 0 && !S_ISREG(there.st_mode)) {
        file->stream = fopen(file->path, "w");
    } else {
        int descriptor = open_temporary(&file->temporary, file->path);
        file->stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");
        if (!file->stream && descriptor >= 0)
            close(descriptor);
    }
    return file->stream ? EXIT_DONE : output_abandon(file);
}

int output_close(output_file *file)
{
    if (file->stream == stdout)
        return EXIT_DONE; /* checked at exit, with all that is on it */
    bool lost = ferror(file->stream) != 0;
    int error = errno;
    if (fclose(file->stream) != 0) {
        lost = true;
        error = errno;
    }
    file->stream = NULL;
    errno = error;
    if (lost || (file->temporary && rename(file->temporary, file->path) != 0))
        return output_abandon(file);
    free(file->temporary);
    free(file->path);
    *file = (output_file){0};
    return EXIT_DONE;
}
