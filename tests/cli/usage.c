/* Tests of the options, messages and exit statuses that all subcommands share. */
#include "run.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const commands[] = {"bfs",     "run",    "graph500", "generate",
                                       "convert", "info",   "validate", "parity",
                                       "engines", "report", "doctor"};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void test_help_and_version(void **state)
{
    run("--version");
    expect(0, "semla 0.", NULL);
    run("--help");
    expect(0, "Usage: semla COMMAND", NULL);
    for (int i = 0; i < COMMANDS; i++) {
        run("--help");
        expect(0, commands[i], NULL);
        char usage[64], example[64];
        snprintf(usage, sizeof usage, "Usage: semla %s [OPTION...]", commands[i]);
        snprintf(example, sizeof example, "Examples:\n  semla %s", commands[i]);
        run("%s --help", commands[i]);
        expect(0, usage, NULL);
        expect(0, "--json", NULL);
        char *by_option = strdup(run_out);
        /* the first example of validate is a semla bfs that writes the tree */
        if (strcmp(commands[i], "validate") != 0)
            expect(0, example, NULL);
        assert_string_equal(run_err, "");
        run("help %s", commands[i]);
        expect(0, usage, NULL);
        assert_string_equal(run_out, by_option);
        free(by_option);
    }
    run("help");
    expect(0, "Commands:", NULL);
    run("completion --help");
    expect(0, "Usage: semla completion [OPTION...] bash|zsh|fish\n", NULL);
    run("completion fish");
    expect(0, "\ncomplete -c semla -n __semla_first -a bfs -d 'breadth-first search", NULL);
}

