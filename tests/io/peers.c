/*
 * Files as other programs write them: the mark of UTF-8, zeros after gzip data, ids of 64 bits, a
 * column of times, Matrix Market vectors and unsigned integers, and formats that are not supported.
 */
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "files.h"

#define MARK   "\xef\xbb\xbf"
#define BANNER "%%MatrixMarket "

/* Reads the edges of a file; the status and, behind the path, the message must be these. */
static void expect_failure(sl_context *ctx, const char *path, sl_read_options options,
                           sl_status status, const char *message)
{
    sl_edges edges;
    const sl_status got = sl_edges_read(&edges, ctx, path, &options);
    const char *said = sl_context_message(ctx);
    const size_t length = strlen(path);
    if (got != status || strncmp(said, path, length) != 0 ||
        strncmp(said + length, message, strlen(message)) != 0)
        fail_msg("%s: status %d, message '%s', not '%s'", path, (int)got, said, message);
}

static void read_like(sl_context *ctx, const char *path, const char *plain,
                      const sl_read_options *options)
{
    sl_matrix *A, *B;
    OK(ctx, sl_matrix_read_with(&A, NULL, ctx, path, options));
    OK(ctx, sl_matrix_read_with(&B, NULL, ctx, plain, options));
    expect_same(A, B);
    sl_matrix_free(A);
    sl_matrix_free(B);
}

static sl_context *peers_ctx; /* of memory_runs_out */

/* ---- marks ------------------------------------------------------------------ */

static const struct {
    const char *name, *text;
    sl_read_options options;
} marked[] = {
    {"m.txt", "0 1\n1 2\n", {0}},
    {"m.txt", "# comment\n0 1 0.5\n2 1 4\n", {0}},
    {"m.csv", "from,to,weight\na,b,1\nb,c,2\n", {0}},
    {"m.csv", "1,2\n2,3\n", {0}},
    {"m.tsv", "\n\nsource\ttarget\na\tb\n", {0}},
    {"m.mtx", BANNER "matrix coordinate real general\n2 2 1\n1 2 0.5\n", {0}},
    {"market", BANNER "matrix coordinate pattern general\n2 2 1\n1 2\n", {0}},
    {"m.gr", "c comment\np sp 2 1\na 1 2 3\n", {0}},
    {"arcs", "p sp 2 1\na 1 2 3\n", {0}},
    {"m.graph", "% comment\n2 1\n2\n1\n", {0}},
    {"m.txt", "", {0}},
    {"m.txt", "0 1", {.flags = SL_READ_RENUMBER}},
};

static void marks_of_utf8(void **state)
{
    sl_context *ctx = *state;
    for (size_t k = 0; k < sizeof marked / sizeof *marked; k++) {
        char text[200], plain[600];
        snprintf(text, sizeof text, MARK "%s", marked[k].text);
        snprintf(plain, sizeof plain, "%s", file_with(marked[k].name, marked[k].text));
        sl_matrix *A, *B;
        OK(ctx, sl_matrix_read_with(&A, NULL, ctx, plain, &marked[k].options));
        for (int packed = 0; packed < 3; packed++) {
            const char *path = packed == 0   ? file_with(marked[k].name, text)
                               : packed == 1 ? file_gzip(marked[k].name, text, 2)
                                             : file_zstd(marked[k].name, text, 2);
            OK(ctx, sl_matrix_read_with(&B, NULL, ctx, path, &marked[k].options));
            expect_same(A, B);
            sl_matrix_free(B);
        }
        sl_matrix_free(A);
    }
}

/* Positions count neither the line nor the column of the mark; it is skipped only at the start. */
static void positions_behind_a_mark(void **state)
{
    sl_context *ctx = *state;
    const sl_read_options none = {0};
    expect_failure(ctx, file_with("p.txt", MARK "0 x\n"), none, SL_SYNTAX, ":1:3: expected");
    expect_failure(ctx, file_with("p.txt", MARK "0 1\n0 x\n"), none, SL_SYNTAX, ":2:3: expected");
    expect_failure(ctx, file_with("p.csv", MARK "from,to\na\n"), none, SL_SYNTAX, ":2:2: ");
    expect_failure(ctx, file_with("p.txt", "0 1\n" MARK "1 2\n"), none, SL_SYNTAX,
                   ":2:1: expected a vertex id, found byte 0xef");
    expect_failure(ctx, file_with("p.txt", MARK MARK "1 2\n"), none, SL_SYNTAX,
                   ":1:1: expected a vertex id, found byte 0xef");
}

