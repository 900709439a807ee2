/* What the programs that measure a GPU share. */
#ifndef SEMLA_BENCH_COMMON_H
#define SEMLA_BENCH_COMMON_H

#include <semla/la.h>

/* Wall clock, in seconds. */
double bench_now(void);
double bench_median(double *values, int count);
/* Ends the program with the context's message where the status is a failure. */
void bench_must(sl_context *ctx, sl_status status, const char *what);
#define MUST(ctx, call) bench_must(ctx, call, #call)

#endif
