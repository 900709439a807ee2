/* What dependencies.c and dependency_levels.c share: a batch of searches. Private to the CUDA engine.
 */
#ifndef SEMLA_CUDA_DEPENDENCIES_H
#define SEMLA_CUDA_DEPENDENCIES_H

#include "cuda/fixpoint/dependencies_kernels.h"
#include "cuda/operations/vector_result.h"

/* Levels whose pairs are not listed. */
typedef struct {
    uint32_t first, last;
} dependency_run;

/* The operation `dependencies` in progress. Device memory belongs to the scratch. */
typedef struct {
    cuda_scratch s;
    dependency_params p;
    uint64_t limit;     /* edges of a level from which on it is found by a pass */
    uint32_t *mask[3];  /* [n] each */
    bool has_long_rows; /* they are known */
    dependency_long_rows long_out, long_in;
    dependency_state state; /* as last fetched */
    /* The levels of this batch's searches that are found by passes, in ascending order; owned. */
    dependency_run *runs;
    uint32_t run_count, run_room;
    uint32_t levels; /* of the longest search */
} cuda_dependencies;

/* Finds the levels and the paths of a batch, whose level 0 is listed and described by d->state. */
sl_status sl_cuda_dependencies_search(cuda_dependencies *d);

/* Sums the dependencies of all pairs of the batch. */
sl_status sl_cuda_dependencies_sum(cuda_dependencies *d);

/* Waits, and copies the state of the device to d->state. `what`: the last kernel. */
sl_status sl_cuda_dependencies_fetch(cuda_dependencies *d, const char *what);

#endif
