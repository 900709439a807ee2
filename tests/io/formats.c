/* Reads DIMACS, METIS and Graph500 files and files that Zstandard has compressed. */
#include <stdio.h>
#include <string.h>

#include <zstd.h>

#include "files.h"

/* ---- reading ------------------------------------------------------------ */

static void dimacs_read(void **state)
{
    sl_context *ctx = *state;
    expect_matrix(read_text(ctx, "d.gr",
                            "c a comment\r\n"
                            "c\r\n"
                            "comments go on\r\n"
                            "\r\n"
                            " p  sp\t4 5 \r\n"
                            "a 1 2 17\r\n"
                            "c between\r\n"
                            "  a\t2 1 0\r\n"
                            "a 4 4 4000000000000000 \r\n"
                            "\n"
                            "a 1 2 3\n"
                            "a 2 4 +5",
                            (sl_read_options){0}),
                  SL_INT64, 4, 4, ENTRIES({0, 1, 17}, {1, 0, 0}, {1, 3, 5}, {3, 3, 4e15}));
    expect_matrix(read_text(ctx, "d.gr", "p sp 0 0", (sl_read_options){0}), SL_INT64, 0, 0, 0,
                  NULL);
    expect_matrix(read_text(ctx, "d.gr", "c\np sp 3 0\nc\n", (sl_read_options){0}), SL_INT64, 3, 3,
                  0, NULL);
    expect_matrix(read_with(ctx, SEMLA_TEST_DATA "/road.gr.gz", (sl_read_options){0}), SL_INT64, 2,
                  2, ENTRIES({0, 1, 3}));
    const char *path = file_with("d", "p sp 2 2\na 1 2 9\na 1 2 4\n");
    expect_matrix(read_with(ctx, path,
                            (sl_read_options){.format = SL_FORMAT_DIMACS,
                                              .duplicates = SL_DUPLICATES_MIN,
                                              .flags = SL_READ_SYMMETRIC}),
                  SL_INT64, 2, 2, ENTRIES({0, 1, 4}, {1, 0, 4}));
    expect_matrix(
        read_with(ctx, path,
                  (sl_read_options){.format = SL_FORMAT_DIMACS, .flags = SL_READ_PATTERN}),
        SL_BOOL, 2, 2, ENTRIES({0, 1, 1}));
}

static void metis_read(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A;
    bool symmetric;
    A = read_with(ctx, SEMLA_TEST_DATA "/mesh.graph", (sl_read_options){0});
    OK(ctx, sl_matrix_is_symmetric(&symmetric, A));
    assert_true(symmetric);
    expect_matrix(A, SL_BOOL, 3, 3, ENTRIES({0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}));
    /* a vertex without neighbours has a line; comment lines do not count */
    expect_matrix(read_text(ctx, "m.graph",
                            "% comment\r\n"
                            "\r\n"
                            " 4 2 \r\n"
                            "%\r\n"
                            "\t4  2 \r\n"
                            "  % another\r\n"
                            "1\r\n"
                            " \r\n"
                            "1\r\n"
                            "\r\n"
                            "% the end\r\n",
                            (sl_read_options){0}),
                  SL_BOOL, 4, 4, ENTRIES({0, 1, 1}, {0, 3, 1}, {1, 0, 1}, {3, 0, 1}));
    expect_matrix(read_text(ctx, "m.metis", "2 1\n2\n1", (sl_read_options){0}), SL_BOOL, 2, 2,
                  ENTRIES({0, 1, 1}, {1, 0, 1}));
    expect_matrix(read_text(ctx, "m.graph", "0 0", (sl_read_options){0}), SL_BOOL, 0, 0, 0, NULL);
    expect_matrix(read_text(ctx, "m.graph", "2 0\n\n\n", (sl_read_options){0}), SL_BOOL, 2, 2, 0,
                  NULL);
    /* edge weights; sizes and weights of vertices are ignored */
    const entry weighted[] = {{0, 1, 5}, {1, 0, 5}, {1, 2, 7}, {2, 1, 7}};
    static const char *const texts[] = {
        "3 2 1\n2 5\n3 7 1 5\n2 7\n",
        "3 2 001 0\n2 5\n1 5 3 7\n2 7\n",
        "3 2 011\n90 2 5\n0 1 5 3 7\n90 2 7\n",
        "3 2 11 2\n90 3 2 5\n0 3 1 5 3 7\n90 3 2 7\n",
        "3 2 111 1\n8 90 2 5\n8 0 1 5 3 7\n0 90 2 7\n",
        "3 2 101\n8 2 5\n8 1 5 3 7\n0 2 7\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        expect_matrix(read_text(ctx, "m.graph", texts[k], (sl_read_options){0}), SL_INT64, 3, 3, 4,
                      weighted);
    expect_matrix(read_text(ctx, "m.graph", "3 1 010\n9 2\n8 1\n7", (sl_read_options){0}), SL_BOOL,
                  3, 3, ENTRIES({0, 1, 1}, {1, 0, 1}));
    expect_matrix(
        read_with(ctx, file_with("m.graph", texts[0]), (sl_read_options){.flags = SL_READ_PATTERN}),
        SL_BOOL, 3, 3, ENTRIES({0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}));
}

