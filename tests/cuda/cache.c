/* The disk cache of compiled programs: its entries, damaged entries, folders that cannot be
 * written, several processes and threads at once. */
#include "compiled.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the cache ----------------------------------------------------------------------- */

static void test_kept(void **state)
{
    need_nvrtc();
    sl_binary_op op = weigh_of("weigh", weigh_source);
    cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
    expect(&wanted, 90, false);
    expect(&wanted, 90, true);
    expect(&wanted, 75, false); /* another architecture */
    sl_binary_op other = weigh_of("weigh", "*z = *x * 4 - (*y > 1.5f);");
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_EWISE, .binary = other}, 90, false);
    assert_int_equal(files_in(folder, NULL), 3);
    sl_binary_op_free(op);
    sl_binary_op_free(other);
}

static void change_byte(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    fputc(byte ^ 0x40, file);
    fclose(file);
}

/* Uses the cache functions directly. */
static const cuda_image some = {.names = "kernel\0code", .names_size = 7, .code_size = 4};

static void keep(const cuda_cache *cache, const char *key)
{
    assert_int_equal(sl_cuda_cache_write(cache, key, strlen(key), &some), 0);
}

static cuda_cache_answer answer(const cuda_cache *cache, const char *key)
{
    cuda_image image;
    cuda_cache_answer got = sl_cuda_cache_read(cache, key, strlen(key), &image);
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

static void test_damaged_program(void **state)
{
    need_nvrtc();
    char path[512];
    sl_binary_op op = weigh_of("weigh", weigh_source);
    cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
    expect(&wanted, 90, false);
    assert_int_equal(files_in(folder, path), 1);
    change_byte(path, -100);
    expect(&wanted, 90, false);
    expect(&wanted, 90, true);
    sl_binary_op_free(op);
}

/* Without a usable folder programs are compiled every time. */
static void test_unwritable(void **state)
{
    need_nvrtc();
    char path[128];
    sl_binary_op op = weigh_of("weigh", weigh_source);
    cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
    snprintf(path, sizeof path, "%s/file", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    setenv("SEMLA_CACHE_DIR", path, 1);
    expect(&wanted, 90, false);
    expect(&wanted, 90, false);
    cuda_cache cache;
    sl_cuda_cache_find(&cache);
    assert_int_equal(sl_cuda_cache_write(&cache, "a key", 5, &some), ENOTDIR);
    sl_binary_op_free(op);
}

static void test_off(void **state)
{
    sl_binary_op op = weigh_of("weigh", weigh_source);
    cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
    const char *values[] = {"off", ""};
    for (int k = 0; k < 2; k++) {
        cuda_image image;
        setenv("SEMLA_CACHE_DIR", values[k], 1);
        assert_non_null(strstr(sl_cuda_cannot_compile(), "SEMLA_CACHE_DIR"));
        assert_int_equal(compile(&image, &wanted, 90), SL_UNSUPPORTED);
        assert_non_null(strstr(sl_context_message(ctx), "weigh"));
        assert_non_null(strstr(sl_context_message(ctx), "SEMLA_CACHE_DIR forbids"));
    }
    sl_binary_op_free(op);
}

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

/* ---- several at once -------------------------------------------------------------------- */

/* Separate processes, so each of them compiles. */
static void test_processes(void **state)
{
    need_nvrtc();
    sl_binary_op op = weigh_of("weigh", weigh_source);
    cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
    pid_t child[3];
    for (int k = 0; k < 3; k++) {
        child[k] = fork();
        if (child[k] == 0) {
            cuda_image image;
            _exit(compile(&image, &wanted, 90) == SL_OK ? 0 : 1);
        }
    }
    for (int k = 0; k < 3; k++) {
        int how;
        assert_int_equal(waitpid(child[k], &how, 0), child[k]);
        assert_int_equal(how, 0);
    }
    assert_int_equal(files_in(folder, NULL), 1);
    expect(&wanted, 90, true);
    sl_binary_op_free(op);
}

static void *compile_in_thread(void *wanted)
{
    cuda_image image;
    bool failed = compile(&image, wanted, 90) != SL_OK;
    sl_cuda_image_free(&image);
    return failed ? wanted : NULL;
}

static void test_threads(void **state)
{
    need_nvrtc();
    sl_binary_op op = weigh_of("weigh", weigh_source);
    cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
    pthread_t thread[3];
    for (int k = 0; k < 3; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, compile_in_thread, &wanted), 0);
    for (int k = 0; k < 3; k++) {
        void *failed;
        pthread_join(thread[k], &failed);
        assert_null(failed);
    }
    assert_int_equal(files_in(folder, NULL), 1);
    sl_binary_op_free(op);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        COMPILED_TEST(test_damage),     COMPILED_TEST(test_same_hash),
        COMPILED_TEST(test_off),        COMPILED_TEST(test_folders),
        COMPILED_TEST(test_kept),       COMPILED_TEST(test_damaged_program),
        COMPILED_TEST(test_unwritable), COMPILED_TEST(test_processes),
        COMPILED_TEST(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
