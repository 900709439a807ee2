/* Writes matrices: contents of the files, round trips, and failures. */
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"

/* A 2 x 3 matrix with the entries (0, 2) and (1, 0). */
static sl_matrix *two_entries(sl_context *ctx, sl_type type, sl_scalar a, sl_scalar b)
{
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, type, 2, 3));
    OK(ctx, sl_matrix_set(A, 0, 2, a));
    OK(ctx, sl_matrix_set(A, 1, 0, b));
    return A;
}

static void file_contents(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        sl_type type;
        double a, b;
        const char *field, *text_a, *text_b;
    } cases[] = {
        {SL_BOOL, 1, 0, "integer", "1", "0"},
        {SL_INT8, -128, 127, "integer", "-128", "127"},
        {SL_UINT16, 0, 65535, "integer", "0", "65535"},
        {SL_INT64, -0x1p63, 1, "integer", "-9223372036854775808", "1"},
        {SL_UINT64, 0x1p63, 1, "unsigned-integer", "9223372036854775808", "1"},
        {SL_FP32, 0.1f, 3, "real", "0.1", "3"},
        {SL_FP64, 0.1, -1e300, "real", "0.1", "-1e+300"},
        {SL_FP64, 1.0 / 3, 5e-324, "real", "0.3333333333333333", "4.94065645841247e-324"},
        {SL_FP64, INFINITY, -INFINITY, "real", "inf", "-inf"},
        {SL_FP64, NAN, -0.0, "real", "nan", "-0"},
    };
    const char *comma = setlocale(LC_ALL, "de_DE.UTF-8"); /* if it is installed */
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char expected[300];
        sl_matrix *A =
            two_entries(ctx, cases[k].type, sl_scalar_fp64(cases[k].a), sl_scalar_fp64(cases[k].b));
        const char *path = file_path("a.mtx");
        OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
        snprintf(expected, sizeof expected,
                 "%%%%MatrixMarket matrix coordinate %s general\n2 3 2\n1 3 %s\n2 1 %s\n",
                 cases[k].field, cases[k].text_a, cases[k].text_b);
        expect_text(path, expected);
        path = file_path("a.txt");
        OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
        snprintf(expected, sizeof expected,
                 "# edge list, 0-based, %s weights\n# rows 2, columns 3, edges 2\n0 2 %s\n1 0 %s\n",
                 cases[k].field, cases[k].text_a, cases[k].text_b);
        expect_text(path, expected);
        sl_matrix_free(A);
    }
    if (comma)
        setlocale(LC_ALL, "C");
}

