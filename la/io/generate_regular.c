/* Models without chance: path, star, complete, grid. */
#include <inttypes.h>

#include "generate.h"

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
 * Joins each vertex to the next one along an axis of a lattice in row-major
 * order: `side` vertices lie along the axis, `stride` indices apart. These are
 * vertices / side * (side - 1) of the model's tuples, from number `first` on: writes
 * those that are this process's, and returns the number of the tuple after them all.
 */
static uint64_t join_along(sl_edges *edges, tuple_part part, uint64_t first, uint64_t side,
                           uint64_t stride)
{
    const uint64_t slab = stride * (side - 1); /* edges that start in one run of the axis */
    const uint64_t end = first + edges->nrows / side * (side - 1);
    const uint64_t from = greater(first, part.first), to = lesser(end, part.first + part.count);
    uint64_t *rows = edges->row, *cols = edges->col;
#pragma omp parallel for schedule(static)
    for (uint64_t t = from; t < to; t++) {
        uint64_t e = t - first, start = e + e / slab * stride; /* each run's last start none */
        rows[t - part.first] = start;
        cols[t - part.first] = start + stride;
    }
    return end;
}

/* 0 - 1 - 2 - ... */
sl_status sl_generate_path(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    uint64_t n = model->vertices;
    if (n == 0)
        return no_vertices(ctx, "path");
    tuple_part part;
    sl_status status = sl_generate_room(edges, ctx, n, n - 1, &part);
    if (status == SL_OK)
        join_along(edges, part, 0, n, 1);
    return status;
}

/* 0 to all others. */
sl_status sl_generate_star(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    uint64_t n = model->vertices;
    if (n == 0)
        return no_vertices(ctx, "star");
    tuple_part part;
    sl_status status = sl_generate_room(edges, ctx, n, n - 1, &part);
    if (status != SL_OK)
        return status;
    uint64_t *rows = edges->row, *cols = edges->col;
#pragma omp parallel for schedule(static)
    for (uint64_t e = 0; e < part.count; e++) {
        rows[e] = 0;
        cols[e] = part.first + e + 1;
    }
    return SL_OK;
}

/* Every pair i < j, in row-major order. */
sl_status sl_generate_complete(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    uint64_t n = model->vertices, count;
    if (n == 0)
        return no_vertices(ctx, "complete graph");
    if (__builtin_mul_overflow(n, n - 1, &count) || count / 2 > GENERATE_LIMIT)
        return sl_fail(ctx, SL_INVALID,
                       "generate: a complete graph of %" PRIu64
                       " vertices has more edges than the limit, 2^60",
                       n);
    tuple_part part;
    sl_status status = sl_generate_room(edges, ctx, n, count / 2, &part);
    if (status != SL_OK)
        return status;
    uint64_t *rows = edges->row, *cols = edges->col;
#pragma omp parallel for schedule(dynamic, 16)
    for (uint64_t i = 0; i < n; i++) {
        uint64_t before = i * (2 * n - i - 1) / 2; /* edges of the rows before */
        uint64_t from = greater(before, part.first);
        uint64_t to = lesser(before + n - 1 - i, part.first + part.count);
        for (uint64_t e = from; e < to; e++) {
            rows[e - part.first] = i;
            cols[e - part.first] = i + 1 + e - before;
        }
    }
    return SL_OK;
}

/* A lattice of two or three sides, vertices in row-major order (the last side
 * runs fastest); the edges along the last side come first. */
sl_status sl_generate_grid(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    const uint64_t side[3] = {model->side[0], model->side[1], model->side[2] ? model->side[2] : 1};
    uint64_t n;
    if (side[0] == 0 || side[1] == 0)
        return sl_fail(ctx, SL_INVALID, "generate: side %d of the grid is 0", side[0] ? 1 : 0);
    if (__builtin_mul_overflow(side[0], side[1], &n) || __builtin_mul_overflow(n, side[2], &n) ||
        n > GENERATE_LIMIT)
        return sl_fail(ctx, SL_INVALID,
                       "generate: a grid of %" PRIu64 " x %" PRIu64 " x %" PRIu64
                       " has more vertices than the limit, 2^60",
                       side[0], side[1], side[2]);
    uint64_t count = 0;
    for (int axis = 0; axis < 3; axis++)
        count += n / side[axis] * (side[axis] - 1);
    tuple_part part;
    sl_status status = sl_generate_room(edges, ctx, n, count, &part);
    if (status != SL_OK)
        return status;
    uint64_t filled = 0, stride = 1;
    for (int axis = 2; axis >= 0; axis--) {
        filled = join_along(edges, part, filled, side[axis], stride);
        stride *= side[axis];
    }
    return SL_OK;
}
