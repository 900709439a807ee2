/* Comma- and tab-separated edge lists with labels: columns, quotes, errors, order, writing. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"

static sl_context *ctx;

static int setup(void **state)
{
    const int failed = files_setup(state);
    ctx = *state;
    return failed;
}

static const char *label_of(const sl_edges *edges, uint64_t v)
{
    return edges->labels.text + edges->labels.start[v];
}

/* The edges of a file as one text: "a>b=2 c>d". */
static const char *edges_of(const char *path, const sl_read_options *options)
{
    static char text[4000];
    size_t used = 0;
    sl_edges edges;
    const sl_status status = sl_edges_read(&edges, ctx, path, options);
    text[0] = '\0';
    if (status != SL_OK) {
        const char *message = sl_context_message(ctx);
        snprintf(text, sizeof text, "%s",
                 strncmp(message, path, strlen(path)) == 0 ? message + strlen(path) : message);
        return text;
    }
    assert_int_equal(edges.labels.count, edges.nrows);
    assert_int_equal(edges.nrows, edges.ncols);
    assert_null(edges.ids);
    assert_int_equal(edges.type, edges.values ? SL_FP64 : SL_BOOL);
    for (uint64_t k = 0; k < edges.count; k++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s>%s", k ? " " : "",
                                 label_of(&edges, edges.row[k]), label_of(&edges, edges.col[k]));
        if (edges.values)
            used += (size_t)snprintf(text + used, sizeof text - used, "=%g",
                                     ((double *)edges.values)[k]);
    }
    sl_edges_free(&edges);
    return text;
}

#define FILE_GIVES(name, text, options, expected)                                                  \
    assert_string_equal(edges_of(file_with(name, text), &(sl_read_options)options), expected)
#define OPTIONS(...)                                                                               \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static void columns_by_name(void **state)
{
    (void)state;
    static const char *const headers[] = {"source,target",
                                          "Source,Target",
                                          "src,dst",
                                          "from,to",
                                          "u,v",
                                          "SRC,DEST",
                                          "start,end",
                                          "tail,head",
                                          "source_id,target_id",
                                          "node1,node2",
                                          "id1,id2",
                                          "FromNodeId,ToNodeId",
                                          ":START_ID,:END_ID",
                                          "\"source\",\"target\"",
                                          " from , to ",
                                          "\xef\xbb\xbfsource,target"};
    for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
        char text[200];
        snprintf(text, sizeof text, "%s\na,b\nb,c\n", headers[k]);
        FILE_GIVES("a.csv", text, OPTIONS(0), "a>b b>c");
    }
    static const char *const weights[] = {"weight", "Weight", "w", "value", "cost", "distance"};
    for (size_t k = 0; k < sizeof weights / sizeof *weights; k++) {
        char text[200];
        snprintf(text, sizeof text, "id,to,from,%s\n1,b,a,2.5\n2,c,b,-1e3\n", weights[k]);
        FILE_GIVES("a.csv", text, OPTIONS(0), "a>b=2.5 b>c=-1000");
        FILE_GIVES("a.csv", text, OPTIONS(.flags = SL_READ_PATTERN), "a>b b>c");
    }
    /* weight comes before cost in the list */
    FILE_GIVES("a.csv", "from,to,cost,weight\na,b,1,2\n", OPTIONS(0), "a>b=2");
    /* other columns are not read, whatever they contain */
    FILE_GIVES("a.csv", "note,from,x,to\n\"a,\"\"b\",p,,q\n,p,7,r\n", OPTIONS(0), "p>q p>r");
}

