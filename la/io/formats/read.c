/*
 * Reads a graph file into tuples or a matrix: checks the options, chooses the reader of the format
 * by the name and the first bytes, and reads again on one thread if several threads found an error.
 */
#include <locale.h>

#include <semla/process.h>

#include "io/files/scope.h"
#include "io/formats/format.h"
#include "io/native/native.h"

/* Chooses the format and reads; `format` is from the options, or else from the name. */
static sl_status read_format(reader *r, sl_file_format format)
{
    const input *s = &r->input;
    const bool asked = r->options->format != SL_FORMAT_AUTO;
    bool banner = s->record == 0 && has_matrix_market_banner(s->begin, s->end);
    if (banner && format == SL_FORMAT_EDGE_LIST && asked)
        return input_fail(s, s->begin, SL_SYNTAX,
                          "this is a Matrix Market file, not an edge list; use --format mtx");
    if (!banner && format == SL_FORMAT_MATRIX_MARKET) {
        if (asked)
            return input_expected(s, s->begin, "the %%MatrixMarket banner");
        return input_fail(s, s->begin, SL_SYNTAX,
                          "the %%%%MatrixMarket banner is missing; a list of 1-based pairs can be "
                          "read as an edge list with base 1 (--format edges --base 1)");
    }
    if (banner && !asked)
        format = SL_FORMAT_MATRIX_MARKET;
    if (format == SL_FORMAT_AUTO && has_dimacs_line(s->begin, s->end))
        format = SL_FORMAT_DIMACS;
    if (has_native_magic(s->begin, s->end) && s->compressed)
        return sl_fail(s->ctx, SL_UNSUPPORTED,
                       "%s: native files cannot be compressed; decompress the file first", s->path);
    if (has_native_magic(s->begin, s->end))
        return sl_fail(
            s->ctx, SL_UNSUPPORTED,
            "%s: this is a native file; use --format semla or a name that ends in .semla", s->path);
    sl_status status = format == SL_FORMAT_AUTO ? format_check_name(s->ctx, s->path) : SL_OK;
    if (status != SL_OK)
        return status;
    const format_entry *entry =
        format_find(format == SL_FORMAT_AUTO ? SL_FORMAT_EDGE_LIST : format);
    const uint64_t processes = sl_context_processes(s->ctx);
    if (!s->compressed && s->size > 0 && !entry->sequential)
        r->processes = processes;
    else if (processes > 1 && io_rank(s->ctx) > 0)
        return SL_OK; /* the first process reads the whole file */
    return entry->read(r);
}

/* A pipe cannot be read a second time, so it is read by one thread. */
static sl_status read_once(reader *r, sl_context *ctx, const char *path)
{
    sl_file_format format = r->options->format;
    if (format == SL_FORMAT_AUTO)
        format = sl_format_of_name(path);
    const format_entry *entry = format_find(format);
    sl_status status = input_open(&r->input, ctx, path, entry ? entry->record : 0);
    if (status != SL_OK)
        return status;
    sl_unread_columns_free(r->options->unread); /* of a first attempt */
    if (r->input.size == 0)
        r->threads = 1;
    r->progress = (sl_progress){.operation = "read", .total = r->input.size};
    sl_progress_begin(ctx, &r->progress);

    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = c ? uselocale(c) : (locale_t)0;
    status =
        c ? read_format(r, format) : sl_fail(ctx, SL_NO_MEMORY, "%s: no memory for a locale", path);
    if (c) {
        uselocale(before);
        freelocale(c);
    }
    if (!r->thread_readers && (status == SL_SYNTAX || status == SL_OUT_OF_RANGE))
        status = input_check_damage(&r->input, status);
    sl_progress_end(ctx, &r->progress);
    input_close(&r->input);
    return status;
}

/*
 * Initialises `r`, checks the arguments and options, and agrees on them and on the file with the
 * other processes. `result` is the address of the function's result, called `name`.
 */
static sl_status prepare(reader *r, sl_context *ctx, const char *path,
                         const sl_read_options *options, const void *result, const char *name)
{
    static const sl_read_options defaults;
    const sl_read_options *o = options ? options : &defaults;
    sl_status status = SL_OK;
    *r = (reader){.options = o, .processes = 1};
    if (o->unread)
        *o->unread = (sl_unread_columns){0};
    if (!ctx || !path || !result)
        status = sl_fail(ctx, SL_INVALID, "read: %s is NULL",
                         !ctx    ? "context"
                         : !path ? "path"
                                 : name);
    if (status == SL_OK)
        status = sl_check_process(ctx, "read");
    if (status == SL_OK)
        status = check_read_options(ctx, o);
    if (ctx)
        r->threads = io_threads(ctx);
    return agree_on_file(ctx, status, path, o);
}

