/* The timer that ends a check of a result, in processes of their own: cli/timeout.c is linked. */
#include "support.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/command_messages.h"
#include "cli/timeout.h"

enum { LATE = 3 }; /* exit status of a child that was not ended */

/* Runs a child; returns its exit status, and its stderr in `text`. */
static int run_child(void (*child)(void), char *text, size_t room)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    const pid_t id = fork();
    assert_true(id >= 0);
    if (id == 0) {
        dup2(ends[1], STDERR_FILENO);
        child();
        _exit(LATE);
    }
    close(ends[1]);
    const ssize_t length = read(ends[0], text, room - 1);
    text[length > 0 ? length : 0] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(id, &status, 0), id);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void check_without_end(void)
{
    messages_set_command("semla run");
    timeout_start(0.05);
    timeout_begin_check();
    sleep(20);
}

/* The time is over before the check begins. */
static void check_too_late(void)
{
    messages_set_command("semla run");
    timeout_start(0.01);
    usleep(50000);
    timeout_begin_check();
    sleep(20);
}

static void test_a_check_is_ended(void **state)
{
    char text[200];
    (void)state;
    assert_int_equal(run_child(check_without_end, text, sizeof text), EXIT_TIMEOUT);
    assert_string_equal(text, "semla run: stopped after 0.05 s (--timeout): checking the result\n");
    assert_int_equal(run_child(check_too_late, text, sizeof text), EXIT_TIMEOUT);
}

static void short_check(void)
{
    timeout_start(0.05);
    timeout_begin_check();
    timeout_end_check();
    usleep(200000);
}

static void check_without_limit(void)
{
    timeout_begin_check();
    usleep(1000);
    timeout_end_check();
}

static void test_other_checks_are_not(void **state)
{
    char text[200];
    (void)state;
    assert_int_equal(run_child(short_check, text, sizeof text), LATE);
    assert_string_equal(text, "");
    assert_int_equal(run_child(check_without_limit, text, sizeof text), LATE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_check_is_ended),
        cmocka_unit_test(test_other_checks_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
