/* Tests of CSV files: labels in options, in results on the screen and in files. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char roads[] = "from,to,km\n"
                            "\"Berlin, Mitte\",Hamburg,289.5\n"
                            "Hamburg,Bremen,126\n"
                            "Bremen,\"the \"\"Town\"\" hall\",3\n"
                            "Essen,Bochum,20\n";

/* The path of the file; in_folder has few buffers. */
static const char *csv(void)
{
    static char path[100];
    snprintf(path, sizeof path, "%s", write_file("roads.csv", roads));
    return path;
}

static void expect_file(const char *name, const char *expected)
{
    char *text = read_file(in_folder(name));
    assert_string_equal(text, expected);
    free(text);
}

static void test_search(void **state)
{
    const char *graph = csv();
    run("bfs %s -s --source Hamburg --target Bremen --target Bochum --until all --validate", graph);
    expect(0, "\nSource    Hamburg, degree 2\n", NULL);
    expect(0, "\nTarget    Bremen at level 1: Hamburg > Bremen\n", NULL);
    expect(0, "\nTarget    Bochum was not reached\n", NULL);
    expect(0, "\n       1  from Hamburg: Berlin, Mitte Bremen\n", NULL);
    expect(0, "\nValid     yes", NULL);
    cJSON *json = run_json(0, "bfs %s --source Hamburg --target Bremen --json", graph);
    assert_string_equal(json_string(json, "source"), "Hamburg");
    const cJSON *target = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "targets"), 0);
    assert_string_equal(json_string(target, "vertex"), "Bremen");
    assert_string_equal(cJSON_GetArrayItem(cJSON_GetObjectItem(target, "path"), 1)->valuestring,
                        "Bremen");
    cJSON_Delete(json);
    run("bfs %s --source hamburg", graph);
    expect(1, NULL,
           "source 'hamburg' is not a vertex: the label does not occur in the file; did "
           "you mean 'Hamburg'?\n");
    run("bfs %s --source Berlin", graph);
    expect(1, NULL, "; did you mean 'Berlin, Mitte'?\n");
    run("bfs %s --source 0", graph);
    expect(1, NULL, "source '0' is not a vertex");
    run("parity %s --source Hamburg", graph);
    expect(0, "Sources   Hamburg\n", NULL);
}

/*
 * A column that may be the weight is not dropped without a word: it is named, and where the algorithm
 * reads weights and one column alone has numbers, the command asks.
 */
static void test_unread_columns(void **state)
{
    const char *graph = csv(),
               *km = "roads.csv: no column is known as the weight, which the algorithm "
                     "reads: --weight-column 'km' reads that column; --pattern ";
    run("run sssp %s --source Hamburg", graph);
    expect(1, NULL, km);
    run("run spanning-forest %s --symmetric", graph);
    expect(1, NULL, km);
    run("run sssp %s --source Hamburg --quiet", graph);
    expect(1, NULL, km);
    run("run sssp %s --source Hamburg --weight-column km -o -", graph);
    expect(0, "Bremen 126\n", NULL);
    assert_string_equal(run_err, "");
    run("run sssp %s --source Hamburg --pattern -o -", graph);
    expect(0, "Bremen 1\n", NULL);
    assert_string_equal(run_err, "");
    static const char *const others[] = {"run components %s -s", "info %s", "bfs %s",
                                         "convert %s - --to mtx"};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        char command[200];
        snprintf(command, sizeof command, others[k], graph);
        run("%s", command);
        expect(0, NULL,
               "roads.csv: columns that are not read: 'km' (--weight-column chooses the weight, "
               "--pattern says that there is none)\n");
        run("%s --quiet", command);
        assert_string_equal(run_err, "");
    }
    /* two columns of numbers, or none: nothing is asked */
    run("run sssp %s --source a -o -", write_file("two.csv", "from,to,km,min\na,b,5,6\n"));
    expect(0, "b 1\n", "columns that are not read: 'km', 'min' (");
    run("run sssp %s --source a -o -", write_file("none.csv", "from,to,day\na,b,Monday\n"));
    expect(0, "b 1\n", "columns that are not read: 'day' (");
    run("run sssp %s --source 6", write_file("rated.csv", "6,2,4,2010-11-08\n6,5,2,2010-11-09\n"));
    expect(1, NULL, "--weight-column '3' reads that column");
    run_from(write_file("in.csv", "from,to,km\na,b,5\n"), "run sssp - --format csv --source a");
    expect(1, NULL, "-: no column is known as the weight");
}

