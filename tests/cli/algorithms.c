/* semla run: every algorithm of the registry as a command, with files, ids, messages and checks. */
#include "run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KARATE SEMLA_TEST_DATA "/karate.mtx"

static const char *const all[] = {"components",
                                  "scc",
                                  "spanning-forest",
                                  "sssp",
                                  "pagerank",
                                  "betweenness",
                                  "closeness",
                                  "triangles",
                                  "local-clustering",
                                  "core-numbers",
                                  "ktruss",
                                  "multi-source-bfs",
                                  "khop",
                                  "st-connected",
                                  "pseudo-diameter",
                                  "bipartite",
                                  "independent-set",
                                  "label-propagation"};
enum { ALL = sizeof all / sizeof *all };

/* The options without which an algorithm does not run. */
static const char *needs(const char *name)
{
    return strcmp(name, "st-connected") == 0 ? "--source 0 --target 9" : "";
}

static double top(const cJSON *json, int place, const char *what)
{
    return json_get(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "top"), place), what);
}

/* Each algorithm is checked on several graphs, with both forms of output. */
static void test_all(void **state)
{
    static const char *const graphs[] = {KARATE, "kronecker:8", "grid:9x9", "path:1", "star:40"};
    for (int a = 0; a < ALL; a++)
        for (int g = 0; g < 5; g++) {
            const bool tiny = g == 3;
            cJSON *json =
                run_json(0, "run %s %s %s --check --json", all[a], graphs[g],
                         tiny && *needs(all[a]) ? "--source 0 --target 0" : needs(all[a]));
            assert_string_equal(json_string(json, "algorithm"), all[a]);
            assert_true(json_is(json, "valid"));
            assert_true(json_is(json, "symmetric"));
            assert_true(json_get(json, "seconds") > 0);
            assert_true(json_get(json, "check_seconds") >= 0);
            assert_true(json_get(json, "operations") > 0);
            assert_true(json_get(json, "vertices") > 0);
            cJSON_Delete(json);
        }
    for (int a = 0; a < ALL; a++) {
        run("run %s %s %s --check --engine suitesparse", all[a], KARATE, needs(all[a]));
        expect(0,
               "Graph        " KARATE
               ": 34 vertices, 156 edges (each undirected edge counted twice)",
               NULL);
        expect(0, "Engine       suitesparse\n", NULL);
        assert_null(strstr(run_out, "fell back")); /* there is no later engine */
        expect(0, "\nCheck        ok, by ", NULL);
        run("run %s %s %s", all[a], KARATE, needs(all[a]));
        expect(0, " operations fell back from ", NULL);
        assert_null(strstr(run_out, "Check"));
    }
}

static bool is_required(const cJSON *options, const char *name)
{
    const cJSON *option;
    cJSON_ArrayForEach(option, options) if (strcmp(json_string(option, "name"), name) ==
                                            0) return json_is(option, "required");
    return false;
}

/* Every algorithm that the registry lists, with its sources chosen and not, checked and repeated: no
 * key of its JSON occurs twice, which run_json tests. */
static void test_distinct_keys(void **state)
{
    cJSON *list = run_json(0, "run --list --json"),
          *algorithms = cJSON_GetObjectItem(list, "algorithms");
    const cJSON *algorithm;
    assert_true(cJSON_GetArraySize(algorithms) >= ALL);
    cJSON_ArrayForEach(algorithm, algorithms)
    {
        const cJSON *options = cJSON_GetObjectItem(algorithm, "options");
        const char *name = json_string(algorithm, "name");
        const char *source = is_required(options, "source") ? " --source 0" : "";
        const char *target = is_required(options, "target") ? " --target 3" : "";
        cJSON_Delete(run_json(0, "run %s grid:3x3 --json%s%s", name, source, target));
        cJSON_Delete(
            run_json(0, "run %s star:6 --json --check --repeat 2%s%s", name, source, target));
    }
    cJSON_Delete(list);
}

/* Runs are repeated with the results of the last one; the spread of the times is printed. */
static void assert_spread(cJSON *json)
{
    assert_true(json_get(json, "repeat") == 3);
    const double min = json_get(json, "min_seconds"), max = json_get(json, "max_seconds");
    const double first = json_get(json, "first_seconds");
    const double median = json_get(json, "median_seconds");
    assert_true(0 < min && min <= median && median <= max && min <= first && first <= max);
    assert_true(json_get(json, "seconds") == median);
    assert_true(json_is(json, "valid"));
    cJSON_Delete(json);
}

