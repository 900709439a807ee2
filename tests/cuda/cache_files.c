/*
 * The files of the disk cache of compiled programs: damaged entries, entries that others could have
 * written, forged lengths, folders. Needs neither CUDA nor a GPU.
 */
#include "cache_folder.h"

#include "cuda/jit/cache.h"
#include "cuda/runtime/shared_library.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Uses the cache functions directly. */
static const cuda_image some = {.names = "kernel\0code", .names_size = 7, .code_size = 4};

static void keep(const cuda_cache *cache, const char *key)
{
    assert_int_equal(sl_cuda_cache_write(cache, key, strlen(key), &some), 0);
}

static cuda_cache_answer answer(const cuda_cache *cache, const char *key)
{
    cuda_image image;
    cuda_cache_answer got = sl_cuda_cache_read(cache, key, strlen(key), 1, &image);
    if (got == CUDA_CACHE_HIT) {
        assert_int_equal(image.names_size, 7);
        assert_int_equal(image.code_size, 4);
        assert_memory_equal(image.names, "kernel\0code", 11);
        assert_memory_equal(image.code, "code", 4);
    } else {
        assert_null(image.names);
    }
    sl_cuda_image_free(&image);
    return got;
}

/* Changes each byte of an entry, and truncates it at each length. */
static void test_damage(void **state)
{
    cuda_cache cache;
    char path[512];
    struct stat about;
    sl_cuda_cache_find(&cache);
    assert_int_equal(answer(&cache, "a key"), CUDA_CACHE_MISS);
    keep(&cache, "a key");
    assert_int_equal(answer(&cache, "a key"), CUDA_CACHE_HIT);
    assert_int_equal(files_in(folder, path), 1);
    assert_int_equal(stat(path, &about), 0);
    for (long at = 0; at < about.st_size; at++) {
        change_byte(path, at);
        assert_int_equal(answer(&cache, "a key"), CUDA_CACHE_DAMAGED);
        change_byte(path, at);
        assert_int_equal(answer(&cache, "a key"), CUDA_CACHE_HIT);
    }
    for (long length = about.st_size + 9; length >= 0; length--) {
        assert_int_equal(truncate(path, length), 0);
        if (length != about.st_size)
            assert_int_equal(answer(&cache, "a key"), CUDA_CACHE_DAMAGED);
    }
    keep(&cache, "a key");
    assert_int_equal(answer(&cache, "a key"), CUDA_CACHE_HIT);
}

/* An entry of another key under this key's file name, as after a hash collision. */
static void test_same_hash(void **state)
{
    cuda_cache cache;
    char first[512], second[512];
    sl_cuda_cache_find(&cache);
    keep(&cache, "one");
    assert_int_equal(files_in(folder, first), 1);
    char aside[600];
    snprintf(aside, sizeof aside, "%s.aside", first);
    assert_int_equal(rename(first, aside), 0);
    keep(&cache, "two");
    assert_int_equal(remove(first), -1);
    files_in(folder, second);
    if (strcmp(second, aside) == 0) { /* whichever of the two is listed last */
        assert_int_equal(rename(aside, first), 0);
        assert_int_equal(files_in(folder, NULL), 2);
        DIR *listing = opendir(folder);
        for (struct dirent *e; (e = readdir(listing));)
            if (e->d_name[0] != '.' && !strstr(first, e->d_name))
                snprintf(second, sizeof second, "%s/%s", folder, e->d_name);
        closedir(listing);
        assert_int_equal(rename(first, aside), 0);
    }
    assert_int_equal(rename(aside, second), 0);
    assert_int_equal(answer(&cache, "two"), CUDA_CACHE_MISS);
    keep(&cache, "two");
    assert_int_equal(answer(&cache, "two"), CUDA_CACHE_HIT);
}

/* ---- entries that others could have written -------------------------------------------- */

/* Makes an entry and returns its path. */
static void make_entry(cuda_cache *cache, char path[512])
{
    sl_cuda_cache_find(cache);
    keep(cache, "a key");
    assert_int_equal(files_in(folder, path), 1);
}

/* The entry is refused; writing it again replaces it by a file that is accepted. */
static void expect_refused(const cuda_cache *cache, const char *path)
{
    struct stat about;
    assert_int_equal(answer(cache, "a key"), CUDA_CACHE_FOREIGN);
    keep(cache, "a key");
    assert_int_equal(lstat(path, &about), 0);
    assert_true(S_ISREG(about.st_mode));
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(about.st_uid, geteuid());
    assert_int_equal(answer(cache, "a key"), CUDA_CACHE_HIT);
}

static void test_modes(void **state)
{
    cuda_cache cache;
    char path[512];
    make_entry(&cache, path);
    static const mode_t good[] = {0600, 0644, 0755, 0640, 0400};
    static const mode_t bad[] = {0620, 0602, 0666, 0777, 0660, 0422};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        assert_int_equal(chmod(path, good[k]), 0);
        assert_int_equal(answer(&cache, "a key"), CUDA_CACHE_HIT);
    }
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        assert_int_equal(chmod(path, bad[k]), 0);
        expect_refused(&cache, path);
    }
}

