/*
 * With --renumber the command takes, shows, writes and reads vertices by the ids of the file: in
 * options, results, files of vectors and matrices, and messages.
 */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_file(const char *name, const char *expected)
{
    char *text = read_file(in_folder(name));
    assert_string_equal(text, expected);
    free(text);
}

/* Edges 7 -> 70 -> 700 -> 7000 and 5 -> 6. */
static const char *sparse(void)
{
    return write_file("sparse.txt", "7 70\n70 700\n700 7000\n5 6\n");
}

/* Results of which every row is a search: the columns, and the values that are parents, are ids. */
static void test_matrices(void **state)
{
    run("run multi-source-bfs %s --renumber -S 7 -S 700 -o %s --parents %s --check", sparse(),
        in_folder("levels"), in_folder("parents"));
    expect(0, "Sources      7 700\n", NULL);
    expect_file("levels", "# edge list, 0-based, integer weights\n# rows 2, columns 7001, edges 6\n"
                          "0 7 0\n0 70 1\n0 700 2\n0 7000 3\n1 700 0\n1 7000 1\n");
    expect_file("parents",
                "# edge list, 0-based, integer weights\n# rows 2, columns 7001, edges 6\n"
                "0 7 7\n0 70 7\n0 700 70\n0 7000 700\n1 700 700\n1 7000 700\n");
    run("run multi-source-bfs %s --renumber -S 700 -o %s --parents %s", sparse(),
        in_folder("levels.mtx"), in_folder("parents.mtx"));
    expect(0, NULL, NULL);
    expect_file("parents.mtx", "%%MatrixMarket matrix coordinate integer general\n1 6 2\n"
                               "1 5 4\n1 6 4\n");
    run("run multi-source-bfs %s --symmetric -S 7 -o %s", sparse(), in_folder("whole"));
    expect(0, NULL, NULL);
    expect_file("whole", "# edge list, 0-based, integer weights\n# rows 1, columns 7001, edges 4\n"
                         "0 7 0\n0 70 1\n0 700 2\n0 7000 3\n");
    run("run ktruss %s --renumber --symmetric -o %s --check",
        write_file("triangle.txt", "7 70\n70 700\n700 7\n700 5\n"), in_folder("truss"));
    expect(0, "\nTruss edges  3\n", NULL);
    expect_file("truss", "# edge list, 0-based, integer weights\n# rows 701, columns 701, edges 6\n"
                         "7 70 1\n7 700 1\n70 7 1\n70 700 1\n700 7 1\n700 70 1\n");
}

/* Ids above 2^60 in options, results and files, and read again. */
static void test_large_ids(void **state)
{
    char graph[100];
    const char *large = "18446744073709551615";
    snprintf(graph, sizeof graph, "%s", write_file("large.txt", "18446744073709551615 3\n3 5\n"));
    run("run sssp %s --renumber --force --source %s -o %s --parents %s", graph, large,
        in_folder("distances"), in_folder("parents"));
    expect(0, NULL, NULL);
    expect_file("distances", "# ids and int64 values\n3 1\n5 2\n18446744073709551615 0\n");
    expect_file("parents", "# ids and uint64 values\n3 18446744073709551615\n5 3\n"
                           "18446744073709551615 18446744073709551615\n");
    run("validate %s --renumber --source %s --parents %s", graph, large, in_folder("parents"));
    expect(0, "valid: 3 vertices reached from 18446744073709551615, depth 2\n", NULL);
    run("run spanning-forest %s --renumber -s -o -", graph);
    expect(0, "3 5\n3 18446744073709551615\n5 3\n18446744073709551615 3\n", NULL);
    run("convert %s - --renumber --to csv", graph);
    expect(0, "source,target\n3,5\n18446744073709551615,3\n", NULL);
    cJSON *json = run_json(0, "bfs %s --renumber --source %s --json", graph, large);
    cJSON_Delete(json);
    expect(0, "\"source\":\t18446744073709551615,", NULL);
    run("bfs %s", graph);
    expect(1, NULL,
           "large.txt:1:1: vertex id 18446744073709551615 is above the limit 2^60; "
           "--renumber (SL_READ_RENUMBER) accepts all integers of 64 bits\n");
}

