/* Tests of semla parity: it accepts correct searches and reports wrong ones. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

static void test_agreement(void **state)
{
    static const char *const graphs[] = {
        "kronecker:7,seed=2",
        "grid:9x7",
        "road:12x11,seed=4",
        "path:40",
        "star:40",
        "complete:12",
        "path:1",
        "uniform:200,edges=300",
        "path:30 --directed",
        "kronecker:6 --directed --no-loops",
    };
    for (size_t i = 0; i < sizeof graphs / sizeof graphs[0]; i++) {
        run("parity %s --searches 3 --seed 1", graphs[i]);
        expect(0, "All agree.", NULL);
        assert_null(strstr(run_out, "DIFFER"));
    }
    run("parity %s/karate.mtx --source 0 --source 33", SEMLA_TEST_DATA);
    expect(0, "Sources   0 33\n", NULL);
    expect(0, "34 vertices, 156 edges", NULL);
}

/* There is one row for each available engine, direction and form. */
static void test_rows(void **state)
{
    cJSON *engines = run_json(0, "engines --json"), *engine;
    int present = 0;
    cJSON_ArrayForEach(engine, cJSON_GetObjectItem(engines, "engines")) present +=
        json_is(engine, "present") && strcmp(json_string(engine, "name"), "grid") != 0;
    cJSON_Delete(engines);

    cJSON *json = run_json(0, "parity kronecker:6 --source 3 --searches 4 --json"), *row;
    assert_true(json_is(json, "agree"));
    assert_true(json_get(json, "vertices") == 64);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "sources")), 5);
    const cJSON *rows = cJSON_GetObjectItem(json, "rows");
    assert_int_equal(cJSON_GetArraySize(rows), 4 * present);
    int plain = 0, pull = 0;
    cJSON_ArrayForEach(row, rows)
    {
        assert_true(json_is(row, "levels") && json_is(row, "parents") && json_is(row, "trees"));
        assert_true(json_get(row, "searches") == 10); /* both semirings, 5 sources */
        assert_true(json_get(row, "difference_count") == 0);
        plain += strcmp(json_string(row, "form"), "plain") == 0;
        pull += strcmp(json_string(row, "direction"), "pull") == 0;
    }
    assert_int_equal(plain, present);
    assert_int_equal(pull, present);
    cJSON_Delete(json);
}

/* With --seconds, each row still runs one search. */
static void test_limit(void **state)
{
    cJSON *json = run_json(0, "parity kronecker:6 --searches 3 --seconds 1e-9 --json"), *row;
    assert_true(json_is(json, "agree"));
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(json, "rows"))
    {
        assert_true(json_get(row, "searches") == 1);
        assert_true(json_is(row, "levels") && json_is(row, "parents"));
        assert_true(cJSON_IsNull(cJSON_GetObjectItem(row, "trees")));
    }
    cJSON_Delete(json);
    run("parity kronecker:6 --searches 3 --seconds 1e-9");
    expect(0, "ok       -              1", NULL);
    json = run_json(0, "parity kronecker:6 --searches 3 --seconds 1000 --json");
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(json, "rows"))
        assert_true(json_get(row, "searches") == 6 && json_is(row, "trees"));
    cJSON_Delete(json);
    run("parity kronecker:6 --seconds x");
    expect(2, NULL, "seconds");
}

static void test_random_sources(void **state)
{
    run("parity kronecker:6,seed=8 --searches 4 --seed 5 --json --quiet");
    expect(0, "\"sources\":", NULL);
    cJSON *first = cJSON_Parse(run_out);
    cJSON *again = run_json(0, "parity kronecker:6,seed=8 --searches 4 --seed 5 --json");
    cJSON *other = run_json(0, "parity kronecker:6,seed=8 --searches 4 --seed 6 --json");
    assert_true(cJSON_Compare(cJSON_GetObjectItem(first, "sources"),
                              cJSON_GetObjectItem(again, "sources"), true));
    assert_false(cJSON_Compare(cJSON_GetObjectItem(first, "sources"),
                               cJSON_GetObjectItem(other, "sources"), true));
    cJSON_Delete(first);
    cJSON_Delete(again);
    cJSON_Delete(other);
    /* The sources are distinct and have out-edges; the last vertex of a directed path has none. */
    cJSON *json = run_json(0, "parity path:4 --directed --searches 50 --json");
    int seen[4] = {0};
    const cJSON *source;
    cJSON_ArrayForEach(source, cJSON_GetObjectItem(json, "sources")) seen[source->valueint]++;
    assert_true(seen[0] == 1 && seen[1] == 1 && seen[2] == 1 && seen[3] == 0);
    cJSON_Delete(json);
    run("parity path:4 --source 4");
    expect(1, NULL, "source 4 is out of range");
}

/* faulty.c corrupts the last vertex in the result of sl_bfs, except with direction pull. */
static void test_differences_are_shown(void **state)
{
    run_faulty("level", "parity path:6 --source 0");
    expect(1, "The searches do NOT agree.", NULL);
    expect(1, "sl_bfs, push: 3 differences:", NULL);
    expect(1, "source 0, min_secondi: vertex 5: level expected 5, got 99", NULL);
    expect(1, "source 0, any_secondi: invalid tree: ", NULL);
    assert_null(strstr(run_out, "sl_bfs, pull:"));
    assert_null(strstr(run_out, "assign, push:"));

    run_faulty("parent", "parity path:6 --source 0");
    expect(1, "vertex 5: parent expected 4, got 5", NULL);
    run_faulty("level", "parity path:6 --directed --source 5");
    expect(1, "vertex 5: level expected 0, got 99", NULL);
    run_faulty("level", "parity path:6 --directed --transpose --source 0");
    expect(1, "vertex 5: level expected none, got 99", NULL);
    run_faulty("status", "parity path:6");
    expect(1, "the search failed: ", NULL);
    expect(1, "injected fault", NULL);
    run_faulty("level", "parity path:6 --searches 4");
    expect(1, "; the first are:", NULL);
    run_faulty("none", "parity path:6");
    expect(0, "All agree.", NULL);
}

static void test_differences_in_json(void **state)
{
    run_faulty("parent", "parity path:6 --source 0 --json");
    expect(1, "{", NULL);
    cJSON *json = cJSON_Parse(run_out), *row;
    assert_non_null(json);
    assert_false(json_is(json, "agree"));
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(json, "rows"))
    {
        bool corrupted = strcmp(json_string(row, "form"), "sl_bfs") == 0 &&
                         strcmp(json_string(row, "direction"), "pull") != 0;
        const cJSON *differences = cJSON_GetObjectItem(row, "differences");
        assert_true(json_is(row, "levels"));
        assert_true(json_is(row, "parents") == !corrupted);
        assert_int_equal(cJSON_GetArraySize(differences), corrupted ? 2 : 0);
        if (!corrupted)
            continue;
        const cJSON *difference = cJSON_GetArrayItem(differences, 0);
        assert_string_equal(json_string(difference, "kind"), "parent");
        assert_string_equal(json_string(difference, "semiring"), "min_secondi");
        assert_true(json_get(difference, "source") == 0);
        assert_true(json_get(difference, "vertex") == 5);
        assert_true(json_get(difference, "expected") == 4);
        assert_true(json_get(difference, "got") == 5);
        assert_string_equal(json_string(cJSON_GetArrayItem(differences, 1), "kind"), "tree");
    }
    cJSON_Delete(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_random_sources),
        cmocka_unit_test(test_differences_are_shown),
        cmocka_unit_test(test_differences_in_json),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
