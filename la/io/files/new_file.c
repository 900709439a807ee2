/*
 * Files that take their name when they are complete.
 *
 * The file is written without a name (O_TMPFILE), so that nothing stays if the process ends, by
 * whatever signal. At the end it is linked under its name. If it replaces a file, which linkat
 * cannot do, it is linked under a temporary name and renamed; a signal that ends the process
 * waits meanwhile (temporaries.h). A file system without O_TMPFILE, and other processes that open
 * the file too, need a temporary name from the beginning.
 *
 * A path that is a symbolic link names the file that the link leads to. The links are followed here, one
 * at a time, because the file gets its name in the folder of the last.
 */
#include "io/files/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/files/temporaries.h"

enum { MAX_LINKS = 40, ATTEMPTS = 100 };

struct sl_file {
    sl_context *ctx;
    char *path;   /* as the caller wrote it, for messages */
    char *target; /* path with symbolic links at its end followed */
    char *name;   /* the last component of `target`; a part of it */
    int fd;
    int folder; /* descriptor; -1: `fd` is a device or pipe, which is written in place */
    int record; /* of `temporary`; -1: the file has no name yet */
    char temporary[TEMPORARY_NAME];
    bool overwrite;
    bool refused;    /* the path names a link or pipe that is not used: is_trusted */
    bool replaces;   /* there was a file when writing began: */
    struct stat old; /* its owner and mode */
};

static sl_status failure(const sl_file *f, const char *what)
{
    return sl_fail(f->ctx, SL_IO, "%s: %s: %s", f->path, what, strerror(errno));
}

static sl_status exists(const sl_file *f)
{
    return sl_fail(f->ctx, SL_IO, "%s: the file exists, and overwriting it was not allowed",
                   f->path);
}

/* ---- names ---------------------------------------------------------------- */

/* A new string of two parts; NULL if there is no memory. */
static char *join(const char *first, size_t length, const char *second)
{
    const size_t rest = strlen(second) + 1;
    char *text = sl_malloc(length + rest);
    if (!text)
        return NULL;
    memcpy(text, first, length);
    memcpy(text + length, second, rest);
    return text;
}

/* The length of a path up to and with its last slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* Opens the folder of `target`. */
static sl_status open_folder(sl_file *f)
{
    char *path = join(f->target, folder_length(f->target), ".");
    if (!path)
        return sl_fail(f->ctx, SL_NO_MEMORY, "%s: no memory for a name", f->path);
    f->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (f->folder < 0 && errno == EACCES) /* a folder that can be written but not read */
        f->folder = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    sl_status status = f->folder >= 0 ? SL_OK : failure(f, "cannot create");
    sl_free(path);
    return status;
}

/*
 * True if the entry of a folder may be used as the name of an output: not one that another user has put
 * into a folder in which all may write, such as /tmp. As the kernel's fs.protected_symlinks and
 * fs.protected_fifos, which cannot see that this file follows links itself.
 */
static bool is_trusted(int folder, const struct stat *entry)
{
    const mode_t shared = S_ISVTX | S_IWOTH;
    struct stat around;
    if (fstat(folder, &around) != 0)
        return false;
    return (around.st_mode & shared) != shared || entry->st_uid == geteuid() ||
           entry->st_uid == around.st_uid;
}

static sl_status refuse(sl_file *f, const char *kind)
{
    f->refused = true;
    return sl_fail(f->ctx, SL_IO,
                   "%s: cannot create: another user's %s in a folder in which all users may write "
                   "is not used",
                   f->path, kind);
}

/*
 * Reads the name in the open folder, if it is a link: sets link[0] to '\0' if it is none. The link that
 * is checked is the one that is read.
 */
static sl_status read_link(sl_file *f, char link[PATH_MAX])
{
    struct stat entry;
    link[0] = '\0';
    const int fd = openat(f->folder, f->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &entry) != 0)
        entry.st_mode = 0; /* no file, or none that can be opened */
    sl_status status = SL_OK;
    ssize_t length = 0;
    if (S_ISLNK(entry.st_mode)) {
        if (!is_trusted(f->folder, &entry))
            status = refuse(f, "symbolic link");
        else if ((length = readlinkat(fd, "", link, PATH_MAX - 1)) < 0)
            status = failure(f, "cannot create");
    } else if (S_ISFIFO(entry.st_mode) && !is_trusted(f->folder, &entry)) {
        status = refuse(f, "pipe");
    }
    if (fd >= 0)
        close(fd);
    link[length > 0 ? length : 0] = '\0';
    return status;
}

/* Sets `target`, `name` and `folder`: follows the links that the path names, the last of which may lead
 * to no file. */
