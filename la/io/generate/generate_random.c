/* Random models of which every edge is independent of the others: Kronecker and uniform. */
#include <inttypes.h>
#include <math.h>

#include "io/generate/generate.h"

enum { KRONECKER_MAX_SCALE = 40, KRONECKER_EDGE_FACTOR = 16 };

/* The probabilities of the quadrants A, B, C of an adjacency matrix, if the model gives none. */
static const double graph500_quadrants[3] = {0.57, 0.19, 0.19};

/* Sets the random numbers of the quadrants. */
static sl_status set_quadrants(sl_edge_generator *generator, sl_context *ctx,
                               const sl_generator *model)
{
    const bool given = model->a != 0 || model->b != 0 || model->c != 0;
    const double a = given ? model->a : graph500_quadrants[0];
    const double b = given ? model->b : graph500_quadrants[1];
    const double c = given ? model->c : graph500_quadrants[2];
    /* The sum of probabilities such as 0.6, 0.3 and 0.1 may exceed 1 by an error of rounding. */
    if (!(a >= 0x1p-32 && b >= 0 && c >= 0 && a + b + c <= 1 + 0x1p-50))
        return sl_fail(
            ctx, SL_INVALID,
            "generate: the probabilities of quadrants are a = %g, b = %g, c = %g; a must "
            "be above 0, b and c at least 0, and their sum at most 1",
            a, b, c);
    generator->last[0] = sl_kronecker_last(a);
    generator->last[1] = sl_kronecker_last(a + b);
    generator->last[2] = sl_kronecker_last(a + b + c);
    return SL_OK;
}

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
    return set_quadrants(generator, ctx, model);
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
    return model->weighted ? generator_weights(&generator->weights, ctx, model) : SL_OK;
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
    uint64_t *rows = edges->row, *cols = edges->col;
    edge_blocks b = {.ctx = ctx, .count = range.count};
    while (edge_blocks_next(&b)) {
#pragma omp parallel for schedule(static)
        for (uint64_t k = b.begin; k < b.end; k++)
            sl_generate_edge(&generator, range.first + k, &rows[k], &cols[k]);
    }
    return b.status == SL_OK && model->weighted
               ? generate_weights(edges, ctx, &generator.weights, range.first)
               : b.status;
}
