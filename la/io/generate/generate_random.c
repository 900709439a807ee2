/* Random models of which every edge is independent of the others: Kronecker and uniform. */
#include <inttypes.h>
#include <math.h>

#include "generate.h"

enum { KRONECKER_MAX_SCALE = 40, KRONECKER_EDGE_FACTOR = 16 };
enum { WEIGHT_STREAM = 2 }; /* of the seed; 0 and 1 are those of edges and vertex labels */

static sl_status kronecker(sl_edge_generator *generator, sl_context *ctx, const sl_generator *model)
{
    unsigned scale = model->scale;
    double factor = model->edge_factor != 0 ? model->edge_factor : KRONECKER_EDGE_FACTOR;
    if (scale > KRONECKER_MAX_SCALE)
        return sl_fail(ctx, SL_INVALID, "generate: scale %u is above the limit %d", scale,
                       KRONECKER_MAX_SCALE);
    if (!(factor > 0) || !isfinite(factor))
        return sl_fail(ctx, SL_INVALID, "generate: edge factor is %g; must be a positive number",
                       factor);
    double wanted = round(ldexp(factor, (int)scale));
    if (wanted > (double)GENERATE_LIMIT)
        return sl_fail(ctx, SL_INVALID,
                       "generate: %g edges (edge factor %g, scale %u) are above the limit 2^60",
                       wanted, factor, scale);
    *generator =
        (sl_edge_generator){.model = SL_EDGES_KRONECKER,
                            .vertices = UINT64_C(1) << scale,
                            .count = (uint64_t)wanted,
                            .key = sl_random_stream(model->seed, 0),
                            .scale = scale,
                            .labels = sl_scramble_make(sl_random_stream(model->seed, 1), scale)};
    return SL_OK;
}

static sl_status uniform(sl_edge_generator *generator, sl_context *ctx, const sl_generator *model)
{
    if (model->vertices == 0)
        return sl_fail(ctx, SL_INVALID, "generate: a uniform graph needs at least 1 vertex");
    *generator = (sl_edge_generator){.model = SL_EDGES_UNIFORM,
                                     .vertices = model->vertices,
                                     .count = model->edges,
                                     .key = sl_random_stream(model->seed, 0)};
    return SL_OK;
}

sl_status generator_edges(sl_edge_generator *generator, sl_context *ctx, const sl_generator *model,
                          unsigned flags)
{
    sl_status status = model->model == SL_MODEL_KRONECKER ? kronecker(generator, ctx, model)
                                                          : uniform(generator, ctx, model);
    if (status != SL_OK)
        return status;
    generator->mirrored = flags & SL_READ_SYMMETRIC;
    generator->no_loops = flags & SL_READ_NO_LOOPS;
    generator->weighted = model->weighted;
    generator->weight_key = sl_random_stream(model->seed, WEIGHT_STREAM);
    return SL_OK;
}

static sl_status alloc_weights(sl_edges *edges, sl_context *ctx)
{
    edges->type = SL_FP64;
    edges->values = sl_malloc((edges->count + 1) * sizeof(double));
    return edges->values
               ? SL_OK
               : sl_fail(ctx, SL_NO_MEMORY,
                         "generate: no memory for the weights of %" PRIu64 " edges", edges->count);
}

sl_status generate_random(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    sl_edge_generator generator;
    edge_range range;
    sl_status status = generator_edges(&generator, ctx, model, 0);
    if (status == SL_OK)
        status = generator_alloc_edges(edges, ctx, generator.vertices, generator.count, &range);
    if (status != SL_OK)
        return status;
    if (model->weighted)
        status = alloc_weights(edges, ctx);
    if (status != SL_OK)
        return status;
    uint64_t *rows = edges->row, *cols = edges->col;
    double *weights = edges->values;
    edge_blocks b = {.ctx = ctx, .count = range.count};
    while (edge_blocks_next(&b)) {
#pragma omp parallel for schedule(static)
        for (uint64_t k = b.begin; k < b.end; k++) {
            sl_generate_edge(&generator, range.first + k, &rows[k], &cols[k]);
            if (weights)
                weights[k] = sl_edge_weight(&generator, range.first + k);
        }
    }
    return b.status;
}
