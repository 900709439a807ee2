/* Tests of semla bfs, of the tree files that it writes, and of semla validate. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The column titles of the table of levels. */
static const char level_head[] = "   level  direction         frontier      edges examined";

static void test_karate_club(void **state)
{
    /* Vertices at distance 0, 1, 2 and 3 from vertex 0. */
    static const int frontiers[] = {1, 16, 9, 8};
    cJSON *json = run_json(0, "bfs %s/karate.mtx --source 0 --validate --json", SEMLA_TEST_DATA);
    assert_true(json_get(json, "vertices") == 34);
    assert_true(json_get(json, "edges") == 156);
    assert_true(json_is(json, "symmetric"));
    assert_true(json_get(json, "source") == 0);
    assert_true(json_get(json, "reached") == 34);
    assert_true(json_get(json, "depth") == 3);
    assert_true(json_get(json, "seconds") > 0);
    assert_true(json_get(json, "prepare_seconds") >= 0);
    assert_true(json_get(json, "mteps") > 0);
    assert_true(json_is(json, "valid"));
    assert_string_equal(json_string(json, "ended_by"), "no more vertices");
    assert_true(strlen(json_string(json, "engine")) > 0);
    const cJSON *levels = cJSON_GetObjectItem(json, "levels");
    assert_int_equal(cJSON_GetArraySize(levels), 4);
    for (int i = 0; i < 4; i++) {
        const cJSON *level = cJSON_GetArrayItem(levels, i);
        assert_true(json_get(level, "level") == i);
        assert_true(json_get(level, "frontier") == frontiers[i]);
        assert_true(json_get(level, "edges") >= 0);
        assert_true(json_get(level, "seconds") >= 0);
        json_is(level, "edges_exact");
        const char *direction = json_string(level, "direction");
        assert_true(strcmp(direction, "push") == 0 || strcmp(direction, "pull") == 0);
    }
    cJSON_Delete(json);

    run("bfs %s/karate.mtx --source 0 --validate --prune --engine openmp", SEMLA_TEST_DATA);
    expect(0, "Pruned    0 vertices outside the 2-core",
           NULL); /* SL_PRUNED does nothing for graphs of small degree */
    run("bfs kronecker:8 --source 5 --validate --prune --engine openmp");
    expect(0, "Pruned    23 vertices outside the 2-core", NULL);
    expect(0, "Valid     yes", NULL);
    run("bfs %s/karate.mtx --source 0 --validate --deterministic", SEMLA_TEST_DATA);
    expect(0, "34 vertices, 156 edges (each undirected edge counted twice)", NULL);
    expect(0, "Reached   34 vertices, depth 3", NULL);
    expect(0, "Valid     yes", NULL);
    expect(0, level_head, NULL);
    /* The tree of a small graph is printed. Vertex 9 is adjacent to 2 and not to 1. */
    expect(0, "from 2: 9 27 28 32", NULL);
    expect(0, "from 31: 24 25", NULL);
}

/* Searches are repeated with the result of the last one; the spread of the times is printed. */
static void test_repeat(void **state)
{
    cJSON *json =
        run_json(0, "bfs %s/karate.mtx --source 0 --validate --json --repeat 3", SEMLA_TEST_DATA);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "levels")), 4);
    assert_true(json_get(json, "reached") == 34);
    assert_true(json_get(json, "repeat") == 3);
    const double min = json_get(json, "min_seconds"), max = json_get(json, "max_seconds");
    const double first = json_get(json, "first_seconds");
    const double median = json_get(json, "median_seconds");
    assert_true(0 < min && min <= median && median <= max && min <= first && first <= max);
    assert_true(json_get(json, "seconds") == median);
    assert_true(json_is(json, "valid"));
    cJSON_Delete(json);
    run("bfs %s/karate.mtx --repeat 2 --plain --validate", SEMLA_TEST_DATA);
    expect(0, "\nTime      ", NULL);
    expect(0, " (median), plus ", NULL);
    expect(0, "\nRuns      2: min ", NULL);
    expect(0, "; the first, cold, took ", NULL);
    run("bfs %s/karate.mtx", SEMLA_TEST_DATA);
    assert_null(strstr(run_out, "Runs"));
    run("bfs path:4 --repeat 1000001");
    expect(2, NULL, "semla bfs: --repeat takes a whole number from 1 to 1000000, not '1000001'\n");
}

