/* Tests of semla report and semla doctor as processes. The page in a browser: report_browser.py. */
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The data that a page contains; to be deleted. */
static cJSON *data_of(const char *path)
{
    static const char mark[] = "<script type=\"application/json\" id=\"report\">";
    char *text = read_file(path);
    char *data = strstr(text, mark);
    assert_non_null(data);
    data += strlen(mark);
    char *end = strstr(data, "</script>");
    assert_non_null(end);
    *end = '\0';
    cJSON *json = cJSON_Parse(data);
    assert_non_null(json);
    free(text);
    return json;
}

static const cJSON *member(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItem(object, name);
    assert_non_null(item);
    return item;
}

/* The sum of the second elements of pairs, each times the first one if `weighted`. */
static double sum_of_pairs(const cJSON *pairs, bool weighted)
{
    const cJSON *pair;
    double sum = 0;
    cJSON_ArrayForEach(pair, pairs)
    {
        const double count = cJSON_GetArrayItem(pair, 1)->valuedouble;
        sum += weighted ? count * cJSON_GetArrayItem(pair, 0)->valuedouble : count;
    }
    return sum;
}

static double sum_of(const cJSON *array)
{
    const cJSON *item;
    double sum = 0;
    cJSON_ArrayForEach(item, array) sum += item->valuedouble;
    return sum;
}

/* What the parts of a report must agree on, for any graph. */
static void check_consistent(const cJSON *json, double vertices, double entries, uint64_t roots)
{
    const cJSON *graph = member(json, "graph"), *search = member(json, "search"), *item;
    assert_true(json_get(graph, "vertices") == vertices);
    assert_true(json_get(graph, "entries") == entries);
    assert_true(sum_of_pairs(member(member(json, "degrees"), "out"), false) == vertices);
    assert_true(sum_of_pairs(member(member(json, "degrees"), "out"), true) == entries);
    assert_true(sum_of_pairs(member(json, "components"), true) == vertices);
    assert_true(sum_of(member(member(json, "spy"), "given")) == entries);
    assert_true(sum_of(member(member(json, "spy"), "by_degree")) == entries);
    assert_true(json_get(member(json, "bandwidth"), "bytes_per_second") > 1e6);

    double frontier = 0, levels = 0;
    assert_true(json_is(search, "valid"));
    cJSON_ArrayForEach(item, member(search, "levels"))
    {
        frontier += json_get(item, "frontier");
        levels += json_get(item, "push_levels") + json_get(item, "pull_levels");
        assert_true(json_get(item, "expected_push_edges") >= 0);
        assert_true(json_get(item, "expected_pull_edges") >= 0);
        assert_true(json_get(item, "bytes") > 0 && json_get(item, "bytes_seconds") > 0);
    }
    assert_true(frontier == json_get(search, "reached"));
    assert_true(levels == json_get(search, "depth") + 1);

    assert_true(cJSON_GetArraySize(member(json, "engines")) >= 1);
    cJSON_ArrayForEach(item, member(json, "engines"))
    {
        const cJSON *root;
        assert_true(json_get(item, "searched") == (double)roots);
        assert_true(json_get(item, "valid") == (double)roots);
        assert_int_equal(cJSON_GetArraySize(member(item, "roots")), roots);
        cJSON_ArrayForEach(root, member(item, "roots"))
        {
            assert_true(json_is(root, "valid") && json_get(root, "seconds") > 0);
            const double teps = json_get(root, "edges") / json_get(root, "seconds");
            assert_true(fabs(json_get(root, "teps") - teps) <= 1e-9 * teps);
        }
    }
}

static void test_page(void **state)
{
    const char *page = in_folder("page.html");
    run("report kronecker:scale=10,seed=3 -o %s --roots 4", page);
    expect(0, "openmp       4 of 4 trees valid\n", NULL);
    expect(0, "suitesparse  4 of 4 trees valid\n", NULL);
    cJSON *json = data_of(page), *info = run_json(0, "info kronecker:scale=10,seed=3 --json");
    assert_string_equal(json_string(json, "format"), "semla report");
    assert_non_null(strstr(json_string(json, "command"), "semla report kronecker:scale=10,seed=3"));
    check_consistent(json, 1024, json_get(info, "entries"), 4);
    assert_true(json_get(member(json, "graph"), "isolated") == json_get(info, "isolated"));
    assert_true(json_get(member(json, "graph"), "self_loops") == json_get(info, "self_loops"));
    cJSON_Delete(info);
    cJSON_Delete(json);

    /* Nothing is loaded from elsewhere. */
    char *text = read_file(page);
    assert_null(strstr(text, "src="));
    assert_null(strstr(text, "<link"));
    assert_null(strstr(text, "@import"));
    free(text);
}