static void columns_by_choice(void **state)
{
    (void)state;
    const char *text = "who,whom,km,2\nann,bob,7,x\nbob,cyd,8,y\n";
    FILE_GIVES("a.csv", text, OPTIONS(.source_column = "who", .target_column = "whom"),
               "ann>bob bob>cyd");
    FILE_GIVES("a.csv", text,
               OPTIONS(.source_column = "1", .target_column = "whom", .weight_column = "3"),
               "ann>bob=7 bob>cyd=8");
    FILE_GIVES("a.csv", text, OPTIONS(.source_column = "Who", .target_column = "WHOM"),
               "ann>bob bob>cyd");
    FILE_GIVES("a.csv", "a,A,b\nx,y,z\n", OPTIONS(.source_column = "A", .target_column = "B"),
               "y>z"); /* the exact name goes before others */
    /* a name goes before a number */
    FILE_GIVES("a.csv", text, OPTIONS(.source_column = "who", .target_column = "2"), "ann>x bob>y");
    FILE_GIVES(
        "a.csv", text, OPTIONS(.source_column = "who", .target_column = "Whose"),
        ":1:1: there is no column 'Whose' for the target; the columns are 'who', 'whom', 'km', "
        "'2'");
    FILE_GIVES("a.csv", text, OPTIONS(.source_column = "who", .target_column = "5"),
               ":1:1: there is no column '5' for the target; the columns are 'who', 'whom', 'km', "
               "'2'");
    FILE_GIVES("a.csv", text, OPTIONS(.source_column = "who", .target_column = "who"),
               ":1:1: column 1 is chosen for the source and for the target");
    FILE_GIVES(
        "a.csv", text, OPTIONS(0),
        ":1:1: none of the columns 'who', 'whom', 'km', '2' is known as the source: choose it "
        "by its name or number (--source-column); if the first line is an edge, say so "
        "(--no-header)");
}

/* What is not read of a file: "names|number". */
static const char *unread_of(const char *path, sl_read_options options)
{
    static char text[700];
    sl_unread_columns unread = {(char *)path, (char *)path};
    sl_edges edges;
    options.unread = &unread;
    const sl_status status = sl_edges_read(&edges, ctx, path, &options);
    snprintf(text, sizeof text, "%s%s|%s", status == SL_OK ? "" : "fails ",
             unread.names ? unread.names : "", unread.number ? unread.number : "");
    sl_unread_columns_free(&unread);
    assert_null(unread.names);
    sl_edges_free(&edges);
    return text;
}

static void unread_columns(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        sl_read_options options;
        const char *expected;
    } cases[] = {
        {"a.csv", "from,to,km\nHamburg,Berlin,289\n", {0}, "'km'|km"},
        {"a.csv", "from,to,km\nHamburg,Berlin,289\n", {.weight_column = "km"}, "|"},
        {"a.csv", "from,to,km\nHamburg,Berlin,289\n", {.flags = SL_READ_PATTERN}, "|"},
        {"a.csv", "from,to,weight,km\na,b,1,2\n", {0}, "|"},
        {"a.csv", "from,to\na,b\n", {0}, "|"},
        {"a.csv", "km,note,from,to\n1e3,x,a,b\n-2.5, y ,b,c\n", {0}, "'km', 'note'|km"},
        {"a.csv", "id,from,to,km\n1,a,b,7\n2,b,c,8\n", {0}, "'id', 'km'|"},
        {"a.csv", "from,to,date\na,b,2020-01-02\n", {0}, "'date'|"},
        {"a.csv", "from,to,km,m\na,b,,1\nb,c,5,x\n", {0}, "'km', 'm'|km"},
        {"a.csv", "from,to,km\na,b,\nb,c,\n", {0}, "'km'|"},
        {"a.csv", "from,to,km\n", {0}, "'km'|"},
        {"a.csv", "from,to,\"k\"\"m\"\na,b,\"3\"\n", {0}, "'k\"m'|k\"m"},
        {"a.tsv", "from\tto\tkm\r\na\tb\t 3 \r\n\r\nb\tc\t4\r\n", {0}, "'km'|km"},
        {"a.csv", "6,2,4,1289241911\n6,5,2,1289241942\n", {0}, "3, 4|"},
        {"a.csv", "6,2,4,2010-11-08\n", {0}, "3, 4|3"},
        {"a.csv", "a,b,4,x\n", {.no_header = true}, "3, 4|3"},
        {"a.txt", "0 1 2\n", {0}, "|"},
        {"a.csv", "from,to,km\na,b,5\na\n", {0}, "fails 'km'|km"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_string_equal(unread_of(file_with(cases[k].name, cases[k].text), cases[k].options),
                            cases[k].expected);
    /* names beyond the length of a list */
    char text[5000] = "from,to", expected[300];
    for (int k = 0; k < 100; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), ",column%d", k);
    snprintf(text + strlen(text), sizeof text - strlen(text), "\n");
    const char *list = unread_of(file_with("a.csv", text), (sl_read_options){0});
    snprintf(expected, sizeof expected, "'column0', 'column1', 'column2'");
    assert_memory_equal(list, expected, strlen(expected));
    assert_non_null(strstr(list, "', ...|"));
    assert_true(strlen(list) < 210);
}

