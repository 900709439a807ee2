/*
 * One NVIDIA GPU: the closure of a search at once, and reading what it found where
 * it is. All else goes to the next engine of the chain.
 */
#include "device.h"

/* To read is done where the contents are: no object is moved for it. */
static const char *declines_reading(const sl_call *call)
{
    if (!sl_held(call->a, &sl_store_cuda))
        return "its contents are not on the device";
    return sl_held(call->a, &sl_store_host) ? "the host has its contents too" : NULL;
}

static const char *declines(const sl_call *call)
{
    switch (call->op) {
    case SL_OP_NVALS:
        return declines_reading(call);
    case SL_OP_GET:
    case SL_OP_TUPLES:
        return call->a->is_matrix ? "only vectors" : declines_reading(call);
    default:
        if (call->a->nrows > UINT32_MAX || call->a->ncols > UINT32_MAX)
            return "2^32 vertices or more";
        if (call->op == SL_OP_CLOSURE && !sl_semiring_searches(call->semiring))
            return "only searches: secondi, or pair over bool";
        return NULL;
    }
}

const sl_engine sl_engine_cuda = {
    .name = "cuda",
    .description = "searches on one NVIDIA GPU; the rest by SuiteSparse",
    .choice = SL_ENGINE_CUDA,
    .version = sl_cuda_version,
    .absence = sl_cuda_absence,
    .start = sl_cuda_start,
    .store = &sl_store_cuda,
    .declines = declines,
    .run = {[SL_OP_CLOSURE] = sl_cuda_closure,
            [SL_OP_OPTIMIZE] = sl_cuda_optimize,
            [SL_OP_NVALS] = sl_cuda_nvals,
            [SL_OP_GET] = sl_cuda_get,
            [SL_OP_TUPLES] = sl_cuda_tuples},
};