static void marks_of_vectors(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        const char *name, *text;
    } cases[] = {{"v.txt", "# semla vector of 5 int8\n1 3\n4 -1\n"},
                 {"v.txt", "0 7\n4 8\n"},
                 {"v.mtx", BANNER "matrix coordinate integer general\n5 1 1\n2 1 9\n"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200];
        sl_vector *v, *w;
        snprintf(text, sizeof text, MARK "%s", cases[k].text);
        OK(ctx, sl_vector_read(&v, ctx, file_with(cases[k].name, cases[k].text), SL_VECTOR_AUTO));
        OK(ctx, sl_vector_read(&w, ctx, file_with(cases[k].name, text), SL_VECTOR_AUTO));
        expect_vector(w, v);
        sl_vector_free(v);
        sl_vector_free(w);
    }
}

static void other_marks(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        const char *bytes;
        size_t length;
        const char *encoding;
    } cases[] = {{"\xff\xfe"
                  "0\0 \0"
                  "1\0\n\0",
                  10, "UTF-16"},
                 {"\xfe\xff\0"
                  "0\0 \0"
                  "1\0\n",
                  10, "UTF-16"},
                 {"\xff\xfe\0\0"
                  "0\0\0\0",
                  8, "UTF-32"},
                 {"\0\0\xfe\xff\0\0\0"
                  "0",
                  8, "UTF-32"},
                 {"\xff\xfe", 2, "UTF-16"}};
    static const char *const names[] = {"u.txt", "u.csv", "u.mtx", "u.gr", "u.graph"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            char message[100];
            snprintf(message, sizeof message, ":1:1: the file has the mark of %s; convert it",
                     cases[k].encoding);
            expect_failure(ctx, file_of(names[n], cases[k].bytes, cases[k].length),
                           (sl_read_options){0}, SL_SYNTAX, message);
        }
}

/* ---- zeros ------------------------------------------------------------------ */

/* Appends bytes to a file. */
static void append_bytes(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "ab");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void zeros_after_gzip(void **state)
{
    sl_context *ctx = *state;
    static const size_t counts[] = {1, 3, 512, 1 << 16, 300001};
    char *zeros = test_malloc(300001), plain[600], path[600];
    memset(zeros, 0, 300001);
    snprintf(plain, sizeof plain, "%s", file_with("plain", "0 1\n2 0\n1 1\n"));
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int members = 1; members < 4; members++) {
            snprintf(path, sizeof path, "%s", file_gzip("z.gz", "0 1\n2 0\n1 1\n", members));
            append_bytes(path, zeros, counts[k]);
            read_like(ctx, path, plain, NULL);
        }
    /* zeros between members, as of tapes one after the other */
    size_t length;
    char *second = file_bytes(file_gzip("second", "2 0\n1 1\n", 1), &length);
    snprintf(path, sizeof path, "%s", file_gzip("z.gz", "0 1\n", 1));
    append_bytes(path, zeros, 700);
    append_bytes(path, second, length);
    append_bytes(path, zeros, 9);
    read_like(ctx, path, plain, NULL);
    append_bytes(path, "garbage", 7);
    expect_failure(ctx, path, (sl_read_options){0}, SL_IO, ": damaged gzip data: incorrect header");
    snprintf(path, sizeof path, "%s", file_gzip("z.gz", "0 1\n", 1));
    append_bytes(path, "\0\0x\0\0\0\0\0\0\0\0\0", 12);
    expect_failure(ctx, path, (sl_read_options){0}, SL_IO, ": damaged gzip data: incorrect header");
    free(second);
    test_free(zeros);
}

/* ---- ids -------------------------------------------------------------------- */

