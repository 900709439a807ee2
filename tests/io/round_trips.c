/*
 * Converts graphs from each format to each other and back, plain and compressed; checks full disks
 * and allocation failures.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

static const char *const compressions[] = {"", ".gz", ".zst"};
enum { COMPRESSIONS = 3 };

/* Properties of the formats. */
static const struct {
    const char *suffix;
    bool weights;
    bool sized;
    sl_type type; /* type as which integer weights are read */
} formats[] = {
    {".mtx", true, true, SL_INT64},   {".txt", true, false, SL_FP64},
    {".gr", true, true, SL_INT64},    {".graph", true, true, SL_INT64},
    {".g500", false, false, SL_BOOL}, {".g500p", false, false, SL_BOOL},
};
enum { FORMATS = sizeof formats / sizeof *formats };

/* An undirected graph without self-loops; its last vertices are isolated. */
static sl_matrix *undirected(sl_context *ctx, bool weighted)
{
    enum { VERTICES = 150, EDGES = 500 };
    uint64_t seed = 21;
    sl_edges e = {.nrows = VERTICES + 3, .ncols = VERTICES + 3, .count = EDGES, .type = SL_BOOL};
    e.row = sl_malloc(EDGES * 8);
    e.col = sl_malloc(EDGES * 8);
    e.values = weighted ? sl_malloc(EDGES * 8) : NULL;
    e.type = weighted ? SL_INT64 : SL_BOOL;
    for (int k = 0; k < EDGES; k++) {
        e.row[k] = test_random(&seed) % VERTICES;
        e.col[k] = test_random(&seed) % VERTICES;
        if (weighted)
            ((int64_t *)e.values)[k] = 1 + (int64_t)(test_random(&seed) >> 12); /* below 2^53 */
    }
    const sl_read_options options = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    sl_matrix *A;
    OK(ctx, sl_matrix_from_edges(&A, ctx, &e, &options));
    sl_edges_free(&e);
    return A;
}

static sl_matrix *through(sl_context *ctx, const sl_matrix *A, size_t format,
                          const char *compression, bool weighted)
{
    char name[40];
    snprintf(name, sizeof name, "r%s%s", formats[format].suffix, compression);
    const char *path = file_path(name);
    OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
    sl_read_options options = {.vertices = formats[format].sized ? 0 : sl_matrix_nrows(A),
                               .flags = weighted ? 0 : SL_READ_PATTERN};
    sl_matrix *B;
    OK(ctx, sl_matrix_read_with(&B, NULL, ctx, path, &options));
    if (sl_matrix_type(A) == SL_INT64)
        assert_int_equal(sl_matrix_type(B), weighted ? formats[format].type : SL_BOOL);
    return B;
}

/* Converts the values to int64; frees A. */
static sl_matrix *as_integers(sl_context *ctx, sl_matrix *A)
{
    sl_matrix *B;
    OK(ctx, sl_matrix_new(&B, ctx, SL_INT64, sl_matrix_nrows(A), sl_matrix_ncols(A)));
    OK(ctx, sl_matrix_apply(B, NULL, NULL, SL_IDENTITY_INT64, A, NULL));
    sl_matrix_free(A);
    return B;
}

static void all_pairs(void **state)
{
    sl_context *ctx = *state;
    for (int weighted = 0; weighted < 2; weighted++) {
        sl_matrix *A = undirected(ctx, weighted);
        for (size_t pair = 0; pair < FORMATS * FORMATS; pair++) {
            size_t from = pair / FORMATS, to = pair % FORMATS;
            if (weighted && (!formats[from].weights || !formats[to].weights))
                continue;
            for (size_t p = 0; p < COMPRESSIONS; p++) {
                sl_matrix *B = through(ctx, A, from, compressions[p], weighted);
                sl_matrix *C =
                    through(ctx, B, to, compressions[(p + from + to) % COMPRESSIONS], weighted);
                if (weighted)
                    C = as_integers(ctx, C);
                expect_same(A, C);
                sl_matrix_free(B);
                sl_matrix_free(C);
            }
        }
        sl_matrix_free(A);
    }
}

