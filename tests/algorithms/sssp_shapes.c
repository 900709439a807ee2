/*
 * Shortest paths on graphs by whose shape or size an engine chooses another way, on every engine,
 * checked by certificate (sl_check_sssp): frontiers that exceed what a group of blocks keeps, rows at
 * and beyond the bound of short rows, long paths, vertices far before the first hub, components
 * beside. Lengths are uniform, equal, long with few exceptions, or 0 for some edges.
 */
#include "check_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum { UNIFORM, EQUAL, HEAVY_TAIL, SOME_ZERO, KINDS } length_kind;

/* Edges in both directions. */
typedef struct {
    uint64_t n, count, room, *from, *to;
    double *length;
    uint64_t random;
    length_kind kind;
    bool whole; /* lengths are integers */
} graph;

static double draw(graph *g)
{
    const double unit = (double)(test_random(&g->random) % (1 << 20)) / (1 << 20);
    const double scale = g->whole ? 1 : 1.0 / 64;
    switch (g->kind) {
    case EQUAL:
        return 3 * scale;
    case HEAVY_TAIL:
        return floor(exp(9 * unit)) * scale;
    case SOME_ZERO:
        return unit < 0.3 ? 0 : (1 + floor(4 * unit)) * scale;
    default:
        return (1 + floor(255 * unit)) * scale;
    }
}

static void join(graph *g, uint64_t u, uint64_t v, double length)
{
    if (g->count + 2 > g->room) {
        g->room = 2 * g->room + 1024;
        g->from = realloc(g->from, g->room * sizeof *g->from);
        g->to = realloc(g->to, g->room * sizeof *g->to);
        g->length = realloc(g->length, g->room * sizeof *g->length);
        assert_true(g->from && g->to && g->length);
    }
    for (int k = 0; k < 2; k++) {
        g->from[g->count] = k ? v : u;
        g->to[g->count] = k ? u : v;
        g->length[g->count++] = length;
    }
}

/* ---- shapes; vertex 0 is the source -------------------------------------------------------- */

/* Few edges per vertex and a small diameter: most vertices are in two or three frontiers. */
static void broad(graph *g)
{
    g->n = 150000;
    for (uint64_t k = 0; k < 5 * g->n / 2; k++)
        join(g, test_random(&g->random) % g->n, test_random(&g->random) % g->n, draw(g));
}

static void path(graph *g)
{
    g->n = 3000;
    for (uint64_t v = 1; v < g->n; v++)
        join(g, v - 1, v, draw(g));
}

/* A path whose vertices have leaves: rows of `leaves` + 2 entries. */
static void caterpillar(graph *g, uint64_t leaves)
{
    const uint64_t spine = 400;
    g->n = spine * (leaves + 1);
    for (uint64_t v = 0; v < spine; v++) {
        if (v > 0)
            join(g, v - 1, v, draw(g));
        for (uint64_t k = 0; k < leaves; k++)
            join(g, v, spine + v * leaves + k, draw(g));
    }
}

static void rows_of_64(graph *g)
{
    caterpillar(g, 62);
}

static void rows_of_66(graph *g)
{
    caterpillar(g, 64);
}

/* A path of long edges to a dense graph with hubs, and a second component. */
static void far_hub(graph *g)
{
    const uint64_t tail = 60, dense = 4000, beside = 100;
    g->n = tail + dense + beside;
    for (uint64_t v = 1; v <= tail; v++)
        join(g, v - 1, v, g->whole ? 1000 : 15.625);
    for (uint64_t k = 0; k < 16 * dense; k++) { /* low indices have high degrees */
        const uint64_t u = test_random(&g->random) % dense, v = test_random(&g->random) % dense;
        join(g, tail + u * u / dense * u / dense, tail + v * v / dense, draw(g));
    }
    for (uint64_t v = 1; v < beside; v++)
        join(g, tail + dense + v - 1, tail + dense + v, draw(g));
}

/* The source is joined to all. */
static void hub(graph *g)
{
    g->n = 20000;
    for (uint64_t v = 1; v < g->n; v++) {
        join(g, 0, v, draw(g));
        for (int k = 0; k < 8; k++)
            join(g, v, 1 + test_random(&g->random) % (g->n - 1), draw(g));
    }
}

static void (*const shapes[])(graph *) = {broad, path, rows_of_64, rows_of_66, far_hub, hub};

/* ---- trials ---------------------------------------------------------------------------------- */

static void check(sl_context *ctx, const graph *g, sl_type type, const char *engine, size_t shape)
{
    sl_matrix *A;
    sl_vector *distance, *parent;
    sl_csr rows;
    void *distances;
    int64_t *parents;
    sl_check_result result = {0};
    OK(ctx, sl_matrix_new(&A, ctx, SL_FP64, g->n, g->n));
    OK(ctx, sl_matrix_build(A, g->from, g->to, g->length, g->count, SL_MIN_FP64));
    sl_matrix *typed;
    OK(ctx, sl_matrix_new(&typed, ctx, type, g->n, g->n));
    OK(ctx, sl_matrix_apply(typed, NULL, NULL, sl_unary_op_get(SL_UNARY_IDENTITY, type), A, NULL));
    OK(ctx, sl_matrix_copy_csr(&rows, typed));
    OK(ctx, sl_sssp(&distance, &parent, typed, 0));
    OK(ctx, sl_distance_array(&distances, distance));
    OK(ctx, sl_search_array(&parents, parent));
    OK(ctx, sl_check_sssp(&result, &rows, 0, distances, parents));
    if (!result.valid)
        fail_msg("%s, shape %zu, lengths %d of %s: %s", engine, shape, (int)g->kind,
                 sl_type_name(type), result.reason);
    sl_free(distances);
    sl_free(parents);
    sl_vector_free(distance);
    sl_vector_free(parent);
    sl_free(rows.start);
    sl_free(rows.index);
    sl_free(rows.values);
    sl_matrix_free(A);
    sl_matrix_free(typed);
}

static void every_shape(void **state)
{
    (void)state;
    static const sl_type types[] = {SL_INT32, SL_FP64, SL_FP32};
    sl_engine_info engine;
    sl_context *ctx;
    for (size_t k = 0; next_engine(&engine, &k);) {
        if (engine.choice == SL_ENGINE_SUITESPARSE) /* takes minutes; the small graphs do */
            continue;
        assert_int_equal(sl_context_create(&ctx, engine.choice), SL_OK);
        for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++)
            for (length_kind kind = 0; kind < KINDS; kind++) {
                const sl_type type = types[(shape + kind) % 3];
                graph g = {.random = 17 * shape + kind, .kind = kind, .whole = type == SL_INT32};
                shapes[shape](&g);
                check(ctx, &g, type, engine.name, shape);
                free(g.from);
                free(g.to);
                free(g.length);
            }
        sl_context_free(ctx);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_shape)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
