/* Files that a test creates in a temporary folder, and comparisons of matrices and vectors. */
#include "files.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

static char folder[256];

int files_setup(void **state)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/semla-test-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        return -1;
    return sl_context_create((sl_context **)state, SL_ENGINE_SUITESPARSE);
}

static int each_file(void (*visit)(const char *path))
{
    int count = 0;
    DIR *files = opendir(folder);
    assert_non_null(files);
    for (struct dirent *file; (file = readdir(files));)
        if (file->d_name[0] != '.') {
            count++;
            if (visit)
                visit(file_path(file->d_name));
        }
    closedir(files);
    return count;
}

static void remove_file(const char *path)
{
    unlink(path);
}

int files_teardown(void **state)
{
    sl_context_free(*state);
    each_file(remove_file);
    return rmdir(folder);
}

const char *file_path(const char *name)
{
    static char paths[4][600];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

const char *file_of(const char *name, const void *bytes, size_t length)
{
    const char *path = file_path(name);
    unlink(path); /* some file systems wait for the disk when an existing file is overwritten */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    return path;
}

const char *file_with(const char *name, const char *text)
{
    return file_of(name, text, strlen(text));
}

const char *file_gzip(const char *name, const char *text, int members)
{
    const char *path = file_path(name);
    unlink(path);
    size_t length = strlen(text), part = length / (size_t)members;
    for (int k = 0; k < members; k++) {
        size_t from = (size_t)k * part, to = k + 1 < members ? from + part : length;
        gzFile file = gzopen(path, "ab");
        assert_non_null(file);
        assert_int_equal(gzwrite(file, text + from, (unsigned)(to - from)), to - from);
        assert_int_equal(gzclose(file), Z_OK);
    }
    return path;
}

const char *file_zstd(const char *name, const char *text, int frames)
{
    size_t length = strlen(text), part = length / (size_t)frames;
    size_t capacity = (size_t)frames * ZSTD_compressBound(length), used = 0;
    char *compressed = malloc(capacity);
    assert_non_null(compressed);
    for (int k = 0; k < frames; k++) {
        size_t from = (size_t)k * part, to = k + 1 < frames ? from + part : length;
        size_t made = ZSTD_compress(compressed + used, capacity - used, text + from, to - from, 3);
        assert_false(ZSTD_isError(made));
        used += made;
    }
    const char *path = file_of(name, compressed, used);
    free(compressed);
    return path;
}

char *file_bytes(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *length = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*length + 1);
    assert_int_equal(fread(bytes, 1, *length, file), *length);
    bytes[*length] = '\0';
    fclose(file);
    return bytes;
}

static char *unzstd(char *compressed, size_t length)
{
    enum { CAPACITY = 1 << 20 };
    char *text = calloc(1, CAPACITY);
    size_t made = ZSTD_decompress(text, CAPACITY - 1, compressed, length);
    assert_false(ZSTD_isError(made));
    free(compressed);
    return text;
}

char *file_text(const char *path)
{
    size_t length;
    char *bytes = file_bytes(path, &length);
    if (length >= 4 && memcmp(bytes, "\x28\xb5\x2f\xfd", 4) == 0)
        return unzstd(bytes, length);
    free(bytes);
    gzFile file = gzopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_true(gzread(file, text, (1 << 20) - 1) >= 0);
    assert_int_equal(gzclose(file), Z_OK);
    return text;
}

void expect_text(const char *path, const char *expected)
{
    char *text = file_text(path);
    assert_string_equal(text, expected);
    free(text);
}

int file_count(void)
{
    return each_file(NULL);
}

sl_matrix *read_with(sl_context *ctx, const char *path, sl_read_options options)
{
    sl_matrix *A;
    OK(ctx, sl_matrix_read_with(&A, NULL, ctx, path, &options));
    return A;
}

sl_matrix *read_text(sl_context *ctx, const char *name, const char *text, sl_read_options options)
{
    return read_with(ctx, file_with(name, text), options);
}

