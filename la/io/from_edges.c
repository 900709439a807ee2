/* Tuples to a matrix: what is asked for is checked, and who makes it is chosen. */
#include "assembly.h"
#include "work.h"

static sl_status check_edges(sl_context *ctx, const sl_edges *edges, bool valued, sl_mirror mirror)
{
    if (valued ? edges->type != SL_FP64 && edges->type != SL_INT64 : sl_type_size(edges->type) == 0)
        return sl_fail(ctx, SL_INVALID, "edges to matrix: values are int64 or fp64, not %s",
                       sl_type_name(edges->type));
    if ((int)mirror < SL_MIRROR_NONE || mirror > SL_MIRROR_NEGATED)
        return sl_fail(ctx, SL_INVALID, "edges to matrix: there is no mirror number %d",
                       (int)mirror);
    if (edges->nrows > UINT64_C(1) << READER_GREATEST_LOG ||
        edges->ncols > UINT64_C(1) << READER_GREATEST_LOG)
        return sl_fail(ctx, SL_OUT_OF_RANGE, "edges to matrix: a dimension above 2^60");
    if (mirror != SL_MIRROR_NONE && edges->nrows != edges->ncols)
        return sl_fail(ctx, SL_MISMATCH,
                       "a matrix of %llu rows and %llu columns cannot be symmetric",
                       (unsigned long long)edges->nrows, (unsigned long long)edges->ncols);
    return SL_OK;
}

sl_status assemble(sl_matrix **A, sl_context *ctx, const sl_edges *edges, const stretch *stretches,
                   uint64_t stretch_count, const sl_read_options *options)
{
    static const sl_binary_code codes[] = {
        [SL_DUPLICATES_DROP] = SL_BINARY_FIRST, [SL_DUPLICATES_LAST] = SL_BINARY_SECOND,
        [SL_DUPLICATES_SUM] = SL_BINARY_PLUS,   [SL_DUPLICATES_MIN] = SL_BINARY_MIN,
        [SL_DUPLICATES_MAX] = SL_BINARY_MAX,    [SL_DUPLICATES_ERROR] = SL_BINARY_FIRST};
    const bool has_values = stretches_valued(stretches, stretch_count);
    sl_mirror mirror = edges->mirror;
    if (mirror == SL_MIRROR_NONE && options->flags & SL_READ_SYMMETRIC)
        mirror = SL_MIRROR_SAME;
    sl_status status = check_read_options(ctx, options);
    if (status == SL_OK)
        status = check_edges(ctx, edges, has_values, mirror);
    if (status != SL_OK)
        return status;

    const bool transposed = options->flags & SL_READ_TRANSPOSED;
    const bool valued = has_values && !(options->flags & SL_READ_PATTERN);
    assembly a = {
        .ctx = ctx,
        .stretches = stretches,
        .stretch_count = stretch_count,
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
        .repeated = {UINT64_MAX, UINT64_MAX},
    };
    if (sl_context_processes(ctx) > 1)
        return assembly_make_shared(&a, A);
    status = assembly_make(&a, A);
    sl_free(a.start);
    sl_free(a.offset);
    sl_free(a.place);
    sl_free(a.next);
    sl_free(a.entries.keys);
    sl_free(a.entries.values);
    return status;
}

static sl_status matrix_from_edges(sl_matrix **A, sl_context *ctx, const sl_edges *edges,
                                   const sl_read_options *options)
{
    static const sl_read_options defaults;
    if (!A)
        return sl_fail(ctx, SL_INVALID, "edges to matrix: A is NULL");
    *A = NULL;
    if (!ctx || !edges)
        return sl_fail(ctx, SL_INVALID, "edges to matrix: %s is NULL", ctx ? "edges" : "context");
    if (edges->count > 0 && (!edges->row || !edges->col))
        return sl_fail(ctx, SL_INVALID, "edges to matrix: row or col is NULL");
    stretch all = {0, edges->count, edges->row, edges->col, edges->values};
    return assemble(A, ctx, edges, &all, 1, options ? options : &defaults);
}

sl_status sl_matrix_from_edges(sl_matrix **A, sl_context *ctx, const sl_edges *edges,
                               const sl_read_options *options)
{
    io_work before = io_begin(ctx);
    sl_status status = matrix_from_edges(A, ctx, edges, options);
    io_end(before);
    return status;
}