/* Entries have mode 0600 whatever the umask. */
static void test_umask(void **state)
{
    cuda_cache cache;
    char path[512];
    struct stat about;
    const mode_t before = umask(0);
    make_entry(&cache, path);
    umask(before);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
}

static void test_other_owner(void **state)
{
    cuda_cache cache;
    char path[512];
    make_entry(&cache, path);
    if (chown(path, 65534, (gid_t)-1) != 0) {
        print_message("only root can give a file to another user\n");
        skip();
    }
    expect_refused(&cache, path);
}

static void test_links(void **state)
{
    cuda_cache cache;
    char path[512], aside[600];
    make_entry(&cache, path);
    snprintf(aside, sizeof aside, "%s.aside", path);
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(symlink(aside, path), 0); /* to a good entry */
    expect_refused(&cache, path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("/nowhere", path), 0);
    expect_refused(&cache, path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink(path, path), 0);
    expect_refused(&cache, path);
    /* A link to the folder is the user's choice. */
    char link[128];
    snprintf(link, sizeof link, "%s.link", folder);
    assert_int_equal(symlink(folder, link), 0);
    setenv("SEMLA_CACHE_DIR", link, 1);
    sl_cuda_cache_find(&cache);
    assert_int_equal(answer(&cache, "a key"), CUDA_CACHE_HIT);
    assert_int_equal(unlink(link), 0);
}

/* Things that are no files. Opening a FIFO must not wait for a writer: the alarm ends the test. */
static void test_other_kinds(void **state)
{
    cuda_cache cache;
    char path[512];
    make_entry(&cache, path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(600);
    expect_refused(&cache, path);
    alarm(0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(answer(&cache, "a key"), CUDA_CACHE_FOREIGN);
    assert_int_not_equal(sl_cuda_cache_write(&cache, "a key", 5, &some), 0);
    assert_int_equal(files_in(folder, NULL), 1); /* no temporary file is left */
    assert_int_equal(rmdir(path), 0);
}

/* ---- forged lengths --------------------------------------------------------------------- */

/* The head of an entry, as cache.c writes it. */
typedef struct {
    char magic[16];
    uint64_t checksum, key_size, names_size, code_size;
} forged_head;

static uint64_t fnv(uint64_t h, const void *bytes, size_t size)
{
    for (size_t k = 0; k < size; k++)
        h = (h ^ ((const unsigned char *)bytes)[k]) * UINT64_C(0x100000001b3);
    return h;
}

/* Writes an entry of "a key" whose checksum is right for the given lengths and contents, in a file
 * of `size` bytes, or of as many as it needs if 0. */
static void forge(const char *path, uint64_t key_size, uint64_t names_size, uint64_t code_size,
                  const char *contents, size_t length, uint64_t size)
{
    forged_head head = {"semla kernels 1", 0, key_size, names_size, code_size};
    head.checksum = fnv(UINT64_C(0xcbf29ce484222325), &head.key_size, 24);
    head.checksum = fnv(fnv(head.checksum, "a key", 5), contents, length);
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, &head, sizeof head), sizeof head);
    assert_int_equal(write(file, "a key", 5), 5);
    assert_int_equal(write(file, contents, length), length);
    if (size > 0)
        assert_int_equal(ftruncate(file, (off_t)size), 0);
    close(file);
}

static void test_forged_lengths(void **state)
{
    cuda_cache cache;
    char path[512];
    const uint64_t head = sizeof(forged_head), most = UINT64_MAX, large = (uint64_t)1 << 40;
    make_entry(&cache, path);
    forge(path, 5, 7, 4, "kernel\0code", 11, 0);
    assert_int_equal(answer(&cache, "a key"), CUDA_CACHE_HIT); /* so the forgery is faithful */
    const struct {
        uint64_t key, names, code;
        const char *contents;
        size_t length;
        uint64_t size;
    } cases[] = {
        {5, 7, 4, "kernelXcode", 11, 0},                     /* names without an end */
        {5, 7, 4, "ker\0el\0code", 11, 0},                   /* two names instead of one */
        {5, 0, 11, "kernel\0code", 11, 0},                   /* no names */
        {5, 11, 0, "kernel\0cod\0", 11, 0},                  /* no code */
        {5, most, 12, "kernel\0code", 11, 0},                /* the sum of the lengths wraps */
        {5, 12, most, "kernel\0code", 11, 0},                /* likewise */
        {most - 10, 7, 20, "kernel\0code", 11, 0},           /* likewise */
        {5, large, 4, "kernel\0code", 11, head + 9 + large}, /* a sparse file */
        {5, 7, large, "kernel\0code", 11, head + 12 + large},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        forge(path, cases[k].key, cases[k].names, cases[k].code, cases[k].contents, cases[k].length,
              cases[k].size);
        const cuda_cache_answer got = answer(&cache, "a key");
        if (got != CUDA_CACHE_DAMAGED)
            fail_msg("case %zu: %d", k, (int)got);
    }
    /* A long key is not the key; it is not read. */
    forge(path, large, 7, 4, "kernel\0code", 11, head + large + 11);
    assert_int_equal(answer(&cache, "a key"), CUDA_CACHE_MISS);
}