/* Writes a METIS file for a matrix of weights (0: no edge), each list in a random order. */
static char *metis_text(char *out, int n, const unsigned char *weight, uint64_t *seed)
{
    int count = 0, list[256];
    for (int k = 0; k < n * n; k++)
        count += weight[k] > 0;
    out += sprintf(out, "%d %d 001\n", n, count / 2);
    for (int i = 0; i < n; i++) {
        int length = 0;
        for (int j = 0; j < n; j++)
            if (weight[i * n + j]) {
                int at = (int)(test_random(seed) % (uint64_t)++length);
                list[length - 1] = list[at];
                list[at] = j;
            }
        for (int k = 0; k < length; k++)
            out += sprintf(out, " %d %d", list[k] + 1, weight[i * n + list[k]]);
        *out++ = '\n';
    }
    *out = '\0';
    return out;
}

/* Random graphs are accepted if and only if both endpoints of each edge agree. */
static void metis_symmetry_is_checked(void **state)
{
    sl_context *ctx = *state;
    uint64_t seed = 41;
    int accepted = 0;
    enum { TRIALS = 3000, MOST = 7 };
    for (int trial = 0; trial < TRIALS; trial++) {
        const uint64_t start = seed;
        int n = 2 + (int)(test_random(&seed) % (MOST - 1));
        unsigned char weight[MOST * MOST] = {0};
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++)
                weight[i * n + j] = weight[j * n + i] = (unsigned char)(test_random(&seed) % 3);
        for (int changes = (int)(test_random(&seed) % 4); changes > 0; changes--) {
            int k = (int)(test_random(&seed) % (uint64_t)(n * n));
            if (k / n != k % n)
                weight[k] = (unsigned char)(test_random(&seed) % 3);
        }
        bool symmetric = true;
        entry expected[MOST * MOST];
        uint64_t count = 0;
        for (int k = 0; k < n * n; k++) {
            symmetric = symmetric && weight[k] == weight[k % n * n + k / n];
            if (weight[k])
                expected[count++] =
                    (entry){(uint64_t)(k / n), (uint64_t)(k % n), (double)weight[k]};
        }
        char text[2000];
        metis_text(text, n, weight, &seed);
        sl_matrix *A;
        sl_status status = sl_matrix_read(&A, ctx, file_with("b.graph", text), 0);
        if (status != (symmetric ? SL_OK : SL_SYNTAX))
            fail_msg("seed %llu: %s (%s)\n%s", (unsigned long long)start, sl_status_string(status),
                     sl_context_message(ctx), text);
        if (symmetric)
            expect_matrix(A, SL_INT64, (uint64_t)n, (uint64_t)n, count, expected);
        accepted += symmetric;
    }
    assert_in_range(accepted, TRIALS / 4, TRIALS * 3 / 4);
}

/* Lists that are too long for insertion sort. */
static void metis_long_lists(void **state)
{
    sl_context *ctx = *state;
    enum { N = 150 };
    static unsigned char weight[N * N];
    static entry expected[N * N];
    uint64_t seed = 42, count = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            weight[i * N + j] = weight[j * N + i] = (unsigned char)(test_random(&seed) % 200);
    for (int k = 0; k < N * N; k++)
        if (weight[k])
            expected[count++] = (entry){(uint64_t)k / N, (uint64_t)k % N, weight[k]};
    char *text = test_malloc(N * N * 9 + 100);
    metis_text(text, N, weight, &seed);
    expect_matrix(read_text(ctx, "b.graph", text, (sl_read_options){0}), SL_INT64, N, N, count,
                  expected);
    test_free(text);
}

