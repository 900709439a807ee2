/* Writes DIMACS, METIS and Graph500 files and tuples; checks what the formats cannot represent. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

static void expect_bytes(const char *path, const void *bytes, size_t length)
{
    size_t got;
    char *text = file_bytes(path, &got);
    assert_int_equal(got, length);
    assert_memory_equal(text, bytes, length);
    free(text);
}

static void file_contents(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        const char *from, *name, *text;
    } cases[] = {
        {"p sp 3 2\na 1 3 5\na 3 1 7\n", "w.gr", "p sp 3 2\na 1 3 5\na 3 1 7\n"},
        {"p sp 4 4\na 1 3 5\na 3 1 5\na 1 2 9\na 2 1 9\n", "w.graph",
         "4 2 001\n2 9 3 5\n1 9\n1 5\n\n"},
        {"p sp 0 0\n", "w.graph", "0 0 001\n"},
        {"p sp 0 0\n", "w.gr", "p sp 0 0\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sl_matrix *A = read_text(ctx, "from.gr", cases[k].from, (sl_read_options){0});
        const char *path = file_path(cases[k].name);
        OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
        expect_bytes(path, cases[k].text, strlen(cases[k].text));
        sl_matrix_free(A);
    }
    sl_matrix *A = read_text(ctx, "from.txt", "0 1\n1 0\n258 1\n1 258\n", (sl_read_options){0});
    OK(ctx, sl_matrix_write(A, file_path("w.metis"), SL_FORMAT_AUTO));
    char *text = file_text(file_path("w.metis"));
    assert_memory_equal(text, "259 2\n2\n1 259\n\n\n", 16);
    free(text);
    OK(ctx, sl_matrix_write(A, file_path("w.gr"), SL_FORMAT_AUTO));
    text = file_text(file_path("w.gr"));
    assert_string_equal(text, "p sp 259 4\na 1 2 1\na 2 1 1\na 2 259 1\na 259 2 1\n");
    free(text);
    OK(ctx, sl_matrix_write(A, file_path("w.g500"), SL_FORMAT_AUTO));
    expect_bytes(file_path("w.g500"),
                 "\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
                 "\1\0\0\0\0\0\0\0\2\1\0\0\0\0\0\0\2\1\0\0\0\0\0\0\1\0\0\0\0\0\0\0",
                 64);
    OK(ctx, sl_matrix_write(A, file_path("w"), SL_FORMAT_GRAPH500_PACKED));
    expect_bytes(file_path("w"),
                 "\0\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0"
                 "\1\0\0\0\2\1\0\0\0\0\0\0\2\1\0\0\1\0\0\0\0\0\0\0",
                 48);
    OK(ctx, sl_matrix_write_with(A, file_path("w.txt"), &(sl_write_options){.base = 1}));
    text = file_text(file_path("w.txt"));
    assert_string_equal(text, "# edge list, 1-based, no weights\n"
                              "# rows 259, columns 259, edges 4\n1 2\n2 1\n2 259\n259 2\n");
    free(text);
    sl_matrix_free(A);
}

/* Integer values of any type are written like int64. */
static void values_of_all_types(void **state)
{
    sl_context *ctx = *state;
    for (int type = 0; type < SL_TYPE_COUNT; type++) {
        sl_matrix *A;
        OK(ctx, sl_matrix_new(&A, ctx, (sl_type)type, 2, 2));
        OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_int64(type == SL_BOOL ? 1 : 100)));
        OK(ctx, sl_matrix_set(A, 1, 0, sl_scalar_int64(type == SL_BOOL ? 1 : 100)));
        OK(ctx, sl_matrix_write(A, file_path("t.gr"), SL_FORMAT_AUTO));
        OK(ctx, sl_matrix_write(A, file_path("t.graph"), SL_FORMAT_AUTO));
        sl_matrix_free(A);
        const entry expected[] = {{0, 1, type == SL_BOOL ? 1 : 100},
                                  {1, 0, type == SL_BOOL ? 1 : 100}};
        expect_matrix(read_with(ctx, file_path("t.gr"), (sl_read_options){0}), SL_INT64, 2, 2, 2,
                      expected);
        A = read_with(ctx, file_path("t.graph"), (sl_read_options){0});
        expect_matrix(A, sl_matrix_type(A), 2, 2, 2, expected);
    }
}

