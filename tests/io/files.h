/* Creates the files of a test in a temporary folder, and checks files, matrices and vectors. */
#ifndef SEMLA_TEST_FILES_H
#define SEMLA_TEST_FILES_H

#include <support.h>

#include <semla/io.h>

/* Group fixtures: create and remove a temporary folder; a context in *state. */
int files_setup(void **state);
int files_teardown(void **state);

/* The path of `name` in the folder, in one of 4 static buffers that are used in turn. */
const char *file_path(const char *name);

/* Writes a file of `length` bytes, or of a text, into the folder and returns its path. */
const char *file_of(const char *name, const void *bytes, size_t length);
const char *file_with(const char *name, const char *text);
/* Writes a gzip file; the text is divided into `members` parts that are compressed separately. */
const char *file_gzip(const char *name, const char *text, int members);
/* Writes a Zstandard file of `frames` frames. */
const char *file_zstd(const char *name, const char *text, int frames);

/* The decompressed text of a file, '\0'-terminated; the caller frees it with free(). */
char *file_text(const char *path);
void expect_text(const char *path, const char *expected);
/* The bytes of a file as they are; the caller frees them with free(). */
char *file_bytes(const char *path, size_t *length);

/* Number of files in the folder. */
int file_count(void);

/* An entry of a matrix in a test. */
typedef struct {
    uint64_t i, j;
    double value;
} entry;

#define ENTRIES(...)                                                                               \
    sizeof((entry[]){__VA_ARGS__}) / sizeof(entry), (entry[])                                      \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* Reads the matrix in a file; read_text writes the file first. */
sl_matrix *read_with(sl_context *ctx, const char *path, sl_read_options options);
sl_matrix *read_text(sl_context *ctx, const char *name, const char *text, sl_read_options options);

/*
 * Checks shape, type and entries of A, which are sorted by row, then column. With `type` SL_BOOL, A
 * must be a pattern. Frees A.
 */
void expect_matrix(sl_matrix *A, sl_type type, uint64_t nrows, uint64_t ncols, uint64_t count,
                   const entry *entries);

/* Checks that A and B have the same type, shape, pattern and values, bit for bit. */
void expect_same(const sl_matrix *A, const sl_matrix *B);

/* A vector of this size with `count` entries; the values are converted to its type. */
sl_vector *vector_of(sl_context *ctx, sl_type type, uint64_t size, uint64_t count,
                     const uint64_t *index, const double *values);
/* Checks that v and `expected` have the same type, size, pattern and values. */
void expect_vector(const sl_vector *v, const sl_vector *expected);

/* Limits the size of files until file_unlimited is called; writing fails as on a full disk. */
void file_limited(long bytes);
void file_unlimited(void);

#endif
