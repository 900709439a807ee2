/* See common.h. */
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

void bench_generator(sl_generator *g, const char *model)
{
    const char *colon = strchr(model, ':');
    uint64_t size = colon ? strtoull(colon + 1, NULL, 10) : 0;
    *g = (sl_generator){.seed = 1, .scale = (unsigned)size, .side = {size, size, 0}};
    if (strncmp(model, "kronecker", 9) == 0)
        g->model = SL_MODEL_KRONECKER;
    else if (strncmp(model, "grid", 4) == 0)
        g->model = SL_MODEL_GRID;
    else if (strncmp(model, "road", 4) == 0)
        g->model = SL_MODEL_ROAD;
    else {
        fprintf(stderr, "there is no model %s\n", model);
        exit(2);
    }
}
