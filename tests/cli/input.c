/* Standard input as a graph, a tree and a vector, and the limit of --max-memory. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* ---- standard input ------------------------------------------------------- */

/* Every format from a file and from a pipe; the first bytes show the format where they can. */
static void test_formats(void **state)
{
    static const struct {
        const char *name, *option;
    } inputs[] = {{"a.mtx", ""},
                  {"a.gr", ""},
                  {"a.txt", ""},
                  {"a.semla", ""},
                  {"a.semla", " --format semla"},
                  {"a.mtx.gz", ""},
                  {"a.gr.zst", ""},
                  {"a.txt.zst", ""},
                  {"a.graph", " --format metis"},
                  {"a.graph.gz", " --format metis"},
                  {"a.g500", " --format g500"},
                  {"a.g500p.gz", " --format g500p"}};
    run("convert grid:60x70 - --to mtx");
    char *expected = strdup(run_out);
    for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++) {
        const char *path = in_folder(inputs[k].name);
        run("convert grid:60x70 %s --force", path);
        expect(0, NULL, NULL);
        for (int pipe = 0; pipe < 2; pipe++) {
            (pipe ? run_from_pipe : run_from)(path, "convert - - --to mtx --pattern%s",
                                              inputs[k].option);
            expect(0, NULL, NULL);
            assert_string_equal(run_out, expected);
        }
    }
    free(expected);
    run_from_pipe(in_folder("a.txt"), "convert - %s", in_folder("new.mtx"));
    expect(0, "new.mtx: Matrix Market, 4,200 vertices", NULL);
}

/* Errors have their position, although a pipe cannot be read again. */
static void test_errors(void **state)
{
    const char *wrong = write_file("wrong.txt", "0 1\n1 2\n2 x\n");
    run_from_pipe(wrong, "info -");
    expect(1, NULL, "semla info: -:3:3: expected a second vertex id, found 'x'");
    run_from(wrong, "info -");
    expect(1, NULL, "semla info: -:3:3: expected a second vertex id, found 'x'");
    run_from("/dev/null", "info - --format semla");
    expect(1, NULL, "semla info: -: not a native semla file");
    run_from("/dev/null", "validate - --source 0 --tree -");
    expect(2, NULL, "- can be given once");
}

static void test_trees_and_vectors(void **state)
{
    static const char *const names[] = {"levels.txt", "levels.mtx", "levels.npy"};
    const char *tree = in_folder("path.tree");
    run("bfs path:5 --source 1 --output %s", tree);
    run_from_pipe(tree, "validate path:5 --source 1 --tree -");
    expect(0, "valid: 5 vertices", NULL);
    for (size_t k = 0; k < 3; k++) {
        const char *levels = in_folder(names[k]);
        run("run sssp path:5 --source 0 --out %s", levels);
        run_from_pipe(levels, "validate path:5 --source 0 --levels -");
        expect(0, "valid: 5 vertices", NULL);
        run_from_pipe(levels, "validate path:5 --source 4 --levels -");
        expect(1, "NOT VALID", NULL);
    }
}

/* ---- --max-memory --------------------------------------------------------- */

/* A small file that decompresses to 600 MB. */
static const char *bomb(void)
{
    const char *path = in_folder("bomb.txt.zst");
    char command[1000];
    snprintf(command, sizeof command, "yes '1 2' | head -c 600000000 | zstd -q -f -o %s", path);
    if (access(path, R_OK) != 0 && system(command) != 0)
        skip();
    return path;
}

static void test_memory(void **state)
{
    static const char *const forms[] = {"info %s --max-memory 60M", "bfs %s --max-memory 60000k",
                                        "convert %s - --max-memory 60000000"};
    const char *path = bomb();
    for (size_t k = 0; k < sizeof forms / sizeof forms[0]; k++) {
        char arguments[700];
        snprintf(arguments, sizeof arguments, forms[k], path);
        run("%s", arguments);
        expect(1, NULL, "above the context's limit of 60000000); --max-memory sets the limit");
        snprintf(arguments, sizeof arguments, forms[k], "-");
        run_from_pipe(path, "%s", arguments);
        expect(1, NULL, "above the context's limit of 60000000); --max-memory sets the limit");
    }
    struct rusage children;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &children), 0);
    if (!getenv("ASAN_OPTIONS")) /* which needs memory of its own */
        assert_true(children.ru_maxrss < 200000);
    run("info path:1000 --max-memory 60M");
    expect(0, "Vertices", NULL);
    static const char *const wrong[] = {"0", "x", "1x", "10GB", "-1", "99999999999T", "M"};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        run("info path:3 --max-memory %s", wrong[k]);
        expect(2, NULL, "--max-memory takes a number of bytes, such as 500M or 10G, not '");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory), /* first: it measures the memory of all runs */
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_trees_and_vectors),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
