/* Tuples to a matrix: checks the arguments and calls a conversion. */
#include <inttypes.h>
#include <stdio.h>

#include <semla/process.h>

#include "io/files/scope.h"
#include "io/tuples/assembly.h"

void sl_labels_free(sl_labels *labels)
{
    if (!labels)
        return;
    sl_free(labels->text);
    sl_free(labels->start);
    *labels = (sl_labels){0};
}

void sl_edges_free(sl_edges *edges)
{
    if (!edges)
        return;
    sl_free(edges->row);
    sl_free(edges->col);
    sl_free(edges->values);
    sl_free(edges->ids);
    sl_labels_free(&edges->labels);
    *edges = (sl_edges){0};
}

sl_status check_read_options(sl_context *ctx, const sl_read_options *options)
{
    const unsigned known = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS | SL_READ_TRANSPOSED |
                           SL_READ_PATTERN | SL_READ_RENUMBER | SL_READ_VERIFY;
    if (options->flags & ~known)
        return sl_fail(ctx, SL_INVALID, "read options: unknown flags 0x%x",
                       options->flags & ~known);
    if ((int)options->format < SL_FORMAT_AUTO || options->format > SL_FORMAT_CSV)
        return sl_fail(ctx, SL_INVALID, "read options: unknown format %d", (int)options->format);
    if ((int)options->duplicates < SL_DUPLICATES_DROP || options->duplicates > SL_DUPLICATES_ERROR)
        return sl_fail(ctx, SL_INVALID, "read options: unknown rule %d for duplicates",
                       (int)options->duplicates);
    if (options->base > 1)
        return sl_fail(ctx, SL_INVALID, "read options: base is %u; must be 0 or 1", options->base);
    if (options->vertices > 0 && options->flags & SL_READ_RENUMBER)
        return sl_fail(
            ctx, SL_INVALID,
            "read options: `vertices` cannot be set together with SL_READ_RENUMBER (--renumber)");
    return SL_OK;
}

static sl_status check_edges(sl_context *ctx, const sl_edges *edges, bool valued, sl_mirror mirror)
{
    const bool is_wide =
        edges->type == SL_FP64 || edges->type == SL_INT64 || edges->type == SL_UINT64;
    if (valued ? !is_wide : sl_type_size(edges->type) == 0)
        return sl_fail(ctx, SL_INVALID,
                       "matrix_from_edges: type of the values is %s; must be int64, uint64 or fp64",
                       sl_type_name(edges->type));
    if (valued && edges->type == SL_UINT64 && mirror == SL_MIRROR_NEGATED)
        return sl_fail(ctx, SL_INVALID,
                       "matrix_from_edges: values of type uint64 have no negative "
                       "mirror entries");
    if ((int)mirror < SL_MIRROR_NONE || mirror > SL_MIRROR_NEGATED)
        return sl_fail(ctx, SL_INVALID, "matrix_from_edges: unknown mirror %d", (int)mirror);
    if (edges->nrows > UINT64_C(1) << MAX_DIMENSION_LOG || edges->ncols > UINT64_C(1)
                                                                              << MAX_DIMENSION_LOG)
        return sl_fail(ctx, SL_OUT_OF_RANGE,
                       "matrix_from_edges: a dimension is above the limit 2^60");
    if (mirror != SL_MIRROR_NONE && edges->nrows != edges->ncols)
        return sl_fail(
            ctx, SL_MISMATCH,
            "matrix_from_edges: a matrix of %llu rows and %llu columns cannot be symmetric",
            (unsigned long long)edges->nrows, (unsigned long long)edges->ncols);
    return SL_OK;
}

/*
 * Vectors of the graph take 8 bytes for each row. If they have no room, most rows have no entries, and the
 * matrix is refused before anything is allocated, because an operation on it would fail later.
 */
static sl_status check_rows(sl_context *ctx, uint64_t nrows, bool square)
{
    enum { SMALL = 1 << 20 }; /* not worth asking the system */
    const uint64_t processes = sl_context_processes(ctx);
    const uint64_t needed = 8 * (nrows / processes + 1);
    const uint64_t present = needed > SMALL ? sl_host_bytes_for_each(ctx) : needed;
    char ranks[40] = "";
    if (needed <= present)
        return SL_OK;
    if (processes > 1)
        snprintf(ranks, sizeof ranks, " on each of %" PRIu64 " ranks", processes);
    return sl_fail(ctx, SL_NO_MEMORY,
                   "matrix_from_edges: no memory for %" PRIu64
                   " %s: an array with 8 bytes for each needs %" PRIu64 " bytes%s, and %" PRIu64
                   " bytes are present%s; renumber sparse vertex ids with SL_READ_RENUMBER "
                   "(--renumber; in Python renumber=True)",
                   nrows, square ? "vertices" : "rows", needed, ranks, present,
                   processes > 1 ? " for each" : "");
}

/*
 * Sets *some if any process has values; a process without tuples may have none. `status` is the
 * status of this process; a failure on one process fails on all.
 */
