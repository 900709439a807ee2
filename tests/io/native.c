/* Native files: the layout that docs/native-format.md describes, what is refused, round trips. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <omp.h>
#include <zlib.h>

#include "files.h"

/* Places in the head. */
enum {
    ORDER = 8,
    VERSION = 12,
    HEAD_BYTES = 16,
    FLAGS = 20,
    TYPE = 24,
    NROWS = 32,
    NCOLS = 40,
    NVALS = 48,
    INDEX_BYTES = 56,
    VALUE_BYTES = 60,
    START = 64,
    INDEX = 88,
    VALUES = 112,
    RESERVED = 136,
    CHECKSUM = 188,
    HEAD = 192,
    /* and of the arrays of `example` */
    EXAMPLE_START = 192,
    EXAMPLE_INDEX = 256,
    EXAMPLE_VALUES = 320,
    EXAMPLE = 326
};

static void put32(unsigned char *file, size_t place, uint32_t x)
{
    memcpy(file + place, &x, sizeof x);
}

static void put64(unsigned char *file, size_t place, uint64_t x)
{
    memcpy(file + place, &x, sizeof x);
}

static void seal(unsigned char *file)
{
    put32(file, CHECKSUM, (uint32_t)crc32(0, file, CHECKSUM));
}

static void put_section(unsigned char *file, size_t place, uint64_t offset, uint64_t bytes)
{
    put64(file, place, offset);
    put64(file, place + 8, bytes);
    put32(file, place + 16, (uint32_t)crc32(0, file + offset, (unsigned)bytes));
}

/* Of int16: rows ". 5 .", "7 . 9". */
static unsigned char *example(void)
{
    static unsigned char file[EXAMPLE];
    const uint64_t start[] = {0, 1, 3};
    const uint32_t index[] = {1, 0, 2};
    const int16_t values[] = {5, 7, -9};
    memset(file, 0, sizeof file);
    memcpy(file, "\x89SEMLA\r\n", 8);
    put32(file, ORDER, 0x01020304);
    put32(file, VERSION, 1);
    put32(file, HEAD_BYTES, HEAD);
    memcpy(file + TYPE, "int16", 5);
    put64(file, NROWS, 2);
    put64(file, NCOLS, 3);
    put64(file, NVALS, 3);
    put32(file, INDEX_BYTES, 4);
    put32(file, VALUE_BYTES, 2);
    memcpy(file + EXAMPLE_START, start, sizeof start);
    memcpy(file + EXAMPLE_INDEX, index, sizeof index);
    memcpy(file + EXAMPLE_VALUES, values, sizeof values);
    put_section(file, START, EXAMPLE_START, sizeof start);
    put_section(file, INDEX, EXAMPLE_INDEX, sizeof index);
    put_section(file, VALUES, EXAMPLE_VALUES, sizeof values);
    seal(file);
    return file;
}

static sl_matrix *example_matrix(sl_context *ctx)
{
    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, SL_INT16, 2, 3));
    OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_int16(5)));
    OK(ctx, sl_matrix_set(A, 1, 0, sl_scalar_int16(7)));
    OK(ctx, sl_matrix_set(A, 1, 2, sl_scalar_int16(-9)));
    return A;
}

static void layout(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A = example_matrix(ctx), *B;
    const char *path = file_path("a.semla");
    OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
    size_t length;
    char *bytes = file_bytes(path, &length);
    assert_int_equal(length, EXAMPLE);
    assert_memory_equal(bytes, example(), EXAMPLE);
    free(bytes);
    OK(ctx, sl_matrix_read(&B, ctx, path, SL_READ_VERIFY));
    expect_same(A, B);
    sl_matrix_free(B);

    /* sections elsewhere, in another order, wide columns, bytes behind */
    unsigned char wide[1024] = {0}, *file = example();
    const uint64_t index[] = {1, 0, 2};
    memcpy(wide, file, HEAD);
    memcpy(wide + 192, index, sizeof index);
    memcpy(wide + 320, file + EXAMPLE_VALUES, 6);
    memcpy(wide + 640, file + EXAMPLE_START, 24);
    put32(wide, INDEX_BYTES, 8);
    put_section(wide, START, 640, 24);
    put_section(wide, INDEX, 192, sizeof index);
    seal(wide);
    path = file_of("wide", wide, sizeof wide);
    sl_read_options options = {.format = SL_FORMAT_NATIVE, .flags = SL_READ_VERIFY};
    OK(ctx, sl_matrix_read_with(&B, NULL, ctx, path, &options));
    expect_same(A, B);
    sl_matrix_free(B);
    sl_matrix_free(A);
}