/* ---- folders ---------------------------------------------------------------------------- */

static void expect_folder(const char *wanted)
{
    cuda_cache cache;
    sl_cuda_cache_find(&cache);
    assert_false(cache.off);
    assert_string_equal(cache.folder, wanted);
}

static void test_folders(void **state)
{
    static char long_name[5000];
    memset(long_name, 'x', sizeof long_name - 1);
    setenv("SEMLA_CACHE_DIR", "/some/folder", 1);
    expect_folder("/some/folder");
    setenv("SEMLA_CACHE_DIR", long_name, 1);
    expect_folder("");
    unsetenv("SEMLA_CACHE_DIR");
    setenv("HOME", "/home/of", 1);
    setenv("XDG_CACHE_HOME", "/caches", 1);
    expect_folder("/caches/semla");
    setenv("XDG_CACHE_HOME", "not/absolute", 1);
    expect_folder("/home/of/.cache/semla");
    unsetenv("XDG_CACHE_HOME");
    expect_folder("/home/of/.cache/semla");
    unsetenv("HOME");
    expect_folder("");
    char deep[128];
    snprintf(deep, sizeof deep, "%s/not/yet", folder);
    setenv("SEMLA_CACHE_DIR", deep, 1);
    cuda_cache cache;
    sl_cuda_cache_find(&cache);
    keep(&cache, "a key");
    assert_int_equal(answer(&cache, "a key"), CUDA_CACHE_HIT);
    empty_folder(deep);
    rmdir(deep);
}

/* What a process with more privileges than its caller does: exit status 0 if it ignores the
 * variables, 77 if it has no more privileges here. */
static int ignores_environment(void)
{
    cuda_cache cache;
    if (!getauxval(AT_SECURE))
        return 77;
    setenv("SEMLA_CACHE_DIR", "/some/folder", 1);
    setenv("XDG_CACHE_HOME", "/caches", 1);
    setenv("HOME", "/home/of", 1);
    setenv("A_LIBRARY", "libm.so.6", 1);
    sl_cuda_cache_find(&cache);
    return cache.off || *cache.folder || sl_cuda_open_library("A_LIBRARY", NULL, 0) ? 1 : 0;
}

static void test_libraries(void **state)
{
    static const char *const usual[] = {"no-such-library.so", "libm.so.6"};
    unsetenv("A_LIBRARY");
    assert_null(sl_cuda_open_library("A_LIBRARY", usual, 1));
    assert_non_null(sl_cuda_open_library("A_LIBRARY", usual, 2));
    setenv("A_LIBRARY", "no-such-library.so", 1);
    assert_null(sl_cuda_open_library("A_LIBRARY", usual, 2));
    setenv("A_LIBRARY", "libm.so.6", 1);
    assert_non_null(sl_cuda_open_library("A_LIBRARY", usual, 1));
    unsetenv("A_LIBRARY");
}

/* A copy of this program that runs with the rights of another group. */
static void test_setgid(void **state)
{
    char copy[128], command[400];
    snprintf(copy, sizeof copy, "%s/program", folder);
    snprintf(command, sizeof command, "cp /proc/%ld/exe %s", (long)getpid(), copy);
    assert_int_equal(system(command), 0);
    if (chown(copy, (uid_t)-1, 65534) != 0 || chmod(copy, 02755) != 0) {
        print_message("only root can give a program to another group\n");
        skip();
    }
    const pid_t child = fork();
    if (child == 0) {
        execl(copy, copy, "ignores-environment", (char *)NULL);
        _exit(1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    if (WEXITSTATUS(how) == 77 || WEXITSTATUS(how) == 127) { /* 127: the loader failed */
        print_message("a setgid program has no privileges in %s, or does not find its libraries\n",
                      folder);
        skip();
    }
    assert_int_equal(WEXITSTATUS(how), 0);
}

#define FOLDER_TEST(f) cmocka_unit_test_setup_teardown(f, folder_begin, folder_end)

int main(int argc, char **argv)
{
    if (argc > 1)
        return ignores_environment();
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(test_damage),      FOLDER_TEST(test_same_hash),      FOLDER_TEST(test_modes),
        FOLDER_TEST(test_umask),       FOLDER_TEST(test_other_owner),    FOLDER_TEST(test_links),
        FOLDER_TEST(test_other_kinds), FOLDER_TEST(test_forged_lengths), FOLDER_TEST(test_folders),
        FOLDER_TEST(test_libraries),   FOLDER_TEST(test_setgid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