/* A matrix that a format cannot represent is an error, and an existing file is unchanged. */
static void unsupported_matrices(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        const char *market, *name, *message;
    } cases[] = {
        {"real general\n2 3 1\n1 3 1\n", "r.gr",
         "DIMACS files store square matrices; this one is 2 x 3"},
        {"real general\n2 3 1\n1 3 1\n", "r.graph",
         "METIS files store square matrices; this one is 2 x 3"},
        {"pattern general\n2 3 1\n1 3\n", "r.g500",
         "Graph500 files store square matrices; this one is 2 x 3"},
        {"real general\n3 3 1\n1 2 0.5\n", "r.gr",
         "entry (0, 1), 0-based, is 0.5; DIMACS weights are integers from 0 to 2^63 - 1"},
        {"integer general\n3 3 2\n1 2 1\n3 2 -4\n", "r.gr",
         "entry (2, 1), 0-based, is -4; DIMACS weights are integers from 0 to 2^63 - 1"},
        {"real general\n3 3 1\n1 2 nan\n", "r.gr",
         "entry (0, 1), 0-based, is nan; DIMACS weights are integers from 0 to 2^63 - 1"},
        {"real general\n3 3 1\n1 2 inf\n", "r.gr",
         "entry (0, 1), 0-based, is inf; DIMACS weights are integers from 0 to 2^63 - 1"},
        {"real general\n3 3 1\n1 2 9223372036854775808\n", "r.gr",
         "entry (0, 1), 0-based, is 9.223372036854776e+18; DIMACS weights are integers "
         "from 0 to 2^63 - 1"},
        {"pattern general\n3 3 2\n2 1\n3 2\n", "r.graph",
         "METIS files store undirected graphs without self-loops, but entry (1, 0), 0-based, has "
         "no "
         "mirror entry"},
        {"pattern general\n3 3 3\n1 2\n2 1\n1 3\n", "r.graph",
         "METIS files store undirected graphs without self-loops, but entry (0, 2), 0-based, has "
         "no "
         "mirror entry"},
        {"pattern symmetric\n3 3 2\n2 1\n3 3\n", "r.graph",
         "METIS files store undirected graphs without self-loops, but entry (2, 2), 0-based, is "
         "one"},
        {"integer general\n3 3 2\n1 2 4\n2 1 5\n", "r.graph",
         "METIS files store undirected graphs without self-loops, but entry (1, 0), 0-based, is 5 "
         "and its mirror entry is 4"},
        {"integer symmetric\n3 3 1\n2 1 0\n", "r.graph",
         "entry (0, 1), 0-based, is 0; METIS weights are integers from 1 to 2^63 - 1"},
        {"real symmetric\n3 3 1\n2 1 1.5\n", "r.metis",
         "entry (0, 1), 0-based, is 1.5; METIS weights are integers from 1 to 2^63 - 1"},
        {"real symmetric\n3 3 1\n2 1 1\n", "r.g500",
         "Graph500 files store no values; write the pattern (--pattern)"},
        {"real symmetric\n3 3 1\n2 1 1\n", "r.g500p.zst",
         "Graph500 files store no values; write the pattern (--pattern)"},
        {"real symmetric\n3 3 1\n2 1 1\n", "r.npz", "the NumPy format is not supported"},
        {"real symmetric\n3 3 1\n2 1 1\n", "r.txt.xz", "the xz format is not supported"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char market[200], expected[900];
        snprintf(market, sizeof market, "%%%%MatrixMarket matrix coordinate %s", cases[k].market);
        sl_matrix *A = read_text(ctx, "from.mtx", market, (sl_read_options){0});
        const char *path = file_with(cases[k].name, "old");
        int files = file_count();
        snprintf(expected, sizeof expected, "%s: %s", path, cases[k].message);
        assert_int_equal(sl_matrix_write(A, path, SL_FORMAT_AUTO), SL_UNSUPPORTED);
        assert_string_equal(sl_context_message(ctx), expected);
        expect_bytes(path, "old", 3);
        assert_int_equal(file_count(), files);
        sl_matrix_free(A);
    }
    sl_edges edges = {.nrows = UINT64_C(1) << 50, .ncols = UINT64_C(1) << 50, .count = 2};
    uint64_t row[] = {1, UINT64_C(1) << 47}, col[] = {2, 3};
    edges.row = row;
    edges.col = col;
    assert_int_equal(sl_edges_write(&edges, ctx, file_path("new.g500p"), NULL), SL_UNSUPPORTED);
    assert_non_null(
        strstr(sl_context_message(ctx),
               "entry (140737488355328, 3), 0-based, does not fit: packed Graph500 tuples "
               "store vertices below 2^47"));
    row[1] = (UINT64_C(1) << 47) - 1;
    OK(ctx, sl_edges_write(&edges, ctx, file_path("new.g500p"), NULL));
}

/* ---- tuples ------------------------------------------------------------- */

