/* Reads valid files: formats, options, compressed files, real graphs. */
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

#define MARKET "%%MatrixMarket matrix coordinate "

static void karate(void **state)
{
    static const uint64_t degrees[34] = {16, 9, 10, 6, 3, 4, 4, 4, 5, 2, 3, 1, 2, 5, 2, 2,  2,
                                         2,  2, 3,  2, 2, 2, 5, 3, 3, 2, 4, 3, 4, 4, 6, 12, 17};
    sl_context *ctx = *state;
    sl_matrix *A;
    OK(ctx, sl_matrix_read(&A, ctx, SEMLA_TEST_DATA "/karate.mtx", 0));
    sl_csr csr;
    OK(ctx, sl_matrix_copy_csr(&csr, A));
    assert_int_equal(csr.nrows, 34);
    assert_int_equal(csr.ncols, 34);
    assert_int_equal(csr.start[34], 156);
    for (int i = 0; i < 34; i++)
        assert_int_equal(csr.start[i + 1] - csr.start[i], degrees[i]);
    bool symmetric, pattern;
    OK(ctx, sl_matrix_is_symmetric(&symmetric, A));
    OK(ctx, sl_matrix_is_pattern(&pattern, A));
    assert_true(symmetric && pattern);

    uint64_t triangles = 0; /* each triangle is counted six times */
    for (uint64_t i = 0; i < 34; i++)
        for (uint64_t k = csr.start[i]; k < csr.start[i + 1]; k++)
            for (uint64_t l = csr.start[i]; l < csr.start[i + 1]; l++)
                for (uint64_t m = csr.start[csr.index[k]]; m < csr.start[csr.index[k] + 1]; m++)
                    triangles += csr.index[m] == csr.index[l];
    assert_int_equal(triangles / 6, 45);
    sl_free(csr.start);
    sl_free(csr.index);
    sl_matrix_free(A);
}

static void market_fields(void **state)
{
    sl_context *ctx = *state;
    expect_matrix(
        read_text(ctx, "a.mtx", MARKET "pattern general\n2 3 2\n2 3\n1 1\n", (sl_read_options){0}),
        SL_BOOL, 2, 3, ENTRIES({0, 0, 1}, {1, 2, 1}));
    expect_matrix(read_text(ctx, "a.mtx", MARKET "integer general\n2 2 2\n1 2 -7\n2 1 +12\n",
                            (sl_read_options){0}),
                  SL_INT64, 2, 2, ENTRIES({0, 1, -7}, {1, 0, 12}));
    expect_matrix(read_text(ctx, "a.mtx",
                            MARKET "real general\n2 2 4\n1 1 0\n1 2 -.5\n2 1 2.\n2 2 -1e-3\n",
                            (sl_read_options){0}),
                  SL_FP64, 2, 2, ENTRIES({0, 0, 0}, {0, 1, -.5}, {1, 0, 2}, {1, 1, -1e-3}));
    expect_matrix(read_text(ctx, "a.mtx",
                            MARKET "double general\n1 3 3\n1 1 -Inf\n1 2 infinity\n1 3 INF\n",
                            (sl_read_options){0}),
                  SL_FP64, 1, 3, ENTRIES({0, 0, -INFINITY}, {0, 1, INFINITY}, {0, 2, INFINITY}));
    expect_matrix(read_text(ctx, "a.mtx", MARKET "real general\n2 2 1\n1 2 0.25\n",
                            (sl_read_options){.flags = SL_READ_PATTERN}),
                  SL_BOOL, 2, 2, ENTRIES({0, 1, 1}));
    expect_matrix(read_text(ctx, "a.mtx", MARKET "real general\n0 0 0\n", (sl_read_options){0}),
                  SL_FP64, 0, 0, 0, NULL);
    expect_matrix(read_text(ctx, "a.mtx", MARKET "pattern general\n0 7 0", (sl_read_options){0}),
                  SL_BOOL, 0, 7, 0, NULL);
}

