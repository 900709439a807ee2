/* Tests of semla generate. */
#include "run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_generate(void **state)
{
    const char *file = in_folder("path.mtx");
    run("generate path:4 -o %s", file);
    expect(0, "path.mtx: 4 vertices, 6 entries", NULL);
    char *text = read_file(file);
    assert_memory_equal(text, "%%MatrixMarket matrix coordinate pattern", 40);
    free(text);
    run("bfs %s --source 0 --validate", file);
    expect(0, "Reached   4 vertices, depth 3", NULL);

    run("generate path:3 --directed -o -");
    expect(0, "0 1\n1 2\n", NULL);
    assert_null(strstr(run_out, "1 0\n"));
    run("generate path:3 --directed --transpose --format mtx -o -");
    expect(0, "%%MatrixMarket", NULL);
    expect(0, "2 1\n3 2\n", NULL);

    cJSON *json = run_json(0, "generate grid:3x3 -o %s --json", in_folder("grid.txt.gz"));
    assert_true(json_get(json, "vertices") == 9);
    assert_true(json_get(json, "entries") == 24);
    assert_string_equal(json_string(json, "model"), "grid:3x3");
    cJSON_Delete(json);
    json = run_json(0, "info %s --json", in_folder("grid.txt.gz"));
    assert_true(json_get(json, "vertices") == 9);
    assert_true(json_get(json, "entries") == 24);
    assert_true(json_is(json, "symmetric"));
    cJSON_Delete(json);
}

static void test_generate_in_every_format(void **state)
{
    static const char *const names[] = {"g.mtx",   "g.txt.zst", "g.gr.gz",    "g.graph",
                                        "g.metis", "g.g500",    "g.g500p.zst"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        run("generate grid:6x7 -o %s", in_folder(names[i]));
        expect(0, "42 vertices, 142 entries", NULL);
        cJSON *json = run_json(0, "info %s --json", in_folder(names[i]));
        assert_true(json_get(json, "vertices") == 42);
        assert_true(json_get(json, "entries") == 142);
        cJSON_Delete(json);
    }
    run("generate path:3 --format metis -o -");
    expect(0, "3 2\n2\n1 3\n2\n", NULL);
    run("generate path:3 --directed -o %s", in_folder("directed.graph"));
    expect(1, NULL, "entry (0, 1), 0-based, has no mirror entry");
    assert_false(file_exists("directed.graph"));
}

/* A model always gives the same graph, whatever the order of its keys; another seed gives another.
 */
static void test_generate_is_a_function_of_the_model(void **state)
{
    run("generate kronecker:6,seed=5 -o -");
    expect(0, " ", NULL);
    char *first = strdup(run_out);
    run("generate kronecker:seed=5,edgefactor=16,scale=6 -o -");
    assert_string_equal(run_out, first);
    run("generate kronecker:6,seed=6 -o -");
    assert_string_not_equal(run_out, first);
    free(first);
}

static void test_generate_failures(void **state)
{
    int before = files_in_folder();
    run("generate path:4 -o %s/none/path.mtx", run_folder);
    expect(1, NULL, "none/path.mtx");
    assert_string_equal(run_out, "");
    assert_int_equal(mkdir(in_folder("folder"), 0700), 0);
    run("generate path:4 -o %s", in_folder("folder"));
    expect(1, NULL, "folder");
    assert_int_equal(rmdir(in_folder("folder")), 0);
    run_limited(20000, "generate path:10000 -o %s", in_folder("long.mtx"));
    expect(1, NULL, "long.mtx");
    run_limited(2000, "generate path:10000 -o %s", in_folder("long.txt.gz"));
    expect(1, NULL, "long.txt.gz");
    assert_int_equal(files_in_folder(), before);
    run("generate complete:10G -o %s", in_folder("huge.mtx"));
    assert_true(run_status == 1 || run_status == 2);
    assert_false(file_exists("huge.mtx"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generate),
        cmocka_unit_test(test_generate_is_a_function_of_the_model),
        cmocka_unit_test(test_generate_in_every_format),
        cmocka_unit_test(test_generate_failures),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
