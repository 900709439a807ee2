/* Tests of semla convert, and of reading the files that it writes. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void expect_file(const char *name, const char *expected)
{
    char *text = read_file(in_folder(name));
    assert_string_equal(text, expected);
    free(text);
}

/* ---- all formats ---------------------------------------------- */

static void test_chain(void **state)
{
    static const char *const names[] = {"a.mtx",    "a.graph",    "a.gr.zst",
                                        "a.txt.gz", "a.metis.gz", "a.g500.zst",
                                        "a.g500p",  "a.semla",    "b.mtx"};
    run("convert grid:8x9 %s", in_folder(names[0]));
    expect(0, "a.mtx: Matrix Market, 72 vertices, 254 entries, no weights; read in ", NULL);
    for (size_t i = 1; i < sizeof names / sizeof names[0]; i++) {
        run("convert %s %s --pattern", in_folder(names[i - 1]), in_folder(names[i]));
        expect(0, "72 vertices, 254 entries, no weights; read in ", NULL);
        assert_string_equal(run_err, "");
    }
    run("info %s --verify", in_folder("a.semla"));
    expect(0, "Symmetric    yes", NULL);
    char *first = read_file(in_folder("a.mtx")), *last = read_file(in_folder("b.mtx"));
    assert_string_equal(first, last);
    free(first);
    free(last);
}

static void test_json(void **state)
{
    const char *from = write_file("j.txt", "0 1 2\n1 0 2\n0 1 5\n");
    cJSON *json = run_json(0, "convert %s %s --json --weights integer --duplicates sum", from,
                           in_folder("j.gr"));
    assert_string_equal(json_string(json, "graph"), from);
    assert_string_equal(json_string(json, "file"), in_folder("j.gr"));
    assert_string_equal(json_string(json, "format"), "gr");
    assert_string_equal(json_string(json, "type"), "int64");
    assert_false(json_is(json, "pattern"));
    assert_true(json_is(json, "sized"));
    assert_true(json_get(json, "rows") == 2);
    assert_true(json_get(json, "columns") == 2);
    assert_true(json_get(json, "entries") == 2);
    assert_true(json_get(json, "read_seconds") > 0);
    assert_true(json_get(json, "write_seconds") > 0);
    cJSON_Delete(json);
    expect_file("j.gr", "p sp 2 2\na 1 2 7\na 2 1 2\n");
    json = run_json(0, "convert kronecker:5 %s --json --tuples", in_folder("j.g500"));
    assert_true(json_get(json, "tuples") == 512);
    assert_true(json_is(json, "pattern"));
    assert_false(json_is(json, "sized"));
    cJSON_Delete(json);
}

static void test_options(void **state)
{
    const char *from = write_file("o.txt", "1 2 1.4\n3 3 2.5\n2 1 -0.5\n");
    run("convert %s - --to edges --base 1 --to-base 1", from);
    expect(0, "edges 3\n1 2 1.4\n2 1 -0.5\n3 3 2.5\n", NULL);
    run("convert %s - --weights integer", from); /* halves are rounded away from zero */
    expect(0, "integer weights\n# rows 4, columns 4, edges 3\n1 2 1\n2 1 -1\n3 3 3\n", NULL);
    run("convert path:2 - --weights real --to mtx");
    expect(0, "coordinate real general\n2 2 2\n1 2 1\n2 1 1\n", NULL);
    run("convert %s - --to gr --weights integer --symmetric --no-loops --duplicates max", from);
    expect(0, "p sp 4 2\na 2 3 1\na 3 2 1\n", NULL);
    run("convert %s - --to metis --pattern --symmetric --no-loops", from);
    expect(0, "4 1\n\n3\n2\n\n", NULL);
    run("convert %s - --transpose --renumber --pattern", from);
    expect(0, "edges 3\n0 1\n1 0\n2 2\n", NULL);
    run("convert %s - --vertices 6 --to mtx --pattern", from);
    expect(0, "general\n6 6 3\n", NULL);
    run("convert %s - --vertices 3", from);
    expect(1, NULL, "o.txt: vertex id 3 is out of range: the options give 3 vertices");
    const char *whole = write_file("o.gr", "p sp 2 1\na 1 2 3\n");
    run("convert %s - --weights real --to mtx", whole);
    expect(0, "coordinate real general\n2 2 1\n1 2 3\n", NULL);
    const char *beyond = write_file("beyond.txt", "0 1 1e30\n");
    run("convert %s - --weights integer", beyond);
    expect(1, NULL,
           "the edge from 0 to 1 has the weight 1e+30, which does not fit a 64-bit integer");
    const char *none = write_file("nan.txt", "0 1 nan\n");
    run("convert %s - --weights integer", none);
    expect(1, NULL, "which does not fit a 64-bit integer");
}

/* --tuples writes the edges in their order, with duplicates and self-loops. */
static void test_tuples(void **state)
{
    const char *from = write_file("t.txt", "2 1\n0 0\n2 1\n");
    run("convert %s - --tuples", from);
    expect(0, "edges 3\n2 1\n0 0\n2 1\n", NULL);
    run("convert %s %s --tuples --symmetric", from, in_folder("t.g500"));
    expect(0, "t.g500: Graph500 tuples, 3 vertices, 5 tuples, no weights; ", NULL);
    run("convert %s - --tuples", in_folder("t.g500"));
    expect(0, "edges 5\n2 1\n1 2\n0 0\n2 1\n1 2\n", NULL);
    run("convert path:3 - --tuples"); /* undirected edges of a model are written once */
    expect(0, "edges 2\n0 1\n1 2\n", NULL);
    run("convert %s - --tuples --to metis", from);
    expect(1, NULL, "the input is a list of tuples; make a matrix of it (sl_matrix_from_edges)");
    const char *half = write_file("half.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n"
                                              "3 3 2\n2 1 5\n3 3 6\n");
    run("convert %s - --tuples", half);
    expect(0, "edges 3\n1 0 5\n0 1 5\n2 2 6\n", NULL);
}