static void market_symmetries(void **state)
{
    sl_context *ctx = *state;
    expect_matrix(read_text(ctx, "a.mtx", MARKET "real symmetric\n3 3 2\n3 1 2.5\n2 2 4\n",
                            (sl_read_options){0}),
                  SL_FP64, 3, 3, ENTRIES({0, 2, 2.5}, {1, 1, 4}, {2, 0, 2.5}));
    expect_matrix(read_text(ctx, "a.mtx", MARKET "real skew-symmetric\n3 3 2\n3 1 2.5\n2 1 0\n",
                            (sl_read_options){.flags = SL_READ_SYMMETRIC}),
                  SL_FP64, 3, 3, ENTRIES({0, 1, -0.0}, {0, 2, -2.5}, {1, 0, 0}, {2, 0, 2.5}));
    expect_matrix(read_text(ctx, "a.mtx", MARKET "integer skew-symmetric\n2 2 1\n2 1 5\n",
                            (sl_read_options){.flags = SL_READ_TRANSPOSED}),
                  SL_INT64, 2, 2, ENTRIES({0, 1, 5}, {1, 0, -5}));
}

static void market_arrays(void **state)
{
    sl_context *ctx = *state;
    const char *array = "%%MatrixMarket matrix array ";
    char text[200];
    snprintf(text, sizeof text, "%sreal general\n2 3\n1\n2\n0\n4\n5\n6\n", array);
    expect_matrix(read_text(ctx, "a.mtx", text, (sl_read_options){0}), SL_FP64, 2, 3,
                  ENTRIES({0, 0, 1}, {0, 1, 0}, {0, 2, 5}, {1, 0, 2}, {1, 1, 4}, {1, 2, 6}));
    snprintf(text, sizeof text, "%sinteger symmetric\n%% c\n2 2\n1 2\n\n3\n", array);
    expect_matrix(read_text(ctx, "a.mtx", text, (sl_read_options){0}), SL_INT64, 2, 2,
                  ENTRIES({0, 0, 1}, {0, 1, 2}, {1, 0, 2}, {1, 1, 3}));
    snprintf(text, sizeof text, "%sreal skew-symmetric\n3 3\n1 2 3\n", array);
    expect_matrix(read_text(ctx, "a.mtx", text, (sl_read_options){0}), SL_FP64, 3, 3,
                  ENTRIES({0, 1, -1}, {0, 2, -2}, {1, 0, 1}, {1, 2, -3}, {2, 0, 2}, {2, 1, 3}));
    snprintf(text, sizeof text, "%sreal skew-symmetric\n1 1\n", array);
    expect_matrix(read_text(ctx, "a.mtx", text, (sl_read_options){0}), SL_FP64, 1, 1, 0, NULL);
}

static void market_layout(void **state)
{
    sl_context *ctx = *state;
    expect_matrix(read_text(ctx, "a.txt", /* the banner decides, not the name */
                            "%%matrixmarket  MATRIX\tCoordinate Pattern GENERAL  \r\n"
                            "% comment\r\n"
                            "%\r\n"
                            "\r\n"
                            "  2 2\t3 \r\n"
                            "\t1  1\r\n"
                            "% more\r\n"
                            "\r\n"
                            "2 1 \r\n"
                            "2 2",
                            (sl_read_options){0}),
                  SL_BOOL, 2, 2, ENTRIES({0, 0, 1}, {1, 0, 1}, {1, 1, 1}));
}

