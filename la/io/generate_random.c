/* Random models whose edges are independent of each other: Kronecker and uniform. */
#include <inttypes.h>
#include <math.h>

#include "generate.h"

enum { KRONECKER_MAX_SCALE = 40, KRONECKER_EDGE_FACTOR = 16 };

static sl_status kronecker(sl_tuple_source *source, sl_context *ctx, const sl_generator *model)
{
    unsigned scale = model->scale;
    double factor = model->edge_factor != 0 ? model->edge_factor : KRONECKER_EDGE_FACTOR;
    if (scale > KRONECKER_MAX_SCALE)
        return sl_fail(ctx, SL_INVALID, "generate: scale %u, the limit is %d", scale,
                       KRONECKER_MAX_SCALE);
    if (!(factor > 0) || !isfinite(factor))
        return sl_fail(ctx, SL_INVALID, "generate: edge factor %g is not a positive number",
                       factor);
    double wanted = round(ldexp(factor, (int)scale));
    if (wanted > (double)GENERATE_LIMIT)
        return sl_fail(ctx, SL_INVALID,
                       "generate: %g edges (edge factor %g, scale %u), the limit is 2^60", wanted,
                       factor, scale);
    *source = (sl_tuple_source){.model = SL_TUPLES_KRONECKER,
                                .vertices = UINT64_C(1) << scale,
                                .count = (uint64_t)wanted,
                                .key = sl_stream(model->seed, 0),
                                .scale = scale,
                                .labels = sl_scramble_make(sl_stream(model->seed, 1), scale)};
    return SL_OK;
}

static sl_status uniform(sl_tuple_source *source, sl_context *ctx, const sl_generator *model)
{
    if (model->vertices == 0)
        return sl_fail(ctx, SL_INVALID, "generate: a uniform graph needs at least 1 vertex");
    *source = (sl_tuple_source){.model = SL_TUPLES_UNIFORM,
                                .vertices = model->vertices,
                                .count = model->edges,
                                .key = sl_stream(model->seed, 0)};
    return SL_OK;
}

sl_status sl_generator_source(sl_tuple_source *source, sl_context *ctx, const sl_generator *model,
                              unsigned flags)
{
    sl_status status = model->model == SL_MODEL_KRONECKER ? kronecker(source, ctx, model)
                                                          : uniform(source, ctx, model);
    if (status != SL_OK)
        return status;
    source->mirrored = flags & SL_READ_SYMMETRIC;
    source->no_loops = flags & SL_READ_NO_LOOPS;
    return SL_OK;
}

sl_status sl_generate_random(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    sl_tuple_source source;
    tuple_part part;
    sl_status status = sl_generator_source(&source, ctx, model, 0);
    if (status == SL_OK)
        status = sl_generate_room(edges, ctx, source.vertices, source.count, &part);
    if (status != SL_OK)
        return status;
    uint64_t *rows = edges->row, *cols = edges->col;
#pragma omp parallel for schedule(static)
    for (uint64_t k = 0; k < part.count; k++)
        sl_tuple(&source, part.first + k, &rows[k], &cols[k]);
    return SL_OK;
}
