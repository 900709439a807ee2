/* Matrices and vectors of a model's tuples, where an engine makes these by itself. */
#include <semla/tuples.h>

#include "check.h"

bool sl_tuples_offered(sl_context *ctx, const sl_tuple_source *source)
{
    sl_call call = {.op = SL_OP_GENERATE, .ctx = ctx, .tuples = source};
    return sl_dispatch_supports(&call);
}

sl_status sl_tuples_matrix(sl_matrix **A, sl_context *ctx, const sl_tuple_source *source)
{
    SL_TRY(sl_matrix_new(A, ctx, SL_BOOL, source->vertices, source->vertices));
    sl_call call = {.op = SL_OP_GENERATE, .ctx = ctx, .out = OF_M(*A), .tuples = source};
    sl_status status = sl_dispatch(&call);
    if (status == SL_OK && source->mirrored)
        status = sl_matrix_promise_symmetric(*A);
    if (status != SL_OK) {
        sl_matrix_free(*A);
        *A = NULL;
    }
    return status;
}

sl_status sl_tuples_ends(sl_vector **ends, sl_vector **joined, sl_context *ctx,
                         const sl_tuple_source *source)
{
    *joined = NULL;
    SL_TRY(sl_vector_new(ends, ctx, SL_INT64, source->vertices));
    sl_status status = sl_vector_new(joined, ctx, SL_BOOL, source->vertices);
    if (status == SL_OK) {
        sl_call call = {.op = SL_OP_TUPLE_ENDS,
                        .ctx = ctx,
                        .out = OF_V(*ends),
                        .second_out = OF_V(*joined),
                        .tuples = source};
        status = sl_dispatch(&call);
    }
    if (status != SL_OK) {
        sl_vector_free(*ends);
        sl_vector_free(*joined);
        *ends = *joined = NULL;
    }
    return status;
}

sl_status sl_tuples_check_tree(sl_tree_check *check, const sl_vector *parent,
                               const sl_tuple_source *source, uint64_t root)
{
    *check = (sl_tree_check){0};
    sl_call call = {.op = SL_OP_CHECK_TREE,
                    .ctx = sl_vector_context(parent),
                    .a = OF_V(parent),
                    .tuples = source,
                    .row = root,
                    .tree = check};
    return sl_dispatch(&call);
}
