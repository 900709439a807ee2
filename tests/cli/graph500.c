/* Tests of semla graph500. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    /* 64 roots by default; fewer if fewer vertices have edges */
    json = run_json(0, "graph500 --scale 8 --no-validate --direction push --json");
    assert_true(json_get(json, "NBFS") == 64);
    assert_false(json_is(json, "validated"));
    assert_null(cJSON_GetObjectItem(json, "valid_trees"));
    cJSON_Delete(json);
    run("graph500 --scale 6 --roots 2 --no-validate --deterministic");
    expect(0, "validation:                 none", NULL);
    run("graph500 --scale 6 --roots 4 --validate-in-place");
    expect(0, "valid_trees:                4 of 4", NULL);
    run("graph500 --scale 6 --roots 4 --prune --engine openmp");
    expect(0, "pruned_vertices:            3", NULL);
    expect(0, "valid_trees:                4 of 4", NULL);
    run("graph500 --scale 6 --engine suitesparse --energy=1");
    expect(1, NULL, "no engine of this context has a meter");
}

/* Those of each kernel. */
static const char *const measures[] = {
    "min_time",           "firstquartile_time",
    "median_time",        "thirdquartile_time",
    "max_time",           "mean_time",
    "stddev_time",        "min_TEPS",
    "firstquartile_TEPS", "median_TEPS",
    "thirdquartile_TEPS", "max_TEPS",
    "harmonic_mean_TEPS", "harmonic_stddev_TEPS",
};
enum { MEASURES = sizeof measures / sizeof measures[0] };

static void test_shortest_paths(void **state)
{
    cJSON *json = run_json(0, "graph500 --scale 7 --edgefactor 8 --roots 5 --sssp --json");
    assert_true(json_get(json, "NBFS") == 5 && json_get(json, "NSSSP") == 5);
    assert_true(json_get(json, "valid_trees") == 5 && json_get(json, "sssp_valid_trees") == 5);
    assert_true(json_get(json, "sssp_validation_time") > 0);
    for (int i = 0; i < MEASURES; i++) {
        char name[64];
        snprintf(name, sizeof name, "sssp_%s", measures[i]);
        assert_true(json_get(json, name) > 0);
    }
    assert_true(json_get(json, "sssp_min_time") <= json_get(json, "sssp_max_time"));
    cJSON_Delete(json);
    for (int e = 0; e < 2; e++) {
        run("graph500 --scale 6 --roots 4 --sssp --engine %s", e ? "openmp" : "suitesparse");
        expect(0, "sssp_harmonic_mean_TEPS:    ", NULL);
        expect(0, "sssp_valid_trees:           4 of 4", NULL);
    }
    run("graph500 --scale 6 --roots 4 --sssp --validate-in-place --prune --engine openmp");
    expect(0, "sssp_valid_trees:           4 of 4", NULL);
    run("graph500 --scale 6 --roots 4 --sssp --no-validate");
    expect(0, "NSSSP:                      4", NULL);
    assert_null(strstr(run_out, "sssp_valid"));
    run("graph500 --scale 6 --roots 4");
    assert_null(strstr(run_out, "SSSP"));
    assert_null(strstr(run_out, "sssp"));
}

static void test_graph500_finds_faults(void **state)
{
    run_faulty("paths", "graph500 --scale 8 --roots 3 --sssp");
    expect(1, "sssp_valid_trees:           0 of 1",
           "semla graph500: the shortest paths from root ");
    run_faulty("paths", "graph500 --scale 8 --roots 3 --sssp --json");
    expect(1, "\"failed_root\":", "are not valid: ");
    run_faulty("paths", "graph500 --scale 8 --roots 3 --sssp --validate-in-place");
    expect(1, "sssp_valid_trees:           0 of 1", "are not valid: ");
    run_faulty("paths", "graph500 --scale 8 --roots 3 --sssp --no-validate");
    expect(0, "NSSSP:                      3", NULL);

    run_faulty("parent", "graph500 --scale 8 --roots 3");
    expect(1, "valid_trees:                0 of", "semla graph500: the tree from root ");
    run_faulty("parent", "graph500 --scale 8 --roots 3 --json");
    expect(1, "\"failed_root\":", "is not valid: ");
    run_faulty("parent", "graph500 --scale 8 --roots 3 --no-validate");
    expect(0, "NBFS", NULL);
    run_faulty("status", "graph500 --scale 8 --roots 3");
    expect(1, NULL, "semla graph500: injected fault");
    assert_string_equal(run_out, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph500),
        cmocka_unit_test(test_shortest_paths),
        cmocka_unit_test(test_graph500_finds_faults),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
