/* Tests of semla info and semla engines. */
#include "run.h"

#include <string.h>

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
    expect(0, "Out-degrees  min 0, mean 0.80, max 2", NULL);
    expect(0, "In-degrees   min 0, mean 0.80, max 2", NULL);
    run("info %s --pattern", file);
    expect(0, "Values       none (pattern only)", NULL);
    run("info star:2000");
    expect(0, "Vertices     2,000\n", NULL);
    expect(0, "Symmetric    yes", NULL);
    expect(0, "Degrees      min 1, mean 2.00, max 1,999", NULL);
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
    expect(1, NULL, "the graph has no vertices; a search needs a source");
}

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
        cmocka_unit_test(test_info),
        cmocka_unit_test(test_info_of_odd_shapes),
        cmocka_unit_test(test_engines),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
