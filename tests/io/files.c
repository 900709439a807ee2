#include "files.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <zlib.h>

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

const char *file_packed(const char *name, const char *text, int members)
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

char *file_text(const char *path)
{
    gzFile file = gzopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_true(gzread(file, text, (1 << 20) - 1) >= 0);
    assert_int_equal(gzclose(file), Z_OK);
    return text;
}

int file_count(void)
{
    return each_file(NULL);
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
    sl_free(csr.start);
    sl_free(csr.index);
    sl_free(csr.values);
    sl_matrix_free(A);
}