/* Directed, weighted, with a self-loop and vertices without edges; and a single vertex. */
static void test_odd_graphs(void **state)
{
    const char *file = write_file("odd.mtx", "%%MatrixMarket matrix coordinate real general\n"
                                             "6 6 5\n1 2 0.5\n2 3 1.5\n3 1 2\n3 3 -1\n5 1 7\n");
    cJSON *json = run_json(0, "report %s -o %s --roots 3 --json", file, in_folder("odd.html"));
    check_consistent(json, 6, 5, 3);
    assert_false(json_is(member(json, "graph"), "symmetric"));
    assert_true(json_get(member(json, "graph"), "self_loops") == 1);
    assert_true(json_get(member(json, "graph"), "isolated") == 2);
    assert_int_equal(cJSON_GetArraySize(member(member(json, "degrees"), "in")), 3); /* 0, 1, 2 */
    cJSON_Delete(json);

    json = run_json(0, "report path:1 -o %s --json", in_folder("one.html"));
    check_consistent(json, 1, 0, 1);
    cJSON_Delete(json);

    /* More levels than bars: bars add up levels. */
    json =
        run_json(0, "report path:1000 -o %s --source 0 --roots 1 --json", in_folder("path.html"));
    check_consistent(json, 1000, 1998, 1);
    assert_in_range(cJSON_GetArraySize(member(member(json, "search"), "levels")), 50, 120);
    cJSON_Delete(json);
}

/* The time of an engine ends its searches, of which one is always made. */
static void test_limit_of_time(void **state)
{
    cJSON *json =
        run_json(0, "report path:60 -o %s --roots 9 --seconds 1e-9 --json", in_folder("s.html"));
    check_consistent(json, 60, 118, 1);
    cJSON_Delete(json);
    json =
        run_json(0, "report path:60 -o %s -f --roots 9 --seconds 1000 --json", in_folder("s.html"));
    check_consistent(json, 60, 118, 9);
    cJSON_Delete(json);
}

/* Before a level of a star, the expected edges are those of its hub and of its leaves. */
static void test_expected_edges(void **state)
{
    cJSON *json =
        run_json(0, "report star:101 -o %s --source 0 --roots 1 --json", in_folder("star.html"));
    const cJSON *first = cJSON_GetArrayItem(member(member(json, "search"), "levels"), 0);
    assert_true(json_get(first, "expected_push_edges") == 100);
    /* 100 leaves, each with one in-edge; half of all entries leave the hub: at most 100 edges. */
    assert_true(json_get(first, "expected_pull_edges") == 100);
    cJSON_Delete(json);
    json = run_json(
        0, "report star:101 -o %s -f --engine suitesparse --direction push --roots 1 --json",
        in_folder("star.html"));
    assert_int_equal(cJSON_GetArraySize(member(json, "engines")), 1);
    assert_string_equal(json_string(member(json, "search"), "engine"), "suitesparse");
    const cJSON *level;
    cJSON_ArrayForEach(level, member(member(json, "search"), "levels"))
        assert_true(json_get(level, "pull_levels") == 0);
    cJSON_Delete(json);
}

static void test_ids(void **state)
{
    const char *file = write_file("ids.txt", "100 200\n200 300\n");
    cJSON *json = run_json(0, "report %s --renumber --source 200 -o %s --roots 2 --json", file,
                           in_folder("ids.html"));
    assert_true(json_get(member(json, "search"), "source") == 200);
    cJSON_Delete(json);
    run("report %s --renumber --source 7 -o %s", file, in_folder("no.html"));
    expect(1, NULL, "source");
    assert_false(file_exists("no.html"));
}

