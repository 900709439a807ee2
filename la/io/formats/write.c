/* Writes a graph: checks the options, chooses the writer, and opens the output. */
#include <stdio.h>

#include "io/files/common.h"
#include "io/files/put_number.h"
#include "io/files/scope.h"
#include "io/formats/format.h"

/* The number of entries that the tuples represent, including mirror entries. */
static uint64_t tuple_entries(const sl_edges *edges)
{
    uint64_t entries = edges->count;
    if (edges->mirror != SL_MIRROR_NONE)
        for (uint64_t k = 0; k < edges->count; k++)
            entries += edges->row[k] != edges->col[k];
    return entries;
}

/* ---- writing a file ----------------------------------------------------- */

static sl_status write_output(const format_entry *format, writer *w)
{
    sl_status status = output_open(&w->output, w->ctx, w->path, w->overwrite);
    if (status != SL_OK)
        return status;
    c_locale locale;
    if (c_locale_enter(&locale)) {
        status = format->write(w);
        c_locale_leave(&locale);
    } else {
        status = sl_fail(w->ctx, SL_NO_MEMORY, "%s: no memory for a locale", w->path);
    }
    return output_close(&w->output, status);
}

/* Chooses the format and checks everything that can be checked before a file is created. */
static sl_status choose_format(const format_entry **entry, sl_context *ctx, const char *path,
                               const sl_write_options *options)
{
    sl_file_format format = options->format;
    if (!path)
        return sl_fail(ctx, SL_INVALID, "write: path is NULL");
    if (options->base > 1)
        return sl_fail(ctx, SL_INVALID, "write: base is %u; must be 0 or 1", options->base);
    if (format == SL_FORMAT_AUTO)
        format = sl_format_of_name(path);
    if (format == SL_FORMAT_AUTO) {
        sl_status status = format_check_name(ctx, path);
        if (status != SL_OK)
            return status;
        format = SL_FORMAT_EDGE_LIST;
    }
    *entry = format_find(format);
    if (!*entry)
        return sl_fail(ctx, SL_INVALID, "write: unknown format %d", (int)format);
    return SL_OK;
}

/* Properties of the edges, exchanged between the processes. */
typedef struct {
    uint64_t entries;
    bool valued;
} counts;

static sl_status count_edges(writer *w, sl_status status)
{
    counts mine = {0}, *all;
    if (status == SL_OK)
        mine = (counts){tuple_entries(w->edges), w->edges->values};
    status = sl_gather(w->ctx, status, (void **)&all, NULL, &mine, sizeof mine);
    for (uint64_t k = 0; status == SL_OK && k < sl_context_processes(w->ctx); k++) {
        w->entries += all[k].entries;
        w->valued |= all[k].valued;
    }
    w->first = io_rank(w->ctx) == 0;
    sl_free(all);
    return status;
}

/* Writes the edges of all processes; `status` is the status of this process so far. */
static sl_status write_edges(const format_entry *format, writer *w, sl_status status)
{
    status = count_edges(w, status);
    if (status != SL_OK)
        return status;
    status = sl_agree(w->ctx, format->check ? format->check(w) : SL_OK);
    return status == SL_OK ? write_output(format, w) : status;
}

static sl_status check_edges(sl_context *ctx, const sl_edges *e)
{
    if (e->count > 0 && (!e->row || !e->col))
        return sl_fail(ctx, SL_INVALID, "edges_write: row or col is NULL");
    if (e->values && e->type != SL_FP64 && e->type != SL_INT64 && e->type != SL_UINT64)
        return sl_fail(ctx, SL_INVALID,
                       "edges_write: type of the values is %s; must be int64, uint64 or fp64",
                       sl_type_name(e->type));
    if ((int)e->mirror < SL_MIRROR_NONE || e->mirror > SL_MIRROR_NEGATED)
        return sl_fail(ctx, SL_INVALID, "edges_write: unknown mirror %d", (int)e->mirror);
    if (e->values && e->type == SL_UINT64 && e->mirror == SL_MIRROR_NEGATED)
        return sl_fail(ctx, SL_INVALID,
                       "edges_write: values of type uint64 have no negative mirror entries");
    if (e->mirror != SL_MIRROR_NONE && e->nrows != e->ncols)
        return sl_fail(ctx, SL_MISMATCH,
                       "edges_write: edges with a mirror must have a square shape");
    if (e->labels.count > 0 && (e->labels.count < e->nrows || e->labels.count < e->ncols))
        return sl_fail(ctx, SL_INVALID,
                       "edges_write: there are %llu labels; the shape is %llu x %llu",
                       (unsigned long long)e->labels.count, (unsigned long long)e->nrows,
                       (unsigned long long)e->ncols);
    for (uint64_t k = 0; k < e->count; k++)
        if (e->row[k] >= e->nrows || e->col[k] >= e->ncols)
            return sl_fail(ctx, SL_OUT_OF_RANGE,
                           "edges_write: tuple %llu is out of range: the shape is %llu x %llu",
                           (unsigned long long)k, (unsigned long long)e->nrows,
                           (unsigned long long)e->ncols);
    return SL_OK;
}

