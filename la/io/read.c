/* Reading: options, the choice of a reader, and the way to a matrix. */
#include <locale.h>

#include "format.h"
#include "native.h"
#include "work.h"

void sl_edges_free(sl_edges *edges)
{
    if (!edges)
        return;
    sl_free(edges->row);
    sl_free(edges->col);
    sl_free(edges->values);
    sl_free(edges->ids);
    *edges = (sl_edges){0};
}

sl_status check_read_options(sl_context *ctx, const sl_read_options *options)
{
    const unsigned known = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS | SL_READ_TRANSPOSED |
                           SL_READ_PATTERN | SL_READ_COMPACT | SL_READ_VERIFY;
    if (options->flags & ~known)
        return sl_fail(ctx, SL_INVALID, "read options: unknown flags 0x%x",
                       options->flags & ~known);
    if (options->format != SL_FORMAT_AUTO && !format_get(options->format))
        return sl_fail(ctx, SL_INVALID, "read options: there is no format number %d",
                       (int)options->format);
    if ((int)options->duplicates < SL_DUPLICATES_DROP || options->duplicates > SL_DUPLICATES_ERROR)
        return sl_fail(ctx, SL_INVALID, "read options: there is no rule number %d for duplicates",
                       (int)options->duplicates);
    if (options->base > 1)
        return sl_fail(ctx, SL_INVALID, "read options: base is %u; it can be 0 or 1",
                       options->base);
    if (options->vertices > 0 && options->flags & SL_READ_COMPACT)
        return sl_fail(ctx, SL_INVALID,
                       "read options: compact ids have no number of vertices but their own");
    return SL_OK;
}

static sl_status grow_array(reader *r, void **array, uint64_t room)
{
    void *larger = room <= SIZE_MAX / 8 ? sl_realloc(*array, room * 8) : NULL;
    if (!larger)
        return sl_fail(r->source.ctx, SL_NO_MEMORY, "%s: no memory for %llu edges", r->source.path,
                       (unsigned long long)room);
    *array = larger;
    return SL_OK;
}

sl_status reader_grow(reader *r, uint64_t room, bool weighted)
{
    if (r->share)
        return share_grow(r->share, room, weighted);
    room = room > 2 * r->room ? room : 2 * r->room;
    void *row = r->edges.row, *col = r->edges.col;
    sl_status status = grow_array(r, &row, room);
    r->edges.row = row;
    if (status == SL_OK)
        status = grow_array(r, &col, room);
    r->edges.col = col;
    if (status == SL_OK && weighted)
        status = grow_array(r, &r->edges.values, room);
    if (status == SL_OK)
        r->room = room;
    return status;
}

sl_status reader_number(reader *r, unsigned base)
{
    sl_edges *edges = &r->edges;
    const uint64_t vertices = r->total > 0 ? r->greatest + 1 : 0, given = r->options->vertices;
    if (r->options->flags & SL_READ_COMPACT)
        return compact_ids(r, base);
    edges->nrows = edges->ncols = given ? given : vertices;
    if (vertices <= edges->nrows)
        return SL_OK;
    return sl_fail(r->source.ctx, SL_OUT_OF_RANGE,
                   "%s: an edge of vertex %llu, but the number of vertices was given as %llu",
                   r->source.path, (unsigned long long)(r->greatest + base),
                   (unsigned long long)given);
}

/* `format` is what the options or else the name say. */
static sl_status read_format(reader *r, sl_file_format format)
{
    const source *s = &r->source;
    const bool asked = r->options->format != SL_FORMAT_AUTO;
    bool banner = s->record == 0 && has_matrix_market_banner(s->begin, s->end);
    if (banner && format == SL_FORMAT_EDGE_LIST && asked)
        return source_fail(s, s->begin, SL_SYNTAX,
                           "a Matrix Market file, whose size line is no edge");
    if (!banner && format == SL_FORMAT_MATRIX_MARKET) {
        if (asked)
            return source_expected(s, s->begin, "the %%MatrixMarket banner");
        return source_fail(s, s->begin, SL_SYNTAX,
                           "the %%%%MatrixMarket banner is missing; a list of 1-based pairs can be "
                           "read as an edge list with base 1 (--format edges --base 1)");
    }
    if (banner && !asked)
        format = SL_FORMAT_MATRIX_MARKET;
    if (native_begins(s->begin, s->end))
        return sl_fail(s->ctx, SL_UNSUPPORTED,
                       "%s: a native file, which has to be read as one: by a name that ends in "
                       ".semla, or --format semla",
                       s->path);
    sl_status status = format == SL_FORMAT_AUTO ? format_check_name(s->ctx, s->path) : SL_OK;
    if (status != SL_OK)
        return status;
    const format_entry *entry = format_get(format == SL_FORMAT_AUTO ? SL_FORMAT_EDGE_LIST : format);
    const uint64_t processes = sl_context_processes(s->ctx);
    if (!s->packed && s->size > 0 && !entry->in_order)
        r->processes = processes;
    else if (processes > 1 && io_process(s->ctx) > 0)
        return SL_OK; /* the first process reads all of it */
    return entry->read(r);
}