static void test_repeat(void **state)
{
    for (int a = 0; a < ALL; a++)
        assert_spread(
            run_json(0, "run %s kronecker:6 %s --check --json --repeat 3", all[a], needs(all[a])));
    assert_spread(
        run_json(0, "run betweenness kronecker:6 --samples 5 --seed 2 --check --json --repeat 3"));
    run("run pagerank " KARATE " --repeat 3");
    expect(0, "\nTime         ", NULL);
    expect(0, " (median); ", NULL);
    expect(0, "\nRuns         3: min ", NULL);
    run("run pagerank " KARATE " --repeat 1");
    assert_null(strstr(run_out, "Runs"));
    assert_null(strstr(run_out, "median"));
    run("run pagerank " KARATE " --repeat 0");
    expect(2, NULL, "semla run: --repeat takes a whole number from 1 to 1000000, not '0'\n");
    run("run sssp roads.gr --repeat x");
    expect(2, NULL, "--repeat takes a whole number");
}

/* Weighted models: integers give integer distances. */
static void test_weighted_models(void **state)
{
    static const struct {
        const char *graph, *lengths;
    } cases[] = {{"kronecker:7,weights=1..255,seed=3", "int64"},
                 {"rmat:7,a=0.45,b=0.15,c=0.15,weights=0.5..2.5", "fp64"},
                 {"grid:9x9,weights=2..2", "int64"},
                 {"road:20x20,weights=0.0..1.0", "fp64"},
                 {"uniform:50,edges=90,weights=1..9", "int64"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cJSON *json = run_json(0, "run sssp %s --check --json", cases[k].graph);
        assert_string_equal(json_string(json, "lengths"), cases[k].lengths);
        assert_true(json_is(json, "valid"));
        assert_true(json_is(json, "symmetric"));
        cJSON_Delete(json);
    }
    cJSON *json = run_json(0, "run sssp grid:9x9,weights=2..2 --source 0 --json");
    assert_true(json_get(json, "farthest") == 32);
    cJSON_Delete(json);
    run("run sssp path:4,weights=-3..-1 --directed --source 0 --check --out -");
    expect(0, "0 0\n", NULL);
}

static void test_known_answers(void **state)
{
    run("run components " KARATE);
    expect(0, "\nComponents   1\nLargest      34\nAlone        0\n", NULL);
    run("run scc path:9 --directed --check");
    expect(0, "\nComponents   9\nLargest      1\nAlone        9\n", NULL);
    run("run spanning-forest " KARATE " --check");
    expect(0, "\nForest edges 33\nTrees        1\nWeight       33\n", NULL);
    run("run independent-set star:30 --seed 4 --check");
    expect(0, "\nMembers      29\n", NULL);
    run("run label-propagation complete:9 --check");
    expect(0, "\nCommunities  1\nIterations   3\nConverged    yes\nLargest      9\n", NULL);
    run("run triangles " KARATE " --top 1");
    expect(0, "\nTriangles    45\n", NULL);
    expect(0, "\n      vertex  triangles\n           0  18\n", NULL);
    assert_null(strstr(run_out, "          33  15"));
    run("run closeness " KARATE " --source 33 --source 0");
    expect(0, "\n      vertex  closeness\n           0  0.568966\n          33  0.55\n", NULL);
    run("run local-clustering " KARATE " --top 1");
    expect(0, "\nMean         0.570638\nGlobal       0.255682\nTriangles    45\n", NULL);
    expect(0, "\n      vertex  coefficient\n           7  1\n", NULL);
    run("run core-numbers " KARATE " --top 1");
    expect(0, "\nGreatest     4\nBy core      0 1 11 12 10\n", NULL);
    expect(0, "\n      vertex  core number\n           0  4\n", NULL);
    run("run ktruss " KARATE " --k 4");
    expect(0, "\nTruss edges  25\nTruss vertices 12\nTruss triangles 24\n", NULL);
    run("run pseudo-diameter " KARATE);
    expect(0, "\nLower        5\nUpper        5\nEnds         ", NULL);
    run("run pseudo-diameter " KARATE " --source 0 --max-searches 1");
    expect(0, "\nLower        3\nUpper        6\n", NULL);
    run("run bipartite " KARATE);
    expect(0, "\nBipartite    no\nCycle length 3\n", NULL);
    run("run bipartite star:30");
    expect(0, "\nBipartite    yes\nSide sizes   1 29\n", NULL);
    run("run khop " KARATE " --source 0 --hops 1");
    expect(0, "\nSources      0\nHops         1\nWithin       17\nBy distance  1 16\n", NULL);
    run("run multi-source-bfs " KARATE " --source 0 --source 16 -S 0");
    expect(0, "\nSources      0 16 0\nReached      34 34 34\nDepths       3 5 3\n", NULL);
    run("run multi-source-bfs path:9 --source 0 --max-depth 3 --check");
    expect(0, "\nReached      4\nDepths       3\n", NULL);
    run("run st-connected path:9 --source 2 --target 6");
    expect(0, "\nConnected    yes\nDistance     4\nPath         2 3 4 5 6\n", NULL);
    run("run st-connected path:9 --directed --source 6 --target 2 --check");
    expect(0, "\nConnected    no\nTime ", NULL);

    cJSON *json = run_json(0, "run betweenness " KARATE " --json --top 3");
    assert_true(fabs(top(json, 0, "value") - 231.0714285714286) < 1e-8);
    assert_true(top(json, 0, "vertex") == 0 && top(json, 1, "vertex") == 33);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "top")), 3);
    cJSON_Delete(json);
    json = run_json(0, "run betweenness " KARATE " --json --normalised --batch 3 --check");
    assert_true(fabs(top(json, 0, "value") - 0.43763528138528146) < 1e-10);
    cJSON_Delete(json);
    json = run_json(0, "run betweenness grid:30x30 --json --samples 5 --seed 3 --check");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "sources")), 5);
    assert_true(json_is(json, "valid"));
    cJSON_Delete(json);
    json = run_json(0, "run closeness grid:30x30 --json --samples 7 --seed 3 --check");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "sources")), 7);
    assert_true(json_is(json, "valid"));
    cJSON_Delete(json);
    json = run_json(0, "run betweenness star:5 --json --samples 50 --check");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "sources")), 5);
    cJSON_Delete(json);
}

