/*
 * Breadth-first search: the closure of the source over a semiring that selects one parent for each
 * vertex (any_secondi, or min_secondi for the least), or over any_pair if only levels are
 * requested. The engine chooses push or pull for each level. O(edges).
 */
#include <semla/bfs.h>

#include "bfs/bfs_arguments.h"

#include <inttypes.h>

/* The targets as the pattern of a vector; NULL if there are none. */
static sl_status make_targets(sl_vector **targets, const sl_matrix *A, const sl_bfs_options *o)
{
    *targets = NULL;
    if (o->ntargets == 0)
        return SL_OK;
    sl_status status = sl_vector_new(targets, sl_matrix_context(A), SL_BOOL, sl_matrix_nrows(A));
    if (status == SL_OK)
        status = sl_vector_build(*targets, o->targets, NULL, o->ntargets, SL_ANY_BOOL);
    return status;
}

static sl_status check_int32(const sl_matrix *A, const sl_bfs_options *o)
{
    const uint64_t n = sl_matrix_nrows(A), most = (uint64_t)INT32_MAX + 1;
    return !o->int32 || n <= most ? SL_OK
                                  : sl_fail(sl_matrix_context(A), SL_OUT_OF_RANGE,
                                            "bfs: the graph has %" PRIu64
                                            " vertices; int32 results can number %" PRIu64,
                                            n, most);
}

static sl_status check_arguments(sl_vector **parent, sl_vector **level, const sl_matrix *A,
                                 uint64_t source, const sl_bfs_options *o)
{
    sl_status status = sl_bfs_check_arguments(parent, level, A, source);
    if (status == SL_OK)
        status = check_int32(A, o);
    if (status == SL_OK)
        status = sl_require_vertices("bfs", "target", A, o->targets, o->ntargets);
    return AGREE(A, status, "bfs",
                 "parent %d\nlevel %d\nsource %llu\ndirection %d\ndeterministic %d\n"
                 "max_depth %lld\ntargets #%llx\nuntil %d\nlog %d\nint32 %d\n",
                 parent != NULL, level != NULL, (unsigned long long)source, (int)o->direction,
                 o->deterministic, o->bounded ? (long long)o->max_depth : -1,
                 sl_list_hash(sl_matrix_context(A), o->targets, o->ntargets),
                 o->ntargets ? (int)o->until : 0, o->log != NULL, o->int32);
}

sl_status sl_bfs(sl_vector **parent, sl_vector **level, const sl_matrix *A, uint64_t source,
                 const sl_bfs_options *options)
{
    static const sl_bfs_options defaults;
    const sl_bfs_options *o = options ? options : &defaults;
    sl_status status = check_arguments(parent, level, A, source, o);
    if (status != SL_OK)
        return status;

    const sl_type type = o->int32 ? SL_INT32 : SL_INT64;
    const sl_semiring_code parents =
        o->deterministic ? SL_SEMIRING_MIN_SECONDI : SL_SEMIRING_ANY_SECONDI;
    sl_semiring select = parent ? sl_semiring_get(parents, type) : SL_ANY_PAIR_BOOL;
    sl_context *ctx = sl_matrix_context(A);
    const uint64_t n = sl_matrix_nrows(A);
    sl_vector *pi = NULL, *depth = NULL, *targets = NULL;
    TRY(make_targets(&targets, A, o));
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