static sl_status follow_links(sl_file *f)
{
    char link[PATH_MAX];
    f->target = join("", 0, f->path);
    for (int links = 0; f->target; links++) {
        f->name = f->target + folder_length(f->target);
        sl_status status = open_folder(f);
        if (status == SL_OK)
            status = read_link(f, link);
        if (status != SL_OK || link[0] == '\0')
            return status;
        close(f->folder);
        f->folder = -1;
        if (links == MAX_LINKS) {
            errno = ELOOP;
            return failure(f, "cannot create");
        }
        char *next = join(f->target, *link == '/' ? 0 : folder_length(f->target), link);
        sl_free(f->target);
        f->target = next;
    }
    return sl_fail(f->ctx, SL_NO_MEMORY, "%s: no memory for a file name", f->path);
}

static void number_temporary(sl_file *f, int attempt)
{
    snprintf(f->temporary, sizeof f->temporary, "semla-%ld-%d.tmp", (long)getpid(), attempt);
}

/* The path by which /proc names the open file. */
static void name_in_proc(char path[48], int fd)
{
    snprintf(path, 48, "/proc/self/fd/%d", fd);
}

/* ---- creating ------------------------------------------------------------- */

/* A file that replaces another one is readable by its owner only until it gets the mode of that. */
static mode_t mode_of(const sl_file *f)
{
    return f->replaces ? 0600 : 0666;
}

static bool create_unnamed(sl_file *f)
{
    char proc[48];
    f->fd = openat(f->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode_of(f));
    name_in_proc(proc, f->fd);
    if (f->fd >= 0 && access(proc, F_OK) == 0)
        return true;
    if (f->fd >= 0) /* without /proc it could not be linked */
        close(f->fd);
    f->fd = -1;
    return false;
}

static sl_status create_named(sl_file *f)
{
    sigset_t signals;
    if (!temporaries_enter(&signals))
        return sl_fail(f->ctx, SL_IO, "%s: cannot create: the program ends", f->path);
    for (int attempt = 0; f->fd < 0 && attempt < ATTEMPTS; attempt++) {
        number_temporary(f, attempt);
        f->fd =
            openat(f->folder, f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_of(f));
        if (f->fd < 0 && errno != EEXIST)
            break;
    }
    sl_status status = f->fd >= 0 ? SL_OK : failure(f, "cannot create");
    if (status == SL_OK)
        f->record = temporary_record(f->folder, f->temporary);
    if (status == SL_OK && f->record < 0) {
        unlinkat(f->folder, f->temporary, 0);
        status = sl_fail(f->ctx, SL_UNSUPPORTED,
                         "%s: %d files are being written; that is the limit", f->path, TEMPORARIES);
    }
    temporaries_leave(&signals);
    return status;
}

static sl_status open_file(sl_file *f, bool named)
{
    struct stat in_place;
    sl_status status = follow_links(f);
    /* before the status is tested: /dev/fd/1 may be a link to no path */
    if (!f->refused && stat(f->path, &in_place) == 0 && !S_ISREG(in_place.st_mode)) {
        if (f->folder >= 0)
            close(f->folder);
        f->folder = -1;
        f->fd = open(f->path, O_WRONLY | O_CLOEXEC);
        return f->fd >= 0 ? SL_OK : failure(f, "cannot open");
    }
    if (status != SL_OK)
        return status;
    f->replaces = fstatat(f->folder, f->name, &f->old, AT_SYMLINK_NOFOLLOW) == 0;
    if (f->replaces && !f->overwrite)
        return exists(f);
    return !named && create_unnamed(f) ? SL_OK : create_named(f);
}

static void release(sl_file *f)
{
    if (f->fd >= 0)
        close(f->fd);
    if (f->folder >= 0)
        close(f->folder);
    sl_free(f->path);
    sl_free(f->target);
    sl_free(f);
}

/* Removes the temporary name. */
static void discard(sl_file *f)
{
    sigset_t signals;
    if (f->record < 0 || !temporaries_enter(&signals))
        return;
    unlinkat(f->folder, f->temporary, 0);
    temporary_forget(f->record);
    temporaries_leave(&signals);
}