static void test_wrong_usage(void **state)
{
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"", "Usage: semla COMMAND"},
        {"bogus", "semla: unknown command 'bogus'; the commands are bfs, run, graph500"},
        {"help bogus", "semla: unknown command 'bogus'"},
        {"completion", "semla completion: a shell is missing: bash, zsh or fish\n"},
        {"completion tcsh",
         "semla completion: there is no completion for 'tcsh'; the shells are bash, "
         "zsh and fish"},
        {"completion bsh", "did you mean 'bash'?\n"},
        {"completion bash zsh", "semla completion: unexpected argument 'zsh'; give one shell\n"},
        {"bsf path:4", "; did you mean 'bfs'?\n"},
        {"halp", "; did you mean 'help'?\n"},
        {"help genrate", "did you mean 'generate'?\n"},
        {"pagerank path:4", "semla: unknown command 'pagerank'; the algorithm of that name runs "
                            "with 'semla run pagerank GRAPH'\n"},
        {"pagernak path:4", "did you mean 'run pagerank'?\n"},
        {"run pagernak path:4", "did you mean 'pagerank'?\n"},
        {"run st-conected path:4", "did you mean 'st-connected'?\n"},
        {"bfs path:4 --sorce 1", "semla bfs: unknown option '--sorce'; did you mean '--source'?\n"},
        {"bfs path:4 --sorce=1", "semla bfs: unknown option '--sorce'; did you mean '--source'?\n"},
        {"bfs -o --sorce path:4 --enigne x",
         "unknown option '--enigne'; did you mean '--engine'?\n"},
        {"bfs -qd 3 path:4 --bogus", "semla bfs: unknown option '--bogus'\n"},
        {"run pagerank path:4 --dampin-g 1", "did you mean '--damping'?\n"},
        {"bfs path:4 --d", "semla bfs: option '--d' is ambiguous"},
        {"bfs path:4 --directed=yes", "semla bfs: option '--directed' doesn't allow an argument"},
        {"bfs path:4 -z", "semla bfs: unknown option '-z'"},
        {"bfs path:4 --engine openpm", "suitesparse, not 'openpm'; did you mean 'openmp'?\n"},
        {"bfs path:4 --direction pul", "not 'pul'; did you mean 'pull'?\n"},
        {"bfs kroneker:4", "star, complete; did you mean 'kronecker'?\n  kroneker:4\n  ^^^^^^^^\n"},
        {"help bfs info", "semla help: unexpected argument 'info'"},
        {"bfs", "semla bfs: a graph is missing"},
        {"bfs path:4 more", "semla bfs: unexpected argument 'more'"},
        {"bfs --foo path:4", "semla bfs: unknown option '--foo'\n"},
        {"bfs path:4 --engine", "semla bfs: option '--engine' requires an argument"},
        {"bfs path:4 --engine abacus",
         "semla bfs: --engine takes one of auto, cuda, openmp, suitesparse, not 'abacus'"},
        {"bfs path:4 --threads 0",
         "semla bfs: --threads takes a whole number from 1 to 4096, not '0'"},
        {"info path:4 --threads -1", "semla info: --threads takes a whole number from 1 to 4096"},
        {"run components path:4 --threads 4097", "--threads takes a whole number from 1 to 4096"},
        {"graph500 --threads many", "semla graph500: --threads takes a whole number"},
        {"bfs path:4 --direction up",
         "semla bfs: --direction takes one of auto, push, pull, not 'up'"},
        {"bfs path:4 --source -1", "semla bfs: --source takes a whole number from 0, not '-1'"},
        {"bfs path:4 --source 18446744073709551616", "semla bfs: --source takes a whole number"},
        {"bfs path:4 --max-depth two", "semla bfs: --max-depth takes a whole number"},
        {"bfs path:4 --target x", "semla bfs: --target takes a whole number"},
        {"bfs path:4 --target 1 --until now",
         "semla bfs: --until takes one of any, all, not 'now'"},
        {"bfs path:4 --until all", "semla bfs: --until needs at least one --target"},
        {"bfs path:4 --plain --direction pull", "semla bfs: --plain cannot be combined"},
        {"bfs path:4 --plain --target 1", "semla bfs: --plain cannot be combined"},
        {"bfs path:4 --plain --max-depth 1", "semla bfs: --plain cannot be combined"},
        {"bfs path:4 --json -o -", "semla bfs: --output - and --json"},
        {"bfs path:4 --base 1", "semla bfs: --base applies to files only; 'path:4' is a model"},
        {"bfs path:4 --renumber", "semla bfs: --renumber applies to files only"},
        {"bfs path:4 --format mtx", "semla bfs: --format applies to files only"},
        {"bfs x.txt --format xls", "semla bfs: --format takes one of auto, mtx, edges, gr, metis, "
                                   "g500, g500p, semla, csv, not 'xls'\n"},
        {"bfs x.txt --format cvs", "not 'cvs'; did you mean 'csv'?\n"},
        {"bfs x.txt --source-column a", "semla bfs: --source-column applies to CSV files only; "
                                        "--format csv says that 'x.txt' is one"},
        {"bfs path:4 --no-header", "semla bfs: --no-header applies to files only"},
        {"bfs x.csv --renumber", "semla bfs: --renumber cannot be combined with a CSV file"},
        {"bfs x.csv --vertices 4", "semla bfs: --vertices cannot be combined with a CSV file"},
        {"bfs x.tsv.gz --base 1", "semla bfs: --base cannot be combined with a CSV file"},
        {"bfs x.csv --ids y.npy", "--ids: 'y.npy': labels are written as text or .csv"},
        {"run pagerank x.csv --out y.txt.gz", "--out: 'y.txt.gz': vectors with labels, and those "
                                              "in .csv and .tsv files, are not compressed"},
        {"bfs x.txt --vertices 0", "semla bfs: --vertices takes a whole number from 1, not '0'"},
        {"bfs x.txt --vertices 4 --renumber",
         "semla bfs: --vertices and --renumber cannot be combined"},
        {"bfs path:4 --vertices 5", "semla bfs: --vertices applies to files only"},
        {"bfs x.txt --base 2", "semla bfs: --base takes one of 0, 1, not '2'"},
        {"bfs x.txt --duplicates all", "semla bfs: --duplicates takes one of drop, last"},
        {"bfs kronecker:scale=2x,seed=1",
         "'2x' is not a number\n  kronecker:scale=2x,seed=1\n                  ^^\n"},
        {"bfs kroneker:4",
         "there is no such file, and no model 'kroneker'; the models are kronecker"},
        {"info grid", "'grid' needs a size"},
        {"bfs path:0", "semla bfs: "},
        {"graph500", "semla graph500: --scale is missing"},
        {"graph500 --scale 41",
         "semla graph500: --scale takes a whole number from 1 to 40, not '41'"},
        {"graph500 --scale 4 --roots 0", "semla graph500: --roots takes a whole number from 1"},
        {"graph500 --scale 4 --edgefactor -3",
         "semla graph500: --edgefactor takes a number above 0"},
        {"graph500 --scale 4 here", "semla graph500: unexpected argument 'here'"},
        {"generate -o x", "semla generate: a model is missing"},
        {"generate path:4", "semla generate: --output is missing"},
        {"generate x.mtx -o y", "semla generate: 'x.mtx' is not a model"},
        {"generate path:4 -o - --json", "semla generate: --output - and --json"},
        {"generate path:4 -o x --format xls", "semla generate: --format takes one of"},
        {"convert", "semla convert: a graph is missing"},
        {"convert path:4", "semla convert: the file to write is missing"},
        {"convert path:4 x y", "semla convert: unexpected argument 'y'"},
        {"convert path:4 - --json", "semla convert: - and --json cannot be combined"},
        {"convert path:4 x --to xls", "semla convert: --to takes one of auto, mtx"},
        {"convert path:4 x --to-base 2", "semla convert: --to-base takes one of 0, 1, not '2'"},
        {"convert path:4 x --weights no",
         "semla convert: --weights takes one of integer, real, not 'no'"},
        {"convert path:4 x --weights real --pattern",
         "semla convert: --weights and --pattern cannot be combined"},
        {"convert path:4 x --tuples --no-loops",
         "semla convert: --no-loops and --tuples cannot be combined"},
        {"convert path:4 x --tuples --duplicates sum",
         "semla convert: --duplicates and --tuples cannot be combined"},
        {"convert path:4 x --tuples --transpose",
         "semla convert: --transpose and --tuples cannot be combined"},
        {"info", "semla info: a graph is missing"},
        {"validate path:4 --tree t", "semla validate: --source is missing"},
        {"validate path:4 --source 0",
         "semla validate: the tree is missing; give --tree, or --parents"},
        {"validate path:4 --source 0 --tree t --levels l",
         "semla validate: --tree cannot be combined"},
        {"parity", "semla parity: a graph is missing"},
        {"parity path:4 --searches many", "semla parity: --searches takes a whole number"},
        {"parity path:4 --engine openmp", "semla parity: unknown option '--engine'"},
        {"engines all", "semla engines: unexpected argument 'all'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run("%s", cases[i].arguments);
        expect(2, NULL, cases[i].message);
        if (!strstr(cases[i].arguments, "--json")) /* failures.c tests that */
            assert_string_equal(run_out, "");
    }
    run("info --bar");
    expect(2, NULL, "\nTry 'semla info --help' for more information.\n");
}