static void test_number_of_vertices(void **state)
{
    const char *from = write_file("v.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                                           "9 9 2\n1 4\n7 7\n");
    run("convert %s %s", from, in_folder("v.g500"));
    expect(0,
           "\nThe last vertices have no edges, and this format does not store their number: read "
           "it with "
           "--vertices 9\n",
           NULL);
    run("convert %s %s --vertices 9", in_folder("v.g500"), in_folder("w.mtx"));
    expect(0, "9 vertices", NULL);
    assert_null(strstr(run_out, "The last"));
    run("convert %s %s --force", from, in_folder("w.gr"));
    assert_null(strstr(run_out, "The last"));
    run("convert %s %s --force --no-loops --vertices 9", in_folder("v.g500"), in_folder("v.txt"));
    expect(0, "read it with --vertices 9", NULL);
    run("info %s", in_folder("v.txt"));
    expect(0, "Vertices     4\n", NULL);
    const char *wide = write_file("wide.mtx", "%%MatrixMarket matrix coordinate pattern general\n"
                                              "2 3 1\n1 3\n");
    run("convert %s %s", wide, in_folder("wide.txt"));
    expect(0, "wide.txt: edge list, 2 x 3, 1 entries, no weights", NULL);
    run("convert %s %s", wide, in_folder("wide.gr"));
    expect(1, NULL, "DIMACS files store square matrices; this one is 2 x 3");
}

/* ---- existing files ---------------------------------------------- */

static void test_overwriting(void **state)
{
    write_file("old.mtx", "old");
    run("convert path:3 %s", in_folder("old.mtx"));
    expect(1, NULL, "old.mtx exists; pass --force to overwrite it");
    expect_file("old.mtx", "old");
    run("convert path:3 %s --force", in_folder("old.mtx"));
    expect(0, "old.mtx: Matrix Market, 3 vertices", NULL);
    run("convert %s %s -f --transpose", in_folder("old.mtx"),
        in_folder("old.mtx")); /* the input is the output */
    expect(0, "old.mtx: Matrix Market, 3 vertices", NULL);
    run("convert path:3 /dev/null");
    expect(0, "/dev/null: edge list", NULL);
    assert_int_equal(symlink(in_folder("old.mtx"), in_folder("link.mtx")), 0);
    run("convert path:3 %s", in_folder("link.mtx"));
    expect(1, NULL, "link.mtx exists");
}

static void test_failures(void **state)
{
    int before = files_in_folder();
    run("convert path:3 %s/none/a.gr", run_folder);
    expect(1, NULL, "none/a.gr: cannot be written: No such file or directory");
    run("convert %s %s", in_folder("nosuch.mtx"), in_folder("new.gr"));
    expect(1, NULL, "nosuch.mtx: cannot open");
    run("convert path:3 %s", in_folder("new.tar.gz"));
    expect(1, NULL, "new.tar.gz: the tar format is not supported");
    run("convert kronecker:5 %s", in_folder("new.graph"));
    expect(1, NULL, "new.graph: METIS files store undirected graphs without self-loops");
    static const char *const names[] = {"new.gr", "new.graph", "new.g500", "new.txt.zst"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        run_limited(3000, "convert path:10000 %s", in_folder(names[i]));
        expect(1, NULL, "cannot write: File too large");
        assert_string_equal(run_out, "");
    }
    assert_int_equal(files_in_folder(), before);
    const char *directed = write_file("one.graph", "2 1\n2\n\n");
    run("bfs %s", directed);
    expect(1, NULL,
           "one.graph:4:1: the file has 1 neighbours; expected twice the 1 declared edges");
    const char *answer = write_file("one.graph", "3 1\n2\n\n1\n");
    run("parity %s", answer);
    expect(1, NULL, "one.graph:2: vertex 1 lists 2, but 2 does not list 1 (line 3)");
}

/* A mesh of the METIS collection, if SEMLA_DATA_DIR names a folder that contains it. */
static void test_wing(void **state)
{
    const char *folder = getenv("SEMLA_DATA_DIR");
    char wing[1024];
    snprintf(wing, sizeof wing, "%s/wing.graph", folder ? folder : "");
    if (!folder || access(wing, R_OK) != 0)
        skip();
    cJSON *json = run_json(0, "info %s --json", wing);
    assert_true(json_get(json, "vertices") == 62032);
    assert_true(json_get(json, "entries") == 2 * 121544);
    assert_true(json_is(json, "symmetric"));
    assert_true(json_get(json, "self_loops") == 0);
    cJSON_Delete(json);
    json = run_json(0, "bfs %s --json --source 0 --validate", wing);
    assert_true(json_get(json, "reached") == 62032);
    cJSON_Delete(json);
    run("parity %s --searches 1", wing);
    expect(0, "All agree.", NULL);
    run("convert %s %s", wing, in_folder("wing.gr.zst"));
    expect(0, "62,032 vertices, 243,088 entries", NULL);
    run("convert %s %s", in_folder("wing.gr.zst"), in_folder("wing.graph"));
    expect(0, "62,032 vertices, 243,088 entries", NULL);
    json = run_json(0, "bfs %s --json --source 0 --validate", in_folder("wing.graph"));
    assert_true(json_get(json, "reached") == 62032);
    cJSON_Delete(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_tuples),
        cmocka_unit_test(test_number_of_vertices),
        cmocka_unit_test(test_overwriting),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_wing),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