static void test_pagerank(void **state)
{
    cJSON *json = run_json(0, "run pagerank " KARATE " --tolerance 1e-12 --json --check");
    assert_true(fabs(top(json, 0, "value") - 0.10091918232295749) < 1e-10);
    assert_true(top(json, 0, "vertex") == 33);
    assert_true(json_is(json, "converged"));
    cJSON_Delete(json);
    json = run_json(0, "run pagerank " KARATE " --max-iterations 3 --damping 0.5 --json --check");
    assert_true(json_get(json, "iterations") == 3);
    assert_false(json_is(json, "converged"));
    assert_true(json_is(json, "valid"));
    cJSON_Delete(json);
    write_file("weights.txt", "20 1\n30 1\n");
    json = run_json(0, "run pagerank path:50 --personalisation %s --json --check",
                    in_folder("weights.txt"));
    assert_true(top(json, 0, "vertex") == 20 || top(json, 0, "vertex") == 30);
    assert_true(json_is(json, "valid"));
    cJSON_Delete(json);
    json = run_json(0, "run pagerank path:50 --source 20 --source 30 --json --check");
    assert_true(top(json, 0, "vertex") == 20 || top(json, 0, "vertex") == 30);
    assert_true(json_is(json, "valid"));
    cJSON_Delete(json);
}

/* ---- files -------------------------------------------------------------- */

static void expect_file(const char *name, const char *text)
{
    char *content = read_file(in_folder(name));
    if (!strstr(content, text))
        fail_msg("%s: '%s' is not in\n%.2000s", name, text, content);
    free(content);
}

