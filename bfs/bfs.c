/* Breadth-first search: the closure of one vertex over a select-parent semiring. */
#include "bfs_arguments.h"

#include <inttypes.h>

/* The set of targets as a vector's pattern; NULL for none. */
static sl_status target_set(sl_vector **targets, const sl_matrix *A, const sl_bfs_options *o)
{
    *targets = NULL;
    sl_context *ctx = sl_matrix_context(A);
    uint64_t n = sl_matrix_nrows(A);
    if (o->ntargets == 0)
        return SL_OK;
    if (!o->targets)
        return sl_fail(ctx, SL_INVALID, "bfs: targets is NULL");
    for (size_t k = 0; k < o->ntargets; k++)
        if (o->targets[k] >= n)
            return sl_fail(ctx, SL_OUT_OF_RANGE,
                           "bfs: target %" PRIu64 " is out of range: there are %" PRIu64
                           " vertices",
                           o->targets[k], n);
    sl_status status = sl_vector_new(targets, ctx, SL_BOOL, n);
    if (status == SL_OK)
        status = sl_vector_build(*targets, o->targets, NULL, o->ntargets, SL_ANY_BOOL);
    return status;
}

static sl_status check_width(const sl_matrix *A, const sl_bfs_options *o)
{
    const uint64_t n = sl_matrix_nrows(A), most = (uint64_t)INT32_MAX + 1;
    return !o->int32 || n <= most
               ? SL_OK
               : sl_fail(sl_matrix_context(A), SL_OUT_OF_RANGE,
                         "bfs: %" PRIu64 " vertices are too many for int32, which numbers %" PRIu64,
                         n, most);
}

sl_status sl_bfs(sl_vector **parent, sl_vector **level, const sl_matrix *A, uint64_t source,
                 const sl_bfs_options *options)
{
    static const sl_bfs_options defaults;
    const sl_bfs_options *o = options ? options : &defaults;
    sl_status status = sl_bfs_check_arguments(parent, level, A, source);
    if (status != SL_OK)
        return status;

    const sl_type type = o->int32 ? SL_INT32 : SL_INT64;
    const sl_semiring_code parents =
        o->deterministic ? SL_SEMIRING_MIN_SECONDI : SL_SEMIRING_ANY_SECONDI;
    sl_semiring select = parent ? sl_semiring_get(parents, type) : SL_ANY_PAIR_BOOL;
    sl_context *ctx = sl_matrix_context(A);
    const uint64_t n = sl_matrix_nrows(A);
    sl_vector *pi = NULL, *depth = NULL, *targets = NULL;
    TRY(check_width(A, o));
    TRY(target_set(&targets, A, o));
    TRY(sl_vector_new(&pi, ctx, select->result, n));
    if (level)
        TRY(sl_vector_new(&depth, ctx, type, n));

    sl_closure_options closure = {.from_source = true,
                                  .source = source,
                                  .direction = o->direction,
                                  .bounded = o->bounded,
                                  .max_iterations = o->max_depth,
                                  .targets = targets,
                                  .until = o->until,
                                  .level = depth,
                                  .log = o->log};
    TRY(sl_closure(pi, NULL, A, select, &closure));
out:
    sl_vector_free(targets);
    sl_return_vector(parent, pi, status);
    sl_return_vector(level, depth, status);
    return status;
}