static void test_source(void **state)
{
    run("bfs star:50 --deterministic");
    expect(0, "Source    0 (the first vertex of greatest out-degree), degree 49", NULL);
    assert_null(strstr(run_out, "from 0:")); /* the graph is too large for that */
    run("bfs star:50 --source 7");
    expect(0, "Source    7, degree 1", NULL);
    expect(0, "depth 2", NULL);
}

static void test_depth_and_targets(void **state)
{
    cJSON *json = run_json(0, "bfs path:100 --source 0 --max-depth 7 --validate --json");
    assert_true(json_get(json, "reached") == 8);
    assert_true(json_get(json, "depth") == 7);
    assert_true(json_is(json, "valid"));
    assert_string_equal(json_string(json, "ended_by"), "max-depth");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(json, "mteps")));
    cJSON_Delete(json);

    json = run_json(0, "bfs path:100 --source 10 -t 4 -t 13 --validate --json");
    assert_true(json_get(json, "depth") == 3);
    assert_true(json_is(json, "valid"));
    assert_string_equal(json_string(json, "ended_by"), "targets");
    const cJSON *targets = cJSON_GetObjectItem(json, "targets");
    assert_int_equal(cJSON_GetArraySize(targets), 2);
    const cJSON *target = cJSON_GetArrayItem(targets, 0);
    assert_true(json_get(target, "vertex") == 4);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(target, "level")));
    target = cJSON_GetArrayItem(targets, 1);
    assert_true(json_get(target, "level") == 3);
    char *path = cJSON_PrintUnformatted(cJSON_GetObjectItem(target, "path"));
    assert_string_equal(path, "[10,11,12,13]");
    cJSON_free(path);
    cJSON_Delete(json);

    run("bfs path:100 --source 10 --target 4 --target 13 --until all --validate");
    expect(0, "depth 6", NULL);
    expect(0, "Target    4 at level 6: 10 > 9 > 8 > 7 > 6 > 5 > 4", NULL);
    expect(0, "Valid     yes", NULL);
    run("bfs path:100 --source 10 --target 99");
    expect(0, "Target    99 at level 89\n", NULL); /* the path is too long to print */
    run("bfs path:5 --directed --source 3 --target 0");
    expect(0, "Target    0 was not reached", NULL);
}

static void test_directions_and_forms(void **state)
{
    static const char *const forms[] = {"--direction push", "--direction pull", "--direction auto",
                                        "--plain", "--plain --direction push --deterministic"};
    for (int i = 0; i < 5; i++) {
        cJSON *json = run_json(0, "bfs kronecker:8,seed=2 --validate --json %s", forms[i]);
        assert_true(json_is(json, "valid"));
        bool plain = strstr(forms[i], "plain") != NULL;
        assert_string_equal(json_string(json, "form"), plain ? "plain" : "sl_bfs");
        const cJSON *levels = cJSON_GetObjectItem(json, "levels"), *level;
        assert_true((cJSON_GetArraySize(levels) == 0) == plain);
        cJSON_ArrayForEach(level, levels) if (i < 2)
            assert_string_equal(json_string(level, "direction"), i == 0 ? "push" : "pull");
        cJSON_Delete(json);
    }
}

/* Of a long search, text output shows the first and last levels, and JSON shows all. */
static void test_many_levels(void **state)
{
    run("bfs path:100 --source 0 --direction push");
    expect(0, "\n      19  push", NULL);
    expect(0, "\n     ...  (75 more levels; --json prints all)\n      95  push", NULL);
    expect(0, "\n      99  push", NULL);
    assert_null(strstr(run_out, "\n      20  push"));
    run("bfs path:40 --source 0");
    assert_null(strstr(run_out, "more levels"));
    cJSON *json = run_json(0, "bfs path:100 --source 0 --json");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "levels")), 100);
    cJSON_Delete(json);
}