static void test_files(void **state)
{
    run("run sssp %s --source 0 --out %s --parents %s --check",
        write_file("roads.txt", "0 1 7\n0 2 2\n2 1 3\n1 3 1\n4 0 1\n"), in_folder("d.txt"),
        in_folder("p.txt"));
    expect(0, "\nReached      4\nFarthest     6\n", NULL);
    expect_file("d.txt", "\n0 0\n1 5\n2 2\n3 6\n");
    expect_file("p.txt", "\n0 0\n1 2\n2 0\n3 1\n");
    run("run components path:3 --out %s", in_folder("c.mtx"));
    expect(0, NULL, NULL);
    expect_file("c.mtx", "%%MatrixMarket matrix");
    run("run triangles complete:4 --out %s", in_folder("t.npy"));
    expect(0, NULL, NULL);
    char *array = read_file(in_folder("t.npy")); /* read_file ends at the first 0 byte */
    assert_memory_equal(array, "\x93NUMPY", 6);
    free(array);
    run("run st-connected path:4 --source 3 --target 1 --out -");
    expect(0, "0 3\n1 2\n2 1\n", NULL);
    assert_null(strstr(run_out, "Graph"));
    run("run multi-source-bfs path:4 --source 3 --source 0 --out %s --parents %s",
        in_folder("l.txt"), in_folder("q.mtx"));
    expect(0, NULL, NULL);
    expect_file("l.txt", "\n0 0 3\n");
    expect_file("q.mtx", "\n1 1 1\n");
    run("run bipartite path:3 --out -");
    expect(0, "0 0\n1 1\n2 0\n", NULL);

    int before = files_in_folder();
    run("run components path:3 --out %s/none/c.txt", run_folder);
    expect(1, NULL, "No such file or directory");
    assert_string_equal(run_out, "");
    run("run st-connected path:3 --directed --source 2 --target 0 --out %s", in_folder("none.txt"));
    expect(1, NULL, "none.txt is not written: there is no path");
    run("run components path:3 --out %s", in_folder("c.gr"));
    expect(1, NULL, "stores graphs, not vectors");
    run_limited(20000, "run components path:20000 --out %s", in_folder("long.txt"));
    expect(1, NULL, "long.txt");
    assert_int_equal(files_in_folder(), before);
}

/* With --renumber vertices are given, shown and written by the ids of the file. */
static void test_ids(void **state)
{
    const char *file = write_file("ids.txt", "100 200\n200 300\n50 300\n7 9\n");
    run("run components %s --renumber --out - --symmetric", file);
    expect(0, "\n7 7\n9 7\n50 50\n100 50\n200 50\n300 50\n", NULL);
    run("run st-connected %s --renumber --symmetric --source 100 --target 50 --check", file);
    expect(0, "\nPath         100 200 300 50\n", NULL);
    run("run st-connected %s --renumber --symmetric --source 100 --target 50 --out -", file);
    expect(0, "\n0 100\n1 200\n2 300\n3 50\n", NULL);
    run("run sssp %s --renumber --source 100 --parents %s", file, in_folder("up.txt"));
    expect(0, "\nSource       100\n", NULL);
    expect_file("up.txt", "\n100 100\n200 100\n300 200\n");
    run("run pseudo-diameter %s --renumber --symmetric --source 50", file);
    expect(0, "\nLower        3\nUpper        3\nEnds         50 100\n", NULL);
    run("run components %s --renumber --out %s", file, in_folder("ids.npy"));
    expect(0, NULL, NULL);
    run("run khop %s --renumber --source 8", file);
    expect(1, NULL, "source 8 is not a vertex: the id does not occur in the file");
}

/* ---- errors -------------------------------------------------------------- */

/* Fails unless all options of an algorithm are in the first `length` characters of its help. */
static void expect_options(const char *help, size_t length, const cJSON *options)
{
    const cJSON *option;
    cJSON_ArrayForEach(option, options)
    {
        char text[60];
        snprintf(text, sizeof text, "--%s", json_string(option, "name"));
        const char *at = strstr(help, text);
        if (!at || at > help + length)
            fail_msg("%s is not among the first options in\n%s", text, help);
    }
}

/* The help of an algorithm says what it does, then has its options, then those of files: a screen. */
static void expect_help(const cJSON *algorithm)
{
    enum { SCREEN = 40, WIDTH = 79 };
    int lines = 0;
    char usage[100];
    const char *name = json_string(algorithm, "name"), *summary = json_string(algorithm, "summary");
    run("run %s --help", name);
    snprintf(usage, sizeof usage, "Usage: semla run %s [OPTION...] GRAPH\n", name);
    expect(0, usage, NULL);
    assert_int_equal(strncmp(run_out + strlen(usage) + 1, summary + 1, 20),
                     0); /* after the capital */
    const char *output = strstr(run_out, "\n Output:\n");
    const char *files = strstr(run_out, "--weight-column");
    assert_true(output && files && output < files);
    expect_options(run_out, (size_t)(output - run_out), cJSON_GetObjectItem(algorithm, "options"));
    for (const char *at = run_out, *end; (end = strchr(at, '\n')); at = end + 1, lines++)
        if (end - at > WIDTH)
            fail_msg("a line has more than %d characters in\n%s", (int)WIDTH, run_out);
    if (lines > SCREEN)
        fail_msg("%d lines are more than a screen:\n%s", lines, run_out);
}