static void edge_lists(void **state)
{
    sl_context *ctx = *state;
    expect_matrix(read_text(ctx, "e.txt",
                            "# FromNodeId\tToNodeId\n% another\n0\t1\n\n   \n  2   0\v\n3\f3\r\n"
                            "   # indented\n1 2",
                            (sl_read_options){0}),
                  SL_BOOL, 4, 4, ENTRIES({0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {3, 3, 1}));
    expect_matrix(read_text(ctx, "e", "1 2 0.5\n2 1 -3\n", (sl_read_options){.base = 1}), SL_FP64,
                  2, 2, ENTRIES({0, 1, .5}, {1, 0, -3}));
    expect_matrix(read_text(ctx, "e.mtx", "1 2\n",
                            (sl_read_options){.format = SL_FORMAT_EDGE_LIST, .base = 1}),
                  SL_BOOL, 2, 2, ENTRIES({0, 1, 1}));
    expect_matrix(
        read_text(ctx, "e.graph", "1 2\n", (sl_read_options){.format = SL_FORMAT_EDGE_LIST}),
        SL_BOOL, 3, 3, ENTRIES({1, 2, 1}));
    expect_matrix(read_text(ctx, "e", "0 1 7\n", (sl_read_options){.flags = SL_READ_PATTERN}),
                  SL_BOOL, 2, 2, ENTRIES({0, 1, 1}));
    const char *empty[] = {"", "\n", "# nothing\n", "%", "  "};
    for (size_t k = 0; k < sizeof empty / sizeof *empty; k++)
        for (unsigned base = 0; base < 2; base++)
            for (unsigned flags = 0; flags <= SL_READ_RENUMBER; flags += SL_READ_RENUMBER)
                expect_matrix(
                    read_text(ctx, "e", empty[k], (sl_read_options){.base = base, .flags = flags}),
                    SL_BOOL, 0, 0, 0, NULL);
}

static void combined_options(void **state)
{
    sl_context *ctx = *state;
    const char *text = "0 1 1\n1 0 2\n2 2 4\n0 1 8\n2 1 16\n";
    sl_read_options o = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    expect_matrix(read_text(ctx, "e", text, o), SL_FP64, 3, 3,
                  ENTRIES({0, 1, 1}, {1, 0, 1}, {1, 2, 16}, {2, 1, 16}));
    o.duplicates = SL_DUPLICATES_LAST;
    expect_matrix(read_text(ctx, "e", text, o), SL_FP64, 3, 3,
                  ENTRIES({0, 1, 8}, {1, 0, 8}, {1, 2, 16}, {2, 1, 16}));
    o.duplicates = SL_DUPLICATES_SUM;
    expect_matrix(read_text(ctx, "e", text, o), SL_FP64, 3, 3,
                  ENTRIES({0, 1, 11}, {1, 0, 11}, {1, 2, 16}, {2, 1, 16}));
    o.duplicates = SL_DUPLICATES_MIN;
    o.flags = SL_READ_TRANSPOSED;
    expect_matrix(read_text(ctx, "e", text, o), SL_FP64, 3, 3,
                  ENTRIES({0, 1, 2}, {1, 0, 1}, {1, 2, 16}, {2, 2, 4}));
    o.duplicates = SL_DUPLICATES_MAX;
    o.flags = 0;
    expect_matrix(read_text(ctx, "e", text, o), SL_FP64, 3, 3,
                  ENTRIES({0, 1, 8}, {1, 0, 2}, {2, 1, 16}, {2, 2, 4}));
    o.duplicates = SL_DUPLICATES_ERROR;
    sl_matrix *A;
    assert_int_equal(sl_matrix_read_with(&A, NULL, ctx, file_with("e", text), &o), SL_SYNTAX);
    assert_string_equal(sl_context_message(ctx),
                        "matrix_from_edges: entry (0, 1), 0-based, occurs more than once");
}

static void renumbered_ids(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        const char *text;
        unsigned base;
        uint64_t ids[4];
    } cases[] = {
        {"20 7\n7 1000\n9 20\n", 0, {7, 9, 20, 1000}},
        {"20 7\n7 1000\n9 20\n", 1, {7, 9, 20, 1000}},
        /* too sparse for a bitmap */
        {"5000000000 7\n7 1152921504606846975\n9 5000000000\n",
         0,
         {7, 9, 5000000000, 1152921504606846975}},
        {"5000000000 1\n1 1152921504606846976\n9 5000000000\n",
         1,
         {1, 9, 5000000000, 1152921504606846976}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sl_read_options o = {.base = cases[k].base, .flags = SL_READ_RENUMBER};
        sl_matrix *A;
        uint64_t *ids;
        OK(ctx, sl_matrix_read_with(&A, &ids, ctx, file_with("e", cases[k].text), &o));
        assert_memory_equal(ids, cases[k].ids, sizeof cases[k].ids);
        sl_free(ids);
        expect_matrix(A, SL_BOOL, 4, 4, ENTRIES({0, 3, 1}, {1, 2, 1}, {2, 0, 1}));
    }
    sl_matrix *A;
    uint64_t one, *ids = &one;
    OK(ctx, sl_matrix_read_with(&A, &ids, ctx, file_with("e", "0 3\n"), NULL));
    assert_null(ids);
    sl_matrix_free(A);
}

/* Both methods of renumbering agree; one very large id makes the ids sparse. */
static void renumbering_methods_agree(void **state)
{
    sl_context *ctx = *state;
    enum { EDGES = 5000 };
    char *text = test_malloc(EDGES * 24 + 64), *end = text;
    uint64_t seed = 5, *ids[2];
    for (int k = 0; k < 2 * EDGES; k++)
        end += sprintf(end, "%d%c", (int)(test_random(&seed) % 3000) * 5, k % 2 ? '\n' : ' ');
    sl_edges edges[2];
    sl_read_options o = {.flags = SL_READ_RENUMBER};
    OK(ctx, sl_edges_read(&edges[0], ctx, file_with("e", text), &o));
    strcpy(end, "1152921504606846975 0\n");
    OK(ctx, sl_edges_read(&edges[1], ctx, file_with("e", text), &o));
    ids[0] = edges[0].ids;
    ids[1] = edges[1].ids;
    assert_int_equal(edges[0].nrows + 1, edges[1].nrows);
    assert_int_equal(ids[1][edges[0].nrows], UINT64_C(1152921504606846975));
    assert_memory_equal(ids[0], ids[1], edges[0].nrows * sizeof *ids[0]);
    assert_memory_equal(edges[0].row, edges[1].row, EDGES * sizeof *edges[0].row);
    assert_memory_equal(edges[0].col, edges[1].col, EDGES * sizeof *edges[0].col);
    seed = 5;
    for (int k = 0; k < EDGES; k++) {
        assert_int_equal(ids[0][edges[0].row[k]], test_random(&seed) % 3000 * 5);
        assert_int_equal(ids[0][edges[0].col[k]], test_random(&seed) % 3000 * 5);
    }
    for (uint64_t v = 1; v < edges[0].nrows; v++)
        assert_true(ids[0][v - 1] < ids[0][v]);
    sl_edges_free(&edges[0]);
    sl_edges_free(&edges[1]);
    test_free(text);
}

static void compressed_files(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A;
    OK(ctx, sl_matrix_read(&A, ctx, file_gzip("e.txt.gz", "0 1\n2 3\n", 1), 0));
    expect_matrix(A, SL_BOOL, 4, 4, ENTRIES({0, 1, 1}, {2, 3, 1}));
    OK(ctx, sl_matrix_read(&A, ctx, file_gzip("magic", "0 1\n2 3", 1),
                           0)); /* recognised by the magic number */
    expect_matrix(A, SL_BOOL, 4, 4, ENTRIES({0, 1, 1}, {2, 3, 1}));
    OK(ctx, sl_matrix_read(&A, ctx, file_gzip("m.txt.gz", "0 1\n2 33\n4 0", 3), 0));
    expect_matrix(A, SL_BOOL, 34, 34, ENTRIES({0, 1, 1}, {2, 33, 1}, {4, 0, 1}));
    OK(ctx,
       sl_matrix_read(&A, ctx, file_gzip("a.mtx.gz", MARKET "real general\n1 1 1\n1 1 3", 1), 0));
    expect_matrix(A, SL_FP64, 1, 1, ENTRIES({0, 0, 3}));
    OK(ctx, sl_matrix_read(&A, ctx, file_gzip("none.gz", "", 1), 0));
    expect_matrix(A, SL_BOOL, 0, 0, 0, NULL);
}

/* Decimals of all kinds are read as strtod reads them, in any locale of the program. */
static void decimals(void **state)
{
    sl_context *ctx = *state;
    enum { NUMBERS = 20000, WIDTH = 64 };
    char *text = test_malloc(NUMBERS * WIDTH + 200), *end = text;
    double *expected = test_malloc(NUMBERS * sizeof *expected);
    uint64_t seed = 11;
    end += sprintf(end, "%sreal general\n1 %d %d\n", MARKET, NUMBERS, NUMBERS);
    for (int k = 0; k < NUMBERS; k++) {
        uint64_t bits = test_random(&seed), choice = test_random(&seed);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (choice % 4 != 0 || !isfinite(x))
            x = (double)(int64_t)bits * pow(10, (double)(int)(choice >> 8 & 31) - 24);
        end += sprintf(end, "1 %d ", k + 1);
        const char *number = end;
        static const char *const forms[] = {"%.17g", "%.3f",   "%.19e", "%.15g",
                                            "%.17g", "%+.16e", "%.0f",  "%.18f"};
        double shown = fabs(x) < 1e20 ? x : fmod(x, 1e9);
        end += sprintf(end, forms[choice >> 16 & 7],
                       forms[choice >> 16 & 7][strlen(forms[choice >> 16 & 7]) - 1] == 'f' ? shown
                                                                                           : x);
        expected[k] = strtod(number, NULL);
        *end++ = '\n';
        assert_true(end - number < WIDTH - 8);
    }
    const char *path = file_of("a.mtx", text, (size_t)(end - text));
    const char *comma = setlocale(LC_ALL, "de_DE.UTF-8"); /* if it is installed */
    sl_edges edges;
    OK(ctx, sl_edges_read(&edges, ctx, path, NULL));
    if (comma)
        setlocale(LC_ALL, "C");
    assert_int_equal(edges.count, NUMBERS);
    for (int k = 0; k < NUMBERS; k++)
        if (memcmp((double *)edges.values + k, expected + k, sizeof *expected) != 0)
            fail_msg("number %d reads as %.17g, not %.17g", k, ((double *)edges.values)[k],
                     expected[k]);
    sl_edges_free(&edges);
    test_free(expected);
    test_free(text);
}

static void integers(void **state)
{
    sl_context *ctx = *state;
    sl_edges edges;
    OK(ctx, sl_edges_read(&edges, ctx,
                          file_with("a.mtx", MARKET
                                    "integer general\n2 2 4\n"
                                    "1 1 9223372036854775807\n"
                                    "1 2 -9223372036854775808\n"
                                    "2 1 -0\n"
                                    "2 0000000000000000000000002 00000000000000000000000000017\n"),
                          NULL));
    const int64_t expected[] = {INT64_MAX, INT64_MIN, 0, 17};
    assert_int_equal(edges.count, 4);
    assert_memory_equal(edges.values, expected, sizeof expected);
    assert_int_equal(edges.col[3], 1);
    sl_edges_free(&edges);
    assert_null(edges.row);
    sl_edges_free(&edges);
    sl_edges_free(NULL);
}

static void arguments(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A;
    sl_edges edges;
    const char *path = file_with("e", "0 1\n");
    assert_int_equal(sl_matrix_read(NULL, ctx, path, 0), SL_INVALID);
    assert_int_equal(sl_matrix_read(&A, NULL, path, 0), SL_INVALID);
    assert_int_equal(sl_matrix_read(&A, ctx, NULL, 0), SL_INVALID);
    assert_string_equal(sl_context_message(ctx), "read: path is NULL");
    assert_int_equal(sl_edges_read(NULL, ctx, path, NULL), SL_INVALID);
    assert_int_equal(sl_matrix_read(&A, ctx, path, 64), SL_INVALID);
    assert_string_equal(sl_context_message(ctx), "read options: unknown flags 0x40");
    const sl_read_options wrong[] = {{.format = 99},
                                     {.format = (sl_file_format)-1},
                                     {.duplicates = 6},
                                     {.base = 2},
                                     {.vertices = 3, .flags = SL_READ_RENUMBER}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_int_equal(sl_edges_read(&edges, ctx, path, &wrong[k]), SL_INVALID);
        assert_int_equal(strncmp(sl_context_message(ctx), "read options: ", 14), 0);
        assert_null(edges.row);
    }
    OK(ctx, sl_edges_read(&edges, ctx, path, NULL));
    assert_int_equal(edges.count, 1);
    assert_int_equal(edges.nrows, 2);
    sl_edges_free(&edges);
}

typedef struct {
    sl_context *ctx;
    const char *path;
    sl_read_options options;
} job;

static sl_status read_and_free(void *data)
{
    const job *j = data;
    sl_matrix *A;
    uint64_t *ids;
    sl_status status = sl_matrix_read_with(&A, &ids, j->ctx, j->path, &j->options);
    if (status != SL_OK) {
        assert_null(A);
        assert_null(ids);
    }
    sl_matrix_free(A);
    sl_free(ids);
    return status;
}

static void allocation_failures(void **state)
{
    sl_read_options symmetric = {.flags = SL_READ_SYMMETRIC};
    sl_read_options compact_sum = {.flags = SL_READ_RENUMBER, .duplicates = SL_DUPLICATES_SUM};
    job jobs[] = {
        {*state, SEMLA_TEST_DATA "/karate.mtx", {0}},
        {*state, file_gzip("e.gz", "5 1 2.5\n1 5 3\n5 1 1\n", 1), symmetric},
        {*state, file_path("e.gz"), compact_sum},
        {*state, file_with("sparse", "1 1000000000000\n3 1\n"), compact_sum},
    };
    for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++)
        assert_true(allocator_fail_each(read_and_free, &jobs[k]) > 6);
}