/* The ids of the vertices of an edge list as one text, or the message behind the path. */
static const char *ids_of(sl_context *ctx, const char *text, sl_read_options options)
{
    static char all[600];
    size_t used = 0;
    sl_edges edges;
    const char *path = file_with("ids.txt", text);
    options.flags |= SL_READ_RENUMBER;
    all[0] = '\0';
    if (sl_edges_read(&edges, ctx, path, &options) != SL_OK) {
        snprintf(all, sizeof all, "%s", sl_context_message(ctx) + strlen(path));
        return all;
    }
    assert_true(!edges.ids == (edges.labels.count > 0));
    for (uint64_t v = 0; v < edges.nrows; v++)
        used += (size_t)(edges.ids
                             ? snprintf(all + used, sizeof all - used, "%" PRIu64 " ", edges.ids[v])
                             : snprintf(all + used, sizeof all - used, "%s ",
                                        edges.labels.text + edges.labels.start[v]));
    for (uint64_t k = 0; k < edges.count; k++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%" PRIu64 ">%" PRIu64 ",",
                                 edges.row[k], edges.col[k]);
    for (uint64_t v = 0, found; v < edges.labels.count; v++) {
        const char *label = edges.labels.text + edges.labels.start[v];
        assert_int_equal(sl_labels_find(&found, &edges.labels, label), SL_OK);
        assert_int_equal(found, v);
    }
    sl_edges_free(&edges);
    return all;
}

static void ids_of_64_bits(void **state)
{
    sl_context *ctx = *state;
    const sl_read_options none = {0}, from_one = {.base = 1};
#define IDS(text, options, expected) assert_string_equal(ids_of(ctx, text, options), expected)
    IDS("18446744073709551615 3\n3 5\n", none, "3 5 18446744073709551615 2>0,0>1,");
    IDS("18446744073709551615 1\n", from_one, "1 18446744073709551615 1>0,");
    IDS("9223372036854775807 9223372036854775808\n", none,
        "9223372036854775807 9223372036854775808 0>1,");
    IDS("1152921504606846976 0\n", none, "0 1152921504606846976 1>0,");
    IDS("-5 3\n3 -9223372036854775808\n-5 9223372036854775807\n", none,
        "-9223372036854775808 -5 3 9223372036854775807 1>2,2>0,1>3,");
    IDS("-1 -2\n-3 -1\n", none, "-3 -2 -1 2>1,0>2,");
    IDS("-0 1\n", none, "0 1 0>1,");
    IDS("-1 18446744073709551615\n", none,
        ": no 64-bit integer type holds negative ids and ids above 2^63 - 1, and the file has "
        "both");
    IDS("1 18446744073709551616\n", none,
        ":1:3: vertex id 18446744073709551616 does not fit in 64 bits");
    IDS("1 -9223372036854775809\n", none,
        ":1:3: vertex id -9223372036854775809 does not fit in 64 bits");
    IDS("1 -4\n", from_one, ":1:3: vertex id -4 is out of range: ids start at 1 (base 1)");
    IDS("1 -\n", none, ":1:3: expected a second vertex id, found '-'");
    IDS("1 +4\n", none, ":1:3: expected a second vertex id, found '+'");
    IDS("1 -4x\n", none, ":1:5: expected a blank after a vertex id, found 'x'");
#undef IDS
    uint64_t tuples[] = {htole64((UINT64_C(1) << 63) - 1), 4}, *ids;
    sl_matrix *A;
    OK(ctx, sl_matrix_read_with(&A, &ids, ctx, file_of("l.g500", tuples, 16),
                                &(sl_read_options){.flags = SL_READ_RENUMBER}));
    assert_true(ids[0] == 4 && ids[1] == INT64_MAX);
    sl_free(ids);
    expect_matrix(A, SL_BOOL, 2, 2, ENTRIES({1, 0, 1}));
}

