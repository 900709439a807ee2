/* Invalid native files: wrong values, truncated or damaged files, files that cannot be opened. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <omp.h>

#include "native_example.h"

static void expect_failure(sl_context *ctx, const void *bytes, size_t length, unsigned flags,
                           sl_status status, const char *words)
{
    const char *path = file_of("wrong.semla", bytes, length);
    long alive = allocator_alive();
    sl_matrix *A = (sl_matrix *)ctx;
    char expected[700];
    snprintf(expected, sizeof expected, "%s: %s", path, words);
    if (sl_matrix_read(&A, ctx, path, flags) != status ||
        strncmp(sl_context_message(ctx), expected, strlen(expected)) != 0)
        fail_msg("'%s', not '%s'", sl_context_message(ctx), expected);
    assert_null(A);
    sl_edges edges;
    assert_int_equal(sl_edges_read(&edges, ctx, path, &(sl_read_options){.flags = flags}), status);
    assert_int_equal(allocator_alive(), alive);
}

static void invalid_headers(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        size_t place;
        unsigned bytes; /* 4 or 8 */
        uint64_t value;
        sl_status status;
        const char *words;
    } cases[] = {
        {0, 4, 0x4d455388, SL_SYNTAX, "not a native semla file: the magic number is missing"},
        {0, 4, 0x00088b1f, SL_UNSUPPORTED,
         "native files cannot be compressed; decompress the file first"},
        {0, 4, 0xfd2fb528, SL_UNSUPPORTED,
         "native files cannot be compressed; decompress the file first"},
        {ORDER, 4, 0x04030201, SL_UNSUPPORTED, "written by a machine with the other byte order"},
        {ORDER, 4, 0x01030204, SL_SYNTAX, "the byte order mark is invalid"},
        {VERSION, 4, 2, SL_UNSUPPORTED, "version 2 of the format is not supported; must be 1"},
        {HEAD_BYTES, 4, 196, SL_SYNTAX, "the reserved bytes of the header are not 0"},
        {RESERVED + 24, 4, 1, SL_SYNTAX, "the reserved bytes of the header are not 0"},
        {NUMBERS + 8, 4, 8, SL_SYNTAX, "the reserved bytes of the header are not 0"},
        {FLAGS, 4, 8, SL_UNSUPPORTED, "unknown flags 0x8"},
        {FLAGS, 4, 4, SL_SYNTAX, "section 'rows' is at byte 0; must be a multiple of 64"},
        {FLAGS, 4, 2, SL_SYNTAX, "the file is declared symmetric, but the matrix is not square"},
        {FLAGS, 4, 1, SL_SYNTAX, "values have 2 bytes in a matrix of type int16, a pattern"},
        {TYPE, 8, 0x34367066, SL_SYNTAX, "values have 2 bytes in a matrix of type fp64"},
        {TYPE, 8, 0x7a7a7a7a7a7a7a7a, SL_UNSUPPORTED, "unknown type 'zzzzzzzz'"},
        {TYPE + 5, 4, 1, SL_UNSUPPORTED, "unknown type 'int16"},
        {NROWS, 8, 3, SL_SYNTAX, "section 'start' has 24 bytes; expected 4 elements of 8 bytes"},
        {NROWS, 8, UINT64_C(1) << 60, SL_SYNTAX,
         "section 'start' has 24 bytes; expected 1152921504606"},
        {NROWS, 8, UINT64_MAX, SL_OUT_OF_RANGE,
         "a dimension or the number of entries is above the limit 2^60"},
        {NCOLS, 8, (UINT64_C(1) << 60) + 1, SL_OUT_OF_RANGE, "a dimension or the number of entri"},
        {NVALS, 8, (UINT64_C(1) << 62) + 3, SL_OUT_OF_RANGE, "a dimension or the number of entri"},
        {NVALS, 8, 2, SL_SYNTAX, "section 'index' has 12 bytes; expected 2 elements of 4 bytes"},
        {INDEX_BYTES, 4, 2, SL_SYNTAX, "column indices have 2 bytes; must be 4 or 8"},
        {INDEX_BYTES, 4, 8, SL_SYNTAX,
         "section 'index' has 12 bytes; expected 3 elements of 8 bytes"},
        {VALUE_BYTES, 4, 4, SL_SYNTAX, "values have 4 bytes in a matrix of type int16"},
        {START, 8, 128, SL_SYNTAX,
         "section 'start' is at byte 128; must be a multiple of 64 after the header"},
        {INDEX, 8, 260, SL_SYNTAX,
         "section 'index' is at byte 260; must be a multiple of 64 after the header"},
        {INDEX, 8, 320, SL_IO,
         "truncated: section 'index' has 12 bytes at byte 320; the file has 326"},
        {VALUES, 8, UINT64_MAX - 63, SL_IO, "truncated: section 'values' has 6 bytes at byte 184"},
        {VALUES + 8, 8, 8, SL_SYNTAX,
         "section 'values' has 8 bytes; expected 3 elements of 2 bytes"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        unsigned char *file = native_example();
        memcpy(file + cases[k].place, &cases[k].value, cases[k].bytes);
        seal(file);
        expect_failure(ctx, file, EXAMPLE, 0, cases[k].status, cases[k].words);
    }
    unsigned char *file = native_example();
    file[NCOLS] = 4; /* the checksum of the header is not updated */
    expect_failure(ctx, file, EXAMPLE, 0, SL_IO, "damaged: the checksum of the header is wrong");
}

