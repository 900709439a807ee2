/* semla graph500, generate, info and engines. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- graph500 ----------------------------------------------------------- */

static const char *const statistics[] = {
    "min_time",
    "firstquartile_time",
    "median_time",
    "thirdquartile_time",
    "max_time",
    "mean_time",
    "stddev_time",
    "min_nedge",
    "firstquartile_nedge",
    "median_nedge",
    "thirdquartile_nedge",
    "max_nedge",
    "mean_nedge",
    "stddev_nedge",
    "min_TEPS",
    "firstquartile_TEPS",
    "median_TEPS",
    "thirdquartile_TEPS",
    "max_TEPS",
    "harmonic_mean_TEPS",
    "harmonic_stddev_TEPS",
    "construction_time",
    "preparation_time",
    "SCALE",
    "edgefactor",
    "NBFS",
};
enum { STATISTICS = sizeof statistics / sizeof statistics[0] };

static void test_graph500(void **state)
{
    cJSON *json = run_json(0, "graph500 --scale 7 --edgefactor 8 --roots 5 --seed 3 --json");
    assert_true(json_get(json, "SCALE") == 7);
    assert_true(json_get(json, "edgefactor") == 8);
    assert_true(json_get(json, "NBFS") == 5);
    assert_true(json_get(json, "seed") == 3);
    assert_true(json_get(json, "vertices") == 128);
    assert_true(json_get(json, "input_edges") == 1024);
    assert_true(json_is(json, "validated"));
    assert_true(json_get(json, "valid_trees") == 5);
    for (int i = 0; i < STATISTICS; i++)
        assert_true(json_get(json, statistics[i]) >= 0);
    assert_true(json_get(json, "min_time") <= json_get(json, "max_time"));
    assert_true(json_get(json, "min_TEPS") <= json_get(json, "harmonic_mean_TEPS"));
    assert_true(json_get(json, "harmonic_mean_TEPS") <= json_get(json, "max_TEPS"));
    cJSON_Delete(json);

    run("graph500 --scale 6 --roots 4");
    expect(0, "valid_trees:                4 of 4", NULL);
    for (int i = 0; i < STATISTICS; i++) {
        char line[64];
        snprintf(line, sizeof line, "\n%s:  ", statistics[i]);
        expect(0, line, NULL);
    }
    /* 64 roots unless said otherwise; fewer where not so many vertices have edges */
    json = run_json(0, "graph500 --scale 8 --no-validate --direction push --json");
    assert_true(json_get(json, "NBFS") == 64);
    assert_false(json_is(json, "validated"));
    assert_null(cJSON_GetObjectItem(json, "valid_trees"));
    cJSON_Delete(json);
    run("graph500 --scale 6 --roots 2 --no-validate --deterministic");
    expect(0, "validation:                 none", NULL);
    run("graph500 --scale 6 --roots 4 --validate-in-place");
    expect(0, "valid_trees:                4 of 4", NULL);
    run("graph500 --scale 6 --roots 4 --labels engine");
    expect(0, "valid_trees:                4 of 4", NULL);
    run("graph500 --scale 6 --roots 4 --prune --engine openmp");
    expect(0, "pruned_vertices:            3", NULL);
    expect(0, "valid_trees:                4 of 4", NULL);
    run("graph500 --scale 6 --engine suitesparse --energy=1");
    expect(1, NULL, "no engine of this context has a meter");
}

static void test_graph500_finds_faults(void **state)
{
    run_faulty("parent", "graph500 --scale 8 --roots 3");
    expect(1, "valid_trees:                0 of", "semla: the tree from root ");
    run_faulty("parent", "graph500 --scale 8 --roots 3 --json");
    expect(1, "\"failed_root\":", "is not valid: ");
    run_faulty("parent", "graph500 --scale 8 --roots 3 --no-validate");
    expect(0, "NBFS", NULL);
    run_faulty("status", "graph500 --scale 8 --roots 3");
    expect(1, NULL, "semla: the fault that was asked for");
    assert_string_equal(run_out, "");
}