/* Negative ids in blocks of several threads; the labels are those of one thread. */
static void ids_of_several_threads(void **state)
{
    sl_context *ctx = *state;
    enum { LINES = 60000 };
    char *text = test_malloc(LINES * 48), *end = text;
    uint64_t seed = 5;
    for (int k = 0; k < LINES; k++)
        end += sprintf(end, "%" PRId64 " %d\n", (int64_t)test_random(&seed) >> (k % 50), k);
    const char *path = file_of("many.txt", text, (size_t)(end - text));
    const sl_read_options renumber = {.flags = SL_READ_RENUMBER};
    sl_matrix *A[2];
    sl_labels labels[2];
    uint64_t *ids;
    const int threads = omp_get_max_threads();
    for (int k = 0; k < 2; k++) {
        omp_set_num_threads(k == 0 ? 1 : 4);
        OK(ctx, sl_matrix_read_labelled(&A[k], &ids, &labels[k], ctx, path, &renumber));
        assert_null(ids);
        assert_int_equal(labels[k].count, sl_matrix_nrows(A[k]));
    }
    omp_set_num_threads(threads);
    expect_same(A[0], A[1]);
    assert_int_equal(labels[0].count, labels[1].count);
    for (uint64_t v = 0; v < labels[0].count; v++) {
        const char *label = labels[0].text + labels[0].start[v];
        assert_string_equal(label, labels[1].text + labels[1].start[v]);
        assert_true(v == 0 || strtoll(label, NULL, 10) >
                                  strtoll(labels[0].text + labels[0].start[v - 1], NULL, 10));
    }
    for (int k = 0; k < 2; k++) {
        sl_matrix_free(A[k]);
        sl_labels_free(&labels[k]);
    }
    test_free(text);
}

/* ---- times ------------------------------------------------------------------ */

static void four_columns(void **state)
{
    sl_context *ctx = *state;
    const char *text = "% asym positive\n1 2 1 1082040961\n1 3 2.5 1082155839.25\n"
                       "2 1 -1 18446744073709551616\n";
    const sl_read_options from_one = {.base = 1}, none = {0};
    expect_matrix(read_text(ctx, "out.net4", text, from_one), SL_FP64, 3, 3,
                  ENTRIES({0, 1, 1}, {0, 2, 2.5}, {1, 0, -1}));
    expect_matrix(
        read_text(ctx, "out.net4", text, (sl_read_options){.base = 1, .flags = SL_READ_PATTERN}),
        SL_BOOL, 3, 3, ENTRIES({0, 1, 1}, {0, 2, 1}, {1, 0, 1}));
    expect_failure(ctx, file_with("t", "0 1 1 5\n0 1 1\n"), none, SL_SYNTAX,
                   ":2:1: the line has 3 columns; the first edge has 4");
    expect_failure(ctx, file_with("t", "0 1 1\n0 1 1 5\n"), none, SL_SYNTAX,
                   ":2:1: the line has 4 columns; the first edge has 3");
    expect_failure(ctx, file_with("t", "0 1 1 5 6\n"), none, SL_SYNTAX,
                   ":1:9: expected the end of the line after the time, found '6'");
    expect_failure(ctx, file_with("t", "0 1 1 2015-01-02\n"), none, SL_SYNTAX,
                   ":1:11: expected the end of the line after the time, found '-'");
    expect_failure(ctx, file_with("t", "0 1 1 x\n"), none, SL_SYNTAX,
                   ":1:7: expected a time or the end of the line after the weight, found 'x'");
}

/* ---- Matrix Market ----------------------------------------------------------- */