static sl_status some_have_values(bool *some, sl_context *ctx, sl_status status)
{
    bool *all;
    status = sl_gather(ctx, status, (void **)&all, NULL, some, sizeof *some);
    if (status != SL_OK)
        return status;
    for (uint64_t k = 0; k < sl_context_processes(ctx); k++)
        *some |= all[k];
    sl_free(all);
    return SL_OK;
}

/* True if row pointers would take much more memory than the entries. */
static bool has_few_entries(const assembly *a)
{
    enum { SMALL = 1 << 20, LEAST_ROWS = 16 }; /* rows, for each entry */
    return a->nrows > SMALL && a->nrows / LEAST_ROWS > a->count;
}

sl_status assemble(sl_matrix **A, sl_context *ctx, const sl_edges *edges, bool declared,
                   const segment *segments, uint64_t segment_count, const sl_read_options *options)
{
    static const sl_binary_code codes[] = {
        [SL_DUPLICATES_DROP] = SL_BINARY_FIRST, [SL_DUPLICATES_LAST] = SL_BINARY_SECOND,
        [SL_DUPLICATES_SUM] = SL_BINARY_PLUS,   [SL_DUPLICATES_MIN] = SL_BINARY_MIN,
        [SL_DUPLICATES_MAX] = SL_BINARY_MAX,    [SL_DUPLICATES_ERROR] = SL_BINARY_FIRST};
    const bool transposed = options->flags & SL_READ_TRANSPOSED;
    bool has_values = segments_valued(segments, segment_count);
    sl_mirror mirror = edges->mirror;
    if (mirror == SL_MIRROR_NONE && options->flags & SL_READ_SYMMETRIC)
        mirror = SL_MIRROR_SAME;
    const bool distributed = sl_context_processes(ctx) > 1;
    sl_status status = check_read_options(ctx, options);
    if (distributed)
        status = some_have_values(&has_values, ctx, status);
    if (status == SL_OK)
        status = check_edges(ctx, edges, has_values, mirror);
    if (status == SL_OK && !declared)
        status =
            check_rows(ctx, transposed ? edges->ncols : edges->nrows, edges->nrows == edges->ncols);
    if (distributed)
        status = sl_agree(ctx, status);
    if (status != SL_OK)
        return status;

    const bool valued = has_values && !(options->flags & SL_READ_PATTERN);
    assembly a = {
        .ctx = ctx,
        .segments = segments,
        .segment_count = segment_count,
        .count = edges->count,
        .transposed = transposed,
        .valued = valued,
        .nrows = transposed ? edges->ncols : edges->nrows,
        .ncols = transposed ? edges->nrows : edges->ncols,
        .type = has_values && !valued ? SL_BOOL : edges->type,
        .mirror = mirror,
        .drop_loops = options->flags & SL_READ_NO_LOOPS,
        .duplicates = options->duplicates,
        .combine = valued ? sl_binary_op_get(codes[options->duplicates], edges->type) : NULL,
        .ids = edges->ids,
        .refused = {UINT64_MAX, UINT64_MAX},
    };
    if (distributed || has_few_entries(&a))
        return assembly_build(&a, A);
    status = assembly_make(&a, A);
    sl_free(a.start);
    sl_free(a.rows.offset);
    sl_free(a.rows.kept_offset);
    sl_free(a.rows.next);
    sl_free(a.entries.keys);
    sl_free(a.entries.values);
    return status;
}

static sl_status check_arguments(sl_matrix **A, sl_context *ctx, const sl_edges *edges)
{
    if (!A)
        return sl_fail(ctx, SL_INVALID, "matrix_from_edges: A is NULL");
    if (!ctx || !edges)
        return sl_fail(ctx, SL_INVALID, "matrix_from_edges: %s is NULL", ctx ? "edges" : "context");
    if (edges->count > 0 && (!edges->row || !edges->col))
        return sl_fail(ctx, SL_INVALID, "matrix_from_edges: row or col is NULL");
    return sl_check_process(ctx, "matrix_from_edges");
}

sl_status sl_matrix_from_edges(sl_matrix **A, sl_context *ctx, const sl_edges *edges,
                               const sl_read_options *options)
{
    static const sl_read_options defaults;
    static const sl_edges none;
    if (A)
        *A = NULL;
    io_scope scope = io_enter(ctx);
    const sl_read_options *o = options ? options : &defaults;
    const sl_edges *e = edges ? edges : &none;
    sl_status status = sl_agree_arguments(
        ctx, check_arguments(A, ctx, edges), "matrix_from_edges",
        "nrows %llu\nncols %llu\ntype %d\nmirror %d\nflags 0x%x\nduplicates %d\n",
        (unsigned long long)e->nrows, (unsigned long long)e->ncols, (int)e->type, (int)e->mirror,
        o->flags, (int)o->duplicates);
    if (status == SL_OK) {
        const segment all = {0, edges->count, edges->row, edges->col, edges->values};
        status = assemble(A, ctx, edges, false, &all, 1, o);
    }
    io_leave(scope);
    return status;
}