static void test_failures(void **state)
{
    run("info %s", in_folder("none.mtx"));
    expect(1, NULL, "none.mtx");
    run("info %s", run_folder);
    expect(1, NULL, "semla info: ");
    run("bfs path:4 --source 4");
    expect(1, NULL, "semla bfs: source 4 is out of range: the graph has the vertices 0 to 3");
    run("bfs path:4 --target 9");
    expect(1, NULL, "semla bfs: target 9 is out of range");
    const char *bad = write_file("bad.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                            "2 2 1\n1 7 0.5\n");
    run("bfs %s", bad);
    expect(1, NULL, "bad.mtx:3:");
    const char *wide = write_file("wide.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                                              "2 3 1\n1 3\n");
    static const char *const searches[] = {"bfs", "parity", "validate --source 0 --tree x"};
    for (size_t i = 0; i < 3; i++) {
        run("%s %s", searches[i], wide);
        expect(1, NULL, "the matrix is 2 x 3; a search needs a square matrix");
        assert_string_equal(run_out, "");
    }
}

static void test_engines_by_name(void **state)
{
    static const char *const names[] = {"openmp", "suitesparse"};
    for (int i = 0; i < 2; i++) {
        cJSON *json = run_json(0, "bfs grid:5x5 --json --engine %s", names[i]);
        assert_string_equal(json_string(json, "engine"), names[i]);
        cJSON_Delete(json);
    }
    run_faulty("absent", "bfs path:4 --engine openmp");
    expect(1, NULL, "semla bfs: the engine 'openmp' is not available: removed by the test");
    run_faulty("absent", "engines");
    expect(0, "absent", NULL);
    expect(0, "removed by the test", NULL);
    run_faulty("absent", "parity path:4");
    expect(0, "suitesparse", NULL);
    assert_null(strstr(run_out, "openmp"));

    setenv("SEMLA_ENGINE", "abacus", 1);
    run("bfs path:4");
    expect(1, NULL, "semla bfs: SEMLA_ENGINE: unknown engine 'abacus'; the engines are cuda");
    run("parity path:4");
    expect(1, NULL, "semla parity: SEMLA_ENGINE names no available engine");
    setenv("SEMLA_ENGINE", "openmp", 1);
    run_faulty("absent", "bfs path:4");
    expect(1, NULL,
           "semla bfs: SEMLA_ENGINE: the engine 'openmp' is not available: removed by the test");
    setenv("SEMLA_ENGINE", "suitesparse", 1);
    run("parity path:4");
    expect(0, "suitesparse", NULL);
    assert_null(strstr(run_out, "openmp"));
    unsetenv("SEMLA_ENGINE");
}

/* A write error on standard output is a failure of every command. */
/* OpenMP prints a line for each thread of its first parallel region. */
static void test_threads(void **state)
{
    static const char *const runs[] = {
        "bfs kronecker:scale=10",
        "run components kronecker:scale=10",
        "run pagerank kronecker:scale=10",
        "info kronecker:scale=10",
        "graph500 --scale 10 --roots 2",
        "generate kronecker:scale=10 -o /dev/null",
        "convert kronecker:scale=10 /dev/null --to mtx",
        "parity kronecker:scale=8 --searches 1",
    };
    setenv("OMP_DISPLAY_AFFINITY", "true", 1);
    setenv("OMP_AFFINITY_FORMAT", "thread %n of %N.", 1);
    for (size_t k = 0; k < sizeof runs / sizeof *runs; k++) {
        run("%s --threads 3", runs[k]);
#ifdef __clang__ /* its OpenMP prints on stdout */
        expect(0, "thread 2 of 3.", NULL);
        const char *printed = run_out;
#else
        expect(0, NULL, "thread 2 of 3.");
        const char *printed = run_err;
#endif
        assert_null(strstr(printed, "of 2."));
        assert_null(strstr(printed, "of 4."));
    }
    unsetenv("OMP_DISPLAY_AFFINITY");
    unsetenv("OMP_AFFINITY_FORMAT");
}

/* OpenMP prints its settings when it is loaded. */
static void test_threads_do_not_wait_actively_for_long(void **state)
{
    unsetenv("OMP_WAIT_POLICY"); /* which the preset of the tests sets */
    setenv("OMP_DISPLAY_ENV", "verbose", 1);
    setenv("OMP_NUM_THREADS", "2", 1);
    run("--version");
    expect(0, "semla", "GOMP_SPINCOUNT = '1000'");
    setenv("GOMP_SPINCOUNT", "77", 1);
    run("--version");
    expect(0, "semla", "GOMP_SPINCOUNT = '77'");
    unsetenv("GOMP_SPINCOUNT");
    setenv("OMP_WAIT_POLICY", "active", 1);
    run("--version");
    expect(0, "semla", "OMP_WAIT_POLICY = 'ACTIVE'");
    assert_null(strstr(run_err, "GOMP_SPINCOUNT = '1000'"));
    unsetenv("OMP_WAIT_POLICY");
    unsetenv("OMP_NUM_THREADS");
    unsetenv("OMP_DISPLAY_ENV");
}

static void test_full_disk(void **state)
{
    static const char *const arguments[] = {
        "--help",
        "--version",
        "bfs --help",
        "engines",
        "engines --json",
        "bfs path:4",
        "bfs path:4 --json",
        "bfs path:4 -o -",
        "info path:4",
        "info path:4 --json",
        "generate path:4 -o -",
        "convert path:4 -",
        "convert path:4 - --to g500p",
        "parity path:4",
        "parity path:4 --json",
        "graph500 --scale 4 --roots 1",
        "graph500 --scale 4 --roots 1 --json",
    };
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (full < 0)
        skip();
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++) {
        run_to(full, "%s", arguments[i]);
        expect(1, NULL, ": No space left on device");
    }
    close(full);
}

/* Output files are checked before the graph is read, which may take long. */
static void test_unwritable_files(void **state)
{
    static const char *const forms[] = {"bfs %s -o %s", "run pagerank %s --out %s",
                                        "run sssp %s --parents %s", "convert %s %s"};
    const char *nowhere = in_folder("none/file"), *nothing = in_folder("none.mtx");
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char arguments[1024];
        snprintf(arguments, sizeof arguments, forms[i], nothing, nowhere);
        run("%s", arguments);
        expect(1, NULL, "none/file: cannot be written: No such file or directory");
        snprintf(arguments, sizeof arguments, forms[i], nothing, run_folder);
        run("%s", arguments);
        expect(1, NULL, ": cannot be written: Is a directory");
    }
    run("generate path:4 -o %s", nowhere);
    expect(1, NULL, "none/file: cannot be written: No such file or directory");

    const char *graph = write_file("graph.txt", "0 1\n");
    const char *link = in_folder("link.txt");
    assert_int_equal(symlink("graph.txt", link), 0);
    run("run components %s --out %s", graph, graph);
    expect(1, NULL, "graph.txt: this is the graph that is read; write to another file");
    run("bfs %s -o %s", graph, link);
    expect(1, NULL, "link.txt: this is the graph that is read; write to another file");
    char *text = read_file(graph);
    assert_string_equal(text, "0 1\n");
    free(text);
}