/* A tree in a file names vertices by words, and is read again. */
static void test_tree(void **state)
{
    const char *graph = csv();
    run("bfs %s -s --source Bremen --output %s", graph, in_folder("tree.txt"));
    expect(0, NULL, NULL);
    char *text = read_file(in_folder("tree.txt"));
    const char *lines = strstr(text, "level\n");
    assert_string_equal(lines, "level\n\"Berlin, Mitte\"\tHamburg\t2\nBremen\tBremen\t0\n"
                               "Hamburg\tBremen\t1\n\"the \"\"Town\"\" hall\"\tBremen\t1\n");
    free(text);
    run("validate %s -s --source Bremen --tree %s", graph, in_folder("tree.txt"));
    expect(0, "valid: 4 vertices reached from Bremen, depth 2\n", NULL);
    run("validate %s -s --source Hamburg --tree %s", graph, in_folder("tree.txt"));
    expect(1, "NOT VALID", NULL);
    static const struct {
        const char *tree, *message;
    } wrong[] = {
        {"Bremen Bremen 0\nHamburg Bremen\n", ":2: expected a line 'vertex parent level'"},
        {"\"Bremen Bremen 0\n", ":1: expected a line 'vertex parent level'"},
        {"Bremen Bremen zero\n", ":1: expected a line 'vertex parent level'"},
        {"Bremen Bremen 0\nKiel Bremen 1\n", ":2: vertex 'Kiel' is not a vertex: the label"},
        {"Bremen Bremen 0\nBremen Bremen 0\n", ":2: vertex Bremen occurs twice"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *tree = write_file("wrong.txt", wrong[k].tree);
        run("validate %s -s --source Bremen --tree %s", graph, tree);
        expect(1, NULL, wrong[k].message);
    }
}

static void test_algorithms(void **state)
{
    const char *graph = csv();
    run("run sssp %s --weight-column km -s --source Bremen --check --top 2", graph);
    expect(0, "\nSource       Bremen\n", NULL);
    expect(0, "\nBerlin, Mitte  415.5\n     Hamburg  126\n", NULL);
    cJSON *json = run_json(0, "run sssp %s --weight-column km -s --source Bremen --json", graph);
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "top"), 0);
    assert_string_equal(json_string(first, "vertex"), "Berlin, Mitte");
    assert_true(json_get(first, "value") == 415.5);
    cJSON_Delete(json);
    run("run sssp %s --weight-column 3 -s --source Bremen --out %s --parents %s", graph,
        in_folder("far.txt"), in_folder("parents.txt"));
    expect(0, NULL, NULL);
    expect_file("far.txt", "\"Berlin, Mitte\" 415.5\nBremen 0\nHamburg 126\n"
                           "\"the \"\"Town\"\" hall\" 3\n");
    expect_file("parents.txt", "\"Berlin, Mitte\" Hamburg\nBremen Bremen\nHamburg Bremen\n"
                               "\"the \"\"Town\"\" hall\" Bremen\n");
    run("run components %s --out %s --force", graph, in_folder("c.csv"));
    expect(0, "\nComponents   2\n", NULL);
    expect_file("c.csv", "vertex,value\n\"Berlin, Mitte\",\"Berlin, Mitte\"\nBochum,Bochum\n"
                         "Bremen,\"Berlin, Mitte\"\nEssen,Bochum\nHamburg,\"Berlin, Mitte\"\n"
                         "\"the \"\"Town\"\" hall\",\"Berlin, Mitte\"\n");
    run("run components %s --out %s", graph, in_folder("c.csv"));
    expect(1, NULL, "c.csv exists; pass --force to overwrite it\n");
    run("run components %s --out %s", graph, in_folder("c.npy"));
    expect(0, NULL, NULL);
    /* a numeric graph writes .csv, too */
    run("run sssp path:3 --source 0 --out %s", in_folder("p.csv"));
    expect(0, NULL, NULL);
    expect_file("p.csv", "vertex,value\n0,0\n1,1\n2,2\n");
    run("run sssp path:3 --source 0 --out %s", in_folder("p.tsv"));
    expect(0, NULL, NULL);
    expect_file("p.tsv", "vertex\tvalue\n0\t0\n1\t1\n2\t2\n");
    run("run betweenness %s --source Bremen --source Essen --top 1", graph);
    expect(0, "\nSources      Bremen Essen\n", NULL);
}

