/* Matrices and vectors of random graphs that an engine generates; see edge_generator.h. */
#include <semla/edge_generator.h>

#include "la/core/check.h"

bool sl_edge_generator_supported(sl_context *ctx, const sl_edge_generator *generator)
{
    sl_call call = {.op = SL_OP_GENERATE, .ctx = ctx, .edges = generator};
    return sl_dispatch_supports(&call);
}

sl_status sl_edge_generator_matrix(sl_matrix **A, sl_context *ctx,
                                   const sl_edge_generator *generator)
{
    const sl_type type = generator->weighted ? sl_edge_weights_type(&generator->weights) : SL_BOOL;
    SL_TRY(sl_matrix_new(A, ctx, type, generator->vertices, generator->vertices));
    sl_call call = {.op = SL_OP_GENERATE, .ctx = ctx, .out = OF_M(*A), .edges = generator};
    sl_status status = sl_dispatch(&call);
    if (status == SL_OK && generator->mirrored)
        status = sl_matrix_promise_symmetric(*A);
    if (status != SL_OK) {
        sl_matrix_free(*A);
        *A = NULL;
    }
    return status;
}

sl_status sl_edge_generator_degrees(sl_vector **degrees, sl_vector **non_isolated, sl_context *ctx,
                                    const sl_edge_generator *generator)
{
    *non_isolated = NULL;
    SL_TRY(sl_vector_new(degrees, ctx, SL_INT64, generator->vertices));
    sl_status status = sl_vector_new(non_isolated, ctx, SL_BOOL, generator->vertices);
    if (status == SL_OK) {
        sl_call call = {.op = SL_OP_EDGE_DEGREES,
                        .ctx = ctx,
                        .out = OF_V(*degrees),
                        .second_out = OF_V(*non_isolated),
                        .edges = generator};
        status = sl_dispatch(&call);
    }
    if (status != SL_OK) {
        sl_vector_free(*degrees);
        sl_vector_free(*non_isolated);
        *degrees = *non_isolated = NULL;
    }
    return status;
}

sl_status sl_edge_generator_check_tree(sl_tree_check *check, const sl_vector *parent,
                                       const sl_edge_generator *generator, uint64_t root)
{
    *check = (sl_tree_check){0};
    sl_call call = {.op = SL_OP_CHECK_TREE,
                    .ctx = sl_vector_context(parent),
                    .a = OF_V(parent),
                    .edges = generator,
                    .row = root,
                    .tree = check};
    return sl_dispatch(&call);
}
