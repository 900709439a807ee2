/*
 * Output of the command: progress, numbers for people, and files that appear complete or not at
 * all.
 */
#include "output.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- progress and warnings ------------------------------------------------ */

void progress(const common_options *o, const char *format, ...)
{
    if (o->quiet || !isatty(STDERR_FILENO))
        return;
    va_list list;
    va_start(list, format);
    progress_show(format, list);
    va_end(list);
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

/* Reports errno, removes the temporary file and frees `file`. */
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

/* Creates a file beside `path` with the permissions of the old file, or those fopen would give. */
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

int output_check(const char *path, const char *graph)
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
    else if (exists && !S_ISREG(file.st_mode) ? access(target, W_OK) != 0
                                              : !folder_is_writable(target))
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
    char *resolved = realpath(path, NULL); /* keeps a link, and writes to its target */
    file->path = resolved ? resolved : strdup(path);
    if (!file->path)
        out_of_memory();
    struct stat old;
    if (stat(file->path, &old) == 0 && !S_ISREG(old.st_mode)) {
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
        return EXIT_DONE; /* main checks it at exit */
    bool write_failed = ferror(file->stream) != 0;
    int error = errno;
    if (fclose(file->stream) != 0) {
        write_failed = true;
        error = errno;
    }
    file->stream = NULL;
    errno = error;
    if (write_failed || (file->temporary && rename(file->temporary, file->path) != 0))
        return output_abandon(file);
    free(file->temporary);
    free(file->path);
    *file = (output_file){0};
    return EXIT_DONE;
}