static void market_vectors(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        const char *text;
        sl_type type;
        uint64_t size, count, index[3];
        double values[3];
    } cases[] = {
        {"vector coordinate real general\n3 2\n1 1.5\n3 2\n", SL_FP64, 3, 2, {0, 2}, {1.5, 2}},
        {"Vector Coordinate integer general\n% c\n4 1\n\n4 -7\n", SL_INT64, 4, 1, {3}, {-7}},
        {"vector coordinate pattern general\n3 2\n2\n1\n", SL_BOOL, 3, 2, {0, 1}, {1, 1}},
        {"vector coordinate unsigned-integer general\n3 1\n2 9\n", SL_UINT64, 3, 1, {1}, {9}},
        {"vector array real general\n3\n1.5\n0\n2\n", SL_FP64, 3, 3, {0, 1, 2}, {1.5, 0, 2}},
        {"vector array integer general\n2\n1 2\n", SL_INT64, 2, 2, {0, 1}, {1, 2}},
        {"vector array real general\n0\n", SL_FP64, 0, 0, {0}, {0}},
        {"vector coordinate real general\n1152921504606846976 1\n1152921504606846976 1\n",
         SL_FP64,
         UINT64_C(1) << 60,
         1,
         {(UINT64_C(1) << 60) - 1},
         {1}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[200];
        sl_vector *v, *right;
        snprintf(text, sizeof text, "%s%s", BANNER, cases[k].text);
        OK(ctx, sl_vector_read(&v, ctx, file_with("v.mtx", text), SL_VECTOR_AUTO));
        right = vector_of(ctx, cases[k].type, cases[k].size, cases[k].count, cases[k].index,
                          cases[k].values);
        expect_vector(v, right);
        OK(ctx, sl_vector_write(right, file_path("w.mtx"), SL_VECTOR_AUTO)); /* and back */
        sl_vector_free(v);
        sl_vector_free(right);
    }
    expect_matrix(read_text(ctx, "v.mtx", BANNER "vector coordinate real general\n3 1\n2 4\n",
                            (sl_read_options){0}),
                  SL_FP64, 3, 1, ENTRIES({1, 0, 4}));
    const sl_read_options none = {0};
    expect_failure(ctx, file_with("v.mtx", BANNER "vector coordinate real general\n3 1 1\n2 4\n"),
                   none, SL_SYNTAX, ":2:5: expected the end of the line, found '1'");
    expect_failure(ctx, file_with("v.mtx", BANNER "vector coordinate real general\n3 1\n4 4\n"),
                   none, SL_OUT_OF_RANGE, ":3:1: row 4 is out of range: the matrix has 3");
    expect_failure(ctx, file_with("v.mtx", BANNER "vector coordinate real symmetric\n1 1\n1 4\n"),
                   none, SL_SYNTAX, ":1:1: a vector must be general");
    expect_failure(ctx, file_with("v.mtx", BANNER "vector array real general\n2\n1\n"), none,
                   SL_SYNTAX, ":4:1: the file ends after 1 of 2 entries");
}

static void unsigned_fields(void **state)
{
    sl_context *ctx = *state;
    const sl_read_options none = {0};
#define UNSIGNED BANNER "matrix coordinate unsigned-integer "
    expect_matrix(read_text(ctx, "u.mtx", UNSIGNED "general\n3 3 1\n1 2 7\n", none), SL_UINT64, 3,
                  3, ENTRIES({0, 1, 7}));
    expect_matrix(read_text(ctx, "u.mtx", UNSIGNED "symmetric\n3 3 1\n2 1 7\n", none), SL_UINT64, 3,
                  3, ENTRIES({0, 1, 7}, {1, 0, 7}));
    expect_matrix(
        read_text(ctx, "u.mtx", BANNER "matrix array unsigned-integer general\n1 2\n1 2\n", none),
        SL_UINT64, 1, 2, ENTRIES({0, 0, 1}, {0, 1, 2}));
    expect_matrix(read_text(ctx, "u.mtx", UNSIGNED "general\n3 3 1\n1 2 7\n",
                            (sl_read_options){.flags = SL_READ_PATTERN}),
                  SL_BOOL, 3, 3, ENTRIES({0, 1, 1}));
    expect_failure(ctx, file_with("u.mtx", UNSIGNED "general\n3 3 1\n1 2 -7\n"), none,
                   SL_OUT_OF_RANGE,
                   ":3:5: the value -7 is negative in a file of unsigned integers");
    expect_failure(ctx, file_with("u.mtx", UNSIGNED "general\n3 3 1\n1 2 1.5\n"), none, SL_SYNTAX,
                   ":3:6: expected a blank or the end of the line after the value, found '.'");
    expect_failure(ctx, file_with("u.mtx", UNSIGNED "skew-symmetric\n3 3 1\n2 1 7\n"), none,
                   SL_SYNTAX, ":1:1: a matrix of unsigned integers cannot be skew-symmetric");
}