static void test_help(void **state)
{
    cJSON *list = run_json(0, "run --list --json");
    const cJSON *algorithm;
    cJSON_ArrayForEach(algorithm, cJSON_GetObjectItem(list, "algorithms")) expect_help(algorithm);
    cJSON_Delete(list);
    run("run --source 3 sssp graph.mtx --help");
    expect(0, "--parents=FILE", NULL);
    assert_null(strstr(run_out, "--damping"));
    run("run --help");
    assert_true(strstr(run_out, "--damping") < strstr(run_out, "--weight-column"));
}

static void test_usage(void **state)
{
    static const struct {
        const char *arguments, *message;
    } cases[] = {
        {"", "an algorithm is missing: 'semla run --list' shows them"},
        {"components", "a graph is missing"},
        {"dijkstra path:3", "there is no algorithm 'dijkstra' (algorithms: components, scc, "},
        {"components path:3 path:4", "unexpected argument 'path:4'"},
        {"components path:3 --source 1", "the algorithm 'components' takes no --source"},
        {"components path:3 --damping 0.5", "the algorithm 'components' takes no --damping"},
        {"pseudo-diameter path:3 --out x", "the algorithm 'pseudo-diameter' takes no --out"},
        {"multi-source-bfs path:3 --out x.npy",
         "--out: 'x.npy': the result 'levels' of 'multi-source-bfs' is a matrix, and .npy files "
         "hold "
         "vectors; write .mtx or text"},
        {"multi-source-bfs path:3 --parents x.npy.gz",
         "--parents: 'x.npy.gz': the result 'parents' of 'multi-source-bfs' is a matrix"},
        {"ktruss path:3 -o x.npy", "--out: 'x.npy': the result 'truss' of 'ktruss' is a matrix"},
        {"khop path:3 --parents x", "the algorithm 'khop' takes no --parents"},
        {"sssp path:3 --source 1 --source 2", "the algorithm 'sssp' takes one --source"},
        {"st-connected path:3 --source 1", "the algorithm 'st-connected' needs --target"},
        {"st-connected path:3 --target 1", "the algorithm 'st-connected' needs --source"},
        {"khop path:3 --top 3", "the algorithm 'khop' takes no --top"},
        {"sssp path:3 --target 1", "the algorithm 'sssp' takes no --target"},
        {"pagerank path:3 --damping 1", "--damping takes a number below 1, not '1'"},
        {"pagerank path:3 --damping 0", "--damping takes a number above 0, not '0'"},
        {"pagerank path:3 --max-iterations 0", "--max-iterations takes a number from 1"},
        {"pseudo-diameter path:3 --max-searches 0", "--max-searches takes a number from 1"},
        {"betweenness path:3 --samples 0", "--samples takes a number from 1"},
        {"betweenness path:3 --seed 3", "--seed needs --samples"},
        {"betweenness path:3 --samples 2 --source 1",
         "--samples and --source cannot both be given"},
        {"khop path:3 --hops -1", "--hops takes a whole number from 0, not '-1'"},
        {"components path:3 --out - --json", "--out - and --json cannot both"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run("run %s", cases[i].arguments);
        expect(2, NULL, cases[i].message);
        expect(2, NULL, "Try 'semla run --help' for more information.");
        if (!strstr(cases[i].arguments, "--json")) /* failures.c tests that */
            assert_string_equal(run_out, "");
    }
    run("run --list");
    for (int a = 0; a < ALL; a++)
        expect(0, all[a], NULL);
    run("run --help");
    for (int a = 0; a < ALL; a++)
        expect(0, all[a], NULL);
    expect(0, "Examples:\n  semla run components", NULL);
}

static void test_failures(void **state)
{
    run("run sssp path:3 --source 3");
    expect(1, NULL, "source 3 is out of range: the graph has the vertices 0 to 2");
    run("run st-connected path:3 --source 0 --target 3");
    expect(1, NULL, "target 3 is out of range: the graph has the vertices 0 to 2");
    run("run triangles path:3 --directed");
    expect(1, NULL, "triangles: the graph is directed: the edge from 0 to 1 has no mirror edge");
    run("run sssp %s --source 0", write_file("cycle.txt", "0 1 2\n1 2 1\n2 1 -3\n"));
    expect(1, NULL, "sssp: a cycle of negative length leads through vertex");
    run("run components %s",
        write_file("oblong.mtx", "%%MatrixMarket matrix coordinate pattern general\n2 3 1\n1 1\n"));
    expect(1, NULL, "the matrix is 2 x 3; an algorithm needs a square matrix");
    const char *empty =
        write_file("empty.mtx", "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n");
    run("run sssp %s", empty);
    expect(1, NULL, "the graph has no vertices; a search needs a source");
    run("run st-connected %s --source 0 --target 0", empty);
    expect(1, NULL, "source 0 is out of range: the graph has no vertices");
    run("run components %s --check", empty);
    expect(0, "\nComponents   0\n", NULL);
    run("run sssp path:3 --out %s --parents %s", in_folder("one"), in_folder("one"));
    expect(2, NULL, "semla run: --out and --parents both name '");
    run("run pagerank %s/none.mtx", run_folder);
    expect(1, NULL, "none.mtx");
    assert_string_equal(run_out, "");
}

/* --check finds a result that was made wrong; without it the result is reported as it is. */
static void test_checks(void **state)
{
    for (int a = 0; a < ALL; a++) {
        run_faulty("algorithm", "run %s " KARATE " %s --check", all[a], needs(all[a]));
        expect(1, "\nCheck        NOT VALID: ", "semla run: the result is not valid: ");
        run_faulty("algorithm", "run %s " KARATE " %s --check --json", all[a], needs(all[a]));
        expect(1, "\"valid\":\tfalse", "semla run: the result is not valid: ");
        expect(1, "\"reason\":\t\"", NULL);
        run_faulty("algorithm", "run %s " KARATE " %s", all[a], needs(all[a]));
        expect(0, NULL, NULL);
        run_faulty("none", "run %s " KARATE " %s --check", all[a], needs(all[a]));
        expect(0, "\nCheck        ok, by ", NULL);
    }
}

/* The figures that SNAP publishes for wiki-Vote, if SEMLA_DATA_DIR has the graph. */
static void test_real_graph(void **state)
{
    const char *folder = getenv("SEMLA_DATA_DIR");
    char graph[500];
    snprintf(graph, sizeof graph, "%s/wiki-Vote.txt", folder ? folder : "");
    if (!folder || access(graph, R_OK) != 0)
        skip();
    cJSON *json = run_json(0, "run components %s --renumber --check --json", graph);
    assert_true(json_get(json, "largest") == 7066);
    cJSON_Delete(json);
    json = run_json(0, "run triangles %s --renumber --symmetric --check --json", graph);
    assert_true(json_get(json, "triangles") == 608389);
    cJSON_Delete(json);
    /* the numbers are those of networkx 3 */
    json = run_json(0, "run core-numbers %s --renumber --symmetric --check --json", graph);
    assert_true(json_get(json, "greatest") == 53);
    cJSON_Delete(json);
    json = run_json(0, "run ktruss %s --renumber --symmetric --k 10 --check --json", graph);
    assert_true(json_get(json, "truss_edges") == 50410);
    cJSON_Delete(json);
    json = run_json(0, "run local-clustering %s --renumber --symmetric --check --json", graph);
    assert_true(fabs(json_get(json, "mean") - 0.14089784589308738) < 1e-9);
    cJSON_Delete(json);
    json = run_json(0, "run closeness %s --renumber -S 3 -S 25 --check --json", graph);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "top")), 2);
    cJSON_Delete(json);
    json = run_json(0, "run pseudo-diameter %s --renumber --symmetric --check --json", graph);
    assert_true(json_get(json, "lower") == 7 && json_get(json, "upper") >= 7);
    cJSON_Delete(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),        cmocka_unit_test(test_distinct_keys),
        cmocka_unit_test(test_help),       cmocka_unit_test(test_known_answers),
        cmocka_unit_test(test_repeat),     cmocka_unit_test(test_weighted_models),
        cmocka_unit_test(test_files),      cmocka_unit_test(test_pagerank),
        cmocka_unit_test(test_ids),        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_checks),     cmocka_unit_test(test_failures),
        cmocka_unit_test(test_real_graph),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
