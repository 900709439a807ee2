/* Compiled programs and their disk cache: programs that are kept, damaged entries, folders that
 * cannot be written, several processes and threads at once. cache_files.c tests the files. */
#include "compiled.h"

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
    const cuda_image some = {.names = "kernel\0code", .names_size = 7, .code_size = 4};
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
        COMPILED_TEST(test_off),
        COMPILED_TEST(test_kept),
        COMPILED_TEST(test_damaged_program),
        COMPILED_TEST(test_unwritable),
        COMPILED_TEST(test_processes),
        COMPILED_TEST(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