/* One rule for every output: an existing file is refused, before the graph is read. */
static void test_existing_files(void **state)
{
    static const char *const forms[] = {"bfs %s -o %s", "run pagerank %s --out %s",
                                        "run sssp %s --parents %s", "convert %s %s",
                                        "generate %s -o %s"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char arguments[1024];
        const char *old = write_file("old.txt", "old");
        const bool generates = i + 1 == sizeof forms / sizeof forms[0];
        snprintf(arguments, sizeof arguments, forms[i],
                 generates ? "path:3" : in_folder("none.mtx"), old);
        run("%s", arguments);
        expect(1, NULL, "old.txt exists; pass --force to overwrite it");
        snprintf(arguments, sizeof arguments, forms[i], "path:3", old);
        run("%s", arguments);
        expect(1, NULL, "old.txt exists; pass --force to overwrite it");
        char *text = read_file(old);
        assert_string_equal(text, "old");
        free(text);
        run("%s --force", arguments);
        expect(0, NULL, NULL);
        text = read_file(old);
        assert_string_not_equal(text, "old");
        free(text);
    }
}

/* The command ends as other programs do whose reader has ended: by SIGPIPE, without a message. */
static void test_closed_pipe(void **state)
{
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    static const char *const forms[] = {"info path:4",
                                        "bfs kronecker:12 -o -",
                                        "--help",
                                        "generate kronecker:12 -o -",
                                        "generate kronecker:8 -o - --format semla",
                                        "run components path:9 --out -"};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        run_to(ends[1], "%s", forms[i]);
        expect(128 + SIGPIPE, NULL, NULL);
        assert_string_equal(run_err, "");
    }
    close(ends[1]);
    const char *fifo = in_folder("fifo"); /* a pipe that is not stdout is reported */
    assert_int_equal(mkfifo(fifo, 0600), 0);
    const int held = open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    pid_t child = run_start("generate kronecker:16 -o %s", fifo);
    struct pollfd some = {.fd = held, .events = POLLIN};
    assert_int_equal(poll(&some, 1, 60000), 1);
    close(held);
    run_wait(child);
    expect(1, NULL, "fifo: cannot write: Broken pipe");
}

static void test_progress_is_for_terminals(void **state)
{
    run("bfs path:4");
    expect(0, NULL, NULL);
    assert_string_equal(run_err, "");
    run_on_terminal("bfs path:4 --validate");
    expect(0, "Reached", "generating path:4\r\033[K");
    expect(0, NULL, "searching path:4\r\033[K");
    assert_null(strstr(run_out, "searching"));
    run_on_terminal("graph500 --scale 5 --roots 3");
    expect(0, "NBFS", "search 3 of 3\r\033[K");
    run_on_terminal("bfs path:4 --quiet");
    expect(0, "Reached", NULL);
    assert_string_equal(run_err, "");
    run_on_terminal("info %s", in_folder("none.mtx"));
    expect(1, NULL, "\r\033[Ksemla info: "); /* the message replaces the line of progress */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_help_and_version),
        cmocka_unit_test(test_wrong_usage),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_threads_do_not_wait_actively_for_long),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_engines_by_name),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_unwritable_files),
        cmocka_unit_test(test_existing_files),
        cmocka_unit_test(test_closed_pipe),
        cmocka_unit_test(test_progress_is_for_terminals),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