/*
 * Reads the file, on several threads if possible. They do not know which error comes first nor its
 * line, so after an error the file is read again by one thread. On failure there is nothing to free.
 */
static sl_status read_file(reader *r, sl_context *ctx, const char *path)
{
    if (sl_context_processes(ctx) > 1)
        return read_shared_file(r, ctx, path, read_once);
    sl_status status = read_once(r, ctx, path);
    const bool unlocated = status != SL_OK && status != SL_NO_MEMORY && status != SL_CANCELLED;
    if (unlocated && r->thread_readers) {
        reader_free(r);
        *r = (reader){.options = r->options, .threads = 1, .processes = 1};
        status = read_once(r, ctx, path);
    }
    if (status != SL_OK)
        reader_free(r);
    return status;
}

static sl_status edges_read(sl_edges *edges, sl_context *ctx, const char *path,
                            const sl_read_options *options)
{
    reader r;
    bool native = false;
    sl_status status = prepare(&r, ctx, path, options, edges, "edges");
    if (status == SL_OK)
        status = find_native(&native, ctx, path, sl_format_of_name(path), r.options);
    if (status != SL_OK)
        return status; /* agreed on */
    if (native)
        return native_read_edges(edges, ctx, path, r.options);
    status = read_file(&r, ctx, path);
    if (status != SL_OK)
        return status;
    status = reader_join(&r);
    if (status == SL_OK && r.valued && !r.edges.values && !(r.edges.values = sl_malloc(8)))
        status = sl_fail(ctx, SL_NO_MEMORY, "%s: no memory for the edges", path);
    if (status == SL_OK) {
        *edges = r.edges;
        r.edges = (sl_edges){0};
    }
    reader_free(&r);
    return status;
}

sl_status sl_edges_read(sl_edges *edges, sl_context *ctx, const char *path,
                        const sl_read_options *options)
{
    if (edges)
        *edges = (sl_edges){0};
    io_scope scope = io_enter(ctx);
    sl_status status = sl_agree(ctx, edges_read(edges, ctx, path, options));
    if (status != SL_OK && edges)
        sl_edges_free(edges);
    io_leave(scope);
    return status;
}

static sl_status matrix_read(sl_matrix **A, uint64_t **ids, sl_labels *labels, sl_context *ctx,
                             const char *path, const sl_read_options *options)
{
    reader r;
    bool native = false;
    sl_status status = prepare(&r, ctx, path, options, A, "A");
    if (status == SL_OK)
        status = find_native(&native, ctx, path, sl_format_of_name(path), r.options);
    if (status != SL_OK)
        return status;
    if (native)
        return native_read_matrix(A, ctx, path, r.options);
    status = read_file(&r, ctx, path);
    if (status != SL_OK)
        return status;
    uint64_t segment_count;
    const segment *segments = reader_segments(&r, &segment_count);
    status = assemble(A, ctx, &r.edges, !r.size_implied, segments, segment_count, r.options);
    if (status == SL_OK && ids) {
        *ids = r.edges.ids;
        r.edges.ids = NULL;
    }
    if (status == SL_OK && labels) {
        *labels = r.edges.labels;
        r.edges.labels = (sl_labels){0};
    }
    reader_free(&r);
    return status;
}

sl_status sl_matrix_read_labelled(sl_matrix **A, uint64_t **ids, sl_labels *labels, sl_context *ctx,
                                  const char *path, const sl_read_options *options)
{
    if (ids)
        *ids = NULL;
    if (labels)
        *labels = (sl_labels){0};
    if (A)
        *A = NULL;
    io_scope scope = io_enter(ctx);
    sl_status status = matrix_read(A, ids, labels, ctx, path, options);
    io_leave(scope);
    return status;
}

sl_status sl_matrix_read_with(sl_matrix **A, uint64_t **ids, sl_context *ctx, const char *path,
                              const sl_read_options *options)
{
    return sl_matrix_read_labelled(A, ids, NULL, ctx, path, options);
}

sl_status sl_matrix_read(sl_matrix **A, sl_context *ctx, const char *path, unsigned flags)
{
    sl_read_options options = {.flags = flags};
    return sl_matrix_read_with(A, NULL, ctx, path, &options);
}