/* Doubled quotes in names of columns stand for one. */
static void quotes_in_names(void **state)
{
    (void)state;
    const char *text = "\"from \"\"city\"\"\",\"\"\"to\"\"\",\"k\"\"m\"\nx,y,3\n";
    FILE_GIVES("a.csv", text,
               OPTIONS(.source_column = "from \"city\"", .target_column = "\"TO\"",
                       .weight_column = "k\"m"),
               "x>y=3");
    FILE_GIVES("a.csv", text, OPTIONS(.source_column = "from \"\"city\"\""),
               ":1:1: there is no column 'from \"\"city\"\"' for the source; the columns are 'from "
               "\"city\"', '\"to\"', 'k\"m'");
    FILE_GIVES(
        "a.csv", "\"so\"\"urce\",target\na,b\n", OPTIONS(.target_column = "2"),
        ":1:1: none of the columns 'so\"urce', 'target' is known as the source: choose it by "
        "its name or number (--source-column); if the first line is an edge, say so "
        "(--no-header)");
}

static void blanks_as_delimiters(void **state)
{
    (void)state;
    static const char *const texts[] = {"1 0 1.0\n2 0 1.0\n", "# FromNodeId  ToNodeId\n1 0\n"};
    for (size_t k = 0; k < 2; k++)
        FILE_GIVES("a.csv", texts[k], OPTIONS(0),
                   ":1:1: the line has one field; expected at least two, separated by commas, tabs "
                   "or semicolons; edges separated by blanks are read as an edge list (--format "
                   "edges)");
    FILE_GIVES("a.csv", "alone\n", OPTIONS(0),
               ":1:1: the line has one field; expected at least two, separated by commas, tabs or "
               "semicolons");
}

static void without_header(void **state)
{
    (void)state;
    FILE_GIVES("a.csv", "1,2\n2,3\n", OPTIONS(0), "1>2 2>3");
    FILE_GIVES("a.csv", "1,2,0.5\n2,3,4\n", OPTIONS(0), "1>2=0.5 2>3=4");
    FILE_GIVES("a.csv", "1,2,0.5,x\n2,3,4,y\n", OPTIONS(0), "1>2 2>3");
    FILE_GIVES("a.csv", "1,2,0.5,x\n2,3,4,y\n", OPTIONS(.target_column = "4"), "1>x 2>y");
    FILE_GIVES("a.csv", "ann,bob\nbob,cyd\n", OPTIONS(.no_header = true), "ann>bob bob>cyd");
    FILE_GIVES("a.csv", "from,to\nbob,cyd\n", OPTIONS(.no_header = true), "from>to bob>cyd");
    FILE_GIVES(
        "a.csv", "ann,bob\n", OPTIONS(.no_header = true, .source_column = "x"),
        ":1:1: there is no column 'x' for the source; without a header columns are numbered; "
        "the first line has 'ann', 'bob'");
}