static void refused(sl_context *ctx, const void *bytes, size_t length, unsigned flags,
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

static void wrong_heads(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        size_t place;
        unsigned bytes; /* 4 or 8 */
        uint64_t value;
        sl_status status;
        const char *words;
    } cases[] = {
        {0, 4, 0x4d455388, SL_SYNTAX, "not a native semla file: its first bytes are others"},
        {0, 4, 0x00088b1f, SL_UNSUPPORTED, "native files are mapped, and this one is packed"},
        {0, 4, 0xfd2fb528, SL_UNSUPPORTED, "native files are mapped, and this one is packed"},
        {ORDER, 4, 0x04030201, SL_UNSUPPORTED, "written by a machine of the other byte order"},
        {ORDER, 4, 0x01030204, SL_SYNTAX, "the mark of the byte order is none"},
        {VERSION, 4, 2, SL_UNSUPPORTED, "version 2 of the format; this library has 1"},
        {HEAD_BYTES, 4, 196, SL_SYNTAX, "the head's reserved bytes are not 0"},
        {RESERVED + 48, 4, 1, SL_SYNTAX, "the head's reserved bytes are not 0"},
        {FLAGS, 4, 4, SL_UNSUPPORTED, "unknown flags 0x4"},
        {FLAGS, 4, 2, SL_SYNTAX, "symmetric, but not square"},
        {FLAGS, 4, 1, SL_SYNTAX, "values of 2 bytes in a matrix of int16, a pattern"},
        {TYPE, 8, 0x34367066, SL_SYNTAX, "values of 2 bytes in a matrix of fp64"},
        {TYPE, 8, 0x7a7a7a7a7a7a7a7a, SL_UNSUPPORTED, "no type is named 'zzzzzzzz'"},
        {TYPE + 5, 4, 1, SL_UNSUPPORTED, "no type is named 'int16"},
        {NROWS, 8, 3, SL_SYNTAX, "section 'start' of 24 bytes for 4 elements of 8"},
        {NROWS, 8, UINT64_C(1) << 60, SL_SYNTAX, "section 'start' of 24 bytes for 1152921504606"},
        {NROWS, 8, UINT64_MAX, SL_OUT_OF_RANGE, "a dimension or a number of entries above 2^60"},
        {NCOLS, 8, (UINT64_C(1) << 60) + 1, SL_OUT_OF_RANGE, "a dimension or a number of entri"},
        {NVALS, 8, (UINT64_C(1) << 62) + 3, SL_OUT_OF_RANGE, "a dimension or a number of entri"},
        {NVALS, 8, 2, SL_SYNTAX, "section 'index' of 12 bytes for 2 elements of 4"},
        {INDEX_BYTES, 4, 2, SL_SYNTAX, "columns of 2 bytes"},
        {INDEX_BYTES, 4, 8, SL_SYNTAX, "section 'index' of 12 bytes for 3 elements of 8"},
        {VALUE_BYTES, 4, 4, SL_SYNTAX, "values of 4 bytes in a matrix of int16"},
        {START, 8, 128, SL_SYNTAX,
         "section 'start' at byte 128, no multiple of 64 behind the head"},
        {INDEX, 8, 260, SL_SYNTAX,
         "section 'index' at byte 260, no multiple of 64 behind the head"},
        {INDEX, 8, 320, SL_IO,
         "truncated: section 'index' has 12 bytes at byte 320, and the file 326"},
        {VALUES, 8, UINT64_MAX - 63, SL_IO, "truncated: section 'values' has 6 bytes at byte 184"},
        {VALUES + 8, 8, 8, SL_SYNTAX, "section 'values' of 8 bytes for 3 elements of 2"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        unsigned char *file = example();
        memcpy(file + cases[k].place, &cases[k].value, cases[k].bytes);
        seal(file);
        refused(ctx, file, EXAMPLE, 0, cases[k].status, cases[k].words);
    }
    unsigned char *file = example();
    file[NCOLS] = 4; /* not sealed */
    refused(ctx, file, EXAMPLE, 0, SL_IO, "damaged: the head's checksum is another");
}

static void wrong_arrays(void **state)
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
        {EXAMPLE_START + 16, 8, 2, SL_SYNTAX, "the last row ends at entry 2 of 3"},
        {EXAMPLE_INDEX, 4, 3, SL_OUT_OF_RANGE, "row 0 has column 3 of a matrix with 3"},
        {EXAMPLE_INDEX + 8, 4, UINT32_MAX, SL_OUT_OF_RANGE, "row 1 has column 4294967295 of a m"},
        {EXAMPLE_INDEX + 8, 4, 0, SL_SYNTAX, "row 1 has column 0 behind 0"},
        {EXAMPLE_INDEX + 4, 4, 2, SL_SYNTAX, "row 1 has column 2 behind 2"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        unsigned char *file = example();
        memcpy(file + cases[k].place, &cases[k].value, cases[k].bytes);
        refused(ctx, file, EXAMPLE, 0, cases[k].status, cases[k].words);
        refused(ctx, file, EXAMPLE, SL_READ_VERIFY, SL_IO, "damaged: the checksum of section '");
    }
    unsigned char *file = example();
    memcpy(file + TYPE, "bool\0\0", 6);
    put32(file, VALUE_BYTES, 1);
    put_section(file, VALUES, EXAMPLE_VALUES, 3);
    seal(file);
    refused(ctx, file, EXAMPLE, 0, SL_SYNTAX, "the value of entry 0, a bool, is 5");
}

