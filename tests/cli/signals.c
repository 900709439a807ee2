/* Signals that end the command while it writes a file: no temporary file stays, and the file is
 * complete or absent. */
#include "run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The size of a file; -1: there is none. */
static long size_of(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 ? (long)file.st_size : -1;
}

/*
 * Sends `number` to the command after delays that cover its whole run. `remains` is the size that
 * the file may have besides the complete one.
 */
static void interrupt(int number, const char *path, long remains, const char *arguments)
{
    enum { DELAYS = 8 };
    const double begin = seconds();
    run_wait(run_start("%s", arguments));
    expect(0, NULL, NULL);
    const double whole = seconds() - begin;
    const long complete = size_of(path);
    const int files = files_in_folder();
    int killed = 0;
    for (int k = 0; k < DELAYS; k++) {
        if (remains < 0)
            unlink(path);
        else
            assert_int_equal(truncate(path, remains), 0);
        pid_t child = run_start("%s", arguments);
        usleep((useconds_t)(1e6 * whole * (k + 0.5) / DELAYS));
        kill(child, number);
        run_wait(child);
        assert_true(run_status == 0 || run_status == 128 + number);
        killed += run_status != 0;
        const long size = size_of(path);
        if (size != complete && size != remains)
            fail_msg("%s has %ld bytes, not %ld or %ld", path, size, complete, remains);
        assert_int_equal(files_in_folder(), files - (size < 0));
    }
    assert_true(killed > 0);
}

static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGKILL};

/* A new file has no other name at any time, so that even SIGKILL leaves nothing. */
static void test_new_files(void **state)
{
    static const char *const forms[] = {"generate kronecker:14 -o %s", "convert kronecker:14 %s"};
    static const char *const names[] = {"new.mtx", "new.semla"};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        char path[600], arguments[700];
        snprintf(path, sizeof path, "%s", in_folder(names[k % 2]));
        snprintf(arguments, sizeof arguments, forms[k % 2], path);
        interrupt(numbers[k], path, -1, arguments);
        unlink(path);
    }
}

static void test_replaced_files(void **state)
{
    char path[600], arguments[700];
    snprintf(path, sizeof path, "%s", write_file("old.txt", "old"));
    snprintf(arguments, sizeof arguments, "bfs kronecker:15 -o %s --force", path);
    for (size_t k = 0; k + 1 < sizeof numbers / sizeof *numbers; k++)
        interrupt(numbers[k], path, 3, arguments);
    unlink(path);
}

/* The limit of a file's size is an error, also where SIGXFSZ has its default effect. */
static void test_file_size(void **state)
{
    const int files = files_in_folder();
    run_limited(20000, "generate path:10000 -o %s", in_folder("long.mtx"));
    expect(1, NULL, "long.mtx: cannot write: File too large");
    assert_int_equal(files_in_folder(), files);
}

/* Creates the folder of the test in a file system of memory. */
static int memory_setup(void **state)
{
    char inside[] = "/dev/shm/semla-test-XXXXXX";
    if (!mkdtemp(inside))
        return -1;
    strcpy(run_folder, inside);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_files),
        cmocka_unit_test(test_replaced_files),
        cmocka_unit_test(test_file_size),
    };
    const int failures = cmocka_run_group_tests(tests, run_setup, run_teardown);
    if (access("/dev/shm", W_OK) != 0)
        return failures;
    return failures + cmocka_run_group_tests(tests, memory_setup, run_teardown);
}