/* Weights of vertices are read by label. */
static void test_vectors(void **state)
{
    const char *graph = csv();
    const char *good = write_file("start.txt", "# of some\n\"Berlin, Mitte\" 0.5\nHamburg 2\n\n"
                                               "\"the \"\"Town\"\" hall\" 1e-1\nBremen 1\n");
    run("run pagerank %s --personalisation %s --check --top 1", graph, good);
    expect(0, "Check        ok", NULL);
    run("run pagerank %s --personalisation %s", graph, write_file("w.txt", "Bremen 1\nKiel 2\n"));
    expect(1, NULL, "w.txt:2: vertex 'Kiel' is not a vertex: the label does not occur");
    run("run pagerank %s --personalisation %s", graph, write_file("w.txt", "Bremen one\n"));
    expect(1, NULL, "w.txt:1: 'one' is not a number\n");
    run("run pagerank %s --personalisation %s", graph, write_file("w.txt", "Bremen\n"));
    expect(1, NULL, "w.txt:1: expected a line 'label value'\n");
    run("run pagerank %s --personalisation %s", graph, in_folder("none.txt"));
    expect(1, NULL, "none.txt: cannot open: No such file or directory\n");
    run("run pagerank %s --personalisation %s", graph, in_folder("roads.csv"));
    expect(1, NULL, "vectors with labels are read from text files with lines 'label value'");
}

static void test_columns(void **state)
{
    const char *graph = write_file("odd.tsv", "a\tb\tc\nx\ty\t1\ny\tz\t2\n");
    run("info %s", graph);
    expect(1, NULL,
           "odd.tsv:1:1: none of the columns 'a', 'b', 'c' is known as the source: choose "
           "it by its name or number (--source-column)");
    run("info %s --source-column a --target-column 2 --weight-column c", graph);
    expect(0, "\nVertices     3\nEntries      2\nValues       fp64\n", NULL);
    run("info %s --no-header", graph);
    expect(1, NULL, "odd.tsv:1:5: expected a weight, found 'c'");
    run("info %s --no-header --weight-column 9", graph);
    expect(1, NULL, "there is no column '9' for the weight; without a header");
    run("info %s", write_file("list.txt", "0,1\n"));
    expect(1, NULL, "found ','; comma-separated files are read as CSV (--format csv)\n");
    run("info %s --format csv", in_folder("list.txt"));
    expect(0, "\nVertices     2\n", NULL);
}

static void test_convert_and_ids(void **state)
{
    const char *graph = csv();
    run("convert %s %s --ids %s --weight-column km", graph, in_folder("roads.mtx"),
        in_folder("ids.txt"));
    expect(0, "Matrix Market, 6 vertices, 4 entries", NULL);
    expect_file("ids.txt", "0 \"Berlin, Mitte\"\n1 Bochum\n2 Bremen\n3 Essen\n4 Hamburg\n"
                           "5 \"the \"\"Town\"\" hall\"\n");
    run("info %s --ids %s", graph, in_folder("ids.csv"));
    expect(0, NULL, NULL);
    expect_file("ids.csv", "index,label\n0,\"Berlin, Mitte\"\n1,Bochum\n2,Bremen\n3,Essen\n"
                           "4,Hamburg\n5,\"the \"\"Town\"\" hall\"\n");
    run("info %s --ids %s", graph, in_folder("ids.csv"));
    expect(1, NULL, "ids.csv exists; pass --force to overwrite it\n");
    run("convert %s %s --weight-column km", graph, in_folder("again.csv"));
    expect(0, "again.csv: CSV, 6 vertices, 4 entries, fp64 weights", NULL);
    expect_file("again.csv", "source,target,weight\n\"Berlin, Mitte\",Hamburg,289.5\n"
                             "Bremen,\"the \"\"Town\"\" hall\",3\nEssen,Bochum,20\n"
                             "Hamburg,Bremen,126\n");
    run("convert %s - --to csv --tuples", graph);
    expect(0, "source,target\n\"Berlin, Mitte\",Hamburg\nHamburg,Bremen\n", NULL);
    run("generate path:3 --directed -o %s", in_folder("path.csv"));
    expect(0, NULL, NULL);
    expect_file("path.csv", "source,target\n0,1\n1,2\n");
    run("convert %s x.mtx --weight-column km --weights integer",
        write_file("big.csv", "from,to,km\na,b,1e30\n"));
    expect(1, NULL, "the edge from a to b has the weight 1e+30");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_search),
        cmocka_unit_test(test_unread_columns),
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_algorithms),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_convert_and_ids),
    };
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