/* Negative ids likewise. */
static void test_negative_ids(void **state)
{
    char graph[100];
    snprintf(graph, sizeof graph, "%s",
             write_file("negative.txt", "-5 3\n3 7\n-9223372036854775808 -5\n"));
    run("bfs %s --renumber --source -5 --target 7 --output %s", graph, in_folder("tree"));
    expect(0, "\nSource    -5, out-degree 1\n", NULL);
    expect(0, "\nTarget    7 at level 2: -5 > 3 > 7\n", NULL);
    run("validate %s --renumber --source -5 --tree %s", graph, in_folder("tree"));
    expect(0, "valid: 3 vertices reached from -5, depth 2\n", NULL);
    run("run sssp %s --renumber --force --source -5 -o %s --parents %s", graph,
        in_folder("distances"), in_folder("parents"));
    expect(0, NULL, NULL);
    expect_file("distances", "-5 0\n3 1\n7 2\n");
    expect_file("parents", "-5 -5\n3 -5\n7 3\n");
    run("validate %s --renumber --source -5 --parents %s", graph, in_folder("parents"));
    expect(0, "valid: 3 vertices reached from -5, depth 2\n", NULL);
    run("run sssp %s --renumber --source -5 -o %s", graph, in_folder("distances.gz"));
    expect(1, NULL, "are not compressed\n");
    assert_false(file_exists("distances.gz"));
    run("run spanning-forest %s --renumber -s -o -", graph);
    expect(0, "-9223372036854775808 -5\n-5 -9223372036854775808\n-5 3\n3 -5\n3 7\n7 3\n", NULL);
    run("run multi-source-bfs %s --renumber -S -5 -S 3 -o - --parents %s", graph,
        in_folder("rows.csv"));
    expect(0, "0 -5 0\n0 3 1\n0 7 2\n1 3 0\n1 7 1\n", NULL);
    expect_file("rows.csv", "source,target,weight\n0,-5,-5\n0,3,-5\n0,7,3\n1,3,3\n1,7,3\n");
    run("info %s --renumber --ids %s", graph, in_folder("map"));
    expect(0, NULL, NULL);
    expect_file("map", "# semla vector of 4 int64\n0 -9223372036854775808\n1 -5\n2 3\n3 7\n");
    run("convert %s - --renumber --to csv", graph);
    expect(0, "source,target\n-9223372036854775808,-5\n-5,3\n3,7\n", NULL);
    cJSON *json = run_json(0, "bfs %s --renumber --source -5 --json", graph);
    assert_true(json_get(json, "source") == -5);
    cJSON_Delete(json);
    run("bfs %s --renumber --source -6", graph);
    expect(1, NULL, "source '-6' is not a vertex: the id does not occur in the file\n");
    run("bfs %s --source -5", graph);
    expect(2, NULL, "--source takes a whole number from 0, not '-5'");
    run("bfs %s --renumber --source -x", graph);
    expect(2, NULL, "--source takes a whole number from 0, not '-x'");
}

/* --ids writes the id of each index; every subcommand that reads files takes it. */
static void test_map(void **state)
{
    static const char text[] = "# semla vector of 6 uint64\n0 5\n1 6\n2 7\n3 70\n4 700\n5 7000\n";
    static const char *const commands[] = {"info", "run components", "bfs", "parity"};
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        run("%s %s --renumber --force --ids %s", commands[k], sparse(), in_folder("map"));
        expect(0, NULL, NULL);
        expect_file("map", text);
    }
    run("convert %s %s --renumber --ids %s", sparse(), in_folder("out.mtx"), in_folder("map.npy"));
    expect(0, NULL, NULL);
    assert_true(file_exists("map.npy"));
    run("info %s --renumber --ids %s", write_file("one.txt", "3 9\n"), in_folder("map.mtx"));
    expect(0, NULL, NULL);
    expect_file("map.mtx",
                "%%MatrixMarket matrix coordinate unsigned-integer general\n2 1 2\n1 1 3\n2 1 9\n");
    run("info %s --renumber --base 1 --ids %s", in_folder("one.txt"), in_folder("map"));
    expect(1, NULL, "map exists; pass --force to overwrite it");
    run("info %s --renumber --base 1 --force --ids %s", in_folder("one.txt"), in_folder("map"));
    expect_file("map", "# semla vector of 2 uint64\n0 3\n1 9\n");

    run("info %s --ids %s", sparse(), in_folder("none"));
    expect(2, NULL,
           "--ids needs --renumber or a CSV file: without them the id of a vertex is its index");
    run("info %s --renumber --ids -", sparse());
    expect(2, NULL, "--ids takes the name of a file");
    run("info path:4 --ids %s", in_folder("none"));
    expect(2, NULL, "--ids applies to files only; 'path:4' is a model");
    run("info %s --renumber --ids %s", sparse(), in_folder("sparse.txt"));
    expect(1, NULL, "this is the graph that is read; write to another file");
    run("convert %s %s --renumber --ids /nowhere/map", sparse(), in_folder("none.mtx"));
    expect(1, NULL, "/nowhere/map: cannot be written: No such file or directory");
    assert_false(file_exists("none"));
    assert_false(file_exists("none.mtx"));
}

