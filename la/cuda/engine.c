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

static bool is_large(const sl_object *object)
{
    return object && (object->nrows > UINT32_MAX || object->ncols > UINT32_MAX);
}

static const char *declines_semiring(sl_semiring semiring)
{
    bool comparison = semiring->multiply->result != semiring->multiply->type;
    return comparison && !semiring->multiply->positional ? "a comparison multiplies" : NULL;
}

static const char *declines(const sl_call *call)
{
    if (sl_call_is_foreign(call))
        return "user-defined operator";
    if (is_large(call->out) || is_large(call->a) || is_large(call->b))
        return "2^32 rows or columns, or more";
    switch (call->op) {
    case SL_OP_NVALS:
        return declines_reading(call);
    case SL_OP_GET:
    case SL_OP_TUPLES:
        return call->a->is_matrix ? "only vectors" : declines_reading(call);
    case SL_OP_CLOSURE:
        return sl_semiring_searches(call->semiring) ? NULL
                                                    : "only searches: secondi, or pair over bool";
    case SL_OP_VXM:
    case SL_OP_MXV:
        return declines_semiring(call->semiring);
    case SL_OP_MXM:
        if (!call->mask || (call->flags & SL_COMPLEMENT))
            return "a product of matrices without a mask";
        return declines_semiring(call->semiring);
    case SL_OP_ASSIGN:
    case SL_OP_ASSIGN_SCALAR:
    case SL_OP_EXTRACT:
        return call->out->is_matrix ? "only vectors" : NULL;
    case SL_OP_OPTIMIZE:
    case SL_OP_REDUCE:
    case SL_OP_REDUCE_ROWS:
        return NULL;
    default:
        return NULL;
    }
}

const sl_engine sl_engine_cuda = {
    .name = "cuda",
    .description = "searches, products and elementwise operations on one NVIDIA GPU; the rest by SuiteSparse",
    .choice = SL_ENGINE_CUDA,
    .version = sl_cuda_version,
    .absence = sl_cuda_absence,
    .start = sl_cuda_start,
    .store = &sl_store_cuda,
    .declines = declines,
    .run = {[SL_OP_VXM] = sl_cuda_vxm,
            [SL_OP_MXV] = sl_cuda_mxv,
            [SL_OP_EWISE_ADD] = sl_cuda_map,
            [SL_OP_EWISE_MULT] = sl_cuda_map,
            [SL_OP_EWISE_UNION] = sl_cuda_map,
            [SL_OP_APPLY_FIRST] = sl_cuda_map,
            [SL_OP_APPLY_SECOND] = sl_cuda_map,
            [SL_OP_APPLY] = sl_cuda_map,
            [SL_OP_APPLY_INDEX] = sl_cuda_map,
            [SL_OP_SELECT] = sl_cuda_map,
            [SL_OP_MXM] = sl_cuda_map_matrix,
            [SL_OP_TRANSPOSE] = sl_cuda_map_matrix,
            [SL_OP_REDUCE] = sl_cuda_reduce_all,
            [SL_OP_REDUCE_ROWS] = sl_cuda_reduce_rows,
            [SL_OP_ASSIGN] = sl_cuda_assign,
            [SL_OP_ASSIGN_SCALAR] = sl_cuda_assign_scalar,
            [SL_OP_EXTRACT] = sl_cuda_extract,
            [SL_OP_CLOSURE] = sl_cuda_closure,
            [SL_OP_OPTIMIZE] = sl_cuda_optimize,
            [SL_OP_NVALS] = sl_cuda_nvals,
            [SL_OP_GET] = sl_cuda_get,
            [SL_OP_TUPLES] = sl_cuda_tuples},
};