static void formats_and_names(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A;
    const char *market = "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n";
    const char *edges = "# edge list, 0-based, no weights\n# rows 2, columns 2, edges 1\n1 0\n";
    OK(ctx, sl_matrix_read(&A, ctx, file_with("a.mtx", market), 0));
    static const struct {
        const char *name;
        sl_file_format format;
        bool market, compressed;
    } cases[] = {
        {"b.mtx", SL_FORMAT_AUTO, true, false},
        {"b.MTX", SL_FORMAT_AUTO, true, false},
        {"b.mtx.gz", SL_FORMAT_AUTO, true, true},
        {"b.txt", SL_FORMAT_AUTO, false, false},
        {"b.txt.gz", SL_FORMAT_AUTO, false, true},
        {"mtx", SL_FORMAT_AUTO, false, false},
        {"b.txt", SL_FORMAT_MATRIX_MARKET, true, false},
        {"b.mtx.gz", SL_FORMAT_EDGE_LIST, false, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const char *path = file_path(cases[k].name);
        OK(ctx, sl_matrix_write(A, path, cases[k].format));
        expect_text(path, cases[k].market ? market : edges);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        assert_int_equal(fgetc(file) == 0x1f, cases[k].compressed);
        fclose(file);
    }
    sl_matrix_free(A);
}

/* Written files are read back bit by bit. */
static void round_trips(void **state)
{
    sl_context *ctx = *state;
    enum { COUNT = 50000, SIDE = 700 };
    uint64_t seed = 8;
    const char *names[] = {"r.mtx", "r.mtx.gz", "r.txt", "r.txt.gz"};
    const sl_type types[] = {SL_FP64, SL_INT64, SL_BOOL};
    for (size_t t = 0; t < 3; t++) {
        sl_edges e = {.nrows = SIDE, .ncols = SIDE, .count = COUNT, .type = types[t]};
        e.row = sl_malloc(COUNT * 8);
        e.col = sl_malloc(COUNT * 8);
        e.values = types[t] == SL_BOOL ? NULL : sl_malloc(COUNT * 8);
        for (int k = 0; k < COUNT; k++) {
            e.row[k] = k == 0 ? SIDE - 1 : test_random(&seed) % SIDE;
            e.col[k] = test_random(&seed) % SIDE;
            uint64_t bits = test_random(&seed);
            if (e.values)
                memcpy((char *)e.values + 8 * k, &bits, 8);
            if (types[t] == SL_FP64 && !isfinite(((double *)e.values)[k]))
                ((double *)e.values)[k] = INFINITY;
        }
        sl_matrix *A, *B;
        OK(ctx, sl_matrix_from_edges(&A, ctx, &e, NULL));
        for (size_t n = 0; n < 4; n++) {
            OK(ctx, sl_matrix_write(A, file_path(names[n]), SL_FORMAT_AUTO));
            if (types[t] == SL_INT64 && n >= 2) { /* edge lists are read as fp64 */
                assert_int_equal(sl_matrix_read(&B, ctx, file_path(names[n]), 0), SL_OUT_OF_RANGE);
                continue;
            }
            OK(ctx, sl_matrix_read(&B, ctx, file_path(names[n]), 0));
            sl_csr a, b;
            OK(ctx, sl_matrix_copy_csr(&a, A));
            OK(ctx, sl_matrix_copy_csr(&b, B));
            uint64_t entries = a.start[SIDE];
            assert_int_equal(b.nrows, SIDE);
            assert_int_equal(b.ncols, SIDE);
            assert_memory_equal(a.start, b.start, (SIDE + 1) * 8);
            assert_memory_equal(a.index, b.index, entries * 8);
            assert_int_equal(a.values == NULL, b.values == NULL);
            if (a.values)
                assert_memory_equal(a.values, b.values, entries * 8);
            sl_csr *both[] = {&a, &b};
            for (size_t c = 0; c < 2; c++) {
                free_rows(both[c]);
            }
            sl_matrix_free(B);
        }
        sl_matrix_free(A);
        sl_edges_free(&e);
    }
}

static void floats_are_shortest(void **state)
{
    sl_context *ctx = *state;
    uint64_t seed = 9;
    sl_matrix *A, *B;
    enum { COUNT = 3000 };
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP32, 1, COUNT));
    for (uint64_t k = 0; k < COUNT; k++) {
        sl_scalar x = {.type = SL_FP32};
        uint32_t bits = (uint32_t)test_random(&seed);
        memcpy(&x.as.fp32_, &bits, 4);
        if (!isfinite(x.as.fp32_))
            x.as.fp32_ = 0.3f;
        OK(ctx, sl_matrix_set(A, 0, k, x));
    }
    OK(ctx, sl_matrix_write(A, file_path("f.mtx"), SL_FORMAT_AUTO));
    OK(ctx, sl_matrix_read(&B, ctx, file_path("f.mtx"), 0));
    for (uint64_t k = 0; k < COUNT; k++) {
        sl_scalar a, b;
        OK(ctx, sl_matrix_get(&a, A, 0, k));
        OK(ctx, sl_matrix_get(&b, B, 0, k));
        assert_true(a.as.fp32_ == (float)b.as.fp64_);
    }
    sl_matrix_free(A);
    sl_matrix_free(B);
}

static void to_stdout(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A = two_entries(ctx, SL_INT32, sl_scalar_int32(4), sl_scalar_int32(5));
    const char *path = file_path("stdout.txt");
    fflush(stdout);
    int kept = dup(STDOUT_FILENO), file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
    assert_true(dup2(file, STDOUT_FILENO) >= 0);
    close(file);
    printf("before\n"); /* buffered output of the program comes first */
    sl_status status = sl_matrix_write(A, "-", SL_FORMAT_MATRIX_MARKET);
    assert_true(dup2(kept, STDOUT_FILENO) >= 0);
    close(kept);
    OK(ctx, status);
    expect_text(path,
                "before\n%%MatrixMarket matrix coordinate integer general\n2 3 2\n1 3 4\n2 1 5\n");
    sl_matrix_free(A);
}

