/* The road-like model. */
#include <inttypes.h>

#include "generate.h"

/*
 * Every vertex of a side[0] x side[1] lattice keeps its edge up or its edge to
 * the left, by chance, and one in four keeps both; along the upper and the left
 * border the only edge there is stays. So each vertex has a way to vertex 0, and
 * the graph is connected. One vertex in 256 starts a shortcut as well, 2 to 8
 * rows down and at most 8 columns aside: too short to make the world small.
 *
 * The average degree is 2 (1 + 1/4 + 1/256) = 2.5 (roads: road_usa 2.4), about
 * one vertex in ten is a dead end, the diameter is of the order of the sides.
 */
enum {
    SHORTCUT_LEAST_ROWS = 2,
    SHORTCUT_ROWS = 7,     /* 2 .. 8 */
    SHORTCUT_COLUMNS = 17, /* -8 .. 8 */
    ROAD_MOST = 3,         /* edges that a vertex may bring */
    ROAD_CHUNK = 1 << 14   /* vertices that are counted and filled in together */
};

/* The edges that vertex v brings, all from one draw; returns how many. Its
 * shortcut leads downwards, so that no edge is brought twice. */
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

/* Writes those of the part's edges that the chunk's vertices bring, the first of which is
 * number `number` of all, to rows and cols, or only counts the chunk's edges if these are
 * NULL; returns how many these are. */
static uint64_t road_chunk(uint64_t chunk, uint64_t vertices, uint64_t key, const uint64_t side[2],
                           uint64_t number, tuple_part part, uint64_t *rows, uint64_t *cols)
{
    uint64_t first = chunk * ROAD_CHUNK, total = 0;
    uint64_t last = vertices - first < ROAD_CHUNK ? vertices : first + ROAD_CHUNK;
    for (uint64_t v = first; v < last; v++) {
        uint64_t row[ROAD_MOST], col[ROAD_MOST];
        unsigned count = road_edges_of(v, sl_draw(key, v), side, row, col);
        for (unsigned e = 0; rows && e < count; e++) {
            uint64_t place = number + total + e - part.first; /* before the part: huge */
            if (place < part.count) {
                rows[place] = row[e];
                cols[place] = col[e];
            }
        }
        total += count;
    }
    return total;
}

/* Counts the edges of every chunk, and fills each chunk in at its place. */
sl_status sl_generate_road(sl_edges *edges, sl_context *ctx, const sl_generator *model)
{
    const uint64_t *side = model->side;
    uint64_t n;
    if (side[0] == 0 || side[1] == 0)
        return sl_fail(ctx, SL_INVALID, "generate: side %d of the road network is 0",
                       side[0] ? 1 : 0);
    if (side[2] > 1)
        return sl_fail(ctx, SL_INVALID,
                       "generate: a road network has two sides; the third is %" PRIu64, side[2]);
    if (__builtin_mul_overflow(side[0], side[1], &n) || n > GENERATE_LIMIT / ROAD_MOST)
        return sl_fail(ctx, SL_INVALID,
                       "generate: a road network of %" PRIu64 " x %" PRIu64
                       " vertices may have more edges than the limit, 2^60",
                       side[0], side[1]);

    const uint64_t key = sl_stream(model->seed, 0), chunks = (n + ROAD_CHUNK - 1) / ROAD_CHUNK;
    uint64_t *first = sl_malloc(chunks * sizeof(uint64_t));
    if (!first)
        return sl_fail(ctx, SL_NO_MEMORY, "generate: no memory for %" PRIu64 " counts", chunks);
#pragma omp parallel for schedule(static)
    for (uint64_t c = 0; c < chunks; c++)
        first[c] = road_chunk(c, n, key, side, 0, (tuple_part){0}, NULL, NULL);
    uint64_t total = 0;
    for (uint64_t c = 0; c < chunks; c++) {
        uint64_t count = first[c];
        first[c] = total;
        total += count;
    }

    tuple_part part;
    sl_status status = sl_generate_room(edges, ctx, n, total, &part);
    if (status == SL_OK) {
        uint64_t *rows = edges->row, *cols = edges->col;
#pragma omp parallel for schedule(static)
        for (uint64_t c = 0; c < chunks; c++) {
            uint64_t next = c + 1 < chunks ? first[c + 1] : total;
            if (first[c] < part.first + part.count && next > part.first)
                road_chunk(c, n, key, side, first[c], part, rows, cols);
        }
    }
    sl_free(first);
    return status;
}