/* Files of rows with entries only. */
static void invalid_few_rows(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        size_t place;
        uint64_t value;
        sl_status status;
        const char *words;
    } cases[] = {
        {NROWS, 1, SL_SYNTAX, "section 'rows' has 2 rows; the matrix has 1"},
        {NUMBERS + 8, 12, SL_SYNTAX, "section 'rows' has 12 bytes; expected 1 elements of 8 bytes"},
        {NUMBERS + 8, 8, SL_SYNTAX, "section 'start' has 24 bytes; expected 2 elements of 8 bytes"},
        {NUMBERS, 384, SL_IO,
         "truncated: section 'rows' has 16 bytes at byte 384; the file has 390"},
        {FEW_NUMBERS, UINT64_C(1) << 60, SL_OUT_OF_RANGE,
         "section 'rows' has row 1152921504606846976"},
        {FEW_NUMBERS + 8, 7, SL_SYNTAX, "section 'rows' has row 7 after 7; rows must increase"},
        {FEW_NUMBERS, UINT64_C(1) << 51, SL_SYNTAX,
         "section 'rows' has row 1125899906842624 after 2251799813685248; rows must increase"},
        {FEW_START + 8, 4, SL_SYNTAX, "row 1125899906842624 starts at entry 4 and ends at 3"},
        {FEW_START + 16, 2, SL_SYNTAX, "the last row ends at entry 2; must be 3"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        unsigned char *file = native_few_example();
        put64(file, cases[k].place, cases[k].value);
        seal(file);
        expect_failure(ctx, file, FEW, 0, cases[k].status, cases[k].words);
    }
    unsigned char *file = native_few_example();
    file[FEW_NUMBERS] = 6; /* the checksum of the section is not updated */
    expect_failure(ctx, file, FEW, SL_READ_VERIFY, SL_IO,
                   "damaged: the checksum of section 'rows' is");
}