/* A warning is printed if the graph does not fit into device memory. */
static void test_larger_than_the_device(void **state)
{
    static const char *const commands[] = {"bfs %s/karate.mtx --engine cuda --validate",
                                           "run components %s/karate.mtx --engine cuda --check"};
    if (!has_gpu())
        skip();
    setenv("SEMLA_CUDA_MEMORY", "1", 1);
    for (int k = 0; k < 2; k++) {
        char command[1024];
        snprintf(command, sizeof command, commands[k], SEMLA_TEST_DATA);
        run("%s", command);
        expect(0, NULL, "warning: the graph is too large for device memory: ");
        run("%s --quiet", command);
        expect(0, NULL, NULL);
        assert_string_equal(run_err, "");
    }
    run("bfs kronecker:7 --engine cuda --validate");
    expect(0, NULL, "warning: the graph is too large for device memory: ");
    run("graph500 --scale 6 --roots 2 --engine cuda");
    expect(0, "pinned_host_bytes:", "warning: the graph is too large for device memory: ");
    unsetenv("SEMLA_CUDA_MEMORY");
    run("bfs %s/karate.mtx --engine cuda", SEMLA_TEST_DATA);
    assert_string_equal(run_err, "");
}

static void test_reading_options(void **state)
{
    /* 3 -> 1, 3 -> 3, 1 -> 2 twice; ids from 1 */
    const char *list = write_file("list.txt", "# a comment\n3 1\n3 3\n1 2\n1 2\n");
    cJSON *json = run_json(0, "info %s --json", list);
    assert_true(json_get(json, "vertices") == 4);
    assert_true(json_get(json, "entries") == 3);
    assert_true(json_get(json, "isolated") == 1);
    cJSON_Delete(json);
    json = run_json(0, "info %s --json --base 1 --no-loops --symmetric", list);
    assert_true(json_get(json, "vertices") == 3);
    assert_true(json_get(json, "entries") == 4);
    cJSON_Delete(json);
    run("info %s --duplicates error", list);
    expect(1, NULL, "semla info: ");
    run("bfs %s --source 3", list);
    expect(0, "Reached   3 vertices, depth 2", NULL);
    run("bfs %s --source 3 --transpose", list);
    expect(0, "Reached   1 vertices, depth 0", NULL);
    run("bfs %s --source 2 --transpose", list);
    expect(0, "Reached   3 vertices, depth 2", NULL);
    run("bfs %s --format mtx", list);
    expect(1, NULL, "list.txt:1");
}

static void test_compact_ids(void **state)
{
    const char *list = write_file("ids.txt", "1000 7\n7 500000\n500000 42\n");
    cJSON *json =
        run_json(0, "bfs %s --renumber --source 1000 --target 42 --validate --json", list);
    assert_true(json_get(json, "vertices") == 4);
    assert_true(json_get(json, "source") == 1000);
    assert_true(json_is(json, "valid"));
    char *path = cJSON_PrintUnformatted(
        cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "targets"), 0), "path"));
    assert_string_equal(path, "[1000,7,500000,42]");
    cJSON_free(path);
    cJSON_Delete(json);
    run("bfs %s --renumber --source 8", list);
    expect(1, NULL, "semla bfs: source 8 is not a vertex: the id does not occur in the file\n");

    run("bfs %s --renumber --source 1000 --output %s", list, in_folder("ids.tree"));
    expect(0, "Reached   4", NULL);
    char *tree = read_file(in_folder("ids.tree"));
    assert_non_null(strstr(tree, "\n500000\t7\t2\n"));
    free(tree);
    run("validate %s --renumber --source 1000 --tree %s", list, in_folder("ids.tree"));
    expect(0, "valid: 4 vertices reached from 1000, depth 3", NULL);
    run("parity %s --renumber --source 1000", list);
    expect(0, "Sources   1000", NULL);
}

/* ---- tree files --------------------------------------------------------- */