/* ---- other formats ----------------------------------------------------------- */

static void formats_that_are_not_supported(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        const char *name, *text, *title;
    } cases[] = {
        {"a.net", "0 1\n", "Pajek"},
        {"a.graphml", "<?xml version=\"1.0\"?>\n", "GraphML"},
        {"a.gexf", "<gexf>", "GEXF"},
        {"a.dot", "graph {\n", "DOT"},
        {"a.gv", "graph {\n", "DOT"},
        {"a.gml", "graph [\n", "GML"},
        {"a.gexf.gz", "<gexf>", "GEXF"},
        {"a.json", "{}", "JSON"},
        {"a.txt", "% by a program\n*Vertices 2\n", "Pajek"},
        {"a", "*vertices 2\n", "Pajek"},
        {"a", "*Network x\n", "Pajek"},
        {"a", "<?xml version=\"1.0\"?>\n<!-- -->\n<graphml xmlns=\"\">\n", "GraphML"},
        {"a", "<?xml version=\"1.0\"?>\n<gexf version=\"1.3\">\n", "GEXF"},
        {"a", "<graph>", "XML"},
        {"a", MARK "<gexf>", "GEXF"},
        {"a", "graph\n[\n  node [ id 1 ]\n", "GML"},
        {"a", "Creator \"x\"\ngraph [\n", "GML"},
        {"a", "graph G {\n  a -- b [weight=2]\n}\n", "DOT"},
        {"a", "strict digraph {\n", "DOT"},
        {"a", "digraph{a->b}", "DOT"},
        {"a", "// roads\ngraph {}\n", "DOT"},
        {"a", "{\"nodes\": []}", "JSON"},
        {"a", "DL n=5\n", "UCINET DL"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const size_t length = strlen(cases[k].name);
        const bool gzip = strcmp(cases[k].name + length - (length > 3 ? 3 : 0), ".gz") == 0;
        const char *path = gzip ? file_gzip(cases[k].name, cases[k].text, 1)
                                : file_with(cases[k].name, cases[k].text);
        char message[100];
        snprintf(message, sizeof message, ": the %s format is not supported", cases[k].title);
        expect_failure(ctx, path, (sl_read_options){0}, SL_UNSUPPORTED, message);
    }
    /* a name says nothing if the format is requested */
    expect_matrix(
        read_text(ctx, "a.net", "0 1\n", (sl_read_options){.format = SL_FORMAT_EDGE_LIST}), SL_BOOL,
        2, 2, ENTRIES({0, 1, 1}));
    sl_matrix *A = read_text(ctx, "b", "0 1\n", (sl_read_options){0});
    assert_int_equal(sl_matrix_write(A, file_path("new.net"), SL_FORMAT_AUTO), SL_UNSUPPORTED);
    sl_matrix_free(A);
}

static sl_status read_signed(void *data)
{
    const char *const *file = data;
    const sl_read_options renumber = {.flags = SL_READ_RENUMBER};
    sl_edges edges;
    const sl_status status = sl_edges_read(&edges, peers_ctx, *file, &renumber);
    sl_edges_free(&edges);
    return status;
}

static void memory_runs_out(void **state)
{
    const char *path = file_with("s.txt", MARK "-5 3 1 7\n3 -9 1 8\n");
    peers_ctx = *state;
    assert_true(allocator_fail_each(read_signed, &path) > 5);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_of_utf8),
        cmocka_unit_test(positions_behind_a_mark),
        cmocka_unit_test(marks_of_vectors),
        cmocka_unit_test(other_marks),
        cmocka_unit_test(zeros_after_gzip),
        cmocka_unit_test(ids_of_64_bits),
        cmocka_unit_test(ids_of_several_threads),
        cmocka_unit_test(four_columns),
        cmocka_unit_test(market_vectors),
        cmocka_unit_test(unsigned_fields),
        cmocka_unit_test(formats_that_are_not_supported),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
