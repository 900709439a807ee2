/* The operations that bench_overhead measures, each through semla and by a direct call of
 * GraphBLAS. */
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

extern const bench_case bench_cases[]; /* the last element has a NULL name */

/*
 * Creates equal objects on both sides: square matrices with n rows of `degree` entries each, and
 * vectors of size n. `semla_first` tells which side's objects are created first. All functions
 * abort on failure.
 */
bench_world *bench_world_make(sl_context *ctx, uint64_t n, uint64_t degree, bool semla_first);
void bench_world_free(bench_world *w);
/* Completes deferred work of the last operation. */
void bench_settle(bench_world *w);

#endif