/* By one thread if it is no regular file, which could not be read again. */
sl_status read_once(reader *r, sl_context *ctx, const char *path)
{
    sl_file_format format = r->options->format;
    if (format == SL_FORMAT_AUTO)
        format = sl_format_of_name(path);
    const format_entry *entry = format_get(format);
    sl_status status = source_open(&r->source, ctx, path, entry ? entry->record : 0);
    if (status != SL_OK)
        return status;
    if (r->source.size == 0)
        r->threads = 1;

    /* decimals have a point here, whatever the program's locale says */
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = c ? uselocale(c) : (locale_t)0;
    status =
        c ? read_format(r, format) : sl_fail(ctx, SL_NO_MEMORY, "%s: no memory for a locale", path);
    if (c) {
        uselocale(before);
        freelocale(c);
    }
    if (!r->shares && (status == SL_SYNTAX || status == SL_OUT_OF_RANGE))
        status = source_blame_damage(&r->source, status);
    source_close(&r->source);
    return status;
}

/* The beginning of every reading: `r` with options that are in order. */
static sl_status prepare(reader *r, sl_context *ctx, const char *path,
                         const sl_read_options *options)
{
    static const sl_read_options defaults;
    *r = (reader){.options = options ? options : &defaults, .processes = 1};
    if (!ctx || !path)
        return sl_fail(ctx, SL_INVALID, "reading a file: %s is NULL", ctx ? "path" : "context");
    r->threads = io_threads(ctx);
    return check_read_options(ctx, r->options);
}

/*
 * Reads the file, on several threads where that can be done. What is wrong with a
 * file is found by one thread, which knows what comes first and in which line: the
 * file is read again then. `status` is that of prepare. On failure there is nothing to free.
 */
static sl_status read_file(reader *r, sl_context *ctx, const char *path, sl_status status)
{
    if (sl_context_processes(ctx) > 1)
        return read_together(r, ctx, path, status);
    if (status == SL_OK)
        status = read_once(r, ctx, path);
    if (status != SL_OK && status != SL_NO_MEMORY && r->shares) {
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
    sl_status status = prepare(&r, ctx, path, options);
    if (status == SL_OK && native_is(path, r.options))
        return native_read_edges(edges, ctx, path, r.options);
    status = read_file(&r, ctx, path, status);
    if (status != SL_OK)
        return status;
    status = reader_join(&r);
    if (status == SL_OK && r.valued && !r.edges.values && !(r.edges.values = sl_malloc(8)))
        status = sl_fail(ctx, SL_NO_MEMORY, "%s: no memory for its edges", path);
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
    io_work before = io_begin(ctx);
    sl_status status =
        sl_agree(ctx, edges ? SL_OK : sl_fail(ctx, SL_INVALID, "reading a file: edges is NULL"));
    if (status == SL_OK)
        status = sl_agree(ctx, edges_read(edges, ctx, path, options));
    if (status != SL_OK && edges)
        sl_edges_free(edges);
    io_end(before);
    return status;
}

static sl_status matrix_read(sl_matrix **A, uint64_t **ids, sl_context *ctx, const char *path,
                             const sl_read_options *options)
{
    reader r;
    sl_status status = prepare(&r, ctx, path, options);
    if (status == SL_OK && native_is(path, r.options))
        return native_read_matrix(A, ctx, path, r.options);
    status = read_file(&r, ctx, path, status);
    if (status != SL_OK)
        return status;
    uint64_t stretch_count;
    const stretch *stretches = reader_stretches(&r, &stretch_count);
    status = assemble(A, ctx, &r.edges, stretches, stretch_count, r.options);
    if (status == SL_OK && ids) {
        *ids = r.edges.ids;
        r.edges.ids = NULL;
    }
    reader_free(&r);
    return status;
}

sl_status sl_matrix_read_with(sl_matrix **A, uint64_t **ids, sl_context *ctx, const char *path,
                              const sl_read_options *options)
{
    if (ids)
        *ids = NULL;
    if (A)
        *A = NULL;
    io_work before = io_begin(ctx);
    sl_status status =
        sl_agree(ctx, A ? SL_OK : sl_fail(ctx, SL_INVALID, "reading a matrix: A is NULL"));
    if (status == SL_OK)
        status = matrix_read(A, ids, ctx, path, options);
    io_end(before);
    return status;
}

sl_status sl_matrix_read(sl_matrix **A, sl_context *ctx, const char *path, unsigned flags)
{
    sl_read_options options = {.flags = flags};
    return sl_matrix_read_with(A, NULL, ctx, path, &options);
}