/* The line of a vertex may be longer than the limit for other formats. */
static void metis_long_line(void **state)
{
    sl_context *ctx = *state;
    enum { LEAVES = 2400000 };
    char *text = test_malloc((size_t)LEAVES * 11 + 64), *end = text;
    end += sprintf(end, "%d %d\n", LEAVES + 1, LEAVES);
    for (int k = 2; k <= LEAVES + 1; k++)
        end += sprintf(end, "%d ", k);
    *end++ = '\n';
    assert_true(end - text > 16 << 20);
    for (int k = 0; k < LEAVES; k++)
        end += sprintf(end, "1\n");
    sl_edges edges;
    OK(ctx, sl_edges_read(&edges, ctx, file_of("star.graph", text, (size_t)(end - text)), NULL));
    test_free(text);
    assert_int_equal(edges.count, LEAVES);
    assert_int_equal(edges.mirror, SL_MIRROR_SAME);
    assert_int_equal(edges.col[LEAVES - 1], LEAVES);
    sl_edges_free(&edges);
}

static void graph500_read(void **state)
{
    sl_context *ctx = *state;
    static const unsigned char plain[] = {
        1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, /* 1 3 */
        2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, /* 258 0 */
        1, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0,
    };
    const char *path = file_of("t.g500", plain, sizeof plain);
    expect_matrix(read_with(ctx, path, (sl_read_options){0}), SL_BOOL, 259, 259,
                  ENTRIES({1, 3, 1}, {258, 0, 1}));
    expect_matrix(read_with(ctx, path, (sl_read_options){.vertices = 300}), SL_BOOL, 300, 300,
                  ENTRIES({1, 3, 1}, {258, 0, 1}));
    sl_edges edges;
    sl_read_options compact = {.flags = SL_READ_RENUMBER};
    OK(ctx, sl_edges_read(&edges, ctx, path, &compact));
    assert_int_equal(edges.count, 3);
    assert_int_equal(edges.nrows, 4);
    assert_int_equal(edges.ids[3], 258);
    assert_int_equal(edges.row[1], 3);
    sl_edges_free(&edges);
    expect_matrix(read_with(ctx, file_of("t.g500", "", 0), (sl_read_options){0}), SL_BOOL, 0, 0, 0,
                  NULL);

    /* the layout of struct packed_edge: v0_low, v1_low, high */
    static const unsigned char compressed[] = {
        0x04, 0x03, 0x02, 0x01, 0x07, 0,
        0,    0,    0x06, 0x05, 0,    0, /* 0x050601020304 7 */
        5,    0,    0,    0,    0xff, 0xff,
        0xff, 0xff, 0,    0,    0xff, 0x7f, /* 5 0x7fffffffffff */
    };
    path = file_of("t", compressed, sizeof compressed);
    sl_read_options options = {.format = SL_FORMAT_GRAPH500_PACKED};
    OK(ctx, sl_edges_read(&edges, ctx, path, &options));
    assert_int_equal(edges.count, 2);
    assert_int_equal(edges.row[0], UINT64_C(0x050601020304));
    assert_int_equal(edges.col[0], 7);
    assert_int_equal(edges.row[1], 5);
    assert_int_equal(edges.col[1], UINT64_C(0x7fffffffffff));
    assert_int_equal(edges.nrows, UINT64_C(0x800000000000));
    sl_edges_free(&edges);
}

static void edge_list_with_given_size(void **state)
{
    sl_context *ctx = *state;
    const char *path = file_with("e.txt", "1 2\n");
    expect_matrix(read_with(ctx, path, (sl_read_options){.vertices = 5}), SL_BOOL, 5, 5,
                  ENTRIES({1, 2, 1}));
    expect_matrix(read_with(ctx, path, (sl_read_options){.vertices = 2, .base = 1}), SL_BOOL, 2, 2,
                  ENTRIES({0, 1, 1}));
    expect_matrix(read_with(ctx, file_with("e.txt", ""), (sl_read_options){.vertices = 3}), SL_BOOL,
                  3, 3, 0, NULL);
}