static void tuples_written(void **state)
{
    sl_context *ctx = *state;
    uint64_t row[] = {3, 0, 3, 2}, col[] = {1, 0, 1, 3};
    int64_t values[] = {5, 0, 7, 1};
    sl_edges e = {.nrows = 5, .ncols = 5, .count = 4, .row = row, .col = col, .type = SL_INT64};
    e.values = values;
    static const struct {
        const char *name;
        sl_mirror mirror;
        const char *text;
    } cases[] = {
        {"t.txt", SL_MIRROR_NONE,
         "# edge list, 0-based, integer weights\n# rows 5, columns 5, edges 4\n"
         "3 1 5\n0 0 0\n3 1 7\n2 3 1\n"},
        {"t.gr", SL_MIRROR_SAME,
         "p sp 5 7\na 4 2 5\na 2 4 5\na 1 1 0\na 4 2 7\na 2 4 7\na 3 4 1\na 4 3 1\n"},
        {"t.mtx", SL_MIRROR_NEGATED,
         "%%MatrixMarket matrix coordinate integer general\n5 5 7\n"
         "4 2 5\n2 4 -5\n1 1 0\n4 2 7\n2 4 -7\n3 4 1\n4 3 -1\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        e.mirror = cases[k].mirror;
        OK(ctx, sl_edges_write(&e, ctx, file_path(cases[k].name), NULL));
        expect_bytes(file_path(cases[k].name), cases[k].text, strlen(cases[k].text));
    }
    assert_int_equal(sl_edges_write(&e, ctx, file_path("t.gr"), NULL), SL_UNSUPPORTED);
    e.mirror = SL_MIRROR_NONE;
    assert_int_equal(sl_edges_write(&e, ctx, file_path("t.graph"), NULL), SL_UNSUPPORTED);
    assert_non_null(
        strstr(sl_context_message(ctx),
               "the input is a list of tuples; make a matrix of it (sl_matrix_from_edges)"));
    double reals[] = {0.5, 0, -0.25, 1};
    e.type = SL_FP64;
    e.values = reals;
    e.mirror = SL_MIRROR_NEGATED;
    OK(ctx, sl_edges_write(&e, ctx, file_path("t.txt"), &(sl_write_options){.base = 1}));
    char *text = file_text(file_path("t.txt"));
    assert_non_null(strstr(text, "\n4 2 0.5\n2 4 -0.5\n1 1 0\n4 2 -0.25\n2 4 0.25\n"));
    free(text);
}

/*
 * Edges of a generator are read in the order in which they were written, with duplicates and loops.
 */
static void tuples_of_a_generator(void **state)
{
    sl_context *ctx = *state;
    sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 9, .seed = 4};
    sl_edges made, read;
    OK(ctx, sl_generate(&made, ctx, &model));
    static const char *const names[] = {"k.g500", "k.g500p", "k.g500.zst", "k.g500p.gz", "k.txt"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        OK(ctx, sl_edges_write(&made, ctx, file_path(names[k]), NULL));
        sl_read_options options = {.vertices = made.nrows};
        OK(ctx, sl_edges_read(&read, ctx, file_path(names[k]), &options));
        assert_int_equal(read.count, made.count);
        assert_int_equal(read.nrows, made.nrows);
        assert_memory_equal(read.row, made.row, made.count * 8);
        assert_memory_equal(read.col, made.col, made.count * 8);
        sl_edges_free(&read);
    }
    sl_edges_free(&made);
}

static void arguments(void **state)
{
    sl_context *ctx = *state;
    uint64_t row[] = {0, 2}, col[] = {1, 1};
    sl_edges e = {.nrows = 2, .ncols = 2, .count = 2, .row = row, .col = col};
    const char *path = file_path("none.txt");
    assert_int_equal(sl_edges_write(NULL, ctx, path, NULL), SL_INVALID);
    assert_int_equal(sl_edges_write(&e, NULL, path, NULL), SL_INVALID);
    assert_int_equal(sl_edges_write(&e, ctx, NULL, NULL), SL_INVALID);
    assert_int_equal(sl_edges_write(&e, ctx, path, &(sl_write_options){.base = 2}), SL_INVALID);
    assert_int_equal(sl_edges_write(&e, ctx, path, NULL), SL_OUT_OF_RANGE);
    assert_string_equal(sl_context_message(ctx),
                        "edges_write: tuple 1 is out of range: the shape is 2 x 2");
    e.nrows = 3;
    e.mirror = SL_MIRROR_SAME;
    assert_int_equal(sl_edges_write(&e, ctx, path, NULL), SL_MISMATCH);
    e.mirror = (sl_mirror)3;
    assert_int_equal(sl_edges_write(&e, ctx, path, NULL), SL_INVALID);
    e.mirror = SL_MIRROR_NONE;
    e.values = row;
    e.type = SL_FP32;
    assert_int_equal(sl_edges_write(&e, ctx, path, NULL), SL_INVALID);
    e.values = NULL;
    e.col = NULL;
    assert_int_equal(sl_edges_write(&e, ctx, path, NULL), SL_INVALID);
    assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_contents),         cmocka_unit_test(values_of_all_types),
        cmocka_unit_test(unsupported_matrices),  cmocka_unit_test(tuples_written),
        cmocka_unit_test(tuples_of_a_generator), cmocka_unit_test(arguments),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
