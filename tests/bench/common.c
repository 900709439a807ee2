/* Functions of common.h: clock, median, error handling and generated graphs. */
#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void bench_must(sl_context *ctx, sl_status status, const char *what)
{
    if (status >= 0)
        return;
    fprintf(stderr, "%s: %s: %s\n", what, sl_status_string(status), sl_context_message(ctx));
    exit(1);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return values[count / 2];
}

/* The models of bench_generator. `cube` is a grid with three dimensions. */
static const struct {
    const char *name;
    sl_model model;
    int dimensions;
} models[] = {
    {"kronecker", SL_MODEL_KRONECKER, 0}, {"uniform", SL_MODEL_UNIFORM, 0},
    {"grid", SL_MODEL_GRID, 2},           {"cube", SL_MODEL_GRID, 3},
    {"road", SL_MODEL_ROAD, 2},
};

void bench_generator(sl_generator *g, const char *model)
{
    const char *colon = strchr(model, ':');
    const size_t length = colon ? (size_t)(colon - model) : 0;
    const uint64_t size = colon ? strtoull(colon + 1, NULL, 10) : 0;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        if (strlen(models[k].name) != length || strncmp(model, models[k].name, length) != 0)
            continue;
        *g = (sl_generator){.seed = 1, .scale = (unsigned)size, .model = models[k].model};
        for (int d = 0; d < models[k].dimensions; d++)
            g->side[d] = size;
        if (g->model == SL_MODEL_UNIFORM) {
            g->vertices = 1ull << (size & 31);
            g->edges = 8ull << (size & 31);
        }
        return;
    }
    fprintf(stderr,
            "unknown model '%s'; use kronecker:SCALE, uniform:SCALE, grid:SIDE, cube:SIDE or "
            "road:SIDE\n",
            model);
    exit(2);
}

sl_matrix *bench_graph(sl_context *ctx, const char *model)
{
    const sl_read_options undirected = {.flags = SL_READ_SYMMETRIC | SL_READ_NO_LOOPS};
    sl_generator generator;
    sl_edges edges;
    sl_matrix *A;
    bench_generator(&generator, model);
    MUST(ctx, sl_generate(&edges, ctx, &generator));
    MUST(ctx, sl_matrix_from_edges(&A, ctx, &edges, &undirected));
    sl_edges_free(&edges);
    return A;
}