static void delimiters(void **state)
{
    (void)state;
    FILE_GIVES("a.tsv", "from\tto\na, b\tc\n", OPTIONS(0), "a, b>c");
    FILE_GIVES("a.tsv", "to\tnote\tfrom\nb\t\ta\n", OPTIONS(0), "a>b");
    FILE_GIVES("a.csv", "from\tto\na\tb\n", OPTIONS(0), "a>b");
    FILE_GIVES("a.csv", "from;to;weight\na;b;1\n", OPTIONS(0), "a>b=1");
    FILE_GIVES("a.csv", "from;to;\"a,b,c,d\"\na;b;1\n", OPTIONS(0), "a>b");
    FILE_GIVES("a.txt", "from,to\na,b\n", OPTIONS(.format = SL_FORMAT_CSV), "a>b");
    FILE_GIVES("a.tsv", "\t\n", OPTIONS(.no_header = true), ":1:1: the source is empty");
}

static void quotes_and_blanks(void **state)
{
    (void)state;
    FILE_GIVES("a.csv", "from,to\r\na,b\r\n\r\nb , c \r\n", OPTIONS(0), "a>b b>c");
    FILE_GIVES("a.csv", "from,to\n\n\na,b", OPTIONS(0), "a>b");
    FILE_GIVES("a.csv", "from,to,w\n\"a,b\",\"c \",\"1.5\"\n\"a,b\" , \"\"\"q\"\"\" , 2\n",
               OPTIONS(0), "a,b>c =1.5 a,b>\"q\"=2");
    FILE_GIVES("a.csv", "from,to\nK\xc3\xb6ln,\xe6\x9d\xb1\xe4\xba\xac\n", OPTIONS(0),
               "K\xc3\xb6ln>\xe6\x9d\xb1\xe4\xba\xac");
    FILE_GIVES("a.csv", "from,to\na\rb,c\n", OPTIONS(0), "a\rb>c"); /* no end of line */
    FILE_GIVES("a.csv", "from,to\n\"a\",\"b\"\r\n", OPTIONS(0), "a>b");
}

static void errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", ":1:1: expected a line that names the columns, or an edge, found the end of the file"},
        {"\n\n", ":3:1: expected a line that names the columns, or an edge, found the end of the "
                 "file"},
        {"from\n", ":1:1: the line has one field; expected at least two, separated by commas, tabs "
                   "or semicolons"},
        {"from,to\na\n", ":2:2: the line has 1 field; the first line has 2"},
        {"from,to\na,b\nc,d,e\n", ":3:6: the line has 3 fields; the first line has 2"},
        {"from,to\na,\n", ":2:3: the target is empty"},
        {"from,to\n,b\n", ":2:1: the source is empty"},
        {"from,to\n\"\",b\n", ":2:2: the source is empty"},
        {"from,to\na,\"b\n", ":2:3: the quoted field does not end on its line"},
        {"from,to\na,\"b\nc\"\n", ":2:3: the quoted field does not end on its line"},
        {"from,to\na,\"b\"c\n",
         ":2:6: expected a delimiter or the end of the line after the closing "
         "quote, found 'c'"},
        {"from,to\na,b\"c\n", ":2:4: a quote inside a field; quote the whole field and double the "
                              "quote"},
        {"from,to,w\na,b,\n", ":2:5: the weight is empty"},
        {"from,to,w\na,b,x\n", ":2:5: expected a weight, found 'x'"},
        {"from,to,w\na,b,1,5\n", ":2:8: the line has 4 fields; the first line has 3"},
        {"from,to,w\na,b,1 5\n", ":2:6: expected the end of the field after the weight, found ' '"},
        {"from,to,w\na,b,1e999\n", ":2:5: the value 1e999 is too large for the type fp64"},
        {"from,\"to\n", ":1:6: the quoted field does not end on its line"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        FILE_GIVES("a.csv", cases[k].text, OPTIONS(0), cases[k].message);
    const char zero[] = "from,to\na\0b,c\n";
    assert_string_equal(edges_of(file_of("a.csv", zero, sizeof zero - 1), NULL),
                        ":2:1: the label contains a byte 0x00");
    /* the first error counts, whichever step finds it */
    const char both[] = "from,to\na,b\nc,d\0\ne,,f\n";
    assert_string_equal(edges_of(file_of("a.csv", both, sizeof both - 1), NULL),
                        ":3:3: the label contains a byte 0x00");
    FILE_GIVES("a.csv", "from,to\na,\nb\n", OPTIONS(0), ":2:3: the target is empty");
}

