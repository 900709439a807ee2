/*
 * Files that appear complete or not at all: modes, symbolic links, existing files, and temporary
 * names. Each test runs with unnamed files, and as on a file system that has none.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"

int __real_openat(int folder, const char *path, int flags, ...);
int __wrap_openat(int folder, const char *path, int flags, ...);

static bool without_unnamed; /* O_TMPFILE fails, as on NFS */

int __wrap_openat(int folder, const char *path, int flags, ...)
{
    va_list list;
    va_start(list, flags);
    const mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (without_unnamed && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return __real_openat(folder, path, flags, mode);
}

static sl_status write_new(sl_context *ctx, const char *path, const char *text, bool overwrite)
{
    sl_file *file;
    int fd;
    sl_status status = sl_file_create(&file, &fd, ctx, path, overwrite);
    if (status != SL_OK) {
        assert_null(file);
        return status;
    }
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    return sl_file_finish(file, SL_OK);
}

static mode_t mode_of(const char *path)
{
    struct stat file;
    assert_int_equal(lstat(path, &file), 0);
    return file.st_mode;
}

static void modes(void **state)
{
    sl_context *ctx = *state;
    const char *path = file_path("mode");
    static const mode_t kept[] = {0600, 0644, 0400, 0666, 0640, 0755};
    const mode_t mask = umask(022);
    unlink(path);
    OK(ctx, write_new(ctx, path, "new", false));
    assert_int_equal(mode_of(path) & 0777, 0644);
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
        assert_int_equal(chmod(path, kept[k]), 0);
        OK(ctx, write_new(ctx, path, "newer", true));
        assert_int_equal(mode_of(path) & 07777, kept[k]);
    }
    if (geteuid() == 0) { /* another owner and group, which only root may set */
        struct stat file;
        assert_int_equal(chown(path, 12, 34), 0);
        OK(ctx, write_new(ctx, path, "newest", true));
        assert_int_equal(stat(path, &file), 0);
        assert_int_equal(file.st_uid, 12);
        assert_int_equal(file.st_gid, 34);
    }
    expect_text(path, geteuid() == 0 ? "newest" : "newer");
    umask(mask);
}

/* A link is followed and stays; a link to nothing makes the file that it names. */
static void links(void **state)
{
    sl_context *ctx = *state;
    char target[600], link[600], second[600];
    strcpy(target, file_path("target"));
    strcpy(link, file_path("link"));
    strcpy(second, file_path("second"));
    unlink(target);
    unlink(link);
    unlink(second);
    assert_int_equal(symlink("target", link), 0); /* relative to the folder of the link */
    assert_int_equal(symlink(link, second), 0);
    OK(ctx, write_new(ctx, second, "one", false));
    expect_text(target, "one");
    assert_true(S_ISREG(mode_of(target)) && S_ISLNK(mode_of(link)) && S_ISLNK(mode_of(second)));
    assert_int_equal(write_new(ctx, second, "two", false), SL_IO);
    OK(ctx, write_new(ctx, second, "three", true));
    expect_text(target, "three");
    assert_true(S_ISREG(mode_of(target)) && S_ISLNK(mode_of(link)) && S_ISLNK(mode_of(second)));
    unlink(link);
    assert_int_equal(symlink("second", link), 0); /* a circle */
    assert_int_equal(write_new(ctx, link, "four", true), SL_IO);
    assert_non_null(strstr(sl_context_message(ctx), "Too many levels of symbolic links"));
}

/* The status of writing through a link, or into a pipe, `name` in a folder of this owner and mode. */
static sl_status write_through(sl_context *ctx, const char *folder, const char *name, mode_t mode,
                               uid_t folder_owner, uid_t link_owner, bool overwrite)
{
    char path[700];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(chmod(folder, mode), 0);
    assert_int_equal(chown(folder, folder_owner, (gid_t)-1), 0);
    assert_int_equal(lchown(path, link_owner, (gid_t)-1), 0);
    return write_new(ctx, path, "through", overwrite);
}

/*
 * In a sticky folder in which all may write, another user's link is not followed, whether the file that
 * it leads to exists or not, and another user's pipe is not opened.
 */
static void links_of_others(void **state)
{
    sl_context *ctx = *state;
    char folder[600], link[700], target[700], second[700], pipe[700];
    const uid_t own = geteuid(), other = 1234, third = 4321;
    if (own != 0)
        skip(); /* only root can make links of other users */
    snprintf(folder, sizeof folder, "%s", file_path("shared"));
    snprintf(link, sizeof link, "%s/link", folder);
    snprintf(second, sizeof second, "%s/second", folder);
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    snprintf(target, sizeof target, "%s", file_path("victim"));
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(symlink(target, link), 0);
    assert_int_equal(symlink("link", second), 0);
    assert_int_equal(mkfifo(pipe, 0666), 0);
    for (int exists = 0; exists < 2; exists++)
        for (int overwrite = 0; overwrite < 2; overwrite++) {
            unlink(target);
            if (exists)
                file_with("victim", "kept");
            assert_int_equal(write_through(ctx, folder, "link", 01777, own, other, overwrite == 1),
                             SL_IO);
            assert_non_null(strstr(sl_context_message(ctx), "link: cannot create: another user's "
                                                            "symbolic link in a folder"));
            assert_int_equal(/* one's own link to the other's */
                             write_through(ctx, folder, "second", 01777, own, own, overwrite == 1),
                             SL_IO);
            assert_int_equal(
                write_through(ctx, folder, "link", 01777, third, other, overwrite == 1), SL_IO);
            if (exists)
                expect_text(target, "kept");
            else
                assert_int_equal(access(target, F_OK), -1);
        }
    assert_int_equal(write_through(ctx, folder, "pipe", 01777, own, other, true), SL_IO);
    assert_non_null(strstr(sl_context_message(ctx), "another user's pipe in a folder"));
    static const struct {
        mode_t mode;
        uid_t folder, link;
    } followed[] = {{01777, 4321, 0},    /* one's own link */
                    {01777, 1234, 1234}, /* a link of the folder's owner */
                    {0777, 0, 1234},     /* not sticky */
                    {01755, 0, 1234},    /* not for all */
                    {0700, 0, 1234}};
    for (size_t k = 0; k < sizeof followed / sizeof *followed; k++) {
        unlink(target);
        OK(ctx, write_through(ctx, folder, "link", followed[k].mode, followed[k].folder,
                              followed[k].link, false));
        expect_text(target, "through");
        assert_true(S_ISLNK(mode_of(link)));
    }
    unlink(link);
    unlink(second);
    unlink(pipe);
    assert_int_equal(rmdir(folder), 0);
}

