/* The road-like model. */
#include <inttypes.h>

#include "io/generate/generate.h"

/*
 * Every vertex of a side[0] x side[1] lattice keeps its edge up or its edge to the left, chosen at
 * random, and one vertex in four keeps both; vertices of the first row and column keep the only one
 * that they have. Every vertex therefore has a path to vertex 0, and the graph is connected. One
 * vertex in 256 also starts a short-cut, 2 to 8 rows down and at most 8 columns to the left or
 * right, too short to reduce the diameter to that of a small-world graph.
 *
 * The average degree is 2 (1 + 1/4 + 1/256) = 2.5 (road_usa: 2.4), about one vertex in ten has
 * degree 1, and the diameter is of the order of the sides.
 */
enum {
    SHORTCUT_LEAST_ROWS = 2,
    SHORTCUT_ROWS = 7,     /* 2 .. 8 */
    SHORTCUT_COLUMNS = 17, /* -8 .. 8 */
    ROAD_MOST = 3,         /* maximum number of edges that a vertex starts */
    ROAD_CHUNK = 1 << 14,  /* vertices per chunk */
    ROAD_BLOCK = 1 << 8    /* chunks of a block */
};

/*
 * The edges that vertex v starts, all from one random number; returns their number. Short-cuts lead
 * downwards, so that no edge is generated twice.
 */
static unsigned road_edges_of(uint64_t v, uint64_t random, const uint64_t side[2],
                              uint64_t rows[ROAD_MOST], uint64_t cols[ROAD_MOST])
{
    uint64_t i = v / side[1], j = v % side[1];
    bool both = random >> 62 == 0, upwards = (random >> 61 & 1) != 0;
    unsigned count = 0;
    if (j > 0 && (i == 0 || both || !upwards)) {
        rows[count] = v - 1;
        cols[count++] = v;
    }
    if (i > 0 && (j == 0 || both || upwards)) {
        rows[count] = v - side[1];
        cols[count++] = v;
    }
    if ((random & 0xff) == 0) {
        uint64_t down = SHORTCUT_LEAST_ROWS + ((random >> 8 & 0xffff) * SHORTCUT_ROWS >> 16);
        uint64_t right = (random >> 24 & 0xffff) * SHORTCUT_COLUMNS >> 16;
        uint64_t left = SHORTCUT_COLUMNS / 2;
        if (down < side[0] - i && j + right >= left && j + right - left < side[1]) {
            rows[count] = v;
            cols[count++] = v + down * side[1] + right - left;
        }
    }
    return count;
}

typedef struct {
    uint64_t vertices;
    uint64_t key; /* of the random numbers */
    const uint64_t *side;
} road_model;

/*
 * Generates the edges that the vertices of a chunk start. The first of them is edge number `number`
 * of the model. Writes those in `range` to rows and cols, or only counts if rows is NULL. Returns
 * the number of edges of the chunk.
 */
static uint64_t road_chunk(const road_model *m, uint64_t chunk, uint64_t number, edge_range range,
                           uint64_t *rows, uint64_t *cols)
{
    uint64_t first = chunk * ROAD_CHUNK, total = 0;
    uint64_t last = m->vertices - first < ROAD_CHUNK ? m->vertices : first + ROAD_CHUNK;
    for (uint64_t v = first; v < last; v++) {
        uint64_t row[ROAD_MOST], col[ROAD_MOST];
        unsigned count = road_edges_of(v, sl_random(m->key, v), m->side, row, col);
        for (unsigned e = 0; rows && e < count; e++) {
            uint64_t position = number + total + e -
                                range.first; /* wraps to a huge number for edges before the range */
            if (position < range.count) {
                rows[position] = row[e];
                cols[position] = col[e];
            }
        }
        total += count;
    }
    return total;
}

/* Counts the edges of every chunk, then fills in each chunk at its offset. */
sl_status generate_road(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    const uint64_t *side = model->side;
    uint64_t n;
    if (side[0] == 0 || side[1] == 0)
        return sl_fail(ctx, SL_INVALID,
                       "generate: side %d of the road network is 0; must be at least 1",
                       side[0] ? 1 : 0);
    if (side[2] > 1)
        return sl_fail(ctx, SL_INVALID,
                       "generate: a road network has two sides; the third is %" PRIu64, side[2]);
    if (__builtin_mul_overflow(side[0], side[1], &n) || n > GENERATE_LIMIT / ROAD_MOST)
        return sl_fail(ctx, SL_INVALID,
                       "generate: a road network of %" PRIu64 " x %" PRIu64
                       " vertices may have more edges than the limit, 2^60",
                       side[0], side[1]);

    const road_model m = {n, sl_random_stream(model->seed, 0), side};
    const uint64_t chunks = (n + ROAD_CHUNK - 1) / ROAD_CHUNK;
    uint64_t *first = sl_malloc(chunks * sizeof(uint64_t));
    if (!first)
        return sl_fail(ctx, SL_NO_MEMORY, "generate: no memory for %" PRIu64 " counts", chunks);
    edge_blocks counting = {.ctx = ctx, .count = chunks, .size = ROAD_BLOCK, .total = 2 * chunks};
    while (edge_blocks_next(&counting)) {
#pragma omp parallel for schedule(static)
        for (uint64_t c = counting.begin; c < counting.end; c++)
            first[c] = road_chunk(&m, c, 0, (edge_range){0}, NULL, NULL);
    }
    if (counting.status != SL_OK) {
        sl_free(first);
        return counting.status;
    }
    uint64_t total = 0;
    for (uint64_t c = 0; c < chunks; c++) {
        uint64_t count = first[c];
        first[c] = total;
        total += count;
    }

    edge_range range;
    sl_status status = generator_alloc_edges(edges, ctx, n, total, &range);
    if (status == SL_OK) {
        uint64_t *rows = edges->row, *cols = edges->col;
        edge_blocks b = {
            .ctx = ctx, .count = chunks, .size = ROAD_BLOCK, .before = chunks, .total = 2 * chunks};
        while (edge_blocks_next(&b)) {
#pragma omp parallel for schedule(static)
            for (uint64_t c = b.begin; c < b.end; c++) {
                uint64_t next = c + 1 < chunks ? first[c + 1] : total;
                if (first[c] < range.first + range.count && next > range.first)
                    road_chunk(&m, c, first[c], range, rows, cols);
            }
        }
        status = b.status;
    }
    sl_free(first);
    return status;
}
