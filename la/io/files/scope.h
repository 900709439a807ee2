/*
 * Entry and exit of the public functions of la/io: between io_enter and io_leave, parallel regions
 * use the number of threads of the context and allocations are charged to the context. Other
 * threads of a parallel region must call sl_context_charge themselves before they allocate.
 */
#ifndef SEMLA_IO_SCOPE_H
#define SEMLA_IO_SCOPE_H

#include <omp.h>

#include <semla/progress.h>

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

/*
 * Whether the threads of a parallel region should leave out the rest of their work: the call was
 * cancelled, or has failed. The region's first thread, which called the public function, asks. All
 * threads share *status, SL_OK at first.
 */
static inline bool io_stopped(sl_context *ctx, const char *operation, sl_status *status)
{
    if (omp_get_thread_num() == 0 && __atomic_load_n(status, __ATOMIC_RELAXED) == SL_OK)
        __atomic_store_n(status, sl_interrupted(ctx, operation), __ATOMIC_RELAXED);
    return __atomic_load_n(status, __ATOMIC_RELAXED) != SL_OK;
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