static void invalid_arrays(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        size_t place;
        unsigned bytes;
        uint64_t value;
        sl_status status;
        const char *words;
    } cases[] = {
        {EXAMPLE_START, 8, 1, SL_SYNTAX, "the first row starts at entry 1"},
        {EXAMPLE_START + 8, 8, 4, SL_SYNTAX, "row 1 starts at entry 4 and ends at 3"},
        {EXAMPLE_START + 8, 8, UINT64_MAX, SL_SYNTAX, "row 1 starts at entry 18446744073709551615"},
        {EXAMPLE_START + 16, 8, 2, SL_SYNTAX, "the last row ends at entry 2; must be 3"},
        {EXAMPLE_INDEX, 4, 3, SL_OUT_OF_RANGE, "row 0 has column 3; the matrix has 3 columns"},
        {EXAMPLE_INDEX + 8, 4, UINT32_MAX, SL_OUT_OF_RANGE, "row 1 has column 4294967295; the m"},
        {EXAMPLE_INDEX + 8, 4, 0, SL_SYNTAX, "row 1 has column 0 after 0"},
        {EXAMPLE_INDEX + 4, 4, 2, SL_SYNTAX, "row 1 has column 2 after 2"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        unsigned char *file = native_example();
        memcpy(file + cases[k].place, &cases[k].value, cases[k].bytes);
        expect_failure(ctx, file, EXAMPLE, 0, cases[k].status, cases[k].words);
        expect_failure(ctx, file, EXAMPLE, SL_READ_VERIFY, SL_IO,
                       "damaged: the checksum of section '");
    }
    unsigned char *file = native_example();
    memcpy(file + TYPE, "bool\0\0", 6);
    put32(file, VALUE_BYTES, 1);
    put_section(file, VALUES, EXAMPLE_VALUES, 3);
    seal(file);
    expect_failure(ctx, file, EXAMPLE, 0, SL_SYNTAX,
                   "the value of entry 0 is 5; a bool must be 0 or 1");
}

/* A truncated file is an error; a flipped bit is an error with SL_READ_VERIFY. */
static void truncated_and_damaged(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A;
    for (size_t length = 0; length < EXAMPLE; length++)
        expect_failure(ctx, native_example(), length, 0, length < 8 ? SL_SYNTAX : SL_IO,
                       length < 8 ? "not a native semla file" : "truncated: ");
    for (size_t bit = 0; bit < 8 * EXAMPLE; bit++) {
        unsigned char *file = native_example();
        const size_t byte = bit / 8;
        bool gap = (byte >= EXAMPLE_START + 24 && byte < EXAMPLE_INDEX) ||
                   (byte >= EXAMPLE_INDEX + 12 && byte < EXAMPLE_VALUES);
        file[byte] ^= (unsigned char)(1 << bit % 8);
        const char *path = file_of("flipped.semla", file, EXAMPLE);
        sl_status status = sl_matrix_read(&A, ctx, path, SL_READ_VERIFY);
        if ((status == SL_OK) != gap)
            fail_msg("bit %d of byte %d flipped: %s", (int)bit % 8, (int)byte,
                     sl_status_string(status));
        sl_matrix_free(A);
        if (sl_matrix_read(&A, ctx, path, 0) == SL_OK)
            sl_matrix_free(A);
    }
}