/* ---- Zstandard ---------------------------------------------------------- */

static void zstandard(void **state)
{
    sl_context *ctx = *state;
    const entry expected[] = {{0, 1, 1}, {2, 33, 1}, {4, 0, 1}};
    const char *text = "0 1\n2 33\n4 0";
    expect_matrix(read_with(ctx, file_zstd("e.txt.zst", text, 1), (sl_read_options){0}), SL_BOOL,
                  34, 34, 3, expected);
    expect_matrix(read_with(ctx, file_zstd("magic", text, 1), (sl_read_options){0}), SL_BOOL, 34,
                  34, 3, expected);
    expect_matrix(read_with(ctx, file_zstd("e.txt.zst", text, 3), (sl_read_options){0}), SL_BOOL,
                  34, 34, 3, expected);
    expect_matrix(read_with(ctx, file_zstd("none.txt.zst", "", 1), (sl_read_options){0}), SL_BOOL,
                  0, 0, 0, NULL);
    /* skippable frames before and after */
    static const char skipped[] = "\x53\x2a\x4d\x18\x03\0\0\0abc";
    char bytes[300];
    size_t head = sizeof skipped - 1;
    memcpy(bytes, skipped, head);
    size_t made = ZSTD_compress(bytes + head, sizeof bytes - 2 * head, text, strlen(text), 1);
    memcpy(bytes + head + made, skipped, head);
    expect_matrix(
        read_with(ctx, file_of("e.txt.zst", bytes, made + 2 * head), (sl_read_options){0}), SL_BOOL,
        34, 34, 3, expected);
}

/* Data that decompresses to many blocks, in one frame and in several. */
static void zstandard_many_blocks(void **state)
{
    sl_context *ctx = *state;
    enum { LINES = 200000 };
    char *text = test_malloc((size_t)LINES * 14 + 1), *end = text;
    uint64_t seed = 12;
    for (int k = 0; k < LINES; k++)
        end += sprintf(end, "%d %d\n", k, k % 3 ? 7 : (int)(test_random(&seed) % LINES));
    sl_edges expected, edges;
    OK(ctx, sl_edges_read(&expected, ctx, file_with("l.txt", text), NULL));
    for (int frames = 1; frames < 40; frames += 13) {
        OK(ctx, sl_edges_read(&edges, ctx, file_zstd("l.txt.zst", text, frames), NULL));
        assert_int_equal(edges.count, LINES);
        assert_memory_equal(edges.row, expected.row, LINES * 8);
        assert_memory_equal(edges.col, expected.col, LINES * 8);
        sl_edges_free(&edges);
    }
    sl_edges_free(&expected);
    test_free(text);
}

static void format_descriptions(void **state)
{
    sl_format_info info;
    size_t count = 0;
    assert_int_equal(sl_format_describe(0, NULL), SL_INVALID);
    for (; sl_format_describe(count, &info) == SL_OK; count++) {
        char name[64];
        snprintf(name, sizeof name, "a/b%.*s.zst", (int)strcspn(info.suffixes, " "), info.suffixes);
        assert_int_equal(sl_format_of_name(name), info.format);
        assert_true(strlen(info.name) > 0 && strlen(info.title) > 0);
    }
    assert_true(count >= 6);
    assert_int_equal(sl_format_describe(count, &info), SL_NO_VALUE);
    assert_int_equal(sl_format_of_name("x.METIS.gz"), SL_FORMAT_METIS);
    assert_int_equal(sl_format_of_name("x.el"), SL_FORMAT_EDGE_LIST);
    assert_int_equal(sl_format_of_name("x.gr.txt"), SL_FORMAT_EDGE_LIST);
    assert_int_equal(sl_format_of_name("gr"), SL_FORMAT_AUTO);
    assert_int_equal(sl_format_of_name(NULL), SL_FORMAT_AUTO);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dimacs_read),
        cmocka_unit_test(metis_read),
        cmocka_unit_test(metis_symmetry_is_checked),
        cmocka_unit_test(metis_long_lists),
        cmocka_unit_test(metis_long_line),
        cmocka_unit_test(graph500_read),
        cmocka_unit_test(edge_list_with_given_size),
        cmocka_unit_test(zstandard),
        cmocka_unit_test(zstandard_many_blocks),
        cmocka_unit_test(format_descriptions),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