static void real_graphs(void **state)
{
    sl_context *ctx = *state;
    const char *folder = getenv("SEMLA_DATA_DIR");
    if (!folder)
        skip();
    static const struct {
        const char *name;
        sl_read_options options;
        uint64_t vertices, entries;
    } graphs[] = {
        {"email-Enron.txt.gz", {0}, 36692, 367662},
        {"email-Enron.txt.gz", {.flags = SL_READ_SYMMETRIC}, 36692, 367662},
        {"wiki-Vote.txt", {.flags = SL_READ_RENUMBER}, 7115, 103689},
        {"wiki-Vote.txt", {0}, 8298, 103689},
        {"luxembourg_osm.mtx",
         {.format = SL_FORMAT_EDGE_LIST, .base = 1, .flags = SL_READ_SYMMETRIC},
         114599,
         2 * 119666},
    };
    for (size_t k = 0; k < sizeof graphs / sizeof *graphs; k++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", folder, graphs[k].name);
        if (access(path, R_OK) != 0)
            continue;
        sl_matrix *A;
        uint64_t entries;
        OK(ctx, sl_matrix_read_with(&A, NULL, ctx, path, &graphs[k].options));
        OK(ctx, sl_matrix_nvals(&entries, A));
        assert_int_equal(sl_matrix_nrows(A), graphs[k].vertices);
        assert_int_equal(entries, graphs[k].entries);
        sl_matrix_free(A);
    }
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(karate),
        cmocka_unit_test(market_fields),
        cmocka_unit_test(market_symmetries),
        cmocka_unit_test(market_arrays),
        cmocka_unit_test(market_layout),
        cmocka_unit_test(edge_lists),
        cmocka_unit_test(combined_options),
        cmocka_unit_test(renumbered_ids),
        cmocka_unit_test(renumbering_methods_agree),
        cmocka_unit_test(compressed_files),
        cmocka_unit_test(decimals),
        cmocka_unit_test(integers),
        cmocka_unit_test(arguments),
        cmocka_unit_test(allocation_failures),
        cmocka_unit_test(real_graphs),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