/* A file cut anywhere is refused, one with any bit flipped at least when it is verified. */
static void cut_and_flipped(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A;
    for (size_t length = 0; length < EXAMPLE; length++)
        refused(ctx, example(), length, 0, length < 8 ? SL_SYNTAX : SL_IO,
                length < 8 ? "not a native semla file" : "truncated: ");
    for (size_t bit = 0; bit < 8 * EXAMPLE; bit++) {
        unsigned char *file = example();
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

/* Rows and columns in chunks that threads share; what is wrong lies on a seam, or near one. */
static void seams(void **state)
{
    sl_context *ctx = *state;
    enum { ROWS = 100000, CHUNK = 1 << 15 };
    const uint64_t bytes = HEAD + (ROWS + 1) * 8 + 56 + ROWS * 4;
    unsigned char *file = test_calloc(1, bytes);
    memcpy(file, example(), HEAD);
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
            snprintf(words, sizeof words, "row %d has column 7 behind 7", (int)places[k] / 2);
            refused(ctx, file, bytes, 0, SL_SYNTAX, words);
            put32(file, index + 4 * places[k], ROWS - 1);
        }
        for (uint64_t i = CHUNK - 1; i <= CHUNK + 1; i++) { /* a row that ends before it starts */
            put64(file, HEAD + 8 * i, 2 * i + 3);
            refused(ctx, file, bytes, 0, SL_SYNTAX, "row ");
            put64(file, HEAD + 8 * i, 2 * i);
        }
        /* rows of 3 and 1 entries: a row goes on over the seam at entry 2^15 */
        put64(file, HEAD + 8 * (CHUNK / 2), CHUNK + 1);
        refused(ctx, file, bytes, 0, SL_SYNTAX, "row 16383 has column 7 behind 99999");
        put64(file, HEAD + 8 * (CHUNK / 2), CHUNK);
    }
    test_free(file);
}

/* ---- round trips -------------------------------------------------------- */

static sl_matrix *random_matrix(sl_context *ctx, sl_type type, uint64_t nrows, uint64_t ncols,
                                int entries, bool pattern)
{
    uint64_t seed = (uint64_t)type + nrows;
    sl_matrix *A, *ones;
    OK(ctx, sl_matrix_new(&A, ctx, type, nrows, ncols));
    for (int k = 0; k < entries; k++) {
        const uint64_t i = test_random(&seed) % nrows, j = test_random(&seed) % ncols;
        OK(ctx, sl_matrix_set(A, i, j, sl_scalar_fp64((double)(test_random(&seed) % 100) / 4)));
    }
    if (!pattern)
        return A;
    OK(ctx, sl_matrix_new(&ones, ctx, type, nrows, ncols));
    uint64_t count = (uint64_t)entries, *rows = test_malloc(2 * (count + 1) * 8),
             *cols = rows + count;
    OK(ctx, sl_matrix_extract_tuples(rows, cols, NULL, &count, A));
    OK(ctx, sl_matrix_build(ones, rows, cols, NULL, count, NULL));
    test_free(rows);
    sl_matrix_free(A);
    return ones;
}

