/*
 * Programs that are compiled while the library runs, and the cache that keeps them. NVRTC
 * needs no GPU; where there is no NVRTC, tests that compile are skipped.
 */
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <semla/cache.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static sl_context *ctx;
static char folder[64]; /* the test's own cache */

/* ---- folders ------------------------------------------------------------------- */

static size_t files_in(const char *path, char last[512])
{
    size_t count = 0;
    DIR *listing = opendir(path);
    for (struct dirent *e; listing && (e = readdir(listing));) {
        if (e->d_name[0] == '.')
            continue;
        if (last)
            snprintf(last, 512, "%s/%s", path, e->d_name);
        count++;
    }
    if (listing)
        closedir(listing);
    return count;
}

static void empty_folder(const char *path)
{
    char file[512];
    while (files_in(path, file) > 0)
        if (remove(file) != 0)
            fail_msg("cannot remove %s", file);
}

static int set_up(void **state)
{
    strcpy(folder, "/tmp/semla-cache-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    setenv("SEMLA_CACHE_DIR", folder, 1);
    return sl_context_create(&ctx, SL_ENGINE_SUITESPARSE);
}

static int tear_down(void **state)
{
    sl_context_free(ctx);
    empty_folder(folder);
    return rmdir(folder);
}

/* ---- operators ------------------------------------------------------------------- */

static void half(void *z, const void *x)
{
    *(double *)z = *(const int8_t *)x * 0.5;
}

static void weigh(void *z, const void *x, const void *y)
{
    *(int32_t *)z = *(const uint8_t *)x * 4 + (*(const float *)y > 1.5f);
}

static void gcd(void *z, const void *px, const void *py)
{
    uint64_t x = *(const uint64_t *)px, y = *(const uint64_t *)py;
    for (uint64_t rest; y != 0; x = y, y = rest)
        rest = x % y;
    *(uint64_t *)z = x;
}

static void place(void *z, const void *x, int64_t i, int64_t j, const void *thunk)
{
    *(int64_t *)z = 100 * i + 10 * j + (*(const double *)x > 1) + *(const int32_t *)thunk;
}

static sl_binary_op weigh_of(const char *name, const char *source)
{
    sl_binary_op op;
    OK(ctx, sl_binary_op_new(&op, ctx, name, SL_INT32, SL_UINT8, SL_FP32, weigh, source));
    return op;
}

static const char weigh_source[] = "*z = *x * 4 + (*y > 1.5f);";

static sl_status compile(cuda_image *image, const cuda_wanted *wanted, int architecture)
{
    cuda_program program;
    sl_status status = sl_cuda_program_write(ctx, &program, wanted);
    *image = (cuda_image){0};
    if (status == SL_OK)
        status = sl_cuda_image_of(ctx, image, &program, architecture);
    sl_cuda_program_free(&program);
    return status;
}

static void expect(const cuda_wanted *wanted, int architecture, bool cached)
{
    cuda_image image;
    OK(ctx, compile(&image, wanted, architecture));
    assert_true(image.code_size > 100 && image.names_size > 4);
    assert_int_equal(image.names[image.names_size - 1], 0);
    assert_int_equal(image.cached, cached);
    sl_cuda_image_free(&image);
}

static void need_nvrtc(void)
{
    if (!sl_nvrtc_absence())
        return;
    print_message("%s\n", sl_nvrtc_absence());
    skip();
}

/* ---- what is compiled -------------------------------------------------------------- */

static void test_maps(void **state)
{
    need_nvrtc();
    sl_unary_op unary;
    sl_index_op index;
    sl_binary_op binary = weigh_of("weigh", weigh_source);
    OK(ctx, sl_unary_op_new(&unary, ctx, "half", SL_FP64, SL_INT8, half, "*z = *x * 0.5;"));
    OK(ctx, sl_index_op_new(&index, ctx, "place", SL_INT64, SL_FP64, SL_INT32, place,
                            "*z = 100 * i + 10 * j + (*x > 1) + *thunk;"));
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_EWISE, .binary = binary}, 75, false);
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_JOIN, .binary = binary}, 90, false);
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_APPLY, .unary = unary}, 90, false);
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_INDEX, .index = index}, 90, false);
    expect(&(cuda_wanted){.kind = CUDA_PROGRAM_INDEX_ENTRIES, .index = index}, 90, false);
    sl_binary_op_free(binary);
    sl_unary_op_free(unary);
    sl_index_op_free(index);
}

