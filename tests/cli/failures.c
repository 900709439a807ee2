/* Failures as JSON, names that are not UTF-8, unknown words of SEMLA_TRACE, narrow terminals. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Runs a command that fails with --json: one JSON object with the message, which is on stderr. */
static void expect_failure(int status, const char *arguments, const char *message)
{
    cJSON *json = run_json(status, "%s", arguments);
    assert_int_equal(cJSON_GetArraySize(json), 2);
    assert_int_equal((int)json_get(json, "status"), status);
    if (!strstr(json_string(json, "error"), message))
        fail_msg("%s: '%s' is not in '%s'", arguments, message, json_string(json, "error"));
    assert_true(*run_err);
    cJSON_Delete(json);
}

static void test_json_failures(void **state)
{
    static const struct {
        int status;
        const char *arguments, *message;
    } cases[] = {
        {1, "bfs nowhere.mtx --json", "nowhere.mtx: cannot open: No such file or directory"},
        {1, "bfs --json nowhere.mtx", "nowhere.mtx: cannot open"},
        {1, "bfs path:4 --source 9 --json", "source 9 is out of range"},
        {1, "run sssp nowhere.mtx --json", "nowhere.mtx: cannot open"},
        {1, "run triangles path:4 --directed --json", "the graph is directed"},
        {1, "info nowhere.mtx --json", "nowhere.mtx: cannot open"},
        {1, "convert nowhere.mtx x.mtx --json", "nowhere.mtx: cannot open"},
        {1, "generate path:4 -o /nowhere/x --json", "/nowhere/x: cannot be written"},
        {1, "validate path:4 --source 0 --tree nowhere --json", "nowhere: cannot open"},
        {1, "parity nowhere.mtx --json", "nowhere.mtx: cannot open"},
        {2, "graph500 --json", "--scale is missing"},
        {2, "bfs --source x --json path:4", "--source takes a whole number from 0, not 'x'"},
        {2, "bfs path:4 --bogus --json", "unknown option '--bogus'"},
        {2, "bfs path:4 -z --json", "unknown option '-z'"},
        {2, "run dijkstra path:4 --json", "there is no algorithm 'dijkstra'"},
        {2, "run --json", "an algorithm is missing"},
        {2, "bfs kronecker:scale=x --json", "'kronecker:scale=x': "},
        {2, "generate path:4 -o - --json", "--output - and --json cannot be combined"},
        {2, "nonsense --json", "unknown command 'nonsense'"},
        {2, "--json bfs karate.mtx", "'--json' is not a command; options follow the command"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect_failure(cases[k].status, cases[k].arguments, cases[k].message);
    run("bfs nowhere.mtx");
    expect(1, NULL, "semla bfs: nowhere.mtx: cannot open");
    assert_string_equal(run_out, "");
}

/* A result that is not valid is the result: there is no second JSON text. */
static void test_json_of_wrong_results(void **state)
{
    cJSON *json = run_json(1, "validate path:4 --source 1 --levels %s --json",
                           write_file("levels", "0 1\n1 0\n2 2\n3 2\n"));
    assert_false(json_is(json, "valid"));
    cJSON_Delete(json);
    run_faulty("algorithm", "run components complete:40 --check --json");
    expect(1, "\"valid\":\tfalse", "the result is not valid");
    assert_null(strstr(run_out, "\"error\""));
}

/* Bytes of a name that are not UTF-8 are written as \xNN; valid sequences are kept. */
static void test_names(void **state)
{
    static const struct {
        const char *name, *shown;
    } cases[] = {
        {"g\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80.txt", "g\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80.txt"},
        {"g\xff.txt", "g\\xff.txt"},
        {"g\xc3.txt", "g\\xc3.txt"},
        {"g\xc0\xaf.txt", "g\\xc0\\xaf.txt"},                   /* overlong */
        {"g\xe0\x80\xaf.txt", "g\\xe0\\x80\\xaf.txt"},          /* overlong */
        {"g\xed\xa0\x80.txt", "g\\xed\\xa0\\x80.txt"},          /* a surrogate */
        {"g\xf4\x90\x80\x80.txt", "g\\xf4\\x90\\x80\\x80.txt"}, /* above U+10FFFF */
        {"g\"\\\x01.txt", "g\"\\\x01.txt"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cJSON *json = run_json(0, "info %s --json", write_file(cases[k].name, "0 1\n"));
        const char *shown = strrchr(json_string(json, "graph"), '/') + 1;
        assert_string_equal(shown, cases[k].shown);
        cJSON_Delete(json);
        char missing[100], expected[100];
        snprintf(missing, sizeof missing, "info nowhere-%s --json", cases[k].name);
        snprintf(expected, sizeof expected, "nowhere-%s: cannot open", cases[k].shown);
        expect_failure(1, missing, expected);
    }
}

static void test_list(void **state)
{
    static const char *const orders[] = {"run --list --json", "run --json --list"};
    for (int k = 0; k < 2; k++) {
        cJSON *json = run_json(0, "%s", orders[k]);
        const cJSON *list = cJSON_GetObjectItem(json, "algorithms");
        assert_true(cJSON_GetArraySize(list) >= 10);
        assert_string_equal(json_string(cJSON_GetArrayItem(list, 0), "name"), "components");
        cJSON_Delete(json);
    }
}

static void test_trace(void **state)
{
    setenv("SEMLA_TRACE", "everything", 1);
    static const char message[] =
        "SEMLA_TRACE: unknown word 'everything'; the words are dispatch, counts";
    static const char *const commands[] = {"bfs path:4", "run components path:4", "info path:4",
                                           "parity path:4", "graph500 --scale 4"};
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        run("%s", commands[k]);
        expect(1, NULL, message);
    }
    setenv("SEMLA_TRACE", "", 1);
    run("bfs path:4");
    expect(0, NULL, NULL);
    assert_string_equal(run_err, "");
    setenv("SEMLA_TRACE", "dispatch", 1);
    run("bfs path:4");
    expect(0, NULL, "semla: ");
    unsetenv("SEMLA_TRACE");
}

/* The longest line between the carriage returns and line feeds of stderr, in characters. */
static size_t longest_line(void)
{
    size_t longest = 0, length = 0;
    for (const char *c = run_err; *c; c++) {
        if (*c == '\r' || *c == '\n')
            length = 0;
        else if (*c == '\033')
            c += 2; /* erases the line */
        else
            length += (*c & 0xc0) != 0x80;
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void test_narrow_terminals(void **state)
{
    char name[200];
    memset(name, 'n', sizeof name);
    strcpy(name + 150, "\xc3\xa4.txt");
    const char *path = write_file(name, "0 1\n");
    static const unsigned short widths[] = {1, 2, 20, 79, 120, 0};
    for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
        const size_t most = widths[k] ? widths[k] : 80;
        run_columns = widths[k];
        run_on_terminal("bfs %s", path);
        expect(0, "Reached", "\r\033[K");
        assert_int_equal(longest_line(), most - 1);
    }
    run_columns = 400;
    run_on_terminal("bfs %s", path);
    expect(0, "Reached", "n\xc3\xa4.txt\r\033[K");
    run_on_terminal("bfs %s", write_file("a\x01\xff.txt", "0 1\n"));
    expect(0, NULL, "/a\\x01\\xff.txt\r\033[K");
    run_columns = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_failures), cmocka_unit_test(test_json_of_wrong_results),
        cmocka_unit_test(test_names),         cmocka_unit_test(test_list),
        cmocka_unit_test(test_trace),         cmocka_unit_test(test_narrow_terminals),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
