/* Files that a test makes for itself, and what is in them as the tests look at it. */
#ifndef SEMLA_TEST_FILES_H
#define SEMLA_TEST_FILES_H

#include <support.h>

#include <semla/io.h>

/* Group fixtures: a temporary folder; a context in *state. */
int files_setup(void **state);
int files_teardown(void **state);

/* The path of `name` in the folder; a static buffer, one of several that take turns. */
const char *file_path(const char *name);

/* Writes a file of `length` bytes into the folder and returns its path. */
const char *file_of(const char *name, const void *bytes, size_t length);
const char *file_with(const char *name, const char *text);
/* The same, as gzip, the text in `members` pieces that are packed one by one. */
const char *file_packed(const char *name, const char *text, int members);
/* The same as Zstandard frames. */
const char *file_zstd(const char *name, const char *text, int frames);

/* The file's text, unpacked and '\0'-terminated, to be freed with free(). */
char *file_text(const char *path);
void expect_text(const char *path, const char *expected);
/* The file's bytes as they are, to be freed with free(). */
char *file_bytes(const char *path, size_t *length);

/* Files in the folder. */
int file_count(void);

/* An entry as a test writes it down. */
typedef struct {
    uint64_t i, j;
    double value;
} entry;

#define ENTRIES(...)                                                                               \
    sizeof((entry[]){__VA_ARGS__}) / sizeof(entry), (entry[])                                      \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

/* The matrix in a file, and in one of this text that is written first. */
sl_matrix *read_with(sl_context *ctx, const char *path, sl_read_options options);
sl_matrix *read_text(sl_context *ctx, const char *name, const char *text, sl_read_options options);

/* A has this shape and type and exactly these entries, sorted by row, then column.
 * `type` SL_BOOL: a pattern. Frees A. */
void expect_matrix(sl_matrix *A, sl_type type, uint64_t nrows, uint64_t ncols, uint64_t count,
                   const entry *entries);

/* A and B have the same type, shape, pattern and values, bit for bit. */
void expect_same(const sl_matrix *A, const sl_matrix *B);

/* A vector of this size with `count` entries, values cast to its type. */
sl_vector *vector_of(sl_context *ctx, sl_type type, uint64_t size, uint64_t count,
                     const uint64_t *index, const double *values);
/* v and `expected` have the same type, size, pattern and values. */
void expect_vector(const sl_vector *v, const sl_vector *expected);

/* Until file_unlimited, no file may grow beyond `bytes`: writing fails as on a full disk. */
void file_limited(long bytes);
void file_unlimited(void);

#endif
