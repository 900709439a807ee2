/* Functions that the fuzz targets share; see fuzz.h. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <omp.h>

enum { LARGEST = 1 << 16 }; /* maximum number of rows of a matrix */

static void require(bool right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "%s (%s)\n", what, sl_context_message(fuzz_context()));
    abort();
}

sl_context *fuzz_context(void)
{
    static sl_context *ctx;
    if (!ctx && sl_context_create(&ctx, SL_ENGINE_SUITESPARSE) != SL_OK)
        abort();
    return ctx;
}

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static char path[40];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("input", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    require(file >= 0 && ftruncate(file, 0) == 0, "cannot create a file in memory");
    require(pwrite(file, data, size, 0) == (ssize_t)size, "cannot write the file");
    return path;
}

static bool same_array(const void *a, const void *b, uint64_t count)
{
    return !a == !b && (!a || count == 0 || memcmp(a, b, count * 8) == 0);
}

static bool same_labels(const sl_labels *a, const sl_labels *b)
{
    bool same = a->count == b->count;
    for (uint64_t v = 0; same && v < a->count; v++)
        same = strcmp(a->text + a->start[v], b->text + b->start[v]) == 0;
    return same;
}

/* The labels are in order, so that each is found. */
static void check_labels(const sl_labels *labels)
{
    for (uint64_t v = 0, found; v < labels->count; v++)
        require(sl_labels_find(&found, labels, labels->text + labels->start[v]) == SL_OK &&
                    found == v,
                "a label is not found");
}

static bool same_edges(const sl_edges *a, const sl_edges *b)
{
    return a->nrows == b->nrows && a->ncols == b->ncols && a->count == b->count &&
           a->type == b->type && a->mirror == b->mirror && same_array(a->row, b->row, a->count) &&
           same_array(a->col, b->col, a->count) && same_array(a->values, b->values, a->count) &&
           same_array(a->ids, b->ids, a->nrows) && same_labels(&a->labels, &b->labels);
}

static void make_matrix(const sl_edges *edges, const sl_read_options *options)
{
    sl_matrix *A;
    uint64_t entries;
    if (edges->nrows > LARGEST || edges->ncols > LARGEST)
        return;
    sl_status status = sl_matrix_from_edges(&A, fuzz_context(), edges, options);
    if (status == SL_OK)
        require(sl_matrix_nvals(&entries, A) == SL_OK && entries <= 2 * edges->count,
                "the matrix has more entries than the tuples represent");
    else
        require(options->flags & SL_READ_SYMMETRIC || options->duplicates == SL_DUPLICATES_ERROR,
                "tuples that were read cannot be assembled");
    sl_matrix_free(A);
}

void fuzz_read(const char *path, const sl_read_options *options)
{
    sl_context *ctx = fuzz_context();
    sl_edges one, several;
    char message[1024];
    omp_set_num_threads(1);
    sl_status status = sl_edges_read(&one, ctx, path, options);
    sl_unread_columns_free(options->unread);
    snprintf(message, sizeof message, "%s", sl_context_message(ctx));
    omp_set_num_threads(3);
    require(sl_edges_read(&several, ctx, path, options) == status,
            "the status depends on the number of threads");
    sl_unread_columns_free(options->unread);
    if (status == SL_OK)
        require(same_edges(&one, &several), "the tuples depend on the number of threads");
    else
        require(strcmp(message, sl_context_message(ctx)) == 0,
                "the message depends on the number of threads");
    if (status == SL_OK) {
        check_labels(&several.labels);
        make_matrix(&several, options);
    }
    sl_edges_free(&one);
    sl_edges_free(&several);
}

void fuzz_read_vector(const char *path, sl_vector_format format)
{
    sl_vector *v;
    if (sl_vector_read(&v, fuzz_context(), path, format) == SL_OK) {
        uint64_t entries;
        require(sl_vector_nvals(&entries, v) == SL_OK && entries <= sl_vector_size(v),
                "the vector has more entries than its size");
    }
    sl_vector_free(v);
}
