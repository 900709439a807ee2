/* Tests of --timeout: every subcommand that computes stops, with its message and exit status, and
 * leaves no file. */
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec clock;
    clock_gettime(CLOCK_MONOTONIC, &clock);
    return (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
}

/* The last run was stopped at the limit. */
static void expect_stopped(const char *command)
{
    expect(124, NULL, ": stopped after ");
    assert_int_equal(strncmp(run_err, command, strlen(command)), 0);
    assert_non_null(strstr(run_err, "(--timeout): "));
    assert_string_equal(run_out, "");
}

static void test_long_commands_stop(void **state)
{
    static const struct {
        const char *command, *arguments;
    } cases[] = {
        {"semla run", "run betweenness kronecker:scale=14"},
        {"semla run", "run triangles complete:3000"},
        {"semla run", "run pagerank path:3M --max-iterations 1000000000 --tolerance 1e-300"},
        {"semla bfs", "bfs path:3M --direction push --engine suitesparse"},
        {"semla generate", "generate kronecker:scale=22 -o x.semla"},
        {"semla graph500", "graph500 --scale 22"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double start = now();
        run("%s --timeout 0.3", cases[k].arguments);
        const double seconds = now() - start;
        expect_stopped(cases[k].command);
        assert_non_null(strstr(run_err, "stopped after 0.3 s"));
        if (seconds < 0.3 || seconds > 5)
            fail_msg("%s: %g seconds", cases[k].arguments, seconds);
    }
}

/* The limit is over before the first question. */
static void test_every_command_stops(void **state)
{
    run("generate kronecker:scale=8 -o %s", in_folder("g.mtx"));
    expect(0, NULL, NULL);
    run("bfs %s -S 1 --output %s", in_folder("g.mtx"), in_folder("tree.txt"));
    expect(0, NULL, NULL);
    const int files = files_in_folder();
    static const char *const commands[] = {"bfs", "run components", "info", "parity", "report"};
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        run("%s %s --timeout 1e-9", commands[k], in_folder("g.mtx"));
        expect_stopped("semla");
    }
    run("validate %s -S 1 --tree %s --timeout 1e-9", in_folder("g.mtx"), in_folder("tree.txt"));
    expect_stopped("semla validate");
    run("convert %s %s --timeout 1e-9", in_folder("g.mtx"), in_folder("g.el"));
    expect_stopped("semla convert");
    run("generate kronecker:scale=8 -o %s --timeout 1e-9", in_folder("new.mtx"));
    expect_stopped("semla generate");
    run("graph500 --scale 8 --timeout 1e-9");
    expect_stopped("semla graph500");
    assert_int_equal(files_in_folder(), files);
}

static void test_values(void **state)
{
    run("bfs path:10 --timeout 100");
    expect(0, "10", NULL);
    run("engines --timeout 100");
    expect(0, "suitesparse", NULL);
    static const char *const wrong[] = {"0", "-1", "x", "1s", "inf", "nan"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        run("bfs path:10 --timeout %s", wrong[k]);
        expect(2, NULL, "semla bfs: --timeout takes a number above 0, not '");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_commands_stop),
        cmocka_unit_test(test_every_command_stops),
        cmocka_unit_test(test_values),
    };
    setenv("CUDA_VISIBLE_DEVICES", "", 1); /* a GPU would end before the limit */
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