/* ---- generate ----------------------------------------------------------- */

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

/* The same model is the same graph, however it is spelled; another seed is not. */
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

/* ---- info --------------------------------------------------------------- */

static void test_info(void **state)
{
    const char *file = write_file("small.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                               "5 5 4\n1 2 0.5\n1 3 1.5\n4 4 2\n2 3 -1\n");
    cJSON *json = run_json(0, "info %s --json", file);
    assert_true(json_get(json, "vertices") == 5);
    assert_true(json_get(json, "entries") == 4);
    assert_string_equal(json_string(json, "type"), "fp64");
    assert_false(json_is(json, "pattern"));
    assert_false(json_is(json, "symmetric"));
    assert_true(json_get(json, "self_loops") == 1);
    assert_true(json_get(json, "isolated") == 1);
    const cJSON *out = cJSON_GetObjectItem(json, "out_degree");
    const cJSON *in = cJSON_GetObjectItem(json, "in_degree");
    assert_true(json_get(out, "min") == 0 && json_get(out, "max") == 2);
    assert_true(json_get(in, "min") == 0 && json_get(in, "max") == 2);
    assert_true(json_get(out, "mean") == 0.8);
    assert_true(json_get(json, "read_seconds") > 0);
    cJSON_Delete(json);

    run("info %s", file);
    expect(0, "Values       fp64", NULL);
    expect(0, "Out-degrees  least 0, mean 0.80, greatest 2", NULL);
    expect(0, "In-degrees   least 0, mean 0.80, greatest 2", NULL);
    run("info %s --pattern", file);
    expect(0, "Values       none, pattern only", NULL);
    run("info star:2000");
    expect(0, "Vertices     2,000\n", NULL);
    expect(0, "Symmetric    yes", NULL);
    expect(0, "Degrees      least 1, mean 2.00, greatest 1,999", NULL);
}

static void test_info_of_odd_shapes(void **state)
{
    const char *wide = write_file("wide.mtx", "%%MatrixMarket matrix coordinate integer general\n"
                                              "2 3 2\n1 3 4\n2 3 5\n");
    cJSON *json = run_json(0, "info %s --json", wide);
    assert_true(json_get(json, "rows") == 2);
    assert_true(json_get(json, "columns") == 3);
    assert_null(cJSON_GetObjectItem(json, "vertices"));
    assert_true(json_get(cJSON_GetObjectItem(json, "in_degree"), "max") == 2);
    cJSON_Delete(json);
    run("info %s", wide);
    expect(0, "Shape        2 x 3", NULL);

    run("info path:1");
    expect(0, "Isolated     1 vertices", NULL);
    const char *none = write_file("none.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                                              "0 0 0\n");
    run("info %s", none);
    expect(0, "Vertices     0", NULL);
    run("bfs %s", none);
    expect(1, NULL, "the graph has no vertex to search from");
}

/* ---- engines ------------------------------------------------------------ */

static void test_engines(void **state)
{
    run("engines");
    expect(0, "suitesparse", NULL);
    expect(0, "present", NULL);
    cJSON *json = run_json(0, "engines --json");
    const cJSON *engine;
    int present = 0;
    cJSON_ArrayForEach(engine, cJSON_GetObjectItem(json, "engines"))
    {
        assert_true(strlen(json_string(engine, "name")) > 0);
        assert_true(strlen(json_string(engine, "description")) > 0);
        json_string(engine, "version");
        present += json_is(engine, "present");
    }
    assert_true(present >= 1);
    cJSON_Delete(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph500),
        cmocka_unit_test(test_graph500_finds_faults),
        cmocka_unit_test(test_generate),
        cmocka_unit_test(test_generate_is_a_function_of_the_model),
        cmocka_unit_test(test_generate_in_every_format),
        cmocka_unit_test(test_generate_failures),
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_info_of_odd_shapes),
        cmocka_unit_test(test_engines),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