static void round_trips(void **state)
{
    sl_context *ctx = *state;
    static const struct {
        uint64_t nrows, ncols;
        int entries;
    } shapes[] = {{0, 0, 0},
                  {0, 9, 0},
                  {7, 0, 0},
                  {1, 1, 1},
                  {300, 200, 2000},
                  {5000, 3, 100},
                  {4, UINT64_C(1) << 32, 50},
                  {4, (UINT64_C(1) << 32) + 1, 50},
                  {3, UINT64_C(1) << 60, 30}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int type = 0; type < SL_TYPE_COUNT; type++)
            for (int pattern = 0; pattern < 2; pattern++) {
                sl_matrix *A = random_matrix(ctx, (sl_type)type, shapes[k].nrows, shapes[k].ncols,
                                             shapes[k].entries, pattern),
                          *B;
                const char *path = file_path("r.semla");
                OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
                OK(ctx, sl_matrix_read(&B, ctx, path, SL_READ_VERIFY));
                bool before, after;
                OK(ctx, sl_matrix_is_pattern(&before, A));
                OK(ctx, sl_matrix_is_pattern(&after, B));
                if (shapes[k].entries > 0)
                    assert_int_equal(before, after);
                expect_same(A, B);
                sl_matrix_free(B);
                OK(ctx, sl_matrix_read(&B, ctx, path, SL_READ_PATTERN));
                assert_int_equal(sl_matrix_type(B),
                                 before || shapes[k].entries == 0 ? type : SL_BOOL);
                sl_matrix_free(B);
                sl_matrix_free(A);
            }
}

static bool known_symmetric(const char *path)
{
    size_t length;
    char *bytes = file_bytes(path, &length);
    bool known = bytes[FLAGS] & 2;
    free(bytes);
    return known;
}

/* The symmetry of the pattern is kept, and believed unless it is to be verified. */
static void symmetry(void **state)
{
    sl_context *ctx = *state;
    const char *path = file_path("s.semla");
    bool symmetric;
    sl_matrix *A, *B;
    OK(ctx, sl_matrix_read(&A, ctx, SEMLA_TEST_DATA "/karate.mtx", 0));
    OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
    assert_true(known_symmetric(path));
    OK(ctx, sl_matrix_read(&B, ctx, path, SL_READ_VERIFY | SL_READ_SYMMETRIC));
    OK(ctx, sl_matrix_is_symmetric(&symmetric, B));
    assert_true(symmetric);
    expect_same(A, B);
    sl_matrix_free(A);
    sl_matrix_free(B);

    OK(ctx, sl_matrix_read(&A, ctx, file_with("d.txt", "0 1\n1 2\n"), 0));
    OK(ctx, sl_matrix_write(A, path, SL_FORMAT_AUTO));
    sl_matrix_free(A);
    assert_false(known_symmetric(path));
    size_t length;
    unsigned char *lie = (unsigned char *)file_bytes(path, &length);
    lie[FLAGS] |= 2;
    seal(lie);
    path = file_of("s.semla", lie, length);
    free(lie);
    OK(ctx, sl_matrix_read(&B, ctx, path, 0));
    sl_matrix_free(B);
    assert_int_equal(sl_matrix_read(&B, ctx, path, SL_READ_VERIFY), SL_SYNTAX);
    assert_non_null(strstr(sl_context_message(ctx), "said to be symmetric, which it is not"));
    assert_null(B);
}

/* Flags that make other entries do the same to a native file as to a text. */
static void options(void **state)
{
    sl_context *ctx = *state;
    const char *text = file_with("o.txt", "0 1 4\n1 0 5\n2 2 6\n2 0 0.5\n");
    sl_matrix *A, *B;
    for (unsigned flags = 0; flags < 16; flags++)
        for (int pattern = 0; pattern < 2; pattern++) {
            OK(ctx, sl_matrix_read(&A, ctx, text, pattern ? SL_READ_PATTERN : 0));
            OK(ctx, sl_matrix_write(A, file_path("o.semla"), SL_FORMAT_AUTO));
            sl_matrix_free(A);
            sl_read_options o = {.flags = flags | (pattern ? SL_READ_PATTERN : 0),
                                 .duplicates = SL_DUPLICATES_SUM};
            OK(ctx, sl_matrix_read_with(&A, NULL, ctx, text, &o));
            OK(ctx, sl_matrix_read_with(&B, NULL, ctx, file_path("o.semla"), &o));
            expect_same(A, B);
            sl_matrix_free(A);
            sl_matrix_free(B);
        }
}

