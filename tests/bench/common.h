/* What the programs that measure share. */
#ifndef SEMLA_BENCH_COMMON_H
#define SEMLA_BENCH_COMMON_H

#include <semla/io.h>

/* Wall clock, in seconds. */
double bench_now(void);
double bench_median(double *values, int count);
/* Ends the program with the context's message where the status is a failure. */
void bench_must(sl_context *ctx, sl_status status, const char *what);
#define MUST(ctx, call) bench_must(ctx, call, #call)
/* A model as kronecker:SCALE, grid:SIDE or road:SIDE; another ends the program. */
void bench_generator(sl_generator *g, const char *model);

#endif
