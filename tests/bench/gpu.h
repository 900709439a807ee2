/* Shared by the files of bench_gpu. */
#ifndef SEMLA_BENCH_GPU_H
#define SEMLA_BENCH_GPU_H

#include <semla/algorithms.h>
#include <semla/bfs.h>

#include "common.h"

enum { MOST = 256 };

/*
 * Prints the median time of searches of A on the GPU, by sl_bfs and by vxm and assign, of shortest
 * paths and of components; with `host`, also of searches on the engines of the host. All searches
 * use the same roots, alternating.
 */
void bench_searches(sl_context *gpu, const sl_matrix *A, int roots, bool host);

/* Waits until the GPU has completed all queued work. */
void bench_wait(void);

#endif