/* Tuples have fewer types than matrices. */
static void tuples(void **state)
{
    sl_context *ctx = *state;
    sl_edges edges;
    const char *path = file_of("t.semla", example(), EXAMPLE);
    OK(ctx, sl_edges_read(&edges, ctx, path, NULL));
    assert_int_equal(edges.type, SL_INT64);
    assert_int_equal(edges.count, 3);
    assert_memory_equal(edges.row, ((uint64_t[]){0, 1, 1}), 24);
    assert_memory_equal(edges.col, ((uint64_t[]){1, 0, 2}), 24);
    assert_memory_equal(edges.values, ((int64_t[]){5, 7, -9}), 24);
    sl_edges_free(&edges);

    sl_matrix *A;
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP32, 1, 2));
    OK(ctx, sl_matrix_set(A, 0, 1, sl_scalar_fp64(0.5)));
    OK(ctx, sl_matrix_write(A, file_path("t.semla"), SL_FORMAT_AUTO));
    sl_matrix_free(A);
    OK(ctx, sl_edges_read(&edges, ctx, path, NULL));
    assert_int_equal(edges.type, SL_FP64);
    assert_true(*(double *)edges.values == 0.5);
    sl_edges_free(&edges);

    OK(ctx, sl_matrix_new(&A, ctx, SL_UINT64, 1, 2));
    OK(ctx, sl_matrix_set(A, 0, 1, (sl_scalar){.type = SL_UINT64, .as.uint64_ = UINT64_MAX}));
    OK(ctx, sl_matrix_write(A, file_path("t.semla"), SL_FORMAT_AUTO));
    sl_matrix_free(A);
    assert_int_equal(sl_edges_read(&edges, ctx, path, NULL), SL_OUT_OF_RANGE);
    assert_non_null(strstr(sl_context_message(ctx), ": value 18446744073709551615 has more than"));
}

/* ---- files that cannot be read or written ------------------------------- */

static void no_files(void **state)
{
    sl_context *ctx = *state;
    sl_matrix *A, *B = example_matrix(ctx);
    sl_edges e = {0};
    char expected[700];
    assert_int_equal(sl_matrix_read(&A, ctx, "/nonexistent/a.semla", 0), SL_IO);
    assert_string_equal(sl_context_message(ctx),
                        "/nonexistent/a.semla: cannot open: No such file or directory");
    assert_int_equal(mkfifo(file_path("pipe.semla"), 0600), 0);
    int held = open(file_path("pipe.semla"), O_RDWR | O_CLOEXEC);
    assert_int_equal(sl_matrix_read(&A, ctx, file_path("pipe.semla"), 0), SL_IO);
    assert_non_null(strstr(sl_context_message(ctx), "mapped, and this is no regular file"));
    close(held);
    assert_int_equal(sl_matrix_write(B, file_path("a.semla.gz"), SL_FORMAT_AUTO), SL_UNSUPPORTED);
    assert_non_null(strstr(sl_context_message(ctx), ": native files are mapped, and not packed"));
    assert_int_equal(sl_edges_write(&e, ctx, file_path("e.semla"), NULL), SL_UNSUPPORTED);
    assert_non_null(strstr(sl_context_message(ctx), "have to be made a matrix"));
    const char *path = file_of("misnamed.txt", example(), EXAMPLE);
    assert_int_equal(sl_matrix_read(&A, ctx, path, 0), SL_UNSUPPORTED);
    snprintf(expected, sizeof expected,
             "%s: a native file, which has to be read as one: by a name that ends in .semla, or "
             "--format semla",
             path);
    assert_string_equal(sl_context_message(ctx), expected);

    path = file_with("old.semla", "old");
    int files = file_count();
    file_limited(250);
    assert_int_equal(sl_matrix_write(B, path, SL_FORMAT_AUTO), SL_IO);
    file_unlimited();
    assert_int_equal(file_count(), files);
    size_t length;
    char *bytes = file_bytes(path, &length);
    assert_int_equal(length, 3);
    free(bytes);
    sl_matrix_free(B);
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
    sl_matrix *A = example_matrix(ctx);
    omp_set_num_threads(2);
    job j = {ctx, file_of("m.semla", example(), EXAMPLE), SL_READ_VERIFY, A};
    assert_true(allocator_fail_each(read_file, &j) > 6);
    j.flags = SL_READ_TRANSPOSED;
    assert_true(allocator_fail_each(read_file, &j) > 10);
    OK(ctx, write_file(&j)); /* at first the matrix takes the form that is written */
    assert_true(allocator_fail_each(write_file, &j) > 6);
    sl_matrix_free(A);
}

int main(void)
{
    allocator_install();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layout),
        cmocka_unit_test(wrong_heads),
        cmocka_unit_test(wrong_arrays),
        cmocka_unit_test(cut_and_flipped),
        cmocka_unit_test(seams),
        cmocka_unit_test(round_trips),
        cmocka_unit_test(symmetry),
        cmocka_unit_test(options),
        cmocka_unit_test(tuples),
        cmocka_unit_test(no_files),
        cmocka_unit_test(allocation_failures),
    };
    return cmocka_run_group_tests(tests, files_setup, files_teardown);
}