/* Products of the user's and the table's parts; sums. */
static void test_products(void **state)
{
    need_nvrtc();
    sl_binary_op multiply = weigh_of("weigh", weigh_source), divisor;
    sl_monoid add;
    sl_scalar one = sl_scalar_uint64(1);
    OK(ctx, sl_binary_op_new(&divisor, ctx, "gcd", SL_UINT64, SL_UINT64, SL_UINT64, gcd,
                             "uint64_t a = *x, b = *y;\n"
                             "for (uint64_t rest; b != 0; a = b, b = rest)\n"
                             "    rest = a % b;\n"
                             "*z = a; // the last comment ends with the line"));
    OK(ctx, sl_monoid_new(&add, ctx, "gcd", divisor, sl_scalar_uint64(0), &one));
    const cuda_wanted wanted[] = {
        {.kind = CUDA_PROGRAM_PULL, .monoid = SL_PLUS_MONOID_INT32, .binary = multiply},
        {.kind = CUDA_PROGRAM_PUSH, .monoid = SL_ANY_MONOID_INT32, .binary = multiply},
        {.kind = CUDA_PROGRAM_PULL, .monoid = add, .binary = SL_TIMES_UINT64},
        {.kind = CUDA_PROGRAM_DOTS, .monoid = SL_MAX_MONOID_INT64, .binary = SL_FIRSTJ_INT64},
        {.kind = CUDA_PROGRAM_DOTS, .monoid = SL_LOR_MONOID_BOOL, .binary = SL_EQ_FP64},
        {.kind = CUDA_PROGRAM_PUSH, .monoid = SL_LXOR_MONOID_BOOL, .binary = SL_LT_INT16},
        {.kind = CUDA_PROGRAM_SUMS, .monoid = add, .binary = SL_TIMES_UINT64},
        {.kind = CUDA_PROGRAM_FULL, .monoid = SL_PLUS_MONOID_INT32, .binary = multiply},
        {.kind = CUDA_PROGRAM_REDUCE, .monoid = add},
    };
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        expect(&wanted[k], k % 2 ? 75 : 90, false);
    sl_monoid_free(add);
    sl_binary_op_free(divisor);
    sl_binary_op_free(multiply);
}

/* A device that NVRTC does not know yet gets code that its driver compiles. */
static void test_new_device(void **state)
{
    need_nvrtc();
    sl_binary_op op = weigh_of("weigh", weigh_source);
    cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
    cuda_image image;
    OK(ctx, compile(&image, &wanted, 999));
    assert_non_null(strstr(image.code, ".target sm_"));
    sl_cuda_image_free(&image);
    assert_int_equal(compile(&image, &wanted, 10), SL_UNSUPPORTED);
    sl_binary_op_free(op);
}

/* A program whose text does not compile is the caller's error, with the compiler's words. */
static void test_broken_text(void **state)
{
    need_nvrtc();
    const struct {
        const char *source, *word;
    } cases[] = {{"*z = *x +;", "expected an expression"},
                 {"*z = nothing;", "\"nothing\" is undefined"},
                 {"*z = 1; }", "error"},
                 {"*x = 1;", "error"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cuda_image image;
        sl_binary_op op = weigh_of("a \"quoted\\ name", cases[k].source);
        cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
        assert_int_equal(compile(&image, &wanted, 90), SL_INVALID);
        assert_non_null(strstr(sl_context_message(ctx), "a \"quoted\\ name does not compile"));
        assert_non_null(strstr(sl_context_message(ctx), "a _quoted_ name("));
        if (!strstr(sl_context_message(ctx), cases[k].word))
            fail_msg("%s: %s", cases[k].source, sl_context_message(ctx));
        assert_null(image.names);
        sl_binary_op_free(op);
    }
    assert_int_equal(files_in(folder, NULL), 0);
}

/* ---- the cache ----------------------------------------------------------------------- */

static void test_kept(void **state)
{
    need_nvrtc();
    sl_binary_op op = weigh_of("weigh", weigh_source);
    cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
    expect(&wanted, 90, false);
    expect(&wanted, 90, true);
    expect(&wanted, 75, false); /* another device */
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

/* The cache alone, which is told what to keep. */
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

/* Whichever byte of an entry is changed, and wherever it is cut off. */
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

/* Another key's entry under this key's name, as if both had one hash. */
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

/* Folders that cannot be: compiled all the same. */
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

/* In processes of their own, so that each of them compiles. */
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

/* ---- without ------------------------------------------------------------------------------ */

/* In a process that has not looked for NVRTC yet. */
static void test_absence(void **state)
{
    sl_binary_op op = weigh_of("weigh", weigh_source);
    cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
    pid_t child = fork();
    if (child == 0) {
        cuda_image image;
        setenv("SEMLA_NVRTC", "/no/such/library.so", 1);
        bool right = compile(&image, &wanted, 90) == SL_UNSUPPORTED &&
                     strstr(sl_context_message(ctx), "NVRTC is not there: /no/such/library.so");
        _exit(right ? 0 : 1);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_int_equal(how, 0);
    sl_binary_op_free(op);
}

static sl_status compile_with_little_memory(void *wanted)
{
    cuda_image image;
    sl_status status = compile(&image, wanted, 90);
    sl_cuda_image_free(&image);
    return status;
}

static void test_memory(void **state)
{
    need_nvrtc();
    sl_binary_op op = weigh_of("weigh", weigh_source);
    cuda_wanted wanted = {.kind = CUDA_PROGRAM_EWISE, .binary = op};
    assert_true(allocator_fail_each(compile_with_little_memory, &wanted) > 2);
    assert_true(allocator_fail_each(compile_with_little_memory, &wanted) > 2); /* from the cache */
    sl_binary_op_free(op);
}

int main(void)
{
    allocator_install();
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_absence), /* first: see there */
        TEST(test_damage),          TEST(test_same_hash),   TEST(test_off),
        TEST(test_folders),         TEST(test_maps),        TEST(test_products),
        TEST(test_new_device),      TEST(test_broken_text), TEST(test_kept),
        TEST(test_damaged_program), TEST(test_unwritable),  TEST(test_processes),
        TEST(test_threads),         TEST(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