/* A compressed file decompresses to the bytes of the plain one. */
static void compressed_contents(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A = undirected(ctx, false);
    for (size_t f = 0; f < FORMATS; f++)
        for (size_t p = 1; p < COMPRESSIONS; p++) {
            char plain[40], compressed[40];
            size_t length;
            snprintf(plain, sizeof plain, "s%s", formats[f].suffix);
            snprintf(compressed, sizeof compressed, "s%s%s", formats[f].suffix, compressions[p]);
            OK(ctx, sl_matrix_write(A, file_path(plain), SL_FORMAT_AUTO));
            OK(ctx, sl_matrix_write(A, file_path(compressed), SL_FORMAT_AUTO));
            char *bytes = file_bytes(file_path(plain), &length);
            char *text = file_text(file_path(compressed));
            assert_memory_equal(text, bytes, length);
            free(text);
            free(bytes);
        }
    sl_matrix_free(A);
}

/* ---- failures ----------------------------------------------------------- */

static void full_disk(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A = undirected(ctx, false);
    bool device = access("/dev/full", W_OK) == 0;
    for (size_t f = 0; f < FORMATS; f++)
        for (size_t p = 0; p < COMPRESSIONS; p++) {
            char name[40];
            snprintf(name, sizeof name, "full%s%s", formats[f].suffix, compressions[p]);
            const char *path = file_with(name, "old");
            int files = file_count();
            file_limited(500);
            sl_status status = sl_matrix_write(A, path, SL_FORMAT_AUTO);
            file_unlimited();
            assert_int_equal(status, SL_IO);
            assert_non_null(strstr(sl_context_message(ctx), ": cannot write: File too large"));
            expect_text(path, "old");
            assert_int_equal(file_count(), files);
            if (!device)
                continue;
            const char *link = file_path(name); /* a link, so that the name determines the format */
            unlink(link);
            assert_int_equal(symlink("/dev/full", link), 0);
            assert_int_equal(sl_matrix_write(A, link, SL_FORMAT_AUTO), SL_IO);
            assert_non_null(strstr(sl_context_message(ctx), "No space left on device"));
            unlink(link);
        }
    sl_matrix_free(A);
}

typedef struct {
    sl_context *ctx;
    sl_matrix *A;
    const char *path;
} job;

static sl_status write_job(void *data)
{
    const job *j = data;
    return sl_matrix_write(j->A, j->path, SL_FORMAT_AUTO);
}

static sl_status read_job(void *data)
{
    const job *j = data;
    sl_matrix *A;
    sl_status status = sl_matrix_read(&A, j->ctx, j->path, 0);
    if (status != SL_OK)
        assert_null(A);
    sl_matrix_free(A);
    return status;
}

/*
 * Each allocation of writing and reading fails in turn: nothing leaks, and no temporary file
 * remains.
 */
static void allocation_failures(void **state)
{
    sl_context *ctx = *state;
    for (int weighted = 0; weighted < 2; weighted++) {
        sl_matrix *A = undirected(ctx, weighted);
        for (size_t f = 0; f < FORMATS; f++)
            for (size_t p = 0; p < COMPRESSIONS; p++) {
                if (weighted && !formats[f].weights)
                    continue;
                char name[40], path[600];
                snprintf(name, sizeof name, "memory%d%s%s", weighted, formats[f].suffix,
                         compressions[p]);
                snprintf(path, sizeof path, "%s", file_path(name));
                job j = {ctx, A, path};
                int files = file_count();
                assert_true(allocator_fail_each(write_job, &j) > 4);
                assert_int_equal(file_count(), files + 1);
                assert_true(allocator_fail_each(read_job, &j) > 4);
            }
        sl_matrix_free(A);
    }
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs),
        cmocka_unit_test(compressed_contents),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