static void test_chrome_trace(void **state)
{
    run("report path:50 -o %s --roots 1 --chrome-trace %s", in_folder("t.html"),
        in_folder("t.json"));
    expect(0, NULL, NULL);
    char *text = read_file(in_folder("t.json"));
    cJSON *trace = cJSON_Parse(text);
    const cJSON *event;
    int rows = 0, operations = 0, searches = 0;
    cJSON_ArrayForEach(event, member(trace, "traceEvents"))
    {
        const char *kind = json_string(event, "ph");
        rows += *kind == 'M';
        operations += *kind == 'X';
        if (*kind == 'X') {
            assert_true(json_get(event, "ts") >= 0 && json_get(event, "dur") >= 0);
            searches += strcmp(json_string(event, "name"), "closure") == 0;
        }
    }
    assert_int_equal(rows, 2);     /* openmp, suitesparse */
    assert_int_equal(searches, 6); /* 5 of them warm up */
    cJSON *page = data_of(in_folder("t.html"));
    const cJSON *timeline = member(member(page, "timeline"), "operations");
    assert_int_equal(operations, cJSON_GetArraySize(timeline));
    cJSON_Delete(page);
    cJSON_Delete(trace);
    free(text);
}

/* ---- comparing ------------------------------------------------------------ */

static void test_against(void **state)
{
    const char *before = in_folder("before.html"), *after = in_folder("after.html");
    run("report path:60 -o %s --roots 1", before);
    expect(0, NULL, NULL);
    run("report path:60 -o %s --roots 1 --against %s", after, before);
    expect(0, NULL, NULL);
    char *text = read_file(after);
    char *other = strstr(text, "id=\"against\">{");
    assert_non_null(other);
    assert_non_null(strstr(other, "before.html")); /* the command of the other page */
    free(text);
    /* A page can replace the one that it is compared with. */
    run("report path:60 -o %s --roots 1 --against %s --force", before, before);
    expect(0, NULL, NULL);

    run("report path:60 -o %s --against %s", in_folder("x.html"), in_folder("nowhere.html"));
    expect(1, NULL, "nowhere.html: cannot open: No such file or directory");
    run("report path:60 -o %s --against %s", in_folder("x.html"), write_file("p.html", "<html>"));
    expect(1, NULL, "p.html: not a page of 'semla report', or cut off");
    run("report path:60 -o %s --against %s", in_folder("x.html"),
        write_file("q.html",
                   "<script type=\"application/json\" id=\"report\">{\"format\": </script>"));
    expect(1, NULL, "q.html: not a page of 'semla report', or cut off");
    run("report path:60 -o %s --against %s", in_folder("x.html"),
        write_file("r.html", "<script type=\"application/json\" id=\"report\">"
                             "{\"format\":\"semla report\",\"version\":99}</script>"));
    expect(1, NULL, "r.html: a report of format 99; this semla compares reports of format 1");
    assert_false(file_exists("x.html"));
}

/* ---- files and faults ------------------------------------------------------- */