sl_status new_file(sl_file **file, int *fd, char **name, sl_context *ctx, const char *path,
                   bool overwrite)
{
    sl_file *f = sl_malloc(sizeof *f);
    *file = NULL;
    if (!f)
        return sl_fail(ctx, SL_NO_MEMORY, "%s: no memory to open a file", path);
    *f = (sl_file){.ctx = ctx, .fd = -1, .folder = -1, .record = -1, .overwrite = overwrite};
    f->path = join("", 0, path);
    sl_status status = f->path ? open_file(f, name != NULL)
                               : sl_fail(ctx, SL_NO_MEMORY, "%s: no memory for a name", path);
    if (name)
        *name = NULL;
    if (status == SL_OK && name && f->folder >= 0) {
        *name = join(f->target, folder_length(f->target), f->temporary);
        if (!*name)
            status = sl_fail(ctx, SL_NO_MEMORY, "%s: no memory for a name", path);
    }
    if (status != SL_OK) {
        discard(f);
        release(f);
        return status;
    }
    *fd = f->fd;
    *file = f;
    return SL_OK;
}

sl_status sl_file_create(sl_file **file, int *fd, sl_context *ctx, const char *path, bool overwrite)
{
    if (!file || !fd || !path)
        return sl_fail(ctx, SL_INVALID, "file_create: %s is NULL",
                       !file ? "file"
                       : !fd ? "fd"
                             : "path");
    return new_file(file, fd, NULL, ctx, path, overwrite);
}

/* ---- finishing ------------------------------------------------------------ */

/*
 * Gives the file the owner, group and mode of the one that it replaces. Without permission to give
 * it away, a group that must not read the old file must not read the new one either.
 */
static bool take_mode(const sl_file *f)
{
    struct stat now;
    mode_t mode = f->old.st_mode & 0777;
    if (!f->replaces)
        return true;
    if (fstat(f->fd, &now) != 0)
        return false;
    if (now.st_gid != f->old.st_gid && fchown(f->fd, (uid_t)-1, f->old.st_gid) != 0)
        mode &= ~(mode_t)S_IRWXG | (mode << 3);
    if (fchmod(f->fd, mode) != 0)
        return false;
    if (now.st_uid == f->old.st_uid)
        return true;
    return fchown(f->fd, f->old.st_uid, (gid_t)-1) == 0 || errno == EPERM;
}

/* Writes the file to the disk; file systems that cannot do so answer EINVAL. */
static bool synchronise(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == EBADF || errno == EROFS;
}

/* Links an unnamed file under a name of the folder. */
static bool link_as(const sl_file *f, const char *name)
{
    char proc[48];
    name_in_proc(proc, f->fd);
    return linkat(AT_FDCWD, proc, f->folder, name, AT_SYMLINK_FOLLOW) == 0;
}

/* Renames the temporary file; fails with EEXIST rather than replace a file that must not be. */
static bool rename_temporary(const sl_file *f)
{
    if (f->overwrite)
        return renameat(f->folder, f->temporary, f->folder, f->name) == 0;
    if (renameat2(f->folder, f->temporary, f->folder, f->name, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    if (linkat(f->folder, f->temporary, f->folder, f->name, 0) != 0)
        return false;
    unlinkat(f->folder, f->temporary, 0);
    return true;
}

/* Puts the unnamed file in the place of another one. */
static bool replace(sl_file *f)
{
    bool linked = false;
    for (int attempt = 0; !linked && attempt < ATTEMPTS; attempt++) {
        number_temporary(f, attempt);
        linked = link_as(f, f->temporary);
        if (!linked && errno != EEXIST)
            return false;
    }
    if (linked && rename_temporary(f))
        return true;
    const int error = errno;
    if (linked)
        unlinkat(f->folder, f->temporary, 0);
    errno = error;
    return false;
}

static sl_status publish(sl_file *f)
{
    sigset_t signals;
    if (!temporaries_enter(&signals))
        return sl_fail(f->ctx, SL_IO, "%s: cannot write: the program ends", f->path);
    bool done;
    if (f->record >= 0)
        done = rename_temporary(f);
    else
        done = link_as(f, f->name) || (errno == EEXIST && f->overwrite && replace(f));
    sl_status status = SL_OK;
    if (!done)
        status = errno == EEXIST && !f->overwrite ? exists(f) : failure(f, "cannot write");
    if (done && f->record >= 0) {
        temporary_forget(f->record);
        f->record = -1;
    }
    temporaries_leave(&signals);
    return status;
}

sl_status sl_file_finish(sl_file *file, sl_status status)
{
    if (!file)
        return status;
    sl_file *f = file;
    if (f->folder < 0) {
        if (close(f->fd) != 0 && status == SL_OK)
            status = failure(f, "cannot write");
        f->fd = -1;
    } else if (status == SL_OK) {
        if (!take_mode(f) || !synchronise(f->fd))
            status = failure(f, "cannot write");
        if (status == SL_OK)
            status = publish(f);
        if (status == SL_OK && !synchronise(f->folder))
            status = failure(f, "written, but its folder was not");
    }
    discard(f);
    release(f);
    return status;
}