/* Files of vectors: text has ids, .mtx and .npy have indices. */
static void test_vectors(void **state)
{
    run("run sssp %s --renumber -S 7 -o %s --parents %s", sparse(), in_folder("d"), in_folder("p"));
    expect(0, NULL, NULL);
    run("validate %s --renumber -S 7 --parents %s", sparse(), in_folder("p"));
    expect(0, "valid: 4 vertices reached from 7, depth 3\n", NULL);
    run("validate %s --renumber -S 7 --parents %s --levels %s", sparse(), in_folder("p"),
        in_folder("d"));
    expect(0, "valid: 4 vertices reached from 7, depth 3\n", NULL);
    run("run sssp %s --renumber -S 7 -o %s --parents %s", sparse(), in_folder("d.npy"),
        in_folder("p.mtx"));
    expect(0, NULL, NULL);
    expect_file("p.mtx", "%%MatrixMarket matrix coordinate integer general\n6 1 4\n"
                         "3 1 2\n4 1 2\n5 1 3\n6 1 4\n");
    run("validate %s --renumber -S 7 --parents %s", sparse(), in_folder("p.mtx"));
    expect(0, "valid: 4 vertices reached from 7, depth 3\n", NULL);
    run("validate %s --renumber -S 7 --levels %s", sparse(), in_folder("d.npy"));
    expect(0, "valid: 4 vertices reached from 7, depth 3\n", NULL);

    write_file("p", "7 7\n70 7\n700 8\n");
    run("validate %s --renumber -S 7 --parents %s", sparse(), in_folder("p"));
    expect(1, NULL, "p: vertex 8 is not a vertex: the id does not occur in the file");
    write_file("p", "7 7\n71 7\n");
    run("validate %s --renumber -S 7 --parents %s", sparse(), in_folder("p"));
    expect(1, NULL, "p: vertex 71 is not a vertex: the id does not occur in the file");
    write_file("p", "7 7\n70 7.5\n");
    run("validate %s --renumber -S 7 --parents %s", sparse(), in_folder("p"));
    expect(1, NULL, "p: the values are fp64; vertices in a text file must be integers");
    write_file("p", "7 7\n70 7\n700 70\n7000 700\n5 -1\n");
    run("validate %s --renumber -S 7 --parents %s", sparse(), in_folder("p"));
    expect(0, "valid: 4 vertices reached", NULL);

    /* every jump leads to vertex 7 */
    run("run pagerank %s --renumber --personalisation %s --top 1 --check", sparse(),
        write_file("w", "7 3.5\n"));
    expect(0, "\n           7  ", NULL);
    run("run pagerank %s --renumber --personalisation %s", sparse(), write_file("w", "8 3.5\n"));
    expect(1, NULL, "w: vertex 8 is not a vertex: the id does not occur in the file");
    run("run st-connected %s --renumber --source 7 --target 700 --out %s", sparse(),
        in_folder("path.mtx"));
    expect(0, "\nTarget       700\n", NULL);
    expect_file("path.mtx", "%%MatrixMarket matrix coordinate integer general\n3 1 3\n"
                            "1 1 7\n2 1 70\n3 1 700\n");
}

/* Messages of validations, algorithms, checks and writers. */
static void test_messages(void **state)
{
    run("validate %s --renumber -S 7 --parents %s", sparse(),
        write_file("p", "7 7\n70 7\n700 6\n"));
    expect(1, "NOT VALID: vertex 700 has parent 6, which was not reached\n", NULL);
    static const char *const undirected[] = {"triangles",      "bipartite", "pseudo-diameter",
                                             "core-numbers",   "ktruss",    "local-clustering",
                                             "independent-set"};
    for (int k = 0; k < 7; k++) {
        run("run %s %s --renumber", undirected[k], sparse());
        expect(1, NULL, "the edge from 5 to 6 has no mirror edge");
    }
    run("run sssp %s --renumber", write_file("cycle.txt", "7 70 -5\n70 7 1\n"));
    expect(1, NULL, "a cycle of negative length leads through vertex 7");
    run("run sssp %s --renumber -S 7", write_file("inf.txt", "7 70 1\n70 700 inf\n"));
    expect(1, NULL, "the edge from 70 to 700 has the length inf");
    run("run khop %s --renumber -S 8", sparse());
    expect(1, NULL, "source 8 is not a vertex: the id does not occur in the file");

    const char *weights = write_file("weights.txt", "7 70 0.5\n70 7 0.5\n");
    run("convert %s %s --renumber", weights, in_folder("w.gr"));
    expect(1, NULL, "w.gr: the edge from 7 to 70 is 0.5; DIMACS weights are integers");
    run("convert %s %s --renumber --tuples", weights, in_folder("w.gr"));
    expect(1, NULL, "w.gr: the edge from 7 to 70 is 0.5; DIMACS weights are integers");
    run("convert %s %s --renumber", weights, in_folder("w.graph"));
    expect(1, NULL, "w.graph: the edge from 7 to 70 is 0.5; METIS weights are integers");
    run("convert %s %s --renumber", sparse(), in_folder("w.graph"));
    expect(1, NULL, "but the edge from 5 to 6 has no mirror entry");
    run("convert %s %s --renumber", write_file("loop.txt", "7 7\n"), in_folder("w.graph"));
    expect(1, NULL, "but the edge from 7 to 7 is one");
    run("convert %s %s --renumber --weights integer", write_file("big.txt", "7 70 1e30\n"),
        in_folder("w.mtx"));
    expect(1, NULL, "the edge from 7 to 70 has the weight 1e+30");
    run("convert %s %s --renumber --duplicates error", write_file("twice.txt", "7 70\n7 70\n"),
        in_folder("w.mtx"));
    expect(1, NULL, "the edge from 7 to 70 occurs more than once");
    run("convert %s %s", write_file("three.txt", "0 1\n0 1\n"), in_folder("w.mtx"));
    expect(0, NULL, NULL);
}