static void test_files(void **state)
{
    const char *page = write_file("mine.html", "mine");
    run("report path:20 -o %s", page);
    expect(1, NULL, "mine.html exists; pass --force to overwrite it");
    char *text = read_file(page);
    assert_string_equal(text, "mine");
    free(text);
    run("report path:20 -o %s --roots 1 --force", page);
    expect(0, NULL, NULL);
    run("report path:20 -o %s --roots 1 --chrome-trace %s", in_folder("new.html"), page);
    expect(1, NULL, "mine.html exists");
    assert_false(file_exists("new.html"));
    run("report path:20 -o /nowhere/page.html");
    expect(1, NULL, "/nowhere/page.html: cannot be written");
    run_limited(1000, "report path:20 -o %s --roots 1", in_folder("cut.html"));
    expect(1, NULL, "cut.html");
    assert_false(file_exists("cut.html"));
    run("report path:20 -o - --roots 1");
    expect(0, "<!DOCTYPE html>", NULL);

    run("report path:20 -o - --json");
    expect(2, NULL, "--output - and --json both write to standard output");
    run("report path:20 -o a.html --chrome-trace a.html");
    expect(2, NULL, "name the same file, 'a.html'");
    run("report path:20 --roots 0");
    expect(2, NULL, "--roots takes a whole number from 1 to 10000, not '0'");
    run("report");
    expect(2, NULL, "a graph is missing");
    const char *wide = write_file("wide.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                                              "2 3 1\n1 3\n");
    run("report %s -o %s", wide, in_folder("new.html"));
    expect(1, NULL, "a search needs a square matrix");
    run("report path:100000000 --max-memory 1M -o %s", in_folder("new.html"));
    expect(1, NULL, "memory");
    assert_false(file_exists("new.html"));
}

/* A text of the graph's name cannot end the element of the data. */
static void test_hostile_name(void **state)
{
    mkdir(in_folder("<"), 0700);
    char name[64];
    snprintf(name, sizeof name, "%s", write_file("</script><b>.txt", "0 1\n1 2\n"));
    const char *page = in_folder("hostile.html");
    run("report %s -o %s --roots 1", name, page);
    expect(0, NULL, NULL);
    cJSON *json = data_of(page);
    assert_string_equal(json_string(member(json, "graph"), "name"), name);
    cJSON_Delete(json);
    assert_int_equal(unlink(name), 0);
    assert_int_equal(rmdir(in_folder("<")), 0);
}

static void test_invalid_tree(void **state)
{
    const char *page = in_folder("invalid.html");
    run_faulty("level", "report path:50 -o %s --roots 2", page);
    expect(1, "0 of 2 trees valid", "a tree is not valid");
    cJSON *json = data_of(page);
    assert_false(json_is(member(json, "search"), "valid"));
    assert_true(strlen(json_string(member(json, "search"), "reason")) > 0);
    cJSON_Delete(json);
    run_faulty("status", "report path:50 -o %s", in_folder("failed.html"));
    expect(1, NULL, "injected fault");
    assert_false(file_exists("failed.html"));
}

/* ---- doctor ------------------------------------------------------------------- */

static const char *verdict_of(const cJSON *json, const char *part)
{
    const cJSON *finding;
    cJSON_ArrayForEach(finding, member(json, "findings"))
    {
        if (strcmp(json_string(finding, "part"), part) == 0)
            return json_string(finding, "verdict");
    }
    return "none";
}

static void test_doctor(void **state)
{
    cJSON *json = run_json(0, "doctor --json");
    assert_true(json_is(json, "works"));
    assert_string_equal(verdict_of(json, "semla"), "ok");
    assert_string_equal(verdict_of(json, "openmp"), "ok");
    assert_string_equal(verdict_of(json, "suitesparse"), "ok");
    assert_string_not_equal(verdict_of(json, "SuiteSparse:GraphBLAS"), "none");
    assert_string_not_equal(verdict_of(json, "NVIDIA driver"), "none");
    assert_string_not_equal(verdict_of(json, "MPI"), "none");
    cJSON_Delete(json);
    /* A start of MPI that ends the process is a finding. */
    json = run_json(0, "engines --json");
    const cJSON *engine;
    bool open_mpi = false;
    cJSON_ArrayForEach(engine, member(json, "engines"))
    {
        open_mpi = open_mpi || strstr(json_string(engine, "version"), "Open MPI");
    }
    cJSON_Delete(json);
    setenv("OMPI_MCA_pml", "nosuch", 1);
    json = run_json(0, "doctor --json");
    unsetenv("OMPI_MCA_pml");
    if (open_mpi)
        assert_string_equal(verdict_of(json, "MPI"), "fault");
    cJSON_Delete(json);
    run("doctor");
    expect(0, "a search of a small graph is valid", NULL);
    run_faulty("level", "doctor");
    expect(1, "fault    openmp", "an engine of the host does not work");
    run_faulty("absent", "doctor");
    expect(1, "fault    openmp", NULL);
    run("doctor --threads 4096");
    expect(0, "warning  threads", NULL);
    run("doctor karate.mtx");
    expect(2, NULL, "unexpected argument 'karate.mtx'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page),          cmocka_unit_test(test_odd_graphs),
        cmocka_unit_test(test_limit_of_time), cmocka_unit_test(test_expected_edges),
        cmocka_unit_test(test_ids),           cmocka_unit_test(test_chrome_trace),
        cmocka_unit_test(test_against),       cmocka_unit_test(test_files),
        cmocka_unit_test(test_hostile_name),  cmocka_unit_test(test_invalid_tree),
        cmocka_unit_test(test_doctor),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
