/*
 * Around all that a public function of this room does for a context: parallel regions
 * have its number of threads, and memory counts for it. In a region's own threads
 * sl_context_charge is to be called, if they allocate.
 */
#ifndef SEMLA_IO_WORK_H
#define SEMLA_IO_WORK_H

#include <omp.h>

#include <semla/context.h>

typedef struct {
    sl_context *charged; /* what was before */
    int threads;
} io_work;

static inline io_work io_begin(sl_context *ctx)
{
    io_work before = {sl_context_charge(ctx), omp_get_max_threads()};
    omp_set_num_threads(sl_context_threads(ctx));
    return before;
}

static inline void io_end(io_work before)
{
    sl_context_charge(before.charged);
    omp_set_num_threads(before.threads);
}

/* The number of this process among those of a context. */
static inline uint64_t io_process(const sl_context *ctx)
{
    uint64_t begin, end;
    sl_context_local_range(ctx, sl_context_processes(ctx), &begin, &end);
    return begin;
}

#endif