/* Errors at or near the borders of the chunks that threads check. */
static void chunk_borders(void **state)
{
    sl_context *ctx = *state;
    enum { ROWS = 100000, CHUNK = 1 << 15 };
    const uint64_t bytes = HEAD + (ROWS + 1) * 8 + 56 + ROWS * 4;
    unsigned char *file = test_calloc(1, bytes);
    memcpy(file, native_example(), HEAD);
    put32(file, FLAGS, 1);
    put32(file, VALUE_BYTES, 0);
    put64(file, NROWS, ROWS / 2);
    put64(file, NCOLS, ROWS);
    put64(file, NVALS, ROWS);
    const size_t index = (HEAD + (ROWS / 2 + 1) * 8 + 63) / 64 * 64;
    for (uint64_t i = 0; i <= ROWS / 2; i++)
        put64(file, HEAD + 8 * i, i == ROWS / 2 ? ROWS : 2 * i);
    for (uint32_t k = 0; k < ROWS; k++)
        put32(file, index + 4 * k, k % 2 ? ROWS - 1 : 7);
    put_section(file, START, HEAD, (ROWS / 2 + 1) * 8);
    put_section(file, INDEX, index, ROWS * 4);
    put_section(file, VALUES, 192, 0);
    seal(file);
    for (int threads = 1; threads < 4; threads += 2) {
        sl_matrix *A;
        omp_set_num_threads(threads);
        OK(ctx, sl_matrix_read(&A, ctx, file_of("seams.semla", file, bytes), SL_READ_VERIFY));
        sl_matrix_free(A);
        const uint64_t places[] = {1, CHUNK - 1, CHUNK + 1, 2 * CHUNK - 1, 3 * CHUNK + 1, ROWS - 1};
        for (size_t k = 0; k < 6; k++) {
            char words[100];
            put32(file, index + 4 * places[k], 7);
            snprintf(words, sizeof words, "row %d has column 7 after 7", (int)places[k] / 2);
            expect_failure(ctx, file, bytes, 0, SL_SYNTAX, words);
            put32(file, index + 4 * places[k], ROWS - 1);
        }
        for (uint64_t i = CHUNK - 1; i <= CHUNK + 1; i++) { /* a row that ends before it starts */
            put64(file, HEAD + 8 * i, 2 * i + 3);
            expect_failure(ctx, file, bytes, 0, SL_SYNTAX, "row ");
            put64(file, HEAD + 8 * i, 2 * i);
        }
        /* rows of 3 and 1 entries: a row continues across the border at entry 2^15 */
        put64(file, HEAD + 8 * (CHUNK / 2), CHUNK + 1);
        expect_failure(ctx, file, bytes, 0, SL_SYNTAX, "row 16383 has column 7 after 99999");
        put64(file, HEAD + 8 * (CHUNK / 2), CHUNK);
    }
    test_free(file);
}

static void unusable_files(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A, *B = native_example_matrix(ctx);
    sl_edges e = {0};
    char expected[700];
    assert_int_equal(sl_matrix_read(&A, ctx, "/nonexistent/a.semla", 0), SL_IO);
    assert_string_equal(sl_context_message(ctx),
                        "/nonexistent/a.semla: cannot open: No such file or directory");
    assert_int_equal(sl_matrix_write(B, file_path("a.semla.gz"), SL_FORMAT_AUTO), SL_UNSUPPORTED);
    assert_non_null(strstr(sl_context_message(ctx),
                           ": native files cannot be compressed; remove the ending .gz or .zst"));
    assert_int_equal(sl_edges_write(&e, ctx, file_path("e.semla"), NULL), SL_UNSUPPORTED);
    assert_non_null(strstr(sl_context_message(ctx), "make a matrix of them"));
    const char *path = file_of("misnamed.txt", native_example(), EXAMPLE);
    assert_int_equal(sl_matrix_read(&A, ctx, path, 0), SL_UNSUPPORTED);
    snprintf(expected, sizeof expected,
             "%s: this is a native file; use --format semla or a name that ends in .semla", path);
    assert_string_equal(sl_context_message(ctx), expected);

    path = file_with("old.semla", "old");
    int files = file_count();
    file_limited(250);
    assert_int_equal(sl_matrix_write(B, path, SL_FORMAT_AUTO), SL_IO);
    file_unlimited();
    assert_int_equal(file_count(), files);
    expect_text(path, "old");
    sl_matrix_free(B);
}

/* ---- pipes, and files that change ------------------------------------------ */

static void *feed(void *length)
{
    FILE *pipe = fopen(file_path("pipe.semla"), "w");
    if (pipe) {
        fwrite(native_example(), 1, *(size_t *)length, pipe);
        fclose(pipe);
    }
    return NULL;
}