static sl_status edges_write(const sl_edges *edges, sl_context *ctx, const char *path,
                             const sl_write_options *options)
{
    static const sl_write_options defaults;
    const format_entry *format = NULL;
    options = options ? options : &defaults;
    sl_status status = SL_OK;
    if (!ctx || !edges)
        status = sl_fail(ctx, SL_INVALID, "edges_write: %s is NULL", ctx ? "edges" : "context");
    if (status == SL_OK)
        status = choose_format(&format, ctx, path, options);
    if (status == SL_OK)
        status = check_edges(ctx, edges);
    status = sl_agree_arguments(
        ctx, status, "edges_write",
        "path %s\nformat %d\nbase %u\nno_overwrite %d\nnrows %llu\nncols "
        "%llu\ntype %d\nmirror %d\nlabels %llu\n",
        path ? path : "", (int)options->format, options->base, options->no_overwrite,
        (unsigned long long)(edges ? edges->nrows : 0),
        (unsigned long long)(edges ? edges->ncols : 0), edges ? (int)edges->type : 0,
        edges ? (int)edges->mirror : 0, (unsigned long long)(edges ? edges->labels.count : 0));
    if (status != SL_OK)
        return status;
    writer w = {.ctx = ctx,
                .path = path,
                .overwrite = !options->no_overwrite,
                .edges = edges,
                .base = options->base};
    return write_edges(format, &w, SL_OK);
}

sl_status sl_edges_write(const sl_edges *edges, sl_context *ctx, const char *path,
                         const sl_write_options *options)
{
    io_scope scope = io_enter(ctx);
    sl_status status = edges_write(edges, ctx, path, options);
    io_leave(scope);
    return status;
}

/* True if a matrix of type bool has no entry that is false. Collective. */
static sl_status all_true(bool *all, const sl_matrix *A)
{
    sl_scalar value = sl_scalar_bool(true);
    sl_status status = sl_matrix_reduce(&value, NULL, SL_LAND_MONOID_BOOL, A);
    *all = value.as.bool_;
    return status;
}

/*
 * Copies the entries that this process writes, in order; without values if the type is bool and all
 * are true. Values of other types are written even if all are 1, because the type of a pattern is
 * bool when it is read.
 */
static sl_status copy_entries(sl_edges *edges, const sl_matrix *A)
{
    sl_context *ctx = sl_matrix_context(A);
    sl_arrays arrays;
    *edges = (sl_edges){0};
    sl_status status = sl_matrix_copy_slice(&arrays, A);
    if (status != SL_OK)
        return status;
    bool pattern = !arrays.values;
    if (arrays.type == SL_BOOL)
        status = pattern ? SL_OK : all_true(&pattern, A);
    else
        pattern = false;
    if (status == SL_OK && !pattern)
        status = sl_arrays_expand(ctx, &arrays);
    if (pattern) {
        sl_free(arrays.values);
        arrays.values = NULL;
    }
    *edges = (sl_edges){.nrows = arrays.nrows,
                        .ncols = arrays.ncols,
                        .count = arrays.nvals,
                        .row = arrays.rows,
                        .col = arrays.cols,
                        .type = arrays.type,
                        .values = arrays.values};
    return status;
}

static sl_status matrix_write(const sl_matrix *A, const char *path, const sl_write_options *options)
{
    static const sl_write_options defaults;
    const format_entry *format = NULL;
    if (!A)
        return SL_INVALID;
    options = options ? options : &defaults;
    sl_context *ctx = sl_matrix_context(A);
    sl_status status = choose_format(&format, ctx, path, options);
    if (status == SL_OK && sl_type_is_user_defined(sl_matrix_type(A)))
        status = sl_fail(ctx, SL_UNSUPPORTED,
                         "matrix_write: the type %s is user-defined; files store built-in types",
                         sl_type_name(sl_matrix_type(A)));
    status = sl_agree_arguments(ctx, status, "matrix_write",
                                "path %s\nformat %d\nbase %u\nno_overwrite %d\nA %llu x %llu\n",
                                path ? path : "", (int)options->format, options->base,
                                options->no_overwrite, (unsigned long long)sl_matrix_nrows(A),
                                (unsigned long long)sl_matrix_ncols(A));
    if (status != SL_OK)
        return status;
    if (format->write_matrix)
        return format->write_matrix(A, path, !options->no_overwrite);
    sl_edges edges;
    status = copy_entries(&edges, A);
    writer w = {.ctx = ctx,
                .path = path,
                .overwrite = !options->no_overwrite,
                .edges = &edges,
                .sorted = true,
                .base = options->base,
                .A = A};
    sl_context_local_range(ctx, edges.nrows, &w.row, &w.rows_end);
    status = write_edges(format, &w, status);
    sl_edges_free(&edges);
    return status;
}

sl_status sl_matrix_write_with(const sl_matrix *A, const char *path,
                               const sl_write_options *options)
{
    io_scope scope = io_enter(sl_matrix_context(A));
    sl_status status = matrix_write(A, path, options);
    io_leave(scope);
    return status;
}

sl_status sl_matrix_write(const sl_matrix *A, const char *path, sl_file_format format)
{
    return sl_matrix_write_with(A, path, &(sl_write_options){.format = format});
}
