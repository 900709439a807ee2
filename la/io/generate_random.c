/* Random models whose edges are independent of each other: Kronecker and uniform. */
#include <inttypes.h>
#include <math.h>

#include "generate.h"

enum { KRONECKER_MAX_SCALE = 40, KRONECKER_EDGE_FACTOR = 16 };

/* Where the quadrants A, B and C end on [0, 2^32). */
static const uint32_t A_END = (uint32_t)(0.57 * 0x1p32 + 0.5);
static const uint32_t B_END = (uint32_t)(0.76 * 0x1p32 + 0.5);
static const uint32_t C_END = (uint32_t)(0.95 * 0x1p32 + 0.5);

/* One level down: the quadrant that `random` falls into adds a bit to each end. */
static inline void descend(uint64_t *row, uint64_t *col, uint32_t random)
{
    uint64_t beyond_a = random >= A_END, beyond_b = random >= B_END, beyond_c = random >= C_END;
    *row = *row << 1 | beyond_b;
    *col = *col << 1 | (beyond_a ^ beyond_b ^ beyond_c);
}

/*
 * The generator of the Graph500 specification (section "Generating the edge
 * list"): each edge descends `scale` times into one of the four quadrants of the
 * adjacency matrix. A level takes 32 bits of a draw. The specification permutes
 * the edges afterwards; here they are independent of each other to begin with.
 */
sl_status sl_generate_kronecker(sl_edges *edges, sl_context *ctx, const sl_generator *model)
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
    tuple_part part;
    sl_status status = sl_generate_room(edges, ctx, UINT64_C(1) << scale, (uint64_t)wanted, &part);
    if (status != SL_OK)
        return status;

    const uint64_t key = stream(model->seed, 0);
    const unsigned draws = (scale + 1) / 2; /* per edge */
    const scramble labels = scramble_make(stream(model->seed, 1), scale);
    uint64_t *rows = edges->row, *cols = edges->col;
#pragma omp parallel for schedule(static)
    for (uint64_t e = 0; e < part.count; e++) {
        uint64_t row = 0, col = 0, position = (part.first + e) * draws;
        for (unsigned level = 1; level < scale; level += 2) {
            uint64_t random = draw(key, position++);
            descend(&row, &col, (uint32_t)random);
            descend(&row, &col, (uint32_t)(random >> 32));
        }
        if (scale % 2 == 1)
            descend(&row, &col, (uint32_t)draw(key, position));
        rows[e] = scrambled(&labels, row);
        cols[e] = scrambled(&labels, col);
    }
    return SL_OK;
}

/* Both ends of every edge are drawn from all vertices alike. */
sl_status sl_generate_uniform(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    uint64_t n = model->vertices;
    if (n == 0)
        return sl_fail(ctx, SL_INVALID, "generate: a uniform graph needs at least 1 vertex");
    tuple_part part;
    sl_status status = sl_generate_room(edges, ctx, n, model->edges, &part);
    if (status != SL_OK)
        return status;

    const uint64_t key = stream(model->seed, 0);
    uint64_t *rows = edges->row, *cols = edges->col;
#pragma omp parallel for schedule(static)
    for (uint64_t e = 0; e < part.count; e++) {
        rows[e] = below(draw(key, 2 * (part.first + e)), n);
        cols[e] = below(draw(key, 2 * (part.first + e) + 1), n);
    }
    return SL_OK;
}
