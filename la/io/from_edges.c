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

/* Whether a process has values: one without tuples need not. `status` is agreed on. */
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

sl_status assemble(sl_matrix **A, sl_context *ctx, const sl_edges *edges, const stretch *stretches,
                   uint64_t stretch_count, const sl_read_options *options)
{
    static const sl_binary_code codes[] = {
        [SL_DUPLICATES_DROP] = SL_BINARY_FIRST, [SL_DUPLICATES_LAST] = SL_BINARY_SECOND,
        [SL_DUPLICATES_SUM] = SL_BINARY_PLUS,   [SL_DUPLICATES_MIN] = SL_BINARY_MIN,
        [SL_DUPLICATES_MAX] = SL_BINARY_MAX,    [SL_DUPLICATES_ERROR] = SL_BINARY_FIRST};
    bool has_values = stretches_valued(stretches, stretch_count);
    sl_mirror mirror = edges->mirror;
    if (mirror == SL_MIRROR_NONE && options->flags & SL_READ_SYMMETRIC)
        mirror = SL_MIRROR_SAME;
    const bool together = sl_context_processes(ctx) > 1;
    sl_status status = check_read_options(ctx, options);
    if (together)
        status = some_have_values(&has_values, ctx, status);
    if (status == SL_OK)
        status = check_edges(ctx, edges, has_values, mirror);
    if (together)
        status = sl_agree(ctx, status);
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
    if (together)
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

static sl_status check_arguments(sl_matrix **A, sl_context *ctx, const sl_edges *edges)
{
    if (!A)
        return sl_fail(ctx, SL_INVALID, "edges to matrix: A is NULL");
    if (!ctx || !edges)
        return sl_fail(ctx, SL_INVALID, "edges to matrix: %s is NULL", ctx ? "edges" : "context");
    if (edges->count > 0 && (!edges->row || !edges->col))
        return sl_fail(ctx, SL_INVALID, "edges to matrix: row or col is NULL");
    return SL_OK;
}

sl_status sl_matrix_from_edges(sl_matrix **A, sl_context *ctx, const sl_edges *edges,
                               const sl_read_options *options)
{
    static const sl_read_options defaults;
    if (A)
        *A = NULL;
    io_work before = io_begin(ctx);
    sl_status status = sl_agree(ctx, check_arguments(A, ctx, edges));
    if (status == SL_OK) {
        const stretch all = {0, edges->count, edges->row, edges->col, edges->values};
        status = assemble(A, ctx, edges, &all, 1, options ? options : &defaults);
    }
    io_end(before);
    return status;
}