/* A long file with repeated labels of several lengths. */
static char *long_text(size_t *length)
{
    enum { LINES = 60000 };
    char *text = test_malloc(LINES * 60);
    size_t used = (size_t)sprintf(text, "to,weight,from\n");
    for (unsigned k = 0; k < LINES; k++) {
        const unsigned a = k * 2654435761u % 5003, b = k * 40503u % 977;
        used += (size_t)sprintf(text + used, "%u,%u,\"a label, %s%u\"\n", a, k,
                                k % 3 ? "" : "which is longer ", b);
    }
    *length = used;
    return text;
}

/* Several threads give the same tuples, labels and errors as one, compressed or not. */
static void threads(void **state)
{
    (void)state;
    size_t length;
    char *text = long_text(&length);
    const int before = omp_get_max_threads();
    sl_edges one, several;
    const char *path = file_of("long.csv", text, length);
    omp_set_num_threads(1);
    OK(ctx, sl_edges_read(&one, ctx, path, NULL));
    for (int n = 2; n < 6; n++) {
        omp_set_num_threads(n);
        OK(ctx, sl_edges_read(&several, ctx, path, NULL));
        assert_int_equal(several.count, one.count);
        assert_int_equal(several.labels.count, one.labels.count);
        assert_memory_equal(several.row, one.row, one.count * 8);
        assert_memory_equal(several.col, one.col, one.count * 8);
        assert_memory_equal(several.values, one.values, one.count * 8);
        for (uint64_t v = 0; v < one.nrows; v++)
            assert_string_equal(label_of(&several, v), label_of(&one, v));
        sl_edges_free(&several);
    }
    sl_edges_free(&one);
    strcpy(text + length, "no quote\"\n");
    path = file_of("long.csv", text, strlen(text));
    assert_string_equal(edges_of(path, NULL),
                        ":60002:9: a quote inside a field; quote the whole field and double the "
                        "quote");
    omp_set_num_threads(before);
    test_free(text);
}

/* Matrix and labels from one call; other formats have no labels. */
static void matrices(void **state)
{
    (void)state;
    sl_matrix *A;
    sl_labels labels;
    uint64_t *ids, entries;
    memset(&labels, 0xff, sizeof labels);
    OK(ctx, sl_matrix_read_labelled(&A, &ids, &labels, ctx,
                                    file_with("a.csv", "from,to,w\nc,a,3\na,c,4\nb,b,5\nc,a,1\n"),
                                    &(sl_read_options){.duplicates = SL_DUPLICATES_SUM}));
    OK(ctx, sl_matrix_nvals(&entries, A));
    assert_int_equal(entries, 3);
    sl_scalar value = sl_scalar_fp64(0);
    OK(ctx, sl_matrix_get(&value, A, 2, 0));
    assert_true(value.as.fp64_ == 4);
    assert_null(ids);
    assert_int_equal(labels.count, 3);
    assert_string_equal(labels.text + labels.start[1], "b");
    sl_labels_free(&labels);
    sl_matrix_free(A);
    memset(&labels, 0xff, sizeof labels);
    OK(ctx, sl_matrix_read_labelled(&A, NULL, &labels, ctx, file_with("a.txt", "0 1\n"), NULL));
    assert_int_equal(labels.count, 0);
    assert_null(labels.text);
    sl_matrix_free(A);
    memset(&labels, 0xff, sizeof labels);
    assert_int_equal(
        sl_matrix_read_labelled(&A, NULL, &labels, ctx, file_with("a.csv", "from,to\na\n"), NULL),
        SL_SYNTAX);
    assert_null(A);
    assert_int_equal(labels.count, 0);
    OK(ctx, sl_matrix_read(&A, ctx, file_with("a.csv", "from,to\na,b\n"), SL_READ_SYMMETRIC));
    assert_int_equal(sl_matrix_nrows(A), 2);
    sl_matrix_free(A);
}

