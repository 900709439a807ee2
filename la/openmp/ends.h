/* Whether a call is cancelled while threads work. Private to the OpenMP engine. */
#ifndef SEMLA_OPENMP_ENDS_H
#define SEMLA_OPENMP_ENDS_H

#include <omp.h>

#include <semla/engine.h>

/* Whether the call of the operation `what` is cancelled: *status is SL_OK until it is. The calling thread
 * of the operation asks. */
static inline bool sl_openmp_ends(sl_context *ctx, sl_status *status, const char *what)
{
    if (omp_get_thread_num() == 0 && *status == SL_OK)
        __atomic_store_n(status, sl_interrupted(ctx, what), __ATOMIC_RELAXED);
    return __atomic_load_n(status, __ATOMIC_RELAXED) != SL_OK;
}

#endif