/* A pipe is read to its end into memory. */
static void pipes(void **state)
{
    sl_context *ctx = *state;
    assert_int_equal(mkfifo(file_path("pipe.semla"), 0600), 0);
    sl_matrix *A = native_example_matrix(ctx), *B;
    for (size_t length = EXAMPLE; length > EXAMPLE - 30; length -= 29) {
        pthread_t feeder;
        assert_int_equal(pthread_create(&feeder, NULL, feed, &length), 0);
        sl_status status = sl_matrix_read(&B, ctx, file_path("pipe.semla"), SL_READ_VERIFY);
        pthread_join(feeder, NULL);
        assert_int_equal(status, length == EXAMPLE ? SL_OK : SL_IO);
        if (status == SL_OK)
            expect_same(A, B);
        else
            assert_non_null(strstr(sl_context_message(ctx), "truncated: section 'values' has 6"));
        sl_matrix_free(B);
    }
    sl_matrix_free(A);
}

static atomic_int reading;

/* Truncates the file and restores its length, whose new bytes are 0, until reading ends. */
static void *truncate_often(void *path)
{
    struct stat whole;
    uint64_t seed = 5;
    for (stat(path, &whole); atomic_load(&reading);) {
        if (truncate(path, (off_t)(test_random(&seed) % (uint64_t)whole.st_size)) != 0 ||
            truncate(path, whole.st_size) != 0)
            break;
    }
    return NULL;
}

/* A file that is truncated while it is read is an error and does not end the program. */
static void truncated_while_read(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A, *B;
    char *path = strdup(file_path("large.semla"));
    int failures = 0;
    sl_generator model = {.model = SL_MODEL_KRONECKER, .scale = 15};
    OK(ctx, sl_matrix_generate(&A, ctx, &model, &(sl_read_options){.flags = SL_READ_SYMMETRIC}));
    for (int repetition = 0; repetition < 40; repetition++) {
        pthread_t other;
        OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
        atomic_store(&reading, 1);
        assert_int_equal(pthread_create(&other, NULL, truncate_often, path), 0);
        sl_status status = sl_matrix_read(&B, ctx, path, repetition % 2 ? SL_READ_VERIFY : 0);
        atomic_store(&reading, 0);
        pthread_join(other, NULL);
        if (status != SL_OK && status != SL_IO && status != SL_SYNTAX)
            fail_msg("status %d: %s", status, sl_context_message(ctx));
        failures += status != SL_OK;
        sl_matrix_free(B);
    }
    assert_true(failures > 0);
    sl_matrix_free(A);
    free(path);
}

typedef struct {
    sl_context *ctx;
    const char *path;
    unsigned flags;
    const sl_matrix *A;
} job;

static sl_status read_file(void *data)
{
    const job *j = data;
    sl_matrix *A;
    sl_status status = sl_matrix_read(&A, j->ctx, j->path, j->flags);
    sl_matrix_free(A);
    return status;
}

static sl_status write_file(void *data)
{
    const job *j = data;
    return sl_matrix_write(j->A, j->path, SL_FORMAT_AUTO);
}

static void allocation_failures(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A = native_example_matrix(ctx);
    omp_set_num_threads(2);
    job j = {ctx, file_of("m.semla", native_example(), EXAMPLE), SL_READ_VERIFY, A};
    assert_true(allocator_fail_each(read_file, &j) > 6);
    j.flags = SL_READ_TRANSPOSED;
    assert_true(allocator_fail_each(read_file, &j) > 10);
    OK(ctx,
       write_file(&j)); /* the first call may change the format in which the matrix is stored */
    assert_true(allocator_fail_each(write_file, &j) > 6);
    sl_matrix_free(A);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_headers),
        cmocka_unit_test(invalid_few_rows),
        cmocka_unit_test(invalid_arrays),
        cmocka_unit_test(truncated_and_damaged),
        cmocka_unit_test(pipes),
        cmocka_unit_test(truncated_while_read),
        cmocka_unit_test(chunk_borders),
        cmocka_unit_test(unusable_files),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