/* A path 1000 - 1010 - ... of 40 vertices: wrong results are named by id. */
static void test_checks(void **state)
{
    static const struct {
        const char *arguments, *reason;
    } cases[] = {
        {"components", "vertex 1390 has component 1300, but the least vertex of its component is "
                       "1000"},
        {"sssp -S 1000", "the edge from 1390 to 1380 gives a shorter path to 1380"},
        {"khop -S 1000", "vertex 1390 has level 30, not -1"},
        {"triangles", "vertex 1390 has 0 triangles, not 30"},
        {"closeness", "vertex 1390 has closeness 30"},
        {"local-clustering", "vertex 1390 has the coefficient 30, but 0 is right"},
        {"core-numbers", "vertex 1390 has core number 30, but 1 is right"},
        {"ktruss", "the edge from 1390 to 1000 does not belong to the truss"},
        {"betweenness -S 1000", "vertex 1390 has centrality 30, but 0 is right"},
        {"multi-source-bfs -S 1000", "row 0: vertex 1390 has level 12345"},
        {"pseudo-diameter", "the ends 1390 and 1000 have the distance 39, not 40"},
    };
    char text[40 * 12] = "", *end = text;
    for (int v = 0; v < 39; v++)
        end += sprintf(end, "%d %d\n", 1000 + 10 * v, 1010 + 10 * v);
    const char *path = write_file("path.txt", text);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char name[40], *options;
        snprintf(name, sizeof name, "%s", cases[k].arguments);
        options = strchr(name, ' ');
        if (options)
            *options++ = '\0';
        run_faulty("algorithm", "run %s %s --renumber --symmetric --check%s%s", name, path,
                   options ? " " : "", options ? options : "");
        expect(1, NULL, "the result is not valid: ");
        if (!strstr(run_err, cases[k].reason))
            fail_msg("%s: '%s' is not in '%s'", name, cases[k].reason, run_err);
    }
    run_faulty("parent", "bfs %s --renumber --symmetric --validate -S 1000", path);
    expect(1, "NO: vertex 1390 is its own parent, but is not the source", NULL);
}

/* A file of which most ids do not occur: a warning that counts them. */
static void test_sparse(void **state)
{
    static const char hint[] = "warning: 6,995 of the 7,001 vertices have no edge: ";
    run("run pagerank %s", sparse());
    expect(0, NULL, hint);
    expect(0, NULL,
           "sparse.txt numbers its vertices up to 7000; --renumber counts only those that "
           "occur");
    run("bfs %s", sparse());
    expect(0, NULL, hint);
    run("info %s", sparse());
    expect(0, NULL, hint);
    run("info %s", write_file("far.txt", "1 2\n2000000 3\n"));
    expect(0, NULL, "warning: at least 1,999,997 of the 2,000,001 vertices have no edge: ");
    run("run pagerank %s --quiet", sparse());
    assert_string_equal(run_err, "");
    run("run pagerank %s --renumber", sparse());
    assert_string_equal(run_err, "");
    run("run pagerank %s --vertices 8000", sparse());
    assert_string_equal(run_err, "");
    run("run components %s", write_file("dense.txt", "0 1\n2 4\n3 5\n"));
    assert_string_equal(run_err, "");
    run("run components %s --base 1", write_file("star.txt", "9 1\n9 2\n9 3\n9 4\n9 5\n"));
    assert_string_equal(run_err, ""); /* 6 of 9 have an edge, 1 leaves */
    run("run components %s",
        write_file("sized.mtx", "%%MatrixMarket matrix coordinate pattern general\n9 9 1\n1 2\n"));
    assert_string_equal(run_err, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices),     cmocka_unit_test(test_large_ids),
        cmocka_unit_test(test_negative_ids), cmocka_unit_test(test_map),
        cmocka_unit_test(test_vectors),      cmocka_unit_test(test_messages),
        cmocka_unit_test(test_checks),       cmocka_unit_test(test_sparse),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
