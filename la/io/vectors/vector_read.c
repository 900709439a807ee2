/* Reads a vector: chooses the reader, reads Matrix Market files itself, and builds the vector. */
#include "io/vectors/vector_read.h"

#include <inttypes.h>

#include "io/files/common.h"
#include "io/files/scope.h"
#include "io/files/stdin.h"
#include "io/tuples/sort.h"

/* Reads a matrix of one column or one row. */
static sl_status read_matrix_market_vector(vector_reader *r)
{
    sl_edges edges;
    sl_read_options options = {.format = SL_FORMAT_MATRIX_MARKET};
    sl_status status = sl_edges_read(&edges, r->ctx, r->path, &options);
    if (status != SL_OK)
        return status;
    const bool column = edges.ncols == 1;
    if (!column && edges.nrows != 1) {
        status =
            sl_fail(r->ctx, SL_MISMATCH,
                    "%s: the matrix is %" PRIu64 " x %" PRIu64 "; a vector has one row or column",
                    r->path, edges.nrows, edges.ncols);
    } else {
        r->type = edges.type;
        r->size = column ? edges.nrows : edges.ncols;
        r->count = edges.count;
        r->index = column ? edges.row : edges.col;
        r->values = edges.values;
        *(column ? &edges.row : &edges.col) = NULL;
        edges.values = NULL;
    }
    sl_edges_free(&edges);
    return status;
}

/* ---- building the vector ------------------------------------------------ */

/* Fails if an index occurs twice. Increasing indices, the usual case, need one pass. */
static sl_status check_indices(const vector_reader *r)
{
    uint64_t k = 1;
    while (k < r->count && r->index[k - 1] < r->index[k])
        k++;
    if (k >= r->count)
        return SL_OK;
    records all = {.keys = sl_malloc(r->count * 8)}, scratch = {.keys = sl_malloc(r->count * 8)};
    sl_status status = SL_OK;
    if (all.keys && scratch.keys) {
        memcpy(all.keys, r->index, r->count * 8);
        const uint64_t *sorted = sort_records(all, scratch, r->count, 64).keys;
        for (k = 1; k < r->count && sorted[k - 1] != sorted[k];)
            k++;
        if (k < r->count)
            status = sl_fail(r->ctx, SL_SYNTAX, "%s: index %" PRIu64 ", 0-based, occurs twice",
                             r->path, sorted[k]);
    } else {
        status = sl_fail(r->ctx, SL_NO_MEMORY, "%s: no memory to check for duplicates", r->path);
    }
    sl_free(all.keys);
    sl_free(scratch.keys);
    return status;
}

/* Sends type and size from the first process, which has read the file, to all. */
static sl_status broadcast_type_and_size(vector_reader *r, sl_status status)
{
    struct {
        sl_type type;
        uint64_t size;
    } mine = {r->type, r->size}, *all;
    status = sl_gather(r->ctx, status, (void **)&all, NULL, &mine, sizeof mine);
    if (status == SL_OK) {
        r->type = all->type;
        r->size = all->size;
    }
    sl_free(all);
    return status;
}

static sl_status make_vector(vector_reader *r, sl_vector **v, sl_status status)
{
    if (status == SL_OK)
        status = check_indices(r);
    status = broadcast_type_and_size(r, status);
    if (status == SL_OK)
        status = sl_vector_new(v, r->ctx, r->type, r->size);
    if (status == SL_OK)
        status = sl_vector_build(*v, r->index, r->values, r->count, NULL);
    if (status != SL_OK) {
        sl_vector_free(*v);
        *v = NULL;
    }
    return status;
}

/* Opens a text or NumPy file and reads it. */
static sl_status read_source(vector_reader *r, sl_status (*read)(vector_reader *r), size_t record)
{
    sl_status status = input_open(&r->input, r->ctx, r->path, record);
    if (status != SL_OK)
        return status;
    c_locale locale;
    if (c_locale_enter(&locale)) {
        status = read(r);
        c_locale_leave(&locale);
    } else {
        status = sl_fail(r->ctx, SL_NO_MEMORY, "%s: no memory for a locale", r->path);
    }
    if (status == SL_SYNTAX || status == SL_OUT_OF_RANGE)
        status = input_check_damage(&r->input, status);
    input_close(&r->input);
    return status;
}

static sl_status check_arguments(sl_vector_format *format, const vector_reader *r, sl_vector **v)
{
    if (!v)
        return sl_fail(r->ctx, SL_INVALID, "vector_read: v is NULL");
    *v = NULL;
    if (!r->ctx)
        return SL_INVALID;
    if (r->options->ids)
        return sl_fail(r->ctx, SL_INVALID,
                       "vector_read: `ids` is an option for writing; must be NULL");
    return vector_format(format, r->ctx, r->path, r->options, "reading");
}

/* Finds the format of stdin, which has no name, by its first bytes. Collective. */
static sl_status find_stdin_format(sl_vector_format *format, const vector_reader *r)
{
    static const char banner[] = "%%MatrixMarket", marked[] = UTF8_MARK "%%MatrixMarket",
                      numpy[] = "\x93NUMPY";
    sl_vector_format *all;
    if (io_rank(r->ctx) == 0 && (stdin_starts_with(banner, sizeof banner - 1) ||
                                 stdin_starts_with(marked, sizeof marked - 1)))
        *format = SL_VECTOR_MATRIX_MARKET;
    else if (io_rank(r->ctx) == 0 && stdin_starts_with(numpy, sizeof numpy - 1))
        *format = SL_VECTOR_NPY;
    sl_status status = sl_gather(r->ctx, SL_OK, (void **)&all, NULL, format, sizeof *format);
    if (status == SL_OK)
        *format = *all;
    sl_free(all);
    return status;
}

static sl_status vector_read(sl_vector **v, sl_context *ctx, const char *path,
                             const sl_vector_options *options)
{
    static const sl_vector_options defaults;
    vector_reader r = {.ctx = ctx, .path = path, .options = options ? options : &defaults};
    sl_vector_format format;
    sl_status status = sl_agree_arguments(
        ctx, check_arguments(&format, &r, v), "vector_read",
        "path %s\nformat %d\nfill %d\nsize %llu\n", path ? path : "", (int)r.options->format,
        r.options->fill != NULL, (unsigned long long)r.options->size);
    if (status == SL_OK && r.options->format == SL_VECTOR_AUTO && is_stdin(path))
        status = find_stdin_format(&format, &r);
    if (status != SL_OK)
        return status;
    if (format == SL_VECTOR_MATRIX_MARKET)
        status = read_matrix_market_vector(&r); /* by all processes */
    else if (io_rank(ctx) == 0)
        status = format == SL_VECTOR_TEXT ? read_source(&r, read_vector_text, 0)
                                          : read_source(&r, read_vector_npy, 1);
    status = make_vector(&r, v, status);
    sl_free(r.index);
    sl_free(r.values);
    return status;
}

sl_status sl_vector_read_with(sl_vector **v, sl_context *ctx, const char *path,
                              const sl_vector_options *options)
{
    io_scope scope = io_enter(ctx);
    sl_status status = vector_read(v, ctx, path, options);
    io_leave(scope);
    return status;
}

sl_status sl_vector_read(sl_vector **v, sl_context *ctx, const char *path, sl_vector_format format)
{
    return sl_vector_read_with(v, ctx, path, &(sl_vector_options){.format = format});
}
