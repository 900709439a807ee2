/* What the parts of bench_gpu share. */
#ifndef SEMLA_BENCH_GPU_H
#define SEMLA_BENCH_GPU_H

#include <semla/algorithms.h>
#include <semla/bfs.h>

enum { MOST = 256 };

/* Wall clock, in seconds. */
double bench_now(void);
double bench_median(double *values, int count);
/* Ends the program with the context's message where the status is a failure. */
void bench_must(sl_context *ctx, sl_status status, const char *what);
#define MUST(ctx, call) bench_must(ctx, call, #call)

/*
 * Searches of A on the GPU, by sl_bfs and by vxm + assign, and on the host's engines;
 * shortest paths and components on the GPU. Medians over the same roots, in turns.
 */
void bench_searches(sl_context *gpu, const sl_matrix *A, int roots);

#endif
