/*
 * Entry and exit of the public functions of la/io: between io_enter and io_leave, parallel regions
 * use the number of threads of the context and allocations are charged to the context. Other
 * threads of a parallel region must call sl_context_charge themselves before they allocate.
 */
#ifndef SEMLA_IO_SCOPE_H
#define SEMLA_IO_SCOPE_H

#include <omp.h>

#include <semla/context.h>

typedef struct {
    sl_context *charged; /* context that was charged before */
    int threads;
} io_scope;

static inline io_scope io_enter(sl_context *ctx)
{
    io_scope before = {sl_context_charge(ctx), omp_get_max_threads()};
    omp_set_num_threads(sl_context_threads(ctx));
    return before;
}

static inline void io_leave(io_scope before)
{
    sl_context_charge(before.charged);
    omp_set_num_threads(before.threads);
}

/* Number of threads for reading and assembling. */
static inline int io_threads(const sl_context *ctx)
{
    return sl_context_threads(ctx);
}

/* Rank of this process among the processes of a context. */
static inline uint64_t io_rank(const sl_context *ctx)
{
    uint64_t begin, end;
    sl_context_local_range(ctx, sl_context_processes(ctx), &begin, &end);
    return begin;
}

#endif