/* An existing file stays, also one that appears while the new one is written. */
static void existing(void **state)
{
    sl_context *ctx = *state;
    const char *path = file_with("existing", "old");
    const int files = file_count();
    sl_file *file;
    int fd;
    assert_int_equal(write_new(ctx, path, "new", false), SL_IO);
    assert_non_null(strstr(sl_context_message(ctx), "existing: the file exists"));
    unlink(path);
    OK(ctx, sl_file_create(&file, &fd, ctx, path, false));
    file_with("existing", "meanwhile");
    assert_int_equal(sl_file_finish(file, SL_OK), SL_IO);
    assert_non_null(strstr(sl_context_message(ctx), "existing: the file exists"));
    expect_text(path, "meanwhile");
    OK(ctx, sl_file_create(&file, &fd, ctx, path, true));
    assert_int_equal(sl_file_finish(file, SL_UNSUPPORTED), SL_UNSUPPORTED);
    expect_text(path, "meanwhile");
    assert_int_equal(file_count(), files);
    assert_int_equal(sl_file_finish(NULL, SL_SYNTAX), SL_SYNTAX);
    assert_int_equal(write_new(ctx, "/nonexistent/file", "", true), SL_IO);
    assert_int_equal(write_new(ctx, "/", "", true), SL_IO);
    assert_int_equal(sl_file_create(NULL, &fd, ctx, path, true), SL_INVALID);
    OK(ctx, write_new(ctx, "/dev/null", "text", false));
}

/* The options of the library's writers. */
static void writers(void **state)
{
    sl_context *ctx = *state;
    static const char *const names[] = {"m.mtx", "m.semla", "m.txt.gz", "m.g500"};
    sl_matrix *A;
    sl_vector *v;
    OK(ctx, sl_matrix_new(&A, ctx, SL_BOOL, 3, 3));
    OK(ctx, sl_matrix_set(A, 1, 2, sl_scalar_bool(true)));
    OK(ctx, sl_vector_new(&v, ctx, SL_INT64, 3));
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        const char *path = file_with(names[k], "old");
        const sl_write_options options = {.no_overwrite = true};
        assert_int_equal(sl_matrix_write_with(A, path, &options), SL_IO);
        expect_text(path, "old");
        OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
        unlink(path);
        OK(ctx, sl_matrix_write_with(A, path, &options));
    }
    const char *path = file_with("v.npy", "old");
    const sl_vector_options options = {.no_overwrite = true};
    assert_int_equal(sl_vector_write_with(v, path, &options), SL_IO);
    expect_text(path, "old");
    OK(ctx, sl_vector_write(v, path, SL_VECTOR_AUTO));
    sl_vector_free(v);
    sl_matrix_free(A);
}

/* sl_files_discard removes the names of all files, and none can be finished afterwards. */
static void discarding(void **state)
{
    sl_context *ctx = *state;
    const int files = file_count();
    enum { FILES = 5 };
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        sl_file *file[FILES];
        int fd, good = 0;
        for (int k = 0; k < FILES; k++) {
            const char name[] = {'n', (char)('0' + k), '\0'};
            good += sl_file_create(&file[k], &fd, ctx, file_path(name), true) == SL_OK;
        }
        const int between = file_count() - files;
        sl_files_discard();
        good += file_count() == files && between == (without_unnamed ? FILES : 0);
        for (int k = 0; k < FILES; k++)
            good += sl_file_finish(file[k], SL_OK) == SL_IO;
        good += file_count() == files;
        _exit(good);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 2 * FILES + 2);
}

typedef struct {
    sl_context *ctx;
    const char *path;
} job;

static sl_status create_and_finish(void *data)
{
    const job *j = data;
    sl_file *file;
    int fd;
    sl_status status = sl_file_create(&file, &fd, j->ctx, j->path, true);
    return sl_file_finish(file, status);
}

static void allocation_failures(void **state)
{
    job j = {*state, file_with("failing", "old")};
    const int files = file_count();
    assert_true(allocator_fail_each(create_and_finish, &j) >= 3);
    assert_int_equal(file_count(), files);
}

static int named_setup(void **state)
{
    without_unnamed = true;
    return files_setup(state);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes),
        cmocka_unit_test(links),
        cmocka_unit_test(links_of_others),
        cmocka_unit_test(existing),
        cmocka_unit_test(writers),
        cmocka_unit_test(discarding),
        cmocka_unit_test(allocation_failures),
    };
    const int unnamed = cmocka_run_group_tests(tests, files_setup, files_teardown);
    return unnamed + cmocka_run_group_tests(tests, named_setup, files_teardown);
}