static void test_tree_file(void **state)
{
    const char *tree = in_folder("path.tree");
    run("bfs path:4 --source 1 --output %s", tree);
    expect(0, "Reached   4", NULL);
    char *text = read_file(tree);
    assert_string_equal(text, "# search tree of path:4 from 1\n# vertex\tparent\tlevel\n"
                              "0\t1\t1\n1\t1\t0\n2\t1\t1\n3\t2\t2\n");
    run("bfs path:4 --source 1 --output -");
    expect(0, NULL, NULL);
    assert_string_equal(run_out, text);
    free(text);

    /* An existing file is replaced through a symbolic link; the link and the permissions stay. */
    assert_int_equal(chmod(tree, 0640), 0);
    assert_int_equal(symlink(tree, in_folder("link.tree")), 0);
    run("bfs path:5 --source 0 -o %s", in_folder("link.tree"));
    expect(1, NULL, "link.tree exists; pass --force to overwrite it");
    run("bfs path:5 --source 0 -o %s -f", in_folder("link.tree"));
    expect(0, NULL, NULL);
    struct stat about;
    assert_int_equal(lstat(in_folder("link.tree"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(tree, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    text = read_file(tree);
    assert_non_null(strstr(text, "4\t3\t4\n"));
    free(text);
}

static void test_no_partial_tree(void **state)
{
    int before = files_in_folder();
    run("bfs path:4 --output %s/none/tree", run_folder);
    expect(1, NULL, "/none/tree: cannot be written: No such file or directory");
    assert_string_equal(run_out, "");
    run("bfs path:4 --source 9 --output %s", in_folder("nine.tree"));
    expect(1, NULL, "source 9");
    assert_int_equal(mkdir(in_folder("folder"), 0700), 0);
    run("bfs path:4 --output %s", in_folder("folder"));
    expect(1, NULL, "folder: cannot be written: Is a directory");
    assert_int_equal(rmdir(in_folder("folder")), 0);
    run_limited(20000, "bfs path:10000 --output %s", in_folder("long.tree"));
    expect(1, NULL, "long.tree: cannot be written: File too large");
    if (access("/dev/full", W_OK) == 0) {
        run("bfs path:4 --output /dev/full");
        expect(1, NULL, "semla bfs: /dev/full: cannot be written: No space left on device");
        struct stat about;
        assert_int_equal(stat("/dev/full", &about), 0);
        assert_true(S_ISCHR(about.st_mode));
    }
    assert_int_equal(files_in_folder(), before);
}

/* Parents and levels as files of vectors, in several formats. */
static void test_validate_vectors(void **state)
{
    const char *parents = write_file("parents.txt", "0 0\n1 0\n2 1\n3 2\n");
    const char *levels =
        write_file("levels.mtx", "%%MatrixMarket matrix coordinate integer general\n"
                                 "4 1 4\n1 1 0\n2 1 1\n3 1 2\n4 1 3\n");
    run("validate path:4 --source 0 --parents %s --levels %s", parents, levels);
    expect(0, "valid: 4 vertices reached from 0, depth 3", NULL);
    cJSON *json = run_json(0, "validate path:4 --source 0 --parents %s --json", parents);
    assert_true(json_is(json, "valid"));
    assert_string_equal(json_string(json, "parents"), parents);
    cJSON_Delete(json);
    run("validate path:4 --source 0 --levels %s", levels);
    expect(0, "valid: ", NULL);
    run("validate path:4 --source 1 --parents %s", parents);
    expect(1, "NOT VALID: ", NULL);
    run("validate path:4 --source 0 --parents %s --levels %s", parents,
        write_file("wrong.txt", "0 0\n1 1\n2 2\n3 4\n"));
    expect(1, "NOT VALID: ", NULL);
    run("validate path:4 --source 0 --parents %s",
        write_file("less.txt", "0 0\n1 0\n2 -1\n")); /* -1: not reached */
    expect(1, "NOT VALID: ", NULL);
    run("validate path:4 --source 0 --parents %s", write_file("far.txt", "0 0\n1 0\n2 1\n3 77\n"));
    expect(1, "NOT VALID: ", NULL);

    run("validate path:5 --source 0 --levels %s", in_folder("levels.mtx"));
    expect(1, NULL, "levels.mtx: the vector has size 4, but the graph has 5 vertices");
    run("validate path:3 --source 0 --parents %s", in_folder("parents.txt"));
    expect(1, NULL, "parents.txt:4:1: index 3 is out of range: the vector has size 3");
    run("validate path:4 --source 0 --parents %s", write_file("real.txt", "0 0.5\n"));
    expect(1, NULL, "real.txt: the values are fp64; parents and levels must be integers");
    run("validate path:4 --source 0 --levels %s", in_folder("none.npy"));
    expect(1, NULL, "none.npy: cannot open");
}

static void test_validate(void **state)
{
    const char *tree = write_file("hand.tree", "# by hand\n\n0 0 0\n 1\t0 1 \n2 1 2\n3 2 3\n");
    run("validate path:4 --source 0 --tree %s", tree);
    expect(0, "valid: 4 vertices reached from 0, depth 3\n", NULL);
    cJSON *json = run_json(0, "validate path:4 --source 0 --tree %s --json", tree);
    assert_true(json_is(json, "valid"));
    assert_true(json_get(json, "reached") == 4);
    assert_true(json_get(json, "depth") == 3);
    cJSON_Delete(json);
    run("validate path:5 --source 0 --tree %s", tree);
    expect(1, "NOT VALID: ", NULL);
    run("validate path:5 --source 0 --max-depth 3 --tree %s", tree);
    expect(0, "valid: 4", NULL);
    json = run_json(1, "validate path:4 --source 1 --tree %s --json", tree);
    assert_false(json_is(json, "valid"));
    assert_true(strlen(json_string(json, "reason")) > 0);
    cJSON_Delete(json);

    run("validate path:4 --source 7 --tree %s", tree);
    expect(1, NULL, "semla validate: source 7 is out of range");
    run("validate path:4 --source 0 --tree %s", in_folder("none.tree"));
    expect(1, NULL, "none.tree: cannot open: No such file or directory");
    run("validate path:4 --source 0 --tree %s", run_folder);
    expect(1, NULL, "cannot read: Is a directory");
}

static void test_malformed_trees(void **state)
{
    char long_line[3000]; /* a long comment, which is allowed, and a long line of data */
    memset(long_line, '#', sizeof long_line);
    long_line[1200] = '\n';
    memset(long_line + 1201, '1', 700);
    long_line[1901] = '\0';
    const struct {
        const char *text, *message;
    } cases[] = {
        {"0 0 0\n1 0\n", "bad.tree:2: expected a line 'vertex parent level'"},
        {"0 0 0 0\n", "bad.tree:1: expected a line"},
        {long_line, "bad.tree:2: the line is longer than 510 characters"},
        {"a b c\n", "bad.tree:1: expected a line"},
        {"0 -1 0\n", "bad.tree:1: expected a line"},
        {"0 0 18446744073709551615\n", "bad.tree:1: expected a line"},
        {"#\n4 0 0\n", "bad.tree:2: vertex 4 is out of range: the graph has the vertices 0 to 3"},
        {"0 9 0\n", "bad.tree:1: vertex 9 is out of range"},
        {"0 0 0\n0 0 0\n", "bad.tree:2: vertex 0 occurs twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *tree = write_file("bad.tree", cases[i].text);
        run("validate path:4 --source 0 --tree %s", tree);
        expect(1, NULL, cases[i].message);
        assert_string_equal(run_out, "");
    }
    run("validate path:4 --source 0 --tree %s", write_file("bad.tree", ""));
    expect(1, "NOT VALID: ", NULL);
}

static void test_invalid_search(void **state)
{
    run_faulty("level", "bfs path:50 --source 0 --validate");
    expect(1, "Valid     NO: ", "semla bfs: the tree is not valid: ");
    run_faulty("parent", "bfs path:50 --source 0 --validate --json");
    expect(1, "\"valid\":\tfalse", "semla bfs: the tree is not valid: ");
    run_faulty("status", "bfs path:50");
    expect(1, NULL, "semla bfs: injected fault");
    assert_string_equal(run_out, "");
    run_faulty("none", "bfs path:50 --validate");
    expect(0, "Valid     yes", NULL);
}

/* A real graph, if SEMLA_DATA_DIR names a folder that contains it. */
static void test_real_graph(void **state)
{
    const char *folder = getenv("SEMLA_DATA_DIR");
    char path[500];
    snprintf(path, sizeof path, "%s/wiki-Vote.txt", folder ? folder : "");
    if (!folder || access(path, R_OK) != 0)
        skip();
    cJSON *json = run_json(0, "bfs %s --renumber --source 30 --validate --json", path);
    assert_true(json_get(json, "vertices") == 7115);
    assert_true(json_get(json, "edges") == 103689);
    assert_true(json_is(json, "valid"));
    cJSON_Delete(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_karate_club),
        cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_source),
        cmocka_unit_test(test_depth_and_targets),
        cmocka_unit_test(test_directions_and_forms),
        cmocka_unit_test(test_many_levels),
        cmocka_unit_test(test_reading_options),
        cmocka_unit_test(test_compact_ids),
        cmocka_unit_test(test_tree_file),
        cmocka_unit_test(test_no_partial_tree),
        cmocka_unit_test(test_validate),
        cmocka_unit_test(test_validate_vectors),
        cmocka_unit_test(test_malformed_trees),
        cmocka_unit_test(test_invalid_search),
        cmocka_unit_test(test_real_graph),
        cmocka_unit_test(test_larger_than_the_device),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