static sl_matrix *large(sl_context *ctx)
{
    enum { SIDE = 400 };
    sl_generator model = {.model = SL_MODEL_COMPLETE, .vertices = SIDE};
    sl_edges e;
    sl_matrix *A;
    OK(ctx, sl_generate(&e, ctx, &model));
    OK(ctx, sl_matrix_from_edges(&A, ctx, &e, NULL));
    sl_edges_free(&e);
    return A;
}

static void failures_leave_no_files(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A = large(ctx);
    assert_int_equal(sl_matrix_write(A, "/nonexistent/a.mtx", SL_FORMAT_AUTO), SL_IO);
    assert_string_equal(sl_context_message(ctx),
                        "/nonexistent/a.mtx: cannot create: No such file or directory");
    assert_int_equal(sl_matrix_write(A, "/", SL_FORMAT_AUTO), SL_IO);
    assert_string_equal(sl_context_message(ctx), "/: cannot open: Is a directory");
    if (access("/dev/full", W_OK) == 0) { /* a device is written in place */
        assert_int_equal(sl_matrix_write(A, "/dev/full", SL_FORMAT_AUTO), SL_IO);
        assert_string_equal(sl_context_message(ctx),
                            "/dev/full: cannot write: No space left on device");
    }

    /* full disk: the old file is unchanged and no temporary file remains */
    const char *names[] = {"old.mtx", "old.mtx.gz", "old.mtx.zst"};
    for (size_t k = 0; k < 3; k++) {
        const char *path = file_with(names[k], "old");
        int files = file_count();
        file_limited(1000);
        sl_status status = sl_matrix_write(A, path, SL_FORMAT_AUTO);
        file_unlimited();
        assert_int_equal(status, SL_IO);
        assert_non_null(strstr(sl_context_message(ctx), ": cannot write: File too large"));
        expect_text(path, "old");
        assert_int_equal(file_count(), files);
    }
    sl_matrix_free(A);
}

static void replaced_atomically(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A = two_entries(ctx, SL_INT32, sl_scalar_int32(4), sl_scalar_int32(5));
    const char *target = file_with("target.txt", "a longer text than will be written to the file, "
                                                 "so that a rest would show, were there one left");
    const char *link = file_path("link.txt");
    unlink(link);
    assert_int_equal(symlink(target, link), 0);
    OK(ctx, sl_matrix_write(A, link, SL_FORMAT_AUTO));
    struct stat file;
    assert_int_equal(lstat(link, &file), 0);
    assert_true(S_ISLNK(file.st_mode)); /* the link remains, its target is new */
    expect_text(target, "# edge list, 0-based, integer weights\n# rows 2, columns 3, edges 2\n"
                        "0 2 4\n1 0 5\n");
    int files = file_count();
    OK(ctx, sl_matrix_write(A, target, SL_FORMAT_MATRIX_MARKET));
    assert_int_equal(file_count(), files);
    sl_matrix_free(A);
}

static void arguments(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A = two_entries(ctx, SL_INT32, sl_scalar_int32(4), sl_scalar_int32(5));
    assert_int_equal(sl_matrix_write(NULL, "a", SL_FORMAT_AUTO), SL_INVALID);
    assert_int_equal(sl_matrix_write(A, NULL, SL_FORMAT_AUTO), SL_INVALID);
    assert_string_equal(sl_context_message(ctx), "write: path is NULL");
    assert_int_equal(sl_matrix_write(A, file_path("a"), (sl_file_format)99), SL_INVALID);
    assert_string_equal(sl_context_message(ctx), "write: unknown format 99");
    sl_matrix_free(A);
}

static sl_status write_packed(void *data)
{
    return sl_matrix_write(data, file_path("w.txt.gz"), SL_FORMAT_AUTO);
}

static void allocation_failures(void **state)
{
    sl_matrix *A = large(*state);
    int files = file_count();
    assert_true(allocator_fail_each(write_packed, A) > 5);
    assert_int_equal(file_count(), files + 1);
    sl_matrix_free(A);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_contents),       cmocka_unit_test(formats_and_names),
        cmocka_unit_test(round_trips),         cmocka_unit_test(floats_are_shortest),
        cmocka_unit_test(to_stdout),           cmocka_unit_test(failures_leave_no_files),
        cmocka_unit_test(replaced_atomically), cmocka_unit_test(arguments),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
