/* Shared by the benchmarks. */
#ifndef SEMLA_BENCH_COMMON_H
#define SEMLA_BENCH_COMMON_H

#include <semla/io.h>

/* Wall-clock time in seconds. */
double bench_now(void);
double bench_median(double *values, int count);
/* If the status is an error, prints `what` with the context's message and exits with status 1. */
void bench_must(sl_context *ctx, sl_status status, const char *what);
#define MUST(ctx, call) bench_must(ctx, call, #call)
/* The generator of a model: kronecker:SCALE, uniform:SCALE (2^SCALE vertices, 8 edges per vertex),
 * grid:SIDE, cube:SIDE or road:SIDE. Exits with status 2 for another. */
void bench_generator(sl_generator *g, const char *model);

/* The undirected graph of a model, without loops: a pattern, owned by the caller. */
sl_matrix *bench_graph(sl_context *ctx, const char *model);

#endif