/* Written files are read as the same edges. */
static void writing(void **state)
{
    (void)state;
    static const char text[] = "source,target,weight\n"
                               "\"a,b\",\"say \"\"hi\"\"\",0.1\n"
                               "\" x\",\"y\t\",-2\n"
                               "10,9,1e+300\n"
                               "K\xc3\xb6ln,10,3\n";
    static const char tabs[] = "source\ttarget\tweight\n"
                               "a,b\t\"say \"\"hi\"\"\"\t0.1\n"
                               "\" x\"\t\"y\t\"\t-2\n"
                               "10\t9\t1e+300\n"
                               "K\xc3\xb6ln\t10\t3\n";
    sl_edges edges;
    OK(ctx, sl_edges_read(&edges, ctx, file_with("a.csv", text), NULL));
    OK(ctx, sl_edges_write(&edges, ctx, file_path("b.csv"), NULL));
    expect_text(file_path("b.csv"), text);
    OK(ctx, sl_edges_write(&edges, ctx, file_path("b.tsv"), NULL));
    expect_text(file_path("b.tsv"), tabs);
    edges.labels.count--;
    assert_int_equal(sl_edges_write(&edges, ctx, file_path("c.csv"), NULL), SL_INVALID);
    assert_string_equal(sl_context_message(ctx),
                        "edges_write: there are 6 labels; the shape is 7 x 7");
    edges.labels.count++;
    sl_edges_free(&edges);
    sl_matrix *A;
    OK(ctx, sl_matrix_read(&A, ctx, file_with("a.txt", "0 2\n2 1\n"), 0));
    OK(ctx, sl_matrix_write(A, file_path("b.csv"), SL_FORMAT_AUTO));
    expect_text(file_path("b.csv"), "source,target\n0,2\n2,1\n");
    sl_matrix_free(A);
    /* a label that is longer than what writers reserve for an entry */
    char *longer = test_malloc(5000);
    memset(longer, 'x', 4900);
    memcpy(longer, "source,target\n", 14);
    strcpy(longer + 4000, ",y\n");
    OK(ctx, sl_edges_read(&edges, ctx, file_with("a.csv", longer), NULL));
    OK(ctx, sl_edges_write(&edges, ctx, file_path("b.csv"), NULL));
    expect_text(file_path("b.csv"), longer);
    sl_edges_free(&edges);
    test_free(longer);
}

static sl_status read_and_free(void *data)
{
    sl_edges edges;
    sl_unread_columns unread;
    const sl_read_options options = {.unread = &unread};
    const sl_status status = sl_edges_read(&edges, ctx, data, &options);
    sl_edges_free(&edges);
    sl_unread_columns_free(&unread);
    return status;
}

static void memory_runs_out(void **state)
{
    (void)state;
    size_t length;
    char *text = long_text(&length);
    char path[200];
    snprintf(path, sizeof path, "%s",
             file_with("a.csv", "from,to,w\n\"a\"\"\",b,1\naaaaaaaab,aaaaaaaac,2\n7,8,3\n"));
    assert_true(allocator_fail_each(read_and_free, path) > 10);
    snprintf(path, sizeof path, "%s", file_with("b.csv", "from,to,km,note\na,b,1,x\n"));
    assert_true(allocator_fail_each(read_and_free, path) > 10);
    snprintf(path, sizeof path, "%s", file_of("long.csv", text, length));
    const int before = omp_get_max_threads();
    omp_set_num_threads(3);
    assert_true(allocator_fail_each(read_and_free, path) > 30);
    omp_set_num_threads(before);
    test_free(text);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_by_name),
        cmocka_unit_test(columns_by_choice),
        cmocka_unit_test(unread_columns),
        cmocka_unit_test(quotes_in_names),
        cmocka_unit_test(blanks_as_delimiters),
        cmocka_unit_test(without_header),
        cmocka_unit_test(delimiters),
        cmocka_unit_test(quotes_and_blanks),
        cmocka_unit_test(errors),

        cmocka_unit_test(threads),
        cmocka_unit_test(matrices),
        cmocka_unit_test(writing),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, setup, files_teardown);
}