void expect_matrix(sl_matrix *A, sl_type type, uint64_t nrows, uint64_t ncols, uint64_t count,
                   const entry *entries)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_csr csr;
    OK(ctx, sl_matrix_copy_csr(&csr, A));
    assert_string_equal(sl_type_name(csr.type), sl_type_name(type));
    assert_int_equal(csr.nrows, nrows);
    assert_int_equal(csr.ncols, ncols);
    assert_int_equal(csr.start[nrows], count);
    if (count > 0)
        assert_int_equal(csr.values == NULL, type == SL_BOOL);
    uint64_t k = 0;
    for (uint64_t i = 0; i < nrows; i++)
        for (; k < csr.start[i + 1]; k++) {
            assert_int_equal(i, entries[k].i);
            assert_int_equal(csr.index[k], entries[k].j);
            if (type == SL_FP64)
                assert_memory_equal((double *)csr.values + k, &entries[k].value, sizeof(double));
            else if (type == SL_INT64)
                assert_int_equal(((int64_t *)csr.values)[k], (int64_t)entries[k].value);
        }
    free_rows(&csr);
    sl_matrix_free(A);
}

void expect_same(const sl_matrix *A, const sl_matrix *B)
{
    sl_csr a, b;
    OK(sl_matrix_context(A), sl_matrix_copy_csr(&a, A));
    OK(sl_matrix_context(B), sl_matrix_copy_csr(&b, B));
    assert_string_equal(sl_type_name(a.type), sl_type_name(b.type));
    assert_int_equal(a.nrows, b.nrows);
    assert_int_equal(a.ncols, b.ncols);
    assert_memory_equal(a.start, b.start, (a.nrows + 1) * sizeof *a.start);
    assert_memory_equal(a.index, b.index, a.start[a.nrows] * sizeof *a.index);
    assert_int_equal(a.values == NULL, b.values == NULL);
    if (a.values)
        assert_memory_equal(a.values, b.values, a.start[a.nrows] * sl_type_size(a.type));
    sl_csr *both[] = {&a, &b};
    for (size_t k = 0; k < 2; k++) {
        free_rows(both[k]);
    }
}

sl_vector *vector_of(sl_context *ctx, sl_type type, uint64_t size, uint64_t count,
                     const uint64_t *index, const double *values)
{
    sl_vector *v;
    OK(ctx, sl_vector_new(&v, ctx, type, size));
    for (uint64_t k = 0; k < count; k++)
        OK(ctx, sl_vector_set(v, index[k], sl_scalar_fp64(values[k])));
    return v;
}

void expect_vector(const sl_vector *v, const sl_vector *expected)
{
    uint64_t counts[2], *index[2];
    unsigned char *values[2];
    const sl_vector *both[] = {v, expected};
    const sl_type type = sl_vector_type(expected);
    assert_string_equal(sl_type_name(sl_vector_type(v)), sl_type_name(type));
    assert_int_equal(sl_vector_size(v), sl_vector_size(expected));
    for (int k = 0; k < 2; k++) {
        sl_context *ctx = sl_vector_context(both[k]);
        OK(ctx, sl_vector_nvals(&counts[k], both[k]));
        index[k] = malloc((counts[k] + 1) * 8);
        values[k] = malloc((counts[k] + 1) * 8);
        OK(ctx, sl_vector_extract_tuples(index[k], values[k], &counts[k], both[k]));
    }
    assert_int_equal(counts[0], counts[1]);
    assert_memory_equal(index[0], index[1], counts[0] * 8);
    const size_t bytes = sl_type_size(type);
    for (uint64_t k = 0; k < counts[0]; k++)
        assert_true(sl_scalar_equal(sl_scalar_load(type, values[0] + k * bytes),
                                    sl_scalar_load(type, values[1] + k * bytes)));
    for (int k = 0; k < 2; k++) {
        free(index[k]);
        free(values[k]);
    }
}

static struct rlimit unlimited;

void file_limited(long bytes)
{
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit small = {(rlim_t)bytes, unlimited.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
}

void file_unlimited(void)
{
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
    signal(SIGXFSZ, SIG_DFL);
}
