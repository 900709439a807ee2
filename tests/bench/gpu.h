/* What the parts of bench_gpu share. */
#ifndef SEMLA_BENCH_GPU_H
#define SEMLA_BENCH_GPU_H

#include <semla/algorithms.h>
#include <semla/bfs.h>

#include "common.h"

enum { MOST = 256 };

/*
 * Searches of A on the GPU, by sl_bfs and by vxm + assign, and with `host` on the host's
 * engines; shortest paths and components on the GPU. Medians over the same roots, in
 * turns.
 */
void bench_searches(sl_context *gpu, const sl_matrix *A, int roots, bool host);

/* Until the GPU has done all that is queued. */
void bench_wait(void);

#endif
