/* The operations that bench_overhead times: the same call in both ways. */
#ifndef SEMLA_BENCH_OVERHEAD_CASES_H
#define SEMLA_BENCH_OVERHEAD_CASES_H

#include <GraphBLAS.h>
#include <semla/la.h>

typedef struct bench_world bench_world;

typedef struct {
    const char *name;
    void (*semla)(bench_world *w);
    void (*direct)(bench_world *w);
} bench_case;

extern const bench_case bench_cases[]; /* the last has no name */

/* Equal objects on both sides: square matrices of n rows with `degree` entries each,
 * vectors of n. `semla_first` says whose are made first. Aborts on failure, as all of
 * this does. */
bench_world *bench_world_make(sl_context *ctx, uint64_t n, uint64_t degree, bool semla_first);
void bench_world_free(bench_world *w);
/* Finishes what an operation may have left for later. */
void bench_settle(bench_world *w);

#endif
