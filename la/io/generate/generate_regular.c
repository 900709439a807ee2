/* Deterministic models: path, star, complete, grid. */
#include <inttypes.h>

#include "io/files/scope.h"
#include "io/generate/generate.h"

static sl_status no_vertices(sl_context *ctx, const char *what)
{
    return sl_fail(ctx, SL_INVALID, "generate: a %s needs at least 1 vertex", what);
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}
static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/*
 * Joins each vertex to the next one along an axis of a lattice in row-major order: `side` vertices
 * along the axis, `stride` indices apart. These are vertices / side * (side - 1) edges of the
 * model, starting at number *first. Writes those in this process's range and sets *first to the
 * number after the last of them.
 */
static sl_status join_along(sl_edges *edges, sl_context *ctx, edge_range range, uint64_t *first,
                            uint64_t side, uint64_t stride)
{
    const uint64_t slab =
        stride * (side - 1); /* edges that start in one stretch of `side` vertices along the axis */
    const uint64_t zero = *first, end = zero + edges->nrows / side * (side - 1);
    const uint64_t from = greater(zero, range.first), to = lesser(end, range.first + range.count);
    uint64_t *rows = edges->row, *cols = edges->col;
    edge_blocks b = {.ctx = ctx,
                     .count = from < to ? to - from : 0,
                     .before = from - range.first,
                     .total = range.count};
    while (edge_blocks_next(&b)) {
#pragma omp parallel for schedule(static)
        for (uint64_t t = from + b.begin; t < from + b.end; t++) {
            uint64_t e = t - zero,
                     start =
                         e + e / slab * stride; /* the last vertices along the axis start no edge */
            rows[t - range.first] = start;
            cols[t - range.first] = start + stride;
        }
    }
    *first = end;
    return b.status;
}

/* Edges v to v + 1. */
sl_status generate_path(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    uint64_t n = model->vertices;
    if (n == 0)
        return no_vertices(ctx, "path");
    edge_range range;
    uint64_t first = 0;
    sl_status status = generator_alloc_edges(edges, ctx, n, n - 1, &range);
    return status == SL_OK ? join_along(edges, ctx, range, &first, n, 1) : status;
}

/* Edges from vertex 0 to all others. */
sl_status generate_star(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    uint64_t n = model->vertices;
    if (n == 0)
        return no_vertices(ctx, "star");
    edge_range range;
    sl_status status = generator_alloc_edges(edges, ctx, n, n - 1, &range);
    if (status != SL_OK)
        return status;
    uint64_t *rows = edges->row, *cols = edges->col;
    edge_blocks b = {.ctx = ctx, .count = range.count};
    while (edge_blocks_next(&b)) {
#pragma omp parallel for schedule(static)
        for (uint64_t e = b.begin; e < b.end; e++) {
            rows[e] = 0;
            cols[e] = range.first + e + 1;
        }
    }
    return b.status;
}

/* All pairs i < j in row-major order. */
sl_status generate_complete(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    uint64_t n = model->vertices, count;
    if (n == 0)
        return no_vertices(ctx, "complete graph");
    if (__builtin_mul_overflow(n, n - 1, &count) || count / 2 > GENERATE_LIMIT)
        return sl_fail(ctx, SL_INVALID,
                       "generate: a complete graph of %" PRIu64
                       " vertices has more edges than the limit, 2^60",
                       n);
    edge_range range;
    sl_status status = generator_alloc_edges(edges, ctx, n, count / 2, &range);
    if (status != SL_OK)
        return status;
    uint64_t *rows = edges->row, *cols = edges->col;
#pragma omp parallel for schedule(dynamic, 16)
    for (uint64_t i = 0; i < n; i++) {
        if (io_stopped(ctx, "generate", &status))
            continue;
        uint64_t before = i * (2 * n - i - 1) / 2; /* number of edges in the rows before row i */
        uint64_t from = greater(before, range.first);
        uint64_t to = lesser(before + n - 1 - i, range.first + range.count);
        for (uint64_t e = from; e < to; e++) {
            rows[e - range.first] = i;
            cols[e - range.first] = i + 1 + e - before;
        }
    }
    return status;
}

/*
 * A lattice of two or three sides. Vertices are in row-major order (the last index varies fastest);
 * the edges along the last side come first.
 */
sl_status generate_grid(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    const uint64_t side[3] = {model->side[0], model->side[1], model->side[2] ? model->side[2] : 1};
    uint64_t n;
    if (side[0] == 0 || side[1] == 0)
        return sl_fail(ctx, SL_INVALID, "generate: side %d of the grid is 0; must be at least 1",
                       side[0] ? 1 : 0);
    if (__builtin_mul_overflow(side[0], side[1], &n) || __builtin_mul_overflow(n, side[2], &n) ||
        n > GENERATE_LIMIT)
        return sl_fail(ctx, SL_INVALID,
                       "generate: a grid of %" PRIu64 " x %" PRIu64 " x %" PRIu64
                       " has more vertices than the limit, 2^60",
                       side[0], side[1], side[2]);
    uint64_t count = 0;
    for (int axis = 0; axis < 3; axis++)
        count += n / side[axis] * (side[axis] - 1);
    edge_range range;
    sl_status status = generator_alloc_edges(edges, ctx, n, count, &range);
    if (status != SL_OK)
        return status;
    uint64_t filled = 0, stride = 1;
    for (int axis = 2; axis >= 0 && status == SL_OK; axis--) {
        status = join_along(edges, ctx, range, &filled, side[axis], stride);
        stride *= side[axis];
    }
    return status;
}
